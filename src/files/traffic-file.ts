import { createReadStream, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf, ConfigError } from '../core/errors/standin-error';
import { isWithin } from './file-access';

/** A file of recorded traffic, of any size, or standard input. */
export interface TrafficFile {
  /** What to call it in messages. */
  readonly file: string;
  /** How many bytes it has. */
  readonly bytes: number;
  /** From the first byte at each call. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
  /** A file in its folder or below it, of at most {@link MAX_BESIDE_BYTES}; `undefined` for any other path. */
  readonly beside: (path: string) => Uint8Array | undefined;
}

/** What is sent as the body of a request, or was the one of a response. */
const MAX_BESIDE_BYTES = 16 * 1024 * 1024;
/** What cannot be read a second time is kept in memory. */
const MAX_PIPED_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 65_536;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'cannot be read: permission denied',
};

/**
 * @param path - `-` is standard input
 * @throws ConfigError `CONFIG_INVALID` when there is no such file, and for more on standard input than can be kept
 */
export async function openTrafficFile(
  path: string,
  input: AsyncIterable<Uint8Array> = process.stdin,
): Promise<TrafficFile> {
  if (path === '-') return piped('standard input', process.cwd(), input);
  const folder = dirname(resolve(path));
  const stats = statsOf(path);
  // A pipe, as in `<(…)`, gives its bytes once.
  if (!stats.isFile()) return piped(path, folder, createReadStream(path));
  return {
    file: path,
    bytes: stats.size,
    chunks: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }),
    beside: (other) => readBeside(folder, other),
  };
}

function statsOf(path: string): Stats {
  const fail = (reason: string, cause?: unknown): ConfigError =>
    new ConfigError('CONFIG_INVALID', `${path} ${reason}`, {
      hint: 'Check the path; it is relative to the current folder. Standard input is "-".',
      cause,
    });
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch (error) {
    const code = codeOf(error) ?? '';
    throw fail(REASONS[code] ?? `cannot be read (${code})`, error);
  }
  if (stats.isDirectory()) throw fail('is a folder, not a file of recorded traffic');
  return stats;
}

async function piped(file: string, folder: string, input: AsyncIterable<Uint8Array>): Promise<TrafficFile> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.byteLength;
    if (bytes > MAX_PIPED_BYTES)
      throw new ConfigError('CONFIG_INVALID', `There are more than ${MAX_PIPED_BYTES} bytes on ${file}`, {
        hint: 'Save them as a file, and name that: files of any size are read.',
      });
    chunks.push(chunk);
  }
  return {
    file,
    bytes,
    // oxlint-disable-next-line typescript/require-await -- all of it is here; a file is waited for
    chunks: async function* () {
      yield* chunks;
    },
    beside: (other) => readBeside(folder, other),
  };
}

/** Traffic comes from others: what it names is not read from anywhere else, links included. */
function readBeside(folder: string, path: string): Uint8Array | undefined {
  try {
    const real = realpathSync(resolve(folder, path));
    if (!isWithin(realpathSync(folder), real)) return undefined;
    const stats = statSync(real);
    return stats.isFile() && stats.size <= MAX_BESIDE_BYTES ? readFileSync(real) : undefined;
  } catch {
    return undefined;
  }
}

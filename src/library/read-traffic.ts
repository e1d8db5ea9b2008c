import { basename } from 'node:path';
import type { TellProgress } from '../core/text/progress';
import { openTrafficFile, type TrafficFile } from '../files/traffic-file';
import type { RecordedExchange } from '../traffic/exchange/recorded-exchange';
import {
  HEAD_BYTES,
  isReadProblem,
  type ReadProblem,
  type TrafficSource,
  wholeProblem,
} from '../traffic/readers/reader';
import { readerFor, unknownFormatHint, valuesReaderFor } from '../traffic/readers/registry';

/** What files of recorded traffic hold. */
export interface ReadTraffic {
  /** Of the first file first, each in the order in which its requests were made. */
  readonly exchanges: readonly RecordedExchange[];
  readonly problems: readonly ReadProblem[];
  readonly files: readonly ReadTrafficFile[];
}

export interface ReadTrafficFile {
  readonly file: string;
  /** What its format is called; `undefined` where no reader takes it. */
  readonly format: string | undefined;
  /** How many exchanges were read from it. */
  readonly count: number;
}

const MEGABYTE = 1_000_000;

/**
 * Reads files of recorded traffic, whatever their formats. What cannot be read is told, and the rest is read. Values of
 * variables, as in an environment of Postman, may stand anywhere among them.
 *
 * @param paths - `-` is standard input
 * @throws ConfigError `CONFIG_INVALID` when a file is not there
 */
export async function readTraffic(paths: readonly string[], tell?: TellProgress): Promise<ReadTraffic> {
  const exchanges: RecordedExchange[] = [];
  const problems: ReadProblem[] = [];
  const files: ReadTrafficFile[] = [];
  const values = new Map<string, string>();
  const opened: { readonly source: TrafficSource; readonly head: string }[] = [];
  for (const path of paths) {
    const file = await openTrafficFile(path);
    const [source, head] = [told(file, tell, values), await headOf(file)];
    const valuesReader = valuesReaderFor(file.file, head);
    if (valuesReader === undefined) opened.push({ source, head });
    else {
      const read = await valuesReader.read(source);
      if ('problem' in read) problems.push(read);
      else for (const [name, value] of read) values.set(name, value);
    }
  }
  for (const { source, head } of opened) {
    const { file } = source;
    const reader = readerFor(file, head);
    const before = exchanges.length;
    if (reader === undefined)
      problems.push(
        wholeProblem(source, `It is no recorded traffic. ${unknownFormatHint(file, head).replace(/\.$/, '')}`),
      );
    else
      for await (const item of reader.read(source)) {
        if (isReadProblem(item)) problems.push(item);
        else exchanges.push(item);
      }
    files.push({ file, format: reader?.name, count: exchanges.length - before });
  }
  return { exchanges, problems, files };
}

async function headOf({ chunks }: TrafficFile): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks()) {
    parts.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= HEAD_BYTES) break;
  }
  // A character may be cut in the middle; the byte order mark goes.
  return new TextDecoder().decode(Buffer.concat(parts));
}

/** The same file, telling how much of it was read. */
function told(opened: TrafficFile, tell: TellProgress | undefined, values: ReadonlyMap<string, string>): TrafficSource {
  const { file, bytes, beside } = opened;
  const total = Math.floor(bytes / MEGABYTE);
  const name = basename(file);
  const what = total === 0 ? name : `MB of ${name}`;
  return {
    file,
    beside,
    values,
    async *chunks() {
      let done = 0;
      for await (const chunk of opened.chunks()) {
        tell?.({ phase: 'reading', what, done: Math.floor(done / MEGABYTE), total });
        done += chunk.byteLength;
        yield chunk;
      }
    },
  };
}

import { messageOf } from '../../core/errors/standin-error';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import type { RecordedExchange } from '../exchange/recorded-exchange';

/** Recorded traffic to be read: a file, or what came on standard input. */
export interface TrafficSource {
  /** Path as the user gave it, for messages. */
  readonly file: string;
  /** Its bytes in their order, from the first one at each call. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
  /**
   * A file that the traffic refers to, such as an upload: by its path from the folder of the file, and never outside of
   * it. `undefined` where there is none that can be read.
   */
  readonly beside: (path: string) => Uint8Array | undefined;
  /** Values of variables that other files give, such as an environment of Postman; they come before those of the file. */
  readonly values: ReadonlyMap<string, string>;
}

/** What is wrong with a part of a file, and what became of it. What could be read is read all the same. */
export interface ReadProblem {
  /** Path as the user gave it. */
  readonly file: string;
  /** Where in it: a JSON pointer with `#` before it, `line 12`, `line 12:3` with the column, `byte 1024`; empty for the whole. */
  readonly at: string;
  /** In words, as a sentence without its point; the same for the same, so that many can be told as one. */
  readonly problem: string;
  /** What was done, in words: `left out`, `kept without its body`. */
  readonly done: string;
}

export type ReadItem = RecordedExchange | ReadProblem;

export function isReadProblem(item: ReadItem): item is ReadProblem {
  return 'problem' in item;
}

/** A format of recorded traffic. */
export interface TrafficReader {
  /** What people call it: `HAR`. */
  readonly name: string;
  /**
   * @param file - path as the user gave it
   * @param head - the beginning of the file as text, without byte order mark; at least {@link HEAD_BYTES} where the file
   *   has as many
   */
  recognises(file: string, head: string): boolean;
  /** Exchanges in the order in which they were made, and what could not be read. Throws only what `source` throws. */
  read(source: TrafficSource): AsyncIterable<ReadItem>;
}

/** As much of a file is looked at to tell its format. */
export const HEAD_BYTES = 65_536;

/** A file that is read as a whole has at most so many bytes. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/**
 * The whole of a source as text, without byte order mark.
 *
 * @returns what is wrong, in place of the text
 */
export async function readWhole(source: TrafficSource): Promise<string | ReadProblem> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source.chunks()) {
    bytes += chunk.byteLength;
    if (bytes > MAX_TEXT_BYTES) return wholeProblem(source, `It has more than ${MAX_TEXT_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return wholeProblem(source, 'It is not UTF-8 text: save it as UTF-8');
  }
}

/** Something that keeps the whole file from being read. */
export function wholeProblem({ file }: Pick<TrafficSource, 'file'>, problem: string, at = ''): ReadProblem {
  return { file, at, problem, done: 'not read' };
}

/** What is wrong with a text that was to be JSON, with its place. @param error - of parsing it */
export function jsonProblem(source: Pick<TrafficSource, 'file'>, error: unknown): ReadProblem {
  if (!(error instanceof JsonSyntaxError)) return wholeProblem(source, messageOf(error));
  const { line, column, message } = error;
  const [, unexpected = '', expected = ''] =
    /^Unexpected (.*?) at line \d+, column \d+(?:: (.*))?$/s.exec(message) ?? [];
  const problem =
    unexpected === ''
      ? `It is no JSON that can be read: ${message}`
      : unexpected === 'end of JSON'
        ? `The file ends here, in the middle of its JSON: ${expected}. Is it whole? Export or save it again`
        : `It is no JSON from here on: ${expected}, found ${unexpected}. Mend it there, or export or save it again`;
  return wholeProblem(source, problem, `line ${line}:${column}`);
}

import { crc32 } from 'node:zlib';
import { isJsonObject, type JsonObject } from '../core/json/json-value';
import { JsonSyntaxError } from '../core/json/json-syntax-error';
import { type JsonLimits, MAX_DEPTH, parseJson } from '../core/json/parse-json';

/** What was stored once was let in by narrower limits. */
export const STORED: JsonLimits = { maxDepth: MAX_DEPTH, maxNumberLength: 1_000_000 };

const LINE_FEED = 0x0a;
/** Hexadecimal digits of a checksum, before the space that ends it. */
const SUM_LENGTH = 8;
/** UTF-8 has at most so many for one UTF-16 unit. */
const MOST_BYTES = 3;

/** One line of a log: a checksum (CRC-32, as in RFC 1952 §8), a space, and JSON. */
export function logLine(json: string): Buffer {
  // Encoded once, into its place: this is done for each change.
  const line = Buffer.allocUnsafe(SUM_LENGTH + 2 + json.length * MOST_BYTES);
  const end = SUM_LENGTH + 1 + line.write(json, SUM_LENGTH + 1, 'utf8');
  line.write(`${sumOf(line.subarray(SUM_LENGTH + 1, end))} `, 0, 'latin1');
  line[end] = LINE_FEED;
  return line.subarray(0, end + 1);
}

function sumOf(json: Uint8Array): string {
  return crc32(json).toString(16).padStart(SUM_LENGTH, '0');
}

export interface LogLines {
  readonly lines: readonly JsonObject[];
  /** Bytes of the lines that are whole. */
  readonly length: number;
}

/** A line in the middle of a log is not what was written: the log was edited, or the disk is failing. */
export interface BrokenLine {
  /** Counted from 1. */
  readonly line: number;
}

/**
 * Reads the lines of a log. A process that was killed, or a disk that was full, may leave a torn end: what is broken and has
 * no whole line behind it does not count.
 */
export function readLogLines(bytes: Uint8Array): LogLines | BrokenLine {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: JsonObject[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf(LINE_FEED, start);
    const line = end === -1 ? undefined : readLine(text.subarray(start, end));
    if (line === undefined) return hasWholeLine(text, end) ? { line: lines.length + 1 } : { lines, length: start };
    lines.push(line);
    start = end + 1;
  }
  return { lines, length: start };
}

function hasWholeLine(text: Buffer, from: number): boolean {
  for (let start = from; start !== -1 && start < text.length;) {
    const end = text.indexOf(LINE_FEED, start + 1);
    if (end === -1) return false;
    if (readLine(text.subarray(start + 1, end)) !== undefined) return true;
    start = end;
  }
  return false;
}

/** @returns `undefined` for anything but a line of {@link logLine} */
function readLine(line: Buffer): JsonObject | undefined {
  const json = line.subarray(SUM_LENGTH + 1);
  const sum = line.toString('latin1', 0, SUM_LENGTH + 1);
  if (sum !== `${sumOf(json)} `) return undefined;
  try {
    const value = parseJson(json.toString('utf8'), STORED);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

/** Writes lines as a whole or, on a disk that is full, not at all: what comes later is not to be glued to half of it. */
export function writeLine(descriptor: number, line: string | Uint8Array, isDurable = true): void {
  const bytes = typeof line === 'string' ? Buffer.from(line) : line;
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    if (isDurable) fsyncSync(descriptor);
  } catch (error) {
    if (written > 0) ftruncateSync(descriptor, fstatSync(descriptor).size - written);
    throw error;
  }
}

/** A file that grows by whole lines. */
export interface LineFile {
  /**
   * Writes lines behind those that are there, all or none. When this returns the system has them: a process that is killed then has lost
   * nothing of them. The end of the whole machine may take the last ones, as nothing waits for the disk.
   *
   * @throws what the file system throws; the file then ends as before
   */
  append(...lines: readonly string[]): void;
  close(): void;
}

/**
 * Makes a file of lines, for this user alone: what others sent stands in it.
 *
 * @throws what the file system throws, also where the file is there already
 */
export function createLineFile(file: string): LineFile {
  const descriptor = openSync(file, 'ax', 0o600);
  let isClosed = false;
  return {
    append(...lines) {
      // The system gives the number of a closed file to the next one that is opened.
      if (isClosed) throw new Error('it is closed');
      writeLine(descriptor, `${lines.join('\n')}\n`, false);
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      closeSync(descriptor);
    },
  };
}

const PIECE_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * The lines of a file, without their ends, as they are asked for: a file may be larger than any text can be.
 *
 * @throws what the file system throws
 */
export function* readLines(file: string): Generator<string> {
  const descriptor = openSync(file, 'r');
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    let begun: Buffer[] = [];
    for (let length = readSync(descriptor, piece); length > 0; length = readSync(descriptor, piece)) {
      let start = 0;
      for (let end = piece.indexOf(LINE_FEED); end !== -1 && end < length; end = piece.indexOf(LINE_FEED, start)) {
        yield Buffer.concat([...begun, piece.subarray(start, end)]).toString('utf8');
        begun = [];
        start = end + 1;
      }
      if (start < length) begun.push(Buffer.from(piece.subarray(start, length)));
    }
    if (begun.length > 0) yield Buffer.concat(begun).toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { isJsonObject, type JsonObject } from '../core/json/json-value';
import { stringifyJson } from '../core/json/stringify-json';
import type { StoredSnapshot } from '../mock/state/state-log';

const PIECE_LENGTH = 128 * 1024;

/** The text of a snapshot in pieces: a fixture file with one row on each line, to be read and compared by people. */
export function* snapshotText({ rows }: StoredSnapshot): Generator<string> {
  let text = '{';
  for (const [index, [name, value]] of Object.entries(rows).entries()) {
    text += `${index === 0 ? '' : ','}\n  ${JSON.stringify(name)}: `;
    if (!isJsonObject(value)) text += stringifyJson(value);
    else if (name !== 'collections') text += membersText(value);
    else {
      for (const piece of collectionTexts(value)) {
        text += piece;
        if (text.length < PIECE_LENGTH) continue;
        yield text;
        text = '';
      }
    }
  }
  yield `${text}\n}\n`;
}

function* collectionTexts(collections: JsonObject): Generator<string> {
  const byName = Object.entries(collections);
  for (const [index, [name, rows]] of byName.entries()) {
    yield `${index === 0 ? '{' : ','}\n    ${JSON.stringify(name)}: [`;
    const items = Array.isArray(rows) ? rows : [];
    for (const [at, item] of items.entries()) yield `${at === 0 ? '' : ','}\n      ${stringifyJson(item)}`;
    yield items.length === 0 ? ']' : '\n    ]';
  }
  yield byName.length === 0 ? '{}' : '\n  }';
}

function membersText(value: JsonObject): string {
  const lines = Object.entries(value).map(([name, each]) => `\n    ${JSON.stringify(name)}: ${stringifyJson(each)}`);
  return lines.length === 0 ? '{}' : `{${lines.join(',')}\n  }`;
}

/** Writes a file anew. @param isDurable - does it lie on the disk when this returns? @throws what the file system throws; there is none then */
export function writeWhole(
  file: string,
  isDurable: boolean,
  write: (write: (text: string | Uint8Array) => number) => void,
): void {
  const descriptor = openSync(file, 'w', 0o600);
  try {
    write((text) => {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      let at = 0;
      while (at < bytes.length) at += writeSync(descriptor, bytes, at);
      return bytes.length;
    });
    if (isDurable) fsyncSync(descriptor);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Between two pieces others have their turn. */
export async function writePieces(file: string, pieces: Iterable<string>): Promise<{ sum: number; bytes: number }> {
  const handle: FileHandle = await open(file, 'w', 0o600);
  try {
    let [sum, bytes] = [0, 0];
    for (const piece of pieces) {
      sum = crc32(piece, sum);
      bytes += Buffer.byteLength(piece);
      await handle.writeFile(piece);
    }
    await handle.sync();
    return { sum, bytes };
  } finally {
    await handle.close();
  }
}

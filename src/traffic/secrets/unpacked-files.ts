import { constants, inflateRawSync } from 'node:zlib';

/** More of a file than this is not unpacked: as many bytes as a body may have. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Of one body: bytes that look like the beginning of a file may stand there by chance. */
const MOST_TRIES = 16;

/** How each file begins that is compressed with gzip by the one method that there is (RFC 1952 §2.3.1). */
const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);

const HAS_CHECKSUM = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;

/** What is in the files of gzip that stand in bytes, such as those of an upload. */
export function unpackedFiles(bytes: Buffer): Uint8Array[] {
  const files: Uint8Array[] = [];
  let at = bytes.indexOf(GZIP);
  for (let tries = 0; at !== -1 && tries < MOST_TRIES; tries++) {
    const file = unpacked(bytes.subarray(at));
    if (file !== undefined) files.push(file);
    at = bytes.indexOf(GZIP, at + 1);
  }
  return files;
}

/** As much as is there of a file that may be cut, and that others may stand behind. */
function unpacked(bytes: Buffer): Uint8Array | undefined {
  try {
    return inflateRawSync(bytes.subarray(headEnd(bytes)), {
      maxOutputLength: MOST_BYTES,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
  } catch {
    // Too large, or no such file.
    return undefined;
  }
}

/** Where the head ends, by what its flags say of it (RFC 1952 §2.3). */
function headEnd(bytes: Buffer): number {
  const flags = bytes[3] ?? 0;
  let end = 10;
  if ((flags & HAS_EXTRA) !== 0 && end + 2 <= bytes.length) end += 2 + bytes.readUInt16LE(end);
  // The name of the file and a comment, each with a zero behind it.
  for (const flag of [HAS_NAME, HAS_COMMENT]) if ((flags & flag) !== 0) end = bytes.indexOf(0, end) + 1;
  return (flags & HAS_CHECKSUM) === 0 ? end : end + 2;
}

import { JsonSyntaxError } from './json-syntax-error';
import { describePosition, LineMap } from './text-position';

const REPLACEMENT = '\uFFFD';
const REPLACEMENT_BYTES = [0xef, 0xbf, 0xbd];
// The fatal TextDecoder measured faster than isUtf8 or isAscii followed by a Buffer slice, at 60 bytes and at 1 MB.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The text of UTF-8 bytes, the encoding JSON requires (RFC 8259 section 8.1).
 *
 * A leading byte order mark is kept, so that the text is the bytes and nothing less; `parseJson` skips it.
 * Throws JsonSyntaxError of kind `encoding`, with the byte offset of the first sequence that is not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw describeBadByte(bytes);
  }
}

/** The text before the first bad sequence is valid, so its length in bytes is the offset of that sequence. */
function describeBadByte(bytes: Uint8Array): JsonSyntaxError {
  const text = lenient.decode(bytes);
  let index = text.indexOf(REPLACEMENT);
  let offset = Buffer.byteLength(text.slice(0, index));
  while (isGenuineReplacement(bytes, offset)) {
    const next = text.indexOf(REPLACEMENT, index + 1);
    offset += Buffer.byteLength(text.slice(index, next));
    index = next;
  }
  const place = { ...new LineMap(text).at(index), offset };
  const byte = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  const message = `Invalid UTF-8 at byte ${offset} (0x${byte}), ${describePosition(place)}: expected UTF-8 text`;
  return new JsonSyntaxError('encoding', message, place, '');
}

function isGenuineReplacement(bytes: Uint8Array, offset: number): boolean {
  return REPLACEMENT_BYTES.every((byte, index) => bytes[offset + index] === byte);
}

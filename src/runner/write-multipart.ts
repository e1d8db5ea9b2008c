import { createHash } from 'node:crypto';

/** A part of `multipart/form-data` (RFC 7578). */
export interface WrittenPart {
  readonly name: string;
  /** `undefined` for a part that is no file. */
  readonly fileName: string | undefined;
  readonly mediaType: string | undefined;
  readonly bytes: Uint8Array;
}

/**
 * Writes the parts of `multipart/form-data` one after the other (RFC 2046 §5.1.1, RFC 7578 §4).
 *
 * @param seed - the boundary is made of it, so that one run sends the same bytes again
 */
export function writeMultipart(
  parts: readonly WrittenPart[],
  seed: string,
): { readonly boundary: string; readonly bytes: Uint8Array } {
  const boundary = boundaryFor(parts, seed);
  const pieces = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`), part.bytes, CRLF]);
  return { boundary, bytes: new Uint8Array(Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])) };
}

const CRLF = Buffer.from('\r\n');

/** No part may hold it (RFC 2046 §5.1). */
function boundaryFor(parts: readonly WrittenPart[], seed: string): string {
  for (let number = 0; ; number++) {
    // A digest: the id of the run itself would look like a mark that something was made by it.
    const digest = createHash('sha256').update(`${seed} ${number}`).digest('hex').slice(0, 24);
    const boundary = `standin-${digest}`;
    if (!parts.some(({ bytes }) => Buffer.from(bytes).includes(boundary))) return boundary;
  }
}

function headOf({ name, fileName, mediaType }: WrittenPart): string {
  const file = fileName === undefined ? '' : `; filename="${quotable(fileName)}"`;
  const type = mediaType === undefined ? '' : `\r\nContent-Type: ${mediaType}`;
  return `Content-Disposition: form-data; name="${quotable(name)}"${file}${type}`;
}

/** As browsers write names (WHATWG HTML §4.10.21.8): everything but quotes and line breaks is itself. */
function quotable(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

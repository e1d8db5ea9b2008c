import type * as zlibModule from 'node:zlib';

/** The outcome of {@link decodeContent}. */
export type DecodedContent =
  | { readonly kind: 'decoded'; readonly body: Uint8Array }
  /** Answer 415 and name the codings in `Accept-Encoding` (RFC 9110 §15.5.16). */
  | { readonly kind: 'unknown-coding'; readonly coding: string }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'corrupt'; readonly coding: string };

type Zlib = typeof zlibModule;
type Decoder = (zlib: Zlib, body: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', (zlib, body, options) => zlib.gunzipSync(body, options)],
  ['x-gzip', (zlib, body, options) => zlib.gunzipSync(body, options)],
  ['deflate', (zlib, body, options) => zlib.inflateSync(body, options)],
  ['br', (zlib, body, options) => zlib.brotliDecompressSync(body, options)],
  ['identity', (_, body) => body],
]);

// Each coding costs the work of a whole body, and a header has room for thousands.
const MAX_CODINGS = 4;

/**
 * Undoes the codings of a body, the last one named first (RFC 9110 §8.4): gzip, x-gzip, deflate in zlib format, br,
 * identity, their names in any case. An empty body stays empty whatever the header says.
 *
 * @param contentEncoding - raw header value; more than four codings count as one unknown coding
 * @param maxBytes - the most bytes that any step may give; beyond it the work stops
 */
export function decodeContent(body: Uint8Array, contentEncoding: string, maxBytes: number): DecodedContent {
  const codings = readCodings(contentEncoding);
  if (codings.length > MAX_CODINGS) return { kind: 'unknown-coding', coding: contentEncoding };
  const unknown = codings.find((coding) => !DECODERS.has(coding));
  if (unknown !== undefined) return { kind: 'unknown-coding', coding: unknown };

  let decoded = body;
  for (const coding of codings.reverse()) {
    if (decoded.length === 0) break;
    const step = decodeOne(decoded, coding, maxBytes);
    if (step.kind !== 'decoded') return step;
    decoded = step.body;
  }
  return decoded.length > maxBytes ? { kind: 'too-large' } : { kind: 'decoded', body: decoded };
}

/** Does {@link decodeContent} know every coding of a Content-Encoding header? */
export function isKnownCoding(contentEncoding: string): boolean {
  const codings = readCodings(contentEncoding);
  return codings.length <= MAX_CODINGS && codings.every((coding) => DECODERS.has(coding));
}

function readCodings(contentEncoding: string): string[] {
  return contentEncoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '');
}

function decodeOne(body: Uint8Array, coding: string, maxBytes: number): DecodedContent {
  const decoder = DECODERS.get(coding);
  if (decoder === undefined) return { kind: 'unknown-coding', coding };
  // Loaded on first use: most processes never meet a coded body.
  const zlib = process.getBuiltinModule('node:zlib');
  try {
    return { kind: 'decoded', body: decoder(zlib, body, { maxOutputLength: Math.max(maxBytes, 1) }) };
  } catch (error) {
    return isTooLarge(error) ? { kind: 'too-large' } : { kind: 'corrupt', coding };
  }
}

function isTooLarge(error: unknown): boolean {
  // No `instanceof Error`: inside jest, errors of Node itself come from another realm.
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

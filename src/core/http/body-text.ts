import { parseMediaType } from './media-type';

/** Charsets that text is read in (RFC 9110 §8.3.2; names as IANA has them). */
const CHARSETS: Readonly<Record<string, 'utf-8' | 'latin1'>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  // Every ASCII text is UTF-8.
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'iso-8859-1': 'latin1',
  latin1: 'latin1',
};

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Is text of this media type one that can be read? */
export function hasReadableCharset(mediaType: string): boolean {
  return Object.hasOwn(CHARSETS, charsetOf(mediaType));
}

/** @returns `undefined` when the bytes are no text of the charset that the media type names, UTF-8 if it names none */
export function decodeBodyText(body: Uint8Array, mediaType: string): string | undefined {
  const charset = charsetOf(mediaType);
  if (Object.hasOwn(CHARSETS, charset) && CHARSETS[charset] === 'latin1') return octetText(body);
  try {
    return UTF8.decode(body);
  } catch {
    return undefined;
  }
}

/**
 * Bytes as a value: a text with one character for each, U+0000 to U+00FF ("isomorphic decode", Infra Standard §4.4).
 * Its length is their number, as `maxLength` counts them, and nothing is lost.
 */
export function octetText(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
}

function charsetOf(mediaType: string): string {
  return parseMediaType(mediaType)?.parameters.get('charset')?.toLowerCase() ?? 'utf-8';
}

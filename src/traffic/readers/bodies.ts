import { quotable } from '../../runner/steps/step-body';
import { decodeBodyText } from '../../core/http/body-text';
import { parseMediaType } from '../../core/http/media-type';
import type { RecordedBody } from '../exchange/recorded-exchange';

/** A larger body is not kept. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

const TOO_LARGE = `it has more than ${MAX_BODY_BYTES} bytes`;

/** @returns `undefined` for an empty text, which is no body */
export function textBody(text: string): RecordedBody | undefined {
  if (text === '') return undefined;
  // No character has less than one byte, nor more than three.
  const isLarge =
    text.length > MAX_BODY_BYTES || (text.length * 3 > MAX_BODY_BYTES && Buffer.byteLength(text) > MAX_BODY_BYTES);
  return isLarge ? omittedBody(TOO_LARGE, Buffer.byteLength(text)) : { kind: 'text', text };
}

/** A body whose bytes are known: text where they are one, whatever type it is said to have. */
export function bytesBody(bytes: Uint8Array, contentType: string): RecordedBody | undefined {
  if (bytes.byteLength === 0) return undefined;
  if (bytes.byteLength > MAX_BODY_BYTES) return omittedBody(TOO_LARGE, bytes.byteLength);
  const text = decodeBodyText(bytes, contentType);
  // NUL is in no text that anybody writes, and in most other files.
  if (text !== undefined && !text.includes('\0')) return { kind: 'text', text };
  return { kind: 'bytes', base64: Buffer.from(bytes).toString('base64') };
}

/** @param bytes - how many it had; `undefined` where unknown */
export function omittedBody(reason: string, bytes: number | undefined): RecordedBody {
  return { kind: 'omitted', reason, bytes };
}

/** What belongs to a page and never to an API, as browsers name what they load. */
const PAGE_ASSETS: Readonly<Record<string, string>> = {
  image: 'an image',
  font: 'a font',
  audio: 'a sound',
  video: 'a film',
  media: 'a film or sound',
  stylesheet: 'a style sheet',
  script: 'a script',
};

/**
 * What a response is whose body says nothing of an API, in words: `an image`.
 *
 * @param resourceType - what a browser asked for it as
 */
export function pageAsset(contentType: string, resourceType: string | undefined): string | undefined {
  const { type = '', subtype = '' } = parseMediaType(contentType) ?? {};
  if (type === 'text' && subtype === 'css') return PAGE_ASSETS['stylesheet'];
  if (/^(?:x-)?(?:java|ecma)script$|^wasm$/.test(subtype)) return PAGE_ASSETS['script'];
  const kind = type === '' ? (resourceType ?? '') : type;
  return Object.hasOwn(PAGE_ASSETS, kind) ? PAGE_ASSETS[kind] : undefined;
}

/** A field of a form; `bytes` are those of a file, `undefined` where it is not there. */
export interface FormPart {
  readonly name: string;
  readonly value: string | { readonly fileName: string; readonly bytes: Uint8Array | undefined };
  /** Media type; left out: `text/plain` is not written, and a file is `application/octet-stream`. */
  readonly contentType?: string | undefined;
}

/** Writes `application/x-www-form-urlencoded` (URL Standard §5.2). */
export function urlEncodedForm(fields: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString();
}

/** The boundary where none is known: forms of other tools say theirs in the `Content-Type`. */
export const BOUNDARY = '----standin-form-boundary';

/** Writes `multipart/form-data` (RFC 7578 §4). */
export function multipartForm(parts: readonly FormPart[], boundary: string): Uint8Array {
  const pieces = parts.flatMap(({ name, value, contentType }) => {
    const isFile = typeof value !== 'string';
    const type = contentType ?? (isFile ? 'application/octet-stream' : undefined);
    const head = [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${quotable(name)}"${isFile ? `; filename="${quotable(value.fileName)}"` : ''}`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ];
    const content = isFile ? (value.bytes ?? new Uint8Array()) : Buffer.from(value);
    return [Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content, Buffer.from('\r\n')];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

/** The boundary that a `Content-Type` names. */
export function boundaryOf(contentType: string): string | undefined {
  return parseMediaType(contentType)?.parameters.get('boundary');
}

import { headerValue } from '../../core/http/headers';
import type { RawHeaders } from '../../core/http/message';
import type { JsonObject } from '../../core/json/json-value';
import { objectsAt, textAt } from './loose-values';

/** Where no header says what a body is, as of a message that came from a cache, the file still does. */
export function nameType(headers: string[], content: JsonObject): void {
  const named = typeOf(content, headers);
  if (named !== '' && headerValue(headers, 'content-type') === undefined) headers.push('Content-Type', named);
}

/** What Chrome and Firefox write for a message that names none. */
const NO_TYPES: ReadonlySet<string> = new Set(['', 'x-unknown', 'application/x-unknown-content-type']);

export function typeOf(content: JsonObject, headers: RawHeaders): string {
  const named = textAt(content, 'mimeType') ?? '';
  return NO_TYPES.has(named) ? (headerValue(headers, 'content-type') ?? '') : named;
}

/** Browsers that lost a body write it as empty; the header still says how long it was. */
export function lengthOf(headers: RawHeaders): number {
  const text = headerValue(headers, 'content-length') ?? '';
  return /^\d+$/.test(text) ? Number(text) : -1;
}

/** Sizes of -1 are not known. */
export function known(size: number): number | undefined {
  return size < 0 ? undefined : size;
}

/** Of these there is none (RFC 9112 §6.3), or one that nobody reads: what a redirect has browsers do not keep. */
export function lacksBody(method: string, status: number): boolean {
  const isNone = method === 'HEAD' || status < 200 || status === 204 || status === 205;
  return isNone || (status >= 300 && status < 400);
}

/** Names of pseudo header fields begin with a colon (RFC 9113 §8.3); browsers join lines of one name by line feeds. */
export function headersOf(message: JsonObject): RawHeaders {
  return objectsAt(message, 'headers').flatMap((header) => {
    const name = textAt(header, 'name') ?? '';
    if (name === '' || name.startsWith(':')) return [];
    const lines = (textAt(header, 'value') ?? '').split('\n').map((line) => line.trim());
    return lines.flatMap((line) => [name, line]);
  });
}

interface WrittenCookie {
  /** `name=value`. */
  readonly text: string;
  /** As in `Set-Cookie`, each with a semicolon before it (RFC 6265 §4.1). */
  readonly attributes: string;
}

export function cookiesOf(message: JsonObject): WrittenCookie[] {
  return objectsAt(message, 'cookies').flatMap((cookie) => {
    const name = textAt(cookie, 'name') ?? '';
    if (name === '') return [];
    const [path, domain] = [textAt(cookie, 'path') ?? '', textAt(cookie, 'domain') ?? ''];
    const attributes = [
      ...(path === '' ? [] : [`Path=${path}`]),
      ...(domain === '' ? [] : [`Domain=${domain}`]),
      ...(cookie['httpOnly'] === true ? ['HttpOnly'] : []),
      ...(cookie['secure'] === true ? ['Secure'] : []),
    ];
    const text = `${name}=${textAt(cookie, 'value') ?? ''}`;
    return [{ text, attributes: attributes.map((each) => `; ${each}`).join('') }];
  });
}

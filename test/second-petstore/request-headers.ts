import type { IncomingMessage } from 'node:http';
import { Failure } from './failure';

/** Node keeps the first of several fields and drops the others; here the number of them matters. */
export function valuesOf(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    if (request.rawHeaders[at]?.toLowerCase() === name) values.push(request.rawHeaders[at + 1] ?? '');
  }
  return values;
}

const REALM = 'Bearer realm="petstore"';

export function apiKeyOf(request: IncomingMessage, known: ReadonlySet<string>): string {
  const values = valuesOf(request, 'authorization');
  const refuse = (code: string, text: string, challenge = REALM): Failure =>
    new Failure(401, code, text, { 'WWW-Authenticate': challenge });
  if (values.length === 0) throw refuse('missing_api_key', 'Please send an API key.');
  const match = values.length === 1 ? /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(values[0] ?? '') : null;
  const key = match?.[1];
  if (key === undefined) throw refuse('malformed_authorization', 'One "Bearer" and one key, please.');
  if (!known.has(key)) throw refuse('invalid_api_key', 'Nobody knows this key.', `${REALM}, error="invalid_token"`);
  return key;
}

/** Splits at a separator that stands outside of quoted strings. */
function split(text: string, separator: ',' | ';'): string[] {
  const parts = separator === ',' ? /(?:"(?:[^"\\]|\\.)*"|[^",])+/g : /(?:"(?:[^"\\]|\\.)*"|[^";])+/g;
  return (text.match(parts) ?? []).map((part) => part.trim()).filter((part) => part !== '');
}

const unquoted = (text: string): string => (/^"(.*)"$/.exec(text)?.[1] ?? text).replace(/\\(.)/g, '$1');

/** The most precise range that matches JSON decides; refused only if that one has the weight 0 or none matches. */
export function needJsonAccepted(request: IncomingMessage): void {
  const ranges = split(valuesOf(request, 'accept').join(','), ',');
  if (ranges.length === 0) return;
  let best = { precision: -1, weight: 0 };
  for (const range of ranges) {
    const [type = '', ...parameters] = split(range, ';');
    const precision = ['*/*', 'application/*', 'application/json'].indexOf(type.toLowerCase());
    const weight = parameters.find((parameter) => /^q *=/i.test(parameter))?.split('=')[1];
    if (precision > best.precision) best = { precision, weight: weight === undefined ? 1 : Number(weight) };
  }
  if (best.precision < 0 || best.weight === 0) {
    throw new Failure(406, 'not_acceptable', 'There is nothing here but application/json.');
  }
}

export function needNoEncoding(request: IncomingMessage): void {
  const coding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (coding === 'identity') return;
  throw new Failure(415, 'unsupported_content_encoding', 'Bodies are read as they come.', {
    'Accept-Encoding': 'identity',
  });
}

export function needJsonContent(request: IncomingMessage): void {
  const [type = '', ...parameters] = split(request.headers['content-type'] ?? '', ';');
  const charset = parameters.find((parameter) => /^charset *=/i.test(parameter))?.split('=')[1] ?? 'utf-8';
  if (type.toLowerCase() === 'application/json' && /^utf-?8$/i.test(unquoted(charset.trim()))) return;
  throw new Failure(400, 'missing_content_type', 'A body has to be labelled application/json.');
}

export interface Preferences {
  readonly minimal: boolean;
  readonly strict: boolean;
}

export function preferencesOf(request: IncomingMessage): Preferences {
  const chosen = new Map<string, string>();
  for (const preference of split(valuesOf(request, 'prefer').join(','), ',')) {
    const [name = '', value = ''] = (split(preference, ';')[0] ?? '').split('=').map((part) => part.trim());
    // RFC 7240: of preferences with one name, the first counts.
    if (!chosen.has(name.toLowerCase())) chosen.set(name.toLowerCase(), unquoted(value).toLowerCase());
  }
  return { minimal: chosen.get('return') === 'minimal', strict: chosen.get('handling') === 'strict' };
}

/** Whether a list of entity tags has this one; a list with anything else in it matches nothing. */
export function tagMatches(list: string, tag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  const tags = /^[\s,]*(?:(?:W\/)?"[^"]*"[ \t]*(?:,[\s,]*|$))+$/.test(list) ? list.match(/(?:W\/)?"[^"]*"/g) : [];
  return (tags ?? []).some((one) => (comparison === 'weak' ? one.replace(/^W\//, '') : one) === tag);
}

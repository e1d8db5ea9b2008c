import type { RawHeaders } from '../../core/http/message';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { objectsAt, textAt } from './loose-values';
import type { PostmanVariables } from './postman-variables';

/** From the parts of a URL, which say what is switched off; of one that is a text alone, as it is. */
export function addressOf(url: JsonValue | undefined, variables: PostmanVariables): string {
  if (typeof url === 'string') return variables.fill(url.trim());
  if (!isJsonObject(url)) return '';
  const host = joined(url['host'], '.');
  if (host === '') return variables.fill((textAt(url, 'raw') ?? '').trim());
  const [protocol, port] = [textAt(url, 'protocol') ?? '', textAt(url, 'port') ?? ''];
  const scheme = protocol === '' ? '' : `${protocol.replace(/:?\/*$/, '')}://`;
  // The base may end in a slash, and hold a path of its own.
  const base = variables.fill(`${scheme}${host}${port === '' ? '' : `:${port}`}`).replace(/\/$/, '');
  const segments = pathOf(url, variables);
  const path = segments.length === 0 ? '' : `/${segments.join('/')}`;
  const query = queryOf(url, variables);
  return `${base}${path}${query === '' ? '' : `?${query}`}`;
}

/** Segments such as `:id` are variables of the path. */
function pathOf(url: JsonObject, variables: PostmanVariables): string[] {
  const named = new Map(objectsAt(url, 'variable').map((each) => [textAt(each, 'key') ?? textAt(each, 'id'), each]));
  return segmentsOf(url['path']).map((segment) => {
    const value = segment.startsWith(':') ? named.get(segment.slice(1))?.['value'] : undefined;
    const text = value === undefined || value === null || typeof value === 'object' ? '' : scalarText(value);
    return text === '' ? variables.fill(segment) : encoded(variables.fill(text));
  });
}

function queryOf(url: JsonObject, variables: PostmanVariables): string {
  const pairs = objectsAt(url, 'query').flatMap((each) => {
    const [key, value] = [textAt(each, 'key'), textAt(each, 'value')];
    if (each['disabled'] === true || (key === undefined && value === undefined)) return [];
    const name = encoded(variables.fill(key ?? ''));
    return [value === undefined ? name : `${name}=${encoded(variables.fill(value))}`];
  });
  return pairs.join('&');
}

/** What would end a value, or is no character of an address; what is encoded already stays so, as Postman leaves it. */
export function encoded(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0020"#&<>\\^`{|}\u007f-\u{10ffff}]/gu, (character) => encodeURIComponent(character));
}

function joined(parts: JsonValue | undefined, separator: string): string {
  if (typeof parts === 'string') return parts;
  return Array.isArray(parts) ? parts.filter((part) => typeof part === 'string').join(separator) : '';
}

/** Segments are texts, or objects of which one property is the text. */
function segmentsOf(path: JsonValue | undefined): string[] {
  if (typeof path === 'string') return path.replace(/^\//, '').split('/');
  if (!Array.isArray(path)) return [];
  return path.map((segment) =>
    typeof segment === 'string' ? segment : isJsonObject(segment) ? (textAt(segment, 'value') ?? '') : '',
  );
}

/** @returns also of a saved response: a list of objects, or one text with a line for each */
export function headersOf(message: JsonObject, variables: PostmanVariables): RawHeaders {
  const { header } = message;
  if (typeof header === 'string')
    return header.split(/\r?\n/).flatMap((line) => {
      const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
      return name === '' ? [] : [name.trim(), variables.fill(value.trim())];
    });
  return objectsAt(message, 'header').flatMap((each) => {
    const name = variables.fill(textAt(each, 'key') ?? '').trim();
    if (name === '' || each['disabled'] === true) return [];
    return [name, variables.fill(textAt(each, 'value') ?? '')];
  });
}

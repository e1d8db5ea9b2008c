import { addToList } from '../text/memoize';
import { parseCookies } from './header-fields';
import { queryPair } from './request-target';

/** What was sent by name: the texts as received, in their order. */
export type RawValues = ReadonlyMap<string, readonly string[]>;

const NO_VALUES: RawValues = new Map();

/** @returns the name of a parameter that cannot be decoded, in place of the texts */
export function rawQueryValues(query: string): RawValues | string {
  if (query === '') return NO_VALUES;
  const texts = new Map<string, string[]>();
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const { name, rawName, rawValue, value } = queryPair(piece);
    if (name === undefined || value === undefined) return name ?? rawName;
    addToList(texts, name, rawValue);
  }
  return texts;
}

/** @param header - value of `Cookie` */
export function rawCookieValues(header: string | readonly string[] | undefined): RawValues {
  if (header === undefined) return NO_VALUES;
  const texts = new Map<string, string[]>();
  for (const { name, value } of parseCookies(typeof header === 'string' ? header : header.join('; '))) {
    addToList(texts, name, value);
  }
  return texts;
}

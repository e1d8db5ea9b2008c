import { parseCookies } from '../../http/cookies';
import { queryPair } from '../../http/request-target';

/** What was sent by name: the texts as received, in their order. */
export type SentTexts = ReadonlyMap<string, readonly string[]>;

const NOTHING: SentTexts = new Map();

/** @returns the name of a parameter that cannot be decoded, in place of the texts */
export function textsOfQuery(query: string): SentTexts | string {
  if (query === '') return NOTHING;
  const texts = new Map<string, string[]>();
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const { name, rawName, rawValue, value } = queryPair(piece);
    if (name === undefined || value === undefined) return name ?? rawName;
    add(texts, name, rawValue);
  }
  return texts;
}

/** @param header - value of `Cookie` */
export function textsOfCookies(header: string | readonly string[] | undefined): SentTexts {
  if (header === undefined) return NOTHING;
  const texts = new Map<string, string[]>();
  for (const { name, value } of parseCookies(typeof header === 'string' ? header : header.join('; '))) {
    add(texts, name, value);
  }
  return texts;
}

function add(texts: Map<string, string[]>, name: string, text: string): void {
  const known = texts.get(name);
  if (known === undefined) texts.set(name, [text]);
  else known.push(text);
}

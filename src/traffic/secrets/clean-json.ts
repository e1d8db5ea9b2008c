import { decodeQueryComponent } from '../../core/http/request-target';
import { isJsonNumber, type JsonNumber } from '../../core/json/exact-number';
import { parsePointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { rewriteJson } from '../../core/json/rewrite-json';
import { scalarText } from '../../core/json/stringify-json';
import { type Cleaning, looksSecret, writeComponent } from './clean-value';
import { type ShapedSecret, shapedSecrets } from './secret-looks';
import { isMark } from './secret-names';
import { namedValue } from './value-names';

/** A text in a JSON document may be one itself, and so may one in that. */
const MOST_NESTED = 3;
const ZERO = 48;
const NINE = 57;

/**
 * A JSON text with marks in the place of its secrets: of what the description declares one, every text and number below
 * it; of what its name or the user calls so, the same; of all other texts what looks like one.
 *
 * @throws JsonSyntaxError for a text that is no JSON
 */
export function cleanJson(text: string, cleaning: Cleaning, level = 0): string {
  const named = secretsBySibling(text, cleaning);
  return rewriteJson(text, {
    name: (name) => cleanText(name, cleaning),
    scalar(value, path) {
      if (value === '') return value;
      const property = propertyName(path);
      const sibling = named.size === 0 ? undefined : named.get(path.join('\n'));
      const name = secretNameAt(path, property, cleaning) ?? sibling;
      const pointed = name ?? (cleaning.isPointed(path) ? property : undefined);
      if (pointed !== undefined && isSecretValue(pointed, value, cleaning)) return maskAt(pointed, value, cleaning);
      if (typeof value === 'string') return cleanInner(property, value, cleaning, level);
      return cleanNumber(property, value, cleaning);
    },
  });
}

function maskAt(name: string, value: string | JsonNumber, cleaning: Cleaning): string {
  return cleaning.mask(scalarText(value), { kind: 'property', name, encoding: 'plain' });
}

/** `tokens: 5` is a number of tokens. What a rejection says of a password, in words, is not the password. */
function isSecretValue(name: string, value: string | JsonNumber, { properties, isFailure }: Cleaning): boolean {
  if (isJsonNumber(value)) return properties.declared.has(name) || !/s$/i.test(name);
  return !(isFailure && /\s\S+\s/.test(value));
}

/** The name of a property that makes a secret of what stands there. */
function secretNameAt(path: readonly string[], property: string, { properties }: Cleaning): string | undefined {
  const { declared, has } = properties;
  const found = declared.size === 0 ? undefined : path.find((name) => declared.has(name));
  return found ?? (has(property) ? property : undefined);
}

/** The nearest name: elements of a list are called as the list is. */
function propertyName(path: readonly string[]): string {
  for (let index = path.length - 1; index >= 0; index--) {
    const segment = path[index] ?? '';
    if (!beginsWithDigit(segment) || !/^\d+$/.test(segment)) return segment;
  }
  return '';
}

function beginsWithDigit(text: string): boolean {
  const first = text.charCodeAt(0);
  return first >= ZERO && first <= NINE;
}

/** A number is a secret where its name says that it is a code. */
function cleanNumber(name: string, value: JsonNumber, cleaning: Cleaning): string | JsonNumber {
  const text = scalarText(value);
  const isCard = namedValue(name) !== 'identifier' && shapedSecrets(text).length > 0;
  return isCard || looksSecret(name, text, cleaning) ? maskAt(isCard ? 'card_number' : name, value, cleaning) : value;
}

/** A text of a message, decoded: it may be JSON or a form itself. */
export function cleanInner(name: string, value: string, cleaning: Cleaning, level = 0): string {
  if (level < MOST_NESTED && /^\s*[[{]/.test(value)) {
    try {
      return cleanJson(value, cleaning, level + 1);
    } catch {
      // Not JSON, but a text in brackets.
    }
  }
  if (level < MOST_NESTED && FORM.test(value)) {
    return cleanPairs(cleaning.redaction.target(`?${value}`).slice(1), cleaning, level + 1);
  }
  return cleanScalar(name, value, cleaning);
}

/** A form that is a text of something else: a name, then what begins with no second `=`. */
const FORM = /^[\w.[\]%-]{1,80}=(?!=)[^\s=]*(?:&[\w.[\]%-]{1,80}=[^\s=&]*)*$/;

/** What opens a session beside `grant_type` (RFC 6749 §4.1.3, RFC 7521 §4.1, RFC 8628 §3.4, RFC 8693 §2.1). */
const GRANTED = /^(?:code|device_code|code_verifier|assertion|subject_token|actor_token)$/;

export function isGranted(name: string): boolean {
  return GRANTED.test(name);
}

/** Pairs of a query or a form; what is masked by name already is left alone. */
export function cleanPairs(text: string, cleaning: Cleaning, level = 0): string {
  const isGrant = /(?:^|&)grant_type=/.test(text);
  return text
    .split('&')
    .map((pair) => cleanPair(pair, isGrant, cleaning, level))
    .join('&');
}

function cleanPair(pair: string, isGrant: boolean, cleaning: Cleaning, level: number): string {
  const end = pair.indexOf('=');
  const [name, value] = [pair.slice(0, end), pair.slice(end + 1)].map(decodeQueryComponent);
  if (end === -1 || name === undefined || value === undefined || value === '' || isMark(value)) return pair;
  const isSecret = isGrant && isGranted(name);
  const clean = isSecret ? cleaning.markFound(value, name) : cleanInner(lastName(name), value, cleaning, level);
  return clean === value ? pair : `${pair.slice(0, end)}=${writeComponent(clean)}`;
}

/** `token` of `user[token]`. */
function lastName(name: string): string {
  return name.split(/[[\].]/).findLast((part) => part !== '') ?? name;
}

/** A URL within a text, or all of it. */
const ADDRESS = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"'`\\]+/gi;

/**
 * A text without what is a secret wherever it stands, and without the secrets of the addresses in it.
 *
 * @param isId - does its place say that it is an id?
 */
export function cleanText(text: string, cleaning: Cleaning, isId = false): string {
  // An id may be as long as the number of a card, and have its check digit by chance.
  const shaped = shapedSecrets(text).filter(({ name }) => !(isId && name === 'card_number' && /^\d+$/.test(text)));
  const clean = shaped.length === 0 ? text : withMarks(text, shaped, cleaning);
  if (!clean.includes('://')) return clean;
  return clean.replace(ADDRESS, (address) => cleanQueries(cleaning.redaction.target(address), cleaning));
}

function withMarks(text: string, shaped: readonly ShapedSecret[], cleaning: Cleaning): string {
  let clean = '';
  let done = 0;
  for (const { start, end, name } of shaped.toSorted((left, right) => left.start - right.start)) {
    if (start < done) continue;
    clean += text.slice(done, start) + cleaning.markFound(text.slice(start, end), name);
    done = end;
  }
  return clean + text.slice(done);
}

/** A scalar of a message, decoded, at a place for no secret. */
export function cleanScalar(name: string, text: string, cleaning: Cleaning): string {
  const isId = namedValue(name) === 'identifier';
  return looksSecret(name, text, cleaning) ? cleaning.markFound(text, name) : cleanText(text, cleaning, isId);
}

/** Addresses with clean queries and fragments. */
export function cleanQueries(addresses: string, cleaning: Cleaning): string {
  return addresses.replace(/(?<=[?#])[^?#\s<>"]+/g, (pairs) => cleanPairs(pairs, cleaning));
}

/**
 * Values whose names stand beside them: `{"op":"replace","path":"/password","value":"…"}` (RFC 6902 §4),
 * `{"name":"API_TOKEN","value":"…"}`.
 *
 * @returns names of secrets, by the ways to their values
 */
function secretsBySibling(text: string, { properties }: Cleaning): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!/"value"|"grant_type"/i.test(text)) return found;
  const visit = (value: JsonValue, path: readonly string[]): void => {
    if (Array.isArray(value))
      value.forEach((item, index) => {
        visit(item, [...path, String(index)]);
      });
    if (!isJsonObject(value)) return;
    const name = siblingName(value, properties.has);
    for (const [property, inner] of Object.entries(value)) {
      const way = [...path, property];
      if (name !== undefined && /^value$/i.test(property)) found.set(way.join('\n'), name);
      if (isGranted(property) && Object.hasOwn(value, 'grant_type')) found.set(way.join('\n'), property);
      visit(inner, way);
    }
  };
  try {
    visit(parseJson(text), []);
  } catch {
    // A name that stands there twice: what is before it is cleaned by its own name all the same.
  }
  return found;
}

function siblingName(value: Readonly<Record<string, JsonValue>>, isSecret: (name: string) => boolean) {
  for (const [property, told] of Object.entries(value)) {
    if (typeof told !== 'string') continue;
    if (/^(?:name|key|field|header|variable|attribute)$/i.test(property) && isSecret(told)) return told;
    const segments = property === 'path' && told.startsWith('/') ? pointerSegments(told) : [];
    const secret = segments.find(isSecret);
    if (secret !== undefined) return secret;
  }
  return undefined;
}

function pointerSegments(pointer: string): string[] {
  try {
    return parsePointer(pointer);
  } catch {
    return [];
  }
}

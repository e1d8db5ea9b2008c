import { isJsonNumber, type JsonNumber } from '../../core/json/exact-number';
import { parsePointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { rewriteJson } from '../../core/json/rewrite-json';
import { scalarText } from '../../core/json/stringify-json';
import { type Cleaning, cleanScalar, looksSecret } from './clean-value';

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
  return looksSecret(name, scalarText(value), cleaning) ? maskAt(name, value, cleaning) : value;
}

function cleanInner(name: string, value: string, cleaning: Cleaning, level: number): string {
  if (level < MOST_NESTED && /^\s*[[{]/.test(value)) {
    try {
      return cleanJson(value, cleaning, level + 1);
    } catch {
      // Not JSON, but a text in brackets.
    }
  }
  return cleanScalar(name, value, cleaning);
}

/**
 * Values whose names stand beside them: `{"op":"replace","path":"/password","value":"…"}` (RFC 6902 §4),
 * `{"name":"API_TOKEN","value":"…"}`.
 *
 * @returns names of secrets, by the ways to their values
 */
function secretsBySibling(text: string, { properties }: Cleaning): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!/"value"/i.test(text)) return found;
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

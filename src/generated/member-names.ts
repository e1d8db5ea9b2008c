import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import { parsePointer } from '../core/json/json-pointer';
import { wordsOf } from '../core/text/inflection';
import type { SchemaNode } from '../payload/sampler/schema-node';

/** Deeper properties no message names alone. */
const MOST_LEVELS = 3;
const MOST_NAMES = 400;

/** The properties that a body may have, by the ways in which messages write their names. */
export class MemberNames {
  private readonly paths = new Map<string, readonly string[]>();
  private readonly root: readonly string[];

  /** @param root - properties that lead to the item in the body */
  constructor(node: SchemaNode, root: readonly string[] = []) {
    this.root = root;
    this.gather(node, []);
  }

  private gather(node: SchemaNode, path: readonly string[]): void {
    const level: [SchemaNode, readonly string[]][] = [];
    for (const { name, node: inner } of node.properties) {
      if (this.paths.size >= MOST_NAMES) return;
      const here = [...path, name];
      for (const form of [folded(name), folded(here.slice(this.rootOf(here)).join('.'))])
        if (!this.paths.has(form)) this.paths.set(form, here);
      level.push([inner.types.includes('array') ? inner.itemNode(0) : inner, here]);
    }
    if (path.length + 1 < MOST_LEVELS) for (const [inner, here] of level) this.gather(inner, here);
  }

  /** How many properties at the begin of a path lead to the item. */
  private rootOf(path: readonly string[]): number {
    return this.root.every((name, index) => path[index] === name) ? this.root.length : 0;
  }

  /** By a name as a message writes it: in other letters, with other joints, or as a path. */
  find(name: string): readonly string[] | undefined {
    const located = locatedPath(name);
    return located === undefined ? undefined : this.resolve(located, false);
  }

  /**
   * @param located - a path as a response writes it
   * @param isSure - does it name a property even where the description has none of that name?
   */
  resolve(located: readonly string[], isSure: boolean): readonly string[] | undefined {
    const [first = ''] = located;
    const beyond = located.length > 1 && AROUND.test(first) ? located.slice(1) : located;
    const own = beyond.filter((name) => !/^\d+$/.test(name));
    for (let begin = 0; begin < own.length; begin++) {
      const known = this.paths.get(folded(own.slice(begin).join('.')));
      if (known !== undefined) return known;
    }
    const [last] = own;
    const isPlain = own.length === 1 && last !== undefined && /^[A-Za-z_][\w-]*$/.test(last);
    return isSure && isPlain && !ELSEWHERE.test(first) ? [...this.root, last] : undefined;
  }

  /** Names that the description does not know, as properties of the item. */
  below(names: readonly string[]): (readonly string[])[] {
    return names.map((name) => [...this.root, name]);
  }

  /** The properties that a sentence names, in its order. */
  allIn(text: string): (readonly string[])[] {
    const words = text.split(/[^\w.-]+/).map((word) => word.replace(/^[.-]+|[.-]+$/g, ''));
    const found = new Map<string, readonly string[]>();
    for (let at = 0; at < words.length; at++) {
      for (const count of [3, 2, 1]) {
        const path = this.paths.get(folded(words.slice(at, at + count).join(' ')));
        if (path === undefined) continue;
        found.set(path.join('.'), path);
        at += count - 1;
        break;
      }
    }
    return [...found.values()];
  }

  /** The property whose value, as it was sent, a sentence repeats. */
  sentAs(text: string, sent: JsonObject): readonly string[] | undefined {
    const values = textsIn(sent, []).filter(
      ({ value }) => QUOTES.some((quote) => text.includes(`${quote}${value}`)) || isWordOf(text, value),
    );
    return values.toSorted((one, other) => other.value.length - one.value.length)[0]?.path;
  }
}

const QUOTES = ["'", '"', '`', '“', '‘', '«'];

function isWordOf(text: string, value: string): boolean {
  const at = value.length < 3 ? -1 : text.indexOf(value);
  return at >= 0 && !/\w/.test(text[at - 1] ?? ' ') && !/\w/.test(text[at + value.length] ?? ' ');
}

/** Texts of a body and where they stand, without the places in lists. */
function textsIn(value: JsonValue, path: readonly string[]): { value: string; path: readonly string[] }[] {
  if (typeof value === 'string') return value === '' ? [] : [{ value, path }];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, path));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]));
}

/** What frameworks write before the path in the body, and what names another part of the request. */
const AROUND = /^(?:\$?|body|request|requestBody|payload|data|json|input|attributes)$/i;
const ELSEWHERE = /^(?:query|path|header|headers|cookie|params)$/i;

/** `/a/b`, `#/a/b`, `$.a.b`, `a.b[0]`, or a list of names; `undefined` for what is no path. */
export function locatedPath(value: JsonValue): string[] | undefined {
  if (Array.isArray(value)) {
    const names = value.filter((name) => typeof name === 'string' || typeof name === 'number').map(String);
    return names.length === value.length && names.length > 0 ? names : undefined;
  }
  if (typeof value !== 'string' || value === '' || value.length > 200 || /\s/.test(value)) return undefined;
  if (/^#?\//.test(value)) return parsePointer(value.replace(/^#/, ''));
  const names = value.split(/[.[\]]+/).filter((name) => name !== '');
  return names.length === 0 ? undefined : names;
}

/** The same for all ways of writing a name: `firstName`, `first_name`, `First name`. */
function folded(name: string): string {
  return name
    .split('.')
    .map((part) => wordsOf(part).join('').toLowerCase())
    .join('.');
}

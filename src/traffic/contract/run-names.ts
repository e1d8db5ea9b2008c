import { isJsonObject, type JsonObject, type JsonValue, withValueAlong } from '../../core/json/json-value';
import type { Schema } from '../../openapi/model/operation';
import { SECRET_MARK } from '../exchange/recorded-exchange';

/** Properties that mostly have to differ from item to item, and that people read. */
const NAMES = /^(?:name|title|label|slug|username|login|displayName|display_name)$/;
/** What people say of things that have no name: by it a run knows its own, where no response tells that it made one. */
const REMARKS = /^(?:description|comment|comments|summary|note|notes|remark|remarks|reason|subject)$/i;
const RUN_ID = '1a2b3c4d';
/** So much of a name stays before the id of the run. */
const STEM = 24;

/** A property of a new item that gets the id of the run, so that it is free at every service. */
export interface RunName {
  readonly property: string;
  /** With the placeholder. */
  readonly text: string;
  readonly recorded: string;
}

/**
 * The property by which people tell such items apart, as far as the schema lets the id of the run stand in it.
 *
 * @param path - properties that lead to the item in the body
 * @param around - the rest of the body, where the schema needs it
 */
export function nameByRun(
  schema: Schema | undefined,
  path: readonly string[],
  item: JsonObject,
  around: JsonObject = {},
): RunName | undefined {
  const property =
    Object.keys(item).find((name) => NAMES.test(name) && typeof item[name] === 'string') ??
    Object.keys(item).find((name) => REMARKS.test(name) && isProse(item[name]));
  const recorded = property === undefined ? undefined : item[property];
  if (property === undefined || typeof recorded !== 'string' || recorded === '') return undefined;
  if (recorded.match(SECRET_MARK) !== null) return undefined;
  const way = waysToName(recorded).find(([before, after]) => {
    const named = { ...item, [property]: `${before}${RUN_ID}${after}` };
    return schema?.accepts(withValueAlong(around, path, named), 'request') !== false;
  });
  if (way === undefined) return undefined;
  const [before, after] = way.map(escaped);
  return { property, text: `${before ?? ''}\${runId}${after ?? ''}`, recorded };
}

/** No response gives the key of one of many, so that its name alone tells it apart: `labels: { alertname }` is one as well. */
export function nameOfOneOfMany(item: JsonObject): RunName | undefined {
  const own = nameByRun(undefined, [], item);
  if (own !== undefined) return own;
  for (const inner of Object.values(item).filter(isJsonObject)) {
    const property = Object.keys(inner).find((name) => /^\w*name$/i.test(name));
    if (property === undefined) continue;
    const named = nameByRun(undefined, [], { name: inner[property] ?? null });
    if (named !== undefined) return named;
  }
  return undefined;
}

/** A name of a host, of a file or of a mailbox: what is behind the first dot, or the `@`, has to stay there. */
const PARTED = /^([\w-]+)(\.[\w.-]+|(?:[.+][\w.+-]+)?@[\w.-]+)$/;

/** What may stand before the id of the run and behind it. */
type NameParts = readonly [before: string, after: string];

/** The likeliest first: a word in small letters is mostly one that has no room for spaces. */
function waysToName(recorded: string): NameParts[] {
  const [, first, rest] = PARTED.exec(recorded) ?? [];
  const stem = stemOf(recorded).trimEnd();
  const joints = /^[a-z][\w-]*$/.test(recorded) ? ['-', ' ', ''] : [' ', '-', ''];
  return [
    ...(first === undefined || rest === undefined ? [] : [[`${stemOf(first)}-`, rest] as const]),
    // A dollar right before a placeholder would escape it.
    ...joints.map((joint) => [joint === '' ? stem.replace(/\$+$/, '') : `${stem}${joint}`, ''] as const),
  ];
}

/** No character is cut in two. */
function stemOf(recorded: string): string {
  return recorded.slice(0, STEM).replace(/[\ud800-\udbff]$/, '');
}

/** `$` before a brace would begin a placeholder. */
export function escaped(text: string): string {
  return text.replaceAll('${', () => '$${');
}

/** Puts names of a run in the place of those with dots that stand in another text: `www.shop.example` has `shop.example`. */
export function renameWithin(text: string, runNames: ReadonlyMap<string, string>): string {
  let renamed = text;
  for (const [recorded, name] of runNames) {
    if (!recorded.includes('.') || !PARTED.test(recorded) || !renamed.includes(recorded)) continue;
    const pattern = recorded.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    renamed = renamed.replace(new RegExp(`(?<![\\w-])${pattern}(?![\\w-]|\\.\\w)`, 'g'), () => name);
  }
  return renamed;
}

/** Several words are no value that something else may have as well. */
function isProse(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && /\S\s+\S/.test(value);
}

/** A value in which nothing is read as a placeholder. */
export function literal(value: JsonValue): JsonValue {
  if (typeof value === 'string') return escaped(value);
  if (Array.isArray(value)) return value.map(literal);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, literal(property)]));
}

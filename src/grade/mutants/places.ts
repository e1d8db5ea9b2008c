import { compareNumbers, isJsonNumber } from '../../core/json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import type { FlatSchema } from '../../payload/sampler/flat-schema';
import { acceptsScalar } from '../../payload/sampler/scalar-check';
import type { SchemaNode } from '../../payload/sampler/schema-node';

/** A place in the values of a schema: names of properties, and `*` for each item of a list. */
export interface Place {
  readonly path: readonly string[];
  readonly node: SchemaNode;
  readonly isRequired: boolean;
}

/** Deeper than that, values are of other resources. */
const MOST_LEVELS = 4;

/** Every property of the values of a schema, outermost first. */
export function placesOf(node: SchemaNode, path: readonly string[] = []): Place[] {
  if (path.length >= MOST_LEVELS) return [];
  const { items } = node.flat;
  const inner = items.length === 0 ? [] : placesOf(node.graph.node(items), [...path, '*']);
  const own = node.properties.map(({ name, node: at, isRequired }): Place => ({
    path: [...path, name],
    node: at,
    isRequired,
  }));
  return [...own, ...own.flatMap((place) => placesOf(place.node, place.path)), ...inner];
}

/** As a pointer for people. */
export function textOf(path: readonly string[]): string {
  return path.map((name) => `/${name}`).join('');
}

/** A value with what stands at a place changed; `undefined` takes it away. What has no such place stays the same value. */
export function editAt(
  value: JsonValue,
  path: readonly string[],
  edit: (value: JsonValue) => JsonValue | undefined,
): JsonValue {
  const [name, ...inner] = path;
  if (name === undefined) return edit(value) ?? null;
  if (Array.isArray(value)) {
    if (name !== '*') return value;
    const items = value.map((item) => editAt(item, inner, edit));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const own = isJsonObject(value) ? ownProperty(value, name) : undefined;
  if (!isJsonObject(value) || own === undefined) return value;
  const changed = inner.length === 0 ? edit(own) : editAt(own, inner, edit);
  return changed === own ? value : withProperty(value, name, changed);
}

/** An object with another value of a property, at the same place; `undefined` takes it away. */
export function withProperty(value: JsonObject, name: string, changed: JsonValue | undefined): JsonObject {
  const copy: Record<string, JsonValue> = {};
  for (const [each, content] of Object.entries(value)) {
    const kept = each === name ? changed : content;
    if (kept !== undefined) setProperty(copy, each, kept);
  }
  return copy;
}

/** Another value that the schema allows as well; `undefined` where none is found. */
export function otherValue({ flat }: Pick<SchemaNode, 'flat'>, value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.length > flat.minItems ? value.slice(0, -1) : undefined;
  return others(flat, value).find((each) => acceptsScalar(flat, each));
}

const DAY_MS = 86_400_000;

function others(flat: FlatSchema, value: JsonValue): JsonValue[] {
  if (flat.values !== undefined) return flat.values.filter((each) => each !== value && each !== null);
  if (typeof value === 'boolean') return [!value];
  if (isJsonNumber(value)) return [...(compareNumbers(value, 0) > 0 && value !== 1 ? [1] : []), 2, 3, 0];
  if (typeof value !== 'string') return [];
  const time = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  const moved = Number.isNaN(time) ? [] : [new Date(time - DAY_MS).toISOString()];
  const rolled = value.replace(/[0-9a-z](?=[^0-9a-z]*$)/i, (last) => (last === '1' ? '2' : '1'));
  const all = [
    ...moved,
    ...moved.map((text) => text.slice(0, 10)),
    `${value}!`,
    rolled,
    `${value}0`,
    value.slice(0, -1),
  ];
  return all.filter((text) => text !== value);
}

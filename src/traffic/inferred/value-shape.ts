import { ExactNumber, isInteger, isJsonNumber, type JsonNumber, toLexeme } from '../../core/json/exact-number';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { getOrCreate } from '../../core/text/memoize';
import { formatTest } from '../../schema/formats';
import { holdsSecretMark } from './observation';

/** What values at one place had in common; grows with each value. */
export interface Shape {
  /** How many values were seen. */
  count: number;
  nulls: number;
  booleans: number;
  integers: number;
  /** Those that are written with a fraction or an exponent. */
  fractions: number;
  readonly texts: TextShape;
  arrays: number;
  /** Of all items of all arrays. */
  items: Shape | undefined;
  objects: number;
  /** In the order in which they were seen first; a property is always there where its `count` is that of `objects`. */
  readonly properties: Map<string, Shape>;
}

interface TextShape {
  count: number;
  /** Those in which the mark of a secret stands; their format is unknown. */
  secrets: number;
  /** Formats that all other texts have; `undefined` where there was none. */
  formats: readonly string[] | undefined;
}

export function emptyShape(): Shape {
  return {
    count: 0,
    nulls: 0,
    booleans: 0,
    integers: 0,
    fractions: 0,
    texts: { count: 0, secrets: 0, formats: undefined },
    arrays: 0,
    items: undefined,
    objects: 0,
    properties: new Map(),
  };
}

export function shapeOfValues(values: Iterable<JsonValue>): Shape {
  const shape = emptyShape();
  for (const value of values) addValue(shape, value);
  return shape;
}

function addValue(shape: Shape, value: JsonValue): void {
  shape.count += 1;
  if (value === null) shape.nulls += 1;
  else if (typeof value === 'boolean') shape.booleans += 1;
  else if (typeof value === 'string') addText(shape.texts, value);
  else if (isJsonNumber(value)) {
    if (isWrittenWhole(value)) shape.integers += 1;
    else shape.fractions += 1;
  } else if (Array.isArray(value)) {
    shape.arrays += 1;
    const items = (shape.items ??= emptyShape());
    for (const item of value) addValue(items, item);
  } else if (isJsonObject(value)) {
    shape.objects += 1;
    for (const [name, held] of Object.entries(value)) addValue(getOrCreate(shape.properties, name, emptyShape), held);
  }
}

/** `2.0` is an integer by its value (JSON Schema 2020-12 §6.1.1), and says that there may be fractions. */
function isWrittenWhole(value: JsonNumber): boolean {
  return isInteger(value) && !(value instanceof ExactNumber && /[.eE]/.test(toLexeme(value)));
}

/** Formats that say something, each looked for in the texts that may have it. */
const FORMATS: readonly (readonly [string, RegExp])[] = [
  ['uuid', /^[0-9a-f]{8}-/i],
  ['date-time', /^\d{4}-\d\d-\d\d[Tt]/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['email', /@/],
  ['uri', /^[a-z][a-z0-9+.-]*:\/\//i],
  ['ipv4', /^\d+\.\d+\.\d+\.\d+$/],
];

/** The formats that a text has. */
export function formatsOf(text: string): readonly string[] {
  return FORMATS.flatMap(([name, sign]) => (sign.test(text) && formatTest(name)(text) ? [name] : []));
}

function addText(texts: TextShape, text: string): void {
  texts.count += 1;
  if (holdsSecretMark(text)) texts.secrets += 1;
  else texts.formats = commonFormats(texts.formats, formatsOf(text));
}

function commonFormats(left: readonly string[] | undefined, right: readonly string[] | undefined): typeof left {
  if (left === undefined || right === undefined) return left ?? right;
  return left.filter((name) => right.includes(name));
}

/** What the values of several places have in common; none of them is changed. */
export function mergedShape(shapes: readonly Shape[]): Shape {
  const merged = emptyShape();
  for (const shape of shapes) addShape(merged, shape);
  return merged;
}

function addShape(into: Shape, from: Shape): void {
  for (const kind of ['count', 'nulls', 'booleans', 'integers', 'fractions', 'arrays', 'objects'] as const)
    into[kind] += from[kind];
  into.texts.count += from.texts.count;
  into.texts.secrets += from.texts.secrets;
  into.texts.formats = commonFormats(into.texts.formats, from.texts.formats);
  if (from.items !== undefined) addShape((into.items ??= emptyShape()), from.items);
  for (const [name, held] of from.properties) addShape(getOrCreate(into.properties, name, emptyShape), held);
}

/** Were all values objects, or nothing? */
export function isObjectShape(shape: Shape): boolean {
  return shape.objects > 0 && shape.objects + shape.nulls === shape.count && shape.properties.size > 0;
}

/** Was every value that is no null an array of objects? */
export function isListOfObjects(shape: Shape): boolean {
  return shape.arrays > 0 && shape.arrays + shape.nulls === shape.count && shape.items !== undefined
    ? isObjectShape(shape.items)
    : false;
}

/** How much two objects have in common: shared properties by all, 0 to 1. */
export function likeness(left: Shape, right: Shape): number {
  const shared = sharedProperties(left, right);
  return shared === 0 ? 0 : shared / (left.properties.size + right.properties.size - shared);
}

/** How much of the smaller one is in the other, 0 to 1. */
export function overlap(left: Shape, right: Shape): number {
  return sharedProperties(left, right) / Math.max(1, Math.min(left.properties.size, right.properties.size));
}

function sharedProperties(left: Shape, right: Shape): number {
  return [...left.properties.keys()].filter((name) => right.properties.has(name)).length;
}

import { isJsonObject, type JsonObject, type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Property, Schema } from '../../openapi/model/operation';
import { readScalar } from '../../openapi/parameters/text-shape';
import { viewOf } from '../../openapi/view/schema-view';
import { branchSchemas, schemaOfItems } from '../../openapi/view/schema-shape';
import { samplerOf } from '../../payload/sampler/sampler';

/**
 * Makes a value up that a schema accepts in a response, or would but for a `oneOf` whose schemas the description does not
 * distinguish; `undefined` when there is none. The same one every time.
 *
 * @param ordinal - another value for each number, from 0
 * @param name - of the property that it is for, by which it is made plausible
 */
export type SampleSchema = (schema: Schema, ordinal?: number, name?: string) => JsonValue | undefined;

/** Values for what must be there and nobody has said, the same ones for the same seed. */
export function sampleWith(api: ApiModel, seed: string): SampleSchema {
  return (schema, ordinal, name) => {
    const sample = samplerOf(api).sample(schema, { seed, direction: 'response', rich: false, ordinal, name });
    return sample.kind === 'made' ? sample.value : sample.ambiguous;
  };
}

const MAX_DEPTH = 20;

/** A value for a property that must be there and is not: its default, its example, else a sample. */
export function missingProperty(
  api: ApiModel,
  sample: SampleSchema,
  { name, required, writeOnly, schema, pointer }: Property,
): JsonValue | undefined {
  if (!required || writeOnly) return undefined;
  const place = api.schemaAt(pointer);
  const choices = [schema['default'], schema['example']].filter((choice) => choice !== undefined);
  if (place === undefined) return choices[0];
  return choices.find((choice) => place.accepts(choice, 'response')) ?? sample(place, undefined, name);
}

/**
 * Fills in what the parts of a value lack. A schema for reading often requires more of them than one for writing lets a
 * client send: the id of a role, the property that an assignment is of. What was sent stays as it is.
 */
export function fillMissingParts(
  api: ApiModel,
  sample: SampleSchema,
  schema: Schema,
  value: JsonValue,
  depth = 0,
): JsonValue {
  if (depth > MAX_DEPTH || typeof value !== 'object' || schema.accepts(value, 'response')) return value;
  const fill = (place: Schema | undefined, part: JsonValue, make = sample): JsonValue =>
    place === undefined ? part : fillMissingParts(api, make, place, part, depth + 1);
  if (Array.isArray(value)) {
    const items = viewOf(api).items(schema);
    return value.map((item: JsonValue, index) => fill(items, item, index === 0 ? sample : withOwnIds(sample, index)));
  }
  if (!isJsonObject(value)) return value;
  const filled = fillProperties(api, sample, schema, value, fill);
  if (schema.accepts(filled, 'response')) return filled;
  // One of several kinds: the first that it becomes valid as.
  const whole = branchSchemas(api, viewOf(api).unwrap(schema) ?? schema)
    .map((branch) => fill(branch, filled))
    .find((candidate) => schema.accepts(candidate, 'response'));
  return whole ?? filled;
}

/** The rows of a list have an id each. */
function withOwnIds(sample: SampleSchema, index: number): SampleSchema {
  return (schema, ordinal, name) => sample(schema, /^(?:id|uuid|guid)$/i.test(name ?? '') ? index : ordinal, name);
}

function fillProperties(
  api: ApiModel,
  sample: SampleSchema,
  schema: Schema,
  value: JsonObject,
  fill: (place: Schema | undefined, part: JsonValue) => JsonValue,
): JsonObject {
  const filled: Record<string, JsonValue> = { ...value };
  // Behind a wrapper of one branch, its properties.
  const direct = api.propertiesOf(schema);
  const unwrapped = direct.size > 0 ? undefined : viewOf(api).unwrap(schema);
  const properties = unwrapped === undefined ? direct : api.propertiesOf(unwrapped);
  for (const property of properties.values()) {
    const { name, pointer } = property;
    const member = ownProperty(value, name);
    const whole = member === undefined ? missingProperty(api, sample, property) : fill(api.schemaAt(pointer), member);
    if (whole !== undefined) setProperty(filled, name, whole);
  }
  return filled;
}

/** A value as its schema takes it: a number may have to be a text. `undefined` leaves the property out. */
export type Fit = (value: JsonValue | undefined) => JsonValue | undefined;

/** What stands for nothing where something must stand. */
const EMPTY: readonly JsonValue[] = [null, '', 0, false];

/** Fits what is reported of a list into the property that tells it; nothing is null, or no property, or empty. */
export function fitOf(api: ApiModel, property: Property, sample: SampleSchema): Fit {
  const place = api.schemaAt(property.pointer);
  const isGood = (value: JsonValue): boolean => place === undefined || place.accepts(value, 'response');
  let made: JsonValue | undefined;
  return (value) => {
    const good = value === undefined ? undefined : numericSpellings(value).find(isGood);
    if (good !== undefined) return good;
    if (!property.required) return place !== undefined && isGood(null) ? null : undefined;
    const [empty] = EMPTY.filter(isGood);
    return empty === undefined
      ? (made ??= place === undefined ? null : sample(place, undefined, property.name))
      : empty;
  };
}

/** A number that must be a text, or a text that must be a number. */
function numericSpellings(value: JsonValue): JsonValue[] {
  const text = scalarText(value);
  const number = Number(text);
  return Number.isFinite(number) ? [value, text, number] : [value, text];
}

const MAX_COERCION_DEPTH = 20;

/** Properties by which an object is named, the surest first. */
const NAMING = 'id _id pk gid sid uuid guid key code slug value login username name'.split(' ');

/**
 * A value in the form in which a schema for reading has it, where one for writing takes another: a text for a number and
 * the other way round, the key of an object for the object, `owner: 5` for `owner: { id: 5 }`. Required properties of such
 * an object are not filled in here. What stands alone is a list of one where lists are read. What has no such form stays as it is.
 *
 * @param key - property by which the object is known, where that is known
 */
export function coerceToSchema(api: ApiModel, schema: Schema, value: JsonValue, key?: string, depth = 0): JsonValue {
  if (value === null || depth > MAX_COERCION_DEPTH || schema.accepts(value, 'response')) return value;
  const inner = (place: Schema | undefined, part: JsonValue): JsonValue =>
    place === undefined ? part : coerceToSchema(api, place, part, key, depth + 1);
  const items = schemaOfItems(api, schema);
  if (Array.isArray(value)) return value.map((item) => inner(items, item));
  const alone = [inner(items, value)];
  if (items !== undefined && schema.accepts(alone, 'response')) return alone;
  if (isJsonObject(value)) return ofProperties(api, schema, value, inner);
  const plain = spellings(value).find((spelling) => schema.accepts(spelling, 'response'));
  return plain ?? objectNamed(api, schema, value, key) ?? value;
}

function ofProperties(
  api: ApiModel,
  schema: Schema,
  value: JsonObject,
  inner: (place: Schema | undefined, part: JsonValue) => JsonValue,
): JsonObject {
  const properties = api.propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => {
      const pointer = properties.get(name)?.pointer;
      return [name, pointer === undefined ? property : inner(api.schemaAt(pointer), property)];
    }),
  );
}

/** The object of a schema, or of the first of its branches, that is named by a value. */
function objectNamed(api: ApiModel, schema: Schema, value: JsonValue, key: string | undefined): JsonObject | undefined {
  if (typeof value === 'boolean') return undefined;
  const properties = api.propertiesOf(schema);
  for (const name of key === undefined ? NAMING : [key, ...NAMING]) {
    const property = properties.get(name);
    const place = property === undefined || property.writeOnly ? undefined : api.schemaAt(property.pointer);
    const fit = place && spellings(value).find((spelling) => place.accepts(spelling, 'response'));
    if (fit !== undefined) return { [name]: fit };
  }
  for (const branch of branchSchemas(api, schema)) {
    const found = objectNamed(api, branch, value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text as the number or the truth value that it spells, and the other way round. */
function spellings(value: JsonValue): JsonValue[] {
  const text = scalarText(value);
  return [value, text, readScalar(text, ['integer', 'number', 'boolean'])];
}

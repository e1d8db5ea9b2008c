import { memberOf, setMember } from '../json/member';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel, Property, Schema } from '../openapi/model';
import { readerOf } from '../resources/schema-reader';
import { choicesOf } from '../openapi/inner-schemas';
import type { SampleSchema } from './sample-schema';

const MAX_DEPTH = 20;

/** A value for a member that must be there and is not: its default, its example, else a sample. */
export function missingMember(
  api: ApiModel,
  sample: SampleSchema,
  { required, writeOnly, schema, pointer }: Property,
): JsonValue | undefined {
  if (!required || writeOnly) return undefined;
  const place = api.schemaAt(pointer);
  const choices = [schema['default'], schema['example']].filter((choice) => choice !== undefined);
  if (place === undefined) return choices[0];
  return choices.find((choice) => isValid(place, choice)) ?? sample(place);
}

/**
 * Fills in what the parts of a value lack. A schema for reading often requires more of them than one for writing lets a
 * client send: the id of a role, the member that an assignment is of. What was sent stays as it is.
 */
export function fillMissingParts(
  api: ApiModel,
  sample: SampleSchema,
  schema: Schema,
  value: JsonValue,
  depth = 0,
): JsonValue {
  if (depth > MAX_DEPTH || typeof value !== 'object' || isValid(schema, value)) return value;
  const fill = (place: Schema | undefined, part: JsonValue): JsonValue =>
    place === undefined ? part : fillMissingParts(api, sample, place, part, depth + 1);
  if (Array.isArray(value)) {
    const items = readerOf(api).items(schema);
    return value.map((item: JsonValue) => fill(items, item));
  }
  if (!isJsonObject(value)) return value;
  const filled = fillMembers(api, sample, schema, value, fill);
  if (isValid(schema, filled)) return filled;
  // One of several kinds: the first that it becomes valid as.
  const whole = choicesOf(api, readerOf(api).unwrap(schema) ?? schema)
    .map((branch) => fill(branch, filled))
    .find((candidate) => isValid(schema, candidate));
  return whole ?? filled;
}

function fillMembers(
  api: ApiModel,
  sample: SampleSchema,
  schema: Schema,
  value: JsonObject,
  fill: (place: Schema | undefined, part: JsonValue) => JsonValue,
): JsonObject {
  const filled: Record<string, JsonValue> = { ...value };
  // Behind a wrapper of one branch, its members.
  const direct = api.propertiesOf(schema);
  const unwrapped = direct.size > 0 ? undefined : readerOf(api).unwrap(schema);
  const properties = unwrapped === undefined ? direct : api.propertiesOf(unwrapped);
  for (const property of properties.values()) {
    const { name, pointer } = property;
    const member = memberOf(value, name);
    const whole = member === undefined ? missingMember(api, sample, property) : fill(api.schemaAt(pointer), member);
    if (whole !== undefined) setMember(filled, name, whole);
  }
  return filled;
}

function isValid(schema: Schema, value: JsonValue): boolean {
  return schema.validate('response')(value).length === 0;
}

import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { setMember } from '../json/member';
import type { ApiModel, Schema } from '../openapi/model';
import { readerOf } from '../resources/schema-reader';

const MAX_DEPTH = 20;

/**
 * A value that was sent, without what only requests have: members that its schema in requests declares and the one of
 * items does not, such as the number of a card. Where items list no members, or take any, all of it stays.
 *
 * @param sent - schema of the value in requests
 * @param kept - schema of the value in items
 */
export function withoutRequestOnly(
  api: ApiModel,
  sent: Schema | undefined,
  kept: Schema | undefined,
  value: JsonValue,
  depth = 0,
): JsonValue {
  const reader = readerOf(api);
  const [from, to] = [reader.unwrap(sent), reader.unwrap(kept)];
  if (from === undefined || to === undefined || from.pointer === to.pointer || depth > MAX_DEPTH) return value;
  const inner = (place: Schema | undefined, own: Schema | undefined, part: JsonValue): JsonValue =>
    withoutRequestOnly(api, place, own, part, depth + 1);
  if (Array.isArray(value)) {
    const [items, ownItems] = [reader.items(from), reader.items(to)];
    return value.map((item: JsonValue) => inner(items, ownItems, item));
  }
  return isJsonObject(value) ? membersKept(api, from, to, value, inner) : value;
}

function membersKept(
  api: ApiModel,
  from: Schema,
  to: Schema,
  value: JsonObject,
  inner: (place: Schema | undefined, own: Schema | undefined, part: JsonValue) => JsonValue,
): JsonObject {
  const reader = readerOf(api);
  const [written, held] = [reader.members(from), reader.members(to)];
  if (held.size === 0) return value;
  const rest: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(value)) {
    const [property, own] = [written.get(name), held.get(name)];
    if (property !== undefined && own === undefined && !takesAny(to)) continue;
    const isKnown = property !== undefined && own !== undefined;
    setMember(rest, name, isKnown ? inner(api.schemaAt(property.pointer), api.schemaAt(own.pointer), member) : member);
  }
  return rest;
}

/** Does it say outright that values may have other members? */
function takesAny({ value }: Schema): boolean {
  const { additionalProperties } = value;
  return additionalProperties === true || isJsonObject(additionalProperties);
}

import { equalJson, isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json/json-value';
import { stringifyJson } from '../../src/core/json/stringify-json';
import type { ResourceDescription } from '../../src/resources/model/resource';
import type { Binding } from '../../src/resources/model/binding';
import { dig } from './read-answer';

/** A key in a path is text, whatever it is in the body. */
export function sameKey(left: JsonValue | undefined, right: JsonValue): boolean {
  return left !== undefined && keyText(left) === keyText(right);
}

function keyText(key: JsonValue): string {
  return typeof key === 'string' ? key : stringifyJson(key);
}

/** What says when an item was changed follows the change, whatever was sent. */
const CHANGED_AT = /updated|modified|changed/i;

/** @returns the first member that was sent and is declared to be read, and reads otherwise */
export function differs(
  sent: JsonValue | undefined,
  item: JsonObject | undefined,
  { properties, key, scope }: ResourceDescription,
  { request }: Binding,
): string | undefined {
  const input = request === undefined ? undefined : dig(sent, request.path);
  if (!isJsonObject(input) || item === undefined) return undefined;
  const members = request?.layout === 'json-api' && isJsonObject(input['attributes']) ? input['attributes'] : input;
  // The path says what these are.
  const told = new Set([key.name, ...scope.flatMap(({ property, object }) => [property, object?.property])]);
  return Object.entries(members).find(([name, value]) => {
    const property = properties.get(name);
    if (property === undefined || property.readOnly || property.writeOnly || told.has(name)) return false;
    if (CHANGED_AT.test(name)) return false;
    return item[name] === undefined || !shows(item[name], value);
  })?.[0];
}

/** What a service adds to an object that was sent is its own business, and so is an object that shows a key. */
function shows(read: JsonValue, sent: JsonValue): boolean {
  if (equalJson(read, sent)) return true;
  if (Array.isArray(read) && Array.isArray(sent)) {
    return read.length === sent.length && sent.every((each, index) => shows(read[index]!, each));
  }
  if (!isJsonObject(read)) return false;
  if (!isJsonObject(sent)) return !Array.isArray(sent) && Object.values(read).some((member) => sameKey(member, sent));
  return Object.entries(sent).every(([name, value]) => read[name] !== undefined && shows(read[name], value));
}

import { bodyKind } from '../http/body-kind';
import { decodeQueryComponent } from '../http/request-target';
import { parsePointer } from '../json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { isJsonNumber } from '../json/exact-number';
import { setMember } from '../json/member';
import { parseJson } from '../json/parse-json';
import { scalarText } from '../json/scalar-text';
import { stringifyJson } from '../json/stringify-json';
import { redactText } from './redact-text';
import type { SecretMembers } from './secret-members';

/** What is shown in the place of a secret. */
export type Mask = (secret: string) => string;

/**
 * A body without its secrets; the very text where it has none. What cannot be read, such as one that was cut, is not
 * shown at all where it may hold a declared one.
 *
 * @param mediaType - its Content-Type
 */
export function redactBody(text: string, mediaType: string, members: SecretMembers, mask: Mask): string {
  switch (bodyKind(mediaType)) {
    case 'json':
      return redactJson(text, members, mask);
    case 'form':
      return redactForm(text, members, mask);
    case 'binary':
      return mentions(text, members) ? mask(text) : text;
    default:
      return mentions(text, members) ? mask(text) : redactText(text, members, mask);
  }
}

function redactJson(text: string, members: SecretMembers, mask: Mask): string {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    return mentions(text, members) || text.includes('\\u') ? mask(text) : redactText(text, members, mask);
  }
  const shown = redactValue(value, members, mask);
  return shown === value ? text : stringifyJson(shown);
}

/** @returns the value itself where nothing in it is hidden */
export function redactValue(value: JsonValue, members: SecretMembers, mask: Mask): JsonValue {
  return Array.isArray(value)
    ? redactItems(value, (item) => redactValue(item, members, mask))
    : isJsonObject(value)
      ? redactObject(value, members, mask)
      : value;
}

function redactItems(items: JsonValue[], redact: (item: JsonValue) => JsonValue): JsonValue {
  const shown = items.map(redact);
  return shown.some((item, index) => item !== items[index]) ? shown : items;
}

function redactObject(value: JsonObject, members: SecretMembers, mask: Mask): JsonValue {
  const shown: Record<string, JsonValue> = {};
  let isChanged = false;
  // An operation of a JSON Patch names the member beside its value (RFC 6902 §4).
  const patched = typeof value['path'] === 'string' ? secretIn(value['path'], members) : undefined;
  for (const [name, member] of Object.entries(value)) {
    const secret = members.has(name) ? name : name === 'value' ? patched : undefined;
    const inner = secret === undefined ? redactValue(member, members, mask) : hide(secret, member, members, mask);
    isChanged ||= inner !== member;
    setMember(shown, name, inner);
  }
  return isChanged ? shown : value;
}

/** Of what is one by its name alone texts and numbers: `token: true` and `tokens: 5` are none, and an object tells more. */
function hide(name: string, value: JsonValue, members: SecretMembers, mask: Mask): JsonValue {
  if (members.declared.has(name)) return mask(typeof value === 'string' ? value : stringifyJson(value));
  if (typeof value === 'string') return value === '' ? value : mask(value);
  if (isJsonNumber(value)) return /s$/i.test(name) ? value : mask(scalarText(value));
  if (Array.isArray(value)) return redactItems(value, (item) => hide(name, item, members, mask));
  return redactValue(value, members, mask);
}

function secretIn(path: string, members: SecretMembers): string | undefined {
  return path.startsWith('/') ? parsePointer(path).find((segment) => members.has(segment)) : undefined;
}

function redactForm(text: string, members: SecretMembers, mask: Mask): string {
  const pairs = text.split('&').map((pair) => {
    const end = pair.indexOf('=');
    const name = decodeQueryComponent(end === -1 ? pair : pair.slice(0, end));
    // `user[password]` is a member of a member.
    const isSecret = name?.split(/[[\].]/).some((part) => members.has(part)) ?? true;
    return isSecret && end !== -1 ? `${pair.slice(0, end)}=${mask(pair.slice(end + 1))}` : pair;
  });
  return pairs.join('&');
}

function mentions(text: string, { declared }: SecretMembers): boolean {
  return [...declared].some((name) => text.includes(name));
}

import { isJsonNumber } from '../../json/exact-number';
import { memberOf } from '../../json/member';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import type { ErrorCause } from './error-cause';
import { memberRole, type MemberRole } from './error-role';

/**
 * Writes a cause into the shape of an example, for an error that is documented by nothing else: what members are there
 * for is told by their names, what they may hold by what they hold in the example. The others stay as they are.
 */
export function errorByExample(example: JsonValue, cause: ErrorCause): JsonValue {
  if (Array.isArray(example)) return example.slice(0, 1).map((entry) => errorByExample(entry, cause));
  return isJsonObject(example) ? withCause(example, cause) : example;
}

/** Adds what an example has and a body lacks, members that tell a cause left out: they would tell that of the example. */
export function besideCause(example: JsonObject, body: JsonObject): JsonObject {
  const added = Object.entries(example).flatMap(([name, value]): [string, JsonValue][] => {
    const own = memberOf(body, name);
    if (own === undefined) return memberRole(name, false) === undefined ? [[name, value]] : [];
    return isJsonObject(own) && isJsonObject(value) ? [[name, besideCause(value, own)]] : [];
  });
  return added.length === 0 ? body : { ...body, ...Object.fromEntries(added) };
}

function withCause(example: JsonObject, cause: ErrorCause): JsonObject {
  const hasMessage = Object.keys(example).some((name) => memberRole(name, false) === 'message');
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, valueOf(name, value, cause, hasMessage)]),
  );
}

function valueOf(name: string, value: JsonValue, cause: ErrorCause, hasMessage: boolean): JsonValue {
  const role = memberRole(name, false);
  if (isJsonNumber(value)) return role === 'status' || isErrorStatus(value) ? cause.status : value;
  if (typeof value === 'string') return textFor(role, value, cause, hasMessage);
  if (Array.isArray(value) && role === 'list' && typeof value[0] === 'string') return [cause.message];
  return errorByExample(value, cause);
}

function textFor(role: MemberRole | undefined, text: string, cause: ErrorCause, hasMessage: boolean): string {
  switch (role) {
    case 'status':
      return text.replace(/^\d+.*/s, String(cause.status));
    case 'code':
      return cause.code;
    case 'message':
      return cause.message;
    case 'error':
    case 'title':
      return hasMessage ? cause.code.replaceAll('_', ' ') : cause.message;
    default:
      return text;
  }
}

function isErrorStatus(value: JsonValue): boolean {
  return typeof value === 'number' && value >= 400 && value <= 599;
}

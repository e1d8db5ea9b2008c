import type { HttpRequest } from '../../http/message';
import { decodeUtf8 } from '../../json/decode-utf8';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import { parseJson } from '../../json/parse-json';

/** What the id of a run becomes in the body of a request that must be rejected. */
export function rejectedMark(runId: string): string {
  return `${runId}-unauthorised`;
}

/** A body with the mark in every text that holds the id of the run; one without such a text stays as it is. */
export function markBody(value: JsonValue, runId: string): JsonValue {
  if (typeof value === 'string') return value.replaceAll(runId, () => rejectedMark(runId));
  if (Array.isArray(value)) return value.map((item) => markBody(item, runId));
  if (!isJsonObject(value)) return value;
  // fromEntries defines members, so that `__proto__` is data.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, markBody(member, runId)]));
}

/** Does a text anywhere in a value hold the mark? */
export function hasMark(value: JsonValue, runId: string): boolean {
  if (typeof value === 'string') return value.includes(rejectedMark(runId));
  if (Array.isArray(value)) return value.some((item) => hasMark(item, runId));
  return isJsonObject(value) && Object.values(value).some((member) => hasMark(member, runId));
}

/** Members of an object that are text or numbers: what a list can be asked for by. */
export function scalarMembers(value: JsonObject): [string, JsonValue][] {
  return Object.entries(value).filter(
    ([, member]) => member !== null && typeof member !== 'boolean' && !Array.isArray(member) && !isJsonObject(member),
  );
}

/** The body of a request; `undefined` when there is none or it is no JSON. */
export function jsonOf({ body }: HttpRequest): JsonValue | undefined {
  if (body.length === 0) return undefined;
  try {
    return parseJson(decodeUtf8(body));
  } catch {
    return undefined;
  }
}

import { getAtPointer } from '../../json/json-pointer';
import type { JsonValue } from '../../json/json-value';
import type { Violation } from '../../json-schema/violation';
import type { Schema } from '../../openapi/model';
import type { Warnings } from '../warnings';
import { put } from './keys-for-objects';

/** A time of day without the offset, and perhaps the seconds, that RFC 3339 §5.6 asks for. */
const LOCAL_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(:[0-5]\d(?:\.\d+)?)?$/;

/** More of them in one value are not looked for. */
const MOST = 100;

/**
 * A value whose times of day are in UTC where they say no offset: `09:00:00` is `09:00:00Z`.
 *
 * @param what - names the value, for the warning
 * @returns the value and what is still wrong with it; `undefined` where no such time is in it, or it is not allowed
 */
export function readLocalTimes(
  schema: Schema | undefined,
  value: JsonValue,
  violations: readonly Violation[],
  what: string,
  warnings: Warnings,
): { readonly value: JsonValue; readonly violations: readonly Violation[] } | undefined {
  const places = violations.flatMap(({ keyword, message, pointer }) => {
    const text = keyword === 'format' && message === 'must be a valid time' ? getAtPointer(value, pointer) : undefined;
    const [time, seconds] = typeof text === 'string' ? (LOCAL_TIME.exec(text) ?? []) : [];
    return time === undefined ? [] : [{ pointer, whole: `${time}${seconds === undefined ? ':00' : ''}Z` }];
  });
  if (schema === undefined || places.length === 0 || places.length > MOST) return undefined;
  const message = `${what} has a time without an offset, which RFC 3339 asks for: it was taken as UTC`;
  if (!warnings.allows('local_time', message)) return undefined;
  const read = places.reduce<JsonValue>((known, { pointer, whole }) => put(known, pointer, whole), value);
  return { value: read, violations: schema.validate('request')(read) };
}

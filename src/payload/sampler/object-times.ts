import { type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { wordsOf } from '../../core/text/inflection';
import { VALIDITY_DAYS } from './format-text';
import { isExpiryName } from './plausible-values';
import { acceptsScalar } from './scalar-check';
import type { PropertyNode } from './schema-node';

/** What happens to a thing, in the order in which it does: a name is that of the first line that has one of its words. */
const LIFECYCLE: readonly ReadonlySet<string>[] = [
  'created creation joined registered inserted added ordered placed hired issued founded',
  'opened submitted published activated confirmed approved paid scheduled booked since',
  'start started starts begin began begins from departure departed shipped checkin',
  'updated modified modification changed edited seen used accessed login',
  'delivered arrival arrived checkout returned end ended ends finish finished completed',
  'resolved merged closed cancelled canceled failed until to due deadline',
  'archived deleted removed revoked expired ttl',
].map((line) => new Set(line.split(' ')));
/** `at` and `date` alone tell when the thing itself is, which begins there. */
const START_STAGE = LIFECYCLE.findIndex((line) => line.has('start'));
const PLAIN_TIME_NAME = /^(?:at|on|date|time|timestamp|when)$/i;

/** How a value tells a time; values of one form can change places. */
const TIME_FORMATS: readonly RegExp[] = [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, /^\d{4}-\d\d-\d\d$/];

/**
 * Puts the times of a made-up object in the order in which its properties happen: what was created is cancelled later. The
 * values stay those that were made, they change places.
 *
 * @param object - changed in place
 */
export function orderTimes(object: Record<string, JsonValue>, properties: readonly PropertyNode[]): void {
  for (const form of TIME_FORMATS) {
    const found = properties.flatMap((property) => {
      const value = ownProperty(object, property.name);
      if (typeof value !== 'string' || !form.test(value)) return [];
      // An end that lies ahead comes after all that has happened.
      const stage = isExpiryName(property.name) ? -1 : stageOf(property.name);
      return stage < 0 ? [] : [{ member: property, stage, value }];
    });
    if (found.length < 2) continue;
    const values = found.map(({ value }) => value).sort();
    const inCourse = found.toSorted((left, right) => left.stage - right.stage);
    // A value that only one of the properties can have stays with it, and all others as they were made.
    if (!inCourse.every(({ member }, index) => acceptsScalar(member.node.flat, values[index] ?? ''))) continue;
    for (const [index, { member }] of inCourse.entries()) setProperty(object, member.name, values[index] ?? '');
  }
}

/** @returns -1 for a name that tells nothing of when in its course */
function stageOf(name: string): number {
  if (PLAIN_TIME_NAME.test(name)) return START_STAGE;
  const words = wordsOf(name);
  return LIFECYCLE.findIndex((line) => words.some((word) => line.has(word)));
}

/**
 * Lets a made-up object agree on whether it has expired: the flag `expired` is false where the end lies ahead, and the
 * end lies behind where a state is `expired`.
 *
 * @param object - changed in place
 */
export function matchExpiry(object: Record<string, JsonValue>, properties: readonly PropertyNode[]): void {
  if (!properties.some(({ name }) => isExpiryName(name))) return;
  const isExpired = Object.entries(object).some(
    ([name, value]) => /(?:status|state)$/i.test(name) && typeof value === 'string' && /^expired$/i.test(value),
  );
  for (const { name, node } of properties) {
    const value = ownProperty(object, name);
    const isFlag = typeof value === 'boolean' && /^(?:is_?)?expired$/i.test(name);
    const other = isFlag ? isExpired : isExpired && isExpiryName(name) ? beforeNow(value) : value;
    if (other !== undefined && other !== value && acceptsScalar(node.flat, other)) setProperty(object, name, other);
  }
}

/** @returns a time in the year of the other times in place of the end; other values as they are */
function beforeNow(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'number') return value - VALIDITY_DAYS * 86_400;
  return typeof value === 'string' ? value.replace(/^2036(?=-\d\d-\d\d)/, '2025').replace('-02-29', '-02-28') : value;
}

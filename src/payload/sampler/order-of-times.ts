import { memberOf, setMember } from '../../json/member';
import type { JsonValue } from '../../json/json-value';
import { wordsOf } from '../../resources/inflection';
import { acceptsScalar } from './accepts';
import type { Member } from './schema-node';

/** What happens to a thing, in the order in which it does: a name is that of the first line that has one of its words. */
const COURSE: readonly ReadonlySet<string>[] = [
  [
    'created',
    'creation',
    'joined',
    'registered',
    'inserted',
    'added',
    'ordered',
    'placed',
    'hired',
    'issued',
    'founded',
  ],
  ['opened', 'submitted', 'published', 'activated', 'confirmed', 'approved', 'paid', 'scheduled', 'booked', 'since'],
  ['start', 'started', 'starts', 'begin', 'began', 'begins', 'from', 'departure', 'departed', 'shipped', 'checkin'],
  ['updated', 'modified', 'modification', 'changed', 'edited', 'seen', 'used', 'accessed', 'login'],
  [
    'delivered',
    'arrival',
    'arrived',
    'checkout',
    'returned',
    'end',
    'ended',
    'ends',
    'finish',
    'finished',
    'completed',
  ],
  ['resolved', 'merged', 'closed', 'cancelled', 'canceled', 'failed', 'until', 'to', 'due', 'deadline'],
  ['archived', 'deleted', 'removed', 'revoked', 'expires', 'expired', 'expiry', 'expiration', 'ttl'],
].map((line) => new Set(line));
/** `at` and `date` alone tell when the thing itself is, which begins there. */
const OF_THING = COURSE.findIndex((line) => line.has('start'));
const PLAIN = /^(?:at|on|date|time|timestamp|when)$/i;

/** How a value tells a time; values of one form can change places. */
const FORMS: readonly RegExp[] = [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, /^\d{4}-\d\d-\d\d$/];

/**
 * Puts the times of a made-up object in the order in which its members happen: what was created is cancelled later. The
 * values stay those that were made, they change places.
 *
 * @param object - changed in place
 */
export function orderTimes(object: Record<string, JsonValue>, members: readonly Member[]): void {
  for (const form of FORMS) {
    const found = members.flatMap((member) => {
      const value = memberOf(object, member.name);
      if (typeof value !== 'string' || !form.test(value)) return [];
      const stage = stageOf(member.name);
      return stage < 0 ? [] : [{ member, stage, value }];
    });
    if (found.length < 2) continue;
    const values = found.map(({ value }) => value).sort();
    const inCourse = found.toSorted((left, right) => left.stage - right.stage);
    // A value that only one of the members can have stays with it, and all others as they were made.
    if (!inCourse.every(({ member }, index) => acceptsScalar(member.node.flat, values[index] ?? ''))) continue;
    for (const [index, { member }] of inCourse.entries()) setMember(object, member.name, values[index] ?? '');
  }
}

/** @returns -1 for a name that tells nothing of when in its course */
function stageOf(name: string): number {
  if (PLAIN.test(name)) return OF_THING;
  const words = wordsOf(name);
  return COURSE.findIndex((line) => words.some((word) => line.has(word)));
}

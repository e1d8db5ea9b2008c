import { fieldsOf, type Answer, type Call, type Place } from './message';
import { textOf } from './json';

/** When a defect shows, of all the times it could. */
export type Trigger = 'always' | 'first-call-only' | 'every-nth' | 'only-second-resource';

export type Decide = (subject: string) => boolean;

export function createTrigger(trigger: Trigger, nth: number): Decide {
  let times = 0;
  const subjects: string[] = [];
  return (subject) => {
    times += 1;
    if (!subjects.includes(subject)) subjects.push(subject);
    switch (trigger) {
      case 'always':
        return true;
      case 'first-call-only':
        return times === 1;
      case 'every-nth':
        return times % nth === 0;
      case 'only-second-resource':
        return subjects.indexOf(subject) === 1;
    }
  };
}

/** The resource that an exchange is about; one that was just made is known by the id in its answer. */
export function subjectOf(call: Call, place: Place, answer: Answer | undefined): string {
  const collection = place.collection === 'inventory' ? 'pets' : (place.collection ?? '');
  if (place.id !== undefined) return `${collection}/${place.id}`;
  if (call.method === 'POST' && answer) return `${collection}/${textOf(fieldsOf(answer).id)}`;
  return call.method === 'POST' ? `${collection}/${call.body.toString()}` : call.target;
}

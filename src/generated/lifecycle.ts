import type { JsonObject } from '../core/json/json-value';
import { withArticle } from '../traffic/contract/names';
import type { Draft, MadeThing } from './draft';
import { shownOf } from './bodies';
import { bodyWith, itemOf, listWith, listWithout, longestPage } from './expectations';
import { reasonsOfState, type Subject, successStatuses } from './subject';

/** A thing is made, and is there: read, listed, and nothing else is another because of it. */
export function addCreation(draft: Draft, subject: Subject): void {
  const first = draft.ingredients(subject);
  if (first === undefined) return;
  const { noun } = draft;
  const neighbour = draft.make(first, 'setup', `add ${withArticle(noun)} beside it`);
  const own = draft.ingredients(subject);
  if (own === undefined) return;
  const thing = draft.make(own, 'steps', undefined, reasonsOfState(subject.create.operation));
  read(draft, thing, `read the ${noun}`, shownOf(own));
  list(draft, thing);
  read(draft, neighbour, `the other ${noun} is as it was`, shownOf(first));
}

/** A thing gets another content, whole or in part, and has it from then on. */
export function addChange(behaviour: 'replace' | 'update'): (draft: Draft, subject: Subject) => void {
  return (draft, subject) => {
    const binding = subject.of(behaviour) ?? (behaviour === 'replace' ? subject.of('upsert') : undefined);
    const ingredients = binding === undefined ? undefined : draft.ingredients(subject);
    if (binding === undefined || ingredients === undefined) return;
    const { noun } = draft;
    const thing = draft.make(ingredients, 'setup');
    const body = draft.changeOf(thing, binding);
    if (body === undefined) return;
    const step = {
      ...draft.at(thing, binding),
      body: body.sent,
      mayBeRefused: reasonsOfState(binding.operation),
      expect: { status: successStatuses(binding.operation, [200, 204]) },
    };
    draft.add('setup', { name: `${behaviour === 'replace' ? 'replace' : 'change'} the ${noun}`, ...step });
    // What was not sent in a part stays.
    const shown = behaviour === 'replace' ? body.shown : { ...shownOf(ingredients), ...body.shown };
    read(draft, thing, `read the ${noun} as it is now`, shown);
    if (behaviour === 'replace') {
      draft.add('steps', { name: `replace the ${noun} once more: nothing else comes of it`, ...step });
      read(draft, thing, `read the ${noun} again`, shown);
    }
    list(draft, thing);
  };
}

/** A thing is removed, and is nowhere any more. */
export function addRemoval(draft: Draft, subject: Subject): void {
  const binding = subject.of('remove');
  const first = binding === undefined ? undefined : draft.ingredients(subject);
  if (binding === undefined || first === undefined) return;
  const neighbour = draft.make(first, 'setup', `add ${withArticle(draft.noun)} that stays`);
  const own = draft.ingredients(subject);
  if (own === undefined) return;
  const { noun } = draft;
  const thing = draft.make(own, 'setup');
  const status = successStatuses(binding.operation, [204, 200]);
  draft.add('setup', {
    name: `remove the ${noun}`,
    ...draft.at(thing, binding),
    mayBeRefused: reasonsOfState(binding.operation),
    expect: { status },
  });
  const reading = subject.of('read');
  if (reading !== undefined)
    draft.add('steps', { name: `the ${noun} is gone`, ...draft.at(thing, reading), expect: { status: [404, 410] } });
  list(draft, thing, true);
  draft.add('steps', {
    name: `remove the ${noun} again`,
    ...draft.at(thing, binding),
    expect: { status: [...new Set([...status, 404, 410])] },
  });
  for (const behaviour of ['replace', 'update'] as const) {
    const change = subject.of(behaviour);
    const body = change === undefined ? undefined : draft.changeOf(thing, change);
    if (change === undefined || body === undefined) continue;
    const expect = { status: [404, 410] };
    draft.add('steps', {
      name: `change the removed ${noun} (${behaviour})`,
      ...draft.at(thing, change),
      body: body.sent,
      expect,
    });
  }
  read(draft, neighbour, `the other ${noun} is as it was`, shownOf(first));
  list(draft, neighbour);
}

function read(draft: Draft, thing: MadeThing, name: string, shown: JsonObject): void {
  const binding = thing.subject.of('read');
  if (binding === undefined) return;
  const body = bodyWith(binding, itemOf(thing.subject.resource, thing.key, shown));
  draft.add('steps', {
    name,
    ...draft.at(thing, binding),
    expect: { status: successStatuses(binding.operation, [200]), ...(body === undefined ? {} : { body }) },
  });
}

function list(draft: Draft, thing: MadeThing, isGone = false): void {
  const binding = thing.subject.of('list');
  const item = itemOf(thing.subject.resource, thing.key);
  if (binding === undefined || item === undefined) return;
  const page = longestPage(draft.api, binding);
  const body = isGone ? listWithout(binding, item) : page && listWith(binding, item, page);
  if (body === undefined) return;
  draft.add('steps', {
    name: isGone ? `the ${draft.noun} is in the list no more` : `the ${draft.noun} is in the list`,
    ...draft.beside(thing, binding, page?.parameters),
    expect: { status: successStatuses(binding.operation, [200]), body },
  });
}

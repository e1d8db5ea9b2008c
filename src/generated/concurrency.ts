import { isJsonNumber } from '../core/json/exact-number';
import type { JsonObject } from '../core/json/json-value';
import type { Binding } from '../resources/model/binding';
import { withArticle } from '../traffic/contract/names';
import { shownOf, UNKNOWN, written } from './bodies';
import { needsTag, takesTag } from './entity-tags';
import type { Draft } from './draft';
import { along, headerNamed } from './expectations';
import { expectGone, list, partsOf, read } from './lifecycle';
import { doneStatuses, GONE, reasonsOfState, reasonsToKeep, type Subject, successStatuses } from './subject';
import type { Ingredients, MadeThing } from './thing';

/** So many requests are sent at the same time: more than two, where each may meet the next one. */
const TOGETHER = 3;
const NUMBERS = Array.from({ length: TOGETHER }, (_, index) => index + 1);

/** Whether a request should have been refused that came alone others say. */
const AT_WILL = { mayBeRefused: true } as const;

/** Things that are made at the same time: each is one of its own, and there. */
export function addCreationsTogether(draft: Draft, subject: Subject): void {
  if (subject.comesWith !== undefined) return;
  const first = draft.ingredients(subject);
  if (first === undefined) return;
  const { noun } = draft;
  draft.make(first, 'setup', `add ${withArticle(noun)} alone`);
  const made = NUMBERS.flatMap((number): MadeThing[] => {
    const own = draft.ingredients(subject);
    if (own === undefined) return [];
    return [
      draft.make(own, 'steps', `add ${noun} ${number} of ${TOGETHER}`, {
        ...AT_WILL,
        more: { together: 'creations' },
      }),
    ];
  });
  for (const [index, thing] of made.entries())
    read(draft, thing, `read ${noun} ${index + 1} of ${TOGETHER}`, shownOf(draft.api, thing));
  for (const thing of made) list(draft, thing);
}

/** Replacements at the same time: one of them is there in the end, and no mixture. */
export function addReplacementsTogether(draft: Draft, subject: Subject): void {
  const binding = subject.of('replace') ?? subject.of('upsert');
  // Of changes that insist on an entity tag one alone is done at the same time.
  const thing = binding === undefined || needsTag(binding.operation) ? undefined : make(draft, subject);
  if (binding === undefined || thing === undefined) return;
  const bodies = NUMBERS.flatMap((number) => draft.changeOf(thing, binding, number)?.sent ?? []);
  for (const [index, body] of bodies.entries())
    addChange(draft, thing, binding, {
      name: `replace the ${draft.noun}: ${index + 1} of ${bodies.length}`,
      together: 'replacements',
      body,
    });
  if (bodies.length > 0) read(draft, thing, `read the ${draft.noun}: it is what one of them made of it`, {});
}

/** Changes of different properties at the same time: all are there in the end. */
export function addPartsTogether(draft: Draft, subject: Subject): void {
  const binding = subject.of('update');
  const thing = binding === undefined || needsTag(binding.operation) ? undefined : make(draft, subject);
  if (binding === undefined || thing === undefined) return;
  const parts = partsOf(draft, thing, binding)
    .filter(({ name }) => name !== UNKNOWN)
    .slice(0, TOGETHER);
  if (parts.length < 2) return;
  for (const { name, value } of parts)
    addChange(draft, thing, binding, {
      name: `change ${name} of the ${draft.noun}`,
      together: 'changes',
      body: along(binding.request?.path ?? [], { [name]: value }),
    });
  read(draft, thing, `read the ${draft.noun}: all changes are there`, {});
}

/**
 * Changes with one entity tag at the same time: one of them is done (RFC 9110 §13.1.1). Only where a change with a tag of
 * before was refused that came alone.
 */
export function addConditionsTogether(draft: Draft, subject: Subject): void {
  const binding = subject.of('update') ?? subject.of('replace');
  const reading = subject.of('read');
  const tag = reading === undefined ? undefined : headerNamed(reading, /^etag$/i);
  if (binding === undefined || reading === undefined || tag === undefined) return;
  if (!takesTag(binding.operation, reading)) return;
  const thing = make(draft, subject);
  if (thing === undefined) return;
  const { noun } = draft;
  const change = (phase: 'setup' | 'steps', number: number, more: JsonObject): void => {
    const body = draft.changeOf(thing, binding, number);
    if (body !== undefined) draft.add(phase, { ...draft.at(thing, binding), body: body.sent, ...more });
  };
  const readTag = (called: string): JsonObject => {
    const capture = { [called]: `$response.header.${tag}` };
    draft.addAt('setup', thing, reading, { name: `read the ${noun} and its entity tag`, capture });
    return { 'If-Match': `\${${called}}` };
  };
  const done = doneStatuses(binding);
  const before = readTag(draft.freeName(`${noun} tag before`));
  change('setup', TOGETHER + 1, {
    name: `change the ${noun} with its entity tag`,
    headers: before,
    mayBeRefused: [...reasonsToKeep(binding.operation), 428],
    expect: { status: done },
  });
  change('setup', TOGETHER + 2, {
    name: `change it with the entity tag of before`,
    headers: before,
    mayBeRefused: [...done, ...reasonsToKeep(binding.operation).filter((status) => status !== 412)],
    expect: { status: 412 },
  });
  const headers = readTag(draft.freeName(`${noun} tag`));
  for (const number of NUMBERS)
    change('steps', number, {
      name: `change the ${noun} with one entity tag: ${number} of ${TOGETHER}`,
      together: 'changes',
      headers,
      ...AT_WILL,
      expect: { status: [...done, 412] },
    });
  read(draft, thing, `read the ${noun}: it is what one of them made of it`, {});
}

/** Removals at the same time: one of them is done. Only where a second removal that came alone found nothing. */
export function addRemovalsTogether(draft: Draft, subject: Subject): void {
  const binding = subject.of('remove');
  if (binding === undefined || !binding.operation.responses.has('404')) return;
  const trial = make(draft, subject);
  const thing = trial === undefined ? undefined : make(draft, subject);
  if (trial === undefined || thing === undefined) return;
  const { noun } = draft;
  const done = doneStatuses(binding);
  const mayBeRefused = reasonsToKeep(binding.operation);
  draft.addAt('setup', trial, binding, { name: `remove ${withArticle(noun)}`, mayBeRefused });
  // What is only marked as removed may be removed again.
  expectGone(draft, 'setup', trial, 'it is gone');
  const again = [...done, ...mayBeRefused];
  draft.addAt('setup', trial, binding, { name: 'remove it again', mayBeRefused: again, status: GONE });
  for (const number of NUMBERS)
    draft.add('steps', {
      name: `remove the ${noun}: ${number} of ${TOGETHER}`,
      together: 'removals',
      ...draft.at(thing, binding),
      ...AT_WILL,
      expect: { status: [...done, 404, 410] },
    });
}

/**
 * The same thing made several times at the same time: with a name that only one may have, for what only one may have, or
 * of what there is no more than one. Only where the second one that came alone was refused.
 */
export function addRivals(draft: Draft, subject: Subject): void {
  const refused = refusalsOf(subject);
  if (subject.comesWith !== undefined || refused.length === 0 || isByPut(subject)) return;
  addRivalsOf(draft, subject, refused, () => draft.ingredients(subject));
}

/** What each PUT makes at a key of its own has no rivals. */
function isByPut({ create }: Subject): boolean {
  return create.operation.method === 'PUT';
}

/** The same where there is one of what it needs, or of what comes with that: the last of a stock, the last seat. */
export function addRivalsForTheLast(draft: Draft, subject: Subject): void {
  const refused = refusalsOf(subject);
  if (subject.comesWith !== undefined || refused.length === 0 || isByPut(subject)) return;
  addRivalsOf(draft, subject, refused, () => {
    const own = draft.ingredients(subject, 0, true);
    const needed = subject.resource.references.flatMap(({ property, to }) =>
      own?.substitutions.some(({ path }) => path.includes(property)) === true ? (draft.needs(to) ?? []) : [],
    );
    // Each of them is supplied.
    const isCounted = needed.map((thing) => draft.supply(thing, 1) || hasNumber(thing.plain)).includes(true);
    return isCounted ? own : undefined;
  });
}

function addRivalsOf(
  draft: Draft,
  subject: Subject,
  refused: readonly number[],
  ingredientsOf: () => Ingredients | undefined,
): void {
  const { create } = subject;
  const done = successStatuses(create.operation, [201, 200]);
  const trial = ingredientsOf();
  if (trial === undefined) return;
  draft.make(trial, 'setup', `add ${withArticle(draft.noun)} alone`);
  const request = ({ scope, plain, substitutions }: Ingredients): JsonObject => ({
    ...draft.beside({ scope }, create),
    body: written(plain, substitutions),
  });
  draft.add('setup', {
    name: 'add the same once more',
    ...request(trial),
    // Where it is made as well, more of it may be had.
    mayBeRefused: [...done, ...reasonsOfState(create.operation).filter((status) => !refused.includes(status))],
    expect: { status: [...refused] },
  });
  draft.renewNeeds();
  const own = ingredientsOf();
  if (own === undefined) return;
  for (const number of NUMBERS)
    draft.make(own, 'steps', `add one ${draft.noun}: ${number} of ${TOGETHER}`, {
      ...AT_WILL,
      orRefused: refused,
      more: { together: 'rivals', ...(number === TOGETHER ? { successes: { $max: 1 } } : {}) },
    });
}

function hasNumber(body: JsonObject): boolean {
  return Object.values(body).some((value) => isJsonNumber(value));
}

/** With which a service refuses what is there already, or there is no more of. */
function refusalsOf({ create: { operation } }: Subject): number[] {
  return [409, 422, 400].filter((status) => operation.responses.has(String(status)));
}

function make(draft: Draft, subject: Subject): MadeThing | undefined {
  const ingredients = subject.comesWith === undefined ? draft.ingredients(subject) : undefined;
  return ingredients === undefined ? undefined : draft.make(ingredients, 'setup');
}

function addChange(draft: Draft, thing: MadeThing, binding: Binding, step: JsonObject): void {
  draft.add('steps', {
    ...step,
    ...draft.at(thing, binding),
    ...AT_WILL,
    expect: { status: doneStatuses(binding) },
  });
}

import type { JsonObject } from '../core/json/json-value';
import { samplerOf } from '../payload/sampler/sampler';
import type { Binding } from '../resources/model/binding';
import { withArticle } from '../traffic/contract/names';
import { invalidBodies, validBodies } from './altered-bodies';
import type { Draft, Ingredients, MadeThing } from './draft';
import { shownOf, written } from './bodies';
import { bodyWith, itemOf } from './expectations';
import { reasonsOfState, refusals, requestOf, type Subject, successStatuses } from './subject';

/** Requests that the description does not allow, each wrong in one thing: refused, and nothing comes of them. */
export function addRejections(draft: Draft, subject: Subject): void {
  if (subject.comesWith !== undefined) return;
  const ingredients = draft.ingredients(subject);
  if (ingredients === undefined) return;
  const { create } = subject;
  if (refusals(create.operation).length === 0) return;
  for (const each of alteredFor(draft, create, ingredients, 'invalid')) {
    draft.add('steps', {
      name: `add ${withArticle(draft.noun)} ${each.words}`,
      ...draft.beside(ingredients, create),
      body: each.body,
      expect: { status: refusals(create.operation) },
    });
  }
  const unreadable = { expect: { status: refusals(create.operation) } };
  const request = draft.beside(ingredients, create);
  const noun = withArticle(draft.noun);
  draft.add('steps', { name: `add ${noun} with a body that is no JSON`, ...request, text: '{"a": ', ...unreadable });
  draft.add('steps', { name: `add ${noun} with a list as its body`, ...request, body: [], ...unreadable });
  if (create.operation.requestBody?.required === true)
    draft.add('steps', { name: `add ${noun} without a body`, ...request, ...unreadable });
}

/** Requests that the description allows, each different in one thing from one that was accepted. */
export function addVariations(draft: Draft, subject: Subject): void {
  if (subject.comesWith !== undefined) return;
  const ingredients = draft.ingredients(subject);
  if (ingredients === undefined) return;
  const { create } = subject;
  draft.make(ingredients, 'setup', `add ${withArticle(draft.noun)} that is accepted`);
  for (const each of alteredFor(draft, create, ingredients, 'valid')) {
    draft.make(
      { ...ingredients, plain: each.plain },
      'steps',
      `add ${withArticle(draft.noun)} ${each.words}`,
      reasonsOfState(create.operation),
    );
  }
}

interface Altered {
  readonly words: string;
  readonly plain: JsonObject;
  readonly body: JsonObject;
}

function alteredFor(
  draft: Draft,
  binding: Binding,
  { plain, substitutions }: Pick<Ingredients, 'plain' | 'substitutions'>,
  kind: 'valid' | 'invalid',
): Altered[] {
  const schema = requestOf(binding);
  if (schema === undefined) return [];
  const node = samplerOf(draft.api).nodeOf(schema, 'request');
  const all = kind === 'valid' ? validBodies(node, plain) : invalidBodies(node, plain);
  return all
    .filter(
      ({ path }) =>
        kind === 'invalid' || !substitutions.some((each) => path.every((name, at) => each.path[at] === name)),
    )
    .filter(({ body }) => schema.accepts(body, 'request') === (kind === 'valid'))
    .map(({ words, body }) => ({ words, plain: body, body: written(body, substitutions) as JsonObject }));
}

function bodyOf(...about: Parameters<typeof bodyWith>): JsonObject {
  const body = bodyWith(...about);
  return body === undefined ? {} : { body };
}

/** The same for changes of a thing that is there, which stays as it was. */
export function addRejectedChanges(draft: Draft, subject: Subject): void {
  for (const behaviour of ['replace', 'update'] as const) {
    const binding = subject.of(behaviour);
    const ingredients = binding === undefined ? undefined : draft.ingredients(subject);
    if (binding === undefined || ingredients === undefined || refusals(binding.operation).length === 0) continue;
    const thing = draft.make(ingredients, 'setup', `add ${withArticle(draft.noun)} that nothing changes`);
    addRejectedChangesOf(draft, thing, binding, behaviour);
  }
}

function addRejectedChangesOf(draft: Draft, thing: MadeThing, binding: Binding, behaviour: string): void {
  const word = behaviour === 'update' ? 'change' : 'replace';
  // Of a body that would change it, so that nothing of that may show.
  const changed = draft.changeOf(thing, binding);
  if (changed === undefined) return;
  for (const each of alteredFor(draft, binding, changed, 'invalid')) {
    draft.add('steps', {
      name: `${word} the ${draft.noun} ${each.words}`,
      ...draft.at(thing, binding),
      body: each.body,
      expect: { status: refusals(binding.operation) },
    });
  }
  const read = thing.subject.of('read');
  if (read === undefined) return;
  draft.add('steps', {
    name: `the ${draft.noun} is as it was`,
    ...draft.at(thing, read),
    expect: {
      status: successStatuses(read.operation, [200]),
      ...bodyOf(read, itemOf(thing.subject.resource, thing.key, shownOf(thing))),
    },
  });
}

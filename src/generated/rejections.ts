import { isTakenLeniently } from '../checks/request/body';
import { isJsonNumber } from '../core/json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../core/json/json-value';
import { scalarText } from '../core/json/stringify-json';
import type { Schema } from '../openapi/model/operation';
import { isStateName } from '../openapi/naming/states';
import { samplerOf } from '../payload/sampler/sampler';
import type { Binding } from '../resources/model/binding';
import { withArticle } from '../traffic/contract/names';
import { exactBodies, invalidBodies, validBodies, withValue, zonedBodies } from './altered-bodies';
import type { Draft } from './draft';
import type { Ingredients, MadeThing } from './thing';
import { absentKey, placeOfKey, UNKNOWN, shownOf, withOwnName, written } from './bodies';
import { along, itemOf } from './expectations';
import { RUN_ID } from './run-text';
import { doneStatuses, reasonsOfState, refusals, requestOf, type Subject } from './subject';

/** Requests that the description does not allow, each wrong in one thing: refused, and nothing comes of them. */
export function addRejections(draft: Draft, subject: Subject): void {
  if (subject.comesWith !== undefined) return;
  const ingredients = draft.ingredients(subject);
  if (ingredients === undefined) return;
  const { create, resource } = subject;
  const invalid = refusals(create.operation);
  if (invalid.length === 0) return;
  // Where no body at all was taken, what is there may be the reason.
  const state = draft.learnt.isRefused(resource.path) ? [403, 404, 409] : [];
  const expect = { status: [...new Set([...invalid, ...state])] };
  for (const each of alteredFor(draft, create, ingredients, 'invalid')) {
    draft.add('steps', {
      name: `add ${withArticle(draft.noun)} ${each.words}`,
      ...draft.beside(ingredients, create),
      body: each.body,
      expect,
    });
  }
  const request = draft.beside(ingredients, create);
  const noun = withArticle(draft.noun);
  draft.add('steps', { name: `add ${noun} with a body that is no JSON`, ...request, text: '{"a": ', expect });
  if (!isTakenLeniently(draft.api, create.operation, []))
    draft.add('steps', { name: `add ${noun} with a list as its body`, ...request, body: [], expect });
  // Without a body there is no media type that is a right one.
  const bodiless = { status: [...new Set([...expect.status, 415])] };
  if (create.operation.requestBody?.required === true)
    draft.add('steps', { name: `add ${noun} without a body`, ...request, expect: bodiless });
}

/** Requests that the description allows, each different in one thing from one that was accepted. */
export function addVariations(draft: Draft, subject: Subject): void {
  if (subject.comesWith !== undefined) return;
  const ingredients = draft.ingredients(subject);
  if (ingredients === undefined) return;
  const { create } = subject;
  draft.make(ingredients, 'setup', `add ${withArticle(draft.noun)} that is accepted`);
  const schema = requestOf(create);
  if (schema === undefined) return;
  const usual = reasonsOfState(create.operation);
  const root = create.request?.path ?? [];
  for (const [index, { words, plain, path }] of alteredFor(draft, create, ingredients, 'valid').entries()) {
    const own = { ...ingredients, plain: withOwnName(schema, plain, index + 1) };
    // That the service takes less there than the description says was learnt, and told.
    const mayBeRefused = draft.learnt.restricts(subject.resource.path, path.slice(root.length))
      ? [400, ...usual, 422]
      : usual;
    draft.make(own, 'steps', `add ${withArticle(draft.noun)} ${words}`, { mayBeRefused });
  }
  addUndeclared(draft, ingredients, schema);
}

/** A time that is sent in another zone comes back as the same moment, as `echo` sees. */
export function addZonedTimes(draft: Draft, subject: Subject): void {
  const own = subject.comesWith === undefined ? draft.ingredients(subject) : undefined;
  const [zoned] = own === undefined ? [] : alteredFor(draft, subject.create, own, 'zoned');
  if (own === undefined || zoned === undefined) return;
  const mayBeRefused = reasonsOfState(subject.create.operation);
  const name = `add ${withArticle(draft.noun)} ${zoned.words}`;
  const thing = draft.make({ ...own, plain: zoned.plain }, 'steps', name, { mayBeRefused });
  draft.addAt('steps', thing, subject.of('read'), { name: `read the ${draft.noun} ${zoned.words}` });
}

/** What a thing is made with, and in it a number in full where its description says that it is kept so. */
export function inFull(
  draft: Draft,
  ingredients: Ingredients,
): { readonly own: Ingredients; readonly exact: JsonObject } {
  const [altered] = alteredFor(draft, ingredients.subject.create, ingredients, 'exact');
  const value = altered && valueAlong(altered.plain, altered.path);
  const name = altered?.path.at(-1);
  if (altered === undefined || value === undefined || name === undefined) return { own: ingredients, exact: {} };
  const own = { ...ingredients, plain: altered.plain };
  const isOfItem = altered.path.length === (ingredients.subject.create.request?.path ?? []).length + 1;
  // No form of the service is let through here.
  return { own, exact: isOfItem ? { [name]: { $min: value, $max: value } } : {} };
}

/** Properties that nobody declares, or that are the service's own: let be or refused, and never believed. */
function addUndeclared(draft: Draft, ingredients: Ingredients, schema: Schema): void {
  const { create, resource } = ingredients.subject;
  const root = create.request?.path ?? [];
  const own = resource.properties.get(resource.key.name);
  const mayBeRefused = [400, ...reasonsOfState(create.operation), 422];
  const noun = withArticle(draft.noun);
  let ordinal = 100;
  const add = (name: string, value: JsonValue, words: string, shown: JsonObject): void => {
    const path = [...root, name];
    // Another name for each: of what is there already a service may answer with that.
    const plain = withValue(withOwnName(schema, ingredients.plain, ordinal), path, value);
    ordinal += 1;
    draft.make({ ...ingredients, plain }, 'steps', `add ${noun} ${words}`, { mayBeRefused, shown });
  };
  if (schema.accepts(withValue(ingredients.plain, [...root, UNKNOWN], 'unknown'), 'request'))
    add(UNKNOWN, 'unknown', 'with a property that nobody knows', {});
  const key = absentKey(draft.api, resource.schema, [resource.key.name], 'response');
  if (!showsWhose(valueAlong(ingredients.plain, root))) return;
  if (own?.readOnly === true && !resource.key.isClientChosen && key !== undefined)
    add(own.name, key, 'with an id that the client chose', { [own.name]: { $not: key } });
  const given = textGiven(draft, ingredients);
  if (given !== undefined) add(given, 'standin', `with ${given}, which is read-only`, { [given]: { $not: 'standin' } });
}

/** Does a body show whose it is, beside one property that the service may replace? See `ownershipEvidence`. */
function showsWhose(body: JsonValue | undefined): boolean {
  const told = Object.values(isJsonObject(body) ? body : {}).filter(
    (value) => typeof value === 'string' || isJsonNumber(value),
  );
  return told.length > 1 || told.some((value) => scalarText(value).includes(RUN_ID));
}

/** A text that only the service gives (OAS 3.0.3 §4.7.24.2), and that says nothing of who may see a thing, or of its state. */
function textGiven({ api }: Draft, { subject: { resource } }: Ingredients): string | undefined {
  const parts = [...resource.references, ...resource.scope].map(({ property }) => property);
  const nodes = samplerOf(api).nodeOf(resource.schema, 'response').properties;
  return nodes.find(({ name, node }) => {
    const isPart = name === resource.key.name || parts.includes(name) || isStateName(name);
    const { types, formats } = node.flat;
    const isFree = types?.has('string') === true && types.size === 1 && formats.size === 0 && node.values === undefined;
    const isPrivate = /id$|key|owner|user|role|tenant|account|author|_by$|By$/i.test(name);
    return resource.properties.get(name)?.readOnly === true && isFree && !isPart && !isPrivate;
  })?.name;
}

interface Altered {
  readonly words: string;
  readonly path: readonly string[];
  readonly plain: JsonObject;
  readonly body: JsonObject;
}

const BODIES = { valid: validBodies, invalid: invalidBodies, zoned: zonedBodies, exact: exactBodies };

function alteredFor(
  draft: Draft,
  binding: Binding,
  { plain, substitutions }: Pick<Ingredients, 'plain' | 'substitutions'>,
  kind: keyof typeof BODIES,
): Altered[] {
  const schema = requestOf(binding);
  if (schema === undefined) return [];
  const node = samplerOf(draft.api).nodeOf(schema, 'request');
  // A service may go by the key in a body: another one than that of the run could be somebody else's.
  const key = placeOfKey(binding, binding.resource)?.join('/');
  return BODIES[kind](node, plain)
    .filter(({ path }) => path.join('/') !== key)
    .filter(
      ({ path }) =>
        kind === 'invalid' || !substitutions.some((each) => path.every((name, at) => each.path[at] === name)),
    )
    .filter(({ body }) =>
      kind !== 'invalid'
        ? schema.accepts(body, 'request')
        : !schema.accepts(body, 'request') && !isTakenLeniently(draft.api, binding.operation, body),
    )
    .map(({ words, path, body }) => ({ words, path, plain: body, body: written(body, substitutions) as JsonObject }));
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

/** Null for what is always shown: rejected, or read as if it had not been sent. */
function addNulls(draft: Draft, thing: MadeThing, binding: Binding): void {
  const schema = requestOf(binding);
  const root = binding.request?.path ?? [];
  const changed = draft.changeOf(thing, binding)?.plain;
  const sent = valueAlong(changed, root);
  const shown = samplerOf(draft.api).nodeOf(thing.subject.resource.schema, 'response').properties;
  for (const { name, isRequired } of shown) {
    const body = along(root, { [name]: null });
    if (!isRequired || !isJsonObject(sent) || !Object.hasOwn(sent, name) || schema?.accepts(body, 'request') === true)
      continue;
    const status = [...doneStatuses(binding), ...refusals(binding.operation)];
    draft.addAt('steps', thing, binding, { name: `change the ${draft.noun} with null as ${name}`, body, status });
  }
}

function addRejectedChangesOf(draft: Draft, thing: MadeThing, binding: Binding, behaviour: string): void {
  const word = behaviour === 'update' ? 'change' : 'replace';
  // Of a body that would change it, so that nothing of that may show.
  const changed = draft.changeOf(thing, binding);
  if (changed === undefined) return;
  const status = refusals(binding.operation);
  for (const { words, body } of alteredFor(draft, binding, changed, 'invalid'))
    draft.addAt('steps', thing, binding, { name: `${word} the ${draft.noun} ${words}`, body, status });
  if (behaviour === 'update') addNulls(draft, thing, binding);
  const { of, resource } = thing.subject;
  const shown = itemOf(resource, thing.key, shownOf(draft.api, thing));
  draft.addAt('steps', thing, of('read'), { name: `the ${draft.noun} is as it was`, shown });
}

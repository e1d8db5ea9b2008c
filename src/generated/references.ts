import { type JsonObject, type JsonValue, valueAlong } from '../core/json/json-value';
import { foldedName, singularOf } from '../core/text/inflection';
import { stateWordsOf } from '../openapi/naming/states';
import { viewOf } from '../openapi/view/schema-view';
import { samplerOf } from '../payload/sampler/sampler';
import type { Binding, ReferrerRule } from '../resources/model/binding';
import type { PropertyReference } from '../resources/model/resource';
import { saysMissing } from '../resources/relations/said-rules';
import { inWords, withArticle } from '../traffic/contract/names';
import { withValue } from './altered-bodies';
import { absentKey, shownOf, type Substitution, written } from './bodies';
import type { Draft } from './draft';
import { expectGone } from './lifecycle';
import type { Ingredients, MadeThing, StepAt } from './thing';
import { along, bodyWith, itemOf } from './expectations';
import { RUN_ID } from './run-text';
import { GONE, reasonsToKeep, requestOf, type Subject, successStatuses } from './subject';

/** References to what nobody has, to what was removed, and to things of other kinds. */
export function addReferences(draft: Draft, subject: Subject): void {
  if (subject.comesWith !== undefined) return;
  const ingredients = draft.ingredients(subject);
  if (ingredients === undefined) return;
  const { references } = subject.resource;
  const guessed = references.filter((each) => !isCertain(subject, each));
  const isGuessed = (name: string | undefined): boolean => guessed.some(({ property }) => property === name);
  for (const reference of ingredients.substitutions)
    if (!isGuessed(reference.path.at(-1))) toNobody(draft, ingredients, reference);
  crossed(draft, ingredients);
  for (const reference of references) {
    if (guessed.includes(reference)) continue;
    const target = draft.subjects().find(({ resource }) => resource.path === reference.to);
    if (target === undefined || target.comesWith !== undefined || reference.form !== 'key') continue;
    toGone(draft, subject, target);
  }
  changeToNobody(draft, subject);
}

/** A change that makes a thing refer to what nobody has, where the description of the change says that it is refused. */
function changeToNobody(draft: Draft, subject: Subject): void {
  const bindings = [subject.of('replace') ?? subject.of('upsert'), subject.of('update')];
  for (const binding of bindings.filter((each) => each !== undefined)) {
    const { responses } = binding.operation;
    const status = [400, 404, 409, 422].filter((each) => responses.has(String(each)));
    const { needs } = binding.said;
    const name = subject.resource.references.find(
      ({ form, property }) => form === 'key' && needs.has(property),
    )?.property;
    const made = name === undefined ? undefined : draft.ingredients(subject);
    if (made === undefined || name === undefined) continue;
    const thing = draft.make(made, 'setup', `add ${withArticle(draft.noun)} that keeps its ${name}`);
    const body = bodyToNobody(draft, thing, binding, name);
    const called = `change the ${draft.noun} to ${withArticle(name)} that nobody has`;
    if (body !== undefined) draft.addAt('steps', thing, binding, { name: called, body, status });
  }
}

/** A change of what a thing refers to; `undefined` where that has no place in it. */
function bodyToNobody(draft: Draft, made: MadeThing, binding: Binding, name: string): JsonValue | undefined {
  const own = made.substitutions.find(({ path }) => path.at(-1) === name)?.placeholder;
  const path = [...(binding.request?.path ?? []), name];
  const key = absentKey(draft.api, requestOf(binding), path);
  if (own === undefined || key === undefined) return undefined;
  const changed = draft.changeOf(withKey(made, own, key), binding)?.sent;
  return changed !== undefined && valueAlong(changed, path) === key ? changed : undefined;
}

/** The same with another key of what it refers to. */
function withKey<Made extends Ingredients>(made: Made, before: JsonValue, key: JsonValue): Made {
  const substitutions = made.substitutions.map((each) =>
    each.placeholder === before ? { ...each, placeholder: key } : each,
  );
  return { ...made, substitutions };
}

/** Is a property known to name a thing, and not by a name that may as well be a word? */
function isCertain({ create }: Subject, { property, isGuess }: PropertyReference): boolean {
  return isGuess !== true || create.said.needs.has(property);
}

/** How a creation refuses what names nobody; `undefined` where nothing says that it does. Statuses alone make no failure. */
function refusalOf(draft: Draft, { create, resource }: Subject, path: readonly string[]): JsonObject | undefined {
  const { responses, path: place } = create.operation;
  const documented = [400, 404, 409, 422].filter((each) => responses.has(String(each)));
  const own = path.slice(create.request?.path.length ?? 0);
  const learnt = draft.learnt.referencesOf(resource.path).find((each) => each.path.join() === own.join());
  const noun = foldedName(singularOf(learnt?.to.split('/').at(-1) ?? ''));
  const isSaid = learnt !== undefined && saysMissing(create.operation, [noun]);
  if (create.said.needs.has(own.join('/')) || isSaid) return { expect: { status: documented } };
  const isUnprocessable = responses.has('422') && responses.has('400');
  // On a path without variables nothing else could be missing.
  const isMissing = responses.has('404') && !place.includes('{');
  if (!isUnprocessable && !isMissing) return undefined;
  return { mayBeRefused: successStatuses(create.operation, [201, 200]), expect: { status: documented } };
}

function toNobody(draft: Draft, ingredients: Ingredients, { path, placeholder }: Substitution): void {
  const { subject } = ingredients;
  const refusal = refusalOf(draft, subject, path);
  const key = absentKey(draft.api, requestOf(subject.create), path);
  if (refusal === undefined || key === undefined) return;
  draft.add('steps', {
    name: `add ${withArticle(draft.noun)} whose ${path.join('.')} nobody has`,
    ...draft.beside(ingredients, subject.create),
    body: referringTo(ingredients, placeholder, key),
    ...refusal,
  });
}

/** A body that refers to something else. */
function referringTo(made: Ingredients, placeholder: JsonValue, key: JsonValue): JsonValue {
  return written(made.plain, withKey(made, placeholder, key).substitutions);
}

/** What was removed cannot be referred to any more. */
function toGone(draft: Draft, subject: Subject, target: Subject): void {
  const remove = target.of('remove');
  const [made, own] = [draft.ingredients(target), draft.ingredients(subject)];
  const needed = draft.needs(target.resource.path);
  if (remove === undefined || made === undefined || own === undefined || needed === undefined) return;
  // What it refers to, requests may have no property for.
  const place = own.substitutions.find(({ placeholder }) => placeholder === needed.key);
  const refusal = place && refusalOf(draft, subject, place.path);
  if (refusal === undefined) return;
  const noun = target.resource.name;
  const thing = draft.make(made, 'setup', `add ${withArticle(noun)} that is removed again`);
  draft.addAt('setup', thing, remove, { name: `remove the ${noun} again`, mayBeRefused: true });
  draft.add('steps', {
    name: `add ${withArticle(draft.noun)} of the ${noun} that was removed`,
    ...draft.beside(own, subject.create),
    body: referringTo(own, needed.key, thing.key),
    ...refusal,
  });
}

/** What something refers to, or stands below, is removed: refused, or done; then it is gone, and nothing leads there any more. */
export function addRemovalOfReferred(draft: Draft, subject: Subject): void {
  const reference = subject.resource.references.find((each) => each.form === 'key' && isCertain(subject, each));
  const made = subject.comesWith === undefined ? madeWithin(draft, subject, reference) : undefined;
  if (made === undefined) return;
  const { own, parent, remove } = made;
  const noun = inWords(parent.subject.resource.name);
  const child = draft.make(own, 'setup', `add ${withArticle(draft.noun)} of ${withArticle(noun)}`);
  const rule = remove.said.referrers.find(({ from }) => from === subject.resource.path);
  const change = rule && stepAfter(draft, child, rule);
  const isAll = rule?.effect === 'remove';
  // What was never seen may not have been what was removed.
  const before = { name: `read the ${draft.noun} before that`, mayBeRefused: true } as const;
  if (isAll || change !== undefined) draft.addAt('setup', child, child.subject.of('read'), before);
  draft.addAt('setup', parent, remove, {
    name: `remove the ${noun} of the ${draft.noun}`,
    mayBeRefused: reasonsToKeep(remove.operation),
  });
  // What may keep it from being removed is no step.
  const phase = remove.operation.responses.has('409') ? 'setup' : 'steps';
  if (change !== undefined) draft.addAt(phase, child, child.subject.of('read'), change);
  expectGone(draft, 'setup', parent, `the ${noun} is gone`);
  if (reference !== undefined && rule?.effect === 'keep') notReferring(draft, child, rule, parent.key);
  goneWith(draft, child, noun, isAll);
}

/** What refers to a thing of another kind, or stands below it, that thing, which can be read, and how it is removed. */
interface Within {
  readonly own: Ingredients;
  readonly parent: MadeThing;
  readonly remove: Binding;
}

/** The collection of what a thing refers to or stands below, but where what stands below may keep that from being removed. */
function pathAround(draft: Draft, { resource }: Subject, reference: PropertyReference | undefined): string | undefined {
  const path = resource.scope.at(-1)?.parent;
  if (reference !== undefined && reference.to !== path) return reference.to;
  const above = draft.subjects().find((each) => each.resource.path === path);
  return above?.of('remove')?.operation.responses.has('409') === true ? undefined : path;
}

function madeWithin(draft: Draft, subject: Subject, reference: PropertyReference | undefined): Within | undefined {
  const to = pathAround(draft, subject, reference);
  const own = to === undefined ? undefined : draft.ingredients(subject);
  if (own === undefined || to === undefined) return undefined;
  const parent = draft.needs(to);
  const remove = parent?.subject.of('remove');
  if (parent === undefined || remove === undefined || parent.subject.of('read') === undefined) return undefined;
  const named = [...own.substitutions.map(({ placeholder }) => placeholder), ...own.scope.values()];
  return named.includes(parent.key) ? { own, parent, remove } : undefined;
}

/** What stood below something that is gone is nowhere; what only refers to it, where words say so. */
function goneWith(draft: Draft, child: MadeThing, noun: string, isSaid: boolean): void {
  const name = `the ${draft.noun} is gone with the ${noun}`;
  if (isSaid) draft.addAt('steps', child, child.subject.of('read'), { name, status: GONE });
  // Of a path alone it is a custom.
  else if (child.subject.resource.scope.length > 0) expectGone(draft, 'steps', child, name);
}

/** The state that a thing must show then: the told one, or where states are named that end, any other one. */
function stepAfter(draft: Draft, child: MadeThing, { effect, state }: ReferrerRule): StepAt | undefined {
  const read = child.subject.of('read');
  const property = child.subject.resource.properties.get(state?.property ?? '');
  if (read === undefined || property === undefined || state?.to === undefined || effect !== 'change') return undefined;
  const words = stateWordsOf(viewOf(draft.api), property);
  const left = words.filter((each) => !state.among.includes(each));
  const shown = { [property.name]: left.length === 0 ? state.to : { $enum: left } };
  return { name: `the ${draft.noun} after that`, mayBeRefused: GONE, shown };
}

function notReferring(draft: Draft, child: MadeThing, { property, state }: ReferrerRule, key: JsonValue): void {
  const read = child.subject.of('read');
  const among = state === undefined ? {} : { [state.property]: { $enum: [...state.among] } };
  const shown = property && read && bodyWith(read, { [property]: key, ...among });
  if (read === undefined || !shown) return;
  draft.add('steps', {
    name: `the ${draft.noun} does not refer to what was removed`,
    ...draft.at(child, read),
    expect: { status: [...successStatuses(read.operation, [200]), 404, 410], body: { $not: shown } },
  });
}

/** The id of a thing of another kind leads to none of this kind, or to another one. */
function crossed(draft: Draft, ingredients: Ingredients): void {
  const { subject } = ingredients;
  const read = subject.of('read');
  const other = draft
    .subjects()
    .find(
      ({ resource, comesWith, create }) =>
        resource !== subject.resource &&
        comesWith === undefined &&
        resource.scope.length === 0 &&
        create !== subject.create,
    );
  const made = other === undefined ? undefined : draft.ingredients(other);
  if (read === undefined || made === undefined || subject.resource.scope.length > 0) return;
  const shown = shownOf(draft.api, made);
  const own = Object.fromEntries(
    Object.entries(shown).filter(([, value]) => typeof value === 'string' && value.includes('${runId}')),
  );
  if (Object.keys(own).length === 0 || keyType(draft, read) !== keyType(draft, other?.of('read'))) return;
  const thing = draft.make(made, 'setup', `add ${withArticle(made.subject.resource.name)} beside it`);
  const body = bodyWith(read, itemOf(subject.resource, thing.key, own));
  if (body === undefined) return;
  draft.add('steps', {
    name: `read ${withArticle(draft.noun)} by the id of ${withArticle(made.subject.resource.name)}`,
    ...draft.at({ subject, key: thing.key, scope: new Map() }, read),
    expect: { status: [...successStatuses(read.operation, [200]), 404, 410], body: { $not: body } as JsonObject },
  });
}

/** Of what type the key in a path is. */
function keyType({ api }: Draft, read: Binding | undefined): string | undefined {
  const schema = read?.operation.parameters.find(({ name }) => name === read.keyParameter)?.schema;
  return schema === undefined ? undefined : [...(samplerOf(api).nodeOf(schema, 'request').flat.types ?? [])].join();
}

/** What the description says that no two things have is refused the second time: an e-mail address, a name. */
export function addSecondOfKind(draft: Draft, subject: Subject): void {
  const { create } = subject;
  const { unique } = create.said;
  if (subject.comesWith !== undefined || unique === undefined) return;
  const [first, second] = [draft.ingredients(subject), draft.ingredients(subject)];
  const name = first && onlyOneOf(first, unique.names);
  if (first === undefined || second === undefined || name === undefined) return;
  const path = create.request?.path ?? [];
  const same = unique.names.reduce((body, each) => {
    const value = valueAlong(first.plain, [...path, each]);
    const isReference = second.substitutions.some((other) => other.path.at(-1) === each);
    return value === undefined || isReference ? body : withValue(body, [...path, each], value);
  }, second.plain);
  draft.make(first, 'setup', `add ${withArticle(draft.noun)} with a ${name} of its own`);
  draft.add('steps', {
    name: `add another ${draft.noun} with the same ${name}`,
    ...draft.beside(second, create),
    body: written(same, second.substitutions),
    ...secondOf(create, [201, 200]),
  });
  inCapitals(draft, second, [...path, name], same);
  changeToSame(draft, subject, { [name]: valueAlong(first.plain, [...path, name]) ?? null });
}

/** The same in capitals, where the description says that case does not count. */
function inCapitals(draft: Draft, second: Ingredients, path: readonly string[], same: JsonObject): void {
  const { create } = second.subject;
  const text = valueAlong(same, path);
  if (create.said.unique?.ignoresCase !== true || typeof text !== 'string') return;
  const parts = text.split(RUN_ID).map((each) => each.toUpperCase());
  const body = withValue(same, path, parts.join(RUN_ID));
  if (requestOf(create)?.accepts(body, 'request') !== true) return;
  draft.add('steps', {
    name: `add another ${draft.noun} with the same ${path.at(-1) ?? ''} in capitals`,
    ...draft.beside(second, create),
    body: written(body, second.substitutions),
    ...secondOf(create, [201, 200]),
  });
}

/** Nor becomes one like another by a change, where the description of that says so. */
function changeToSame(draft: Draft, subject: Subject, same: JsonObject): void {
  const update = subject.of('update');
  const [name = ''] = Object.keys(same);
  const body = update && along(update.request?.path ?? [], same);
  if (update === undefined || body === undefined || requestOf(update)?.accepts(body, 'request') !== true) return;
  const own = update.said.unique?.names.includes(name) === true ? draft.ingredients(subject) : undefined;
  if (own === undefined) return;
  const thing = draft.make(own, 'setup', `add ${withArticle(draft.noun)} with another ${name}`);
  draft.add('steps', {
    name: `change the ${draft.noun} to the ${name} of another one`,
    ...draft.at(thing, update),
    body: written(body, []),
    ...secondOf(update, [200, 204]),
  });
}

/** Words that name no status are read by a rule that may be wrong: a service that takes the second one is told of. */
function secondOf({ operation, said }: Binding, usual: readonly number[]): JsonObject {
  if (said.unique?.isCertain === true) return { expect: { status: [409] } };
  return { mayBeRefused: successStatuses(operation, usual), expect: { status: [409, 400, 422] } };
}

/** The one text of a body that no two things have; `undefined` where none, or several, are named. */
function onlyOneOf(
  { subject: { create }, plain, substitutions }: Ingredients,
  names: readonly string[],
): string | undefined {
  // What is different in each body: a name, an address.
  const [name, ...others] = names.filter((each) => {
    const value = valueAlong(plain, [...(create.request?.path ?? []), each]);
    return typeof value === 'string' && value.includes(RUN_ID);
  });
  const isReference = substitutions.some(({ path }) => path.at(-1) === name);
  return others.length > 0 || isReference ? undefined : name;
}

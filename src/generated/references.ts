import { isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../core/json/json-value';
import { foldedName, singularOf } from '../core/text/inflection';
import type { Operation } from '../openapi/model/operation';
import { samplerOf } from '../payload/sampler/sampler';
import type { Binding } from '../resources/model/binding';
import type { PropertyReference } from '../resources/model/resource';
import { inWords, withArticle } from '../traffic/contract/names';
import { withValue } from './altered-bodies';
import { absentKey, shownOf, type Substitution, written } from './bodies';
import type { Draft } from './draft';
import type { Ingredients, MadeThing } from './thing';
import { bodyWith, itemOf } from './expectations';
import { namesInWords } from './lesson-candidates';
import { RUN_ID } from './run-text';
import { saysUnique } from './sample-body';
import { reasonsToKeep, requestOf, type Subject, successStatuses } from './subject';

/** References to what nobody has, to what was removed, and to things of other kinds. */
export function addReferences(draft: Draft, subject: Subject): void {
  if (subject.comesWith !== undefined) return;
  const ingredients = draft.ingredients(subject);
  if (ingredients === undefined) return;
  const { references } = subject.resource;
  const guessed = references.filter((each) => each.isGuess === true && !saysNeeded(subject, each));
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
}

/** Says a creation that what a property names has to be there: "422 is answered when the vehicle does not exist"? */
function saysNeeded({ create: { operation } }: Subject, { to }: PropertyReference): boolean {
  const noun = singularOf(to.split('/').at(-1) ?? '');
  return `${operation.summary}. ${operation.description}`
    .split(/[.;]/)
    .some((each) => MISSING.test(each) && /\b4\d\d\b/.test(each) && namesInWords(each).has(foldedName(noun)));
}

const MISSING = /\b(?:not exist|unknown|no such|not (?:be )?found|not known|missing)\b/i;

/** With which a service may reject what refers to nothing; none where the description does not say that it does. */
function rejections({ responses, path }: Operation): number[] {
  const isUnprocessable = responses.has('422') && responses.has('400');
  // On a path without variables nothing else could be missing.
  const isMissing = responses.has('404') && !path.includes('{');
  const documented = [400, 404, 409, 422].filter((status) => responses.has(String(status)));
  return isUnprocessable || isMissing ? documented : [];
}

function toNobody(draft: Draft, ingredients: Ingredients, { path, placeholder }: Substitution): void {
  const { create } = ingredients.subject;
  const status = rejections(create.operation);
  const key = absentKey(draft.api, requestOf(create), path);
  if (status.length === 0 || key === undefined) return;
  draft.add('steps', {
    name: `add ${withArticle(draft.noun)} whose ${path.join('.')} nobody has`,
    ...draft.beside(ingredients, create),
    body: referringTo(ingredients, placeholder, key),
    expect: { status },
  });
}

/** A body that refers to something else. */
function referringTo({ plain, substitutions }: Ingredients, placeholder: JsonValue, key: JsonValue): JsonValue {
  return written(
    plain,
    substitutions.map((each) => (each.placeholder === placeholder ? { ...each, placeholder: key } : each)),
  );
}

/** What was removed cannot be referred to any more. */
function toGone(draft: Draft, subject: Subject, target: Subject): void {
  const status = rejections(subject.create.operation);
  const remove = target.of('remove');
  const [made, own] = [draft.ingredients(target), draft.ingredients(subject)];
  const needed = draft.needs(target.resource.path);
  if (status.length === 0 || remove === undefined || made === undefined || own === undefined || needed === undefined)
    return;
  // What it refers to, requests may have no property for.
  if (!own.substitutions.some(({ placeholder }) => placeholder === needed.key)) return;
  const noun = target.resource.name;
  const thing = draft.make(made, 'setup', `add ${withArticle(noun)} that is removed again`);
  draft.add('setup', {
    name: `remove the ${noun} again`,
    ...draft.at(thing, remove),
    mayBeRefused: true,
    expect: { status: successStatuses(remove.operation, [204, 200]) },
  });
  draft.add('steps', {
    name: `add ${withArticle(draft.noun)} of the ${noun} that was removed`,
    ...draft.beside(own, subject.create),
    body: referringTo(own, needed.key, thing.key),
    expect: { status },
  });
}

/** Says a removal that what is in a thing goes with it: "Delete a glossary and all its terms"? */
function saysAllGo({ operation: { summary, description } }: Binding, { resource }: Subject): boolean {
  const nouns = foldedName(resource.name);
  return [summary, description]
    .join('. ')
    .split(/[.;]/)
    .some(
      (each) =>
        ALL_ITS.test(each) &&
        !/\b(?:not|no|never|unless|keeps?|kept|stays?|remains?|only|without|if)\b/i.test(each) &&
        namesInWords(each.replace(/^.*?(?=\b(?:and|with|including)\b)/i, '')).has(nouns),
    );
}

const ALL_ITS = /\b(?:and|with|including) (?:all|everything|every|each|its|the|their)\b/i;

/** What something refers to, or stands below, is removed: refused, or done; then it is gone, and nothing leads there any more. */
export function addRemovalOfReferred(draft: Draft, subject: Subject): void {
  const reference = subject.resource.references.find(({ form, isGuess }) => form === 'key' && isGuess !== true);
  const made = subject.comesWith === undefined ? madeWithin(draft, subject, reference) : undefined;
  if (made === undefined) return;
  const { own, parent, remove, read } = made;
  const noun = inWords(parent.subject.resource.name);
  const child = draft.make(own, 'setup', `add ${withArticle(draft.noun)} of ${withArticle(noun)}`);
  draft.add('setup', {
    name: `remove the ${noun} of the ${draft.noun}`,
    ...draft.at(parent, remove),
    mayBeRefused: reasonsToKeep(remove.operation),
    expect: { status: successStatuses(remove.operation, [204, 200]) },
  });
  draft.add('setup', {
    name: `the ${noun} is gone`,
    ...draft.at(parent, read),
    mayBeRefused: successStatuses(read.operation, [200]),
    expect: { status: [404, 410] },
  });
  // Where no conflict is documented, nobody says that what refers to it keeps it.
  if (reference !== undefined && remove.operation.responses.has('409'))
    notReferring(draft, child, { [reference.property]: parent.key });
  goneWith(draft, child, noun, saysAllGo(remove, subject));
}

/** What refers to a thing of another kind, or stands below it, that thing, and how it is removed and read. */
interface Within {
  readonly own: Ingredients;
  readonly parent: MadeThing;
  readonly remove: Binding;
  readonly read: Binding;
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
  const [remove, read] = [parent?.subject.of('remove'), parent?.subject.of('read')];
  if (parent === undefined || remove === undefined || read === undefined) return undefined;
  const named = [...own.substitutions.map(({ placeholder }) => placeholder), ...own.scope.values()];
  return named.includes(parent.key) ? { own, parent, remove, read } : undefined;
}

/** What stood below something that is gone is nowhere; what only refers to it, where words say so. */
function goneWith(draft: Draft, child: MadeThing, noun: string, isSaid: boolean): void {
  const read = child.subject.of('read');
  if (read === undefined || (!isSaid && child.scope.size === 0)) return;
  draft.add('steps', {
    name: `the ${draft.noun} is gone with the ${noun}`,
    ...draft.at(child, read),
    // Of a path alone it is a custom.
    ...(isSaid ? {} : { mayBeRefused: successStatuses(read.operation, [200]) }),
    expect: { status: [404, 410] },
  });
}

function notReferring(draft: Draft, child: MadeThing, reference: JsonObject): void {
  const read = child.subject.of('read');
  const shown = read && bodyWith(read, reference);
  if (read === undefined || shown === undefined) return;
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
  const { names, isCertain } = saysUnique(create);
  if (subject.comesWith !== undefined || names.size === 0) return;
  const [first, second] = [draft.ingredients(subject), draft.ingredients(subject)];
  const name = first && onlyOneOf(first);
  if (first === undefined || second === undefined || name === undefined) return;
  const path = [...(create.request?.path ?? []), name];
  const same = withValue(second.plain, path, valueAlong(first.plain, path) ?? null);
  draft.make(first, 'setup', `add ${withArticle(draft.noun)} with a ${name} of its own`);
  draft.add('steps', {
    name: `add another ${draft.noun} with the same ${name}`,
    ...draft.beside(second, create),
    body: written(same, second.substitutions),
    // Words are read by a rule that may be wrong: a service that takes it is told of, and does not fail.
    mayBeRefused: successStatuses(create.operation, [201, 200]),
    expect: { status: isCertain ? [409] : [409, 400, 422] },
  });
}

/** The one text of a body that no two things have; `undefined` where none, or several, are named. */
function onlyOneOf({ subject: { create, resource }, plain, substitutions }: Ingredients): string | undefined {
  const item = valueAlong(plain, create.request?.path ?? []);
  const { names } = saysUnique(create);
  // What is different in each body: a name, an address.
  const texts = Object.entries(isJsonObject(item) ? item : {}).filter(
    ([, value]) => typeof value === 'string' && value.includes(RUN_ID),
  );
  const [name, ...others] = texts.map(([each]) => each).filter((each) => names.has(foldedName(each)));
  const isReference = substitutions.some(({ path }) => path.at(-1) === name);
  return others.length > 0 || isReference || name === resource.key.name ? undefined : name;
}

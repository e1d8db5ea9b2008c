import { pointerTo } from '../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, pickProperties, valueAlong } from '../core/json/json-value';
import { wordsOf } from '../core/text/inflection';
import type { Binding } from '../resources/model/binding';
import { withArticle } from '../traffic/contract/names';
import type { Draft } from './draft';
import type { MadeThing, StepAt, Thing } from './thing';
import { shownOf, UNKNOWN, written } from './bodies';
import { along, bodyWith, hasEntry, hasNoEntry, itemOf, longestPage } from './expectations';
import { ask } from './list-reads';
import { doneStatuses, GONE, reasonsOfState, reasonsToKeep, requestOf, type Subject, successStatuses } from './subject';
import { pathWith } from './parameters';
import { inFull } from './rejections';
import { isAddress } from './sample-body';
import { RUN_ID } from './run-text';

/** A thing is made, and is there: read, listed, and nothing else is another because of it. */
export function addCreation(draft: Draft, subject: Subject): void {
  const first = draft.ingredients(subject);
  if (first === undefined) return;
  const { noun } = draft;
  const neighbour = draft.make(first, 'setup', `add ${withArticle(noun)} beside it`);
  const second = draft.ingredients(subject);
  if (second === undefined) return;
  const { own, exact } = inFull(draft, second);
  const place = placeOf(subject) === undefined ? undefined : draft.freeName(`place of the ${noun}`);
  const thing = draft.make(own, 'steps', undefined, {
    mayBeRefused: reasonsOfState(subject.create.operation),
    capture: place === undefined ? {} : { [place]: placeOf(subject) ?? {} },
    isLookedFor: true,
    shown: exact,
  });
  const shown = { ...shownOf(draft.api, own), ...exact };
  read(draft, thing, `read the ${noun}`, shown);
  if (place !== undefined) atPlace(draft, thing, place);
  list(draft, thing);
  // `list-like-item` compares the list with what is the same before and after it.
  if (subject.of('list') !== undefined) read(draft, thing, `read the ${noun} after the list`, shown);
  read(draft, neighbour, `the other ${noun} is as it was`, shownOf(draft.api, first));
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
      mayBeRefused: reasonsToKeep(binding.operation),
      expect: { status: successStatuses(binding.operation, [200, 204]) },
    };
    draft.add('setup', { name: `${behaviour === 'replace' ? 'replace' : 'change'} the ${noun}`, ...step });
    // What was not sent in a part stays.
    const shown = behaviour === 'replace' ? body.shown : { ...shownOf(draft.api, ingredients), ...body.shown };
    read(draft, thing, `read the ${noun} as it is now`, shown);
    if (behaviour === 'replace') {
      // A PUT that was done can be done again (RFC 9110 §9.2.2), unless it is about a version that is over.
      const refusals = step.mayBeRefused.filter((each) => binding.operation.responses.has(String(each)));
      const again = { ...step, mayBeRefused: refusals };
      draft.add('steps', { name: `replace the ${noun} once more: nothing else comes of it`, ...again });
      read(draft, thing, `read the ${noun} again`, shown);
    }
    list(draft, thing);
    if (behaviour === 'replace') replaceByLess(draft, thing, binding, body.sent);
  };
}

/** A PUT of what is required alone: the rest is gone (RFC 9110 §9.3.4), as `removed-values` sees. */
function replaceByLess(draft: Draft, thing: MadeThing, binding: Binding, sent: JsonObject): void {
  const schema = requestOf(binding);
  const root = binding.request?.path ?? [];
  const [plain, written] = [valueAlong(draft.changeOf(thing, binding)?.plain, root), valueAlong(sent, root)];
  if (schema === undefined || !isJsonObject(plain) || !isJsonObject(written)) return;
  const least = Object.keys(plain).reduce<JsonObject>((left, name) => {
    const rest = pickProperties(left, (each) => each !== name);
    const isLeft = name === draft.learnt.namingOf(thing.subject.resource.path) || (isOfRun(left) && !isOfRun(rest));
    return !isLeft && schema.accepts(along(root, rest), 'request') ? rest : left;
  }, plain);
  if (Object.keys(least).length === Object.keys(plain).length) return;
  const name = `replace the ${draft.noun} by what is required alone`;
  const rest = pickProperties(written, (each) => Object.hasOwn(least, each));
  draft.addAt('steps', thing, binding, { name, body: along(root, rest), mayBeRefused: true });
  read(draft, thing, `read the ${draft.noun} without the rest`, {});
}

/** Does a text of a thing show that the run made it? */
function isOfRun(item: JsonObject): boolean {
  return Object.values(item).some((value) => typeof value === 'string' && value.includes(RUN_ID));
}

/** More of them say nothing new. */
const MOST_PARTS = 4;
/** May a thing lose a property: is it not its name, and not what shows that the run made it? */
function mayGo({ learnt }: Draft, { subject }: MadeThing, name: string, value: JsonValue): boolean {
  return name !== learnt.namingOf(subject.resource.path) && !(typeof value === 'string' && value.includes(RUN_ID));
}

/** Members of a thing in which an object is looked for. */
const MOST_MEMBERS = 20;
/** Of those that null takes away. */
const MOST_NULLS = 2;

/** Null takes an optional property away (RFC 7396 §2), as `removed-values` sees. */
function takeAway(draft: Draft, thing: MadeThing, binding: Binding): void {
  const schema = requestOf(binding);
  const root = binding.request?.path ?? [];
  const made = valueAlong(thing.plain, thing.subject.create.request?.path ?? []);
  if (schema === undefined || !isJsonObject(made)) return;
  const names = Object.entries(made).flatMap(([name, value]) =>
    mayGo(draft, thing, name, value) && schema.accepts(along(root, { [name]: null }), 'request') ? [name] : [],
  );
  for (const name of names.slice(0, MOST_NULLS)) {
    const body = along(root, { [name]: null });
    draft.addAt('steps', thing, binding, {
      name: `take ${name} away from the ${draft.noun}`,
      body,
      mayBeRefused: true,
    });
    read(draft, thing, `read the ${draft.noun} without ${name}`, {});
  }
}

/** A change of one property leaves the others as they are, and so does one of what nobody declares. */
export function addPartialChanges(draft: Draft, subject: Subject): void {
  const binding = subject.of('update');
  const ingredients = binding === undefined ? undefined : draft.ingredients(subject);
  if (binding === undefined || ingredients === undefined || subject.comesWith !== undefined) return;
  const thing = draft.make(ingredients, 'setup');
  const rest = { ...shownOf(draft.api, ingredients) };
  const parts = partsOf(draft, thing, binding);
  const called = namesOfOwn(draft, binding, parts);
  for (const { name, plain, value } of parts) {
    // Whether it was refused is not known when the thing is read.
    Reflect.deleteProperty(rest, name);
    const isKnown = name !== UNKNOWN;
    draft.addAt('steps', thing, binding, {
      name: isKnown ? `change ${name} of the ${draft.noun}` : `change what no ${draft.noun} has`,
      body: along(binding.request?.path ?? [], { [name]: value }),
      mayBeRefused: [...(isReadSo(draft, subject, name, plain) ? [] : [400, 422]), ...reasonsToKeep(binding.operation)],
      ...captureOf(binding, name, called.get(name)),
    });
    read(draft, thing, `the rest of the ${draft.noun} is as it was`, { ...rest });
  }
  keepOwn(draft, thing, binding, called);
  if (isMergePatch(binding)) {
    changeWithin(draft, thing, binding);
    takeAway(draft, thing, binding);
  }
}

/** What a step captures of a property that its response shows. */
function captureOf({ response }: Binding, name: string, called: string | undefined): Pick<StepAt, 'capture'> {
  if (called === undefined) return {};
  return { capture: { [called]: `$response.body#${pointerTo([...(response?.path ?? []), name])}` } };
}

/** Names for what only one thing has, and for something beside it, as responses to changes show them; none without both. */
function namesOfOwn(draft: Draft, binding: Binding, parts: readonly Part[]): ReadonlyMap<string, string> {
  const shownThen = parts.filter(({ name }) => isShownBy(draft, binding, name));
  const own = shownThen.find(({ name, plain }) => isAddress(name, plain))?.name;
  const other = shownThen.find(({ name }) => name !== own)?.name;
  return new Map(
    own === undefined || other === undefined
      ? []
      : [own, other].map((each) => [each, draft.freeName(`${each} of the ${draft.noun}`)]),
  );
}

/** Has each response to a change the property? */
function isShownBy({ api }: Draft, { response }: Binding, name: string): boolean {
  const item = response?.form === 'item' ? response.item : undefined;
  return item !== undefined && api.propertiesOf(item).get(name)?.required === true;
}

/** What only one thing has may be in a change of it; where it or what is beside it was refused nothing is sent. */
function keepOwn(draft: Draft, thing: MadeThing, binding: Binding, called: ReadonlyMap<string, string>): void {
  const root = binding.request?.path ?? [];
  const changed = valueAlong(draft.changeOf(thing, binding)?.plain, root);
  const plain = pickProperties(isJsonObject(changed) ? changed : {}, (name) => called.has(name));
  if (called.size === 0 || requestOf(binding)?.accepts(along(root, plain), 'request') !== true) return;
  draft.addAt('steps', thing, binding, {
    name: `change the ${draft.noun}, and keep its ${[...called.keys()].join(' and ')}`,
    body: along(root, Object.fromEntries([...called].map(([name, own]) => [name, `\${${own}}`]))),
  });
}

/** What a thing was made with: as it is checked, and as the contract has it. */
function madeOf({ plain, substitutions, subject }: MadeThing): readonly [JsonObject, JsonObject] {
  const root = subject.create.request?.path ?? [];
  const [own, sent] = [valueAlong(plain, root), valueAlong(written(plain, substitutions), root)];
  return isJsonObject(own) && isJsonObject(sent) ? [own, sent] : [{}, {}];
}

function isMergePatch({ operation }: Binding): boolean {
  return operation.requestBody?.mediaTypes.includes('application/merge-patch+json') === true;
}

/** A change of one member of an object leaves the others (RFC 7396 §2), as `removed-values` sees. */
function changeWithin(draft: Draft, thing: MadeThing, binding: Binding): void {
  const schema = requestOf(binding);
  const root = binding.request?.path ?? [];
  const [plain, made] = madeOf(thing);
  for (const [name, object] of Object.entries(plain).slice(0, MOST_MEMBERS)) {
    const [inner = '', ...others] = isJsonObject(object) ? Object.keys(object) : [];
    const [before, value] = [plain, made].map((item) => valueAlong(item, [name, inner]));
    const body = (part: JsonValue): JsonValue => along(root, { [name]: { [inner]: part } });
    if (before === undefined || value === undefined || typeof value === 'object' || others.length === 0) continue;
    if (schema?.accepts(body(before), 'request') !== true) continue;
    const called = `change ${inner} of the ${name} of the ${draft.noun}`;
    draft.addAt('steps', thing, binding, { name: called, body: body(value), mayBeRefused: true });
    read(draft, thing, `read the ${draft.noun} with the rest of its ${name}`, {});
  }
}

/** May a thing be read with such a value? Where requests name a branch and readers see all of it, the branch has to be there. */
function isReadSo({ api }: Draft, { resource }: Subject, name: string, value: JsonValue): boolean {
  const property = resource.properties.get(name);
  if (name === UNKNOWN) return false;
  return property === undefined || api.schemaAt(property.pointer)?.accepts(value, 'response') !== false;
}

/** A property, and its value: as it is checked, and as a contract has it. */
interface Part {
  readonly name: string;
  readonly plain: JsonValue;
  readonly value: JsonValue;
}

/** Properties that a change may have alone, as far as the schema lets it, with other values than a thing was made with. */
export function partsOf(draft: Draft, thing: MadeThing, binding: Binding): Part[] {
  const schema = requestOf(binding);
  const root = binding.request?.path ?? [];
  const changed = draft.changeOf(thing, binding);
  const [plain, sent] = [valueAlong(changed?.plain, root), valueAlong(changed?.sent, root)];
  if (schema === undefined || !isJsonObject(plain) || !isJsonObject(sent)) return [];
  return Object.entries({ [UNKNOWN]: 'unknown', ...plain })
    .filter(([name, value]) => schema.accepts(along(root, { [name]: value }), 'request'))
    .slice(0, MOST_PARTS + 1)
    .map(([name, plain]) => ({ name, plain, value: sent[name] ?? plain }));
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
  draft.addAt('setup', thing, binding, { name: `remove the ${noun}`, mayBeRefused: reasonsToKeep(binding.operation) });
  expectTold(draft, thing, binding);
  const reading = subject.of('read');
  // What is marked as removed may be there. That nothing came of the removal is seen by the checks of a whole run.
  expectGone(draft, 'setup', thing, `the ${noun} is gone`);
  list(draft, thing, true);
  // Asked twice, so that one failure can be compared with the other.
  draft.addAt('steps', thing, reading, { name: `the ${noun} is still gone`, status: GONE });
  const again = [...new Set([...doneStatuses(binding), ...GONE])];
  draft.addAt('steps', thing, binding, { name: `remove the ${noun} again`, status: again });
  for (const behaviour of ['replace', 'update'] as const) {
    const change = subject.of(behaviour);
    const body = change === undefined ? undefined : draft.changeOf(thing, change);
    if (change === undefined || body === undefined || mayMakeAgain(change)) continue;
    const name = `change the removed ${noun} (${behaviour})`;
    draft.addAt('steps', thing, change, { name, body: body.sent, status: GONE });
  }
  read(draft, neighbour, `the other ${noun} is as it was`, shownOf(draft.api, first));
  list(draft, neighbour);
}

/** What may still be read when it is removed: as far as the description says so, lists leave it out and a change is refused. */
function expectTold(draft: Draft, thing: MadeThing, { operation }: Binding): void {
  const verbs = [operation.id, operation.summary, operation.description].map((text) => wordsOf(text)[0] ?? '');
  const stems = verbs.flatMap((verb) => /^[a-z]{4,}/i.exec(verb.replace(/(?:es|e|s)$/, '')) ?? []);
  const removed = new RegExp(
    `\\b(?:${[...stems.map((stem) => `${stem}\\w*d`), 'deleted', 'removed'].join('|')})\\b`,
    'i',
  );
  const { subject } = thing;
  if (successStatuses(operation, [204]).includes(202)) return;
  if (
    clausesOf(subject.of('list'), /[.;,\n]/).some(
      (each) => removed.test(each) && LEFT_OUT.test(each) && !DEPENDS.test(each),
    )
  )
    list(draft, thing, true, 'setup');
  const change = subject.of('update');
  const body = change === undefined ? undefined : draft.changeOf(thing, change);
  const isRefused = clausesOf(change, /[.;\n]/).some(
    (each) => removed.test(each) && /\b4\d\d\b|\bconflict/i.test(each) && !/\b(?:not|unless|except|only)\b/i.test(each),
  );
  if (change === undefined || body === undefined || !isRefused) return;
  draft.addAt('setup', thing, change, {
    name: `change the removed ${draft.noun}, which is refused`,
    body: body.sent,
    status: [400, 403, 404, 409, 410, 412, 422],
  });
}

const LEFT_OUT = /(?<!\bnot )\b(?:left out|hidden|excluded|omitted)\b|\bnot (?:shown|listed|returned|included)\b/i;
const DEPENDS = /\b(?:if|when|where|with|by|only|may|can)\b/i;

function clausesOf(binding: Binding | undefined, end: RegExp): string[] {
  const { summary, description } = binding?.operation ?? {};
  return [summary, description]
    .filter((text) => text !== undefined)
    .join('. ')
    .split(end);
}

/** A PUT may make what is not there (RFC 9110 §9.3.4), unless the description says that it answers 404 or 410. */
function mayMakeAgain({ operation: { method, responses } }: Binding): boolean {
  return method === 'PUT' && !responses.has('404') && !responses.has('410');
}

/**
 * What the `Location` of a new thing says of its key (RFC 9110 §15.3.2); `undefined` where the description has no such
 * header, or the key is not the end of its path.
 */
function placeOf({ create, of, comesWith }: Subject): JsonObject | undefined {
  const read = of('read');
  const headers = [...(create.operation.responses.get('201')?.headers.keys() ?? [])];
  const isAtEnd =
    read?.keyParameter !== undefined && /\{([^{}]+)\}\/?$/.exec(read.operation.path)?.[1] === read.keyParameter;
  if (!isAtEnd || comesWith !== undefined || !headers.some((name) => /^location$/i.test(name))) return undefined;
  // With the name of the collection before it, in any form of it that the description has: `ref` and `refs`.
  const items = [read, of('replace'), of('update'), of('remove')].flatMap((each) => each?.operation.path ?? []);
  const segments = (path: string): string[] => path.replace(/\/$/, '').split('/');
  const before = [...items.map((path) => segments(path).at(-2)), segments(create.operation.path).at(-1)];
  const names = [...new Set(before.filter((name) => name !== undefined))];
  const collection = names.every((name) => /^[\w-]+$/.test(name)) ? `(?:${names.join('|')})/` : '';
  return { from: '$response.header.Location', pattern: `(?:^|/)${collection}([^/?#]+)/?$` };
}

/** Reads a thing at the end of its `Location`, as it was written there. */
function atPlace(draft: Draft, thing: MadeThing, place: string): void {
  const binding = thing.subject.of('read');
  const path = binding && pathWith(binding.operation, draft.at({ ...thing, key: `\${${place}}` }, binding));
  if (binding === undefined || path === undefined) return;
  const body = bodyWith(binding, itemOf(thing.subject.resource, thing.key));
  draft.add('steps', {
    name: `the Location of the ${draft.noun} leads to it`,
    method: 'GET',
    path,
    expect: { status: successStatuses(binding.operation, [200]), ...(body === undefined ? {} : { body }) },
  });
}

export function read(draft: Draft, thing: Thing, name: string, shown: JsonObject): void {
  const { of, resource } = thing.subject;
  draft.addAt('steps', thing, of('read'), { name, shown: itemOf(resource, thing.key, shown) });
}

/** Where the look finds what was removed nothing is said of it. */
export function expectGone(draft: Draft, phase: 'setup' | 'steps', thing: Thing, name: string): void {
  const reading = thing.subject.of('read');
  const mayBeRefused = reading && doneStatuses(reading);
  draft.addAt(phase, thing, reading, { name, ...(mayBeRefused && { mayBeRefused }), status: GONE });
}

export function list(draft: Draft, thing: MadeThing, isGone = false, phase: 'setup' | 'steps' = 'steps'): void {
  const binding = thing.subject.of('list');
  const item = itemOf(thing.subject.resource, thing.key);
  if (binding?.response?.form !== 'list' || item === undefined) return;
  const page = longestPage(draft.api, binding);
  const matcher = isGone ? hasNoEntry(binding, item) : page && hasEntry(binding, item, page);
  const name = `the ${draft.noun} is in the list${isGone ? ' no more' : ''}`;
  const asked = { matcher, isAwaited: true, phase };
  if (matcher !== undefined) ask({ draft, list: binding, at: thing, made: 0 }, name, { ...page?.parameters }, asked);
}

import type { JsonObject, JsonValue } from '../core/json/json-value';
import { isSafe } from '../core/http/message';
import { scalarText } from '../core/json/stringify-json';
import type { Operation, Parameter } from '../openapi/model/operation';
import type { Behaviour, Binding } from '../resources/model/binding';
import { drawKey, WIDE } from '../payload/sampler/drawn-key';
import { inWords, withArticle } from '../traffic/contract/names';
import { literal } from '../traffic/contract/run-names';
import type { Draft } from './draft';
import type { MadeThing, Thing } from './thing';
import { absentKey, withOwnName, written } from './bodies';
import { addConditionalReads, addFailedConditions, addNegotiation } from './conditions';
import { type Kind, isSubject, reasonsOfState, refusals, requestOf, successStatuses } from './subject';
import { confirmed } from './observations';
import type { OwnKeys } from './own-keys';
import { flatOf, parameterValue, pathWith } from './parameters';

/** What HTTP itself asks of every service: HEAD beside GET, methods, types, negotiation, conditions, and ids that nobody has. */
export function addProtocol(draft: Draft, kind: Kind): void {
  if (!isSubject(kind)) {
    const found = draft.lookUp(kind.resource.path);
    if (found === undefined) return;
    heads(draft, found);
    options(draft, found);
    unknownIds(draft, found, ['read']);
    repeatedParameter(draft, found);
    const readable = confirmed(draft, found);
    if (readable === undefined) return;
    addConditionalReads(draft, readable);
    addNegotiation(draft, readable);
    return;
  }
  const ingredients = draft.ingredients(kind);
  if (ingredients === undefined) return;
  const thing = draft.make(ingredients, 'setup');
  heads(draft, thing);
  changes(draft, thing);
  options(draft, thing);
  unknownIds(draft, thing, ['read', 'remove']);
  unknownChanges(draft, thing);
  belowAnother(draft, thing);
  addConditionalReads(draft, thing);
  addNegotiation(draft, thing);
  repeatedParameter(draft, thing);
  if (kind.comesWith === undefined) {
    otherTypes(draft, thing);
    untyped(draft, thing);
    otherMethods(draft, thing);
  }
  addFailedConditions(draft, thing);
}

/** The paths of a thing and of the list that it is in, as far as nothing else is needed to ask there. */
function placesOf(
  draft: Draft,
  thing: Thing,
): { readonly binding: Binding; readonly path: string; readonly words: string }[] {
  return (['read', 'list'] as const).flatMap((behaviour) => {
    const binding = thing.subject.of(behaviour);
    if (binding === undefined) return [];
    const request = behaviour === 'read' ? draft.at(thing, binding) : draft.beside(thing, binding);
    const path = pathWith(binding.operation, request);
    const words = behaviour === 'read' ? `the ${draft.noun}` : 'the list';
    return path === undefined ? [] : [{ binding, path, words }];
  });
}

/**
 * HEAD is GET without the body (RFC 9110 §9.3.2); where the description has it not, it may be missing. The same GET is sent
 * before and after it: `head-like-get` compares them.
 */
function heads(draft: Draft, thing: Thing): void {
  for (const { binding, path, words } of placesOf(draft, thing)) {
    // Of what nobody made, a GET may find nothing either.
    const absent = isSubject(thing.subject) ? [] : [404];
    const status = [...successStatuses(binding.operation, [200]), ...absent];
    const get = { method: 'GET', path, expect: { status } };
    draft.add('steps', { name: `GET of ${words}, before HEAD`, ...get });
    draft.add('steps', { name: `HEAD of ${words}`, method: 'HEAD', path, expect: { status: [...status, 405, 501] } });
    draft.add('steps', { name: `GET of ${words}, after HEAD`, ...get });
  }
}

/** What is changed takes the method: `allow-complete` looks whether OPTIONS says so. */
function changes(draft: Draft, thing: MadeThing): void {
  for (const behaviour of ['replace', 'update'] as const) {
    const binding = thing.subject.of(behaviour);
    const body = binding === undefined ? undefined : draft.changeOf(thing, binding);
    if (binding === undefined || body === undefined) continue;
    const name = `change the ${draft.noun} (${behaviour}), before OPTIONS`;
    draft.addAt('steps', thing, binding, { name, body: body.sent, mayBeRefused: true });
  }
}

/** Which methods there are (RFC 9110 §9.3.7); a service need not say. Where the description has it, it is asked elsewhere. */
function options(draft: Draft, thing: Thing): void {
  for (const { binding, path, words } of placesOf(draft, thing)) {
    const { operations } = draft.api;
    if (operations.some((each) => each.method === 'OPTIONS' && each.path === binding.operation.path)) continue;
    const status = [200, 204, 401, 403, 404, 405, 501];
    draft.add('steps', { name: `OPTIONS of ${words}`, method: 'OPTIONS', path, expect: { status } });
  }
}

/** Two values of a parameter that has one: the service takes one of them or rejects the request, and does not fail. */
function repeatedParameter(draft: Draft, thing: Thing): void {
  const list = placesOf(draft, thing).find(({ binding }) => binding.behaviour === 'list');
  if (list === undefined) return;
  const { operation } = list.binding;
  for (const parameter of operation.parameters.filter((each) => each.in === 'query')) {
    const { types, values } = flatOf(draft.api, parameter);
    const isOne = ['integer', 'number', 'boolean', 'string'].some((type) => types?.has(type as 'string'));
    const value = parameterValue(draft.api, parameter, 'repeated');
    if (!isOne || types?.has('array') === true || (typeof value !== 'number' && values === undefined)) continue;
    const pair = `${encodeURIComponent(parameter.name)}=${encodeURIComponent(scalarText(value ?? ''))}`;
    draft.add('steps', {
      name: `list with ${parameter.name} twice`,
      method: 'GET',
      path: `${list.path}?${pair}&${pair}`,
      expect: { status: [...successStatuses(operation, [200]), 400, 404, 422] },
    });
    return;
  }
}

/** An id that nobody has: not found, whatever is asked of it; one that is none is rejected. */
function unknownIds(draft: Draft, thing: Thing, behaviours: readonly Behaviour[], body: JsonObject = {}): void {
  for (const behaviour of behaviours) {
    const binding = thing.subject.of(behaviour);
    const parameter = binding?.operation.parameters.find(
      ({ in: place, name }) => place === 'path' && name === binding.keyParameter,
    );
    if (binding === undefined || parameter === undefined || !knowsAbsence(binding.operation)) continue;
    for (const { words, value, status, ...more } of otherIds(draft, parameter, binding.operation)) {
      const step = { ...draft.at({ ...thing, key: value as string }, binding), ...body, ...more, expect: { status } };
      const name = `${behaviour} ${withArticle(draft.noun)} ${words}`;
      draft.add('steps', { name, ...step });
      if (behaviour !== 'read') continue;
      // HEAD is GET without the body (RFC 9110 §9.3.2).
      const path = pathWith(binding.operation, step);
      const head = { method: 'HEAD', path: path ?? '', expect: { status: [...status, 405, 501] } };
      if (path !== undefined) draft.add('steps', { name: `HEAD of ${withArticle(draft.noun)} ${words}`, ...head });
      // The same refusal has the same code: `code-stable` compares them.
      draft.add('steps', { name: `${name}, again`, ...step });
    }
  }
}

/** What is in one thing is not in another one of that kind. */
function belowAnother(draft: Draft, thing: MadeThing): void {
  const read = thing.subject.of('read');
  const { name, parent } = thing.subject.resource.scope.at(-1) ?? {};
  const above = draft.subjects().find(({ resource }) => resource.path === parent);
  if (read === undefined || name === undefined || above === undefined || !knowsAbsence(read.operation)) return;
  const own = above.comesWith === undefined && above.leaves === undefined ? draft.ingredients(above) : undefined;
  if (own === undefined) return;
  const noun = inWords(above.resource.name);
  const other = draft.make(own, 'setup', `add ${withArticle(noun)} that it is not in`);
  const below = { ...thing, scope: new Map([...thing.scope, [name, other.key]]) };
  const status = [400, 403, 404, 410];
  draft.addAt('steps', below, read, { name: `read the ${draft.noun} below another ${noun}`, status });
}

/** Changes of things with such an id. */
function unknownChanges(draft: Draft, thing: MadeThing): void {
  for (const behaviour of ['replace', 'update'] as const) {
    const binding = thing.subject.of(behaviour);
    const body = binding === undefined ? undefined : draft.changeOf(thing, binding);
    if (body !== undefined) unknownIds(draft, thing, [behaviour], { body: body.sent });
  }
}

/** Does the description say that something may not be there? */
function knowsAbsence({ responses }: Operation): boolean {
  return ['404', '410', '4XX', 'default'].some((status) => responses.has(status));
}

interface OtherId {
  readonly words: string;
  readonly value: JsonValue;
  readonly status: number[];
  /** May something be there all the same? */
  readonly mayBeRefused?: number[];
}

/** Of so many keys nobody has one that was drawn. */
const SURELY_UNUSED = 1e12;

/** An id by its pattern. Of few that there are somebody may have any. */
function drawnIds(ownKeys: OwnKeys, schema: Parameter['schema'], operation: Operation): OtherId[] {
  const accepts = (value: JsonValue): boolean => schema?.accepts(value, 'request') === true;
  const drawn = schema && drawKey({ value: schema.value, accepts }, ownKeys.runId, 'absent');
  if (drawn === undefined || !(drawn.isOfRun || drawn.space >= WIDE)) return [];
  const known = { words: 'that nobody has', value: literal(drawn.value), status: [404, 410] };
  if (drawn.isOfRun || drawn.space >= SURELY_UNUSED) return [known];
  return isSafe(operation.method) ? [{ ...known, mayBeRefused: successStatuses(operation, [200]) }] : [];
}

function otherIds({ api, ownKeys }: Draft, { schema }: Parameter, operation: Operation): OtherId[] {
  const gone = [404, 410];
  const value = absentKey(api, schema);
  if (value === undefined) return drawnIds(ownKeys, schema, operation);
  const unknown = { words: 'that nobody has', value, status: gone };
  if (typeof value === 'string') return [unknown];
  const rejected = refusals(operation).length > 0 ? refusals(operation) : [400, 422];
  return [
    unknown,
    { words: 'whose id is a word', value: 'abc-${runId}', status: [...new Set([...rejected, ...gone])] },
  ];
}

/** A body of another type than JSON is rejected (RFC 9110 §15.5.16). */
function otherTypes(draft: Draft, thing: MadeThing): void {
  const { create } = thing.subject;
  const { operation } = create;
  const types = operation.requestBody?.mediaTypes ?? [];
  if (types.some((type) => type.includes('*') || /text|xml|form/.test(type))) return;
  const status = operation.responses.has('415') ? [415] : [415, 400, 422];
  draft.add('steps', {
    name: `add ${withArticle(draft.noun)} as plain text`,
    ...draft.beside(thing, create),
    headers: { 'Content-Type': 'text/plain' },
    text: JSON.stringify(written(thing.plain, thing.substitutions)),
    expect: { status },
  });
}

/** A body of which nobody says what it is may be looked into (RFC 9110 §8.3), or rejected. */
function untyped(draft: Draft, thing: MadeThing): void {
  const schema = requestOf(thing.subject.create);
  if (schema === undefined) return;
  draft.make(
    { ...thing, plain: withOwnName(schema, thing.plain, 50) },
    'steps',
    `add ${withArticle(draft.noun)} without a Content-Type`,
    {
      orRefused: [400, 415, 422, ...reasonsOfState(thing.subject.create.operation)],
      more: { headers: { 'Content-Type': null } },
    },
  );
}

/**
 * A method that the description does not have is rejected, and the response says which there are (RFC 9110 §15.5.6).
 * A list gets none: it may know changes of all its items that nobody described.
 */
function otherMethods(draft: Draft, thing: MadeThing): void {
  for (const { binding, path, words } of placesOf(draft, thing)) {
    const own = draft.api.operations.filter((each) => each.path === binding.operation.path);
    const known = own.map(({ method }) => method);
    // Of what changes nothing where it is there all the same.
    const method = ['PATCH', 'PUT', 'POST'].find((each) => !known.includes(each));
    if (binding.behaviour === 'list' || method === undefined) continue;
    draft.add('steps', { name: `${method} of ${words}`, method, path, body: {}, expect: { status: [405, 404, 501] } });
  }
}

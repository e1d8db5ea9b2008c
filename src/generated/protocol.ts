import type { JsonObject, JsonValue } from '../core/json/json-value';
import type { Operation, Parameter } from '../openapi/model/operation';
import type { Behaviour } from '../resources/model/binding';
import { withArticle } from '../traffic/contract/names';
import type { Draft, MadeThing, Thing } from './draft';
import { absentKey, written } from './bodies';
import { type Kind, isSubject, refusals, successStatuses } from './subject';

/** What HTTP itself asks of every service: HEAD beside GET, methods, types, conditions, and ids that nobody has. */
export function addProtocol(draft: Draft, kind: Kind): void {
  if (!isSubject(kind)) {
    const found = draft.lookUp(kind.resource.path);
    if (found === undefined) return;
    heads(draft, found);
    unknownIds(draft, found, ['read']);
    return;
  }
  const ingredients = draft.ingredients(kind);
  if (ingredients === undefined) return;
  const thing = draft.make(ingredients, 'setup');
  heads(draft, thing);
  unknownIds(draft, thing, ['read', 'remove']);
  unknownChanges(draft, thing);
  if (kind.comesWith !== undefined) return;
  otherTypes(draft, thing);
  otherMethods(draft, thing);
}

/** HEAD is GET without the body (RFC 9110 §9.3.2); where the description has it not, it may be missing. */
function heads(draft: Draft, thing: Thing): void {
  for (const behaviour of ['read', 'list'] as const) {
    const binding = thing.subject.of(behaviour);
    if (binding === undefined) continue;
    const { operation } = binding;
    const request = behaviour === 'read' ? draft.at(thing, binding) : draft.beside(thing, binding);
    const path = draft.pathOf(operation, request);
    if (path === undefined) continue;
    draft.add('steps', {
      name: `HEAD of ${behaviour === 'read' ? `the ${draft.noun}` : 'the list'}`,
      method: 'HEAD',
      path,
      // Of what nobody made, a GET may find nothing either.
      expect: { status: [...successStatuses(operation, [200]), 405, 501, ...(isSubject(thing.subject) ? [] : [404])] },
    });
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
    for (const { words, value, status } of otherIds(draft, parameter, binding.operation)) {
      draft.add('steps', {
        name: `${behaviour} ${withArticle(draft.noun)} ${words}`,
        ...draft.at({ ...thing, key: value as string }, binding),
        ...body,
        expect: { status },
      });
    }
  }
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

function otherIds(
  { api }: Draft,
  { schema }: Parameter,
  operation: Operation,
): { readonly words: string; readonly value: JsonValue; readonly status: number[] }[] {
  const gone = [404, 410];
  const value = absentKey(api, schema);
  if (value === undefined) return [];
  const unknown = { words: 'that nobody has', value, status: gone };
  if (typeof value === 'string') return [unknown];
  const rejected = refusals(operation).length > 0 ? refusals(operation) : [400, 422];
  return [unknown, { words: 'whose id is a word', value: 'abc', status: [...new Set([...rejected, ...gone])] }];
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

/** A method that the description does not have is rejected, and the response says which there are (RFC 9110 §15.5.6). */
function otherMethods(draft: Draft, thing: MadeThing): void {
  const bindings = (['read', 'list'] as const).flatMap((each) => thing.subject.of(each) ?? []);
  for (const binding of bindings) {
    const { operation } = binding;
    const known = draft.api.operations.filter(({ path }) => path === operation.path).map(({ method }) => method);
    // Of what changes nothing where it is there all the same.
    const method = ['PATCH', 'PUT', 'POST'].find((each) => !known.includes(each));
    const request = binding.behaviour === 'read' ? draft.at(thing, binding) : draft.beside(thing, binding);
    const path = draft.pathOf(operation, request);
    if (method === undefined || path === undefined) continue;
    draft.add('steps', {
      name: `${method} of ${binding.behaviour === 'read' ? `the ${draft.noun}` : 'the list'}`,
      method,
      path,
      body: {},
      expect: { status: [405, 404, 501] },
    });
  }
}

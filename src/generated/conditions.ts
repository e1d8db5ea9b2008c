import { isJsonObject, pickProperties } from '../core/json/json-value';
import { isJsonMediaType } from '../core/http/media-type';
import { successes } from '../openapi/view/operation-bodies';
import type { Behaviour, Binding } from '../resources/model/binding';
import type { Draft } from './draft';
import { isIfMatch, needsTag, takesTag } from './entity-tags';
import { headerNamed, itemOf } from './expectations';
import { doneStatuses, GONE, isSubject } from './subject';
import type { MadeThing, StepAt, Thing } from './thing';

/** What a response says of the state of a thing, and the condition that it is sent back in. */
interface Validator {
  readonly header: RegExp;
  readonly condition: string;
  /** The value of a state that nothing is in. */
  readonly stale: string;
}

const VALIDATORS: readonly Validator[] = [
  { header: /^etag$/i, condition: 'If-None-Match', stale: '"nobody-has-this"' },
  { header: /^last-modified$/i, condition: 'If-Modified-Since', stale: 'Thu, 01 Jan 1970 00:00:00 GMT' },
];

/** A thing is read only if it has changed (RFC 9110 §13.1.2, §13.1.3), where the description says so. */
export function addConditionalReads(draft: Draft, thing: Thing): void {
  const read = thing.subject.of('read');
  if (read?.operation.responses.has('304') !== true) return;
  for (const { header: pattern, condition, stale } of VALIDATORS) {
    const header = headerNamed(read, pattern);
    if (header === undefined) continue;
    const done = doneStatuses(read);
    const known = draft.freeName(`${draft.noun} ${header}`);
    const add = (name: string, value: string, status: number[]): void => {
      draft.addAt('steps', thing, read, { name, headers: { [condition]: value }, status });
    };
    draft.addAt('steps', thing, read, {
      name: `read the ${draft.noun} and its ${header}`,
      // A header that is documented need not be sent.
      mayBeRefused: GONE,
      capture: { [known]: `$response.header.${header}` },
    });
    // Others may change what the run did not make.
    const unchanged = isSubject(thing.subject) ? [304] : [304, 404, ...done];
    add(`read the ${draft.noun} if it has changed since`, `\${${known}}`, unchanged);
    const changed = isSubject(thing.subject) ? done : [404, ...done];
    add(`read the ${draft.noun}, of which nothing is known`, stale, changed);
  }
}

/** With which a service may say that it does nothing under such a tag: RFC 9110 §13.1.1 does not insist on 412. */
const UNMET: number[] = [412, 400, 409, 428];

/** A condition that does not hold: the request is rejected, and nothing is changed (RFC 9110 §13.1.1, §15.5.13). */
export function addFailedConditions(draft: Draft, thing: MadeThing): void {
  const headers = { 'If-Match': '"nobody-has-this"' };
  const word: Partial<Record<Behaviour, string>> = { replace: 'replace', upsert: 'replace', remove: 'remove' };
  const read = thing.subject.of('read');
  const bindings = (['replace', 'upsert', 'update', 'remove'] as const).flatMap((each) => thing.subject.of(each) ?? []);
  // The 412 of a PUT that makes something may be about `If-None-Match` alone.
  const conditional = bindings.filter(
    ({ operation, behaviour }) => needsTag(operation) || takesTag(operation, behaviour === 'upsert' ? undefined : read),
  );
  for (const binding of conditional) {
    const body = binding.behaviour === 'remove' ? {} : bodyOf(draft, thing, binding);
    if (body === undefined) continue;
    const name = `${word[binding.behaviour] ?? 'change'} the ${draft.noun} if it has an entity tag that nobody has`;
    draft.addAt('steps', thing, binding, { name, headers, ...body, status: UNMET });
  }
  for (const binding of conditional.filter(({ operation }) => operation.responses.has('428')))
    withoutTag(draft, thing, binding);
  if (conditional.length === 0 || read === undefined) return;
  const shown = itemOf(thing.subject.resource, thing.key);
  draft.addAt('steps', thing, read, { name: `the ${draft.noun} is there as it was`, shown });
}

/** Where 428 is documented, a change needs a condition (RFC 6585 §3). */
function withoutTag(draft: Draft, thing: MadeThing, binding: Binding): void {
  const body = binding.behaviour === 'remove' ? {} : bodyOf(draft, thing, binding);
  const { headers: _, ...request } = draft.at(thing, binding);
  const parameters = isJsonObject(request['parameters']) ? request['parameters'] : {};
  if (body === undefined) return;
  draft.add('steps', {
    name: `${binding.behaviour} the ${draft.noun} without an entity tag`,
    ...request,
    parameters: pickProperties(parameters, (name) => !isIfMatch(name)),
    ...body,
    expect: { status: [428, 400, 412, 422] },
  });
}

function bodyOf(draft: Draft, thing: MadeThing, binding: Binding): Pick<StepAt, 'body'> | undefined {
  const changed = draft.changeOf(thing, binding);
  return changed === undefined ? undefined : { body: changed.sent };
}

/** A type that no service has; RFC 6838 §3.2 leaves such names to everybody. */
const UNKNOWN_TYPE = 'application/vnd.nobody.unknown';
/** More than these say nothing new. */
const MOST_TYPES = 4;

/** What a client accepts: each type that the description has for the response, and a type that it has not (RFC 9110 §12.5.1). */
export function addNegotiation(draft: Draft, thing: Thing): void {
  const read = thing.subject.of('read');
  if (read === undefined) return;
  const { operation } = read;
  const done = [...doneStatuses(read), ...(isSubject(thing.subject) ? [] : [404])];
  const types = successes(operation).flatMap(({ mediaTypes }) => mediaTypes.filter((type) => !type.includes('*')));
  const [first] = types.filter((type) => isJsonMediaType(type));
  if (first === undefined) return;
  const add = (name: string, accept: string, status: number[]): void => {
    draft.addAt('steps', thing, read, { name, headers: { Accept: accept }, status });
  };
  const { noun } = draft;
  if (types.length > 1)
    for (const type of types.filter((each) => isJsonMediaType(each)).slice(0, MOST_TYPES))
      add(`read the ${noun} as ${type}`, type, done);
  add(`read the ${noun} as a type that nobody has, or else as ${first}`, `${UNKNOWN_TYPE}, ${first};q=0.5`, done);
  add(`read the ${noun} as a type that nobody has`, UNKNOWN_TYPE, [...done, 406]);
}

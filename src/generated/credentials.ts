import type { JsonObject } from '../core/json/json-value';
import type { Operation } from '../openapi/model/operation';
import type { Binding } from '../resources/model/binding';
import { isSecured } from '../security/registry';
import { withArticle } from '../traffic/contract/names';
import type { Draft } from './draft';
import { longestPage } from './expectations';
import { findKeyHeader, keyOfRun } from './idempotency-key';
import { doneStatuses, GONE, reasonsOfState, type Subject } from './subject';
import type { Ingredients, MadeThing } from './thing';

/** With which a service keeps from a caller what is not his, or what he may not do at all. */
const REFUSED = [401, 403, 404];

/**
 * A thing of the run, asked for with the key of another caller: he reads it, lists it, changes and removes it, and the run
 * looks what became of it. Whether he may is in no description: each answer is right, and all of them together are judged by
 * the runner. What he makes himself in the end shows what he may do at all.
 */
export function addOtherCaller(caller: Caller): (draft: Draft, subject: Subject) => void {
  return (draft, subject) => {
    const reading = subject.of('read');
    if (subject.comesWith !== undefined || reading === undefined || !isSecured(reading.operation)) return;
    const own = draft.ingredients(subject);
    if (own === undefined) return;
    new OtherCaller(draft, own, reading, caller).add();
  };
}

/** A further caller. */
interface Caller {
  readonly name: string;
}

class OtherCaller {
  private readonly draft: Draft;
  private readonly own: Ingredients;
  private readonly reading: Binding;
  private readonly caller: Caller;
  private readonly name: string;
  /** Of steps that are sent with his key. */
  private readonly auth: JsonObject;

  constructor(draft: Draft, own: Ingredients, reading: Binding, caller: Caller) {
    this.draft = draft;
    this.own = own;
    this.reading = reading;
    this.caller = caller;
    this.name = caller.name;
    this.auth = { auth: { identity: caller.name } };
  }

  add(): void {
    const { draft, own, caller } = this;
    const { subject } = own;
    const headers = repeatable(draft, subject.create.operation, caller);
    const thing = draft.make(own, 'setup', undefined, { more: headers });
    this.look(thing, `read the ${draft.noun}`);
    this.read(thing);
    this.list(thing);
    for (const behaviour of ['replace', 'update'] as const) this.change(thing, subject.of(behaviour), behaviour);
    if (headers['headers'] !== undefined) this.repeat(thing, headers);
    this.remove(thing, subject.of('remove'));
    this.makeOne();
  }

  /** What who made it sees. */
  private look(thing: MadeThing, name: string, isMaybeGone = false): void {
    const status = [...doneStatuses(this.reading), ...(isMaybeGone ? GONE : [])];
    this.draft.addAt('steps', thing, this.reading, { name, status });
  }

  private asOther(name: string, request: JsonObject, binding: Binding): void {
    if (!isSecured(binding.operation)) return;
    const status = [...new Set([...doneStatuses(binding), ...REFUSED])];
    this.draft.add('steps', { name, ...request, ...this.auth, mayBeRefused: true, expect: { status } });
  }

  private read(thing: MadeThing): void {
    const { draft, reading, name } = this;
    this.asOther(`read the ${draft.noun} as ${name}`, draft.at(thing, reading), reading);
  }

  private list(thing: MadeThing): void {
    const { draft, name } = this;
    const binding = thing.subject.of('list');
    if (binding === undefined) return;
    const page = longestPage(draft.api, binding);
    this.asOther(`list as ${name}`, draft.beside(thing, binding, page?.parameters), binding);
  }

  private change(thing: MadeThing, binding: Binding | undefined, behaviour: 'replace' | 'update'): void {
    const { draft, name } = this;
    const body = binding === undefined ? undefined : draft.changeOf(thing, binding, behaviour === 'replace' ? 1 : 2);
    if (binding === undefined || body === undefined || !isSecured(binding.operation)) return;
    const verb = behaviour === 'replace' ? 'replace' : 'change';
    this.read(thing);
    const request = { ...draft.at(thing, binding), touches: 'own', body: body.sent };
    this.asOther(`${verb} the ${draft.noun} as ${name}`, request, binding);
    this.look(thing, `read the ${draft.noun} after that (${behaviour})`);
  }

  private remove(thing: MadeThing, binding: Binding | undefined): void {
    const { draft, name } = this;
    this.read(thing);
    if (binding === undefined || !isSecured(binding.operation)) return;
    const request = { ...draft.at(thing, binding), touches: 'own' };
    this.asOther(`remove the ${draft.noun} as ${name}`, request, binding);
    this.look(thing, `look whether the ${draft.noun} is there`, true);
  }

  /** The creation of the thing itself once more: the key of a repetition is that of one caller. */
  private repeat(thing: MadeThing, headers: JsonObject): void {
    const { draft, own, name } = this;
    const { create } = own.subject;
    if (!isSecured(create.operation)) return;
    draft.make(own, 'steps', `add the same ${draft.noun} with the same Idempotency-Key as ${name}`, {
      mayBeRefused: true,
      orRefused: refusedCreation(create.operation),
      more: headers,
      auth: this.auth,
    });
    // Who looks sees what became of a thing where nothing else was done in between.
    this.look(thing, `read the ${draft.noun} after that (add)`);
  }

  private makeOne(): void {
    const { draft, own, name, reading } = this;
    const { create } = own.subject;
    const other = isSecured(create.operation) ? draft.ingredients(own.subject) : undefined;
    if (other === undefined) return;
    const thing = draft.make(other, 'steps', `add ${withArticle(draft.noun)} as ${name}`, {
      mayBeRefused: true,
      orRefused: refusedCreation(create.operation),
      auth: this.auth,
    });
    this.asOther(`read the ${draft.noun} that ${name} made`, draft.at(thing, reading), reading);
  }
}

function refusedCreation(operation: Operation): number[] {
  return [...new Set([...REFUSED, ...reasonsOfState(operation)])];
}

/** A key for a repetition; none where the description has no such header. */
function repeatable({ noun }: Draft, operation: Operation, { name }: Caller): JsonObject {
  const parameter = findKeyHeader(operation);
  const key = parameter && keyOfRun(parameter, `${noun} ${name}`);
  return parameter === undefined || key === undefined ? {} : { headers: { [parameter.name]: key } };
}

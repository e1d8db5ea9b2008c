import type { JsonValue } from '../../core/json/json-value';
import { getOrCreate } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import { itemRouteOf } from '../../runner/ownership/item-routes';
import { type Call, isSuccess } from '../flow/call';
import { keyOwner } from '../flow/key-owner';
import { keyGiven, type Producer, producersOf } from '../flow/producers';
import { type Consumer, type Edge, findsNothing, type Flow } from '../flow/trace-flow';
import { Names } from './names';
import { changes, parentsThere } from './parents';
import { isStableName, nameOfKey, Preparation, thing } from './preparation';
import type { PreparingStep } from './preparing-steps';
import type { SecretSource, Secrets } from './secret-sources';

/** A value that a step takes out of its response. */
export interface PlannedCapture {
  readonly name: string;
  readonly expression: string;
  readonly pattern: string | undefined;
  /** Why, for the comment beside it. */
  readonly reason: string;
}

/** Where the values of a contract come from. */
export interface ContractPlan {
  /** By index of the call. */
  readonly captures: ReadonlyMap<number, readonly PlannedCapture[]>;
  readonly setup: readonly PreparingStep[];
  /** Values of things that were there before and have stable names. */
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** Below what a run in mode `own` may make something, by variable of the path. */
  readonly within: ReadonlyMap<string, string>;
  /** Names of the environment that secrets come from. */
  readonly environment: readonly string[];
  /** The placeholder for a value of a request; `undefined` where it stays literal. */
  placeholderOf(call: Call, place: Consumer['in'], name: string): string | undefined;
  /** Does the query of a call have what is percent-encoded already? Then it is written as a path. */
  isEncoded(call: Call): boolean;
  /** The placeholder for a secret, by name of its mark. */
  secretPlaceholder(name: string): string;
  /** The placeholder for the key of a thing; `undefined` where none is known. */
  keyPlaceholder(resource: string, key: string): string | undefined;
}

const slot = ({ index }: Call, place: string, name: string): string => `${index} ${place} ${name}`;

/** Plans captures, setup and variables. What is certain becomes a placeholder; the rest stays as it was recorded. */
export function planContract(api: ApiModel, calls: readonly Call[], flow: Flow, secrets: Secrets): ContractPlan {
  return new Planner(api, calls, secrets).plan(flow);
}

class Planner {
  private readonly names = new Names();
  private readonly captures = new Map<number, PlannedCapture[]>();
  private readonly environment: string[] = [];
  private readonly placeholders = new Map<string, string>();
  private readonly encoded = new Set<number>();
  private readonly keys = new Map<string, string>();
  /** Names of captures, by the call and the place of each. */
  private readonly captured = new Map<string, string>();
  /** By placeholder: the call whose response gives it. What the setup or a variable gives is not there. */
  private readonly givenBy = new Map<string, number>();
  private readonly secretNames = new Map<string, string>();
  /** Things that some request changes, or makes something of. */
  private readonly changed = new Set<string>();

  private readonly api: ApiModel;
  private readonly calls: readonly Call[];
  private readonly secrets: Secrets;
  private readonly preparation: Preparation;

  constructor(api: ApiModel, calls: readonly Call[], secrets: Secrets) {
    this.api = api;
    this.calls = calls;
    this.secrets = secrets;
    const { names, keys, changed } = this;
    this.preparation = new Preparation({ api, calls, names, keys, changed });
  }

  plan(flow: Flow): ContractPlan {
    this.captureSecrets();
    for (const consumer of [...flow.edges.map((edge) => edge.consumer), ...flow.unknown])
      if (consumer.resource !== undefined && changes(consumer.call))
        this.changed.add(thing(consumer.resource, consumer.text));
    // What the recording made itself has the plain names. What was there before is prepared before it is captured: it
    // may be sent before any response has it.
    const isMade = ({ producer }: Edge): boolean => producer.nearness === 'creation';
    this.captureValues(flow.edges.filter(isMade));
    this.prepareUnknown(flow);
    this.captureValues(flow.edges.filter((edge) => !isMade(edge)));
    this.captureCreations();
    const { captures, environment, placeholders, keys, secretNames, preparation } = this;
    for (const [name, value] of parentsThere(this.calls, flow, (...of) => preparation.hasMade(...of)))
      preparation.within.set(name, value);
    const { setup, variables, within } = preparation;
    return {
      captures,
      setup,
      variables,
      within,
      environment,
      placeholderOf: (call, place, name) => placeholders.get(slot(call, place, name)),
      isEncoded: ({ index }) => this.encoded.has(index),
      secretPlaceholder: (name) => {
        this.needEnvironment(name);
        return secretNames.get(name) ?? name;
      },
      keyPlaceholder: (resource, key) => keys.get(thing(keyOwner(this.api, resource), key)),
    };
  }

  private captureSecrets(): void {
    for (const [name, source] of this.secrets.sources) {
      if (source.kind === 'given') {
        const isRefused = this.secrets.refused.has(name);
        this.secretNames.set(name, isRefused ? 'unknown-${runId}' : `\${env.${source.variable}}`);
        continue;
      }
      this.secretNames.set(name, `\${${this.captureSecret(name, source)}}`);
    }
  }

  /** What no step sends is asked of nobody: a credential that was refused is sent as another unknown one. */
  private needEnvironment(name: string): void {
    const source = this.secrets.sources.get(name);
    if (source?.kind !== 'given' || this.secrets.refused.has(name) || this.environment.includes(source.variable))
      return;
    this.environment.push(source.variable);
  }

  private captureSecret(name: string, source: Extract<SecretSource, { kind: 'captured' }>): string {
    const own = this.names.free(name);
    const { call, expression, pattern } = source;
    getOrCreate(this.captures, call.index, () => []).push({
      name: own,
      expression,
      pattern,
      reason: 'a secret that later steps send',
    });
    return own;
  }

  private captureValues(edges: readonly Edge[]): void {
    for (const edge of edges) {
      this.placeholders.set(slotOf(edge.consumer), this.captureValue(edge));
      if (edge.producer.isEncoded && edge.consumer.in === 'query') this.encoded.add(edge.consumer.call.index);
    }
  }

  private captureValue({ consumer, producer, reason }: Edge): string {
    // A property that is a text, where the response has a number, takes its text.
    const isText = typeof consumer.value === 'string' && !consumer.call.isForm;
    const asText = consumer.in === 'body' && isText && !producer.isText;
    const { resource, text } = producer;
    const isThing = resource !== undefined && !asText;
    const placeholder = isThing ? this.placeholderOfThing(thing(resource, text), consumer, producer) : undefined;
    if (placeholder !== undefined) return placeholder;
    const pattern = producer.pattern ?? (asText ? '^(.+)$' : undefined);
    const id = `${producer.call.index} ${producer.expression} ${pattern ?? ''}`;
    const name = getOrCreate(this.captured, id, () => {
      const own = this.names.free(this.nameOf(consumer, producer));
      const capture = { name: own, expression: producer.expression, pattern, reason };
      getOrCreate(this.captures, producer.call.index, () => []).push(capture);
      return own;
    });
    const own = `\${${name}}`;
    this.givenBy.set(own, producer.call.index);
    if (isThing) this.keys.set(thing(resource, text), own);
    return own;
  }

  /** The placeholder for the key of a thing, if the setup or a call before this one gives it. */
  private keyBefore(id: string, { index }: Call): string | undefined {
    const known = this.keys.get(id);
    return known !== undefined && (this.givenBy.get(known) ?? -1) < index ? known : undefined;
  }

  /** One placeholder for one thing; one that was there before and is changed is made in the setup. */
  private placeholderOfThing(id: string, consumer: Consumer, producer: Producer): string | undefined {
    const known = this.keyBefore(id, consumer.call);
    if (known !== undefined || producer.nearness === 'creation' || !this.changed.has(id)) return known;
    return producer.resource === undefined || isStableName(producer.text)
      ? undefined
      : this.preparation.makeOwn(producer.resource, producer.text, consumer.name);
  }

  /** What was made and that nothing names later has to be named by the cleanup. */
  private captureCreations(): void {
    for (const call of this.calls) {
      const { binding, operation } = call;
      if (binding === undefined || operation === undefined || !isSuccess(call)) continue;
      if (binding.behaviour !== 'create' && keyGiven(call) === undefined) continue;
      const [producer] = producersOf(call).filter(
        ({ nearness, resource }) => nearness === 'creation' && resource === binding.resource.path,
      );
      if (producer === undefined || this.keys.has(thing(keyOwner(this.api, binding.resource.path), producer.text)))
        continue;
      if (itemRouteOf(this.api, operation)?.route.operations.has('DELETE') !== true) continue;
      const name = this.names.free(nameOfKey(this.api, binding.resource.path, `${binding.resource.name}-id`));
      const { expression, pattern } = producer;
      getOrCreate(this.captures, call.index, () => []).push({
        name,
        expression,
        pattern,
        reason: 'what the cleanup removes',
      });
      this.keys.set(thing(binding.resource.path, producer.text), `\${${name}}`);
    }
  }

  /** Named by what it is the key of, else by who uses it. */
  private nameOf(consumer: Consumer, { resource }: Producer): string {
    return resource === undefined ? consumer.name : nameOfKey(this.api, resource, consumer.name);
  }

  /** What was there before: made by a step of the setup where something changes it, looked up where it is only read. */
  private prepareUnknown({ unknown }: Flow): void {
    const groups = new Map<string, Consumer[]>();
    for (const consumer of unknown) {
      if (consumer.resource === undefined) continue;
      getOrCreate(groups, thing(consumer.resource, consumer.text), () => []).push(consumer);
    }
    for (const consumers of groups.values()) {
      const [first] = consumers;
      if (first?.resource === undefined || consumers.every(({ call }) => !isSuccess(call))) continue;
      // What only a rejection or a miss names is meant not to be there.
      const placeholder = this.preparation.prepare(first.resource, first.text, first.name);
      if (placeholder === undefined) continue;
      for (const consumer of consumers)
        if (!findsNothing(consumer.call)) this.placeholders.set(slotOf(consumer), placeholder);
    }
  }
}

function slotOf({ call, in: place, name, pointer }: Consumer): string {
  return slot(call, place, pointer ?? name);
}

import { joinPointer } from '../../core/json/json-pointer';
import { type JsonObject, type JsonValue, setProperty } from '../../core/json/json-value';
import { isSafe } from '../../core/http/message';
import { getOrCreate } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import { jsonEntry, successes } from '../../openapi/view/operation-bodies';
import { inferResourceModel } from '../../resources/infer-resource-model';
import type { Binding } from '../../resources/model/binding';
import type { ResourceDescription } from '../../resources/model/resource';
import { itemRouteOf } from '../../runner/ownership/item-routes';
import { type Call, isSuccess } from '../flow/call';
import { keyPath, type Producer, producersOf, shownItems } from '../flow/producers';
import { type Consumer, findsNothing, type Flow } from '../flow/trace-flow';
import { inWords, Names, withArticle } from './names';
import { literal, nameByRun } from './run-names';
import type { SecretSource, Secrets } from './secret-sources';

/** A value that a step takes out of its response. */
export interface PlannedCapture {
  readonly name: string;
  readonly expression: string;
  readonly pattern: string | undefined;
  /** Why, for the comment beside it. */
  readonly reason: string;
}

/** A step that the recording does not have: it makes or looks up what was there before. */
export interface PreparingStep {
  readonly value: JsonObject;
  readonly comment: string;
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
  /** The placeholder for a secret, by name of its mark. */
  secretPlaceholder(name: string): string;
  /** The placeholder for the key of a thing; `undefined` where none is known. */
  keyPlaceholder(resource: string, key: string): string | undefined;
}

const slot = ({ index }: Call, place: string, name: string): string => `${index} ${place} ${name}`;
const thing = (resource: string, key: string): string => `${resource} ${key}`;

/** Plans captures, setup and variables. What is certain becomes a placeholder; the rest stays as it was recorded. */
export function planContract(api: ApiModel, calls: readonly Call[], flow: Flow, secrets: Secrets): ContractPlan {
  return new Planner(api, calls, secrets).plan(flow);
}

class Planner {
  private readonly names = new Names();
  private readonly captures = new Map<number, PlannedCapture[]>();
  private readonly setup: PreparingStep[] = [];
  private readonly variables = new Map<string, JsonValue>();
  private readonly within = new Map<string, string>();
  private readonly environment: string[] = [];
  private readonly placeholders = new Map<string, string>();
  private readonly keys = new Map<string, string>();
  private readonly secretNames = new Map<string, string>();
  /** Things that are being prepared: a pair that refers to each other is prepared once. */
  private readonly preparing = new Set<string>();
  /** Things that some request changes, or makes something of. */
  private readonly changed = new Set<string>();

  private readonly api: ApiModel;
  private readonly calls: readonly Call[];
  private readonly secrets: Secrets;

  constructor(api: ApiModel, calls: readonly Call[], secrets: Secrets) {
    this.api = api;
    this.calls = calls;
    this.secrets = secrets;
  }

  plan(flow: Flow): ContractPlan {
    this.captureSecrets();
    for (const consumer of [...flow.edges.map((edge) => edge.consumer), ...flow.unknown])
      if (consumer.resource !== undefined && changes(consumer.call))
        this.changed.add(thing(consumer.resource, consumer.text));
    this.captureValues(flow);
    this.prepareUnknown(flow);
    this.captureCreations();
    const { captures, setup, variables, within, environment, placeholders, keys, secretNames } = this;
    return {
      captures,
      setup,
      variables,
      within,
      environment,
      placeholderOf: (call, place, name) => placeholders.get(slot(call, place, name)),
      secretPlaceholder: (name) => secretNames.get(name) ?? name,
      keyPlaceholder: (resource, key) => keys.get(thing(resource, key)),
    };
  }

  private captureSecrets(): void {
    for (const [name, source] of this.secrets.sources) {
      if (source.kind === 'given') {
        const isKey = this.secrets.callers.includes(name);
        if (!isKey) this.environment.push(source.variable);
        this.secretNames.set(name, `\${env.${source.variable}}`);
        continue;
      }
      this.secretNames.set(name, `\${${this.captureSecret(name, source)}}`);
    }
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

  private captureValues({ edges }: Flow): void {
    const known = new Map<string, string>();
    for (const { consumer, producer, reason } of edges) {
      // A property that is a text, where the response has a number, takes its text.
      const asText = consumer.in === 'body' && typeof consumer.value === 'string' && !producer.isText;
      const { resource, text } = producer;
      const placeholder =
        resource === undefined || asText
          ? undefined
          : this.placeholderOfThing(thing(resource, text), consumer, producer);
      if (placeholder !== undefined) {
        this.placeholders.set(slotOf(consumer), placeholder);
        continue;
      }
      const pattern = producer.pattern ?? (asText ? '^(.+)$' : undefined);
      const id = `${producer.call.index} ${producer.expression} ${pattern ?? ''}`;
      let name = known.get(id);
      if (name === undefined) {
        name = this.names.free(this.nameOf(consumer, producer));
        known.set(id, name);
        const capture = { name, expression: producer.expression, pattern, reason };
        getOrCreate(this.captures, producer.call.index, () => []).push(capture);
        if (resource !== undefined && !asText) this.keys.set(thing(resource, text), `\${${name}}`);
      }
      this.placeholders.set(slotOf(consumer), `\${${name}}`);
    }
  }

  /** One placeholder for one thing; one that was there before and is changed is made in the setup. */
  private placeholderOfThing(id: string, consumer: Consumer, producer: Producer): string | undefined {
    const known = this.keys.get(id);
    if (known !== undefined || producer.nearness === 'creation' || !this.changed.has(id)) return known;
    return producer.resource === undefined || isStableName(producer.text)
      ? undefined
      : this.makeOwn(producer.resource, producer.text, consumer.name);
  }

  private makeOwn(path: string, key: string, parameter: string): string | undefined {
    const resource = inferResourceModel(this.api).resources.find((each) => each.path === path);
    const made =
      resource === undefined ? undefined : this.guarded(path, key, () => this.creationOf(resource, key, parameter));
    if (made !== undefined) this.keys.set(thing(path, key), made);
    return made;
  }

  /** What was made and that nothing names later has to be named by the cleanup. */
  private captureCreations(): void {
    for (const call of this.calls) {
      const { binding, operation } = call;
      if (binding?.behaviour !== 'create' || operation === undefined || !isSuccess(call)) continue;
      const [producer] = producersOf(call).filter(
        ({ nearness, resource }) => nearness === 'creation' && resource === binding.resource.path,
      );
      if (producer === undefined || this.keys.has(thing(binding.resource.path, producer.text))) continue;
      if (itemRouteOf(this.api, operation)?.route.operations.has('DELETE') !== true) continue;
      const name = this.names.free(this.nameOfKey(binding.resource.path, `${binding.resource.name}-id`));
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
    return resource === undefined ? consumer.name : this.nameOfKey(resource, consumer.name);
  }

  private nameOfKey(path: string, otherwise: string): string {
    const model = inferResourceModel(this.api);
    for (const { resource, keyParameter } of model.bindings.values())
      if (resource.path === path && keyParameter !== undefined && !/^(?:id|key|name)$/i.test(keyParameter))
        return keyParameter;
    const resource = model.resources.find((each) => each.path === path);
    return resource === undefined ? otherwise : `${resource.name}-${keyPath(resource).at(-1) ?? 'key'}`;
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
      const placeholder = this.prepare(first.resource, first.text, first.name);
      if (placeholder === undefined) continue;
      for (const consumer of consumers)
        if (!findsNothing(consumer.call)) this.placeholders.set(slotOf(consumer), placeholder);
    }
  }

  private prepare(path: string, key: string, parameter: string): string | undefined {
    const id = thing(path, key);
    const known = this.keys.get(id);
    if (known !== undefined) return known;
    const resource = inferResourceModel(this.api).resources.find((each) => each.path === path);
    if (resource === undefined) return undefined;
    const made = this.guarded(path, key, () => {
      if (isStableName(key)) return this.variableFor(resource, key, parameter);
      const own = this.changed.has(id) ? this.creationOf(resource, key, parameter) : undefined;
      return own ?? this.lookUp(resource, key, parameter);
    });
    if (made !== undefined) this.keys.set(id, made);
    return made;
  }

  private guarded(path: string, key: string, make: () => string | undefined): string | undefined {
    const id = thing(path, key);
    if (this.preparing.has(id)) return undefined;
    this.preparing.add(id);
    const made = make();
    this.preparing.delete(id);
    return made;
  }

  private variableFor(resource: ResourceDescription, key: string, parameter: string): string {
    const name = this.names.free(parameter);
    this.variables.set(name, literal(key));
    const isParent = inferResourceModel(this.api).resources.some(({ scope }) =>
      scope.some(({ parent }) => parent === resource.path),
    );
    if (isParent) this.within.set(parameter, key);
    return `\${${name}}`;
  }

  /** A step that makes such a thing, with what the recording shows of it. */
  private creationOf(resource: ResourceDescription, key: string, parameter: string): string | undefined {
    const creation = this.bindingOf(resource, 'create');
    const body = creation === undefined ? undefined : this.bodyLike(creation, key);
    const path = creation?.response?.path;
    if (creation === undefined || body === undefined || path === undefined || resource.scope.length > 0)
      return undefined;
    const name = this.names.free(this.nameOfKey(resource.path, parameter));
    const pointer = [...path, ...keyPath(resource)].reduce<string>((text, each) => joinPointer(text, each), '');
    const noun = inWords(resource.name);
    const [success] = successes(creation.operation);
    this.setup.push({
      value: {
        name: `add ${withArticle(noun)} to work on`,
        operation: creation.operation.id,
        body,
        expect: { status: statusOf(success?.status, 201) },
        capture: { [name]: `$response.body#${pointer}` },
      },
      comment: `The recording changed the ${noun} ${key}, which was there before: a contract makes its own.`,
    });
    return `\${${name}}`;
  }

  /** What a creation takes, from what the recording shows of a thing; `undefined` where that is not enough. */
  private bodyLike({ operation, request, resource }: Binding, key: string): JsonObject | undefined {
    const entry = jsonEntry(operation.requestBody?.content ?? []);
    const shape = request?.item;
    if (entry?.schema === undefined || shape === undefined || request === undefined) return undefined;
    const shown = this.calls
      .flatMap((call) => (call.binding?.resource.path === resource.path && isSuccess(call) ? shownItems(call) : []))
      .find((item) => item.key === key);
    if (shown === undefined) return undefined;
    const properties = this.api.propertiesOf(shape);
    const sent: Record<string, JsonValue> = {};
    const written: Record<string, JsonValue> = {};
    for (const [name, value] of Object.entries(shown.item)) {
      const property = properties.get(name);
      if (property === undefined || property.readOnly || value === null || name === resource.key.name) continue;
      setProperty(sent, name, value);
      const to = resource.references.find((each) => each.property === name && each.form === 'key')?.to;
      const isKey = to !== undefined && (typeof value === 'string' || typeof value === 'number');
      const placeholder = isKey ? this.prepare(to, String(value), name) : undefined;
      setProperty(written, name, placeholder ?? literal(value));
    }
    const whole = wrapped(request.path, sent);
    if (!entry.schema.accepts(whole, 'request')) return undefined;
    const named = nameByRun(entry.schema, request.path, sent);
    if (named !== undefined) setProperty(written, named.property, named.text);
    return wrapped(request.path, written);
  }

  /** A step that takes the key of an item that is there. */
  private lookUp(resource: ResourceDescription, key: string, parameter: string): string | undefined {
    const list = this.bindingOf(resource, 'list');
    const shape = list?.response;
    const isPlain = list !== undefined && list.scopeParameters.length === 0 && shape?.form === 'list';
    const path = keyPath(resource);
    if (!isPlain || path.length === 0 || list.operation.parameters.some(({ required }) => required)) return undefined;
    const noun = inWords(resource.name);
    const place = this.setup.filter(({ value }) => value['operation'] === list.operation.id).length;
    const steps = [...shape.path, String(place), ...(shape.entryPath ?? []), ...path];
    const name = this.names.free(this.nameOfKey(resource.path, parameter));
    this.setup.push({
      value: {
        name: `look up ${place === 0 ? withArticle(noun) : `another ${noun}`}`,
        operation: list.operation.id,
        expect: { status: statusOf(successes(list.operation)[0]?.status, 200) },
        capture: { [name]: `$response.body#${steps.reduce<string>((text, each) => joinPointer(text, each), '')}` },
      },
      comment: `The recording used the ${noun} ${key}, which was there before.`,
    });
    return `\${${name}}`;
  }

  private bindingOf(resource: ResourceDescription, behaviour: Binding['behaviour']): Binding | undefined {
    return [...inferResourceModel(this.api).bindings.values()].find(
      (binding) => binding.resource === resource && binding.behaviour === behaviour,
    );
  }
}

function slotOf({ call, in: place, name, pointer }: Consumer): string {
  return slot(call, place, pointer ?? name);
}

export function statusOf(written: string | undefined, otherwise: number): number {
  const status = Number(written);
  return Number.isInteger(status) ? status : otherwise;
}

/** Rejections that say that nothing was looked at. */
const AT_THE_DOOR: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 410, 415, 422, 429]);

function changes({ method, status = 0 }: Call): boolean {
  return !isSafe(method) && !AT_THE_DOOR.has(status);
}

/** An object within the properties that lead to it. */
export function wrapped(path: readonly string[], inner: JsonObject): JsonObject {
  return path.reduceRight<JsonObject>((value, name) => ({ [name]: value }), inner);
}

/** Is it a word that people gave, such as `localhost`, which another instance has as well? */
function isStableName(key: string): boolean {
  return /^[a-z][a-z_.-]*$/i.test(key) && key.length <= 40;
}

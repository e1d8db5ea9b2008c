import { pointerTo } from '../core/json/json-pointer';
import {
  definedProperties,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  pickProperties,
  setProperty,
  valueAlong,
  withValueAlong,
} from '../core/json/json-value';
import { drawKey } from '../payload/sampler/drawn-key';
import { samplerOf } from '../payload/sampler/sampler';
import { CONTRACT_FORMAT } from '../formats/contract/contract';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import type { Binding } from '../resources/model/binding';
import type { ResourceDescription } from '../resources/model/resource';
import { isJsonNumber } from '../core/json/exact-number';
import { scalarText } from '../core/json/stringify-json';
import { inWords, Names, withArticle } from '../traffic/contract/names';
import { literal } from '../traffic/contract/run-names';
import { amountBody, leastBody, PLENTY } from './amounts';
import { catalogueOf, catalogueReferencesOf, isCatalogueAt } from './catalogues';
import { isIfMatch, needsTag } from './entity-tags';
import { findKeyHeader, keyOfRun } from './idempotency-key';
import { actionsOf, type ItemAction, verbOf } from './item-actions';
import { withValue } from './altered-bodies';
import {
  isKeyOfPath,
  KEYS_OF_PATH,
  placeIn,
  placeOfKey,
  shownOf,
  type Substitution,
  withKeyOfPath,
  withOwnDays,
  written,
} from './bodies';
import { Learnt } from './lessons';
import { OwnKeys } from './own-keys';
import { RUN_ID } from './run-text';
import { type ChangedBody, changedBody, type Choice, isNumberOfThing, sampleBody } from './sample-body';
import type { Ingredients, MadeThing, MakeOptions, StepAt, Thing } from './thing';
import { requiredParameters, withObjectParameters } from './parameters';
import { findListedValue, findShownValue, givenVariable, type ListedValue } from './path-values';
import { bodyShowing, bodyWith, headerNamed } from './expectations';
import {
  doneStatuses,
  findKinds,
  findSubjects,
  GONE,
  isSubject,
  type Kind,
  keyPathOf,
  requestOf,
  keySchemaOf,
  ownKey,
  type PathPlace,
  placesAround,
  type Subject,
  successStatuses,
  takesList,
} from './subject';

/** With which an action may be refused. */
const REFUSALS = [400, 403, 404, 405, 409, 410, 412, 422, 428];

/** Things that need others which need them never come to an end. */
const DEEPEST = 4;

/** May what refers to a thing that a run cannot make take from it: an account has a balance, an article a stock? */
function hasAmounts(api: ApiModel, path: string, mayLeave: boolean): boolean {
  const kind = findKinds(api, mayLeave).find(({ resource }) => resource.path === path);
  if (kind === undefined || isSubject(kind)) return false;
  const { schema, key } = kind.resource;
  const references = new Set(kind.resource.references.map(({ property }) => property));
  return samplerOf(api)
    .nodeOf(schema, 'response')
    .properties.some(
      ({ name, node: { types } }) =>
        name !== key.name && !references.has(name) && types.some((type) => type === 'integer' || type === 'number'),
    );
}

/** A body that says the key of its path once more; `undefined` where that is not known to be allowed. */
function withKeyOf({ create, resource }: Subject, plain: JsonObject): JsonObject | undefined {
  const place = placeOfKey(create, resource);
  if (create.operation.method !== 'PUT' || place === undefined || valueAlong(plain, place) === undefined) return plain;
  const schema = keySchemaOf(create);
  const drawn = schema && drawKey(schema, RUN_ID, '');
  const keys = [...KEYS_OF_PATH, ...(typeof drawn?.value === 'string' ? [drawn.value] : [])];
  const bodies = keys.map((key) => withValue(plain, place, key));
  return bodies.find((body) => requestOf(create)?.accepts(body, 'request') === true);
}

/** Where the body of a PUT says the key of its path: whatever stands there, it is that. */
function keyInPath({ operation }: Binding, path: readonly string[], value: JsonValue): Substitution[] {
  const placeholder = isKeyOfPath(value) ? value : (KEYS_OF_PATH[0] ?? '');
  return operation.method === 'PUT' || isKeyOfPath(value) ? [{ path, value, placeholder }] : [];
}

/** Where a body says once more what the path names before the key: that of the path. */
function parentsIn(
  { scope: variables }: ResourceDescription,
  root: readonly string[],
  plain: JsonObject,
  values: ReadonlyMap<string, string>,
): Substitution[] {
  return variables.flatMap(({ name, property, object }): Substitution[] => {
    const within = object !== undefined ? [object.property, object.key] : property !== undefined ? [property] : [];
    const path = [...root, ...within];
    const value = within.length === 0 ? undefined : valueAlong(plain, path);
    const own = values.get(name);
    if (own === undefined || (typeof value !== 'string' && !isJsonNumber(value))) return [];
    return [{ path, value, placeholder: typeof value !== 'string' && /^\d+$/.test(own) ? Number(own) : own }];
  });
}

/** Shortens each list of keys of other things to one key, where the schema allows it: the run has to make a thing for each key. */
function withOneKey({ create, resource }: Subject, plain: JsonObject | undefined): JsonObject | undefined {
  return resource.references.reduce((body, { property, form }) => {
    const path = [...(create.request?.path ?? []), property];
    const keys = form === 'keys' && body !== undefined ? valueAlong(body, path) : undefined;
    if (body === undefined || !Array.isArray(keys) || keys.length < 2) return body;
    const shorter = withValue(body, path, keys.slice(0, 1));
    return requestOf(create)?.accepts(shorter, 'request') === true ? shorter : body;
  }, plain);
}

/** With days of its own, where the description lets it. */
function withDaysOf({ create }: Subject, plain: JsonObject | undefined, ordinal: number): JsonObject | undefined {
  const dated = plain && withOwnDays(plain, create.request?.path ?? [], ordinal);
  return dated !== undefined && requestOf(create)?.accepts(dated, 'request') === true ? dated : plain;
}

/** The key that a body says, where the path of its creation says it too. */
function keyIn({ create, resource }: Subject, plain: JsonObject): readonly Substitution[] {
  const place = placeOfKey(create, resource);
  const key = place && valueAlong(plain, place);
  return place === undefined || key === undefined ? [] : keyInPath(create, place, key);
}

/** A text as a value of the type that another one has. */
function typed(text: string, like: JsonValue): JsonValue {
  return typeof like === 'number' && /^-?\d{1,15}$/.test(text) ? Number(text) : literalText(text);
}

/** A text that no placeholder is looked for in. */
function literalText(text: string): string {
  return literal(text) as string;
}

/** What the contracts of a run have in common, and what tells one from the others. */
export interface DraftContext {
  readonly seed: string;
  /** Stands in names: those of contracts that run at the same time do not meet. */
  readonly mark?: string;
  readonly learnt?: Learnt | undefined;
  /** Those of the whole run. */
  readonly ownKeys?: OwnKeys | undefined;
  /** By variable of a path: things of others below which the run may make something, as its user said. */
  readonly within?: ReadonlyMap<string, string> | undefined;
  readonly looksIn?: 'setup' | 'steps';
  /** May it make what nothing removes? Default: no. */
  readonly mayLeave?: boolean;
  /** May it do at its own things what only a path says to be about them? Default: no. */
  readonly actsFreely?: boolean | undefined;
}

/** A contract that is being made: steps, and names for what they capture. */
export class Draft {
  readonly api: ApiModel;
  readonly noun: string;
  private readonly seed: string;
  private readonly mark: string;
  readonly learnt: Learnt;
  readonly ownKeys: OwnKeys;
  private readonly within: ReadonlyMap<string, string>;
  /** Where what is there is looked for: in the setup, without which nothing else is sent, or beside other steps. */
  private readonly looksIn: 'setup' | 'steps';
  private readonly mayLeave: boolean;
  readonly actsFreely: boolean;
  private readonly names = new Names();
  private readonly setup: JsonObject[] = [];
  private readonly steps: JsonObject[] = [];
  private readonly cleanup: JsonObject[] = [];
  /** By path of the resource: things that others need. */
  private readonly needed = new Map<string, MadeThing>();
  /** By path of the resource: things that were there. */
  private readonly found = new Map<string, Thing>();
  /** Values of variables that a list shows, by the path up to the variable. */
  private readonly listed = new Map<string, string>();
  /** By placeholder of an entity tag: the step that captures it. */
  private readonly looks = new Map<string, JsonObject>();
  /** By placeholder of a key: the step that makes the thing. */
  private readonly makers = new Map<JsonValue, { readonly phase: 'setup' | 'steps'; readonly index: number }>();
  /** Keys that were drawn, and that no step has looked for yet. */
  private readonly unseen = new Set<string>();
  private ordinal = 0;
  /** How many keys of the run it has. */
  private keys = 0;

  /** @param noun - what the contract is about */
  constructor(api: ApiModel, noun: string, context: DraftContext) {
    const { seed, mark = '', learnt = new Learnt(), within = new Map<string, string>(), looksIn = 'setup' } = context;
    this.mayLeave = context.mayLeave ?? false;
    this.actsFreely = context.actsFreely ?? false;
    this.api = api;
    this.noun = noun;
    this.within = within;
    this.looksIn = looksIn;
    this.seed = seed;
    this.mark = mark;
    this.learnt = learnt;
    this.ownKeys = context.ownKeys ?? new OwnKeys(RUN_ID);
  }

  /** The kinds of things of the description. */
  kinds(): ReturnType<typeof findKinds> {
    return findKinds(this.api, this.mayLeave);
  }

  /** Those that it can make. */
  subjects(): Subject[] {
    return findSubjects(this.api, this.mayLeave);
  }

  /** @returns `undefined` where it says nothing */
  contract(name: string): JsonObject | undefined {
    const { setup, steps, cleanup } = this;
    if (steps.length === 0) return undefined;
    const written = (all: readonly JsonObject[]): JsonObject[] =>
      all.map((step) => withObjectParameters(this.api, step));
    return {
      standin: CONTRACT_FORMAT,
      name,
      ...(setup.length === 0 ? {} : { setup: written(setup) }),
      steps: written(steps),
      ...(cleanup.length === 0 ? {} : { cleanup: written(cleanup) }),
    };
  }

  /**
   * What the next thing of a kind is made with; what it needs is made in the setup.
   *
   * @param isLeast - it and what it needs have 1 in the place of each number
   */
  ingredients(subject: Subject, depth = 0, isLeast = false): Ingredients | undefined {
    const scope = this.scopeOf(subject.resource, depth);
    const sample = sampleBody(this.api, subject.create, this.choice(subject.resource, this.seed, this.ordinal));
    const plain = sample && withDaysOf(subject, isLeast ? leastBody(subject.create, sample) : sample, this.ordinal);
    this.ordinal += 1;
    if (scope === undefined || plain === undefined) return undefined;
    const made = subject.comesWith ?? subject;
    const keyed = withKeyOf(subject, plain);
    const own = keyed && withOneKey(made, this.withoutOthers(made, keyed));
    const substitutions = own && this.referencesOf(made, own, { scope, depth, isLeast });
    return own === undefined || substitutions === undefined ? undefined : { subject, scope, plain: own, substitutions };
  }

  /** Makes a thing, in a step of the setup or of the contract itself; it is removed in the cleanup. */
  make(ingredients: Ingredients, phase: 'setup' | 'steps', name?: string, options: MakeOptions = {}): MadeThing {
    const { subject, scope, plain, substitutions } = ingredients;
    const { mayBeRefused = phase === 'setup' } = options;
    const { create } = subject;
    const { resource } = subject.comesWith ?? subject;
    const own = this.names.free(`${resource.name} id`);
    const noun = inWords(resource.name);
    const request = this.beside({ scope }, create, options.parameters);
    if (options.isLookedFor === true) this.lookForNone({ subject, scope }, request, noun);
    this.add(phase, {
      name: name ?? `add ${withArticle(noun)}`,
      ...options.more,
      ...options.auth,
      ...request,
      body: written(plain, substitutions),
      // Of things that others need, of the first of a kind, and of what may not be there twice nobody knows.
      ...(mayBeRefused === false ? {} : { mayBeRefused: mayBeRefused === true ? true : [...mayBeRefused] }),
      expect: this.expectMade(ingredients, options),
      capture: {
        [own]: subject.shownKey,
        ...options.capture,
      },
    });
    const thing = { ...ingredients, key: `\${${own}}` };
    this.makers.set(thing.key, { phase, index: this[phase].length - 1 });
    this.cleanUp(thing, options.auth);
    if (subject.comesWith !== undefined && phase === 'setup') this.expectBeside(thing, noun);
    return thing;
  }

  private expectMade(ingredients: Ingredients, { shown = {}, orRefused }: MakeOptions): JsonObject {
    const { create, comesWith } = ingredients.subject;
    const done = successStatuses(create.operation, [201, 200]);
    if (orRefused !== undefined) return { status: [...done, ...orRefused] };
    const body =
      comesWith === undefined ? bodyShowing(this.api, create, { ...shownOf(this.api, ingredients), ...shown }) : {};
    return { status: done, ...body };
  }

  /** Of what is made by PUT: at its key is nothing yet, so that the response has to say that it was made. */
  private lookForNone({ subject, scope }: Pick<MadeThing, 'subject' | 'scope'>, made: JsonObject, noun: string): void {
    const read = subject.of('read');
    const key = valueAlong(made, ['parameters', subject.create.keyParameter ?? '']);
    if (subject.create.operation.method !== 'PUT' || read === undefined || typeof key !== 'string') return;
    if (this.unseen.has(key)) return;
    this.addAt('steps', { subject, scope, key }, read, { name: `there is no such ${noun} yet`, status: GONE });
  }

  /** That something comes with another one is a guess: where it is not there, nothing is said of it. */
  private expectBeside(thing: MadeThing, noun: string): void {
    this.addAt('setup', thing, thing.subject.of('read'), { name: `look for the ${noun}`, mayBeRefused: [404] });
  }

  /** Adds a step at a thing, where the description has such an operation. */
  addAt(phase: 'setup' | 'steps', thing: Thing, binding: Binding | undefined, step: StepAt): void {
    if (binding === undefined) return;
    const { name, headers, body, mayBeRefused, status = doneStatuses(binding), shown, capture } = step;
    const request = { ...this.at(thing, binding), ...definedProperties({ headers, body, mayBeRefused }) };
    const expect = definedProperties({ status, body: bodyWith(binding, shown) });
    this.add(phase, definedProperties({ name, ...request, expect, capture }));
  }

  add(phase: 'setup' | 'steps', step: JsonObject): void {
    const { operation, body } = step;
    const made = this.subjects().find(({ create }) => create.operation.id === operation);
    const isListed = body !== undefined && made !== undefined && takesList(made.create);
    const keyParameter = made?.create.operation.method === 'PUT' ? made.create.keyParameter : undefined;
    const key = keyParameter === undefined ? undefined : valueAlong(step, ['parameters', keyParameter]);
    const leaves = made?.leaves === undefined ? {} : { leaves: made.leaves };
    const own = { ...(key === undefined ? step : withKeyOfPath(step, key)), ...leaves };
    if (key !== undefined) this.lookBefore(phase, made, own, key);
    this[phase].push(...this.withTag(isListed ? { ...own, body: [body] } : own));
  }

  /** What a key that was drawn stands for may be somebody else's: only where a look finds nothing it is made. */
  private lookBefore(phase: 'setup' | 'steps', made: Subject | undefined, step: JsonObject, key: JsonValue): void {
    const read = made?.of('read');
    if (made === undefined || read === undefined || !this.unseen.delete(scalarText(key))) return;
    const { resource } = made;
    const noun = inWords(resource.name);
    const there =
      resource.scope.length === 0 && !this.found.has(resource.path) ? this.lookUpOnce(resource.path, 0) : undefined;
    // That a look finds nothing says something only where another one finds something.
    if (there !== undefined)
      this.addAt(this.looksIn, there, read, { name: `read the ${noun} that is there`, mayBeRefused: GONE });
    const names = new Set(read.operation.parameters.flatMap(({ in: place, name }) => (place === 'path' ? [name] : [])));
    const parameters = isJsonObject(step['parameters']) ? step['parameters'] : {};
    const steps = this[phase];
    const together = step['together'];
    const last = steps.findLastIndex((each) => together === undefined || each['together'] !== together);
    steps.splice(last + 1, 0, {
      name: `there is no such ${noun} yet`,
      ...this.request(
        read.operation,
        pickProperties(parameters, (name) => names.has(name)),
      ),
      mayBeRefused: doneStatuses(read),
      expect: { status: GONE },
    });
  }

  /** A step, and before it the look at the entity tag that it has to send. */
  private withTag(step: JsonObject): JsonObject[] {
    const parameters = isJsonObject(step['parameters']) ? step['parameters'] : {};
    const headers = isJsonObject(step['headers']) ? step['headers'] : {};
    const tagIn = (among: JsonObject): JsonValue =>
      Object.entries(among).find(([each]) => isIfMatch(each))?.[1] ?? null;
    const lookFor = (tag: JsonValue): JsonObject | undefined =>
      typeof tag === 'string' ? this.looks.get(tag) : undefined;
    const [asked, given] = [lookFor(tagIn(parameters)), lookFor(tagIn(headers))];
    if (asked === undefined) return given === undefined ? [step] : [given, step];
    const rest = pickProperties(parameters, (each) => !isIfMatch(each));
    return tagIn(headers) === null ? [asked, step] : [{ ...step, parameters: rest }];
  }

  /** What an operation that insists on an entity tag sends: that of the thing, read just before, or any where none is shown. */
  private tagOf(thing: Thing, operation: Operation): JsonObject {
    const { name, required = false } =
      operation.parameters.find((each) => each.in === 'header' && isIfMatch(each.name)) ?? {};
    const read = thing.subject.of('read');
    if (!needsTag(operation)) return {};
    const tagged = (tag: string): JsonObject =>
      name === undefined ? { headers: { 'If-Match': tag } } : { parameters: { [name]: tag } };
    if (read === undefined || headerNamed(read, /^etag$/i) === undefined) return required ? tagged('*') : {};
    const called = this.names.free(`${thing.subject.resource.name} tag`);
    this.looks.set(`\${${called}}`, {
      name: `read the ${inWords(thing.subject.resource.name)} and its entity tag`,
      ...this.at(thing, read),
      mayBeRefused: GONE,
      expect: { status: doneStatuses(read) },
      capture: { [called]: '$response.header.ETag' },
    });
    return tagged(`\${${called}}`);
  }

  /** The request of an operation at a thing. */
  at(thing: Thing, { operation, keyParameter, scopeParameters, restrictions }: Binding): JsonObject {
    const { parameters = {}, ...tag } = this.tagOf(thing, operation);
    const request = this.request(operation, {
      ...this.variables({ scopeParameters, restrictions, resource: thing.subject.resource }, thing.scope),
      ...(keyParameter === undefined ? {} : { [keyParameter]: thing.key }),
      ...(isJsonObject(parameters) ? parameters : {}),
    });
    return { ...request, ...tag };
  }

  /** The request of an operation at the collection that a thing is in; of a PUT that makes one, at a key of its own. */
  beside({ scope }: Pick<MadeThing, 'scope'>, binding: Binding, parameters: JsonObject = {}): JsonObject {
    const { keyParameter, operation } = binding;
    const key = keyParameter === undefined ? undefined : this.newKey(binding);
    const own = keyParameter === undefined || key === undefined ? {} : { [keyParameter]: key };
    return this.request(operation, { ...this.variables(binding, scope), ...own, ...parameters });
  }

  /** A key that nothing has: with the id of the run, or drawn by its schema. */
  private newKey(binding: Binding): JsonValue | undefined {
    const key = ownKey(binding, this.mark, (this.keys += 1));
    const schema = key === undefined ? keySchemaOf(binding) : undefined;
    if (schema === undefined) return key;
    const drawn = this.ownKeys.keyOf(schema, `${binding.operation.id} ${this.mark} ${this.keys}`)?.value;
    if (drawn !== undefined) this.unseen.add(scalarText(drawn));
    return drawn === undefined ? undefined : literal(drawn);
  }

  private request(operation: Operation, parameters: JsonObject): JsonObject {
    const header = findKeyHeader(operation);
    const key =
      header?.required === true ? keyOfRun(header, `${this.noun} ${this.mark} ${(this.keys += 1)}`) : undefined;
    const own = header === undefined || key === undefined ? {} : { [header.name]: key };
    const all = { ...requiredParameters(this.api, operation, this.seed), ...own, ...parameters };
    return { operation: operation.id, ...(Object.keys(all).length === 0 ? {} : { parameters: all }) };
  }

  private variables(
    { scopeParameters, restrictions, resource }: Pick<Binding, 'scopeParameters' | 'restrictions' | 'resource'>,
    scope: ReadonlyMap<string, string>,
  ): JsonObject {
    const values: Record<string, JsonValue> = {};
    for (const [index, name] of scopeParameters.entries())
      setProperty(values, name, scope.get(resource.scope[index]?.name ?? '') ?? '');
    const places = this.placesAround(resource).slice(resource.scope.length);
    for (const { parameter, parent } of restrictions)
      setProperty(values, parameter, scope.get(places.find((each) => each.parent === parent)?.name ?? '') ?? '');
    return values;
  }

  /** What another caller made he may not be let to remove himself. */
  private cleanUp(thing: MadeThing, auth?: JsonObject): void {
    if (thing.subject.leaves !== undefined) {
      this.endWhatStays(thing);
      return;
    }
    const remove = (thing.subject.comesWith ?? thing.subject).of('remove');
    if (remove === undefined) return;
    const status = [...doneStatuses(remove), 404, ...(remove.operation.responses.has('409') ? [409] : [])];
    const request = this.at(thing, remove);
    if (auth === undefined) this.cleanup.push(...this.withTag({ ...request, expect: { status } }));
    else {
      const shared = { ...request, touches: 'own', expect: { status: [...status, 401, 403, 410] } };
      this.cleanup.push(shared, { ...shared, ...auth });
    }
  }

  /** What stays may keep what it refers to from being removed, until it is ended: a loan that is returned. */
  private endWhatStays(thing: MadeThing): void {
    for (const { placeholder } of thing.substitutions) {
      const { phase, index } = this.makers.get(placeholder) ?? {};
      const step = phase === undefined || index === undefined ? undefined : this[phase][index];
      if (phase !== undefined && index !== undefined && step !== undefined)
        this[phase][index] = { ...step, leaves: `${inWords(thing.subject.resource.name)} may keep it` };
    }
    for (const { operation, body } of actionsOf(this.api, thing.subject, true)) {
      if (operation.method === 'GET') continue;
      const status = [...successStatuses(operation, [200, 201, 202, 204]), ...REFUSALS];
      this.cleanup.push({ ...this.actionAt(thing, { operation, body }), expect: { status } });
    }
  }

  /** The request of an operation below a thing, whose variables are those of the thing. */
  actionAt(thing: MadeThing, { operation, body }: ItemAction): JsonObject {
    const item = thing.subject.of('read') ?? thing.subject.of('remove') ?? thing.subject.create;
    return {
      ...this.at(thing, { ...item, operation }),
      ...(body === undefined ? {} : { body: written(body, []) }),
      ...(operation.method === 'GET' ? {} : { touches: 'own' }),
    };
  }

  /** Values for the variables of a path, each the key of a thing of its own; `undefined` where one cannot be had. */
  scopeOf(resource: ResourceDescription, depth = 0): ReadonlyMap<string, string> | undefined {
    const values = new Map<string, string>();
    for (const { name, parent } of this.placesAround(resource)) {
      const found = this.valueOf(resource.path, { name, parent }, values, depth);
      const value = parent === undefined ? (found ?? givenVariable(this.api, resource, name, this.seed)) : found;
      if (value === undefined) return undefined;
      values.set(name, value);
    }
    return values;
  }

  private placesAround(resource: ResourceDescription): readonly PathPlace[] {
    const kind = this.kinds().find((each) => each.resource === resource);
    return kind === undefined ? resource.scope : placesAround(kind);
  }

  /** Is a value of a path one that nobody made, listed or named? */
  isMadeUp(scope: ReadonlyMap<string, string>): boolean {
    return [...scope].some(([name, value]) => !value.includes('${') && this.namedFor(name) !== value);
  }

  /** Can the run make things of a kind, in something of its own or where its user said? */
  canMake(kind: Kind | undefined): boolean {
    if (kind === undefined || !isSubject(kind)) return false;
    const parentOf = (path: string): Kind | undefined => this.kinds().find(({ resource }) => resource.path === path);
    return placesAround(kind).every(
      ({ name, parent }) =>
        this.namedFor(name) !== undefined || (parent !== undefined && this.canMake(parentOf(parent))),
    );
  }

  /** Can a body be made that uses up nothing of others? */
  canFill(subject: Subject): boolean {
    const sample = sampleBody(this.api, subject.create, this.choice(subject.resource, this.seed, 0));
    const keyed = sample && withKeyOf(subject, sample);
    return keyed !== undefined && this.withoutOthers(subject.comesWith ?? subject, keyed) !== undefined;
  }

  /** The request of a read with a value for each variable of its path; `undefined` where one cannot be had. */
  readOf(operation: Operation): JsonObject | undefined {
    const values = new Map<string, string>();
    for (const [segment, name = ''] of operation.path.matchAll(/\{([^}]+)\}/g)) {
      const before = operation.path.slice(0, operation.path.indexOf(segment)).replace(/\/$/, '');
      const parent = this.kinds().find(({ resource }) => resource.path.replace(/\/$/, '') === before);
      const value = this.valueOf(operation.path, { name, parent: parent?.resource.path }, values, 0);
      if (value === undefined) return undefined;
      values.set(name, value);
    }
    const parameters = requiredParameters(this.api, operation, this.seed);
    const needed = operation.parameters.filter(({ in: place, required }) => place !== 'path' && required);
    const isWhole = needed.every(({ name }) => Object.hasOwn(parameters, name));
    return isWhole ? this.request(operation, Object.fromEntries(values)) : undefined;
  }

  /** For a variable of a path: of what the run makes, else what its user named, what a list shows, or the description. */
  private valueOf(
    path: string,
    { name, parent }: { readonly name: string; readonly parent: string | undefined },
    before: ReadonlyMap<string, string>,
    depth: number,
  ): string | undefined {
    const isMade = this.subjects().some(({ resource }) => resource.path === parent);
    const named = isMade ? undefined : this.namedFor(name);
    if (named !== undefined) return named;
    if (parent !== undefined) return this.keyOf(parent, depth);
    const shown = findShownValue(this.api, path, name);
    return this.valueInList(path, name, before) ?? (shown === undefined ? undefined : literalText(shown));
  }

  /** What the user of the run named for a variable; nothing where paths have it for different things. */
  private namedFor(name: string): string | undefined {
    const named = this.within.get(name);
    const paths = this.api.operations.map(({ path }) => path).filter((path) => path.includes(`{${name}}/`));
    const places = new Set(paths.map((path) => path.slice(0, path.indexOf(`{${name}}`))));
    return named === undefined || places.size > 1 ? undefined : literalText(named);
  }

  private valueInList(path: string, name: string, before: ReadonlyMap<string, string>): string | undefined {
    const place = path.slice(0, path.indexOf(`{${name}}`));
    const known = this.listed.get(place);
    const found = known === undefined ? findListedValue(this.api, path, name) : undefined;
    return found === undefined ? known : this.lookIn(found, place, Object.fromEntries(before), name);
  }

  /** What the first item of a list shows, looked for once. */
  private lookIn({ list, noun, pointer }: ListedValue, place: string, parameters: JsonObject, called: string): string {
    const known = this.listed.get(place);
    if (known !== undefined) return known;
    const own = this.names.free(`${noun} ${called}`);
    this.add(this.looksIn, {
      name: `look for ${withArticle(inWords(noun))}`,
      ...this.request(list, parameters),
      mayBeRefused: true,
      expect: { status: successStatuses(list, [200]) },
      capture: { [own]: `$response.body#${pointer}` },
    });
    this.listed.set(place, `\${${own}}`);
    return `\${${own}}`;
  }

  /** The key of a thing that another one needs: of the run, or where it can make none, of others. */
  private keyOf(path: string, depth: number, isLeast = false): string | undefined {
    return this.ownKeyOf(path, depth, isLeast) ?? this.lookUpOnce(path, depth)?.key;
  }

  /** The key of a thing that another one needs, made in the setup, once for each contract. */
  private ownKeyOf(path: string, depth: number, isLeast: boolean): string | undefined {
    const known = this.needed.get(path);
    if (known !== undefined) return known.key;
    const subject = depth >= DEEPEST ? undefined : this.subjects().find(({ resource }) => resource.path === path);
    const ingredients = subject === undefined ? undefined : this.ingredients(subject, depth + 1, isLeast);
    if (ingredients === undefined) return undefined;
    const noun = withArticle(inWords(ingredients.subject.resource.name));
    // Behind what it looks for itself.
    const thing = this.make(ingredients, this.looksIn, `add ${noun} that it needs`);
    this.needed.set(path, thing);
    this.provide(thing);
    return thing.key;
  }

  /** The thing of a kind that others of this contract need; `undefined` where a run cannot make one. */
  needs(path: string): MadeThing | undefined {
    this.keyOf(path, 0);
    return this.needed.get(path);
  }

  /** Another body for a thing, with the same references, and what of it is shown. @param variant - each is another one */
  changeOf(thing: MadeThing, binding: Binding, variant = 0): ChangedBody | undefined {
    const { resource } = thing.subject;
    const substitutions = [...thing.substitutions, ...this.keptBy(thing, binding)];
    const seed = variant === 0 ? `${this.noun} changed` : `${this.seed} ${this.noun} changed ${variant}`;
    return changedBody(this.api, { resource, substitutions, ...this.choice(resource, seed, 7 + variant) }, binding);
  }

  /** What is changed stays what it is: a body says its own key, and the name that the service made the key of. */
  private keptBy(
    { subject: { resource, create }, plain, substitutions, key }: MadeThing,
    binding: Binding,
  ): Substitution[] {
    const root = binding.request?.path ?? [];
    const naming = this.learnt.namingOf(resource.path);
    const sent = valueAlong(written(plain, substitutions), create.request?.path ?? []);
    const name = naming === undefined || !isJsonObject(sent) ? undefined : sent[naming];
    const numbers = [...resource.properties.values()].filter(({ name: each, schema }) => isNumberOfThing(each, schema));
    return [
      ...numbers.flatMap(({ name: each }) => {
        const own = isJsonObject(sent) ? sent[each] : undefined;
        return own === undefined ? [] : [{ path: [each], placeholder: own }];
      }),
      ...(resource.key.isClientChosen ? [{ path: keyPathOf(resource), placeholder: key }] : []),
      ...(naming === undefined || name === undefined ? [] : [{ path: [naming], placeholder: name }]),
    ].map(({ path, placeholder }) => ({ path: [...root, ...path], value: null, placeholder }));
  }

  private choice({ path }: ResourceDescription, seed: string, ordinal: number): Choice {
    const kind = this.kinds().find(({ resource }) => resource.path === path);
    const unique = kind === undefined || !isSubject(kind) ? undefined : kind.create.said.unique?.names;
    return { seed, ordinal, mark: this.mark, unique, learnt: this.learnt.about(path), keys: this.ownKeys };
  }

  /** What others need has plenty of what comes with it: an article that is sold out cannot be ordered. */
  private provide(thing: MadeThing): void {
    this.supply(thing, PLENTY);
    for (const action of this.learnt.preparationsOf(thing.subject.resource.path))
      this.add('setup', {
        name: `${verbOf(action)} of the ${inWords(thing.subject.resource.name)}`,
        ...this.actionAt(thing, action),
        mayBeRefused: true,
        expect: { status: successStatuses(action.operation, [200, 201, 202, 204]) },
      });
  }

  /** Sets the numbers of what comes with a thing. @returns whether there are any */
  supply(thing: MadeThing, amount: number): boolean {
    let isSet = false;
    for (const subject of this.subjects()) {
      if (subject.comesWith?.resource !== thing.subject.resource) continue;
      const binding = subject.of('update') ?? subject.of('replace');
      const body = binding === undefined ? undefined : amountBody(this.api, binding, amount);
      if (binding === undefined || body === undefined) continue;
      isSet = true;
      const name = `with ${amount === PLENTY ? 'plenty' : amount} of ${inWords(subject.resource.name)}`;
      this.addAt('setup', { ...thing, subject }, binding, { name, body, mayBeRefused: true });
    }
    return isSet;
  }

  private lookUpOnce(path: string, depth: number): Thing | undefined {
    const thing = this.found.get(path) ?? this.lookUp(path, depth);
    if (thing !== undefined) this.found.set(path, thing);
    return thing;
  }

  /**
   * The first thing of a list, for what a run cannot make; where there is none, what needs it is skipped.
   *
   * @param more - names of values of it that are captured as well, and what they are called
   */
  lookUp(path: string, depth = 0, more: ReadonlyMap<string, string> = new Map()): Thing | undefined {
    const subject = this.kinds().find(({ resource }) => resource.path === path);
    const list = subject?.of('list');
    if (subject === undefined || list?.response?.form !== 'list' || depth >= DEEPEST) return undefined;
    const scope = this.scopeOf(subject.resource, depth + 1);
    const keyPath = keyPathOf(subject.resource);
    if (scope === undefined || keyPath.length === 0) return undefined;
    const own = this.names.free(`${subject.resource.name} id`);
    const first = [...list.response.path, '0', ...(list.response.entryPath ?? [])];
    const at = (within: readonly string[]): string => `$response.body#${pointerTo([...first, ...within])}`;
    this.add(this.looksIn, {
      name: `look for ${withArticle(inWords(subject.resource.name))}`,
      ...this.beside({ scope }, list),
      mayBeRefused: true,
      expect: { status: successStatuses(list.operation, [200]) },
      capture: { [own]: at(keyPath), ...Object.fromEntries([...more].map(([name, called]) => [called, at([name])])) },
    });
    return { subject, key: `\${${own}}`, scope };
  }

  /** What is made from now on needs others than what was made before. */
  renewNeeds(): void {
    this.needed.clear();
  }

  /** A name that no captured value has. */
  freeName(words: string): string {
    return this.names.free(words);
  }

  /**
   * A body without what names a thing that the run cannot make and that has an amount, which a service may take from:
   * `undefined` where it has to be there. What stays names nothing of others at all: a loan may keep it for good.
   */
  private withoutOthers({ resource, create, leaves }: Subject, plain: JsonObject): JsonObject | undefined {
    const root = create.request?.path ?? [];
    const mayTake = (path: string): boolean =>
      !isCatalogueAt(this.api, path) &&
      (leaves === undefined
        ? hasAmounts(this.api, path, this.mayLeave)
        : !this.canMake(this.kinds().find((kind) => kind.resource.path === path)));
    const others = resource.references.filter(
      ({ property, to, isGuess }) =>
        to !== resource.path && isGuess !== true && !this.within.has(property) && mayTake(to),
    );
    const item = valueAlong(plain, root);
    if (others.length === 0 || !isJsonObject(item)) return plain;
    const names = new Set(others.map(({ property }) => property));
    const body = withValueAlong(
      plain,
      root,
      pickProperties(item, (name) => !names.has(name)),
    );
    return requestOf(create)?.accepts(body, 'request') === true ? body : undefined;
  }

  private referencesOf(
    subject: Subject,
    plain: JsonObject,
    { scope, depth, isLeast }: Pick<Ingredients, 'scope'> & { readonly depth: number; readonly isLeast: boolean },
  ): Substitution[] | undefined {
    const { resource, create } = subject;
    const root = create.request?.path ?? [];
    const substitutions: Substitution[] = [...keyIn(subject, plain), ...parentsIn(resource, root, plain, scope)];
    const declared = resource.references.map((reference) => ({ ...reference, path: [reference.property] }));
    const catalogued = catalogueReferencesOf(this.api, subject);
    for (const reference of [...declared, ...catalogued, ...this.learnt.referencesOf(resource.path)]) {
      const found = placeIn(plain, [...root, ...reference.path], reference);
      if (found === undefined) continue;
      const told = this.within.get(reference.path.at(-1) ?? '');
      const key = told === undefined ? this.keyFor(subject, reference, depth, isLeast) : typed(told, found.value);
      if (key === undefined && reference.isGuess === true) continue;
      if (key === undefined) return undefined;
      substitutions.push({ ...found, placeholder: key });
    }
    return substitutions;
  }

  /** For a reference to another kind: what stays has the keys of others only where they are entries of a catalogue. */
  private keyFor(
    subject: Subject,
    { path, to }: { readonly path: readonly string[]; readonly to: string },
    depth: number,
    isLeast: boolean,
  ): string | undefined {
    if (to === subject.resource.path) return undefined;
    const named = catalogueOf(this.api, subject, path);
    if (named?.to === to) return this.lookIn(named.listed, `${to} ${named.listed.pointer}`, {}, path.at(-1) ?? '');
    return subject.leaves === undefined || isCatalogueAt(this.api, to)
      ? this.keyOf(to, depth, isLeast)
      : this.ownKeyOf(to, depth, isLeast);
  }
}

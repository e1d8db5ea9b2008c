import { type JsonObject, type JsonValue, setProperty } from '../core/json/json-value';
import { CONTRACT_FORMAT } from '../formats/contract/contract';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import type { Binding } from '../resources/model/binding';
import type { ResourceDescription } from '../resources/model/resource';
import { inWords, Names, withArticle } from '../traffic/contract/names';
import {
  type ChangedBody,
  changedBody,
  placeIn,
  plentyBody,
  sampleBody,
  shownOf,
  type Substitution,
  written,
} from './bodies';
import { parameterValue, pathWith, requiredParameters } from './parameters';
import { bodyShowing } from './expectations';
import { findKinds, findSubjects, type Kind, keyPathOf, pointerTo, type Subject, successStatuses } from './subject';

/** A thing as later steps name it. */
export interface Thing {
  readonly subject: Kind;
  /** Placeholder for its key. */
  readonly key: string;
  /** Values of the variables of its path but the key, by name of the variable of the resource. */
  readonly scope: ReadonlyMap<string, string>;
}

/** One that a contract makes. */
export interface MadeThing extends Thing {
  readonly subject: Subject;
  /** What was sent, with values that stand for the placeholders. */
  readonly plain: JsonObject;
  readonly substitutions: readonly Substitution[];
}

/** What a thing is made with, before it is. */
export interface Ingredients {
  readonly subject: Subject;
  readonly scope: ReadonlyMap<string, string>;
  readonly plain: JsonObject;
  readonly substitutions: readonly Substitution[];
}

/** How a thing is made. */
export interface MakeOptions {
  /** With which of these the service may refuse it, or with any; default: with any in the setup, else with none. */
  readonly mayBeRefused?: readonly number[] | boolean;
  /** More that the response has to show. */
  readonly shown?: JsonObject;
  /** More that is captured. */
  readonly capture?: JsonObject;
}

/** Things that need others which need them never come to an end. */
const DEEPEST = 4;

/** A contract that is being made: steps, and names for what they capture. */
export class Draft {
  readonly api: ApiModel;
  readonly noun: string;
  private readonly seed: string;
  private readonly names = new Names();
  private readonly setup: JsonObject[] = [];
  private readonly steps: JsonObject[] = [];
  private readonly cleanup: JsonObject[] = [];
  /** By path of the resource: things that others need. */
  private readonly needed = new Map<string, MadeThing>();
  private ordinal = 0;

  constructor(api: ApiModel, { resource }: Kind, seed: string) {
    this.api = api;
    this.noun = inWords(resource.name);
    this.seed = seed;
  }

  /** @returns `undefined` where it says nothing */
  contract(name: string): JsonObject | undefined {
    const { setup, steps, cleanup } = this;
    if (steps.length === 0) return undefined;
    return {
      standin: CONTRACT_FORMAT,
      name,
      ...(setup.length === 0 ? {} : { setup }),
      steps,
      ...(cleanup.length === 0 ? {} : { cleanup }),
    };
  }

  /** What the next thing of a kind is made with; what it needs is made in the setup. */
  ingredients(subject: Subject, depth = 0): Ingredients | undefined {
    const scope = this.scopeOf(subject.resource, depth);
    const plain = sampleBody(this.api, subject.create, this.seed, this.ordinal);
    this.ordinal += 1;
    if (scope === undefined || plain === undefined) return undefined;
    const substitutions = this.referencesOf(subject.comesWith ?? subject, plain, depth);
    return substitutions === undefined ? undefined : { subject, scope, plain, substitutions };
  }

  /** Makes a thing, in a step of the setup or of the contract itself; it is removed in the cleanup. */
  make(
    ingredients: Ingredients,
    phase: 'setup' | 'steps',
    name?: string,
    { mayBeRefused = phase === 'setup', shown = {}, capture = {} }: MakeOptions = {},
  ): MadeThing {
    const { subject, scope, plain, substitutions } = ingredients;
    const { create } = subject;
    const { resource } = subject.comesWith ?? subject;
    const own = this.names.free(`${resource.name} id`);
    const noun = inWords(resource.name);
    this.add(phase, {
      name: name ?? `add ${withArticle(noun)}`,
      ...this.request(create.operation, this.variables(create, scope)),
      body: written(plain, substitutions),
      // Of things that others need, of the first of a kind, and of what may not be there twice nobody knows.
      ...(mayBeRefused === false ? {} : { mayBeRefused: mayBeRefused === true ? true : [...mayBeRefused] }),
      expect: {
        status: successStatuses(create.operation, [201, 200]),
        ...(subject.comesWith === undefined
          ? bodyShowing(create, { ...shownOf(this.api, ingredients), ...shown })
          : {}),
      },
      capture: {
        [own]: subject.shownKey,
        ...capture,
      },
    });
    const thing = { ...ingredients, key: `\${${own}}` };
    this.cleanUp(thing);
    if (subject.comesWith !== undefined && phase === 'setup') this.expectBeside(thing, noun);
    return thing;
  }

  /** That something comes with another one is a guess: where it is not there, nothing is said of it. */
  private expectBeside(thing: MadeThing, noun: string): void {
    const read = thing.subject.of('read');
    if (read === undefined) return;
    const expect = { status: successStatuses(read.operation, [200]) };
    this.add('setup', { name: `look for the ${noun}`, ...this.at(thing, read), mayBeRefused: [404], expect });
  }

  add(phase: 'setup' | 'steps', step: JsonObject): void {
    this[phase].push(step);
  }

  /** The request of an operation at a thing. */
  at(thing: Thing, { operation, keyParameter, scopeParameters }: Binding): JsonObject {
    return this.request(operation, {
      ...this.variables({ scopeParameters, resource: thing.subject.resource }, thing.scope),
      ...(keyParameter === undefined ? {} : { [keyParameter]: thing.key }),
    });
  }

  /** The request of an operation at the collection that a thing is in. */
  beside({ scope }: Pick<MadeThing, 'scope'>, binding: Binding, parameters: JsonObject = {}): JsonObject {
    return this.request(binding.operation, { ...this.variables(binding, scope), ...parameters });
  }

  private request(operation: Operation, parameters: JsonObject): JsonObject {
    const all = { ...requiredParameters(this.api, operation, this.seed), ...parameters };
    return { operation: operation.id, ...(Object.keys(all).length === 0 ? {} : { parameters: all }) };
  }

  private variables(
    { scopeParameters, resource }: Pick<Binding, 'scopeParameters' | 'resource'>,
    scope: ReadonlyMap<string, string>,
  ): JsonObject {
    const values: Record<string, JsonValue> = {};
    for (const [index, name] of scopeParameters.entries())
      setProperty(values, name, scope.get(resource.scope[index]?.name ?? '') ?? '');
    return values;
  }

  private cleanUp(thing: MadeThing): void {
    const remove = (thing.subject.comesWith ?? thing.subject).of('remove');
    if (remove === undefined) return;
    const usual = successStatuses(remove.operation, [204, 200]);
    const status = [...usual, 404, ...(remove.operation.responses.has('409') ? [409] : [])];
    this.cleanup.push({ ...this.at(thing, remove), expect: { status } });
  }

  /** Values for the variables of a path, each the key of a thing of its own; `undefined` where one cannot be had. */
  scopeOf(resource: ResourceDescription, depth = 0): ReadonlyMap<string, string> | undefined {
    const values = new Map<string, string>();
    for (const { name, parent } of resource.scope) {
      const value = parent === undefined ? this.givenVariable(resource, name) : this.keyOf(parent, depth);
      if (value === undefined) return undefined;
      values.set(name, value);
    }
    return values;
  }

  /** What the description itself shows for a variable. */
  private givenVariable({ path }: ResourceDescription, name: string): string | undefined {
    for (const { parameters, path: own } of this.api.operations) {
      if (!own.startsWith(path)) continue;
      const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
      const value = parameter === undefined ? undefined : parameterValue(this.api, parameter, this.seed);
      if (typeof value === 'string' || typeof value === 'number') return String(value);
    }
    return undefined;
  }

  /** The key of a thing that another one needs: made in the setup, once for each contract. */
  private keyOf(path: string, depth: number): string | undefined {
    const known = this.needed.get(path);
    if (known !== undefined) return known.key;
    const subject =
      depth >= DEEPEST ? undefined : findSubjects(this.api).find(({ resource }) => resource.path === path);
    const ingredients = subject === undefined ? undefined : this.ingredients(subject, depth + 1);
    if (ingredients === undefined) return this.lookUp(path, depth)?.key;
    const noun = withArticle(inWords(ingredients.subject.resource.name));
    const thing = this.make(ingredients, 'setup', `add ${noun} that it needs`);
    this.needed.set(path, thing);
    this.provide(thing);
    return thing.key;
  }

  /** The thing of a kind that others of this contract need; `undefined` where a run cannot make one. */
  needs(path: string): MadeThing | undefined {
    this.keyOf(path, 0);
    return this.needed.get(path);
  }

  /** Another body for a thing, with the same references, and what of it is shown. */
  changeOf({ subject: { resource }, substitutions }: MadeThing, binding: Binding): ChangedBody | undefined {
    return changedBody(this.api, { resource, substitutions, seed: `${this.noun} changed` }, binding);
  }

  /** Path and query of a request, for methods that the description does not have. */
  pathOf(operation: Operation, request: JsonObject): string | undefined {
    return pathWith(operation, request);
  }

  /** What others need has plenty of what comes with it: an article that is sold out cannot be ordered. */
  private provide(thing: MadeThing): void {
    for (const subject of findSubjects(this.api)) {
      if (subject.comesWith?.resource !== thing.subject.resource) continue;
      const binding = subject.of('update') ?? subject.of('replace');
      const body = binding === undefined ? undefined : plentyBody(this.api, binding);
      if (binding === undefined || body === undefined) continue;
      const name = `with plenty of ${inWords(subject.resource.name)}`;
      const status = successStatuses(binding.operation, [200, 204]);
      this.add('setup', {
        name,
        ...this.at({ ...thing, subject }, binding),
        body,
        mayBeRefused: true,
        expect: { status },
      });
    }
  }

  /**
   * The first thing of a list, for what a run cannot make; where there is none, what needs it is skipped.
   *
   * @param more - names of values of it that are captured as well, and what they are called
   */
  lookUp(path: string, depth = 0, more: ReadonlyMap<string, string> = new Map()): Thing | undefined {
    const subject = findKinds(this.api).find(({ resource }) => resource.path === path);
    const list = subject?.of('list');
    if (subject === undefined || list?.response?.form !== 'list' || depth >= DEEPEST) return undefined;
    const scope = this.scopeOf(subject.resource, depth + 1);
    const keyPath = keyPathOf(subject.resource);
    if (scope === undefined || keyPath.length === 0) return undefined;
    const own = this.names.free(`${subject.resource.name} id`);
    const first = [...list.response.path, '0', ...(list.response.entryPath ?? [])];
    const at = (within: readonly string[]): string => `$response.body#${pointerTo([...first, ...within])}`;
    this.add('setup', {
      name: `look for ${withArticle(inWords(subject.resource.name))}`,
      ...this.beside({ scope }, list),
      mayBeRefused: true,
      expect: { status: successStatuses(list.operation, [200]) },
      capture: { [own]: at(keyPath), ...Object.fromEntries([...more].map(([name, called]) => [called, at([name])])) },
    });
    return { subject, key: `\${${own}}`, scope };
  }

  /** A name that no captured value has. */
  freeName(words: string): string {
    return this.names.free(words);
  }

  private referencesOf({ resource, create }: Subject, plain: JsonObject, depth: number): Substitution[] | undefined {
    const root = create.request?.path ?? [];
    const substitutions: Substitution[] = [];
    for (const reference of resource.references) {
      const place = placeIn(plain, [...root, reference.property], reference);
      if (place === undefined) continue;
      const key = reference.to === resource.path ? undefined : this.keyOf(reference.to, depth);
      if (key === undefined) return undefined;
      substitutions.push({ ...place, placeholder: key });
    }
    return substitutions;
  }
}

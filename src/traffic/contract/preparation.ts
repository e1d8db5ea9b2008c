import type { JsonObject, JsonValue } from '../../core/json/json-value';
import type { ApiModel } from '../../openapi/model/api-model';
import { inferResourceModel } from '../../resources/infer-resource-model';
import type { ResourceDescription } from '../../resources/model/resource';
import type { Call } from '../flow/call';
import { keyPath } from '../flow/producers';
import type { Names } from './names';
import { creationStep, lookUpStep, type PreparingStep } from './preparing-steps';
import { literal } from './run-names';

/** Names a thing by the path of its resource and its key. */
export const thing = (resource: string, key: string): string => `${resource} ${key}`;

/** What things are prepared by. */
export interface PreparationInput {
  readonly api: ApiModel;
  readonly calls: readonly Call[];
  /** Those of captures and variables. */
  readonly names: Names;
  /** Placeholders of keys that are known, by thing; what is prepared is added. */
  readonly keys: Map<string, string>;
  /** Things that some request changes, or makes something of. */
  readonly changed: ReadonlySet<string>;
}

/** Prepares what the recording used and did not make: each thing once. */
export class Preparation {
  readonly setup: PreparingStep[] = [];
  readonly variables = new Map<string, JsonValue>();
  readonly within = new Map<string, string>();
  /** How many items of a list the setup takes already, by path of the resource. */
  private readonly lookedUp = new Map<string, number>();
  /** Things that are being prepared: a pair that refers to each other is prepared once. */
  private readonly preparing = new Set<string>();
  /** Placeholders for the keys of what is prepared, by thing. */
  private readonly prepared = new Map<string, string>();
  /** Placeholders for the keys of what the setup makes. */
  private readonly made = new Set<string>();
  private readonly about: PreparationInput;

  constructor(input: PreparationInput) {
    this.about = input;
  }

  /**
   * @returns the placeholder for its key; `undefined` where nothing gives it. None of a capture: the setup comes before
   *   all steps
   */
  prepare(path: string, key: string, parameter: string): string | undefined {
    const id = thing(path, key);
    const known = this.prepared.get(id);
    if (known !== undefined) return known;
    const resource = inferResourceModel(this.about.api).resources.find((each) => each.path === path);
    if (resource === undefined) return undefined;
    const made = this.guarded(path, key, () => {
      if (isStableName(key)) return this.variableFor(resource, key, parameter);
      const own = this.about.changed.has(id) ? this.creationOf(resource, key, parameter) : undefined;
      return own ?? this.lookUp(resource, key, parameter);
    });
    if (made !== undefined) this.know(id, made);
    return made;
  }

  private know(id: string, placeholder: string): void {
    this.prepared.set(id, placeholder);
    // What the recording made under the same key later has a placeholder of its own.
    if (!this.about.keys.has(id)) this.about.keys.set(id, placeholder);
  }

  /** Does the setup make it, and not only look it up? */
  hasMade(path: string, key: string): boolean {
    return this.made.has(this.about.keys.get(thing(path, key)) ?? '');
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
    const name = this.about.names.free(parameter);
    this.variables.set(name, literal(key));
    const isParent = inferResourceModel(this.about.api).resources.some(({ scope }) =>
      scope.some(({ parent }) => parent === resource.path),
    );
    if (isParent) this.within.set(parameter, key);
    return `\${${name}}`;
  }

  private creationOf(resource: ResourceDescription, key: string, parameter: string): string | undefined {
    const { api, calls } = this.about;
    const nameKey = (): string => this.about.names.free(nameOfKey(this.about.api, resource.path, parameter));
    const step = creationStep({ api, calls, resource, key }, nameKey, (to, value, name) =>
      this.prepare(to, value, name),
    );
    const made = this.addStep(step);
    if (made !== undefined) this.made.add(made);
    return made;
  }

  private lookUp(resource: ResourceDescription, key: string, parameter: string): string | undefined {
    const place = this.lookedUp.get(resource.path) ?? 0;
    const nameKey = (): string => this.about.names.free(nameOfKey(this.about.api, resource.path, parameter));
    const step = lookUpStep({ api: this.about.api, resource, key }, place, nameKey);
    if (step !== undefined) this.lookedUp.set(resource.path, place + 1);
    return this.addStep(step);
  }

  private addStep(step: PreparingStep | undefined): string | undefined {
    if (step === undefined) return undefined;
    this.setup.push(step);
    const [name] = Object.keys(step.value['capture'] as JsonObject);
    return `\${${name}}`;
  }

  makeOwn(path: string, key: string, parameter: string): string | undefined {
    const known = this.prepared.get(thing(path, key));
    if (known !== undefined) return known;
    const resource = inferResourceModel(this.about.api).resources.find((each) => each.path === path);
    const made =
      resource === undefined ? undefined : this.guarded(path, key, () => this.creationOf(resource, key, parameter));
    if (made !== undefined) this.know(thing(path, key), made);
    return made;
  }
}

/** What a key is captured as. */
export function nameOfKey(api: ApiModel, path: string, otherwise: string): string {
  const model = inferResourceModel(api);
  for (const { resource, keyParameter } of model.bindings.values())
    if (resource.path === path && keyParameter !== undefined && !/^(?:id|key|name)$/i.test(keyParameter))
      return keyParameter;
  const resource = model.resources.find((each) => each.path === path);
  return resource === undefined ? otherwise : `${resource.name}-${keyPath(resource).at(-1) ?? 'key'}`;
}

/** Is it a word that people gave, such as `localhost`, which another instance has as well? */
export function isStableName(key: string): boolean {
  return /^[a-z][a-z_.-]*$/i.test(key) && key.length <= 40;
}

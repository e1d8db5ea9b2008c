import { equalJson, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { renamePlaceholders } from '../../formats/contract/placeholders';
import { PHASES, type PlacedStep, type StepPairs, stepsOf } from './align-steps';

/** What a name is called now; a name that is not in it stays. */
export type Names = ReadonlyMap<string, string>;

/** Names of one version of a contract that are the same thing as names of another. */
interface SameNames {
  /** Captures, variables and, as `env.NAME`, variables of the environment. */
  readonly values: Names;
  /** Names of steps. */
  readonly steps: Names;
}

/** What the names of the three versions are called in the merged one. */
export interface MergedNames {
  readonly base: SameNames;
  readonly theirs: SameNames;
  readonly ours: SameNames;
  /** Those that she gave. */
  readonly given: Names;
}

const ENVIRONMENT = 'env.';

/**
 * Where a person gave a capture, a variable or a step another name, the generated steps follow her; where only the new
 * recording did, her own steps follow it. A new name of the recording that she uses for something else gets a number.
 *
 * @param inTheirs - the steps of base in her version
 * @param inOurs - the steps of base in the new one
 * @param added - her steps that the new version has as well, though base has not
 */
export function mergeNames(
  { base, theirs, ours }: { readonly base: JsonObject; readonly theirs: JsonObject; readonly ours: JsonObject },
  inTheirs: StepPairs,
  inOurs: StepPairs,
  added: StepPairs,
): MergedNames {
  const her = sameNames(base, theirs, inTheirs);
  const our = sameNames(base, ours, inOurs);
  const alike = new Set(sameNames(theirs, ours, added).values.values());
  const values = mergeMaps(her.values, our.values);
  const free = namesIn(theirs, values.theirs);
  const derived = new Set(our.values.values());
  const oursValues = new Map(values.ours);
  for (const name of namesIn(ours, new Map())) {
    if (derived.has(name) || alike.has(name) || !free.has(name)) continue;
    let number = 2;
    while (free.has(`${name}_${number}`)) number += 1;
    free.add(`${name}_${number}`);
    oursValues.set(name, `${name}_${number}`);
  }
  const steps = mergeMaps(her.steps, our.steps);
  return {
    base: { values: values.base, steps: steps.base },
    theirs: { values: values.theirs, steps: steps.theirs },
    ours: { values: oursValues, steps: steps.ours },
    given: new Map([...her.values].filter(([name, now]) => name !== now)),
  };
}

/** A contract in which everything has its new name. */
export function renamed(contract: JsonObject, names: SameNames): JsonObject {
  if (names.values.size === 0 && names.steps.size === 0) return contract;
  const entries = Object.entries(contract).map(([key, value]): [string, JsonValue] => {
    if (key === 'variables') return [key, withKeys(value, names.values)];
    if (key === 'env') return [key, renamedEnvironment(value, names.values)];
    const isPhase = PHASES.some((phase) => phase === key) && Array.isArray(value);
    return [key, isPhase ? value.map((step) => renamedStep(step, names)) : value];
  });
  return Object.fromEntries(entries);
}

function renamedStep(step: JsonValue, { values, steps }: SameNames): JsonValue {
  if (!isJsonObject(step)) return step;
  const entries = Object.entries(step).map(([key, value]): [string, JsonValue] => {
    if (key === 'capture') return [key, withKeys(value, values)];
    if (key === 'removes' && typeof value === 'string') return [key, steps.get(value) ?? value];
    return [key, renamePlaceholders(value, values)];
  });
  return Object.fromEntries(entries);
}

function withKeys(value: JsonValue, names: Names): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [names.get(name) ?? name, property]));
}

function renamedEnvironment(value: JsonValue, names: Names): JsonValue {
  const own = new Map([...names].flatMap(([from, to]) => (isOfEnvironment(from) ? [[bare(from), bare(to)]] : [])));
  if (Array.isArray(value)) return value.map((name) => (typeof name === 'string' ? (own.get(name) ?? name) : name));
  return withKeys(value, own);
}

/** Is it a variable of the environment, as placeholders name it? */
export const isOfEnvironment = (name: string): boolean => name.startsWith(ENVIRONMENT);
const bare = (name: string): string => name.slice(ENVIRONMENT.length);

/** Whose names win: hers where she changed one, else those of the new version. */
function mergeMaps(her: Names, our: Names): { readonly base: Names; readonly theirs: Names; readonly ours: Names } {
  const [base, theirs, ours] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
  for (const name of new Set([...her.keys(), ...our.keys()])) {
    const [hers, now] = [her.get(name) ?? name, our.get(name) ?? name];
    const merged = hers === name ? now : hers;
    if (merged !== name) base.set(name, merged);
    if (merged !== hers) theirs.set(hers, merged);
    if (merged !== now) ours.set(now, merged);
  }
  return { base, theirs, ours };
}

/** Every name that something declares, as it is called after the merge. */
function namesIn(contract: JsonObject, names: Names): Set<string> {
  const declared = [...declarationsOf(contract), ...stepsOf(contract).map(({ value }) => value['capture'])];
  const own = declared.flatMap((each) => (isJsonObject(each) ? Object.keys(each) : []));
  return new Set(own.map((name) => names.get(name) ?? name));
}

/** `variables`, and `env` as a map, with the names that placeholders have. */
export function declarationsOf({ variables = null, env = null }: JsonObject): [variables: JsonValue, env: JsonObject] {
  const listed = Array.isArray(env)
    ? env.flatMap((name) => (typeof name === 'string' ? [[name, {}] as const] : []))
    : [];
  const names = isJsonObject(env) ? Object.entries(env) : listed;
  return [variables, Object.fromEntries(names.map(([name, value]) => [`${ENVIRONMENT}${name}`, value]))];
}

function sameNames(before: JsonObject, after: JsonObject, pairs: StepPairs): SameNames {
  const values = new NamePairs();
  const steps = new NamePairs();
  const [[variables, environment], [nowVariables, nowEnvironment]] = [declarationsOf(before), declarationsOf(after)];
  values.add(variables, nowVariables);
  values.add(environment, nowEnvironment);
  for (const { pointer, value } of stepsOf(before)) {
    const now: PlacedStep | undefined = pairs.get(pointer);
    if (now === undefined) continue;
    values.add(value['capture'] ?? null, now.value['capture'] ?? null);
    const [name, nowName] = [value['name'], now.value['name']];
    if (typeof name === 'string' && typeof nowName === 'string') steps.set(name, nowName);
  }
  return { values: values.names(), steps: steps.names() };
}

/** Names with what they are called now; one that is called two things is none. */
class NamePairs {
  private readonly found = new Map<string, string | undefined>();

  set(name: string, now: string): void {
    this.found.set(name, this.found.has(name) && this.found.get(name) !== now ? undefined : now);
  }

  /** Of the names of two maps: the same name, the same value, or the only one that went and the only one that came. */
  add(before: JsonValue, after: JsonValue): void {
    if (!isJsonObject(before) || !isJsonObject(after)) return;
    const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
    const come = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
    for (const name of Object.keys(before)) if (Object.hasOwn(after, name)) this.set(name, name);
    for (const name of gone) {
      const isAlike = (value: JsonValue | undefined): boolean => equalJson(before[name] ?? null, value ?? null);
      const now = come.filter((other) => isAlike(after[other]));
      const isOnly = gone.length === 1 && come.length === 1;
      const found = isOnly ? come : gone.filter((other) => isAlike(before[other])).length === 1 ? now : [];
      if (found.length === 1) this.set(name, found[0] ?? name);
    }
  }

  names(): Names {
    const entries = [...this.found].flatMap(([name, now]) => (now === undefined ? [] : [[name, now] as const]));
    // Two that became one are not renamed.
    return new Map(entries.filter(([, now]) => entries.filter((other) => other[1] === now).length === 1));
  }
}

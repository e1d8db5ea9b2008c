import { equalJson, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { alignSteps, PHASES, type PlacedStep, type StepPairs, stepsOf, unpaired } from './align-steps';
import { type MergedNames, mergeNames, renamed } from './names';
import { type Handwriting, mergedOrder, mergeValues, type ValueMerge } from './three-way';

/** Which steps of three versions are the same. */
export interface StepMatches {
  /** Of base in hers. */
  readonly inTheirs: StepPairs;
  /** Of base in the new version. */
  readonly inOurs: StepPairs;
  /** Of hers in the new version, of steps that base does not have. */
  readonly added: StepPairs;
}

export interface ThreeContracts {
  readonly base: JsonObject;
  readonly theirs: JsonObject;
  readonly ours: JsonObject;
}

export function matchSteps({ base, theirs, ours }: ThreeContracts): StepMatches {
  const inTheirs = alignSteps(stepsOf(base), stepsOf(theirs), { moves: true });
  const inOurs = alignSteps(stepsOf(base), stepsOf(ours));
  const added = alignSteps(unpaired(stepsOf(theirs), inTheirs), unpaired(stepsOf(ours), inOurs));
  return { inTheirs, inOurs, added };
}

/** A step after the merge. */
export interface MergedStep {
  readonly value: JsonObject;
  /** Its JSON pointer in her file; `undefined` for a new one. */
  readonly theirs: string | undefined;
  /** Its JSON pointer in the new version; `undefined` for one that this does not have. */
  readonly ours: string | undefined;
  /** Its JSON pointer in base. */
  readonly base: string | undefined;
  readonly merge: ValueMerge | undefined;
  /** What became of it as a whole. */
  readonly fate: 'merged' | 'hers' | 'new' | 'gone-but-edited';
}

export interface MergedSteps {
  /** Everything beside the steps. */
  readonly about: ValueMerge;
  readonly phases: ReadonlyMap<string, readonly MergedStep[]>;
  /** Steps of the file that went, since the recording has them no more. */
  readonly removed: readonly PlacedStep[];
  /** Steps of the recording that she had removed. */
  readonly deleted: readonly PlacedStep[];
  readonly names: MergedNames;
}

/** Merges three versions of a contract, step by step. */
export function mergeSteps(versions: ThreeContracts, matches: StepMatches, handwriting: Handwriting): MergedSteps {
  const names = mergeNames(versions, matches.inTheirs, matches.inOurs, matches.added);
  const merge = new StepsMerge(
    {
      base: renamed(versions.base, names.base),
      theirs: renamed(versions.theirs, names.theirs),
      ours: renamed(versions.ours, names.ours),
    },
    matches,
    handwriting,
  );
  return { ...merge.run(), names };
}

class StepsMerge {
  private readonly versions: ThreeContracts;
  private readonly matches: StepMatches;
  private readonly handwriting: Handwriting;
  private readonly baseByTheirs: ReadonlyMap<string, PlacedStep>;
  private readonly baseByOurs: ReadonlyMap<string, PlacedStep>;
  private readonly ours: ReadonlyMap<string, PlacedStep>;

  constructor(versions: ThreeContracts, matches: StepMatches, handwriting: Handwriting) {
    this.versions = versions;
    this.matches = matches;
    this.handwriting = handwriting;
    const inverted = (pairs: StepPairs): Map<string, PlacedStep> =>
      new Map(
        stepsOf(versions.base).flatMap((step) => {
          const found = pairs.get(step.pointer);
          return found === undefined ? [] : [[found.pointer, step] as const];
        }),
      );
    this.baseByTheirs = inverted(matches.inTheirs);
    this.baseByOurs = inverted(matches.inOurs);
    this.ours = new Map(stepsOf(versions.ours).map((step) => [step.pointer, step]));
  }

  run(): Omit<MergedSteps, 'names'> {
    const { theirs, ours } = this.versions;
    const kept = stepsOf(theirs).map((step) => ({ step, merged: this.mergeHers(step) }));
    const phases = new Map<string, MergedStep[]>(
      PHASES.map((phase) => [phase, kept.flatMap(({ step, merged }) => (step.phase === phase ? (merged ?? []) : []))]),
    );
    const deleted: PlacedStep[] = [];
    for (const step of stepsOf(ours)) {
      const base = this.baseByOurs.get(step.pointer);
      const isThere = kept.some(({ merged }) => merged?.ours === step.pointer);
      if (!isThere && base !== undefined) deleted.push(step);
      else if (!isThere) this.putIn(phases.get(step.phase) ?? [], step);
    }
    const removed = kept.flatMap(({ step, merged }) => (merged === undefined ? [step] : []));
    return { about: this.mergeAbout(), phases, removed, deleted };
  }

  private mergeAbout(): ValueMerge {
    const about = (contract: JsonObject): JsonObject =>
      Object.fromEntries(Object.entries(contract).filter(([key]) => !PHASES.some((phase) => phase === key)));
    const { base, theirs, ours } = this.versions;
    const versions = { base: about(base), theirs: about(theirs), ours: about(ours) };
    return mergeValues(versions, '', new PartOfFile(this.handwriting));
  }

  /** @returns `undefined` for a step that goes */
  private mergeHers(step: PlacedStep): MergedStep | undefined {
    const base = this.baseByTheirs.get(step.pointer);
    const ours = base === undefined ? this.matches.added.get(step.pointer) : this.matches.inOurs.get(base.pointer);
    const about = { theirs: step.pointer, ours: ours?.pointer, base: base?.pointer };
    if (ours === undefined) {
      if (base !== undefined && this.isAsGenerated(step, base)) return undefined;
      return { ...about, value: step.value, merge: undefined, fate: base === undefined ? 'hers' : 'gone-but-edited' };
    }
    const versions = { base: base?.value, theirs: step.value, ours: this.ours.get(ours.pointer)?.value };
    const merge = mergeValues(versions, step.pointer, this.handwriting);
    return { ...about, value: isJsonObject(merge.value) ? merge.value : step.value, merge, fate: 'merged' };
  }

  private isAsGenerated(step: PlacedStep, base: PlacedStep): boolean {
    return equalJson(step.value, base.value) && !this.handwriting.holdsOwn(step.pointer);
  }

  /** Puts a new step behind the nearest one before it in the recording that is there, else before the nearest behind it. */
  private putIn(steps: MergedStep[], step: PlacedStep): void {
    const all = [...this.ours.values()].filter(({ phase }) => phase === step.phase);
    const placeOf = ({ pointer }: PlacedStep): number => steps.findIndex(({ ours }) => ours === pointer);
    const before = all.slice(0, step.index).findLast((other) => placeOf(other) !== -1);
    const after = all.slice(step.index + 1).find((other) => placeOf(other) !== -1);
    const behind = after === undefined ? steps.length : placeOf(after);
    const at = before === undefined ? behind : placeOf(before) + 1;
    const about = { theirs: undefined, ours: step.pointer, base: undefined, merge: undefined };
    steps.splice(at, 0, { ...about, value: step.value, fate: 'new' });
  }
}

/** The sections of the steps are merged apart: what is written in them hinders nothing beside them. */
class PartOfFile implements Handwriting {
  private readonly whole: Handwriting;

  constructor(whole: Handwriting) {
    this.whole = whole;
  }

  isRepeated(pointer: string): boolean {
    return pointer !== '' && this.whole.isRepeated(pointer);
  }

  holdsOwnInside(pointer: string): boolean {
    return pointer !== '' && this.whole.holdsOwnInside(pointer);
  }

  holdsOwn(pointer: string): boolean {
    return pointer !== '' && this.whole.holdsOwn(pointer);
  }

  isWhole(pointer: string): boolean {
    return pointer !== '' && this.whole.isWhole(pointer);
  }
}

/** The contract that the merged parts make. A section without steps goes, unless she wrote something beside it. */
export function mergedContract(
  { theirs, ours, base }: ThreeContracts,
  { about, phases }: MergedSteps,
  handwriting: Handwriting,
): JsonObject {
  const keys = mergedOrder(Object.keys(base), Object.keys(theirs), Object.keys(ours));
  const properties = isJsonObject(about.value) ? about.value : {};
  const isKept = (phase: string): boolean => {
    const now = theirs[phase];
    if (!Array.isArray(now)) return false;
    return phase === 'steps' || now.length === 0 || handwriting.holdsOwn(`/${phase}`);
  };
  const entries = keys.flatMap((key): [string, JsonValue][] => {
    const steps = phases.get(key);
    if (steps === undefined) return Object.hasOwn(properties, key) ? [[key, properties[key] ?? null]] : [];
    return steps.length > 0 || isKept(key) ? [[key, steps.map(({ value }) => value)]] : [];
  });
  return Object.fromEntries(entries);
}

import type { Fault } from '../faults/fault';
import type { FaultFactsOf } from '../faults/fault-scopes';
import type { RespondOptions, ResponseFault, SavedResponse } from '../faults/forced-response-queue';
import { applyEntry, type Entry, entryBetween } from '../state/entry';
import type { RemainingSeed } from '../state/remaining-seed';
import { LiveState, type State } from '../state/state';
import type { ClockSetting } from './clock';
import type { BucketFacts } from './rate-limiter';
import type { Sandbox } from './sandbox';
import type { Sandboxes } from './sandboxes';

/** What of a sandbox is no state, and has to be the same in every process that serves it. All of it is absolute. */
export interface SharedParts {
  readonly clock?: ClockSetting;
  readonly faults?: FaultFactsOf;
  readonly forced?: readonly SavedResponse[];
  /** How many numbers were drawn. */
  readonly random?: number;
  /** Buckets of the rate limit that changed. */
  readonly limits?: readonly BucketFacts[];
  /** Snapshots that were made, or dropped (`null`). */
  readonly snapshots?: readonly (readonly [name: string, state: Entry | null])[];
  /** Of the main sandbox alone: what is forced in every sandbox. */
  readonly forcedOnAll?: readonly SavedResponse[];
  /** Of the main sandbox alone: what sandboxes begin with. */
  readonly baseline?: Entry;
}

/** What the parts are held against that are more than values. */
export interface PartsReader {
  /** Faults of every sandbox. */
  readonly flags: readonly Fault[];
  /** `undefined` for a response that the description does not allow. */
  readonly forced: (operation: string, options: RespondOptions) => ResponseFault | undefined;
  /** What the description makes. */
  readonly seeds: RemainingSeed | undefined;
}

/** The parts of a sandbox at one moment, to be compared with those of another one, and to go back to. */
export interface PartsBefore {
  readonly texts: Readonly<Record<'clock' | 'faults' | 'forced' | 'random' | 'forcedOnAll', string>>;
  readonly snapshots: ReadonlyMap<string, State>;
  readonly baseline: State;
  readonly issued: ReturnType<Sandbox['issued']['remember']>;
}

const NOTHING: State = { collections: new Map(), nextKeys: new Map(), replays: new Map() };

/** A whole state as an entry; responses that were kept are not part of a snapshot. */
function wholeOf(state: State): Entry {
  return entryBetween(NOTHING, { ...state, replays: new Map() });
}

function valuesOf(sandbox: Sandbox, sandboxes: Sandboxes): Required<Pick<SharedParts, keyof PartsBefore['texts']>> {
  const { clock, faults, random } = sandbox;
  return {
    clock: clock.setting,
    faults: faults.save(),
    forced: faults.responses.save(),
    random: random.position,
    forcedOnAll: sandbox === sandboxes.main ? sandboxes.forcedOnAll.save() : [],
  };
}

export function rememberParts(sandbox: Sandbox, sandboxes: Sandboxes): PartsBefore {
  const values = Object.entries(valuesOf(sandbox, sandboxes)).map(([name, value]) => [name, JSON.stringify(value)]);
  sandbox.limiter?.watch();
  return {
    texts: Object.fromEntries(values) as PartsBefore['texts'],
    snapshots: new Map(sandbox.snapshots),
    baseline: sandboxes.baseline,
    issued: sandbox.issued.remember(),
  };
}

/** @returns what is another one than before; `undefined` where all is the same */
export function changedParts(before: PartsBefore, sandbox: Sandbox, sandboxes: Sandboxes): SharedParts | undefined {
  const values = Object.entries(valuesOf(sandbox, sandboxes));
  const changed = values.filter(
    ([name, value]) => before.texts[name as keyof PartsBefore['texts']] !== JSON.stringify(value),
  );
  const limits = sandbox.limiter?.changes() ?? [];
  const snapshots = changedSnapshots(before.snapshots, sandbox.snapshots);
  const hasBaseline = sandbox === sandboxes.main && before.baseline !== sandboxes.baseline;
  const parts: SharedParts = {
    ...Object.fromEntries(changed),
    ...(limits.length === 0 ? {} : { limits }),
    ...(snapshots.length === 0 ? {} : { snapshots }),
    ...(hasBaseline ? { baseline: wholeOf(sandboxes.baseline) } : {}),
  };
  return Object.keys(parts).length === 0 ? undefined : parts;
}

function changedSnapshots(
  before: ReadonlyMap<string, State>,
  after: ReadonlyMap<string, State>,
): NonNullable<SharedParts['snapshots']> {
  const dropped = [...before.keys()].filter((name) => !after.has(name));
  const made = [...after].filter(([name, state]) => before.get(name) !== state);
  return [
    ...dropped.map((name) => [name, null] as const),
    ...made.map(([name, state]) => [name, wholeOf(state)] as const),
  ];
}

/** All parts, for a snapshot of the sandbox. */
export function allParts(sandbox: Sandbox, sandboxes: Sandboxes): SharedParts {
  const snapshots = [...sandbox.snapshots].map(([name, state]) => [name, wholeOf(state)] as const);
  const isMain = sandbox === sandboxes.main;
  return {
    ...valuesOf(sandbox, sandboxes),
    ...(snapshots.length === 0 ? {} : { snapshots }),
    ...(isMain && sandboxes.hasOwnBaseline ? { baseline: wholeOf(sandboxes.baseline) } : {}),
    ...(sandbox.limiter === undefined ? {} : { limits: sandbox.limiter.all() }),
  };
}

/** Back to how it was when it was remembered. */
export function takeBackParts(before: PartsBefore, sandbox: Sandbox, sandboxes: Sandboxes, reader: PartsReader): void {
  const { texts, snapshots, baseline, issued } = before;
  const now = valuesOf(sandbox, sandboxes);
  const parts: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(now)) {
    const text = texts[name as keyof PartsBefore['texts']];
    if (text !== JSON.stringify(value)) parts[name] = JSON.parse(text);
  }
  applyParts(parts, sandbox, sandboxes, reader);
  sandbox.limiter?.takeBack();
  sandbox.issued.goBack(issued);
  sandbox.snapshots.clear();
  for (const [name, state] of snapshots) sandbox.snapshots.set(name, state);
  sandboxes.baseline = baseline;
}

/** Does to a sandbox what happened to it elsewhere. */
export function applyParts(parts: SharedParts, sandbox: Sandbox, sandboxes: Sandboxes, reader: PartsReader): void {
  const { clock, faults, forced, random, limits, forcedOnAll, baseline } = parts;
  if (clock !== undefined) sandbox.clock.take(clock);
  if (faults !== undefined) sandbox.faults.load(faults, reader.flags);
  if (forced !== undefined) sandbox.faults.responses.load(forced, reader.forced);
  if (random !== undefined) sandbox.random.moveTo(random);
  if (limits !== undefined) sandbox.limiter?.learn(limits);
  applySnapshots(parts, sandbox, reader);
  if (sandbox !== sandboxes.main) return;
  if (forcedOnAll !== undefined) sandboxes.forcedOnAll.load(forcedOnAll, reader.forced);
  if (baseline !== undefined) sandboxes.setBaseline(stateOf(baseline, reader));
}

function applySnapshots({ snapshots = [] }: SharedParts, sandbox: Sandbox, reader: PartsReader): void {
  for (const [name, entry] of snapshots) {
    if (entry === null) sandbox.snapshots.delete(name);
    else sandbox.snapshots.set(name, stateOf(entry, reader));
  }
}

function stateOf(entry: Entry, { seeds }: PartsReader): State {
  const live = new LiveState(NOTHING);
  applyEntry(live, entry, seeds);
  return live.snapshot();
}

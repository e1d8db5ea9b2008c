import { applyEntry, type Entry } from '../state/entry';
import { NOT_STORED, type Position, type StoredSnapshot, type Tail } from '../state/state-log';
import type { State } from '../state/state';
import type { Sandbox } from './sandbox';
import { MAIN_ID } from './sandbox-selection';
import { snapshotOf } from './sandbox-store';
import type { Sandboxes } from './sandboxes';
import {
  allParts,
  applyParts,
  changedParts,
  type PartsBefore,
  type PartsReader,
  rememberParts,
  type SharedParts,
  takeBackParts,
} from './shared-parts';

/** How things are outside: the description may be another one after a reload. */
export interface SharedContext {
  readonly sandboxes: Sandboxes;
  readonly reader: () => PartsReader;
  /** The state of a tail with a snapshot. */
  readonly stateOf: (id: string, tail: Tail) => State;
}

/** A sandbox at one moment; `undefined` for one that there was not. */
export type Moment = { readonly sandbox: Sandbox; readonly state: State; readonly parts: PartsBefore } | undefined;

/** The sandboxes of this process, as far as it knows what others did to them. */
export class LocalCopies {
  private readonly context: SharedContext;

  constructor(context: SharedContext) {
    this.context = context;
  }

  of(id: string): Sandbox | undefined {
    const { sandboxes } = this.context;
    return id === MAIN_ID ? sandboxes.main : sandboxes.peek(id);
  }

  get forcedOnAll(): Sandboxes['forcedOnAll'] {
    return this.context.sandboxes.forcedOnAll;
  }

  remember(id: string): Moment {
    const sandbox = this.of(id);
    return sandbox && { sandbox, state: sandbox.snapshot(), parts: rememberParts(sandbox, this.context.sandboxes) };
  }

  /** What became of the parts that are no state since then; all of them for a sandbox that came to be since. */
  partsSince(id: string, before: Moment): SharedParts | undefined {
    const sandbox = this.of(id);
    const { sandboxes } = this.context;
    if (sandbox === undefined) return undefined;
    return before === undefined ? allParts(sandbox, sandboxes) : changedParts(before.parts, sandbox, sandboxes);
  }

  /** A sandbox as it is stored when it begins: as it was then. */
  snapshotAt(id: string, before: Moment): StoredSnapshot | undefined {
    const sandbox = before?.sandbox ?? this.of(id);
    return sandbox && this.snapshotOf(sandbox, before?.state ?? this.context.sandboxes.baseline);
  }

  snapshotOf(sandbox: Sandbox, state?: State): StoredSnapshot {
    const { rows, rest } = snapshotOf(sandbox, state);
    return { rows, rest: { ...rest, parts: allParts(sandbox, this.context.sandboxes) } };
  }

  goBack(id: string, before: Moment): void {
    const { sandboxes, reader } = this.context;
    if (before === undefined) {
      sandboxes.forget(id);
      return;
    }
    before.sandbox.restore(before.state);
    takeBackParts(before.parts, before.sandbox, sandboxes, reader());
  }

  /** Does here what others did. @param tail - `undefined` where nothing is stored, or not any more */
  catchUp(id: string, tail: Tail | undefined): Position {
    const { sandboxes } = this.context;
    if (tail === undefined) {
      sandboxes.forget(id);
      return NOT_STORED;
    }
    const { snapshot, entries, position } = tail;
    const sandbox = snapshot === undefined ? this.of(id) : this.restored(id, tail, snapshot);
    if (sandbox !== undefined) this.apply(sandbox, entries);
    return position;
  }

  apply(sandbox: Sandbox, entries: readonly Entry[]): void {
    const { sandboxes, reader } = this.context;
    const given = reader();
    for (const entry of entries) {
      applyEntry(sandbox.live, entry, given.seeds);
      sandbox.issued.learn(entry);
      applyParts(partsOf(entry), sandbox, sandboxes, given);
    }
    // What was there before is not what came last any more.
    if (entries.length > 0) sandbox.history.forget();
  }

  private restored(id: string, tail: Tail, { rest }: StoredSnapshot): Sandbox {
    const { sandboxes, stateOf, reader } = this.context;
    const state = stateOf(id, { ...tail, entries: [] });
    const sandbox = this.of(id) ?? sandboxes.revive(id, state);
    sandbox.restore(state);
    sandbox.history.forget();
    sandbox.issued.clear();
    sandbox.issued.learn(rest);
    applyParts(partsOf(rest), sandbox, sandboxes, reader());
    return sandbox;
  }
}

function partsOf({ parts }: Entry): SharedParts {
  return parts ?? {};
}

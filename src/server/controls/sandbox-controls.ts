import { ConfigError } from '../../core/errors/standin-error';
import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { exportState, shownEntries, StateRedactor, type StoredState } from '../../mock/sandbox/state-export';
import type { Mock } from '../../mock/create-mock';
import { ItemEditor } from '../../mock/seed/item-editor';
import { collectionOf, diffStates, type State, type StateDiff } from '../../mock/state/state';
import { responseControls, type ResponseControls } from '../../mock/response-controls';
import { countFixtureItems } from '../../mock/seed/fixture-counts';
import { seedState } from '../../mock/seed/fixture-seed';
import { demandKnownFilters, type Fault } from '../../mock/faults/fault';
import type { FaultFacts } from '../../mock/faults/fault-scopes';
import { parseFaults, type ParsedFaults } from '../../mock/faults/fault-syntax';
import type { JournalEntry } from '../../mock/sandbox/journal-entry';
import { isSandboxId, MAIN_ID, sandboxIdProblem, type SandboxSelectors } from '../../mock/sandbox/sandbox-selection';
import type { Sandbox } from '../../mock/sandbox/sandbox';
import type { SandboxStore } from '../../mock/sandbox/sandbox-store';
import type { SandboxFacts } from '../../mock/sandbox/sandbox-facts';
import { isRooted } from '../../mock/state/prepared-resource';
import { readFixtures } from '../../files/load-mock-files';
import { type ContractControls, contractControls } from './contract-controls';
import { changeByHand, changeText, rowText, storeChange } from './hand-changes';

/** A saved state: a value that stays as it is whatever happens to the mock. */
export interface Snapshot {
  readonly state: State;
}

/** The key of an item, as its property or its path writes it; a single record has none. */
export type ItemKey = string | number | bigint;

/** How much of a state is shown. */
interface StateOptions {
  /** With the write-only properties: a whole copy. */
  readonly secrets?: boolean | undefined;
  /** One collection alone, such as `/books`. */
  readonly collection?: string | undefined;
  /** Collections that nobody wrote to are left out from so many characters on, and told in `leftOut`. */
  readonly budget?: number | undefined;
}

/** What can be done with a state: with the main one, or with that of a sandbox. */
export interface MockControls extends ResponseControls, ContractControls {
  /**
   * Back to the baseline and to the clock of the start; the journal is emptied, faults and forced responses are removed.
   */
  reset(): void;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): void;
  /** The latest requests, oldest first; credentials are redacted. */
  journal(): JournalEntry[];
  /**
   * Everything that is stored, in the format of a fixture file. Properties that are write-only are left out, unless they
   * are asked for: with them it is a whole copy.
   */
  state(options?: StateOptions): StoredState;
  /**
   * One row, without its write-only properties; `undefined` where there is none. The name is that of a collection in a
   * fixture: `/books`, `/shelves/7/books`.
   *
   * @throws ConfigError for a collection that there is not
   */
  row(collection: string, key?: ItemKey): JsonObject | undefined;
  /**
   * Stores one row under the key that it has, beside all others: `putRow('/books', { id: 7, title: 'Emma' })`.
   *
   * @throws ConfigError `FIXTURE_INVALID` for an item that a fixture could not have
   */
  putRow(collection: string, item: object): JsonObject;
  /** Changes properties of one row; null takes one away. @returns `undefined` where there is none under the key */
  patchRow(collection: string, key: ItemKey | undefined, properties: object): JsonObject | undefined;
  /** Removes one row, and what lies below it. @returns whether there was one */
  removeRow(collection: string, key?: ItemKey): boolean;
  /** Puts a document in the place of all that is stored. @throws ConfigError when it is not a usable fixture */
  load(document: object): void;
  /**
   * Takes back the last change of the state, be it of a request or of one of these methods; called again, the one before.
   * The clock, the faults and the journal stay.
   *
   * @returns what was taken back: `DELETE /books/3`; `undefined` where there is nothing, or no longer known what it was
   */
  undo(): string | undefined;
  /** What changed since a snapshot; since the baseline when none is given. */
  diff(since?: Snapshot): StateDiff;
  /** Sets the mock's time; it runs on from there, or stands still. `undefined` goes back to the real time. */
  setClock(time: Date | undefined, options?: { readonly fixed?: boolean }): void;
  /**
   * What goes wrong from now on, in place of what was set before: `setFaults('status:503;times=2', 'latency:200ms')`.
   *
   * @throws ConfigError for a text that is no fault
   */
  setFaults(...faults: readonly string[]): void;
  /** Those that are set and not over, with how often they happened. */
  faults(): readonly FaultFacts[];
}

/** A sandbox: a state of its own for the requests that name it. */
export interface SandboxControls extends MockControls {
  readonly id: string;
  /** To be sent with a request, so that it is answered from this sandbox. */
  readonly headers: Readonly<Record<string, string>>;
  /** To be put before a path, for clients that cannot send a header; empty where paths name no sandbox. */
  readonly path: string;
  /** Another sandbox that begins with the state of this one, in place of one that there may be. */
  fork(id: string | number): SandboxControls;
  /** Forgets it: it begins anew, from the baseline, with its next request. */
  remove(): void;
}

/** The sandboxes of a mock. */
export interface SandboxesControls {
  /** @param id - 1 to 64 letters, digits, `.`, `_` or `-`; it need not exist */
  sandbox(id: string | number | undefined): SandboxControls;
  /** The sandbox of this worker of jest, vitest or Playwright. */
  workerSandbox(): SandboxControls;
  /** Those in which something was written. */
  sandboxes(): readonly SandboxFacts[];
  /** Makes a snapshot what sandboxes begin with and resets go back to; the main state when none is given. */
  setBaseline(snapshot?: Snapshot): void;
}

/** The mock as it is now; another one after a reload. */
export type CurrentMock = () => Mock;

/** @param id - `undefined` for the main state */
export function mockControls(current: CurrentMock, id: string | undefined): MockControls {
  const sandboxes = (): Mock['engine']['sandboxes'] => current().engine.sandboxes;
  const state = (): State => (id === undefined ? sandboxes().main.snapshot() : sandboxes().stateOf(id));
  const obtain = (): Mock['engine']['sandboxes']['main'] =>
    id === undefined ? sandboxes().main : sandboxes().obtain(id);
  const items = (): ItemEditor => {
    const { resources, context } = current();
    return new ItemEditor({ resources, rules: context.rules }, state, () => obtain().live);
  };
  const find = (): Sandbox | undefined => (id === undefined ? sandboxes().main : sandboxes().find(id));
  const store = (): SandboxStore | undefined => sandboxes().store;
  const byHand = changeByHand(state, find, store);
  const shown = <Row extends JsonObject | undefined>(collection: string, item: Row): Row =>
    new StateRedactor(current().resources).item(items().nameOf(collection, item), item);
  return {
    ...responseControls(current, id),
    ...contractControls(current, id, () => sandboxes().journals()),
    reset() {
      byHand('reset', () => {
        if (id === undefined) current().reset();
        else sandboxes().reset(id);
      });
    },
    snapshot: () => ({ state: state() }),
    restore(snapshot) {
      const restored = stateOf(snapshot, current());
      byHand('restored a snapshot', () => {
        obtain().restore(restored);
      });
    },
    journal: () =>
      shownEntries(
        current().context.api,
        current().resources,
        id === undefined ? sandboxes().main.journal.entries() : sandboxes().journalOf(id),
      ),
    state({ secrets = false, collection, budget } = {}) {
      const { resources } = current();
      const redactor = secrets ? undefined : new StateRedactor(resources);
      const name = collection === undefined ? undefined : items().nameOf(collection);
      return exportState(state(), redactor, { resources, collection: name, budget });
    },
    row: (collection, key) => shown(collection, items().get(collection, key)),
    putRow: (collection, row) =>
      shown(
        collection,
        byHand(`stored a row of ${collection}`, () => items().put(collection, row as JsonValue)),
      ),
    patchRow: (collection, key, properties) =>
      shown(
        collection,
        byHand(`changed ${rowText(collection, key)}`, () => items().patch(collection, key, properties as JsonValue)),
      ),
    removeRow: (collection, key) =>
      byHand(`removed ${rowText(collection, key)}`, () => items().remove(collection, key)),
    load(document) {
      const loaded = importState(document as JsonValue, current());
      byHand('loaded a state', () => {
        obtain().restore(loaded);
      });
    },
    undo() {
      const sandbox = find();
      const before = state();
      const change = sandbox?.undo();
      if (sandbox !== undefined && change !== undefined) storeChange(store(), sandbox, before);
      return change === undefined ? undefined : changeText(current(), change);
    },
    diff(since) {
      const before = since === undefined ? sandboxes().baseline : stateOf(since, current());
      return new StateRedactor(current().resources).diff(diffStates(before, state()));
    },
    setClock(time, { fixed = false } = {}) {
      if (time !== undefined && !(typeof time === 'object' && Number.isFinite(time.getTime()))) {
        throw new ConfigError('CONFIG_INVALID', 'The time must be a Date', {
          hint: 'Give new Date("2031-01-01T00:00:00Z").',
        });
      }
      obtain().clock.set(time?.getTime(), fixed);
    },
    setFaults(...faults) {
      const read = faults.flatMap(readFaults);
      demandKnownFilters(read, current().context.api);
      const { clock, faults: book } = obtain();
      book.set(read, clock.now());
    },
    faults() {
      const sandbox = find();
      return sandbox?.faults.list(sandbox.clock.now()) ?? [];
    },
  };
}

export function sandboxesControls(current: CurrentMock): SandboxesControls {
  const sandbox = (given: string | number | undefined): SandboxControls => {
    const id = checkedId(given);
    if (id === MAIN_ID) throw invalidId('"default" is the state of requests that name no sandbox');
    const { sandboxes: selectors } = current().context.options;
    return {
      id,
      headers: headersOf(selectors, id),
      path: selectors.path === undefined ? '' : `${selectors.path}/${id}`,
      ...mockControls(current, id),
      fork(to) {
        const { sandboxes } = current().engine;
        const forked = sandbox(to);
        sandboxes.create(forked.id, sandboxes.stateOf(id));
        return forked;
      },
      remove() {
        current().engine.sandboxes.remove(id);
      },
    };
  };
  return {
    sandbox,
    workerSandbox: () => sandbox(`worker-${workerNumber()}`),
    sandboxes: () => current().engine.sandboxes.list(),
    setBaseline(snapshot) {
      const { sandboxes } = current().engine;
      sandboxes.setBaseline(snapshot === undefined ? sandboxes.main.snapshot() : stateOf(snapshot, current()));
    },
  };
}

/** The variables of jest, vitest and Playwright that tell workers of one run apart. */
const WORKER_VARIABLES = ['JEST_WORKER_ID', 'VITEST_POOL_ID', 'TEST_PARALLEL_INDEX'];

function workerNumber(): string {
  return WORKER_VARIABLES.map((name) => process.env[name]).find((value) => value !== undefined && value !== '') ?? '0';
}

function headersOf({ header, cookie }: SandboxSelectors, id: string): Readonly<Record<string, string>> {
  if (header !== undefined) return { [header === 'x-standin-sandbox' ? 'X-Standin-Sandbox' : header]: id };
  return cookie === undefined ? {} : { Cookie: `${cookie}=${id}` };
}

function checkedId(id: string | number | undefined): string {
  const text = typeof id === 'number' ? String(id) : id;
  if (typeof text === 'string' && isSandboxId(text)) return text;
  if (text === undefined) throw invalidId('No id was given: a variable that is not set, such as JEST_WORKER_ID?');
  throw invalidId(sandboxIdProblem(text, 'The call').message);
}

function invalidId(message: string): ConfigError {
  return new ConfigError('CONFIG_INVALID', message, { hint: 'Give an id such as "worker-1".' });
}

/** @throws ConfigError for anything that is not a snapshot of a mock of this description */
function stateOf(snapshot: Partial<Snapshot> | undefined, { resources }: Mock): State {
  const state = snapshot?.state;
  if (state !== undefined && resources.filter(isRooted).every(({ path }) => collectionOf(state, path) !== undefined))
    return state;
  throw new ConfigError('CONFIG_INVALID', 'This is not a snapshot of this mock', {
    hint: 'Give what snapshot() gave.',
  });
}

/** @throws ConfigError `CONFIG_INVALID` that names the part which cannot be read */
export function readFaults(text: unknown): readonly Fault[] {
  const parsed: ParsedFaults =
    typeof text === 'string'
      ? parseFaults(text)
      : { kind: 'malformed', message: `A fault must be a string, got ${typeof text}` };
  if (parsed.kind === 'parsed') return parsed.faults;
  throw new ConfigError('CONFIG_INVALID', parsed.message, { hint: 'Give faults such as "status:503;times=2".' });
}

/** A state from a document that {@link exportState} gave, checked as a fixture is. */
function importState(root: JsonValue, { resources, model, context }: Mock): State {
  const document = { file: 'the document', root, locationOf: () => undefined };
  const { api, options, rules } = context;
  const data = countFixtureItems(api, model, resources, options.seed, readFixtures([document], resources));
  return seedState(resources, rules, data);
}

import { problem, type Problem } from '../core/http/problem';
import type { RequestHead } from '../core/http/message';
import type { JsonValue } from '../core/json/json-value';
import type { ReportDefect } from '../mock/pipeline/mock-engine';
import { responseControls, sampleOf } from '../mock/response-controls';
import { sandboxGoneProblem } from '../mock/pipeline/sandbox-context';
import type { Mock } from '../mock/create-mock';
import type { StoredRequest } from '../mock/sandbox/journal-entry';
import { redactJournalEntry, shownEntries, StateRedactor } from '../mock/sandbox/state-export';
import type * as ExplainEntry from '../explain/explain-entry';
import type { DeliveryControls } from '../events/delivery';
import type { Sandbox } from '../mock/sandbox/sandbox';
import { isSandboxId, MAIN_ID, sandboxIdProblem } from '../mock/sandbox/sandbox-selection';
import type { Sandboxes } from '../mock/sandbox/sandboxes';
import type { SharedRequests } from '../mock/sandbox/shared-requests';
import { LiveState, type State } from '../mock/state/state';
import { ADMIN_PATH, type AdminControls } from './actions/action';
import { docsPage } from './docs-page';
import type { BesideApi } from './issuer-layer';
import type { AdminServer } from './perform-action';
import { listOperations, servedDescription } from './controls/description';
import { changeText } from './controls/hand-changes';
import { mockControls, type CurrentMock, type MockControls } from './controls/sandbox-controls';
import { contractControls } from './controls/contract-controls';
import { storeFacts } from './controls/store-controls';
import { tableControls } from './controls/table-controls';

const MAX_SNAPSHOTS = 100;

/** Stands in the log of defects for whichever admin request it was. */
const ADMIN_HEAD: RequestHead = { method: '-', target: ADMIN_PATH, headers: {}, rawHeaders: [] };

/** A whole state comes in one body: that of the largest description that was tried has 11 MB. */
const STATE_BYTES = 16 * 1024 * 1024;

type Given = Pick<AdminServer, 'requests' | 'events' | 'stopRecording' | 'tokenFor'> & {
  readonly startedAt: Date;
  readonly deliveries: DeliveryControls;
  readonly hasEvents: () => boolean;
  /** Puts the issuer into the description; `undefined` where nobody signs in. */
  readonly withIssuer: BesideApi['withIssuer'];
};

/** What the admin routes steer: the mock, through the same controls that the app has. */
export function adminTarget(
  current: CurrentMock,
  reportDefect: ReportDefect,
  { startedAt, deliveries, hasEvents, withIssuer, ...lasting }: Given,
): AdminServer {
  const sandboxes = (): Sandboxes => current().engine.sandboxes;
  /** The main sandbox has an id here, so that it can be named as the others are. */
  const idOf = (given: string | undefined): string | undefined => (given === MAIN_ID ? undefined : given);
  const rejectionOf = (id: string | undefined, mayBeGone: boolean): Problem | undefined => {
    if (id === undefined) return undefined;
    if (!isSandboxId(id)) return sandboxIdProblem(id, 'The query');
    const isThere = mayBeGone || sandboxes().find(id) !== undefined || !sandboxes().wasEvicted(id);
    return isThere ? undefined : sandboxGoneProblem(id);
  };
  return {
    ...lasting,
    engine: () => current().engine,
    async inTurn(given, act) {
      const rounds = sandboxes().store?.rounds;
      if (rounds === undefined) return act();
      const result = await rounds.run(given === undefined || !isSandboxId(given) ? MAIN_ID : given, act);
      await rounds.flush();
      return result;
    },
    overview(given) {
      const id = idOf(given);
      const { api, outgoing, options, basePath } = current().context;
      const sandbox = id === undefined ? sandboxes().main : sandboxes().find(id);
      const clock = sandbox?.clock ?? sandboxes().main.clock.fork();
      return {
        standin: 'overview/1',
        instance: lasting.events.instance,
        title: api.title,
        version: api.version,
        basePath,
        startedAt: startedAt.toISOString(),
        clock: { kind: clock.kind, now: new Date(clock.now()).toISOString() },
        operations: api.operations.length,
        items: (sandbox?.live ?? new LiveState(sandboxes().baseline)).size,
        sandboxes: sandboxes().list(),
        sandboxHeader: options.sandboxes.header ?? null,
        violations: outgoing.violations,
        hasEvents: hasEvents(),
      };
    },
    health() {
      const { api, outgoing } = current().context;
      const { title, version, operations } = api;
      const store = storeFacts(current);
      return {
        status: store === undefined || store.trouble === null ? 'ok' : 'failing',
        title,
        version,
        operations: operations.length,
        violations: outgoing.violations,
        ...(store === undefined ? {} : { store: { ...store } }),
      };
    },
    docsPage: () => docsPage(current().context.api),
    controlsOf(given, mayBeGone) {
      const id = idOf(given);
      return rejectionOf(id, mayBeGone) ?? controlsFor(current, id, mockControls(current, id));
    },
    controlsOfAll: () =>
      controlsFor(current, undefined, { ...mockControls(current, undefined), ...responseControls(current, '*') }),
    sample: (operation, chosen) => sampleOf(current(), operation, chosen),
    operations: (sandbox) => listOperations(current().context.api.operations, sandboxes().answers(sandbox)),
    description: (address, sandbox) => servedDescription(current(), address, sandbox, withIssuer),
    credentials() {
      const { auth, apiKeys } = current().context.options;
      const key = { keys: apiKeys[0] ?? null, open: apiKeys[0] ?? null, any: 'any-key', off: null }[auth];
      return { auth, key };
    },
    why: ({ sandbox, stored }) => explainStored(current(), sandbox, stored),
    deliveries: (id) => deliveries.deliveries().filter(({ sandbox }) => id === undefined || sandbox === id),
    sendAgain: (id) => deliveries.sendAgain(id),
    eventFaults: () => deliveries.eventFaults(),
    setEventFaults: (...faults) => {
      deliveries.setEventFaults(...faults);
    },
    sandboxes: () => ({ sandboxes: sandboxes().list() as unknown as JsonValue }),
    createSandbox(id, givenFrom, snapshot) {
      if (!isSandboxId(id) || id === MAIN_ID) return sandboxIdProblem(id, 'The field /id');
      const from = idOf(givenFrom);
      const rejection = rejectionOf(from, false);
      if (rejection !== undefined) return rejection;
      if (sandboxes().find(id) !== undefined)
        return problem('sandbox_exists', `There is a sandbox ${id} already; DELETE it first, or take another id`);
      const state = sourceState(sandboxes(), givenFrom, from, snapshot);
      if (state === undefined) return problem('resource_not_found', `There is no snapshot "${snapshot ?? ''}"`);
      sandboxes().create(id, state);
      return undefined;
    },
    removeSandbox: (id) => sandboxes().remove(id),
    removeSandboxes() {
      sandboxes().removeAll();
    },
    maxBytes: () => Math.max(STATE_BYTES, current().context.options.limits.bodyBytes),
    reportDefect(error) {
      reportDefect(error, ADMIN_HEAD);
    },
  };
}

/** What a new sandbox begins with: the baseline, unless it says from where. */
function sourceState(
  sandboxes: Sandboxes,
  given: string | undefined,
  from: string | undefined,
  snapshot: string | undefined,
): State | undefined {
  const source = from === undefined ? sandboxes.main : sandboxes.find(from);
  if (snapshot !== undefined) return source?.snapshots.get(snapshot);
  return given === undefined ? sandboxes.baseline : (source?.snapshot() ?? sandboxes.baseline);
}

function controlsFor(current: CurrentMock, id: string | undefined, controls: MockControls): AdminControls {
  const sandboxes = (): Sandboxes => current().engine.sandboxes;
  const obtain = (): Sandbox => (id === undefined ? sandboxes().main : sandboxes().obtain(id));
  const find = (): Sandbox | undefined => (id === undefined ? sandboxes().main : sandboxes().find(id));
  const requests = (): SharedRequests | undefined => sandboxes().store?.rounds?.requests;
  return {
    ...controls,
    ...tableControls(current, id),
    // Who asks by a route may have come to any process; a program has its own.
    ...contractControls(current, id, () => requests()?.journals() ?? sandboxes().journals()),
    journal() {
      const entries = requests()?.entriesOf(id ?? MAIN_ID);
      return entries === undefined
        ? controls.journal()
        : shownEntries(current().context.api, current().resources, entries);
    },
    saveSnapshot(name) {
      const { snapshots } = obtain();
      if (!snapshots.has(name) && snapshots.size >= MAX_SNAPSHOTS) return false;
      snapshots.set(name, controls.snapshot().state);
      return true;
    },
    restoreSnapshot(name) {
      const state = find()?.snapshots.get(name);
      if (state !== undefined) controls.restore({ state });
      return state !== undefined;
    },
    dropSnapshots() {
      find()?.snapshots.clear();
    },
    snapshotNames: () => [...(find()?.snapshots.keys() ?? [])],
    nextUndo() {
      const change = find()?.history.last();
      return change && changeText(current(), change);
    },
    clearJournal() {
      sandboxes().clearJournal(id ?? MAIN_ID);
    },
    diff(snapshot) {
      const state = snapshot === undefined ? sandboxes().baseline : find()?.snapshots.get(snapshot);
      return state && controls.diff({ state });
    },
    makeBaseline(snapshot) {
      const state = snapshot === undefined ? controls.snapshot().state : find()?.snapshots.get(snapshot);
      if (state !== undefined) sandboxes().setBaseline(state);
      return state !== undefined;
    },
  };
}

/** Why a request that is remembered got its response. The code is loaded when it is first asked for. */
function explainStored(
  mock: Mock,
  sandbox: string,
  { entry, responseHeaders }: Pick<StoredRequest, 'entry' | 'responseHeaders'>,
): Promise<ExplainEntry.Section[]> {
  // oxlint-disable-next-line typescript/no-require-imports -- not needed at the start
  const { explainEntry } = require('../explain/explain-entry') as typeof ExplainEntry;
  const { context, engine, resources } = mock;
  const { sandboxes } = engine;
  const state = sandbox === MAIN_ID ? sandboxes.main.snapshot() : sandboxes.stateOf(sandbox);
  const shown = redactJournalEntry(context.api, new StateRedactor(resources).entry(entry));
  return explainEntry({ api: context.api, mock, packs: [] }, { entry: shown, responseHeaders, state });
}

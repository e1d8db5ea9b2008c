import type { ServerOptions } from 'node:http';
import type { Express, RequestHandler } from 'express';
import { ConfigError } from '../../errors/harness-error';
import type { SeedData } from '../../formats/fixture';
import type { RequestHead } from '../../http/message';
import type { JsonObject, JsonValue } from '../../json/json-value';
import { createMock, type Mock } from '../../mock/create-mock';
import type { ReportDefect } from '../../mock/engine';
import { exportState } from '../../mock/export-state';
import type { JournalEntry } from '../../mock/journal';
import type { MockOptions } from '../../mock/options';
import type { Rules } from '../../mock/rules';
import { seedState } from '../../mock/seed';
import type { State } from '../../mock/state';
import type { ApiModel } from '../../openapi/model';
import type { PayloadSource } from '../../payload/payload-source';
import type { SettableClock } from '../node/clock';
import { readFixtures } from '../node/load-fixtures';
import { ADMIN_PATH, adminRoutes, refusalOf, type AdminTarget } from './admin-routes';
import { createBornRightApp } from './born-right';
import { ConnectionOrder } from './connection-order';
import { crossOrigin } from './cross-origin';
import { docsPage } from './docs-page';
import { toHandler, type OnAnswered } from './engine-handler';
import { apiMiddleware, guard } from './guard';

/** A saved state: a value that stays as it is whatever happens to the mock. */
export interface Snapshot {
  readonly state: State;
}

/** What a mock server offers beside being an Express app. */
export interface MockControls {
  /** Back to the seed and to the clock of the start; the journal is emptied. */
  reset(): void;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): void;
  /** The latest requests, oldest first; credentials are redacted. */
  journal(): JournalEntry[];
  /** Everything that is stored, in the format of a fixture file. */
  state(): JsonObject;
  /** Sets the mock's time; it runs on from there. `undefined` goes back to the real time. */
  setClock(time: Date | undefined): void;
}

/** An ordinary Express app, for supertest or to be mounted in another one, with the controls of its mock. */
export type MockServer = Express & MockControls;

export interface MockServerParts {
  readonly options?: Partial<MockOptions>;
  readonly rules?: Rules | undefined;
  readonly fixtures?: SeedData | undefined;
  readonly clock: SettableClock;
  readonly payloads: PayloadSource;
  /** Origins that may call from a web page; `*` for any. */
  readonly corsOrigins: readonly string[];
  readonly adminToken?: string | undefined;
  readonly onAnswered?: OnAnswered | undefined;
  readonly reportDefect: ReportDefect;
}

/** A mock behind Express, and what a server for it should be made with. */
export interface AssembledServer {
  readonly app: MockServer;
  readonly mock: Mock;
  readonly serverOptions: ServerOptions;
}

const MAX_SNAPSHOTS = 100;

/** @throws ConfigError for fixtures or rules that cannot be used */
export function assembleMockServer(api: ApiModel, parts: MockServerParts): AssembledServer {
  const { options, rules, fixtures, clock, payloads, reportDefect } = parts;
  const mock = createMock(api, {
    ...(options === undefined ? {} : { options }),
    rules,
    fixtures,
    clock,
    payloads,
    reportDefect,
    docsPath: `${ADMIN_PATH}/docs`,
  });
  const { engine } = mock;
  const controls: MockControls = {
    reset() {
      mock.reset();
      clock.reset();
    },
    snapshot: () => ({ state: engine.snapshot() }),
    restore(snapshot) {
      engine.restore(stateOf(snapshot, mock));
    },
    journal: () => engine.journal.entries(),
    state: () => exportState(engine.snapshot()),
    setClock(time) {
      if (time !== undefined && !(typeof time === 'object' && Number.isFinite(time.getTime()))) {
        throw new ConfigError('CONFIG_INVALID', 'The time is no Date', {
          hint: 'Give new Date("2031-01-01T00:00:00Z").',
        });
      }
      clock.set(time?.getTime());
    },
  };
  const { app, classes } = createBornRightApp();
  const order = new ConnectionOrder();
  const { onAnswered } = parts;
  const setCorsHeaders = parts.corsOrigins.length > 0 ? crossOrigin(api, parts.corsOrigins) : undefined;
  // One layer for the API, and the first: each layer that Express asks in vain costs a match.
  app.use(apiMiddleware(toHandler(engine, order, onAnswered), setCorsHeaders, onAnswered) as RequestHandler);
  if (onAnswered !== undefined) app.use(ADMIN_PATH, logAdmin(onAnswered));
  app.use(ADMIN_PATH, adminRoutes(adminTarget(api, mock, controls, parts), order, parts.adminToken));
  guard(app, engine, order, setCorsHeaders, onAnswered);
  return { app: Object.assign(app, controls), mock, serverOptions: classes };
}

/** Admin requests get their line in the log too; their bodies may be whole states: only that of a refusal is told. */
function logAdmin(onAnswered: OnAnswered): RequestHandler {
  return (request, response, next) => {
    const startedAt = process.hrtime.bigint();
    const { method, originalUrl: target, headers, rawHeaders } = request;
    response.on('finish', () => {
      const { statusCode: status } = response;
      const body = refusalOf(response)?.body;
      onAnswered({ method, target, headers, rawHeaders }, { status, headers: [], body }, startedAt);
    });
    next();
  };
}

/** @throws ConfigError for anything that is no snapshot of a mock of this description */
function stateOf(snapshot: Partial<Snapshot> | undefined, { resources }: Mock): State {
  const state = snapshot?.state;
  if (state !== undefined && resources.every(({ path }) => state.collections.has(path))) return state;
  throw new ConfigError('CONFIG_INVALID', 'This is no snapshot of this mock', { hint: 'Give what snapshot() gave.' });
}

/** Stands in the log of defects for whichever admin request it was. */
const ADMIN_HEAD: RequestHead = { method: '-', target: ADMIN_PATH, headers: {}, rawHeaders: [] };

function adminTarget(
  api: ApiModel,
  mock: Mock,
  controls: MockControls,
  { rules, reportDefect }: MockServerParts,
): AdminTarget {
  const snapshots = new Map<string, Snapshot>();
  return {
    health: () => ({ status: 'ok', title: api.title, version: api.version, operations: api.operations.length }),
    state: () => controls.state(),
    load(document) {
      mock.engine.restore(importState(document, mock, rules));
    },
    reset() {
      controls.reset();
    },
    saveSnapshot(name) {
      if (!snapshots.has(name) && snapshots.size >= MAX_SNAPSHOTS) return false;
      snapshots.set(name, controls.snapshot());
      return true;
    },
    restoreSnapshot(name) {
      const snapshot = snapshots.get(name);
      if (snapshot !== undefined) controls.restore(snapshot);
      return snapshot !== undefined;
    },
    dropSnapshots() {
      snapshots.clear();
    },
    journal: () => controls.journal() as unknown as JsonValue,
    clearJournal() {
      mock.engine.journal.clear();
    },
    setClock(epochMs) {
      controls.setClock(epochMs === undefined ? undefined : new Date(epochMs));
    },
    docsPage: () => docsPage(api),
    refuse: (fault) => mock.engine.refuse(fault),
    reportDefect(error) {
      reportDefect(error, ADMIN_HEAD);
    },
  };
}

/** A state from a document that {@link exportState} gave, judged as a fixture is. */
function importState(root: JsonValue, { resources }: Mock, rules: Rules | undefined): State {
  const document = { file: 'the request body', root, placeOf: () => undefined };
  const paths = resources.map(({ path }) => path);
  const { items, findings, nextKeys } = readFixtures([document], paths);
  return seedState(resources, rules, items, findings, nextKeys);
}

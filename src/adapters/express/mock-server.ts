import type { IncomingMessage, ServerOptions } from 'node:http';
import type { Express, RequestHandler } from 'express';
import type { SeedData } from '../../formats/fixture';
import { createMock, type Mock, type MockParts } from '../../mock/create-mock';
import type { AnsweringEngine, ReportDefect } from '../../mock/engine';
import type { HttpResponse } from '../../http/message';
import type { MockOptions } from '../../mock/options';
import type { Rules } from '../../mock/rules';
import type { SettableClock } from '../../mock/settable-clock';
import { succeedMock, type Succession } from '../../mock/succeed-mock';
import type { Overrides } from '../../resources/statements';
import type { ApiModel } from '../../openapi/model';
import type { PayloadSource } from '../../payload/payload-source';
import { ADMIN_PATH } from './admin-index';
import { adminRoutes, refusalOf } from './admin-routes';
import { adminTarget } from './admin-target';
import { createBornRightApp } from './born-right';
import { leadBrowser } from './browser-at-root';
import { ConnectionOrder } from './connection-order';
import { crossOrigin, type SetCorsHeaders } from './cross-origin';
import { toHandler, type OnAnswered } from './engine-handler';
import { apiMiddleware, guard } from './guard';
import {
  mockControls,
  sandboxesControls,
  type CurrentMock,
  type MockControls,
  type SandboxesControls,
} from './sandbox-controls';

/** An ordinary Express app, for supertest or to be mounted in another one, with the controls of its mock. */
export type MockServer = Express & MockControls & SandboxesControls;

export interface MockServerParts {
  readonly options?: Partial<MockOptions>;
  readonly rules?: Rules | undefined;
  readonly fixtures?: SeedData | undefined;
  /** What is said outright of resources and operations. */
  readonly overrides?: Overrides | undefined;
  /** Without fixtures: rows of the description's examples, or made up. */
  readonly isSeeded?: boolean | undefined;
  readonly clock: SettableClock;
  readonly payloads: PayloadSource;
  /** Origins that may call from a web page; `*` for any. */
  readonly corsOrigins: readonly string[];
  readonly adminToken?: string | undefined;
  readonly onAnswered?: OnAnswered | undefined;
  readonly reportDefect: ReportDefect;
  /** Is it remembered where each row of the fixtures was written? */
  readonly keepsOrigins?: boolean | undefined;
  /** Told once of each way in which an answer breaks the description. */
  readonly reportViolation?: ((message: string) => void) | undefined;
}

/** What a reload brings: another description, other rules, other fixtures. */
export type ReloadParts = Pick<
  MockServerParts,
  'options' | 'rules' | 'fixtures' | 'overrides' | 'isSeeded' | 'payloads'
>;

/** A mock behind Express, and what a server for it should be made with. */
export interface AssembledServer {
  readonly app: MockServer;
  /** The one that answers now; another one after a reload. */
  readonly mock: Mock;
  readonly serverOptions: ServerOptions;
  /**
   * Puts another mock behind the same app. Requests that are being answered end with the old one; what is stored goes on.
   *
   * @throws ConfigError for fixtures or rules that cannot be used; then the old one stays
   */
  swap(api: ApiModel, parts: ReloadParts): Succession;
}

/** @throws ConfigError for fixtures or rules that cannot be used */
export function assembleMockServer(api: ApiModel, parts: MockServerParts): AssembledServer {
  const { clock, reportDefect, onAnswered } = parts;
  const mockParts = ({ options, rules, fixtures, overrides, isSeeded, payloads }: ReloadParts): MockParts => ({
    ...(options === undefined ? {} : { options }),
    rules,
    fixtures,
    overrides,
    isSeeded,
    clock,
    payloads,
    reportDefect,
    reportViolation: parts.reportViolation,
    keepsOrigins: parts.keepsOrigins,
    docsPath: `${ADMIN_PATH}/docs`,
  });
  let mock = createMock(api, mockParts(parts));
  const current = (): Mock => mock;
  const engine = liveEngine(current);
  const controls = { ...mockControls(current, undefined), ...sandboxesControls(current) };
  const { app, classes } = createBornRightApp();
  const order = new ConnectionOrder();
  const hasCors = parts.corsOrigins.length > 0;
  let cors = crossOrigin(api, parts.corsOrigins);
  const setCorsNow: SetCorsHeaders = (request, response) => {
    cors(request, response);
  };
  const setCorsHeaders = hasCors ? setCorsNow : undefined;
  // One layer for the API, and the first: each layer that Express asks in vain costs a match.
  const lead = (request: IncomingMessage): HttpResponse | undefined =>
    leadBrowser(request, current().context.mounts, parts.adminToken);
  app.use(apiMiddleware(toHandler(engine, order, onAnswered), setCorsHeaders, onAnswered, lead) as RequestHandler);
  if (onAnswered !== undefined) app.use(ADMIN_PATH, logAdmin(onAnswered));
  app.use(ADMIN_PATH, adminRoutes(adminTarget(current, reportDefect), order, parts.adminToken));
  guard(app, engine, order, setCorsHeaders, onAnswered);
  return {
    app: Object.assign(app, controls),
    get mock() {
      return mock;
    },
    serverOptions: classes,
    swap(newApi, newParts) {
      const succession = succeedMock(newApi, mockParts(newParts), mock);
      ({ mock } = succession);
      cors = crossOrigin(newApi, parts.corsOrigins);
      return succession;
    },
  };
}

/** The engine that is there when a request comes. */
function liveEngine(current: CurrentMock): AnsweringEngine {
  return {
    handle: (request, options) => current().engine.handle(request, options),
    open: (head, options) => current().engine.open(head, options),
    refuse: (fault) => current().engine.refuse(fault),
    refuseMessage: (head) => current().engine.refuseMessage(head),
  };
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

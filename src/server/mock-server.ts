import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import express from 'express';
import type { Express, RequestHandler } from 'express';
import type { HttpResponse } from '../core/http/message';
import { createMock, type Mock, type MockParts } from '../mock/create-mock';
import type { OnDone } from '../mock/context/context';
import type { IssuerOptions } from '../issuer/issuer';
import type { DeliveryControls } from '../events/delivery';
import { EventHub, type EventOptions } from '../events/event-hub';
import type { AnsweringEngine } from '../mock/pipeline/mock-engine';
import { type ReloadedMock, reloadMock } from '../mock/reload-mock';
import type { SettableClock } from '../mock/sandbox/clock';
import type { ApiModel } from '../openapi/model/api-model';
import { redirectBrowser } from './access';
import { announcing, LiveEventStreams } from './actions/live-events';
import { RequestLog } from './actions/request-log';
import { ADMIN_PATH } from './actions/action';
import { errorResponseOf } from './admin-response';
import { adminRoutes, type AgentEndpoint } from './admin-routes';
import { adminTarget } from './admin-target';
import { ConnectionOrder } from './connection';
import type { AdminServer } from './perform-action';
import { crossOrigin, type SetCorsHeaders } from './cors';
import { apiMiddleware, guardMessages, type OnResponse, toHandler } from './request-handler';
import { startRealTimer, type StartTimer } from './response-delivery';
import { type MockRecording, type RecordingControls, recordingControls } from './controls/recording-controls';
import { storeControls, type StoreControls } from './controls/store-controls';
import type * as ExchangeTapModule from './exchange-tap';
import type { TokenControls } from './controls/token-controls';
import { issuerBeside } from './issuer-layer';
import {
  type CurrentMock,
  mockControls,
  type MockControls,
  sandboxesControls,
  type SandboxesControls,
} from './controls/sandbox-controls';

/** An ordinary Express app, for supertest or to be mounted in another one, with the controls of its mock. */
export type MockServer = Express &
  MockControls &
  SandboxesControls &
  RecordingControls &
  StoreControls &
  DeliveryControls &
  TokenControls;

interface MockServerParts extends Omit<MockParts, 'docsPath'> {
  readonly clock: SettableClock;
  /** Origins that may call from a web page; `*` for any. */
  readonly corsOrigins: readonly string[];
  readonly adminToken?: string | undefined;
  readonly onResponse?: OnResponse | undefined;
  readonly recording?: MockRecording | undefined;
  readonly events?: EventOptions | undefined;
  readonly issuer?: IssuerOptions | undefined;
  readonly agents?: AgentEndpoint | undefined;
  /** Waits for the delays of faults; real time unless given. */
  readonly startTimer?: StartTimer | undefined;
}

/** What a reload brings: another description, other rules, other fixtures. */
type ReloadParts = Pick<MockParts, 'options' | 'rules' | 'fixtures' | 'overrides' | 'isSeeded' | 'payloads'>;

/** A mock behind Express, and what a server for it should be made with. */
export interface AssembledServer {
  readonly app: MockServer;
  /** What the admin routes steer. */
  readonly admin: AdminServer;
  /** The one that answers now; another one after a reload. */
  readonly mock: Mock;
  readonly serverOptions: ServerOptions;
  /**
   * Puts another mock behind the same app. Requests that are being answered end with the old one; what is stored goes on.
   *
   * @throws ConfigError for fixtures or rules that cannot be used; then the old one stays
   */
  swap(api: ApiModel, parts: ReloadParts): ReloadedMock;
  /** What a store had to be sent is sent from now on. */
  resumeEvents(): void;
}

/** @throws ConfigError for fixtures or rules that cannot be used */
export function assembleMockServer(api: ApiModel, parts: MockServerParts): AssembledServer {
  const { clock, reportDefect, reportViolation, keepsOrigins, onResponse, recording } = parts;
  const hub =
    parts.events &&
    new EventHub(
      () => current(),
      parts.events,
      reportDefect,
      () => {
        events.announce('events');
      },
    );
  const onDone: OnDone | undefined =
    hub &&
    ((done, response) => {
      hub.noticed(done, response);
    });
  const issuer = issuerBeside(parts.issuer, () => current(), reportDefect);
  const deliveries = hub?.controls ?? NO_DELIVERIES;
  const tokens = issuer.tokens;
  const lasting = {
    clock,
    reportDefect,
    reportViolation,
    keepsOrigins,
    onDone,
    tokens,
    docsPath: `${ADMIN_PATH}/docs`,
  };
  let mock = createMock(api, { ...parts, ...lasting });
  const current = (): Mock => mock;
  const engine = liveEngine(current);
  const requests = new RequestLog(current);
  const events = new LiveEventStreams(requests, recording?.noteChange);
  const ofRecording = recordingControls(recording);
  const ofState = { ...mockControls(current, undefined), ...sandboxesControls(current), ...ofRecording };
  const controls = announcing(ofState, events);
  const target = adminTarget(current, reportDefect, {
    requests,
    events,
    deliveries,
    hasEvents: () => hub?.hasEvents() === true,
    ...ofRecording,
    ...issuer.controls,
    withIssuer: issuer.withIssuer,
    startedAt: new Date(),
  });
  const { app, classes } = createExpressApp();
  const order = new ConnectionOrder();
  const hasCors = parts.corsOrigins.length > 0;
  let cors = crossOrigin(api, parts.corsOrigins);
  const setCorsNow: SetCorsHeaders = (request, response) => {
    cors(request, response);
  };
  const setCorsHeaders = hasCors ? setCorsNow : undefined;
  // One layer for the API, and the first: each layer that Express asks in vain costs a match.
  const lead = (request: IncomingMessage): HttpResponse | undefined =>
    redirectBrowser(request, current().context.mounts, parts.adminToken);
  const tap = recording && tapFor(recording, current);
  const watchers = { onAnswered: onResponse, tap };
  for (const layer of issuer.layers(onResponse)) app.use(layer);
  const handle = toHandler(engine, order, watchers, parts.startTimer ?? startRealTimer);
  app.use(apiMiddleware(handle, setCorsHeaders, watchers, lead) as RequestHandler);
  if (onResponse !== undefined) app.use(ADMIN_PATH, logAdmin(onResponse));
  app.use(ADMIN_PATH, adminRoutes(target, order, parts.adminToken, parts.agents));
  guardMessages(app, engine, order, setCorsHeaders, watchers);
  return {
    app: Object.assign(
      app,
      controls,
      storeControls(current, () => hub?.stop()),
      { ...deliveries, ...issuer.controls },
    ),
    get mock() {
      return mock;
    },
    admin: target,
    serverOptions: classes,
    resumeEvents: () => hub?.resume(),
    swap(newApi, newParts) {
      const succession = reloadMock(newApi, { ...newParts, ...lasting }, mock);
      ({ mock } = succession);
      cors = crossOrigin(newApi, parts.corsOrigins);
      recording?.follow(newApi);
      events.announce('description');
      return succession;
    },
  };
}

const NO_DELIVERIES: DeliveryControls = {
  deliveries: () => [],
  sendAgain: () => false,
  waitForDeliveries: () => Promise.resolve(),
  eventFaults: () => [],
  setEventFaults: () => undefined,
};

function tapFor({ onExchange }: MockRecording, current: CurrentMock): ExchangeTapModule.ExchangeTap {
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only by who records
  const { ExchangeTap } = require('./exchange-tap') as typeof ExchangeTapModule;
  return new ExchangeTap(onExchange, () => current().context.options.sandboxes);
}

function liveEngine(current: CurrentMock): AnsweringEngine {
  return {
    handle: (request, options) => current().engine.handle(request, options),
    open: (head, options) => current().engine.open(head, options),
    refuse: (fault) => current().engine.refuse(fault),
    refuseMessage: (head) => current().engine.refuseMessage(head),
  };
}

/** Admin requests get their line in the log too; their bodies may be whole states: only that of a rejection is reported. */
function logAdmin(onAnswered: OnResponse): RequestHandler {
  return (request, response, next) => {
    const startedAt = process.hrtime.bigint();
    const { method, originalUrl: target, headers, rawHeaders } = request;
    response.on('finish', () => {
      const { statusCode: status } = response;
      const body = errorResponseOf(response)?.body;
      onAnswered({ method, target, headers, rawHeaders }, { status, headers: [], body }, startedAt);
    });
    next();
  };
}

type HttpClasses = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

/**
 * An Express app, and the request and response classes that a server should make for it.
 *
 * Express sets the prototype of every request and response, and V8 treats an object whose prototype was changed as a
 * slow one: it costs three quarters of the throughput. Classes whose prototypes are those very objects make Express's
 * call change nothing. The app works behind any other server as well, only slower.
 */
function createExpressApp(): { app: Express; classes: HttpClasses } {
  const app = express();
  class Request extends IncomingMessage {}
  class Response<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  copyProperties(express.request, Request.prototype);
  copyProperties(express.response, Response.prototype);
  for (const prototype of [Request.prototype, Response.prototype]) {
    Object.defineProperty(prototype, 'app', { value: app, configurable: true, enumerable: true, writable: true });
  }
  app.request = Request.prototype as Express['request'];
  app.response = Response.prototype as unknown as Express['response'];
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  return { app, classes: { IncomingMessage: Request, ServerResponse: Response } };
}

function copyProperties(from: object, to: object): void {
  Object.defineProperties(to, Object.getOwnPropertyDescriptors(from));
}

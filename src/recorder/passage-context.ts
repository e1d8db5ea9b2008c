import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Stream } from 'node:stream';
import type * as HttpProxyModule from 'http-proxy-3';
import { messageOf } from '../core/errors/standin-error';
import { MOST_BODY_BYTES } from '../traffic/exchange/recorded-body';
import type { RecordedExchange } from '../traffic/exchange/recorded-exchange';
import { BodyCopy, CopyBudget } from './body-copy';
import { targetAgent, type WayThrough } from './target-agent';

type ProxyServer = HttpProxyModule.ProxyServer;

/** What a recorder is told, and whom it tells. */
export interface RecorderOptions {
  /** Scheme, host and port of the target. */
  readonly target: string;
  /** Path of the target's URL, without a slash at the end. Left out: none. */
  readonly basePath?: string | undefined;
  /** A proxy on the way to the target. Left out: none. */
  readonly way?: WayThrough | undefined;
  /** Authorities to trust, in PEM. Left out: those of Node. */
  readonly authorities?: readonly string[] | undefined;
  /** Take any certificate of the target? Left out: no. */
  readonly isInsecure?: boolean | undefined;
  /** Origins of pages that may read responses, `*` for any. Left out: those of this machine. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Called with the exchanges of one turn of the event loop, before the last bytes of their responses go to the clients. */
  readonly onExchanges: (exchanges: readonly RecordedExchange[]) => void;
  /** Called with what who records has to know, each thing once. */
  readonly onNotice: (text: string) => void;
  /** Why no response came, in words. */
  readonly describeFailure: (error: unknown, hasResponded: boolean) => string;
  /** The most bytes that are kept of one body. */
  readonly mostBodyBytes?: number | undefined;
}

/** All copies together: two dozen of the largest bodies at a time. */
const MOST_COPIED_BYTES = 24 * MOST_BODY_BYTES;

/** As long a head as any server takes. */
export const HEAD_BYTES = 64 * 1024;

/**
 * A connection that was idle for longer is not used again: servers close theirs after a few seconds, and a request that
 * meets that moment would fail as it does not without the proxy.
 */
const IDLE_MS = 1500;

/** What all exchanges of a recorder share. */
export class PassageContext {
  readonly options: RecorderOptions;
  readonly proxy: ProxyServer;
  /** Those that are on their way. */
  readonly open = new Set<{ readonly isEndless: boolean; cut(): void }>();
  private readonly headers = new WeakMap<IncomingMessage, IncomingHttpHeaders>();
  private readonly budget = new CopyBudget(MOST_COPIED_BYTES);
  private readonly told = new Set<string>();
  /** Paths outside the base path that redirects of the target lead to. */
  private readonly outside = new Set<string>();
  private readonly agent: Agent;
  private readonly clockStart = Date.now() - performance.now();
  private count = 0;
  private over: OverExchange[] = [];

  constructor(options: RecorderOptions) {
    this.options = options;
    const { isInsecure = false, target } = options;
    this.agent = targetAgent({ ...options, isInsecure, idleMs: IDLE_MS });
    // oxlint-disable-next-line typescript/no-require-imports -- loaded when something is recorded
    const { createProxyServer } = require('http-proxy-3') as typeof HttpProxyModule;
    this.proxy = createProxyServer({
      target: new URL(target),
      agent: this.agent,
      secure: !isInsecure,
      // A tunnel takes it from the request.
      ...(options.way === undefined || options.authorities === undefined ? {} : { ca: options.authorities.join('\n') }),
      // The target of a request as it was received; the library would write its path anew.
      toProxy: true,
      prependPath: false,
      // It would join repeated header lines, and lose the case of their names.
      selfHandleResponse: true,
      ssl: undefined,
    });
    // The last moment before the request is made: a step of the library before it gives a DELETE a length of 0.
    this.proxy.before('web', 'stream', (request) => {
      const sent = this.headers.get(request);
      if (sent !== undefined) request.headers = sent;
    });
  }

  /** Says which header lines a request is sent with. */
  setHeaders(request: IncomingMessage, headers: Record<string, string | string[]>): void {
    this.headers.set(request, headers);
  }

  /**
   * Puts the path of a request below the base path. Clients may be pointed at the recorder with that path or without it.
   *
   * @returns the base path, where the client left it out; `undefined` where the request stays as it is: it is below the
   *   base path already, or follows a redirect of the target
   */
  moveBelowBase(request: IncomingMessage): string | undefined {
    const { basePath = '', target } = this.options;
    const { url = '/', method = '' } = request;
    const path = url.replace(/[?#].*$/s, '');
    if (!url.startsWith('/') || isBelow(path, basePath) || this.outside.has(path)) return undefined;
    request.url = `${basePath}${url}`;
    this.tell('base path', () => {
      return `${method} ${path} was sent to ${target}${basePath}${path}: requests outside ${basePath} are sent below it. To record other paths of the host, start with --target ${target}`;
    });
    return basePath;
  }

  /** Remembers where a redirect leads, because the client asks the recorder for that very path. */
  noteRedirect(location: string): void {
    const { basePath = '', target } = this.options;
    if (!/^(?:\/|https?:)/i.test(location) || !URL.canParse(location, target)) return;
    const { origin, pathname } = new URL(location, target);
    if (origin === target && !isBelow(pathname, basePath)) this.outside.add(pathname);
  }

  /** The number of the next exchange, from 1. */
  next(): number {
    this.count += 1;
    return this.count;
  }

  /**
   * Milliseconds since 1970, with fractions that keep two exchanges of one millisecond apart. It goes on from the start of
   * the recorder, whatever is done to the clock of the machine since.
   */
  now(): number {
    return Math.round((this.clockStart + performance.now()) * 1000) / 1000;
  }

  newCopy(): BodyCopy {
    return new BodyCopy(this.budget, this.options.mostBodyBytes ?? MOST_BODY_BYTES);
  }

  /** Tells something once. @param what - which of all things it is */
  tell(what: string, text: () => string): void {
    if (this.told.has(what)) return;
    this.told.add(what);
    this.options.onNotice(text());
  }

  /**
   * Hands an exchange over, together with the others of this turn of the event loop: to write many at once costs little more
   * than to write one.
   *
   * @param then - called when it has been recorded
   */
  record(exchange: RecordedExchange, then?: () => void): void {
    if (this.over.length === 0) {
      setImmediate(() => {
        this.handOver();
      });
    }
    this.over.push({ exchange, then });
  }

  /** Hands over what waits for the end of this turn. Whatever goes wrong there, clients get their responses. */
  handOver(): void {
    const { over } = this;
    if (over.length === 0) return;
    this.over = [];
    const exchanges = over.map(({ exchange }) => exchange);
    try {
      this.options.onExchanges(exchanges);
    } catch (error) {
      const numbers = exchanges.map(({ source }) => source).join(', ');
      const what = exchanges.length === 1 ? 'Exchange' : 'Exchanges';
      this.options.onNotice(`${what} ${numbers} could not be recorded: ${messageOf(error)}`);
    }
    for (const { then } of over) then?.();
  }

  close(): void {
    this.handOver();
    this.agent.destroy();
  }
}

function isBelow(path: string, basePath: string): boolean {
  return path === basePath || path.startsWith(`${basePath}/`);
}

/** An exchange that is over, and what waits for its being recorded. */
interface OverExchange {
  readonly exchange: RecordedExchange;
  readonly then: (() => void) | undefined;
}

/** What the library sends as the body of a request: with it comes the request itself, before anything of it is sent. */
export class RequestSource extends Stream {
  private readonly send: (request: ClientRequest) => void;

  constructor(send: (request: ClientRequest) => void) {
    super();
    this.send = send;
  }

  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    this.send(destination as unknown as ClientRequest);
    return destination;
  }
}

import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf } from '../core/errors/standin-error';
import { headerValue } from '../core/http/headers';
import { isSafe, type RawHeaders } from '../core/http/message';
import { type CrossOriginAnswer, crossOriginAnswer } from './cross-origin';
import { ExchangeRecord } from './exchange-record';
import { type PassageContext, RequestSource } from './passage-context';
import {
  bodyLength,
  hasBody,
  type Origins,
  pairsOf,
  requestHeaders,
  responseHeaders,
  sentHeaders,
} from './passed-headers';
import { onResponse, requestTarget } from './target-agent';
import { joinSockets, type SwitchedConnection, switchingHead } from './upgrade';

/** A header that tells responses of the recorder itself from those of the target. */
const OWN_HEADER = 'X-Standin-Recorder';

/** One exchange on its way: passed on both ways as it comes, and copied beside that. */
export class Passage {
  private readonly context: PassageContext;
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;
  private readonly upgrade: SwitchedConnection | undefined;
  private readonly origins: Origins;
  /** Header lines of the request for the target. */
  private readonly headers: RawHeaders;
  private readonly record: ExchangeRecord;
  private outgoing: ClientRequest | undefined;
  private incoming: IncomingMessage | undefined;
  private mayRetry = true;

  /**
   * @param own - URL of the recorder, and the base path of the target where the client left it out
   * @param upgrade - of a request that asks for another protocol: its connection
   */
  constructor(
    context: PassageContext,
    request: IncomingMessage,
    response: ServerResponse,
    own: { readonly url: string; readonly omitted: string | undefined },
    upgrade?: SwitchedConnection,
  ) {
    this.context = context;
    this.request = request;
    this.response = response;
    this.upgrade = upgrade;
    const { host } = request.headers;
    const proxy = host === undefined ? own.url : `http://${host}`;
    this.origins = { proxy, target: context.options.target, omitted: own.omitted };
    this.headers = requestHeaders(request.rawHeaders, this.origins, upgrade !== undefined);
    this.record = new ExchangeRecord(context, request, this.headers);
  }

  start(): void {
    const { context, request, response } = this;
    context.open.add(this);
    response.on('close', () => {
      if (!response.writableFinished) this.record.breakOff('the client aborted it');
      context.open.delete(this);
    });
    context.setHeaders(request, sentHeaders(this.headers, request.rawHeaders));
    // Its errors are those of its connection, of which the response tells.
    request.on('error', () => undefined);
    this.send();
  }

  /** Is there no end to wait for? */
  get isEndless(): boolean {
    const { incoming } = this;
    if (incoming === undefined) return false;
    const type = headerValue(incoming.rawHeaders, 'content-type') ?? '';
    return incoming.statusCode === 101 || /^text\/event-stream\b/i.test(type);
  }

  /** Ends it as it is, because nothing more is recorded. */
  cut(): void {
    this.record.breakOff('it was still going on when the recording was stopped');
    this.outgoing?.destroy();
    this.response.destroy();
    this.upgrade?.socket.destroy();
  }

  private send(): void {
    const buffer = new RequestSource((outgoing) => {
      this.sendBody(outgoing);
    });
    try {
      this.context.proxy.web(this.request, this.response, { buffer }, (error) => {
        this.fail(error);
      });
    } catch (error) {
      this.fail(error);
    }
  }

  private sendBody(outgoing: ClientRequest): void {
    const { request, record, upgrade } = this;
    const { options } = this.context;
    this.outgoing = outgoing;
    outgoing.maxHeadersCount = 0;
    // The library loses a `?` at the end, and knows no `*`.
    if (!outgoing.headersSent) outgoing.path = requestTarget(options, request.url ?? '/');
    onResponse(outgoing, options, this.pass.bind(this), this.fail.bind(this));
    if (upgrade !== undefined) {
      outgoing.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
        this.switchProtocol(incoming, { socket, head }, upgrade);
      });
    }
    if (upgrade !== undefined || !hasBody(request)) {
      outgoing.end();
      return;
    }
    this.flushInTime(outgoing);
    outgoing.on('drain', () => {
      request.resume();
    });
    request.on('data', (chunk: Buffer) => {
      record.requestCopy.add(chunk);
      if (!outgoing.destroyed && !outgoing.write(chunk)) request.pause();
    });
    request.on('end', () => {
      if (request.rawTrailers.length > 0) outgoing.addTrailers(pairsOf(request.rawTrailers));
      outgoing.end();
    });
  }

  /** The head of an upload goes out with its first bytes, unless the client waits for a word of the target before those. */
  private flushInTime(outgoing: ClientRequest): void {
    const { request, response, record } = this;
    // A client that waits for leave to send its body gets that of the target (RFC 9110 §10.1.1).
    outgoing.on('continue', () => {
      if (headerValue(request.rawHeaders, 'expect') !== undefined) response.writeContinue();
    });
    setImmediate(() => {
      if (record.requestCopy.length === 0 && !outgoing.writableEnded) outgoing.flushHeaders();
    });
  }

  private pass(incoming: IncomingMessage): void {
    const { response, record, request } = this;
    this.incoming = incoming;
    record.begin(incoming);
    const { statusCode: status = 0, statusMessage, rawHeaders } = incoming;
    if (status >= 300 && status < 400) this.context.noteRedirect(headerValue(rawHeaders, 'location') ?? '');
    const crossOrigin = this.crossOrigin(rawHeaders);
    const copy = record.responseCopy;
    incoming.on('error', () => {
      this.breakOff();
    });
    if (crossOrigin?.isPreflight === true) {
      this.answerPreflight(incoming, crossOrigin);
      return;
    }
    try {
      const lines = [...responseHeaders(rawHeaders, this.origins), ...(crossOrigin?.headers ?? [])];
      response.writeHead(status, statusMessage, lines);
    } catch (error) {
      incoming.destroy();
      this.fail(error);
      return;
    }
    // Of a response without a body, and of one that is there already, the head goes out with the rest.
    const length = bodyLength(request, incoming);
    if (length !== 0) {
      setImmediate(() => {
        if (copy.length === 0 && !response.writableEnded) response.flushHeaders();
      });
    }
    incoming.on('data', (chunk: Buffer) => {
      copy.add(chunk);
      // The last byte is what tells the client that the response is there: it goes out when the exchange is recorded.
      if (copy.length === length) this.finish(chunk);
      else if (!response.write(chunk)) incoming.pause();
    });
    response.on('drain', () => {
      incoming.resume();
    });
    incoming.on('end', () => {
      if (!record.isOver) this.finish();
    });
  }

  private finish(last?: Buffer): void {
    const { incoming, record, request, response } = this;
    if (!request.complete && this.upgrade === undefined) {
      record.note('the response came before the client had sent all of the request');
    }
    record.complete(() => {
      const trailers = incoming?.rawTrailers ?? [];
      if (trailers.length > 0) response.addTrailers(pairsOf(trailers));
      response.end(last);
    });
  }

  /** The target ended the connection in the middle: so it does to the client. */
  private breakOff(): void {
    if (this.record.isOver || this.response.destroyed) return;
    this.record.breakOff('the target broke it off before the response was complete');
    this.response.destroy();
  }

  /** What the target says to a preflight is recorded all the same. */
  private answerPreflight(incoming: IncomingMessage, { headers }: CrossOriginAnswer): void {
    const { response, record } = this;
    incoming.on('data', (chunk: Buffer) => {
      record.responseCopy.add(chunk);
    });
    incoming.on('end', () => {
      record.note('a preflight that the target does not allow other origins by: the recorder answered it');
      record.complete(() => {
        response.writeHead(204, [...headers, OWN_HEADER, 'preflight']);
        response.end();
      });
    });
  }

  private crossOrigin(headers: RawHeaders): CrossOriginAnswer | undefined {
    const { corsOrigins, target } = this.context.options;
    // As it was received; a page of the recorder's own origin needs no leave.
    const { rawHeaders, method = '' } = this.request;
    const origin = headerValue(rawHeaders, 'origin');
    if (origin === this.origins.proxy) return undefined;
    const answer = crossOriginAnswer(corsOrigins, method, rawHeaders, headers);
    if (answer !== undefined) {
      this.context.tell('cors', () => {
        return `${target} sends no Access-Control headers to pages of ${origin ?? ''}: the recorder adds them; without it, browsers keep the responses from such a page`;
      });
    }
    return answer;
  }

  private switchProtocol(incoming: IncomingMessage, target: SwitchedConnection, client: SwitchedConnection): void {
    const { context, record, request, response } = this;
    this.incoming = incoming;
    record.begin(incoming);
    const protocol = headerValue(incoming.rawHeaders, 'upgrade') ?? 'another protocol';
    record.note(`an upgrade to ${protocol}: what came behind it is not recorded`);
    context.tell(`upgrade ${protocol}`, () => {
      return `${request.method ?? ''} ${request.url ?? ''} became a connection of ${protocol}: it is passed through, and what is said there is not recorded`;
    });
    record.complete();
    context.handOver();
    response.detachSocket(client.socket as never);
    joinSockets(client, target, switchingHead(incoming, this.origins), () => {
      context.open.delete(this);
    });
  }

  /** No response came, or none that can be passed on. */
  private fail(error: unknown): void {
    const { context, response, incoming } = this;
    if (this.record.isOver || response.destroyed || incoming?.complete === true) return;
    if (response.headersSent) {
      this.breakOff();
    } else if (this.mayRetry && isLostIdle(error, this.outgoing) && this.canRepeat()) {
      this.mayRetry = false;
      this.send();
    } else {
      const reason = context.options.describeFailure(error, incoming !== undefined);
      const { method = '', url = '' } = this.request;
      context.options.onNotice(
        `${method} ${url}: ${reason.replace(/\.$/, '')}; the client got 502, and the recording goes on`,
      );
      this.record.breakOff(`no response came: ${reason}`, () => {
        this.answer(502, 'Bad Gateway', reason);
      });
    }
  }

  /** May the request be sent again without a change to the target (RFC 9110 §9.2.2)? */
  private canRepeat(): boolean {
    const { method = '' } = this.request;
    return !hasBody(this.request) && (isSafe(method) || method === 'PUT' || method === 'DELETE');
  }

  /** A response of the recorder itself. */
  answer(status: number, title: string, detail: string): void {
    const { response, request } = this;
    const body = JSON.stringify({ type: 'about:blank', title, status, detail: `The recorder: ${detail}` });
    const { corsOrigins } = this.context.options;
    const own = ['Content-Type', 'application/problem+json', OWN_HEADER, 'no-response'];
    const crossOrigin = crossOriginAnswer(corsOrigins, request.method ?? '', request.rawHeaders, own);
    const lines = [...own, 'Content-Length', String(Buffer.byteLength(body)), ...(crossOrigin?.headers ?? [])];
    response.writeHead(status, title, lines);
    response.end(body);
    // What is left of an upload is read and dropped, so that the client can read this.
    request.resume();
  }
}

/** Was an idle connection closed by the target at the moment at which it was used again? */
function isLostIdle(error: unknown, outgoing: ClientRequest | undefined): boolean {
  return outgoing?.reusedSocket === true && ['ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '');
}

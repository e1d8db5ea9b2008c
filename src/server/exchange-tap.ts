import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerValue } from '../core/http/headers';
import type { HttpResponse, RawHeaders, RequestHead } from '../core/http/message';
import { MAIN_ID, type SandboxSelectors, selectSandbox } from '../mock/sandbox/sandbox-selection';
import { MOST_BODY_BYTES, recordedBody } from '../traffic/exchange/recorded-body';
import type { RecordedBody, RecordedExchange, RecordedResponse } from '../traffic/exchange/recorded-exchange';
import { type BodyRead, hasBody, readBody } from './connection';
import { withoutSandbox } from './controls/mock-exchange';
import { withLength } from './response-delivery';

/** Called with each exchange of the API when it is over, with its whole bodies. */
export type OnExchange = (exchange: RecordedExchange) => void;

/** Looks on as the mock answers, and tells of each exchange once. */
export class ExchangeTap {
  private readonly onExchange: OnExchange;
  private readonly selectors: () => SandboxSelectors;
  private count = 0;
  private port: number | undefined;

  /** @param selectors - how requests name their sandbox now */
  constructor(onExchange: OnExchange, selectors: () => SandboxSelectors) {
    this.onExchange = onExchange;
    this.selectors = selectors;
  }

  begin(head: RequestHead, request: IncomingMessage, response: ServerResponse): TappedExchange {
    this.count += 1;
    // An app that a test calls is at another port for each request, and still one API.
    this.port ??= request.socket.localPort ?? 80;
    return new TappedExchange({ head, request, response, source: String(this.count) }, (exchange) => {
      this.tell(head, exchange);
    });
  }

  private tell(head: RequestHead, exchange: Omit<RecordedExchange, 'origin'>): void {
    const selectors = this.selectors();
    const selection = selectSandbox(selectors, head);
    const sandbox = selection?.kind === 'named' && selection.id !== MAIN_ID ? selection.id : undefined;
    this.onExchange(withoutSandbox({ ...exchange, origin: this.originOf(sandbox) }, selectors, sandbox));
  }

  /** Each sandbox has a state of its own, as if it were another service. */
  private originOf(sandbox: string | undefined): string {
    return `http://${sandbox === undefined ? '127.0.0.1' : `${sandbox}.sandbox.localhost`}:${this.port}`;
  }
}

interface Tapped {
  readonly head: RequestHead;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly source: string;
}

type Outcome = Pick<RecordedExchange, 'endedAt' | 'notes'> & { readonly response: RecordedResponse | undefined };

/** What is known of an exchange so far. It is over when its response goes out, and its request is there as a whole. */
export class TappedExchange {
  private readonly tapped: Tapped;
  private readonly tell: (exchange: Omit<RecordedExchange, 'origin'>) => void;
  private readonly startedAt = Date.now();
  private requestBody: RecordedBody | undefined;
  private isBodyKnown: boolean;
  private outcome: Outcome | undefined;
  private isTold = false;

  constructor(tapped: Tapped, tell: TappedExchange['tell']) {
    this.tapped = tapped;
    this.tell = tell;
    this.isBodyKnown = !hasBody(tapped.request);
  }

  /** The body of the request is there, or is larger than the mock takes. */
  received(read: BodyRead): void {
    const { rawHeaders } = this.tapped.head;
    if (read.kind === 'too-large') this.omitBody('it is larger than the mock reads');
    else this.knowBody(recordedBody({ length: read.body.length, content: read.body }, rawHeaders));
  }

  /** The mock does not want the body: it is read all the same, as a client sends it. */
  follow(): void {
    if (this.isBodyKnown) return;
    const done = (read: BodyRead): void => {
      this.received(read);
    };
    readBody(this.tapped.request, MOST_BODY_BYTES, done, () => {
      this.omitBody('the client did not send all of it');
    });
  }

  /** The response is about to be sent. */
  answered(answer: HttpResponse): void {
    const { response } = this.tapped;
    const { delivery } = answer;
    if (delivery === undefined) this.end(this.recordedResponse(answer), []);
    else if (delivery.end !== undefined) this.end(undefined, [LOST[delivery.end]]);
    else {
      const recorded = this.recordedResponse(answer);
      response.once('finish', () => {
        this.end(recorded, []);
      });
      response.once('close', () => {
        this.end(undefined, ['the client aborted it']);
      });
    }
  }

  /** Another middleware read the body. */
  lost(): void {
    this.omitBody('another middleware read it');
  }

  /** The client went away before its request was there. */
  gone(): void {
    this.omitBody('the client did not send all of it');
    this.end(undefined, ['the client aborted it']);
  }

  private recordedResponse(answer: HttpResponse): RecordedResponse {
    const { status, body } = answer;
    const headers = [...headersSet(this.tapped.response), ...withLength(status, answer.headers, body)];
    if (body === undefined) return { status, headers, body: undefined };
    const content = typeof body === 'string' ? Buffer.from(body) : body;
    const bytes = { length: content.length, content: content.length > MOST_BODY_BYTES ? undefined : content };
    return { status, headers, body: recordedBody(bytes, headers) };
  }

  private omitBody(reason: string): void {
    const length = Number(headerValue(this.tapped.head.rawHeaders, 'content-length') ?? NaN);
    this.knowBody({ kind: 'omitted', reason, bytes: Number.isSafeInteger(length) ? length : undefined });
  }

  private knowBody(body: RecordedBody | undefined): void {
    if (this.isBodyKnown) return;
    this.requestBody = body;
    this.isBodyKnown = true;
    this.settle();
  }

  private end(response: RecordedResponse | undefined, notes: readonly string[]): void {
    if (this.outcome !== undefined) return;
    this.outcome = { response, notes, endedAt: response === undefined ? undefined : Date.now() };
    this.settle();
  }

  private settle(): void {
    const { isBodyKnown, outcome, requestBody, startedAt, tapped } = this;
    if (!isBodyKnown || outcome === undefined || this.isTold) return;
    this.isTold = true;
    const { method, target, rawHeaders } = tapped.head;
    const request = { method, target, headers: rawHeaders, body: requestBody };
    this.tell({ source: tapped.source, startedAt, request, ...outcome });
  }
}

const LOST = {
  reset: 'the mock reset the connection before its response, as a fault asked for',
  truncate: 'the mock cut its response off, as a fault asked for',
};

/** What middleware set before, such as CORS headers. */
function headersSet(response: ServerResponse): RawHeaders {
  return response.getHeaderNames().flatMap((name) => {
    const value = response.getHeader(name);
    return (Array.isArray(value) ? value : [value]).flatMap((each) => [name, String(each)]);
  });
}

import type { IncomingMessage } from 'node:http';
import type { RawHeaders } from '../core/http/message';
import { recordedBody } from '../traffic/exchange/recorded-body';
import type { RecordedExchange } from '../traffic/exchange/recorded-exchange';
import type { BodyCopy } from './body-copy';
import { noticesOf } from './notices';
import type { PassageContext } from './passage-context';

/** What is known of an exchange so far: told of once, when it is over, in whatever way. */
export class ExchangeRecord {
  readonly requestCopy: BodyCopy;
  readonly responseCopy: BodyCopy;
  private readonly context: PassageContext;
  private readonly request: IncomingMessage;
  private readonly headers: RawHeaders;
  private readonly number: number;
  private readonly startedAt: number;
  private readonly notes: string[] = [];
  private response: IncomingMessage | undefined;
  private isTold = false;

  /** @param headers - header lines of the request as they are recorded */
  constructor(context: PassageContext, request: IncomingMessage, headers: RawHeaders) {
    this.context = context;
    this.request = request;
    this.headers = headers;
    this.number = context.next();
    this.startedAt = context.now();
    this.requestCopy = context.newCopy();
    this.responseCopy = context.newCopy();
  }

  get isOver(): boolean {
    return this.isTold;
  }

  /** The head of the response is there. */
  begin(response: IncomingMessage): void {
    this.response = response;
  }

  note(text: string): void {
    this.notes.push(text);
  }

  /** The response is there as a whole. @param then - called when it has been recorded */
  complete(then?: () => void): void {
    this.tell(this.context.now(), then);
  }

  /** It is over before its response is complete. @param why - in words @param then - called when it has been recorded */
  breakOff(why: string, then?: () => void): void {
    if (this.isTold) return;
    this.note(why);
    this.tell(undefined, then);
  }

  private tell(endedAt: number | undefined, then: (() => void) | undefined): void {
    if (this.isTold) return;
    this.isTold = true;
    const { context, headers, notes, response, startedAt } = this;
    const { method = '', url: target = '/' } = this.request;
    const exchange: RecordedExchange = {
      source: String(this.number),
      startedAt,
      endedAt,
      origin: context.options.target,
      request: { method, target, headers, body: recordedBody(this.requestCopy, headers) },
      response: response && {
        status: response.statusCode ?? 0,
        headers: response.rawHeaders,
        body: recordedBody(this.responseCopy, response.rawHeaders),
      },
      notes,
    };
    this.requestCopy.release();
    this.responseCopy.release();
    for (const [what, text] of noticesOf(exchange)) context.tell(what, () => text);
    context.record(exchange, then);
  }
}

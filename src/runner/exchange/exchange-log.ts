import type { ObservedExchange } from '../../checks/observed-exchange';
import type { ObservedBody } from '../../checks/response-check';
import { withoutHeaders } from '../../core/http/headers';
import type { HttpResponse, RawHeaders } from '../../core/http/message';
import { jsonBodyOf } from '../ownership/sent-content';
import type { StepResult } from '../result/run-result';
import type { Interaction } from './interaction';

/**
 * Everything that a run sent and got, in the order of sending, for the checks that look at several exchanges at once.
 * Requests that are on their way at the same time are reported from those that came one after the other by a counter.
 */
export class ExchangeLog {
  private readonly observed: ObservedExchange[] = [];
  private readonly results: (StepResult | undefined)[] = [];
  private readonly sources: ExchangeSource[] = [];
  private readonly positions = new Map<StepResult, number>();
  private counter = 0;
  /** Bytes of bodies that are stored beside the values of JSON. */
  private storedBytes = 0;

  /**
   * To be called just before a request is sent.
   *
   * @returns its place: what is sent later may be answered first
   */
  open(interaction: Interaction): number {
    this.results.push(undefined);
    this.sources.push({ requestHeaders: interaction.request.rawHeaders, other: undefined });
    return this.observed.push(observe(interaction, ++this.counter)) - 1;
  }

  /** To be called when the response has arrived; without one when none came. */
  close(index: number, response?: { readonly response: HttpResponse; readonly body: ObservedBody }): void {
    const begun = this.observed[index];
    if (begun === undefined) throw new Error('The exchange was not opened here');
    this.observed[index] = {
      ...begun,
      respondedAt: ++this.counter,
      status: response?.response.status,
      headers: response?.response.headers ?? [],
      body: response?.body.kind === 'json' ? response.body.value : undefined,
      bodySize: response === undefined ? undefined : sizeOf(response.response),
    };
    if (response?.body.kind === 'not-json') this.storeBody(index, response.response);
  }

  /** What a body is that is not JSON: its beginning, as long as there is room. */
  private storeBody(index: number, { body = '' }: HttpResponse): void {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const beginning = bytes.slice(0, this.storedBytes < MOST_STORED ? LONGEST_STORED : 0);
    this.storedBytes += beginning.length;
    const source = this.sources[index];
    if (source !== undefined) this.sources[index] = { ...source, other: { beginning, size: bytes.length } };
  }

  /** What the exchange became in the result of the run. */
  setResult(index: number, result: StepResult): void {
    this.results[index] = result;
    this.positions.set(result, index);
  }

  /** A result was replaced by another one, which says more. */
  replace(before: StepResult, after: StepResult): void {
    const index = this.positions.get(before);
    if (index !== undefined) this.setResult(index, after);
  }

  exchanges(): readonly ObservedExchange[] {
    return this.observed;
  }

  resultAt(index: number): StepResult | undefined {
    return this.results[index];
  }

  /** An exchange as it was, for a report; `undefined` for a result of nothing that was sent. */
  exchangeOf(result: StepResult): (ObservedExchange & ExchangeSource) | undefined {
    const index = this.positions.get(result) ?? -1;
    const [exchange, source] = [this.observed[index], this.sources[index]];
    return exchange === undefined || source === undefined ? undefined : { ...exchange, ...source };
  }
}

function sizeOf({ body = '' }: HttpResponse): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

/** What checks over a run have no use for, and reports have. */
interface ExchangeSource {
  /** With the credentials. */
  readonly requestHeaders: RawHeaders;
  /** The body of a response that is not JSON; `undefined` for JSON and for none. */
  readonly other: { readonly beginning: Uint8Array; readonly size: number } | undefined;
}

/** More than a report shows: it is cut once what must not be shown was taken out. */
const LONGEST_STORED = 64 * 1024;
/** Of a whole run. */
const MOST_STORED = 16 * 1024 * 1024;

function observe(
  { operation, request, expected, auth, repeat, isWritten }: Interaction,
  sentAt: number,
): ObservedExchange {
  const [path, query] = splitTarget(request.target);
  return {
    operation: operation?.id,
    method: request.method,
    path,
    query,
    auth,
    requestHeaders: withoutHeaders(request.rawHeaders, new Set(['authorization'])),
    requestText: new TextDecoder().decode(request.body),
    requestBody: jsonBodyOf(request),
    expected,
    // What nobody wrote waits for nothing but a copy that lags behind.
    isPolled: repeat !== undefined && isWritten !== false,
    status: undefined,
    headers: [],
    body: undefined,
    sentAt,
    respondedAt: Number.POSITIVE_INFINITY,
  };
}

function splitTarget(target: string): readonly [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

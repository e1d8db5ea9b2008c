import type { ObservedExchange, RunFinding } from '../../checks/observed-exchange';
import { checkRun } from '../../checks/run/registry';
import { withoutHeaders } from '../../core/http/headers';
import { parseTarget } from '../../core/http/request-target';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import type { JsonValue } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import type { ApiModel } from '../../openapi/model/api-model';
import { requestFacts } from '../../runner/exchange/credentials';
import { jsonBodyOf } from '../../runner/ownership/sent-content';
import type { ShownExchange } from '../../runner/run/response-excerpts';
import type { AnsweredExchange, ReadExchange } from './read-exchange';
import { hasMark } from './unmarked-schemas';

/** So many exchanges are compared with each other, the first ones, and so many bytes of their bodies are kept. */
const MOST_COMPARED = 2000;
const MOST_BYTES = 16 * 1024 * 1024;

/** Exchanges of documented operations, for the checks that look at several at once. */
export class ObservedTraffic {
  private readonly api: ApiModel;
  private readonly exchanges: { readonly exchange: AnsweredExchange; readonly observed: ObservedExchange }[] = [];
  private bytes = 0;

  constructor(api: ApiModel) {
    this.api = api;
  }

  add(operation: string, exchange: AnsweredExchange, read: ReadExchange): void {
    this.bytes += read.request.body.length + (read.response.body?.length ?? 0);
    if (this.exchanges.length >= MOST_COMPARED || this.bytes > MOST_BYTES) return;
    const at = 2 * this.exchanges.length;
    this.exchanges.push({
      exchange,
      observed: { ...toObserved(this.api, operation, read), sentAt: at, respondedAt: at + 1 },
    });
  }

  /**
   * What they say together. Where a response disagrees with an earlier one, somebody else may have changed the thing in
   * between, whose traffic was not recorded: only what is wrong with one exchange alone is an error.
   *
   * @throws SpecError when a schema does not compile
   */
  findings(): { readonly exchange: AnsweredExchange; readonly finding: RunFinding }[] {
    const inOrder = this.inOrder();
    const { findings } = checkRun(
      inOrder.map(({ observed }) => observed),
      this.api,
    );
    return findings.flatMap((finding) => {
      const exchange = inOrder[finding.exchange]?.exchange;
      // A secret has many marks where each response has another one, and none is its value.
      if (exchange === undefined || [finding.expected, finding.actual].some((text) => hasMark(text ?? ''))) return [];
      return [{ exchange, finding: finding.exchange === finding.earlier ? finding : softened(finding) }];
    });
  }

  /** By their clock where all have one; else one after the other, as they came. */
  private inOrder(): typeof this.exchanges {
    const timed = this.exchanges.flatMap((each) => {
      const { startedAt, endedAt } = each.exchange;
      if (startedAt === undefined || endedAt === undefined) return [];
      return [{ ...each, observed: { ...each.observed, sentAt: startedAt, respondedAt: endedAt } }];
    });
    if (timed.length < this.exchanges.length) return this.exchanges;
    return timed.sort((one, other) => one.observed.sentAt - other.observed.sentAt);
  }
}

function softened(finding: RunFinding): RunFinding {
  if (finding.severity !== 'error') return finding;
  const hint = 'Somebody whose traffic was not recorded may have changed it in between.';
  return { ...finding, severity: 'warning', hint };
}

type ToObserve = Omit<ObservedExchange, 'sentAt' | 'respondedAt'>;

function toObserved(api: ApiModel, operation: string | undefined, { request, response }: ReadExchange): ToObserve {
  const { path = '', query = '' } = parseTarget(request.target) ?? {};
  return {
    operation,
    method: request.method,
    path,
    query,
    // Who asks is told by the credentials, which are marks.
    auth: (requestFacts({ api }, { request, auth: 'valid', browser: undefined }).secrets ?? []).join(' ') || 'none',
    requestHeaders: withoutHeaders(request.rawHeaders, new Set(['authorization'])),
    requestText: Buffer.from(request.body).toString(),
    requestBody: jsonBodyOf(request),
    expected: undefined,
    status: response.status,
    headers: response.headers,
    body: jsonOf(response.body),
  };
}

function jsonOf(body: string | Uint8Array | undefined): JsonValue | undefined {
  if (typeof body !== 'string' || body === '') return undefined;
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return undefined;
  }
}

/** An exchange as a report shows its response. */
export function toShown(api: ApiModel, operation: string | undefined, read: ReadExchange): ShownExchange {
  const observed = { ...toObserved(api, operation, read), sentAt: 0, respondedAt: 1 };
  const { body } = read.response;
  const { rawHeaders: requestHeaders } = read.request;
  if (observed.body !== undefined || body === undefined) return { ...observed, requestHeaders, other: undefined };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { ...observed, requestHeaders, other: { beginning: bytes.subarray(0, LONGEST_SHOWN), size: bytes.length } };
}

const LONGEST_SHOWN = 64 * 1024;

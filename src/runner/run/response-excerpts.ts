import { headerValue, requestIdsOf } from '../../core/http/headers';
import type { JsonValue } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Run } from '../exchange/run-state';
import type { LocatedFinding, ReceivedResponse, StepResult } from '../result/run-result';
import { type RedactedResponse, redactResponse } from '../result/step-redaction';
import { binaryNote, bodyText, MOST_SHOWN, shortenBody, type ShownBody } from '../result/step-result';

/** So much of all responses together, in bytes: a run with a thousand faults is not read by anybody. */
const MOST_EVIDENCE = 8 * 1024 * 1024;
/** A longer text is not read as a whole only to be cut: its beginning is. */
const MOST_READ = 1024 * 1024;

/** An exchange with what of its response is no JSON. */
export type ShownExchange = NonNullable<ReturnType<Run['log']['exchangeOf']>>;

/** Adds to failing steps what the service answered: to the first of those that fail in the same way. */
export class ResponseExcerpts {
  private readonly run: Run;
  private readonly known = new Set<string>();
  private size = 0;

  constructor(run: Run) {
    this.run = run;
  }

  /**
   * @param sent - the result as it is in the log of exchanges
   * @param step - the same with everything that was found
   */
  addTo(sent: StepResult, step: StepResult): StepResult {
    const { verdict } = step;
    const exchange = verdict.kind === 'fail' || verdict.kind === 'error' ? this.run.log.exchangeOf(sent) : undefined;
    if (exchange?.status === undefined) return step;
    const redacted = redactResponse(exchange, this.run.api, this.run.redact);
    const requestIds = requestIdsOf(redacted.headers);
    const withIds = requestIds.length === 0 ? step : { ...step, requestIds };
    const keys = verdict.kind === 'fail' ? verdict.findings.map((finding) => findingKey(step, finding)) : [step.name];
    if (keys.every((key) => this.known.has(key))) return withIds;
    for (const key of keys) this.known.add(key);
    const response = received(redacted, exchange, this.size < MOST_EVIDENCE);
    this.size += Buffer.byteLength(response.body ?? '') + response.headers.join('').length;
    return { ...withIds, response };
  }
}

/** What a finding says, so that no two causes have one key; which values came and which were asked for is left out. */
export function findingKey({ operation }: StepResult, { check, at, message, expected }: LocatedFinding): string {
  return JSON.stringify([operation, check, at.replace(/\/\d+(?=\/|$)/g, '/*'), message, expected]);
}

/** What came back, without secrets. @param redacted - the same response, see `redactResponse` */
export function received(
  { headers, clean }: RedactedResponse,
  exchange: ShownExchange,
  hasRoom: boolean,
): ReceivedResponse {
  const body = exchange.body === undefined ? otherBody(exchange, clean) : jsonBody(exchange.body, clean);
  if (hasRoom) return { headers, body: body.text, omitted: body.omitted };
  const omitted = body.text === undefined ? body.omitted : 'left out: the report has enough of other responses';
  return { headers, body: undefined, omitted };
}

function jsonBody(value: JsonValue, clean: RedactedResponse['clean']): ShownBody {
  const text = stringifyJson(value);
  if (text.length > MOST_READ)
    return shortenBody(clean(text.slice(0, 4 * MOST_SHOWN), JSON_TYPE), Buffer.byteLength(text));
  return shortenBody(clean(text, JSON_TYPE));
}

const JSON_TYPE = 'application/json';

function otherBody({ other, headers }: ShownExchange, clean: RedactedResponse['clean']): ShownBody {
  if (other === undefined) return { text: undefined, omitted: undefined };
  const { beginning, size } = other;
  const mediaType = headerValue(headers, 'content-type');
  const text = bodyText(beginning, mediaType);
  if (text === undefined) return { text: undefined, omitted: binaryNote(mediaType, size) };
  const shown = clean(text, mediaType);
  return shortenBody(shown, size > beginning.length ? size : Buffer.byteLength(shown));
}

import { headerValue } from '../http/headers';
import { requestIdsOf } from '../http/request-id';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { reportRedaction, secretTexts } from './mask-credentials';
import { binaryNote, MOST_SHOWN, shorten, textOf, type ShownBody } from './received-body';
import type { Run } from './run';
import type { LocatedFinding, ReceivedResponse, StepResult } from './run-result';

/** So much of all answers together, in bytes: a run with a thousand faults is not read by anybody. */
const MOST_EVIDENCE = 8 * 1024 * 1024;
/** A longer text is not read as a whole only to be cut: its beginning is. */
const MOST_READ = 1024 * 1024;
const MOST_HEADERS = 100;
const LONGEST_HEADER = 1024;

type Exchange = NonNullable<ReturnType<Run['log']['exchangeOf']>>;

/** Adds to failing steps what the service answered: to the first of those that fail in the same way. */
export class Evidence {
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
    const redacted = redactorFor(this.run, exchange);
    const requestIds = requestIdsOf(redacted.headers);
    const withIds = requestIds.length === 0 ? step : { ...step, requestIds };
    const keys = verdict.kind === 'fail' ? verdict.findings.map((finding) => keyOf(step, finding)) : [step.name];
    if (keys.every((key) => this.known.has(key))) return withIds;
    for (const key of keys) this.known.add(key);
    const response = received(redacted, exchange, this.size < MOST_EVIDENCE);
    this.size += Buffer.byteLength(response.body ?? '') + response.headers.join('').length;
    return { ...withIds, response };
  }
}

/** What a finding says, so that no two causes have one key; which values came and which were asked for is left out. */
function keyOf({ operation }: StepResult, { check, at, message, expected }: LocatedFinding): string {
  return JSON.stringify([operation, check, at.replace(/\/\d+(?=\/|$)/g, '/*'), message, expected]);
}

interface RedactedAnswer {
  readonly headers: readonly string[];
  readonly clean: (text: string, mediaType: string | undefined) => string;
}

/** Takes keys, secret members and headers, and what the request held in such places, out of an answer. */
function redactorFor(run: Run, exchange: Exchange): RedactedAnswer {
  const { operation: id, method, path, query, requestHeaders, requestText, headers } = exchange;
  const operation = id === undefined ? undefined : run.api.operationById(id);
  const redaction = reportRedaction(run.api, operation);
  const url = query === '' ? path : `${path}?${query}`;
  const secrets = secretTexts({ method, url, headers: requestHeaders, body: requestText }, run.api, operation);
  const plain = (text: string): string =>
    run.redact(secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text));
  return {
    headers: redaction
      .headers(headers.slice(0, 2 * MOST_HEADERS))
      .map((text) => plain(text.length > LONGEST_HEADER ? `${text.slice(0, LONGEST_HEADER)}…` : text)),
    clean: (text, mediaType) => plain(redaction.body(text, mediaType)),
  };
}

function received({ headers, clean }: RedactedAnswer, exchange: Exchange, hasRoom: boolean): ReceivedResponse {
  const body = exchange.body === undefined ? otherBody(exchange, clean) : jsonBody(exchange.body, clean);
  if (hasRoom) return { headers, body: body.text, omitted: body.omitted };
  const omitted = body.text === undefined ? body.omitted : 'left out: the report has enough of other answers';
  return { headers, body: undefined, omitted };
}

function jsonBody(value: JsonValue, clean: RedactedAnswer['clean']): ShownBody {
  const text = stringifyJson(value);
  if (text.length > MOST_READ) return shorten(clean(text.slice(0, 4 * MOST_SHOWN), JSON_TYPE), Buffer.byteLength(text));
  return shorten(clean(text, JSON_TYPE));
}

const JSON_TYPE = 'application/json';

function otherBody({ other, headers }: Exchange, clean: RedactedAnswer['clean']): ShownBody {
  if (other === undefined) return { text: undefined, omitted: undefined };
  const { beginning, size } = other;
  const mediaType = headerValue(headers, 'content-type');
  const text = textOf(beginning, mediaType);
  if (text === undefined) return { text: undefined, omitted: binaryNote(mediaType, size) };
  const shown = clean(text, mediaType);
  return shorten(shown, size > beginning.length ? size : Buffer.byteLength(shown));
}

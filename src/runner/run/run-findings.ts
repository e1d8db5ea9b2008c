import type { RunFinding } from '../../checks/run-check';
import { checkRun } from '../../checks/run/registry';
import type { Finding } from '../../core/errors/finding';
import { headerValue, requestIdsOf } from '../../core/http/headers';
import type { JsonValue } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import { locate } from '../exchange/finding-location';
import { binaryNote, bodyText, MOST_SHOWN, shortenBody, type ShownBody } from '../result/step-result';
import type { Run } from '../exchange/run-state';
import { allSteps } from '../result/outcome';
import type { LocatedFinding, ReceivedResponse, RunResult, StepResult } from '../result/run-result';
import { maskFinding, redactFinding, reportRedaction, sensitiveValues } from '../result/step-redaction';
import { stillPending } from './step-verdict';

/**
 * What the exchanges of a run say together, added to the steps that are at fault; and what failing steps were answered.
 *
 * @returns the results in the same order; those of exchanges that belong to no step are probes
 */
export function addRunFindings(run: Run, results: Pick<RunResult, 'contracts' | 'probes'>): typeof results {
  const steps = allSteps(results);
  const added = new Map<StepResult, LocatedFinding[]>();
  for (const finding of checkRun(run.log.exchanges(), run.api)) {
    const step = stepOf(run, finding, steps);
    if (step === undefined) continue;
    const redaction = reportRedaction(run.api, run.api.operationById(step.operation ?? ''));
    const located = maskFinding(redactFinding(locate(run.api, plainFinding(finding)), run.redact), redaction);
    added.set(step, [...(added.get(step) ?? []), located]);
  }
  const evidence = new ResponseExcerpts(run);
  const complete = (step: StepResult): StepResult =>
    evidence.addTo(step, withFindings(step, added.get(step) ?? [], run.pendingReasons.get(step)));
  const others = [...added.keys()].filter((step) => !steps.includes(step));
  return {
    contracts: results.contracts.map((contract) => ({ ...contract, steps: contract.steps.map(complete) })),
    probes: [...results.probes, ...others].map(complete),
  };
}

/** The step of the exchange, or of the one that it disagrees with where only that one is in the contracts. */
function stepOf(run: Run, { exchange, earlier }: RunFinding, steps: readonly StepResult[]): StepResult | undefined {
  const [own, other] = [run.log.resultAt(exchange), run.log.resultAt(earlier)];
  const isStep = (result: StepResult | undefined): boolean => result !== undefined && steps.includes(result);
  return isStep(own) || !isStep(other) ? own : other;
}

/** The finding alone: its places in the run mean nothing in a report. */
function plainFinding({ check, severity, at, message, expected, actual, spec, hint, identity }: RunFinding): Finding {
  return { check, severity, at, message, expected, actual, spec, hint, identity };
}

/** A step that fails nothing, such as a pending one, takes what was found as a warning. */
function withFindings(step: StepResult, findings: readonly LocatedFinding[], pending: string | undefined): StepResult {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const others = findings.filter(({ severity }) => severity !== 'error');
  const warnings = [...step.warnings, ...others];
  if (errors.length === 0) return others.length === 0 ? step : { ...step, warnings };
  const { verdict } = step;
  if (verdict.kind === 'pass' || verdict.kind === 'fail') {
    const earlier = verdict.kind === 'fail' ? verdict.findings : [];
    const failed: StepResult = { ...step, verdict: { kind: 'fail', findings: [...earlier, ...errors] }, warnings };
    return pending === undefined ? failed : stillPending(failed, pending);
  }
  const softened = errors.map((finding) => ({ ...finding, severity: 'warning' }) as const);
  return { ...step, warnings: [...warnings, ...softened] };
}

/** So much of all responses together, in bytes: a run with a thousand faults is not read by anybody. */
const MOST_EVIDENCE = 8 * 1024 * 1024;
/** A longer text is not read as a whole only to be cut: its beginning is. */
const MOST_READ = 1024 * 1024;
const MOST_HEADERS = 100;
const LONGEST_HEADER = 1024;

type Exchange = NonNullable<ReturnType<Run['log']['exchangeOf']>>;

/** Adds to failing steps what the service answered: to the first of those that fail in the same way. */
class ResponseExcerpts {
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
    const keys = verdict.kind === 'fail' ? verdict.findings.map((finding) => findingKey(step, finding)) : [step.name];
    if (keys.every((key) => this.known.has(key))) return withIds;
    for (const key of keys) this.known.add(key);
    const response = received(redacted, exchange, this.size < MOST_EVIDENCE);
    this.size += Buffer.byteLength(response.body ?? '') + response.headers.join('').length;
    return { ...withIds, response };
  }
}

/** What a finding says, so that no two causes have one key; which values came and which were asked for is left out. */
function findingKey({ operation }: StepResult, { check, at, message, expected }: LocatedFinding): string {
  return JSON.stringify([operation, check, at.replace(/\/\d+(?=\/|$)/g, '/*'), message, expected]);
}

interface RedactedResponse {
  readonly headers: readonly string[];
  readonly clean: (text: string, mediaType: string | undefined) => string;
}

/** Takes keys, secret properties and headers, and what the request held in such places, out of a response. */
function redactorFor(run: Run, exchange: Exchange): RedactedResponse {
  const { operation: id, method, path, query, requestHeaders, requestText, headers } = exchange;
  const operation = id === undefined ? undefined : run.api.operationById(id);
  const redaction = reportRedaction(run.api, operation);
  const url = query === '' ? path : `${path}?${query}`;
  const secrets = sensitiveValues({ method, url, headers: requestHeaders, body: requestText }, run.api, operation);
  const plain = (text: string): string =>
    run.redact(secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text));
  return {
    headers: redaction
      .headers(headers.slice(0, 2 * MOST_HEADERS))
      .map((text) => plain(text.length > LONGEST_HEADER ? `${text.slice(0, LONGEST_HEADER)}…` : text)),
    clean: (text, mediaType) => plain(redaction.body(text, mediaType)),
  };
}

function received({ headers, clean }: RedactedResponse, exchange: Exchange, hasRoom: boolean): ReceivedResponse {
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

function otherBody({ other, headers }: Exchange, clean: RedactedResponse['clean']): ShownBody {
  if (other === undefined) return { text: undefined, omitted: undefined };
  const { beginning, size } = other;
  const mediaType = headerValue(headers, 'content-type');
  const text = bodyText(beginning, mediaType);
  if (text === undefined) return { text: undefined, omitted: binaryNote(mediaType, size) };
  const shown = clean(text, mediaType);
  return shortenBody(shown, size > beginning.length ? size : Buffer.byteLength(shown));
}

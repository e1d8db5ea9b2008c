import { checkResponse, type ResponseJudgement } from '../checks/response';
import { observeResponse, type ObservedResponse } from '../checks/response/response-check';
import type { Finding } from '../checks/finding';
import { HarnessError } from '../errors/harness-error';
import { formatPlace } from '../errors/source-finding';
import type { Expectation } from '../formats/contract';
import type { HttpResponse } from '../http/message';
import type { JsonValue } from '../json/json-value';
import { placeAt } from '../openapi/source-document';
import type { ApiModel } from '../openapi/model';
import { refusedInUrl } from './auth/key-in-url';
import { capture } from './capture';
import type { Creation } from './creation';
import { credentialPlaces } from '../openapi/credential-places';
import { deliveryOf, type Delivery } from './delivery';
import { findPlace } from './find-place';
import { followLocation } from './follow-location';
import { followRename } from './follow-rename';
import { refusedByMode } from './guard';
import { requestFacts } from './request-facts';
import { sentRequest, shortenRequest, type Interaction } from './interaction';
import { maskCredentials } from './mask-credentials';
import { keyText } from './item-routes';
import { lookFirst } from './look-first';
import { meanwhile } from './meanwhile';
import { noteAnswer, noteRequest } from './note-changes';
import { redactStep } from './redact';
import { documentsIdempotency } from './repeatable';
import { redirectHint } from './redirect-hint';
import { isSafe, type Run } from './run';
import type { LocatedFinding, StepResult, Verdict } from './run-result';
import { refusedWayOut } from './way-out';

/** What an interaction gave: values for later steps at once, and a verdict as soon as there is time for it. */
export interface ExchangeOutcome {
  /** Rejects with an error of the runner itself. */
  readonly result: Promise<StepResult>;
  readonly captured: ReadonlyMap<string, JsonValue>;
  /** `undefined` when no answer came. */
  readonly response: HttpResponse | undefined;
  /** Is it the answer that was waited for, or the last one, where the request may be sent again? */
  readonly isLast: boolean;
  /** What was written down as made, or perhaps made, by it; `undefined` for what cannot make anything. */
  readonly creation?: Creation | undefined;
}

const NOTHING: ReadonlyMap<string, JsonValue> = new Map();
const NOTHING_CAPTURED = { values: NOTHING, missing: [] } as const;

function anyAnswer({ status }: HttpResponse): Expectation {
  return { statuses: [status], codes: [], body: undefined, headers: [] };
}

/**
 * Sends one interaction, and judges the answer by every check. It is judged while the next one is on its way: what is
 * sent next never depends on it, only on the values of the answer.
 */
export async function exchange(run: Run, interaction: Interaction): Promise<ExchangeOutcome> {
  const { request, operation } = interaction;
  const obstacle = await obstacleTo(run, interaction);
  if (obstacle !== undefined) return outcomeOf(redactStep(unsent(interaction, obstacle), run.redact));
  const creation = noteRequest(run, interaction);
  const open = run.log.open(interaction);
  const startedAt = performance.now();
  let response: HttpResponse;
  try {
    response = await run.transport.send(request, {
      expects: interaction.expected.statuses,
      mayRepeat: documentsIdempotency(operation),
      // What was sent to change something is waited for: broken off, nobody could tell whether it happened.
      despiteInterrupt: interaction.phase === 'cleanup' || !isSafe(request.method),
    });
    run.hasAnswered = true;
    run.silences = 0;
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    noteLoss(run, error);
    // Nobody was there to do anything.
    if (error.code === 'TRANSPORT_UNREACHABLE' && creation !== undefined) run.creations.markRefused(creation);
    const times = { durationMs: performance.now() - startedAt, delivery: deliveryOf(error) };
    run.log.close(open);
    const result = finish(run, interaction, { verdict: { kind: 'error', error }, times });
    return outcomeOf(tell(run, open, result));
  }
  const times = { durationMs: performance.now() - startedAt, delivery: deliveryOf(response) };
  const facts = requestFacts(interaction, credentialPlaces(run.api));
  const about = { operation, method: request.method, response, ...facts };
  const looked = observeResponse(run.api, { ...about, expected: interaction.expected });
  const isLast = interaction.isLast?.(looked) ?? true;
  // Of an answer on the way nothing is expected but what the description says.
  const observed = isLast ? looked : { ...looked, expected: anyAnswer(response) };
  // What an answer on the way shows is not yet what it will be.
  run.log.close(open, isLast ? { response, body: observed.body } : undefined);
  noteAnswer(run, creation, interaction, response, observed.body);
  await findPlace(run, creation);
  await followRename(run, interaction, response, observed.body);
  const { values, missing } = isLast ? capture(run, interaction, observed) : NOTHING_CAPTURED;
  noteGiven(creation, values);
  const followed = await followLocation(run, interaction, response);
  const more = [...missing, ...repeated(times), ...tooLong(interaction, times), ...followed];
  const result = meanwhile(() => tell(run, open, judge(run, interaction, { response, observed, times, more })));
  run.judging.push(result);
  return { result, captured: values, response, isLast, creation };
}

/** What an answer to a creation gave, a step may name that says that it removes it. */
function noteGiven(creation: Creation | undefined, values: ReadonlyMap<string, JsonValue>): void {
  if (creation !== undefined) creation.given = [...values.values()].flatMap((value) => keyText(value) ?? []);
}

/** The outcome of an interaction that nothing came back from. */
export function outcomeOf(result: StepResult): ExchangeOutcome {
  return { result: Promise.resolve(result), captured: NOTHING, response: undefined, isLast: true };
}

function tell(run: Run, open: number, result: StepResult): StepResult {
  run.log.tell(open, result);
  return result;
}

/** The result of an interaction that was not sent. */
export function unsent(
  about: Pick<Interaction, 'name' | 'phase' | 'place' | 'operation'>,
  verdict: Verdict,
): StepResult {
  const { name, phase, place, operation } = about;
  const title = { name, phase, place, operation: operation?.id, request: undefined, recipe: undefined };
  const nothing = { status: undefined, durationMs: undefined, attempts: 0, warnings: [] };
  return { ...title, ...nothing, verdict };
}

/** Why an interaction is not sent. The cleanup tries all the same: what it would remove is worth an attempt. */
async function obstacleTo(run: Run, interaction: Interaction): Promise<Verdict | undefined> {
  const wayOut = refusedWayOut(run, interaction);
  if (wayOut !== undefined) return { kind: 'fail', findings: [wayOut] };
  await lookFirst(run, interaction);
  const refusal = refusedByMode(run, interaction) ?? refusedInUrl(run.mode, interaction.auth);
  if (refusal !== undefined) return { kind: 'skipped', reason: refusal, cause: 'mode' };
  if (interaction.phase === 'cleanup') return undefined;
  return endOf(run);
}

/** Why nothing more is sent; `undefined` while the run goes on. */
export function endOf(run: Run): Extract<Verdict, { kind: 'skipped' }> | undefined {
  if (run.signal?.aborted === true) return { kind: 'skipped', reason: 'the run was stopped', cause: 'interrupted' };
  if (run.lost === undefined) return undefined;
  const reason = `the target does not answer any more (${run.lost.code})`;
  return { kind: 'skipped', reason, cause: 'target-lost' };
}

interface Times {
  readonly durationMs: number;
  readonly delivery: Delivery;
}

interface Answered {
  readonly response: HttpResponse;
  readonly observed: ObservedResponse;
  readonly times: Times;
  /** What was found beside the checks. */
  readonly more: readonly Finding[];
}

function judge(run: Run, interaction: Interaction, answered: Answered): StepResult {
  const { response, observed, times, more } = answered;
  let judgement: ResponseJudgement;
  try {
    judgement = checkResponse(observed);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    return finish(run, interaction, { verdict: { kind: 'error', error }, times, response });
  }
  const { findings, checksRun } = judgement;
  const located = [...withRedirect(run, interaction, response, findings), ...more].map((finding) =>
    locate(run.api, finding),
  );
  const errors = located.filter(({ severity }) => severity === 'error');
  const warnings = located.filter(({ severity }) => severity !== 'error');
  const verdict: Verdict = errors.length > 0 ? { kind: 'fail', findings: errors } : { kind: 'pass', checksRun };
  return finish(run, interaction, { verdict, times, response, warnings });
}

/** A request that had to be sent again is no fault of the contract, and nothing to keep silent about. */
function repeated({ delivery: { attempts, reasons } }: Times): Finding[] {
  if (attempts <= 1) return [];
  const message = `The request had to be sent ${attempts} times`;
  return [{ check: 'sent-again', severity: 'warning', at: '/request', message, actual: reasons.join('; ') }];
}

function tooLong({ maxDurationMs }: Interaction, { durationMs }: Times): Finding[] {
  if (maxDurationMs === undefined || durationMs <= maxDurationMs) return [];
  const message = `The answer took ${Math.ceil(durationMs)} ms`;
  const expected = `at most ${maxDurationMs} ms`;
  return [{ check: 'duration', severity: 'warning', at: '/response', message, expected }];
}

/** A finding about the status of a redirect tells where it leads. */
function withRedirect(
  run: Run,
  { request, phase, auth }: Interaction,
  response: HttpResponse,
  findings: readonly Finding[],
): Finding[] {
  const hint = redirectHint(request, response, run.baseUrl, phase === 'auth' && auth !== 'valid');
  return findings.map((finding) =>
    hint !== undefined && finding.at === '/response/status' ? { ...finding, hint } : finding,
  );
}

/** Adds to a finding the place of the description that it is about, and cuts what nobody reads to its end. */
export function locate(api: ApiModel, finding: Finding): LocatedFinding {
  const long = TEXTS.filter((name) => (finding[name]?.length ?? 0) > LONGEST_TEXT);
  const cut = long.map((name) => [name, `${finding[name]?.slice(0, LONGEST_TEXT) ?? ''}…`] as const);
  const short = cut.length === 0 ? finding : { ...finding, ...Object.fromEntries(cut) };
  return short.spec === undefined ? short : { ...short, place: formatPlace(placeAt(api.document, short.spec)) };
}

const TEXTS = ['at', 'message', 'expected', 'actual', 'hint'] as const;
/** A service sends headers and names of members as long as it likes. */
const LONGEST_TEXT = 2000;

/** So many requests without an answer, one after the other, are enough to wait for. */
const MOST_SILENCES = 5;

/**
 * A target that cannot be reached, that answers nothing in time, or that refuses to be asked so often is not asked
 * again: a run has to end.
 */
function noteLoss(run: Run, error: HarnessError): void {
  const isSilent = error.code === 'TRANSPORT_TIMEOUT' || error.code.startsWith('TRANSPORT_BROKEN');
  run.silences = isSilent ? run.silences + 1 : 0;
  const isLost = error.code === 'TRANSPORT_UNREACHABLE' || error.code === 'TRANSPORT_RATE_LIMITED';
  if (isLost || (isSilent && (!run.hasAnswered || run.silences >= MOST_SILENCES))) run.lost ??= error;
}

interface Ending {
  readonly verdict: Verdict;
  readonly times: Times;
  readonly response?: HttpResponse;
  readonly warnings?: readonly LocatedFinding[];
}

function finish(run: Run, interaction: Interaction, ending: Ending): StepResult {
  const { name, phase, place, operation, request, recipe } = interaction;
  const { verdict, times, response, warnings = [] } = ending;
  const title = { name, phase, place, operation: operation?.id, request: sentRequest(run, request), recipe };
  const { durationMs, delivery } = times;
  const result = { ...title, status: response?.status, durationMs, attempts: delivery.attempts, verdict, warnings };
  return withShortBodies(maskCredentials(redactStep(result, run.redact), run.api, operation));
}

function withShortBodies(step: StepResult): StepResult {
  const { request, recipe } = step;
  return {
    ...step,
    request: request === undefined ? undefined : shortenRequest(request),
    recipe: recipe === undefined ? undefined : { ...recipe, request: shortenRequest(recipe.request) },
  };
}

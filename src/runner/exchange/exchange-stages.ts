import { setImmediate } from 'node:timers';
import { type ObservedResponse, observeResponse } from '../../checks/response-check';
import { checkResponse, type ResponseCheckResult } from '../../checks/response/registry';
import type { CheckArea, Finding } from '../../core/errors/finding';
import { StandinError } from '../../core/errors/standin-error';
import { type HttpResponse, isSafe } from '../../core/http/message';
import type { Creation } from '../ownership/creation';
import { chooseScheme } from '../../security/registry';
import type { StepResult, Verdict } from '../result/run-result';
import { redactStep } from '../result/step-redaction';
import { disabledVerdict, toStepResult, unsent } from '../result/step-result';
import { type Delivery, deliveryOf, documentsIdempotency } from '../transport/retrying-transport';
import { createGate, type Gate } from '../transport/timing';
import { trackRequest, trackResponse } from './creation-tracking';
import { hasRunKey, requestFacts, withoutKey } from './credentials';
import { locate, redirectHint } from './finding-location';
import { ANY_RESPONSE, type Interaction, PROBE } from './interaction';
import { keyInUrlViolation, modeViolation, pathTraversalFinding } from './request-guard';
import type { Run } from './run-state';

/** An interaction that was answered: what the stages of an exchange share. */
export interface ExchangeContext {
  readonly run: Run;
  readonly interaction: Interaction;
  /** What it created, or may have created; `undefined` for a request that cannot create anything. */
  readonly creation: Creation | undefined;
  readonly position: number;
  readonly response: HttpResponse;
  readonly observed: ObservedResponse;
  readonly times: Times;
  /** `false` for a response after which the request is sent again (`repeat`). */
  readonly isLast: boolean;
}

interface Times extends Pick<Delivery, 'attempts' | 'reasons'> {
  /** Since the start of the run. */
  readonly startMs: number;
  readonly durationMs: number;
}

/** An interaction without a response: not admitted, or the transport failed. */
interface Unanswered {
  readonly result: StepResult;
}

/** The first stages of an exchange: admit, track, send, observe. What was created is in the ledger before it is sent. */
export async function sendInteraction(run: Run, interaction: Interaction): Promise<ExchangeContext | Unanswered> {
  const admitted = admit(run, interaction);
  return 'result' in admitted ? admitted : sendAdmitted(run, interaction, admitted);
}

/**
 * The same of several interactions that are sent at the same time: once all are admitted and what they may create is
 * written down.
 */
export async function sendTogether(
  run: Run,
  interactions: readonly Interaction[],
): Promise<(ExchangeContext | Unanswered)[]> {
  const all = interactions.map((interaction) => ({ interaction, admitted: admit(run, interaction) }));
  const gates = createGate(all.filter(({ admitted }) => !('result' in admitted)).length);
  return Promise.all(
    all.map(async ({ interaction, admitted }) => {
      if ('result' in admitted) return admitted;
      const gate = gates.pop();
      try {
        return await sendAdmitted(run, interaction, admitted, gate);
      } finally {
        // The others do not wait for one that is not sent any more.
        gate?.leave();
      }
    }),
  );
}

/** A request that may be sent, and what it may create is written down. */
type Admitted = Pick<ExchangeContext, 'creation' | 'position'>;

function admit(run: Run, interaction: Interaction): Admitted | Unanswered {
  const obstacle = obstacleTo(run, interaction);
  if (obstacle !== undefined) return { result: redactStep(unsent(interaction, obstacle), run.redact) };
  return { creation: trackRequest(run, interaction), position: run.log.open(interaction) };
}

async function sendAdmitted(
  run: Run,
  interaction: Interaction,
  { creation, position }: Admitted,
  gate?: Gate,
): Promise<ExchangeContext | Unanswered> {
  const startedAt = performance.now();
  const response = await send(run, interaction, gate);
  const { attempts, reasons } = deliveryOf(response);
  const startMs = Math.round(startedAt - run.beganAt);
  const times = { startMs, durationMs: performance.now() - startedAt, attempts, reasons };
  if (response instanceof StandinError) {
    // Nothing was there that could have created anything.
    if (response.code === 'TRANSPORT_UNREACHABLE' && creation !== undefined) run.creations.markRefused(creation);
    run.log.close(position);
    const result = toStepResult(run, interaction, { verdict: { kind: 'error', error: response }, ...times });
    run.log.setResult(position, result);
    return { result };
  }
  return observe({ run, interaction, creation, position, response, times });
}

/** Why an interaction is not sent. The cleanup is sent even to a lost target: it may be back. */
function obstacleTo(run: Run, interaction: Interaction): Verdict | undefined {
  const traversal = pathTraversalFinding(run, interaction);
  if (traversal !== undefined) return { kind: 'fail', findings: [traversal] };
  const disabled = disabledVerdict(interaction.operation);
  if (disabled !== undefined) return disabled;
  const reason = modeViolation(run, interaction) ?? keyInUrlViolation(run.mode, interaction.auth);
  if (reason !== undefined) return { kind: 'skipped', reason, cause: 'mode' };
  return interaction.phase === 'cleanup' ? undefined : (untoldLoss(run, interaction) ?? endReason(run));
}

/** That the target is gone, where a look before a step met it: the step tells it. */
function untoldLoss(run: Run, { place }: Interaction): Verdict | undefined {
  const error = run.untoldError;
  if (error === undefined || place === undefined) return undefined;
  run.untoldError = undefined;
  return { kind: 'error', error };
}

/** Why nothing more is sent; `undefined` while the run goes on. */
export function endReason(run: Run): Extract<Verdict, { kind: 'skipped' }> | undefined {
  if (run.signal?.aborted === true) return { kind: 'skipped', reason: 'the run was stopped', cause: 'interrupted' };
  if (run.keyRefusal !== undefined) return { kind: 'skipped', reason: run.keyRefusal, cause: 'key-refused' };
  if (run.targetError === undefined) return undefined;
  const reason = `the target does not respond any more (${run.targetError.code})`;
  return { kind: 'skipped', reason, cause: 'target-lost' };
}

async function send(
  run: Run,
  { request, operation, expected, phase }: Interaction,
  gate: Gate | undefined,
): Promise<HttpResponse | StandinError> {
  try {
    const response = await run.transport.send(request, {
      expects: expected.statuses,
      mayRepeat: documentsIdempotency(operation),
      // An unsafe request is never aborted: nobody could say whether it took effect.
      despiteInterrupt: phase === 'cleanup' || !isSafe(request.method),
      gate: gate && (() => gate.arrive()),
    });
    run.hasAnswered = true;
    run.unansweredRequests = 0;
    return response;
  } catch (error) {
    if (!(error instanceof StandinError)) throw error;
    noteLoss(run, error);
    return error;
  }
}

/** So many requests without a response, one after the other, are enough to wait for. */
const MOST_UNANSWERED = 5;

/** Notes a target that cannot be reached, times out, or limits the rate: it gets no more requests, since a run has to end. */
function noteLoss(run: Run, error: StandinError): void {
  const isSilent = error.code === 'TRANSPORT_TIMEOUT' || error.code.startsWith('TRANSPORT_BROKEN');
  run.unansweredRequests = isSilent ? run.unansweredRequests + 1 : 0;
  const isLost = error.code === 'TRANSPORT_UNREACHABLE' || error.code === 'TRANSPORT_RATE_LIMITED';
  if (isLost || (isSilent && (!run.hasAnswered || run.unansweredRequests >= MOST_UNANSWERED)))
    run.targetError ??= error;
}

/** One or two operations that refuse the key may be at fault themselves. */
export const FEWEST_REFUSALS = 3;
/** So many end the run if none takes the key. A 403 may also mean that a right key lacks rights for some of them. */
const MOST_REFUSALS: Readonly<Record<number, number>> = { 401: FEWEST_REFUSALS, 403: 10 };

/** Notes whether the service takes the key of the run. */
async function noteKeyResponse(run: Run, sent: Interaction, status: number): Promise<void> {
  const { operation, auth, expected } = sent;
  const { keyRefusals, keyAnswers } = run;
  if (keyRefusals === undefined || operation === undefined || auth !== 'valid') return;
  if (!hasRunKey(run.api, operation, auth)) return;
  const limit = MOST_REFUSALS[status];
  const [, before = 500] = keyAnswers.get(operation.id) ?? [];
  if (limit === undefined && status < before) keyAnswers.set(operation.id, [sent, status]);
  if (limit === undefined || expected.statuses.includes(status)) return;
  if (keyRefusals.set(operation.id, sent).size >= limit) await giveUpOnKey(run, status);
}

/** Ends the run, unless an operation took the key: it answers something else without one. */
export async function giveUpOnKey(run: Run, status: number): Promise<void> {
  const refused = [...(run.keyRefusals?.values() ?? [])];
  // Where everybody may read, a right key may lack the right to write.
  if (status === 403 && run.keyAnswers.size > 0 && refused.every(({ request }) => !isSafe(request.method))) return;
  let isOpen = true;
  for (const [sent, answer] of run.keyAnswers.values()) isOpen &&= await isOpenToAll(run, sent, answer);
  if (!isOpen) run.keyRefusals = undefined;
  else
    run.keyRefusal = `${refused.length} operations refused the key of the run, the last one with ${status}, and none took it`;
}

/** Does an operation answer the same without a key? Where nobody asks, as of a write, any success is one for the key. */
async function isOpenToAll(run: Run, { name, operation, request }: Interaction, status: number): Promise<boolean> {
  const choice = chooseScheme(run.api, operation, run);
  if (run.unprotectedWrites.has(operation?.id ?? '')) return true;
  if (run.probesAuth === false || !isSafe(request.method) || choice.kind !== 'known') return status >= 300;
  const keyless = withoutKey(run, request, choice.scheme);
  const about = { ...PROBE, name, auth: 'none', operation, request: keyless, expected: ANY_RESPONSE };
  const context = await sendInteraction(run, about);
  if ('result' in context) return false;
  void checkLater(context, []);
  return context.response.status === status;
}

async function observe(sent: Omit<ExchangeContext, 'observed' | 'isLast'>): Promise<ExchangeContext> {
  const { run, interaction, creation, position, response } = sent;
  const { operation, request, expected } = interaction;
  const facts = requestFacts(run, interaction);
  const isGuessed = interaction.isWritten !== true;
  const all = observeResponse(run.api, { operation, method: request.method, response, ...facts, expected, isGuessed });
  const isLast = interaction.isLast?.(all) ?? true;
  // Before the last response of a repetition only the description says what is expected.
  const observed = isLast ? all : { ...all, expected: { ...ANY_RESPONSE, statuses: [response.status] } };
  // What such a response shows is not yet final.
  run.log.close(position, isLast ? { response, body: observed.body } : undefined);
  trackResponse(run, creation, interaction, response, observed.body);
  await noteKeyResponse(run, interaction, response.status);
  return { ...sent, observed, isLast };
}

/**
 * The last stages of an exchange: check and redact. They run while the next request is on its way: what is sent next
 * never depends on them.
 *
 * @param more - findings of the stages before
 * @returns rejects with an error of the runner itself
 */
export function checkLater(context: ExchangeContext, more: readonly Finding[]): Promise<StepResult> {
  const { run, position } = context;
  const result = deferCheck(() => {
    const checked = checkExchange(context, more);
    run.log.setResult(position, checked);
    return checked;
  });
  run.pendingResults.push(result);
  return result;
}

function checkExchange(context: ExchangeContext, more: readonly Finding[]): StepResult {
  const { run, interaction, response, observed, times } = context;
  let checked: ResponseCheckResult;
  try {
    checked = checkResponse(observed);
  } catch (error) {
    if (!(error instanceof StandinError)) throw error;
    return toStepResult(run, interaction, { verdict: { kind: 'error', error }, ...times, response });
  }
  const all = [...withRedirect(context, checked.findings), ...more, ...retried(times), ...slowResponse(context)];
  const located = all.map((finding) => locate(run.api, finding));
  const errors = located.filter(({ severity }) => severity === 'error');
  const warnings = located.filter(({ severity }) => severity !== 'error');
  const { checksRun } = checked;
  const areas: readonly CheckArea[] = interaction.phase === 'auth' ? ['auth'] : [...checked.areas];
  const verdict: Verdict = errors.length > 0 ? { kind: 'fail', findings: errors } : { kind: 'pass', checksRun };
  return toStepResult(run, interaction, { verdict, ...times, areas, response, warnings });
}

/** A request that had to be sent again breaks no contract, but is reported. */
function retried({ attempts, reasons }: Times): Finding[] {
  if (attempts <= 1) return [];
  const message = `The request had to be sent ${attempts} times`;
  return [{ check: 'sent-again', severity: 'warning', at: '/request', message, actual: reasons.join('; ') }];
}

function slowResponse({ interaction: { maxDurationMs }, times: { durationMs } }: ExchangeContext): Finding[] {
  if (maxDurationMs === undefined || durationMs <= maxDurationMs) return [];
  const message = `The response took ${Math.ceil(durationMs)} ms`;
  const expected = `at most ${maxDurationMs} ms`;
  return [{ check: 'duration', severity: 'warning', at: '/response', message, expected }];
}

/** A finding about the status of a redirect says where it leads. */
function withRedirect(
  { run, interaction: { request, phase, auth }, response }: ExchangeContext,
  findings: readonly Finding[],
): Finding[] {
  const hint = redirectHint(request, response, run.baseUrl, phase === 'auth' && auth !== 'valid');
  return findings.map((finding) =>
    hint !== undefined && finding.at === '/response/status' ? { ...finding, hint } : finding,
  );
}

/**
 * Does work once the caller has had its turn: its next request is on its way by then, and the work is done while the
 * response is awaited. Two turns, because undici writes a request in the turn after it was handed over.
 *
 * @returns rejects with what the work throws; nobody has to wait for it
 */
function deferCheck<Result>(work: () => Result): Promise<Result> {
  const result = new Promise<void>((resolve) => {
    setImmediate(() => setImmediate(resolve));
  }).then(work);
  // Who awaits it gets the error all the same.
  result.catch(() => undefined);
  return result;
}

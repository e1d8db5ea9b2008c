import type { Finding } from '../../core/errors/finding';
import { StandinError } from '../../core/errors/standin-error';
import { parseCookies } from '../../core/http/header-fields';
import { type HttpRequest, isSafe, type RawHeaders } from '../../core/http/message';
import type { Operation } from '../../openapi/model/operation';
import type { Creation } from '../ownership/creation';
import { exchange } from '../exchange/exchange';
import { unsent } from '../exchange/exchange-stages';
import { locate } from '../exchange/finding-location';
import { pathOf } from '../exchange/request-guard';
import { makeRequest } from '../exchange/request';
import { type Interaction } from '../exchange/interaction';
import { isCreation, routeOf } from '../ownership/item-routes';
import { REJECTED_WRITE_CHANGED } from '../result/runner-checks';
import { redactFinding } from '../result/step-redaction';
import { type Run } from '../exchange/run-state';
import type { StepResult } from '../result/run-result';
import { sendHarmlessRequest, annotationsOf, describeLocation } from './harmless-request';
import { expectationFor } from './authentication-probes';
import type { CredentialSender } from '../../security/scheme';
import { chooseScheme, isSecured } from '../../security/registry';
import { type Effect, observeChange, unobservableWrite, type WriteObservation } from './change-observation';
import { observeCreation } from './creation-observation';

/** Methods that act on what a GET at the same path reads (RFC 9110 §9.3.4, §9.3.5; RFC 5789 §2). */
const CHANGING: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * Sends a write that is about to succeed without its key, once for each operation, and looks whether the rejected
 * write was done all the same. To be called just before the write itself is sent: it goes to what the run made, and
 * only where a harmless request without a key was rejected before. An open server would do it, and leave nothing for
 * the write itself.
 *
 * @param interaction - with the right key
 * @returns nothing for a request that is no such write, for one that would change nothing, and for a creation that
 *   could not be found again where it is made all the same
 */
export async function probeUnauthenticatedWrite(run: Run, interaction: Interaction): Promise<StepResult[]> {
  const { operation, request } = interaction;
  if (operation === undefined || run.mode === 'observe' || !expectsSuccess(interaction)) return [];
  const choice = chooseScheme(run.api, operation);
  if (choice.kind !== 'known' || !isFirst(run, operation)) return [];
  const watch = await observationFor(run, operation, withoutKey(run, request, choice.scheme));
  if (watch === undefined) {
    // A later write to the same operation may say more.
    run.probedWrites.delete(operation.id);
    return [];
  }
  return sendIfProtected(run, operation, watch, interaction);
}

/**
 * Did a probe do what it was to be rejected? What it changed or removed was the contract's own; what a creation makes is a
 * thing of its own.
 */
export function tookEffect(api: Run['api'], operation: Operation, { status = 0, verdict }: StepResult): boolean {
  if (verdict.kind !== 'fail' || isCreation(api, operation)) return false;
  return (status >= 200 && status < 300) || verdict.findings.some(({ check }) => check === REJECTED_WRITE_CHANGED.id);
}

/** Sends it where a harmless request shows that a key is asked for. */
async function sendIfProtected(
  run: Run,
  operation: Operation,
  watch: WriteObservation,
  interaction: Interaction,
): Promise<StepResult[]> {
  const unguarded = await sendHarmlessRequest(run, interaction);
  if (unguarded !== undefined)
    return [...[unguarded.result ?? []].flat(), skippedWriteProbe(operation, unguarded.reason)];
  // What a creation makes is a thing of its own; everything else acts on what the contract still needs.
  const isOfItsOwn = interaction.creates === true || isCreation(run.api, operation);
  if (run.hasUnprotectedWrite && !isOfItsOwn)
    return [skippedWriteProbe(operation, 'an earlier write without a key was done')];
  return [await send(run, operation, watch, interaction)];
}

function skippedWriteProbe(operation: Operation, reason: string): StepResult {
  const about = { name: titleOf(operation), phase: 'auth', place: undefined, operation } as const;
  return unsent(about, { kind: 'skipped', reason, cause: 'not-harmless' });
}

function titleOf({ id }: Operation): string {
  return `${id} without a key, with a request that would succeed`;
}

function expectsSuccess({ operation, request, expected }: Interaction): boolean {
  if (operation === undefined || isSafe(request.method) || !isSecured(operation)) return false;
  return expected.statuses.length > 0 && expected.statuses.every((status) => status >= 200 && status < 300);
}

function isFirst({ probedWrites }: Run, { id }: Operation): boolean {
  if (probedWrites.has(id)) return false;
  probedWrites.add(id);
  return true;
}

/** The same request without credentials; nor does it take the idempotency key that the write itself needs. */
function withoutKey(run: Run, request: HttpRequest, scheme: CredentialSender): HttpRequest {
  const { headers: headerNames, query, cookies } = scheme.locations;
  const dropped = new Set([...headerNames, 'idempotency-key']);
  const { method, target, rawHeaders, body } = request;
  const stored: RawHeaders = rawHeaders.filter(
    (_, index) => !dropped.has((rawHeaders[index - (index % 2)] ?? '').toLowerCase()),
  );
  const headers = cookies.length === 0 ? stored : withoutCookies(stored, cookies);
  const path = withoutPairs(target.slice(run.basePath.length), query);
  return { ...makeRequest(run, method, path, headers, undefined), body };
}

function withoutPairs(target: string, names: readonly string[]): string {
  const [path = '', query] = target.split('?', 2);
  if (query === undefined || names.length === 0) return target;
  const encoded = new Set(names.map((name) => encodeURIComponent(name)));
  const pairs = query.split('&').filter((pair) => !encoded.has(pair.split('=')[0] ?? ''));
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function withoutCookies(headers: RawHeaders, names: readonly string[]): RawHeaders {
  const result: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    const isCookie = name.toLowerCase() === 'cookie';
    const stored = parseCookies(isCookie ? value : '').filter((cookie) => !names.includes(cookie.name));
    if (!isCookie) result.push(name, value);
    else if (stored.length > 0) result.push(name, stored.map((cookie) => `${cookie.name}=${cookie.value}`).join('; '));
  }
  return result;
}

async function observationFor(
  run: Run,
  operation: Operation,
  request: HttpRequest,
): Promise<WriteObservation | undefined> {
  const read = routeOf(run.api, pathOf(run, request))?.route.operations.get('GET');
  try {
    if (isCreation(run.api, operation)) {
      return read === undefined ? undefined : await observeCreation(run, operation, read, request);
    }
    if (read === undefined || !CHANGING.has(request.method)) {
      return unobservableWrite(request, 'the description has no GET at its path');
    }
    return await observeChange(run, read, request);
  } catch (error) {
    if (!(error instanceof StandinError)) throw error;
    return isCreation(run.api, operation) ? undefined : unobservableWrite(request, error.message);
  }
}

async function send(
  run: Run,
  operation: Operation,
  { request, observeEffect }: WriteObservation,
  interaction: Interaction,
): Promise<StepResult> {
  const sent = await exchange(run, {
    name: titleOf(operation),
    phase: 'auth',
    place: undefined,
    operation,
    request,
    auth: 'none',
    recipe: undefined,
    expected: expectationFor(operation, 'refused'),
    captures: [],
    ...annotationsOf(interaction),
  });
  const result = await sent.result;
  if (result.status === undefined) return result;
  // A look removes what it finds.
  const told = withCreationHint(run, result, sent.creation);
  const effect = await observeEffect();
  if (result.status < 300 || effect.kind === 'changed') run.hasUnprotectedWrite = true;
  const seen = withEffect(run, operation, told, effect);
  run.log.replace(result, seen);
  return seen;
}

/** Tells what a write that was let in made: it is written down, and goes with everything else that the run made. */
function withCreationHint(run: Run, result: StepResult, creation: Creation | undefined): StepResult {
  const { verdict } = result;
  const isMade = creation?.state === 'there' || (creation?.state === 'pending' && creation.mayBeOthers !== true);
  if (creation === undefined || !isMade || verdict.kind !== 'fail') return result;
  const told = `It made ${describeLocation(creation)}, which the run wrote down as its own, and removes where that is possible.`;
  const findings = verdict.findings.map((finding) => {
    if (finding.at !== '/response/status') return finding;
    return redactFinding({ ...finding, hint: [finding.hint ?? '', told].join(' ').trim() }, run.redact);
  });
  return { ...result, verdict: { ...verdict, findings } };
}

function withEffect(run: Run, operation: Operation, result: StepResult, effect: Effect): StepResult {
  const { status = 0 } = result;
  if (effect.kind === 'unseen')
    return { ...result, name: `${result.name}; its effect cannot be seen: ${effect.reason}` };
  // A write that was let in, and not rejected, is a finding of another kind already.
  if (status < 400) return result;
  return withEffectFinding(run, operation, result, status, effect);
}

function withEffectFinding(
  run: Run,
  operation: Operation,
  result: StepResult,
  status: number,
  effect: Exclude<Effect, { readonly kind: 'unseen' }>,
): StepResult {
  const { verdict } = result;
  if (effect.kind === 'none') {
    return verdict.kind === 'pass' ? { ...result, verdict: { ...verdict, checksRun: verdict.checksRun + 1 } } : result;
  }
  const finding: Finding = {
    check: REJECTED_WRITE_CHANGED.id,
    severity: 'error',
    at: '/request',
    message: `The ${operation.method} got ${status} and done all the same`,
    expected: effect.before,
    actual: effect.after,
    spec: operation.pointer,
    hint: ['Judge the credentials before anything is changed.', effect.hint ?? ''].join(' ').trim(),
  };
  const located = redactFinding(locate(run.api, finding), run.redact);
  const earlier = verdict.kind === 'fail' ? verdict.findings : [];
  return { ...result, verdict: { kind: 'fail', findings: [...earlier, located] } };
}

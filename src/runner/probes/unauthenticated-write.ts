import { failuresOf } from '../result/outcome';
import type { Finding } from '../../core/errors/finding';
import { StandinError } from '../../core/errors/standin-error';
import { type HttpRequest, isSafe } from '../../core/http/message';
import { splitPath } from '../../core/http/request-target';
import type { Operation } from '../../openapi/model/operation';
import { chooseScheme, isSecured } from '../../security/registry';
import {
  type CredentialSender,
  NO_CREDENTIALS,
  type ProbeExpectation,
  type RequestCredentials,
} from '../../security/scheme';
import { withoutKey, withQuery } from '../exchange/credentials';
import { exchange } from '../exchange/exchange';
import { locate } from '../exchange/finding-location';
import { ANY_RESPONSE, type Interaction, PROBE } from '../exchange/interaction';
import { acceptOf, makeRequest } from '../exchange/request';
import { modeViolation, pathOf } from '../exchange/request-guard';
import type { KnownParents, Run } from '../exchange/run-state';
import type { Creation } from '../ownership/creation';
import { isCreation, routeOf } from '../ownership/item-routes';
import { jsonBodyOf } from '../ownership/sent-content';
import type { StepResult } from '../result/run-result';
import { REJECTED_WRITE_CHANGED } from '../result/runner-checks';
import { redactFinding } from '../result/step-redaction';
import { skipped } from '../result/step-result';
import { expectationFor, probeName, refusedKinds } from './authentication-probes';
import { type Effect, observeChange, unobservableWrite, type WriteObservation } from './change-observation';
import { observeCreation } from './creation-observation';
import { harmlessTarget, isRemovable, templateUpTo, validContent } from './probe-target';

/** Who sends a write that he may not. */
interface Stranger {
  /** What is wrong with the key: `a missing key`. */
  readonly title: string;
  readonly auth: string;
  readonly expects: ProbeExpectation;
  readonly credentials: RequestCredentials;
}

const NOBODY: Stranger = { title: 'a missing key', auth: 'none', expects: 'refused', credentials: NO_CREDENTIALS };

function strangersOf(run: Run, scheme: CredentialSender): readonly Stranger[] {
  const refused = refusedKinds(run, scheme).flatMap(({ title, expects, credentials }): Stranger[] => {
    const keys = credentials({ key: undefined, runId: run.runId });
    return keys === undefined ? [] : [{ title, auth: title, expects, credentials: keys }];
  });
  return [NOBODY, ...refused];
}

const keyWords = (stranger: Stranger): string => (stranger === NOBODY ? 'without a key' : `with ${stranger.title}`);
const titleOf = ({ title }: Stranger): string => `${title} in a valid request`;
/** Methods that act on what a GET at the same path reads (RFC 9110 §9.3.4, §9.3.5; RFC 5789 §2). */
const CHANGING: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * Sends a write that is about to succeed without its key, and with each that must be rejected, once for each operation, and looks whether the rejected
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
  const choice = chooseScheme(run.api, operation, run);
  if (choice.kind !== 'known' || !isFirst(run, operation)) return [];
  const results: StepResult[] = [];
  for (const stranger of strangersOf(run, choice.scheme)) {
    const asked = withoutKey(run, request, choice.scheme, stranger.credentials);
    const watch = await observationFor(run, operation, asked);
    if (watch !== undefined) results.push(...(await sendIfProtected(run, operation, watch, { interaction, stranger })));
    // A later write to the same operation may say more.
    else run.probedWrites.delete(operation.id);
  }
  return results;
}

/** A write, and who sends it in the place of the run. */
interface StrangeWrite {
  /** With the right key. */
  readonly interaction: Interaction;
  readonly stranger: Stranger;
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
  write: StrangeWrite,
): Promise<StepResult[]> {
  const { interaction, stranger } = write;
  const skip = (reason: string): StepResult => skippedWriteProbe(operation, stranger, reason);
  const { api } = run;
  // The run owns what a creation makes, and removes it; everything else acts on what the contract still needs.
  const isOfItsOwn = isCreation(api, operation);
  const unguarded = isOfItsOwn && isRemovable(api, operation) ? undefined : await sendHarmlessRequest(run, write);
  if (unguarded !== undefined) return [unguarded.result ?? [], skip(unguarded.reason)].flat();
  const changes = api.operations.filter((each) => run.unprotectedWrites.has(each.id) && !isCreation(api, each));
  if (changes.length > 0 && !isOfItsOwn && interaction.creates !== true)
    return [skip('an earlier write without a key was done')];
  return [await send(run, operation, watch, write)];
}

function skippedWriteProbe(operation: Operation, stranger: Stranger, reason: string): StepResult {
  return skipped({ ...PROBE, name: probeName(operation, titleOf(stranger)), operation }, reason, 'not-harmless');
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
  { interaction, stranger }: StrangeWrite,
): Promise<StepResult> {
  const sent = await exchange(run, {
    ...PROBE,
    ...annotationsOf(interaction),
    name: probeName(operation, titleOf(stranger)),
    operation,
    request,
    auth: stranger.auth,
    expected: expectationFor(operation, stranger.expects),
  });
  const result = await sent.result;
  if (result.status === undefined) return result;
  // A look removes what it finds.
  const told = withCreationHint(run, result, sent.creation);
  const effect = await observeEffect();
  if (result.status < 300 || effect.kind === 'changed') run.unprotectedWrites.add(operation.id);
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
  const { status = 0, verdict, name } = result;
  if (effect.kind === 'unseen') return { ...result, name: `${name} (effect not visible: ${effect.reason})` };
  // A write that was let in, and not rejected, is a finding of another kind already.
  if (status < 400) return result;
  if (effect.kind === 'none') {
    return verdict.kind === 'pass' ? { ...result, verdict: { ...verdict, checksRun: verdict.checksRun + 1 } } : result;
  }
  const finding: Finding = {
    check: REJECTED_WRITE_CHANGED.id,
    severity: 'error',
    at: '/request',
    message: `The ${operation.method} was rejected with ${status}, and done all the same`,
    identity: { rule: `The ${operation.method} was answered with ${status} and done all the same` },
    expected: effect.before,
    actual: effect.after,
    spec: operation.pointer,
    hint: ['Judge the credentials before anything is changed.', effect.hint ?? ''].join(' ').trim(),
  };
  const located = redactFinding(locate(run.api, finding), run.redact);
  return { ...result, verdict: { kind: 'fail', findings: [...failuresOf(result), located] } };
}

/** A server that looks who is there before anything else; that 403 is the wrong one of the two is reported elsewhere. */
const REJECTED_STATUSES: ReadonlySet<number> = new Set([401, 403]);

interface UnprotectedWrite {
  readonly reason: string;
  /** What the harmless request found, where the mode holds back the other probes of the operation. */
  readonly result: StepResult | undefined;
}

/**
 * Asks without a key for something that nobody has, or with a body that nothing can be made of. Only where that is
 * rejected does the operation look at credentials at all: elsewhere a write without them would be done, and take from
 * the contract what it needs.
 *
 * @param write - that is to be sent without its key
 * @returns `undefined` when it may be sent
 */
async function sendHarmlessRequest(
  run: Run,
  { interaction, stranger }: StrangeWrite,
): Promise<UnprotectedWrite | undefined> {
  const { operation, request: write } = interaction;
  if (operation === undefined) return { reason: 'the description has no operation for it', result: undefined };
  const parents = parentsOf(run, operation, pathOf(run, write));
  const content = validContent(run, operation, { path: pathOf(run, write), requestBody: jsonBodyOf(write) });
  const target = harmlessTarget(operation, run.runId, parents, content);
  if (typeof target === 'string') {
    return { reason: `whether a key is asked for cannot be seen before: ${target}`, result: undefined };
  }
  const type = target.contentType === undefined ? [] : ['Content-Type', target.contentType];
  const { credentials } = stranger;
  const headers = ['Accept', acceptOf(run.api, operation), ...type, ...credentials.headers];
  const request = makeRequest(run, operation.method, withQuery(target.path, credentials.query), headers, target.body);
  // Elsewhere the other probes judge the same.
  const isValidated = modeViolation(run, { operation, request, isWritten: interaction.isWritten }) !== undefined;
  const { response, creation, result } = await exchange(run, {
    ...PROBE,
    ...annotationsOf(interaction),
    name: probeName(operation, stranger.title),
    operation,
    request,
    auth: stranger.auth,
    expected: isValidated ? expectationFor(operation, stranger.expects) : ANY_RESPONSE,
  });
  if (response === undefined) {
    const ended = await result;
    const reason = `a harmless request ${keyWords(stranger)} got no response, or could not be sent`;
    // That the service cannot be reached may be met here first.
    return { reason, result: ended.verdict.kind === 'error' ? ended : undefined };
  }
  if (REJECTED_STATUSES.has(response.status)) return undefined;
  const made = creation?.state === 'there' ? ` and made ${describeLocation(creation)}` : ' and was not rejected';
  const reason = `a harmless request ${keyWords(stranger)} got ${response.status}${made}, so that this one might be carried out`;
  return { reason, result: isValidated ? await result : undefined };
}

/** Where what was made stands, for people. */
function describeLocation({ item, path }: Creation): string {
  return item ?? `something at ${path}`;
}

/** What a contract says of a write is as true of it without a key; but it is another thing that it makes. */
function annotationsOf({
  within,
  creates,
  touches,
  leaves,
  removes,
  isWritten,
}: Interaction): Pick<Interaction, 'within' | 'creates' | 'touches' | 'leaves' | 'removes' | 'isWritten'> {
  return { within, creates, touches, leaves, removes, isWritten };
}

/**
 * What stands above the thing that a write names, which is named as it is. Only a creation may be sent to where the
 * write itself goes: what an action acts on it must not reach, whatever its body.
 */
function parentsOf(run: Run, operation: Operation, path: string): KnownParents {
  const names = splitPath(operation.path);
  const values = splitPath(path);
  const variables = routeOf(run.api, path)?.route.variables ?? [];
  const stored = isCreation(run.api, operation) ? variables : variables.slice(0, -1);
  return new Map(
    stored.flatMap((name) => {
      const value = values[names.indexOf(`{${name}}`)];
      return value === undefined ? [] : [[templateUpTo(operation, name), value] as const];
    }),
  );
}

import { isSafe } from '../../core/http/message';
import type { Expectation } from '../../formats/contract/contract';
import type { ApiModel } from '../../openapi/model/api-model';
import { isInferred } from '../../openapi/model/inferred';
import type { Operation } from '../../openapi/model/operation';
import { findResponse } from '../../openapi/view/responses';
import { chooseScheme, isSecured, keyForScheme } from '../../security/registry';
import {
  type CredentialSender,
  NO_CREDENTIALS,
  type ProbeExpectation,
  type ProbeKind,
  type RequestCredentials,
  splitKey,
} from '../../security/scheme';
import { exchange } from '../exchange/exchange';
import { ANY_RESPONSE, type Interaction, PROBE } from '../exchange/interaction';
import { verifyAbsence } from '../exchange/operation-call';
import { acceptOf, makeRequest } from '../exchange/request';
import { modeViolation, NO_KEY_IN_URL } from '../exchange/request-guard';
import type { Run } from '../exchange/run-state';
import type { SkipCause, StepResult } from '../result/run-result';
import { skipped } from '../result/step-result';
import {
  assumptionsOn,
  HARMLESS_BODY,
  harmlessTarget,
  invalidQuery,
  knownParents,
  NO_ASSUMPTIONS,
  parentsFor,
  type ProbeAssumptions,
  type ProbeTarget,
  validContent,
} from './probe-target';

interface Probe {
  /** What is wrong with the credentials, or unusual. */
  readonly title: string;
  /** `HEAD` for an operation that is a GET. */
  readonly method: string;
  readonly expects: ProbeExpectation;
  readonly asHead: boolean;
  readonly isInUrl: boolean;
  /** Why it may be let in, and what is to be said of it then. */
  readonly advice?: string | undefined;
  readonly credentials: RequestCredentials;
}

/**
 * Calls every secured operation with credentials that must be rejected, and with unusual ones that must not. A creation is
 * a valid request, and the run owns what it makes. What else could change something names an id that is known to be
 * absent, so that a hole is found and nothing is lost in it.
 */
export async function probeAuthentication(
  run: Run,
  operations: readonly Operation[],
  claims: ProbeAssumptions = NO_ASSUMPTIONS,
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  const tried = new Set<CredentialSender>();
  for (const operation of operations.filter(isSecured))
    results.push(...(await probeOperation(run, operation, claims, tried)));
  return results;
}

/** @param tried - schemes by which a read was probed; this one is added */
async function probeOperation(
  run: Run,
  operation: Operation,
  claims: ProbeAssumptions,
  tried: Set<CredentialSender>,
): Promise<StepResult[]> {
  const choice = chooseScheme(run.api, operation, run);
  if (choice.kind === 'open') return [];
  if (choice.kind === 'unknown') return [skippedProbe(operation, choice.reason, 'not-harmless')];
  // What was done without a key is told.
  if (run.unprotectedWrites.has(operation.id)) return [];
  const parents = parentsFor(operation, knownParents(run), claims);
  const target = harmlessTarget(operation, run.runId, parents, validContent(run, operation));
  if (typeof target === 'string') return [skippedProbe(operation, target, 'not-harmless')];
  const asked = {
    operation,
    request: makeRequest(run, operation.method, target.path, [], target.body),
    ...assumptionsOn(operation, claims),
  };
  await verifyAbsence(run, asked);
  const rejection = modeViolation(run, asked);
  if (rejection !== undefined) return [skippedProbe(operation, rejection, 'mode')];

  const { scheme } = choice;
  const isFirst = isSafe(operation.method) && !tried.has(scheme);
  if (isFirst) tried.add(scheme);
  const kinds = scheme.probes.filter(({ isOnce = false }) => isFirst || !isOnce);
  const [first] = choice.parts;
  const given = first === undefined ? undefined : keyForScheme(run, first.name);
  const key = given === undefined ? undefined : splitKey(given).key;
  const probes = probesFor(run, operation, [...kinds, ...refusedKinds(run, scheme)], target, key);
  const allowed = probes.filter(({ isInUrl }) => run.mode === 'full' || !isInUrl);
  const results = await sendProbes(run, operation, target, { probes: allowed, claims });
  const inUrl = skippedProbe(operation, NO_KEY_IN_URL, 'mode', 'the key in the query');
  return [...results, ...(allowed.length < probes.length ? [inUrl] : [])];
}

async function sendProbes(
  run: Run,
  operation: Operation,
  target: ProbeTarget,
  { probes, claims }: { readonly probes: readonly Probe[]; readonly claims: ProbeAssumptions },
): Promise<StepResult[]> {
  const results: Promise<StepResult>[] = [];
  for (const probe of probes) {
    const interaction = { ...toInteraction(run, operation, target, probe), ...assumptionsOn(operation, claims) };
    const { result, response } = await exchange(run, interaction);
    const { advice } = probe;
    results.push(advice === undefined ? result : result.then((validated) => asWarning(run, validated, advice)));
    if (isSafe(operation.method) || response === undefined || response.status >= 300) continue;
    // One finding is enough, and each further request might make something again.
    run.unprotectedWrites.add(operation.id);
    break;
  }
  const all = await Promise.all(results);
  // Where one of them is refused for its key, the others were let in.
  const isBodyFirst = target.body === HARMLESS_BODY && all.every(({ status }) => READS_BODY_FIRST.has(status));
  return isBodyFirst ? [skippedProbe(operation, BODY_FIRST, 'not-harmless')] : all;
}

/** Answers to a body that nothing can be made of, where it is read before the key is asked for. */
const READS_BODY_FIRST: ReadonlySet<number | undefined> = new Set([400, 415, 422]);
const BODY_FIRST = 'the service reads the body before it asks for a key, and no request of the run shows a valid one';

/** Where a request was let in that may be, that is a warning, and everything else in the response is checked elsewhere. */
function asWarning(run: Run, result: StepResult, hint: string): StepResult {
  const { verdict, status = 0, warnings, request } = result;
  // Behind the credentials a write is rejected for its body, which nothing can be made of.
  const isWrite = request !== undefined && !isSafe(request.method);
  // What a read names may not be there either.
  const isLetIn = status < 300 || status === 404 || status === 410 || (isWrite && status !== 401 && status < 500);
  if (verdict.kind !== 'fail' || !isLetIn) return result;
  const found = verdict.findings.filter(({ check }) => check === 'status-expected');
  const told = [...warnings, ...found.map((finding) => ({ ...finding, severity: 'warning', hint }) as const)];
  const after: StepResult = {
    ...result,
    verdict: { kind: 'pass', checksRun: verdict.findings.length },
    warnings: told,
  };
  run.log.replace(result, after);
  return after;
}

/** Keys that the tester has and that are good no more, or never were (RFC 6750 §3.1). */
export function refusedKinds({ refusedIdentities = new Map() }: RefusedKeys, scheme: CredentialSender): ProbeKind[] {
  return [...refusedIdentities].map(([name, key]) => ({
    title: `the key of ${name}`,
    expects: 'refused-or-forbidden',
    credentials: () => scheme.send(key),
  }));
}

type RefusedKeys = Pick<Run, 'refusedIdentities'>;

/** One entry for an operation that is not probed at all, or not in one way. */
function skippedProbe(operation: Operation, reason: string, cause: SkipCause, title = 'a wrong key'): StepResult {
  return skipped({ ...PROBE, name: probeName(operation, title), operation }, reason, cause);
}

function probesFor(
  { api, runId }: Run,
  operation: Operation,
  kinds: readonly ProbeKind[],
  { isAbsent }: ProbeTarget,
  key: string | undefined,
): Probe[] {
  const { method } = operation;
  const probes: Probe[] = [];
  const taken = queryNames({ api }, operation);
  for (const { title, expects, asHead = false, isInUrl = false, advice, credentials: make } of kinds) {
    if (expects === 'accepted' && !maySucceed(api, operation, isAbsent)) continue;
    const credentials = make({ key, runId });
    // A scheme in the query has its own name there.
    const isTaken = isInUrl && credentials?.query.some((pair) => taken.has(pair.split('=')[0] ?? '')) === true;
    if (credentials !== undefined && !isTaken)
      probes.push({ title, method, expects, asHead, isInUrl, advice, credentials });
  }
  const invalid = isSafe(operation.method) ? invalidQuery(operation) : undefined;
  if (invalid !== undefined) {
    const credentials = { ...NO_CREDENTIALS, query: [invalid.pair] };
    const title = `a missing key beside an invalid ${invalid.name}`;
    probes.push({ title, method, expects: 'refused', asHead: false, isInUrl: false, credentials });
  }
  return [...probes, ...headProbes(api, operation, probes)];
}

/** A service that answers HEAD must ask for the key as it does for a GET (RFC 9110 §9.3.2). */
function headProbes(api: ApiModel, operation: Operation, probes: readonly Probe[]): Probe[] {
  if (!hasUndescribedHead(api, operation)) return [];
  return probes.flatMap((probe): Probe[] => {
    if (!probe.asHead) return [];
    return [{ ...probe, title: `${probe.title}, as HEAD`, method: 'HEAD', expects: 'not-let-in' }];
  });
}

/**
 * An unusual but right key would let a write through, and of what is not there an operation may document nothing. Probes
 * have no query: where it is required, or is likely to be because all that was seen had it, nobody knows what comes.
 */
function maySucceed(api: ApiModel, operation: Operation, isAbsent: boolean): boolean {
  if (!isSafe(operation.method)) return false;
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  if (inQuery.some(({ required }) => required) || (inQuery.length > 0 && isInferred(api))) return false;
  return !isAbsent || [404, 410].some((status) => findResponse(operation, status) !== undefined);
}

/** Names that mean something in the query: its parameters, and keys that belong there. */
function queryNames({ api }: Pick<Run, 'api'>, operation: Operation): ReadonlySet<string> {
  const parameters = operation.parameters.flatMap(({ in: location, name }) => (location === 'query' ? [name] : []));
  const keys = operation.security.flat().flatMap(({ name }) => {
    const scheme = api.securitySchemes.get(name);
    return scheme?.in === 'query' && scheme.parameterName !== undefined ? [scheme.parameterName] : [];
  });
  return new Set([...parameters, ...keys]);
}

function toInteraction(run: Run, operation: Operation, target: ProbeTarget, probe: Probe): Interaction {
  const { headers: authorization, query } = probe.credentials;
  const headers = [
    ...['Accept', acceptOf(run.api, operation)],
    ...(target.contentType === undefined ? [] : ['Content-Type', target.contentType]),
    ...authorization,
  ];
  const path = query.length === 0 ? target.path : `${target.path}?${query.join('&')}`;
  return {
    ...PROBE,
    name: probeName(operation, probe.title, probe.expects),
    operation,
    request: makeRequest(run, probe.method, path, headers, target.body),
    auth: probe.expects === 'accepted' ? 'valid' : probe.title,
    expected: expectationFor(operation, probe.expects),
  };
}

/** Is it a GET whose path describes no HEAD? Services answer one all the same (RFC 9110 §9.1). */
export function hasUndescribedHead({ operations }: ApiModel, { method, path }: Operation): boolean {
  return method === 'GET' && !operations.some((other) => other.method === 'HEAD' && other.path === path);
}

/** What an operation may answer with to a caller who is let in; a range such as `4XX` stands for those in it. */
const ACCEPTED_STATUSES = [
  ...[200, 201, 202, 203, 204, 206, 300, 301, 302, 303, 304, 307, 308],
  ...[400, 402, 404, 405, 406, 409, 410, 412, 413, 414, 415, 416, 422, 428],
] as const;

/** What a probe is called: `listBooks rejects a missing key`. */
export function probeName({ id }: Operation, title: string, expects: ProbeExpectation = 'refused'): string {
  return `${id} ${expects === 'accepted' ? 'accepts' : 'rejects'} ${title}`;
}

export function expectationFor(operation: Operation, expects: ProbeExpectation): Expectation {
  return { ...ANY_RESPONSE, statuses: statusesFor(operation, expects) };
}

function statusesFor(operation: Operation, expects: ProbeExpectation): readonly number[] {
  switch (expects) {
    case 'refused':
      return [401];
    case 'refused-or-malformed':
      // A service may take it for a malformed request (RFC 6750 §3.1), if it says so.
      return findResponse(operation, 400) === undefined ? [401] : [401, 400];
    case 'refused-or-forbidden':
      return findResponse(operation, 403) === undefined ? [401] : [401, 403];
    case 'not-let-in':
      return [401, 404, 405];
    case 'accepted':
      return ACCEPTED_STATUSES.filter((status) => findResponse(operation, status) !== undefined);
  }
}

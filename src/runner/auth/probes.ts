import { findResponse } from '../../openapi/find-response';
import type { ApiModel, Operation } from '../../openapi/model';
import { exchange, unsent } from '../exchange';
import { refusedByMode } from '../guard';
import { lookFirst } from '../look-first';
import { acceptOf, makeRequest, type Interaction } from '../interaction';
import { isSafe, type Run } from '../run';
import type { SkipCause, StepResult } from '../run-result';
import { NO_KEY_IN_URL } from './key-in-url';
import { HEAD_KINDS, hasUndescribedHead } from './head-probes';
import { knownParents } from './known-parents';
import { claimsOn, NO_CLAIMS, parentsFor, type ProbeClaims } from './probe-claims';
import { expectationFor } from './probe-expectation';
import { harmlessTarget, invalidQuery, type ProbeTarget } from './probe-target';
import {
  NO_CREDENTIALS,
  type CredentialScheme,
  type ProbeExpectation,
  type ProbeKind,
  type RequestCredentials,
} from './scheme';
import { chooseScheme, isSecured } from './schemes';

/** One request of the probes, before it is made. */
interface Probe {
  /** Goes on after the name of the operation. */
  readonly title: string;
  /** `HEAD` for an operation that is a GET. */
  readonly method: string;
  readonly expects: ProbeExpectation;
  readonly isInUrl: boolean;
  /** Why it may be let in, and what is to be said of it then. */
  readonly advice?: string | undefined;
  readonly credentials: RequestCredentials;
}

/**
 * Calls every secured operation with credentials that must be refused, and with unusual ones that must not. What could
 * change something names an id that is known to be absent and has a body that no server can use, so that a hole is
 * found and nothing is lost in it. That also shows whether the credentials are judged before everything else.
 */
export async function probeAuthentication(
  run: Run,
  operations: readonly Operation[],
  claims: ProbeClaims = NO_CLAIMS,
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  const tried = new Set<CredentialScheme>();
  for (const operation of operations.filter(isSecured))
    results.push(...(await probeOperation(run, operation, claims, tried)));
  return results;
}

/** @param tried - schemes by which a read was probed; this one is added */
async function probeOperation(
  run: Run,
  operation: Operation,
  claims: ProbeClaims,
  tried: Set<CredentialScheme>,
): Promise<StepResult[]> {
  const choice = chooseScheme(run.api, operation);
  if (choice.kind === 'open') return [];
  if (choice.kind === 'unknown') return [leaveOut(operation, choice.reason, 'not-harmless')];
  const target = harmlessTarget(operation, run.runId, parentsFor(operation, knownParents(run), claims));
  if (typeof target === 'string') return [leaveOut(operation, target, 'not-harmless')];
  const asked = {
    operation,
    request: makeRequest(run, operation.method, target.path, [], target.body),
    ...claimsOn(operation, claims),
  };
  await lookFirst(run, asked);
  const refusal = refusedByMode(run, asked);
  if (refusal !== undefined) return [leaveOut(operation, refusal, 'mode')];

  const { scheme } = choice;
  const isFirst = isSafe(operation.method) && !tried.has(scheme);
  if (isFirst) tried.add(scheme);
  const kinds = scheme.kinds.filter(({ isOnce = false }) => isFirst || !isOnce);
  const probes = probesFor(run, operation, kinds, target);
  const allowed = probes.filter(({ isInUrl }) => run.mode === 'full' || !isInUrl);
  const results: Promise<StepResult>[] = [];
  for (const probe of allowed) {
    const interaction = { ...toInteraction(run, operation, target, probe), ...claimsOn(operation, claims) };
    const { result } = await exchange(run, interaction);
    const { advice } = probe;
    results.push(advice === undefined ? result : result.then((judged) => advised(run, judged, advice)));
  }
  const inUrl = leaveOut(operation, NO_KEY_IN_URL, 'mode', 'with the key in the query');
  return [...(await Promise.all(results)), ...(allowed.length < probes.length ? [inUrl] : [])];
}

/** Where a request was let in that may be, that is a warning, and everything else in the answer is judged elsewhere. */
function advised(run: Run, result: StepResult, hint: string): StepResult {
  const { verdict, status = 0, warnings, request } = result;
  // Behind the credentials a write is refused for its body, which nothing can be made of.
  const isLetIn = status < 300 || (request !== undefined && !isSafe(request.method) && status !== 401 && status < 500);
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

/** One entry for an operation that is not probed at all, or not in one way. */
function leaveOut(operation: Operation, reason: string, cause: SkipCause, title = 'without the right key'): StepResult {
  const about = { name: `${operation.id} ${title}`, phase: 'auth', place: undefined, operation } as const;
  return unsent(about, { kind: 'skipped', reason, cause });
}

function probesFor(
  { api, apiKey, runId }: Run,
  operation: Operation,
  kinds: readonly ProbeKind[],
  { isAbsent }: ProbeTarget,
): Probe[] {
  const { method } = operation;
  const probes: Probe[] = [];
  const taken = queryNames({ api }, operation);
  for (const { title, expects, isInUrl = false, advice, credentials: make } of kinds) {
    if (expects === 'accepted' && !maySucceed(operation, isAbsent)) continue;
    const credentials = make({ key: apiKey, runId });
    // A scheme in the query has its own name there.
    const isTaken = isInUrl && credentials?.query.some((pair) => taken.has(pair.split('=')[0] ?? '')) === true;
    if (credentials !== undefined && !isTaken) probes.push({ title, method, expects, isInUrl, advice, credentials });
  }
  const invalid = isSafe(operation.method) ? invalidQuery(operation) : undefined;
  if (invalid !== undefined) {
    const credentials = { ...NO_CREDENTIALS, query: [invalid.pair] };
    const title = `without a key and with an invalid ${invalid.name}`;
    probes.push({ title, method, expects: 'refused', isInUrl: false, credentials });
  }
  return [...probes, ...headProbes(api, operation, probes)];
}

/** A service that answers HEAD must ask for the key as it does for a GET (RFC 9110 §9.3.2). */
function headProbes(api: ApiModel, operation: Operation, probes: readonly Probe[]): Probe[] {
  if (!hasUndescribedHead(api, operation)) return [];
  const titles = new Set(HEAD_KINDS);
  return probes.flatMap((probe): Probe[] => {
    if (!titles.has(probe.title)) return [];
    return [{ ...probe, title: `as HEAD, ${probe.title}`, method: 'HEAD', expects: 'not-let-in' }];
  });
}

/** An unusual but right key would let a write through, and of what is not there an operation may document nothing. */
function maySucceed(operation: Operation, isAbsent: boolean): boolean {
  if (!isSafe(operation.method)) return false;
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
    name: `${operation.id} ${probe.title}`,
    phase: 'auth',
    place: undefined,
    operation,
    request: makeRequest(run, probe.method, path, headers, target.body),
    auth: probe.expects === 'accepted' ? 'valid' : probe.title,
    recipe: undefined,
    expected: expectationFor(operation, probe.expects),
    captures: [],
  };
}

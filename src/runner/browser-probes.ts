import { needsAsking, readFaults, type Browser } from '../http/cross-origin';
import type { Operation } from '../openapi/model';
import { absentPath } from './auth/absent-path';
import { knownValues } from './auth/probe-target';
import { knownParents } from './auth/known-parents';
import { parentsFor, type ProbeClaims } from './auth/probe-claims';
import { chooseScheme } from './auth/schemes';
import type { Caller } from './browser-callers';
import { exchange } from './exchange';
import { acceptOf, findOperation, makeRequest, type Interaction } from './interaction';
import { isSafe, type Run } from './run';
import type { StepResult } from './run-result';

/**
 * Asks as a browser does before a request of a page, and looks whether the page may read a refusal. Where only the
 * description speaks of browsers, nothing is judged unless the service lets a strange origin in.
 */
export async function probeBrowser(
  run: Run,
  operation: Operation,
  { browser, isNamed }: Caller,
  claims: ProbeClaims,
): Promise<StepResult[]> {
  const known = knownValues(operation, parentsFor(operation, knownParents(run), claims));
  const target = absentPath(operation, run.runId, known);
  if (target === undefined) return [];
  const asked = preflight(run, operation, target.text, browser);
  let isLetIn = isNamed;
  if (!isNamed) {
    const { response } = await exchange(run, asked);
    isLetIn = response !== undefined && readFaults(response.headers, browser).length === 0;
  }
  if (!isLetIn) return [];
  const results = [(await exchange(run, { ...asked, browser })).result];
  const refused = refusedRead(run, operation, target, browser);
  if (refused !== undefined) results.push((await exchange(run, refused)).result);
  return Promise.all(results);
}

const NOTHING = { place: undefined, recipe: undefined, captures: [] } as const;
const SUCCESSES = [200, 201, 202, 203, 204];

function preflight(run: Run, operation: Operation, path: string, { origin }: Browser): Interaction {
  const wanted = headersOf(run, operation);
  const headers = [
    ...['Accept', '*/*', 'Origin', origin, 'Access-Control-Request-Method', operation.method],
    ...(wanted.length === 0 ? [] : ['Access-Control-Request-Headers', wanted.join(',')]),
  ];
  return {
    ...NOTHING,
    name: `${operation.id}, asked for by a browser`,
    phase: 'auth',
    operation: findOperation(run.api, 'OPTIONS', path),
    request: makeRequest(run, 'OPTIONS', path, headers, undefined),
    auth: 'without a key',
    expected: { statuses: SUCCESSES, codes: [], body: undefined, headers: [] },
  };
}

/** Names of the headers that a request has and that no page may send without asking (Fetch §2.2.2), in order. */
function headersOf({ api }: Run, operation: Operation): string[] {
  const choice = chooseScheme(api, operation);
  const keys = choice.kind === 'known' ? choice.scheme.headerNames : [];
  const isAsked =
    operation.requestBody?.mediaTypes[0] !== undefined && needsAsking(operation.requestBody.mediaTypes[0]);
  const required = operation.parameters.flatMap(({ in: place, required: isRequired, key }) =>
    place === 'header' && isRequired && !/^(?:accept|accept-language|content-language)$/.test(key) ? [key] : [],
  );
  return [...new Set([...keys, ...(isAsked ? ['content-type'] : []), ...required])].sort();
}

/** A read that is refused, for want of a key or because nobody has its id: a page has to see why. */
function refusedRead(
  run: Run,
  operation: Operation,
  target: { readonly text: string; readonly isAbsent: boolean },
  browser: Browser,
): Interaction | undefined {
  const isSecured = chooseScheme(run.api, operation).kind === 'known';
  if (!isSafe(operation.method) || (!isSecured && !target.isAbsent)) return undefined;
  const headers = ['Accept', acceptOf(run.api, operation), 'Origin', browser.origin];
  return {
    ...NOTHING,
    name: `${operation.id}, refused to a browser`,
    phase: 'auth',
    operation,
    request: makeRequest(run, operation.method, target.text, headers, undefined),
    auth: 'without a key',
    // Which refusal it is, the other probes judge.
    expected: { statuses: [], codes: [], body: undefined, headers: [] },
    browser,
  };
}

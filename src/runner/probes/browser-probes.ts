import { type Browser, corsViolations, needsPreflight } from '../../core/http/cors';
import { isSafe } from '../../core/http/message';
import type { Contract } from '../../formats/contract/contract';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { chooseScheme } from '../../security/registry';
import { exchange } from '../exchange/exchange';
import { ANY_RESPONSE, type Interaction, PROBE } from '../exchange/interaction';
import { acceptOf, findOperation, makeRequest } from '../exchange/request';
import type { Run } from '../exchange/run-state';
import { absentPath } from '../ownership/absent-values';
import type { StepResult } from '../result/run-result';
import { usedOperations } from '../steps/selection';
import { knownParents, knownPathValues, parentsFor, type ProbeAssumptions } from './probe-target';

/**
 * Asks as a browser does before a request of a page, and looks whether the page may read a rejection. Where only the
 * description speaks of browsers, nothing is checked unless the service lets a strange origin in.
 */
export async function probeBrowser(
  run: Run,
  operation: Operation,
  { browser, isDeclared }: BrowserCaller,
  claims: ProbeAssumptions,
): Promise<StepResult[]> {
  const known = knownPathValues(operation, parentsFor(operation, knownParents(run), claims));
  const target = absentPath(operation, run.runId, known);
  if (target === undefined) return [];
  const asked = preflight(run, operation, target.text, browser);
  let isLetIn = isDeclared;
  if (!isDeclared) {
    const { response } = await exchange(run, asked);
    isLetIn = response !== undefined && corsViolations(response.headers, browser).length === 0;
  }
  if (!isLetIn) return [];
  const results = [(await exchange(run, { ...asked, browser })).result];
  const rejected = rejectedRead(run, operation, target, browser);
  if (rejected !== undefined) results.push((await exchange(run, rejected)).result);
  return Promise.all(results);
}

const SUCCESSES = [200, 201, 202, 203, 204];

function preflight(run: Run, operation: Operation, path: string, { origin }: Browser): Interaction {
  const wanted = headersOf(run, operation);
  const headers = [
    ...['Accept', '*/*', 'Origin', origin, 'Access-Control-Request-Method', operation.method],
    ...(wanted.length === 0 ? [] : ['Access-Control-Request-Headers', wanted.join(',')]),
  ];
  return {
    ...PROBE,
    name: `${operation.id}, asked for by a browser`,
    operation: findOperation(run.api, 'OPTIONS', path),
    request: makeRequest(run, 'OPTIONS', path, headers, undefined),
    auth: 'without a key',
    expected: { ...ANY_RESPONSE, statuses: SUCCESSES },
  };
}

/** Names of the headers that a request has and that no page may send without asking (Fetch §2.2.2), in order. */
function headersOf(run: Run, operation: Operation): string[] {
  const choice = chooseScheme(run.api, operation, run);
  const keys = choice.kind === 'known' ? choice.scheme.locations.headers : [];
  const isAsked =
    operation.requestBody?.mediaTypes[0] !== undefined && needsPreflight(operation.requestBody.mediaTypes[0]);
  const required = operation.parameters.flatMap(({ in: place, required: isRequired, key }) =>
    place === 'header' && isRequired && !/^(?:accept|accept-language|content-language)$/.test(key) ? [key] : [],
  );
  return [...new Set([...keys, ...(isAsked ? ['content-type'] : []), ...required])].sort();
}

/** A read that is rejected, for want of a key or because nobody has its id: a page has to see why. */
function rejectedRead(
  run: Run,
  operation: Operation,
  target: { readonly text: string; readonly isAbsent: boolean },
  browser: Browser,
): Interaction | undefined {
  const isSecured = chooseScheme(run.api, operation, run).kind === 'known';
  if (!isSafe(operation.method) || (!isSecured && !target.isAbsent)) return undefined;
  const headers = ['Accept', acceptOf(run.api, operation), 'Origin', browser.origin];
  return {
    ...PROBE,
    name: `${operation.id}, rejected for a browser`,
    operation,
    request: makeRequest(run, operation.method, target.text, headers, undefined),
    auth: 'without a key',
    // Which rejection it is, the other probes judge.
    expected: ANY_RESPONSE,
    browser,
  };
}

/** Where no contract names one; a service that lets it in lets in anybody. */
const UNKNOWN_PAGE: Browser = { origin: 'https://standin.example', credentials: false };

/** Which pages call an operation, and whether it is known that they are let in. */
export interface BrowserCaller {
  readonly browser: Browser;
  /** Does a contract say so? Else the description has an OPTIONS or documents CORS, and the service is asked. */
  readonly isDeclared: boolean;
}

/** Operations that pages call, as contracts or the description say. */
export function browserCallers(
  input: Parameters<typeof usedOperations>[0],
  contracts: readonly Contract[],
): ReadonlyMap<Operation, BrowserCaller> {
  const callers = new Map<Operation, BrowserCaller>();
  for (const operation of usedOperations(input, contracts)) {
    if (isForBrowsers(input.api, operation)) callers.set(operation, { browser: UNKNOWN_PAGE, isDeclared: false });
  }
  for (const contract of contracts) {
    const { browser } = contract;
    if (browser === undefined) continue;
    for (const operation of usedOperations(input, [contract])) callers.set(operation, { browser, isDeclared: true });
  }
  return callers;
}

/** Is there an OPTIONS at its path, or does it document a header of CORS? */
function isForBrowsers({ operations }: ApiModel, { path, responses }: Operation): boolean {
  if (operations.some((other) => other.path === path && other.method === 'OPTIONS')) return true;
  return [...responses.values()].some(({ headers }) => headers.has('access-control-allow-origin'));
}

/** How many requests {@link probeBrowser} sends at most, by method. */
export function plannedBrowserCalls({ method }: Operation): readonly string[] {
  return isSafe(method) ? ['OPTIONS', method] : ['OPTIONS'];
}

import type { Contract } from '../formats/contract';
import type { Browser } from '../http/cross-origin';
import type { ApiModel, Operation } from '../openapi/model';
import { isSafe } from './run';
import { operationsOf } from './used-operations';

/** Where no contract names one; a service that lets it in lets in anybody. */
const STRANGER: Browser = { origin: 'https://standin.example', credentials: false };

/** Which pages call an operation, and whether it is known that they are let in. */
export interface Caller {
  readonly browser: Browser;
  /** Does a contract say so? Else the description has an OPTIONS or documents CORS, and the service is asked. */
  readonly isNamed: boolean;
}

/** Operations that pages call, as contracts or the description say. */
export function browserCallers(
  input: Parameters<typeof operationsOf>[0],
  contracts: readonly Contract[],
): ReadonlyMap<Operation, Caller> {
  const callers = new Map<Operation, Caller>();
  for (const operation of operationsOf(input, contracts)) {
    if (isForBrowsers(input.api, operation)) callers.set(operation, { browser: STRANGER, isNamed: false });
  }
  for (const contract of contracts) {
    const { browser } = contract;
    if (browser === undefined) continue;
    for (const operation of operationsOf(input, [contract])) callers.set(operation, { browser, isNamed: true });
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

import { setImmediate } from 'node:timers/promises';
import { equalJson, isJsonObject, type JsonValue } from '../core/json/json-value';
import { errorRole } from '../openapi/view/responses';
import { headerValue } from '../core/http/headers';
import type { RawHeaders } from '../core/http/message';
import type { Contract } from '../formats/contract/contract';
import { allSteps } from '../runner/result/outcome';
import type { RunResult, StepResult } from '../runner/result/run-result';
import { runContracts } from '../runner/run/run-contracts';
import type { RunInput } from '../runner/exchange/run-state';
import { jsonIn } from './mutants/mutant';
import type { Answered, Service } from './service';

/** What is the same of every run. */
export type RunSettings = Pick<
  RunInput,
  'version' | 'api' | 'baseUrl' | 'apiKey' | 'sendsKey' | 'identities' | 'runId' | 'signal'
>;

/** What came of a contract at a service. */
export interface Trial {
  /** What a run would have failed for; `undefined` where it is green. */
  readonly failure: Failure | undefined;
  readonly answered: readonly Answered[];
  readonly steps: readonly StepResult[];
}

export interface Failure {
  readonly step: string;
  /** Id of the check that failed, or why nothing could be checked. */
  readonly check: string;
  readonly message: string;
}

/**
 * Runs a contract against a service that starts from its initial state.
 *
 * @param probes - also probe the authentication of the operations that the contract calls?
 * @throws the reason of `settings.signal` once it is aborted
 */
export async function tryContract(
  service: Service,
  contract: Contract,
  settings: RunSettings,
  probes: boolean,
): Promise<Trial> {
  await letEventsIn(settings.signal);
  const { transport, answered } = service.begin();
  const result = await runContracts({ ...settings, transport, mode: 'full', probesAuth: probes }, [contract]);
  settings.signal?.throwIfAborted();
  return { failure: failureOf(result), answered, steps: result.contracts[0]?.steps ?? [] };
}

function failureOf(result: RunResult): Failure | undefined {
  if (result.outcome === 'conforms') return undefined;
  for (const { name, verdict } of allSteps(result)) {
    const [finding] = verdict.kind === 'fail' ? verdict.findings : [];
    if (finding !== undefined) return { step: name, check: finding.check, message: finding.message };
    if (verdict.kind === 'error') return { step: name, check: verdict.error.code, message: verdict.error.message };
  }
  const skipped = allSteps(result).find(({ verdict }) => verdict.kind === 'skipped' && verdict.cause !== 'selection');
  const reason = skipped?.verdict.kind === 'skipped' ? skipped.verdict.reason : result.outcome;
  return { step: skipped?.name ?? 'the run', check: result.outcome, message: reason };
}

/**
 * Sends the requests of a run that was green once more, without judging the answers. As long as they are the same, the run
 * would send the same requests and be green again.
 *
 * @returns is any answer another one?
 * @throws the reason of `signal` once it is aborted
 */
export async function answersOtherwise(
  service: Service,
  { answered }: Pick<Trial, 'answered'>,
  signal?: AbortSignal,
): Promise<boolean> {
  await letEventsIn(signal);
  const { transport, answered: again } = service.begin();
  for (const [index, usual] of answered.entries()) {
    await transport.send(usual.request);
    signal?.throwIfAborted();
    if (!isSame(usual, again[index])) return true;
  }
  return false;
}

/**
 * Yields to the event loop: a service without a socket never does, so nothing could abort the signal.
 *
 * @throws the reason of the signal once it is aborted
 */
async function letEventsIn(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return;
  await setImmediate();
  signal.throwIfAborted();
}

/** Places in the course of a contract at which a service answered otherwise than the conforming one. */
export function differences(conforming: readonly Answered[], other: readonly Answered[]): number[] {
  const all = [...conforming.keys()].filter((index) => !isSame(conforming[index], other[index]));
  return conforming.length < other.length ? [...all, conforming.length] : all;
}

function isSame(first: Answered | undefined, second: Answered | undefined): boolean {
  if (first === undefined || second === undefined) return first === second;
  const [one, two] = [first.response, second.response];
  if (one.status !== two.status || !sameHeaders(one.headers, two.headers)) return false;
  if (one.body === two.body) return true;
  const [left, right] = [comparable(one), comparable(two)];
  return left !== undefined && right !== undefined && equalJson(left, right);
}

/** JSON of a response; the message of an error, which is for people, is any text. */
export function comparable(response: Answered['response']): JsonValue | undefined {
  const value = jsonIn(response);
  if (response.status < 400 || !isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, own]): [string, JsonValue] => [
    name,
    typeof own === 'string' && errorRole(name) === 'message' ? '' : own,
  ]);
  return Object.fromEntries(entries);
}

function sameHeaders(one: RawHeaders, two: RawHeaders): boolean {
  return headerNames(one, two).every((name) => headerValue(one, name) === headerValue(two, name));
}

/** Headers that belong to the body, or tell of the mock itself. */
const NO_MATTER = /^(?:content-length|date|x-standin-.*)$/;

/** Names of the headers of responses that say something of the service, in lower case. */
export function headerNames(...all: readonly RawHeaders[]): string[] {
  const names = all.flatMap((headers) => headers.filter((_, index) => index % 2 === 0));
  return [...new Set(names.map((name) => name.toLowerCase()))].filter((name) => !NO_MATTER.test(name));
}

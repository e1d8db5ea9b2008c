import { isSafe } from '../../core/http/message';
import type { Contract, Step } from '../../formats/contract/contract';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { chooseScheme } from '../../security/registry';
import type { RunInput } from '../exchange/run-state';
import { bindingOf, itemRouteOf, itemRoutesOf, routeOf } from '../ownership/item-routes';
import { hasUndescribedHead } from '../probes/authentication-probes';
import { type BrowserCaller, browserCallers, plannedBrowserCalls } from '../probes/browser-probes';
import { harmlessTarget, invalidQuery } from '../probes/probe-target';
import { type Shard, takeShard } from '../result/outcome';
import type { Mode } from '../result/run-result';
import { selectSteps, usedOperations } from '../steps/selection';
import { type PlannedStep, planSteps } from './planned-steps';

/** What a run is going to do, known before anything is sent. */
export interface Plan {
  readonly baseUrl: string;
  readonly mode: Mode;
  readonly runId: string;
  readonly contracts: number;
  /** What is sent as far as is known before anything is. */
  readonly steps: ReadonlySet<Step>;
  /** The same by method, in the order of their number. */
  readonly methods: readonly { readonly method: string; readonly steps: number }[];
  /** The part of all contracts that this is; `undefined` for all. */
  readonly shard: Shard | undefined;
  /** Steps that the mode holds back as far as is known before anything is sent, by why, the most frequent first. */
  readonly skippedSteps: readonly { readonly reason: string; readonly steps: number }[];
  readonly operations: readonly string[];
  /** Ids of operations by which contracts that a person wrote may change rows of others, in mode `full`. */
  readonly mayChangeOthers: readonly string[];
  /** Ids of the operations that are called without a valid key as well. */
  readonly probed: readonly string[];
  /** The requests of that by method, about: rather too many than too few. */
  readonly probes: readonly { readonly method: string; readonly requests: number }[];
  readonly creations: readonly PlannedCreation[];
  /** Steps that POST something of which nobody says what it makes or changes. */
  readonly unclear: number;
  /** File that creations are written down in before they are sent. */
  readonly ledger: string | undefined;
  /** Where what the service sends is received; `undefined` where nobody listens. */
  readonly receiverUrl: string | undefined;
}

/** One kind of thing that a run makes, and how it goes away again. */
export interface PlannedCreation {
  readonly operation: string;
  readonly steps: number;
  /** `DELETE /books/{bookId}`, or a step; `undefined` when there is no way to remove it. */
  readonly removal: string | undefined;
  /** How many of them stay all the same, as their steps say. */
  readonly staying: number;
}

type PlanInput = Pick<
  RunInput,
  | 'api'
  | 'baseUrl'
  | 'mode'
  | 'runId'
  | 'within'
  | 'selection'
  | 'shard'
  | 'probesAuth'
  | 'refusedIdentities'
  | 'receiver'
> & { readonly ledgerFile?: string | undefined };

/** Counts what contracts are going to send, and what they are not. */
export function planRun(input: PlanInput, all: readonly Contract[]): Plan {
  const { api, baseUrl, mode, runId, selection, shard, probesAuth, ledgerFile } = input;
  const contracts = takeShard(all, shard);
  const calls = contracts.flatMap((contract) => planSteps(input, contract, selectSteps(api, contract, selection)));
  const sent = calls.filter(({ skipReason }) => skipReason === undefined);
  const skipReasons = calls.flatMap(({ skipReason }) => skipReason ?? []);
  const used = api.operations.filter((operation) => sent.some((call) => call.operation === operation));
  const generated = takeShard(usedOperations({ api, selection }, all), shard);
  const callers = browserCallers({ api, selection }, all);
  const probes = probesAuth === false ? new Map<Operation, string[]>() : plannedProbes(input, generated, sent, callers);
  const made = used.filter((operation) => sent.some((call) => call.operation === operation && call.mayCreate));
  return {
    baseUrl,
    mode,
    runId,
    contracts: contracts.length,
    shard,
    steps: new Set(sent.map(({ step }) => step)),
    methods: count(sent.map(({ method }) => method)).map(([method, steps]) => ({ method, steps })),
    skippedSteps: count(skipReasons).map(([reason, steps]) => ({ reason, steps })),
    operations: used.map(({ id }) => id),
    mayChangeOthers: mode === 'full' ? changesOfOthers(input, contracts) : [],
    probed: [...probes.keys()].map(({ id }) => id),
    probes: count([...probes.values()].flat()).map(([method, requests]) => ({ method, requests })),
    creations: used.flatMap((operation) => {
      const own = sent.filter((call) => call.operation === operation && call.mayCreate);
      const staying = own.filter(({ step }) => step.leaves !== undefined).length;
      const removal = removalOf(api, operation, own, made);
      return own.length === 0 ? [] : [{ operation: operation.id, steps: own.length, removal, staying }];
    }),
    unclear: sent.filter((call) => isUnclear(api, call)).length,
    ledger: mode === 'observe' ? undefined : ledgerFile,
    receiverUrl: input.receiver?.url,
  };
}

/** What mode `own` would hold back of contracts that a person wrote. */
function changesOfOthers(input: PlanInput, contracts: readonly Contract[]): string[] {
  const written = contracts.filter(({ isGenerated }) => isGenerated !== true);
  const held = written.flatMap((contract) => {
    const chosen = selectSteps(input.api, contract, input.selection);
    return planSteps({ ...input, mode: 'own' }, contract, chosen).filter(({ mayTouchOthers }) => mayTouchOthers);
  });
  return [...new Set(held.map(({ operation, method }) => operation?.id ?? method))];
}

/** What each value is there for how often, the most frequent first. */
function count(values: readonly string[]): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left);
}

/** How what an operation makes goes away: by its path, by a step that says so, or with what it stands below. */
function removalOf(
  api: ApiModel,
  operation: Operation,
  steps: readonly PlannedStep[],
  made: readonly Operation[],
): string | undefined {
  const route = operation.method === 'PUT' ? routeOf(api, operation.path) : itemRouteOf(api, operation);
  const removal = route?.route.operations.get('DELETE');
  if (removal !== undefined) return `${removal.method} ${removal.path}`;
  const [first] = steps.map(({ removedBy }) => removedBy);
  if (first !== undefined) return `the step "${first}"`;
  const routes = made.flatMap((other) => itemRoutesOf(api, other).map(({ route }) => route));
  const above = routes.find((route) => route.operations.has('DELETE') && operation.path.startsWith(`${route.path}/`));
  return above === undefined || !steps.every(({ isBelowOwn }) => isBelowOwn)
    ? undefined
    : `DELETE ${above.path}, with what it stands below`;
}

/** A POST that is to succeed, and of which neither description nor contract says what it makes or changes. */
function isUnclear(api: ApiModel, { step, operation, method, mayCreate }: PlannedStep): boolean {
  if (method !== 'POST' || mayCreate || step.touches !== undefined || step.removes !== undefined) return false;
  const isToSucceed = step.expect.statuses.some((status) => status < 300);
  return (
    isToSucceed && operation !== undefined && bindingOf(api, operation) === undefined && !operation.path.includes('{')
  );
}

/** Looks at what a rejected write may have done: before it and after it. */
const LOOKS = ['GET', 'GET'];

/**
 * Methods of the requests that probe operations without a valid key, one for each. Rather too many than too few: some
 * probes need a key of a certain form, and a write is probed only where its effect can be seen.
 */
function plannedProbes(
  { api, mode, refusedIdentities }: PlanInput,
  operations: readonly Operation[],
  calls: readonly PlannedStep[],
  callers: ReadonlyMap<Operation, BrowserCaller>,
): ReadonlyMap<Operation, readonly string[]> {
  const probes = new Map<Operation, readonly string[]>();
  const refused = refusedIdentities?.size ?? 0;
  for (const operation of api.operations) {
    const isSent = mode !== 'observe' || isSafe(operation.method);
    const isUsed = operations.includes(operation);
    const generated = isSent && isUsed ? generatedProbes(api, mode, operation, refused) : [];
    const isRejected = isSent && calls.some((call) => call.operation === operation && isProbedWrite(api, call));
    const browsed = isUsed && callers.has(operation) ? plannedBrowserCalls(operation) : [];
    const tries = Array.from({ length: isRejected ? 1 + refused : 0 }, () => [
      operation.method,
      operation.method,
      ...LOOKS,
    ]);
    const all = [...generated, ...tries.flat(), ...browsed];
    if (all.length > 0) probes.set(operation, all);
  }
  return probes;
}

/** @param refused - how many keys are sent that have to be rejected */
function generatedProbes(api: ApiModel, mode: Mode, operation: Operation, refused: number): readonly string[] {
  const choice = chooseScheme(api, operation);
  if (choice.kind !== 'known' || typeof harmlessTarget(operation) === 'string') return [];
  const isRead = isSafe(operation.method);
  const sent = choice.scheme.probes.filter(
    ({ isInUrl, isOnce }) => (mode === 'full' || isInUrl !== true) && isOnce !== true,
  );
  const kinds = sent.filter(({ expects }) => isRead || expects !== 'accepted').length;
  const more = isRead && invalidQuery(operation) !== undefined ? 1 : 0;
  const heads = hasUndescribedHead(api, operation) ? choice.scheme.probes.filter(({ asHead }) => asHead) : [];
  return [...Array.from({ length: kinds + more + refused }, () => operation.method), ...heads.map(() => 'HEAD')];
}

/** A write that is to succeed is sent without its key once before, after a harmless one. */
function isProbedWrite(api: ApiModel, { step, operation, method }: PlannedStep): boolean {
  if (isSafe(method) || step.auth !== 'valid' || step.phase === 'cleanup') return false;
  const { statuses } = step.expect;
  const isToSucceed = statuses.length > 0 && statuses.every((status) => status >= 200 && status < 300);
  return isToSucceed && operation !== undefined && chooseScheme(api, operation).kind === 'known';
}

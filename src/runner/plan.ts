import type { Contract } from '../formats/contract';
import type { ApiModel, Operation } from '../openapi/model';
import { refusedInUrl } from './auth/key-in-url';
import { canBeCreated } from './guard';
import { isCreation, itemRouteOf } from './item-routes';
import { plannedProbes } from './plan-probes';
import { operationOf } from './prepare-step';
import { isSafe } from './run';
import type { Mode } from './run-result';
import { selectSteps, type Selection } from './selection';
import { takeShard, type Shard } from './shard';

/** What a run is going to do, known before anything is sent. */
export interface Plan {
  readonly baseUrl: string;
  readonly mode: Mode;
  readonly runId: string;
  readonly contracts: number;
  /** Steps by method, in the order of their number. */
  readonly methods: readonly { readonly method: string; readonly steps: number }[];
  /** The part of all contracts that this is; `undefined` for all. */
  readonly shard: Shard | undefined;
  /** Steps that the mode leaves out for certain; in mode `own` what the others would change is known only then. */
  readonly leftOut: number;
  /** Further steps that it leaves out because the key would be in their URL. */
  readonly keysInUrl: number;
  /** Ids of the operations that are called, in the order of the description. */
  readonly operations: readonly string[];
  /** Ids of the operations that are called without a good key as well. */
  readonly probed: readonly string[];
  /** The requests of that by method, about: rather too many than too few. */
  readonly probes: readonly { readonly method: string; readonly requests: number }[];
  readonly creations: readonly PlannedCreation[];
  /** File that creations are written down in before they are sent. */
  readonly ledger: string | undefined;
}

/** One kind of thing that a run makes, and how it goes away again. */
export interface PlannedCreation {
  readonly operation: string;
  readonly steps: number;
  /** `DELETE /books/{bookId}`; `undefined` when the description has no way to remove it. */
  readonly removal: string | undefined;
  /** How many of them stay all the same, as their steps say. */
  readonly staying: number;
}

export interface PlanInput {
  readonly api: ApiModel;
  readonly baseUrl: string;
  readonly mode: Mode;
  readonly runId: string;
  readonly selection?: Selection | undefined;
  readonly shard?: Shard | undefined;
  /** Left out: yes. */
  readonly probesAuth?: boolean | undefined;
  readonly ledgerFile?: string | undefined;
}

/** Operations that the chosen steps of contracts call, in the order of the description. */
export function operationsOf(
  { api, selection }: Pick<PlanInput, 'api' | 'selection'>,
  contracts: readonly Contract[],
): Operation[] {
  const steps = contracts.flatMap((contract) => [...selectSteps(api, contract, selection)]);
  const used = new Set(steps.map((step) => operationOf({ api }, step)));
  return api.operations.filter((operation) => used.has(operation));
}

/** Counts what contracts are going to send. */
export function planRun(input: PlanInput, all: readonly Contract[]): Plan {
  const { api, baseUrl, mode, runId, selection, shard, probesAuth, ledgerFile } = input;
  const contracts = takeShard(all, shard);
  const steps = contracts.flatMap((contract) => [...selectSteps(api, contract, selection)]);
  const calls = steps.map((step) => {
    const operation = operationOf({ api }, step);
    const method = step.request.kind === 'raw' ? step.request.method : (operation?.method ?? 'GET');
    const mayCreate = isCreation(api, operation) && step.expect.statuses.some((status) => status < 300);
    const mayChangeOwn = canBeCreated(api, operation, step.leaves) || operation?.path.includes('{') === true;
    return { step, operation, method, mayCreate, mayChangeOwn };
  });
  const allowed = calls.filter((call) => !isLeftOut(mode, call));
  const sent = allowed.filter(({ step }) => refusedInUrl(mode, step.auth) === undefined);
  const used = api.operations.filter((operation) => sent.some((call) => call.operation === operation));
  const generated = takeShard(operationsOf({ api, selection }, all), shard);
  const probes = probesAuth === false ? new Map<Operation, string[]>() : plannedProbes(api, mode, generated, sent);
  return {
    baseUrl,
    mode,
    runId,
    contracts: contracts.length,
    shard,
    methods: countMethods(sent.map(({ method }) => method)).map(([method, count]) => ({ method, steps: count })),
    leftOut: calls.length - allowed.length,
    keysInUrl: allowed.length - sent.length,
    operations: used.map(({ id }) => id),
    probed: [...probes.keys()].map(({ id }) => id),
    probes: countMethods([...probes.values()].flat()).map(([method, count]) => ({ method, requests: count })),
    creations: used.flatMap((operation) => {
      const own = sent.filter((call) => call.operation === operation && call.mayCreate);
      const staying = own.filter(({ step }) => step.leaves !== undefined).length;
      const removal = removalOf(api, operation);
      return own.length === 0 ? [] : [{ operation: operation.id, steps: own.length, removal, staying }];
    }),
    ledger: mode === 'observe' ? undefined : ledgerFile,
  };
}

/** In mode `own` a write with no variable in its path, which creates nothing, names nothing that the run made. */
function isLeftOut(
  mode: Mode,
  { method, mayChangeOwn }: { readonly method: string; readonly mayChangeOwn: boolean },
): boolean {
  if (mode === 'full' || isSafe(method)) return false;
  return mode === 'observe' || !mayChangeOwn;
}

function countMethods(methods: readonly string[]): [method: string, count: number][] {
  const counts = new Map<string, number>();
  for (const method of methods) counts.set(method, (counts.get(method) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left);
}

function removalOf(api: ApiModel, operation: Operation): string | undefined {
  const removal = itemRouteOf(api, operation)?.route.operations.get('DELETE');
  return removal === undefined ? undefined : `${removal.method} ${removal.path}`;
}

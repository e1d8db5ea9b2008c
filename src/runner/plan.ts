import type { Contract } from '../formats/contract';
import type { ApiModel, Operation } from '../openapi/model';
import { isSecured } from './credentials';
import { isCreation, itemRouteOf } from './item-routes';
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
  /** Steps that the mode leaves out for certain. */
  readonly leftOut: number;
  /** Ids of the operations that are called, in the order of the description. */
  readonly operations: readonly string[];
  /** Ids of the secured operations, each of which is probed without a good key. */
  readonly probed: readonly string[];
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
  readonly ledgerFile?: string | undefined;
}

/** Counts what contracts are going to send. */
export function planRun(input: PlanInput, all: readonly Contract[]): Plan {
  const { api, baseUrl, mode, runId, selection, shard, ledgerFile } = input;
  const contracts = takeShard(all, shard);
  const steps = contracts.flatMap((contract) => [...selectSteps(api, contract, selection)]);
  const calls = steps.map((step) => {
    const operation = operationOf({ api }, step);
    const method = step.request.kind === 'raw' ? step.request.method : (operation?.method ?? 'GET');
    const mayCreate = isCreation(api, operation) && step.expect.statuses.some((status) => status < 300);
    return { step, operation, method, mayCreate };
  });
  const sent = mode === 'observe' ? calls.filter(({ method }) => isSafe(method)) : calls;
  const used = api.operations.filter((operation) => sent.some((call) => call.operation === operation));
  return {
    baseUrl,
    mode,
    runId,
    contracts: contracts.length,
    methods: countMethods(sent.map(({ method }) => method)),
    leftOut: calls.length - sent.length,
    operations: used.map(({ id }) => id),
    probed: used.filter(isSecured).map(({ id }) => id),
    creations: used.flatMap((operation) => {
      const own = sent.filter((call) => call.operation === operation && call.mayCreate);
      const staying = own.filter(({ step }) => step.leaves !== undefined).length;
      const removal = removalOf(api, operation);
      return own.length === 0 ? [] : [{ operation: operation.id, steps: own.length, removal, staying }];
    }),
    ledger: ledgerFile,
  };
}

function countMethods(methods: readonly string[]): Plan['methods'] {
  const counts = new Map<string, number>();
  for (const method of methods) counts.set(method, (counts.get(method) ?? 0) + 1);
  return [...counts].map(([method, steps]) => ({ method, steps })).sort((left, right) => right.steps - left.steps);
}

function removalOf(api: ApiModel, operation: Operation): string | undefined {
  const removal = itemRouteOf(api, operation)?.route.operations.get('DELETE');
  return removal === undefined ? undefined : `${removal.method} ${removal.path}`;
}

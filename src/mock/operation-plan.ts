import { findResponse } from '../openapi/find-response';
import type { ApiModel, Operation, ResponseSpec } from '../openapi/model';
import { lifecycleHeaders, type LifecycleHeaders } from './lifecycle-headers';
import type { BehaviourKind, Resource } from './resource';

/** What is known of an operation before any request: worked out once, used on each. */
export interface OperationPlan {
  readonly operation: Operation;
  readonly behaviour: { readonly kind: BehaviourKind; readonly resource: Resource } | undefined;
  /** Documented response of a success. */
  readonly success: ResponseSpec | undefined;
  readonly successStatus: number;
  /** Documented response for `Prefer: return=minimal`. */
  readonly minimalStatus: number | undefined;
  readonly lifecycle: LifecycleHeaders | undefined;
  /** Media types that the success response offers. */
  readonly offered: readonly string[];
  readonly idempotencyHeader: boolean;
  response(status: number): ResponseSpec | undefined;
}

/** What each behaviour answers with when the description leaves the choice. */
const USUAL_STATUS: Readonly<Record<BehaviourKind, number>> = {
  list: 200,
  create: 201,
  read: 200,
  replace: 200,
  update: 200,
  remove: 204,
};

export function planOperations(
  api: ApiModel,
  resources: readonly Resource[],
  docsPath: string | undefined,
): ReadonlyMap<Operation, OperationPlan> {
  const behaviours = new Map<Operation, { kind: BehaviourKind; resource: Resource }>();
  for (const resource of resources) {
    for (const [operation, kind] of resource.operations) behaviours.set(operation, { kind, resource });
  }
  return new Map(api.operations.map((operation) => [operation, plan(operation, behaviours.get(operation), docsPath)]));
}

function plan(
  operation: Operation,
  behaviour: OperationPlan['behaviour'],
  docsPath: string | undefined,
): OperationPlan {
  const successStatus = chooseStatus(operation, behaviour?.kind);
  const success = findResponse(operation, successStatus);
  const responses = new Map<number, ResponseSpec | undefined>();
  return {
    operation,
    behaviour,
    success,
    successStatus,
    minimalStatus: minimalStatus(operation, behaviour?.kind),
    lifecycle: lifecycleHeaders(operation, docsPath),
    offered: success?.mediaTypes ?? [],
    idempotencyHeader: operation.parameters.some(
      ({ in: place, key }) => place === 'header' && key === 'idempotency-key',
    ),
    response(status) {
      if (!responses.has(status)) responses.set(status, findResponse(operation, status));
      return responses.get(status);
    },
  };
}

/** The usual status where it is documented, else the lowest 2xx, else 200. */
function chooseStatus(operation: Operation, kind: BehaviourKind | undefined): number {
  const usual = kind === undefined ? 200 : USUAL_STATUS[kind];
  if (operation.responses.has(String(usual))) return usual;
  const documented = [...operation.responses.keys()].filter((status) => /^2\d\d$/.test(status)).sort();
  return documented[0] === undefined ? usual : Number(documented[0]);
}

function minimalStatus(operation: Operation, kind: BehaviourKind | undefined): number | undefined {
  if (kind === 'create') return chooseStatus(operation, kind);
  if (kind !== 'replace' && kind !== 'update') return undefined;
  return operation.responses.has('204') ? 204 : undefined;
}

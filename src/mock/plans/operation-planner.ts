import { getOrCreate, once } from '../../core/text/memoize';
import { findSendableResponse } from '../../openapi/view/responses';
import type { Operation, ResponseSpec } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { chooseResponseContent, examplesOf, offeredTypes } from '../../payload/content-choice';
import { sequenceKind } from '../../payload/media-body';
import { declaredHeaders, type DeclaredHeader } from '../../payload/response-headers';
import { acceptModeOf, type Overrides } from '../../resources/overrides/statements';
import { returnsFile } from '../../openapi/view/operation-bodies';
import { parseTemplate } from '../../openapi/view/path-template';
import { plainShape } from '../../lists/body-shape';
import type { Behaviour, Binding, EachItem, ResourceModel } from '../../resources/model/binding';
import { planParentItem } from '../calls/parent-items';
import { planExamplePairs } from './example-pairs';
import { planBodyEcho, planKeyEcho } from './request-echo';
import { planBody } from './body-plan';
import { planInput } from './input-plan';
import { signInOf } from '../../security/issued-credentials';
import {
  documentsHeader,
  documentsSuccess,
  lifecycleHeaders,
  minimalStatus,
  planCookie,
  successStatusOf,
  takesIfMatch,
} from './documented-responses';
import { planList } from '../lists/list-plan';
import { planListHeaders } from '../lists/page-metadata';
import { planServerValues } from '../fitting/server-values';
import { planSettledItem } from './settled-item';
import { creationHints } from '../fitting/new-item-hints';
import { planSinglePage } from '../lists/single-page';
import { CONTENT, fileEndpoints, findItemPaths, type ItemPaths, takesFiles } from '../state/item-paths';
import { type ParentLookup, planScope } from '../calls/call';
import type { Resource } from '../state/prepared-resource';
import type { SampleSchema } from '../fitting/schema-fitting';
import { taskKinds, taskLocations, type TaskKind, type TaskLocation } from './task-resources';
import { ENTRY, type OperationPlan, type PlannedBehaviour, type ResponseSource } from './operation-plan';

export interface PlanInput {
  readonly api: ApiModel;
  readonly model: ResourceModel;
  /** {@link ResourceModel.resources}, as they were made ready to be used. */
  readonly resources: readonly Resource[];
  /** Path of the page that shows the description, when one is served. */
  readonly docsPath: string | undefined;
  readonly sample: SampleSchema;
  readonly overrides: Overrides;
  readonly parents: ParentLookup;
}

/** The plan of each operation of a description, made when the operation is first asked for. */
export class OperationPlans {
  private readonly input: PlanInput;
  private readonly byPath: ReadonlyMap<string, Resource>;
  private readonly places: ItemPaths;
  private readonly tasks: () => readonly TaskKind[];
  private readonly known = new Map<Operation, OperationPlan>();

  constructor(input: PlanInput) {
    this.input = input;
    this.byPath = new Map(input.resources.map((resource) => [resource.path, resource]));
    this.places = findItemPaths(input.model);
    this.tasks = once(() => taskKinds(input.api, input.model, input.resources));
  }

  get(operation: Operation): OperationPlan {
    return this.known.get(operation) ?? this.make(operation);
  }

  private make(operation: Operation): OperationPlan {
    const binding = this.input.model.bindings.get(operation);
    const resource = binding === undefined ? undefined : this.byPath.get(binding.resource.path);
    const tasks = planTasks(this.input.api, operation, this.tasks);
    const made = { ...plan(this.input, operation, binding, resource, this.places), tasks };
    this.known.set(operation, made);
    return made;
  }

  all(): OperationPlan[] {
    return this.input.api.operations.map((operation) => this.get(operation));
  }
}

function plan(
  input: PlanInput,
  operation: Operation,
  binding: Binding | undefined,
  resource: Resource | undefined,
  places: ItemPaths,
): Omit<OperationPlan, 'tasks'> {
  const successStatus = successStatusOf(operation, binding?.behaviour);
  const success = findSendableResponse(operation, successStatus);
  const responses = new Map<number, ResponseSpec | undefined>();
  const behaviour =
    binding === undefined || resource === undefined ? undefined : planBehaviour(input, binding, resource, success);
  const template = input.model.templateOf(operation) ?? parseTemplate(operation.path);
  const parentItem = planParentItem(operation, behaviour?.binding, places, input.resources, template, input.parents);
  return {
    operation,
    behaviour,
    parentItem,
    nearestItem: once(() => planParentItem(operation, undefined, places, input.resources, template, input.parents)),
    file: fileEndpoints(input.api, input.model).get(operation),
    responseSource: planResponseSource(input.model, operation, binding, success),
    success,
    successStatus,
    ...(behaviour === undefined
      ? planWithoutState(input, operation, success)
      : planBesideState(input, behaviour.binding, success)),
    expandedBy: operation.parameters.flatMap(({ in: place, name }) =>
      place === 'query' && EXPANDS.test(name) ? [name] : [],
    ),
    createdStatus: operation.responses.has('201') ? 201 : successStatus,
    foundStatus: operation.responses.has('200') ? 200 : successStatus,
    minimalStatus: minimalStatus(operation, binding?.behaviour),
    lifecycle: lifecycleHeaders(operation, input.docsPath),
    offered: offeredTypes(success),
    stream: success?.mediaTypes.find((mediaType) => sequenceKind(mediaType) === 'events'),
    accept: acceptModeOf(input.api, operation, input.overrides),
    idempotencyHeader: documentsHeader(operation, 'idempotency-key'),
    signIn: signInOf(operation),
    cookie: planCookie(input.api, operation, success),
    requiredHeaders: planHeaders(input.api, operation),
    response(status) {
      if (!responses.has(status)) responses.set(status, findSendableResponse(operation, status));
      return responses.get(status);
    },
  };
}

/** What makes a response of the description fit its request. */
type WithoutState = Pick<OperationPlan, 'singlePage' | 'requestEcho' | 'findExamplePair'>;

/** A response that is no item, or tells of what was done with one, may tell of its request. */
function planBesideState(
  { api }: PlanInput,
  { operation, response, behaviour, resource }: Binding,
  success: ResponseSpec | undefined,
): WithoutState {
  const isItem = response?.item?.pointer === resource.schema.pointer;
  const tells = response === undefined || (behaviour === 'act' && !isItem);
  return {
    singlePage: undefined,
    requestEcho: tells ? planBodyEcho(api, operation, success) : undefined,
    findExamplePair: undefined,
  };
}

function planWithoutState(
  { api, sample }: PlanInput,
  operation: Operation,
  success: ResponseSpec | undefined,
): WithoutState {
  return {
    singlePage: planSinglePage(api, operation, success, sample),
    requestEcho: planBodyEcho(api, operation, success) ?? planKeyEcho(api, operation, success),
    findExamplePair: planExamplePairs(api, operation, success),
  };
}

function planTasks(api: ApiModel, operation: Operation, kinds: () => readonly TaskKind[]): OperationPlan['tasks'] {
  if (!WRITES.has(operation.method)) return NO_TASKS;
  return once(() =>
    taskLocations(api, kinds(), findSendableResponse(operation, successStatusOf(operation, undefined))),
  );
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const NO_TASKS = (): readonly TaskLocation[] => [];

/** Worked out for a status when it is first answered with. */
function planHeaders(api: ApiModel, operation: Operation): OperationPlan['requiredHeaders'] {
  const isAnyRequired = [...operation.responses.values()].some(({ headers }) =>
    [...headers.values()].some(({ required }) => required),
  );
  if (!isAnyRequired) return undefined;
  const known = new Map<number, readonly DeclaredHeader[]>();
  return (status) =>
    getOrCreate(known, status, () => {
      const response = findSendableResponse(operation, status);
      return response === undefined ? [] : declaredHeaders(api, response).filter(({ isRequired }) => isRequired);
    });
}

function planBehaviour(
  input: PlanInput,
  binding: Binding,
  resource: Resource,
  success: ResponseSpec | undefined,
): PlannedBehaviour {
  const { api, model, resources, sample, parents } = input;
  const { bulk } = binding;
  const bindingsOfResource = (): readonly Binding[] =>
    [...model.bindings.values()].filter((other) => other.resource === binding.resource);
  return {
    kind: binding.behaviour,
    resource,
    binding,
    scope: planScope(binding, resource, resources, parents),
    input: planInput(api, binding, resource),
    serverValues: planServerValues(api, resource, sample, creationHints(api, binding, bindingsOfResource)),
    settle: planSettledItem(api, resource, bindingsOfResource),
    list: planList(api, binding, resource),
    listHeaders: planListHeaders(success, binding.parameters),
    takesIfMatch: takesIfMatch(binding, model.bindings.values()),
    fileMember:
      fileEndpoints(api, model).get(binding.operation)?.member ?? (takesFiles([binding]) ? CONTENT : undefined),
    readsFile: binding.behaviour === 'read' && resource.hidden.has(CONTENT) && returnsFile(binding.operation),
    body: planBody({ api, binding, resource, success, sample }),
    many:
      bulk === undefined
        ? undefined
        : planBehaviour(input, { ...binding, ...bulk, behaviour: 'create-many', bulk: undefined }, resource, success),
    one: planEntry(input, binding, resource, success, ({ effect }) => (effect === 'upsert' ? 'update' : effect)),
    oneMade: planEntry(input, binding, resource, success, ({ effect }) => (effect === 'upsert' ? 'create' : undefined)),
  };
}

function planEntry(
  input: PlanInput,
  { each, ...binding }: Binding,
  resource: Resource,
  success: ResponseSpec | undefined,
  behaviourOf: (each: EachItem) => Behaviour | undefined,
): PlannedBehaviour | undefined {
  const behaviour = each === undefined ? undefined : behaviourOf(each);
  if (each === undefined || behaviour === undefined) return undefined;
  const item = each.entry ?? resource.schema;
  const request = plainShape('item', item, item, [ENTRY]);
  return planBehaviour(input, { ...binding, each: undefined, behaviour, request }, resource, success);
}

function planResponseSource(
  model: ResourceModel,
  operation: Operation,
  binding: Binding | undefined,
  success: ResponseSpec | undefined,
): ResponseSource {
  if (binding !== undefined) return { from: 'state', behaviour: binding.behaviour, resource: binding.resource.path };
  const why = model.unboundReasons.get(operation) ?? 'no resource was found behind it';
  if (success === undefined && !documentsSuccess(operation))
    return { from: 'no-body', why: `${why}; no success is documented` };
  const content = chooseResponseContent(success);
  if (content === undefined) return { from: 'no-body', why };
  return { from: examplesOf(content).length > 0 ? 'example' : 'schema', why };
}

/** Names of parameters, and of properties of bodies, that say what to show whole. */
export const EXPANDS = /^(?:expands?|includes?|embed|with|populate|relations)$/i;

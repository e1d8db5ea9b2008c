import { createHash } from 'node:crypto';
import { once } from '../http/memo';
import { findSendable } from '../openapi/find-response';
import type { ApiModel, Operation, ResponseSpec } from '../openapi/model';
import { valueAt } from '../openapi/source-document';
import { chooseContent, offeredTypes } from '../payload/choose-content';
import { examplesOf } from '../payload/choose-example';
import { sequenceKind } from '../payload/media-body';
import { declaredHeaders, type DeclaredHeader } from '../payload/response-headers';
import { acceptModeOf } from '../resources/accept-statements';
import { answersFile } from '../resources/files';
import { parseTemplate } from '../resources/path-template';
import type { Behaviour, Binding, ResourceModel } from '../resources/resource-model';
import type { AcceptMode, Overrides } from '../resources/statements';
import { planAbove, type Above } from './above';
import { planAskedKey } from './asked-key';
import { planBody, type BodyPlan } from './body-plan';
import { expandParameters } from './expand-answer';
import { planInput, type InputPlan } from './input-plan';
import { signInOf, type SignIn } from './issued-credentials';
import { documentsHeader, takesIfMatch } from './conditional-writes';
import { lifecycleHeaders, type LifecycleHeaders } from './lifecycle-headers';
import { planList, type ListPlan } from './list-plan';
import { planMaking, type MakingPlan } from './making-plan';
import { creationOf } from './new-item/creation';
import { planOnlyPage, type TellOnlyPage } from './only-page';
import { planOverlay, type OverlaySent } from './overlay-sent';
import { CONTENT, filePlaces, takesFiles, type FilePlace } from './file-places';
import { itemPlaces, type ItemPlaces } from './item-places';
import type { Parents } from './parents';
import type { Resource } from './resource';
import type { SampleSchema } from './sample-schema';
import { planScope, type ScopeReader } from './scope';
import { taskKinds, taskPlaces, type TaskKind, type TaskPlace } from './task-kind';
import { documentsSuccess, successStatusOf } from './success';

/** What is known of an operation before any request: worked out once, used on each. */
export interface OperationPlan {
  readonly operation: Operation;
  /** What it does with stored items; `undefined` for an operation that no state stands behind. */
  readonly behaviour: PlannedBehaviour | undefined;
  /** An item without which it answers 404; `undefined` where its behaviour looks at all of them. */
  readonly above: Above | undefined;
  /** The file that it answers, takes or removes, kept beside an item. */
  readonly file: FilePlace | undefined;
  /** How it will be answered, for people and reports. */
  readonly answer: AnswerPlan;
  /** Documented response of a success. */
  readonly success: ResponseSpec | undefined;
  readonly successStatus: number;
  /** What an answer from the description tells of pages, put right; `undefined` where a state answers. */
  readonly onlyPage: TellOnlyPage | undefined;
  /** Names of query parameters that say what to show whole. */
  readonly expandedBy: readonly string[];
  /** What was sent, in such an answer of a write. */
  readonly overlay: OverlaySent | undefined;
  /** Where the answer of a write has tasks that are read elsewhere. */
  readonly tasks: () => readonly TaskPlace[];
  /** The item that such a task is about: that which the path names on its way. */
  readonly about: () => Above | undefined;
  /** Status for an item that an upsert made. */
  readonly createdStatus: number;
  /** Documented response for `Prefer: return=minimal`. */
  readonly minimalStatus: number | undefined;
  readonly lifecycle: LifecycleHeaders | undefined;
  /** Media types that the success response offers, the one that is answered with by itself first. */
  readonly offered: readonly string[];
  /** How its requests are taken; `undefined` where nothing is said. */
  readonly accept: AcceptMode | undefined;
  /** Key of the event stream that the success offers beside other types. */
  readonly stream: string | undefined;
  readonly idempotencyHeader: boolean;
  /** Does it sign somebody in or out? */
  readonly signIn: SignIn;
  /** Value of the `Set-Cookie` that the success documents. */
  readonly cookie: string | undefined;
  /** The headers that an answer of a status must have, each with a value; `undefined` where none must. */
  readonly requiredHeaders: ((status: number) => readonly DeclaredHeader[]) | undefined;
  response(status: number): ResponseSpec | undefined;
}

/** A binding together with everything about it that no request changes. */
export interface PlannedBehaviour {
  readonly kind: Behaviour;
  readonly resource: Resource;
  readonly binding: Binding;
  readonly scope: ScopeReader;
  readonly input: InputPlan;
  readonly making: MakingPlan;
  readonly list: ListPlan;
  /** Is a request refused whose If-Match does not name the item as it is? */
  readonly takesIfMatch: boolean;
  /** The member that keeps a file that is sent; `undefined` where a file is nothing to the items. */
  readonly fileMember: string | undefined;
  /** Is the file that an item is made of all that is read of it? */
  readonly readsFile: boolean;
  /** How the body of a success is written. */
  readonly body: BodyPlan;
  /** The same for a list of items, where one item may be sent as well. */
  readonly many: PlannedBehaviour | undefined;
}

/** Where the answers of an operation come from. */
export type AnswerPlan =
  | { readonly from: 'state'; readonly behaviour: Behaviour; readonly resource: string }
  /**
   * An example of the description, else a body that is made up from the schema. Whether its schema allows the example
   * is not looked at here: `PayloadSource.originOf` tells.
   */
  | { readonly from: 'example' | 'schema'; readonly why: string }
  | { readonly from: 'no-body'; readonly why: string };

/** What {@link OperationPlans} works with. */
export interface PlanInput {
  readonly api: ApiModel;
  readonly model: ResourceModel;
  /** {@link ResourceModel.resources}, as they were made ready to be used. */
  readonly resources: readonly Resource[];
  /** Path of the page that shows the description, when one is served. */
  readonly docsPath: string | undefined;
  readonly sample: SampleSchema;
  readonly overrides: Overrides;
  readonly parents: Parents;
}

/** The plan of each operation of a description, made when the operation is first asked for. */
export class OperationPlans {
  private readonly input: PlanInput;
  private readonly byPath: ReadonlyMap<string, Resource>;
  private readonly places: ItemPlaces;
  private readonly tasks: () => readonly TaskKind[];
  private readonly known = new Map<Operation, OperationPlan>();

  constructor(input: PlanInput) {
    this.input = input;
    this.byPath = new Map(input.resources.map((resource) => [resource.path, resource]));
    this.places = itemPlaces(input.model);
    this.tasks = once(() => taskKinds(input.api, input.model, input.resources));
  }

  get(operation: Operation): OperationPlan {
    let known = this.known.get(operation);
    if (known === undefined) {
      const binding = this.input.model.bindings.get(operation);
      const resource = binding === undefined ? undefined : this.byPath.get(binding.resource.path);
      known = {
        ...plan(this.input, operation, binding, resource, this.places),
        tasks: planTasks(this.input.api, operation, this.tasks),
      };
      this.known.set(operation, known);
    }
    return known;
  }

  /** Of every operation, in the order of the document. */
  all(): OperationPlan[] {
    return this.input.api.operations.map((operation) => this.get(operation));
  }
}

function plan(
  input: PlanInput,
  operation: Operation,
  binding: Binding | undefined,
  resource: Resource | undefined,
  places: ItemPlaces,
): Omit<OperationPlan, 'tasks'> {
  const successStatus = successStatusOf(operation, binding?.behaviour);
  const success = findSendable(operation, successStatus);
  const responses = new Map<number, ResponseSpec | undefined>();
  const behaviour =
    binding === undefined || resource === undefined ? undefined : planBehaviour(input, binding, resource, success);
  const template = input.model.templateOf(operation) ?? parseTemplate(operation.path);
  const above = planAbove(operation, behaviour?.binding, places, input.resources, template, input.parents);
  return {
    operation,
    behaviour,
    above,
    about: once(() => planAbove(operation, undefined, places, input.resources, template, input.parents)),
    file: filePlaces(input.api, input.model).get(operation),
    answer: planAnswer(input.model, operation, binding, success),
    success,
    successStatus,
    onlyPage: behaviour === undefined ? planOnlyPage(input.api, operation, success, input.sample) : undefined,
    expandedBy: expandParameters(operation),
    overlay: behaviour === undefined ? planAnswered(input.api, operation, success) : undefined,
    createdStatus: operation.responses.has('201') ? 201 : successStatus,
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
      if (!responses.has(status)) responses.set(status, findSendable(operation, status));
      return responses.get(status);
    },
  };
}

/** What a request says, in an answer that no state stands behind. */
function planAnswered(api: ApiModel, operation: Operation, success: ResponseSpec | undefined): OverlaySent | undefined {
  return planOverlay(api, operation, success) ?? planAskedKey(api, operation, success);
}

function planTasks(api: ApiModel, operation: Operation, kinds: () => readonly TaskKind[]): OperationPlan['tasks'] {
  if (!WRITES.has(operation.method)) return NO_TASKS;
  return once(() => taskPlaces(api, kinds(), findSendable(operation, successStatusOf(operation, undefined))));
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const NO_TASKS = (): readonly TaskPlace[] => [];

/** The example of the header where that is a cookie, else one of the name that the description looks for (RFC 6265 §4.1). */
function planCookie(api: ApiModel, { id }: Operation, success: ResponseSpec | undefined): string | undefined {
  const header = success?.headers.get('set-cookie');
  if (header === undefined) return undefined;
  const shown = [valueAt(api.document, `${header.pointer}/example`), header.schema?.value['example']];
  const cookie = shown.find((value) => typeof value === 'string' && /^[^=;\s]+=[\x20-\x7e]*$/.test(value));
  if (typeof cookie === 'string') return cookie;
  const scheme = [...api.securitySchemes.values()].find(
    ({ type, in: place }) => type === 'apiKey' && place === 'cookie',
  );
  const token = createHash('sha256').update(id).digest('hex').slice(0, 32);
  return `${scheme?.parameterName ?? 'session'}=${token}; Path=/; HttpOnly`;
}

/** Worked out for a status when it is first answered with. */
function planHeaders(api: ApiModel, operation: Operation): OperationPlan['requiredHeaders'] {
  const isAnyRequired = [...operation.responses.values()].some(({ headers }) =>
    [...headers.values()].some(({ required }) => required),
  );
  if (!isAnyRequired) return undefined;
  const known = new Map<number, readonly DeclaredHeader[]>();
  return (status) => {
    let headers = known.get(status);
    if (headers === undefined) {
      const response = findSendable(operation, status);
      headers = response === undefined ? [] : declaredHeaders(api, response).filter(({ isRequired }) => isRequired);
      known.set(status, headers);
    }
    return headers;
  };
}

function planBehaviour(
  input: PlanInput,
  binding: Binding,
  resource: Resource,
  success: ResponseSpec | undefined,
): PlannedBehaviour {
  const { api, model, resources, sample, parents } = input;
  const { many } = binding;
  const bindingsOfResource = (): readonly Binding[] =>
    [...model.bindings.values()].filter((other) => other.resource === binding.resource);
  return {
    kind: binding.behaviour,
    resource,
    binding,
    scope: planScope(binding, resource, resources, parents),
    input: planInput(api, binding, resource),
    making: planMaking(api, resource, sample, creationOf(api, binding, bindingsOfResource)),
    list: planList(binding, resource),
    takesIfMatch: takesIfMatch(binding, model.bindings.values()),
    fileMember: filePlaces(api, model).get(binding.operation)?.member ?? (takesFiles([binding]) ? CONTENT : undefined),
    readsFile: binding.behaviour === 'read' && resource.hidden.has(CONTENT) && answersFile(binding.operation),
    body: planBody({ api, binding, resource, success, sample }),
    many:
      many === undefined
        ? undefined
        : planBehaviour(input, { ...binding, ...many, behaviour: 'create-many', many: undefined }, resource, success),
  };
}

function planAnswer(
  model: ResourceModel,
  operation: Operation,
  binding: Binding | undefined,
  success: ResponseSpec | undefined,
): AnswerPlan {
  if (binding !== undefined) return { from: 'state', behaviour: binding.behaviour, resource: binding.resource.path };
  const why = model.unbound.get(operation) ?? 'no resource was found behind it';
  if (!documentsSuccess(operation)) return { from: 'no-body', why: `${why}; no success is documented` };
  const content = chooseContent(success);
  if (content === undefined) return { from: 'no-body', why };
  return { from: examplesOf(content).length > 0 ? 'example' : 'schema', why };
}

function minimalStatus(operation: Operation, kind: Behaviour | undefined): number | undefined {
  if (kind === 'create') return successStatusOf(operation, kind);
  if (kind !== 'replace' && kind !== 'update' && kind !== 'upsert') return undefined;
  return operation.responses.has('204') ? 204 : undefined;
}

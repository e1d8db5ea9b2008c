import type { Operation } from '../../openapi/model/operation';
import { reasonNotStored } from './unkept-resources';
import { requestSchema, successSchema } from '../../openapi/view/operation-bodies';
import { type BodyShape, itemShape, listShape, shapeContaining } from '../../lists/body-shape';
import {
  type FindDraft,
  type Inference,
  operationLabel,
  type OperationUse,
  parentCollection,
  type ResourceDraft,
  toOperationUse,
} from '../drafts/draft';
import { type OperationStatement, schemaHint } from '../overrides/statements';
import { lastLiteral, parseTemplate } from '../../openapi/view/path-template';
import type { Action, Behaviour, PropertyAssignment } from '../model/binding';
import { effectOf, timestampsOf } from '../actions/verb-effects';
import type { InferencePass } from '../drafts/draft-model';

export const statelessResources: InferencePass = {
  id: 'stateless',
  reason: 'after merging, so that a declaration drops the whole store; before anything is bound to what is dropped',
  run: (inference, { drafts, reasons }) => {
    dropStateless(inference, drafts, reasons);
  },
};

export const statedBehaviours: InferencePass = {
  id: 'stated-behaviours',
  reason: 'before unkept resources are dropped: a declared use is one of the signs of a resource',
  run: (inference, { drafts, merged }) => {
    bindStated(inference, drafts, (shape) => drafts.get(shape) ?? merged.get(shape));
  },
};

/** Takes away what is said to be without state, and says so of each operation. */
function dropStateless(
  { api, statements }: Inference,
  drafts: Map<string, ResourceDraft>,
  reasons: Map<Operation, string>,
): void {
  for (const [shape, draft] of drafts) {
    const hint = statements.resource(shape) ?? schemaHint(draft.schema);
    if (hint?.isStateless !== true) continue;
    for (const { operation } of draft.uses)
      reasons.set(operation, `it is said to be without state: ${hint.evidence.text}`);
    drafts.delete(shape);
  }
  for (const operation of api.operations) {
    const statement = statements.operation(operation);
    if (statement?.isStateless !== true) continue;
    reasons.set(operation, `it is said to be without state: ${statement.evidence.text}`);
    for (const draft of drafts.values()) removeUse(draft, operation);
  }
}

/**
 * Binds the operations of which it is said what they do.
 *
 * @param draftAt - finds a resource by the shape of its path
 */
function bindStated(
  inference: Inference,
  drafts: ReadonlyMap<string, ResourceDraft>,
  draftAt: (shape: string) => ResourceDraft | undefined,
): void {
  for (const operation of inference.api.operations) {
    const statement = inference.statements.operation(operation);
    if (statement === undefined || statement.isStateless) continue;
    const holder = [...drafts.values()].find(({ uses }) => uses.some((use) => use.operation === operation));
    const shape = statement.resource === undefined ? undefined : parseTemplate(statement.resource)?.shape;
    const draft = shape === undefined ? draftFor(inference, operation, holder, draftAt) : draftAt(shape);
    bindOne(inference, operation, statement, holder, draft);
  }
}

/**
 * What an operation is about whose resource is not said: what it is bound to, unless that turns out to be nothing that
 * is stored, else the collection above. Where its path is read, it may belong to a record of its own.
 */
function draftFor(
  { index, statements }: Inference,
  operation: Operation,
  holder: ResourceDraft | undefined,
  draftAt: FindDraft,
): ResourceDraft | undefined {
  const isStored = (draft: ResourceDraft): boolean =>
    statements.resource(draft.template.shape) !== undefined || reasonNotStored(draft) === undefined;
  const template = index.templateOf(operation);
  if (template === undefined || (holder !== undefined && isStored(holder))) return holder;
  const isGet = (each: Operation): boolean => index.methodOf(each) === 'GET';
  const isRead = index.nodes.get(template.shape)?.operations.some(isGet) === true;
  if (isRead && !isGet(operation)) return holder;
  const find: FindDraft = (shape) => {
    const draft = draftAt(shape);
    return draft !== undefined && isStored(draft) ? draft : undefined;
  };
  return parentCollection(template, find)?.draft ?? holder;
}

/** @param holder - what the operation was bound to already */
function bindOne(
  inference: Inference,
  operation: Operation,
  { behaviour, sets }: OperationStatement,
  holder: ResourceDraft | undefined,
  draft: ResourceDraft | undefined,
): void {
  const known = holder?.uses.find((use) => use.operation === operation)?.behaviour;
  const assumed = sets !== undefined && (draft !== holder || known === undefined) ? 'act' : known;
  const wanted = behaviour ?? assumed;
  const isTold = draft === holder && wanted === known && sets === undefined;
  if (draft === undefined || wanted === undefined || isTold) return;
  removeUse(holder, operation);
  draft.uses.push(statedUse(inference, operation, draft, wanted));
}

/** Where it is said what is set, nothing is guessed. */
function statedEffect(
  { view }: Inference,
  said: readonly PropertyAssignment[] | undefined,
  verb: string,
  { schema }: ResourceDraft,
): Pick<Action, 'assignments' | 'timestamps'> {
  if (said !== undefined) return { assignments: said, timestamps: [] };
  const properties = view.properties(schema);
  const guessed = effectOf(verb, properties);
  return { assignments: guessed === undefined ? [] : [guessed], timestamps: timestampsOf(verb, properties) };
}

function removeUse(holder: ResourceDraft | undefined, operation: Operation): void {
  const index = holder?.uses.findIndex((use) => use.operation === operation) ?? -1;
  if (index >= 0) holder?.uses.splice(index, 1);
}

const ON_ITEM: ReadonlySet<Behaviour> = new Set(['read', 'replace', 'update', 'upsert', 'remove', 'act']);

function statedUse(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  behaviour: Behaviour,
): OperationUse {
  const statement = inference.statements.operation(operation);
  const segments = inference.index.templateOf(operation)?.segments ?? [];
  const lastVariable = segments.findLastIndex(({ kind }) => kind === 'variable');
  const isOnItem = draft.kind === 'collection' && ON_ITEM.has(behaviour) && lastVariable >= 0;
  const depth = isOnItem ? lastVariable : segments.length;
  const verb = lastLiteral(segments);
  const effect = statedEffect(inference, statement?.sets, verb, draft);
  const { request, response } = bodiesOf(inference, operation, draft, behaviour);
  const text = `is said to be "${behaviour}": ${statement?.evidence.text ?? operationLabel(operation)}`;
  return toOperationUse(inference, operation, behaviour, {
    depth,
    isOnItem,
    request,
    response,
    confidence: 'stated',
    text,
    ...(behaviour === 'act' ? { action: { verb, ...effect, mergesBody: request !== undefined } } : {}),
  });
}

function bodiesOf(
  { view }: Inference,
  operation: Operation,
  draft: ResourceDraft,
  behaviour: Behaviour,
): { request: BodyShape | undefined; response: BodyShape | undefined } {
  const name = lastLiteral(draft.template.segments);
  const answered = successSchema(operation);
  const taken = requestSchema(operation);
  const isList = behaviour === 'list' || behaviour === 'clear';
  return {
    request:
      behaviour === 'read' || behaviour === 'remove' || isList
        ? undefined
        : (shapeContaining(view, taken, draft.schema, name) ?? itemShape(view, taken, name)),
    response: isList ? listShape(view, answered, name) : shapeContaining(view, answered, draft.schema, name),
  };
}

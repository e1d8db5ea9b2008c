import type { Operation } from '../openapi/model';
import { refusal } from './acceptance';
import { requestSchema, successSchema } from './bodies';
import { itemShape, listShape, shapeHolding } from './body-shape';
import { toUse } from './collections';
import { nameOf, type Inference, type ResourceDraft, type Use } from './draft';
import { schemaHint } from './hints';
import { lastLiteral, parseTemplate } from './path-template';
import type { Action, Behaviour, BodyShape, SetMember } from './resource-model';
import type { OperationStatement } from './statements';
import { effectOf, stampedBy } from './verbs';
import { draftAbove, type FindDraft } from './views';

/** Takes away what is said to be without state, and says so of each operation. */
export function dropStateless(
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
export function bindStated(
  inference: Inference,
  drafts: ReadonlyMap<string, ResourceDraft>,
  draftAt: (shape: string) => ResourceDraft | undefined,
): void {
  for (const operation of inference.api.operations) {
    const statement = inference.statements.operation(operation);
    if (statement === undefined || statement.isStateless) continue;
    const holder = [...drafts.values()].find(({ uses }) => uses.some((use) => use.operation === operation));
    const shape = statement.resource === undefined ? undefined : parseTemplate(statement.resource)?.shape;
    const draft = shape === undefined ? draftMeant(inference, operation, holder, draftAt) : draftAt(shape);
    bindOne(inference, operation, statement, holder, draft);
  }
}

/**
 * What an operation is about whose resource is not said: what it is bound to, unless that turns out to be nothing that
 * is kept, else the collection above. Where its path is read, it may belong to a record of its own.
 */
function draftMeant(
  { index, statements }: Inference,
  operation: Operation,
  holder: ResourceDraft | undefined,
  draftAt: FindDraft,
): ResourceDraft | undefined {
  const isKept = (draft: ResourceDraft): boolean =>
    statements.resource(draft.template.shape) !== undefined || refusal(draft) === undefined;
  const template = index.templateOf(operation);
  if (template === undefined || (holder !== undefined && isKept(holder))) return holder;
  const isGet = (each: Operation): boolean => index.methodOf(each) === 'GET';
  const isRead = index.nodes.get(template.shape)?.operations.some(isGet) === true;
  if (isRead && !isGet(operation)) return holder;
  const find: FindDraft = (shape) => {
    const draft = draftAt(shape);
    return draft !== undefined && isKept(draft) ? draft : undefined;
  };
  return draftAbove(template, find)?.draft ?? holder;
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
function effectSaid(
  { reader }: Inference,
  said: readonly SetMember[] | undefined,
  verb: string,
  { schema }: ResourceDraft,
): Pick<Action, 'sets' | 'stamps'> {
  if (said !== undefined) return { sets: said, stamps: [] };
  const members = reader.members(schema);
  const guessed = effectOf(verb, members);
  return { sets: guessed === undefined ? [] : [guessed], stamps: stampedBy(verb, members) };
}

function removeUse(holder: ResourceDraft | undefined, operation: Operation): void {
  const index = holder?.uses.findIndex((use) => use.operation === operation) ?? -1;
  if (index >= 0) holder?.uses.splice(index, 1);
}

const ON_ITEM: ReadonlySet<Behaviour> = new Set(['read', 'replace', 'update', 'upsert', 'remove', 'act']);

function statedUse(inference: Inference, operation: Operation, draft: ResourceDraft, behaviour: Behaviour): Use {
  const statement = inference.statements.operation(operation);
  const segments = inference.index.templateOf(operation)?.segments ?? [];
  const lastVariable = segments.findLastIndex(({ kind }) => kind === 'variable');
  const isOnItem = draft.kind === 'collection' && ON_ITEM.has(behaviour) && lastVariable >= 0;
  const depth = isOnItem ? lastVariable : segments.length;
  const verb = lastLiteral(segments);
  const effect = effectSaid(inference, statement?.sets, verb, draft);
  const { request, response } = bodiesOf(inference, operation, draft, behaviour);
  const text = `is said to be "${behaviour}": ${statement?.evidence.text ?? nameOf(operation)}`;
  return toUse(inference, operation, behaviour, {
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
  { reader }: Inference,
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
        : (shapeHolding(reader, taken, draft.schema, name) ?? itemShape(reader, taken, name)),
    response: isList ? listShape(reader, answered, name) : shapeHolding(reader, answered, draft.schema, name),
  };
}

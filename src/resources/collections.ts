import type { Operation } from '../openapi/model';
import { requestSchema, successes, successSchema } from './bodies';
import { itemShape, listShape, placeText, shapeHolding, takenShape } from './body-shape';
import { oneOrManyTaken, rowsTaken } from './bulk-shapes';
import { nameOf, type Inference, type ResourceDraft, type Use } from './draft';
import { freeOneOrMany, rowShape, shapeOfOne, type OneOrMany } from './free-items';
import { itemSchemaOf } from './item-schema';
import { isScalar, meansKey } from './key-elsewhere';
import { oneRowShape, type RowsOf } from './one-row';
import type { PathNode } from './path-index';
import { hasIdentity } from './key';
import { lastLiteral, withoutLast, type PathTemplate } from './path-template';
import { endingAction } from './action-effect';
import { checksItem } from './presence';
import { readsChosen } from './many-by-keys';
import { addsToThose, meaningOfPut } from './put-meaning';
import type { Behaviour, BodyShape } from './resource-model';

/**
 * Every place that could be a collection: one with a literal at its end, one that items hang below, and one with a
 * variable at its end whose GET answers a list. Whether it is one is decided when all are known.
 */
export function draftCollections(inference: Inference): Map<string, ResourceDraft> {
  const { nodes } = inference.index;
  const places = new Map<string, PathTemplate>();
  for (const node of nodes.values()) {
    const { template } = node;
    const isItem = template.segments.at(-1)?.kind === 'variable';
    const place = isItem ? withoutLast(template) : template;
    if (place.segments.length > 0 && !places.has(place.shape)) places.set(place.shape, place);
    if (isItem && !places.has(template.shape) && !answersRow(inference, node)) places.set(template.shape, template);
  }
  const drafts = new Map<string, ResourceDraft>();
  for (const [shape, place] of places) {
    const draft = draftCollection(inference, nodes.get(shape) ?? emptyNode(place), nodes.get(`${shape}/{}`));
    if (draft !== undefined) drafts.set(shape, draft);
  }
  return drafts;
}

/** Stands for a place that has no operations of its own. */
function emptyNode(template: PathTemplate): PathNode {
  return { template, operations: [] };
}

/** The list of a collection, and the path of its items. */
function rowsOf({ index }: Inference, onCollection: readonly Operation[], item: PathNode | undefined): RowsOf {
  const list = onCollection.find((each) => index.methodOf(each) === 'GET');
  return { list: list && successSchema(list), itemTemplate: item?.template };
}

/** Does the path of an item answer a list of one? Then it is no list of its own. */
function answersRow(inference: Inference, node: PathNode): boolean {
  const { index, reader } = inference;
  const { template, operations } = node;
  if (template.segments.at(-1)?.kind !== 'variable') return false;
  const rows = rowsOf(inference, index.nodes.get(withoutLast(template).shape)?.operations ?? [], node);
  const name = lastLiteral(template.segments);
  return operations.some(
    (each) => index.methodOf(each) === 'GET' && oneRowShape(reader, successSchema(each), rows, name) !== undefined,
  );
}

function draftCollection(
  inference: Inference,
  { template, operations }: PathNode,
  item: PathNode | undefined,
): ResourceDraft | undefined {
  const name = lastLiteral(template.segments);
  const rows = rowsOf(inference, operations, item);
  const isItem = (each: Operation): boolean =>
    !answersList(inference, each, name) || oneRowShape(inference.reader, successSchema(each), rows, name) !== undefined;
  const onItem = item === undefined ? [] : item.operations.filter(isItem);
  const onCollection = operationsOnCollection(inference, operations, template, name);
  const voted = itemSchemaOf(inference, onCollection, onItem, template, rows);
  if (voted === undefined) return undefined;
  const itemTemplate = onItem.length > 0 ? item?.template : undefined;
  const draft: ResourceDraft = { kind: 'collection', template, itemTemplate, ...voted, uses: [] };
  for (const operation of onCollection) draft.uses.push(...(useOfCollection(inference, operation, draft, name) ?? []));
  for (const operation of onItem) draft.uses.push(...(useOfItem(inference, operation, draft, name, rows) ?? []));
  return draft;
}

/**
 * Operations of the collection's own path. `/things/{id}` is an item of `/things`, unless its GET answers a list: then
 * it is a list of its own. And `/me` with a GET of one record and a PATCH is no collection, but that record.
 */
function operationsOnCollection(
  inference: Inference,
  operations: readonly Operation[],
  place: PathTemplate,
  name: string,
): readonly Operation[] {
  const isList = operations.some((operation) => answersList(inference, operation, name));
  if (isList) return operations;
  if (place.segments.at(-1)?.kind === 'variable') return [];
  const read = operations.find((each) => inference.index.methodOf(each) === 'GET');
  const isRecord =
    read !== undefined &&
    listShape(inference.reader, successSchema(read), name) === undefined &&
    itemShape(inference.reader, successSchema(read), name) !== undefined;
  return isRecord ? operations.filter((each) => inference.index.methodOf(each) === 'POST') : operations;
}

/** Does a GET answer a list of objects, and not an item that has one? */
function answersList({ index, reader }: Inference, operation: Operation, name: string): boolean {
  if (index.methodOf(operation) !== 'GET') return false;
  const shape = listShape(reader, successSchema(operation), name);
  return shape !== undefined && (shape.path.length === 0 || shape.siblings.length > 0) && shape.form === 'list';
}

function useOfCollection(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  name: string,
): Use[] | undefined {
  switch (inference.index.methodOf(operation)) {
    case 'GET': {
      const shape = listShape(inference.reader, successSchema(operation), name);
      if (shape === undefined) return undefined;
      return [
        onCollectionPath(inference, operation, draft, 'list', `answers the list${placeText(shape)}`, undefined, shape),
      ];
    }
    case 'POST':
      return useOfPost(inference, operation, draft, name);
    case 'PUT':
    case 'PATCH':
      return useWithKeyInBody(inference, operation, draft, name);
    case 'DELETE': {
      const text = 'removes what its parameters choose';
      return [onCollectionPath(inference, operation, draft, 'clear', text, undefined, undefined)];
    }
    default:
      return undefined;
  }
}

function onCollectionPath(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  behaviour: Behaviour,
  text: string,
  request: BodyShape | undefined,
  response: BodyShape | undefined,
): Use {
  const depth = draft.template.segments.length;
  return toUse(inference, operation, behaviour, { depth, isOnItem: false, request, response, text });
}

/** What creates either takes an item or answers one; a search by POST answers a list. */
function useOfPost(inference: Inference, operation: Operation, draft: ResourceDraft, name: string): Use[] | undefined {
  const { reader } = inference;
  const taken = requestSchema(operation);
  const request = shapeHolding(reader, taken, draft.schema, name) ?? rowsTaken(reader, taken, draft.schema, name);
  const response = shapeHolding(reader, successSchema(operation), draft.schema, name);
  const oneOrMany = oneOrManyTaken(reader, operation, draft.schema, name);
  if (oneOrMany !== undefined) return [ofOneOrMany(inference, operation, draft, oneOrMany)];
  if (request?.form === 'list')
    return [onCollectionPath(inference, operation, draft, 'create-many', 'takes a list of items', request, response)];
  if (response?.form === 'list')
    return readsChosen(inference, operation, draft)
      ? [onCollectionPath(inference, operation, draft, 'list', 'answers what its body chooses', undefined, response)]
      : undefined;
  if ((request ?? response) === undefined && !tellsKey(inference, operation, draft, name)) return undefined;
  const body = request ?? takenShape(reader, taken, draft.schema, name);
  return [onCollectionPath(inference, operation, draft, 'create', 'makes an item', body, response)];
}

/** Is all that a POST answers of an item the key of what it made, `{ id }`, where items have a path of their own? */
function tellsKey({ reader }: Inference, operation: Operation, { itemTemplate }: ResourceDraft, name: string): boolean {
  const body = reader.unwrap(successSchema(operation));
  if (body === undefined || itemTemplate === undefined || requestSchema(operation) === undefined) return false;
  const members = [...reader.members(body).values()];
  return members.length <= 3 && members.some((member) => isScalar(member) && meansKey(member.name, name));
}

function ofOneOrMany(inference: Inference, operation: Operation, { template }: ResourceDraft, shapes: OneOrMany): Use {
  const text = 'makes an item, or each of a list';
  return toUse(inference, operation, 'create', { depth: template.segments.length, isOnItem: false, ...shapes, text });
}

/** `PUT /things` with the key in the body, or with a list of items that is said to make those that are not there. */
function useWithKeyInBody(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  name: string,
): Use[] | undefined {
  const { reader } = inference;
  const free = freeOneOrMany(reader, operation, draft.schema, name);
  if (free !== undefined) return [ofOneOrMany(inference, operation, draft, free)];
  const request = shapeHolding(reader, requestSchema(operation), draft.schema, name);
  if (request?.item === undefined || !hasIdentity(reader.members(request.item))) return undefined;
  if (request.form === 'list' && addsToThose(operation))
    return [onCollectionPath(inference, operation, draft, 'create-many', 'takes a list of items', request, undefined)];
  if (request.form !== 'item') return undefined;
  const response = shapeHolding(reader, successSchema(operation), draft.schema, name);
  const behaviour = inference.index.methodOf(operation) === 'PUT' ? 'replace' : 'update';
  return [onCollectionPath(inference, operation, draft, behaviour, 'names the item in its body', request, response)];
}

function useOfItem(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  name: string,
  rows: RowsOf,
): Use[] | undefined {
  const { reader } = inference;
  const taken = requestSchema(operation);
  const takenRow = rowShape(reader, taken, rows, name);
  const answeredRow = rowShape(reader, successSchema(operation), rows, name);
  const depth = draft.template.segments.length;
  const use = (behaviour: Behaviour, text: string): Use[] => [
    toUse(inference, operation, behaviour, {
      depth,
      isOnItem: true,
      request: ['read', 'remove'].includes(behaviour)
        ? undefined
        : (takenRow ?? takenShape(reader, taken, draft.schema, name)),
      response: answeredRow ?? shapeHolding(reader, successSchema(operation), draft.schema, name),
      text,
    }),
  ];
  switch (inference.index.methodOf(operation)) {
    case 'GET':
      if (shapeOfOne(reader, successSchema(operation), rows, name) !== undefined)
        return use('read', 'answers one item');
      return checksItem(inference, operation, draft) ? use('read', 'tells whether it is there') : undefined;
    case 'PUT': {
      const { behaviour, text } = meaningOfPut(inference, operation, draft);
      return use(behaviour, text);
    }
    case 'PATCH':
      return use('update', 'changes one item');
    case 'DELETE':
      return removalOf(inference, operation, draft, name, () => use('remove', 'removes one item'));
    case 'POST': {
      const request = shapeHolding(reader, taken, draft.schema, name);
      if (request?.form === 'item' || takenRow !== undefined) return use('update', 'takes members of the item');
      return answersChanged(inference, operation, draft, name) ? use('update', 'answers the item') : undefined;
    }
    default:
      return undefined;
  }
}

/** A DELETE that answers the item, and says that it cancels it or the like: the item stays, in another state. */
function removalOf(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  name: string,
  usual: () => Use[],
): Use[] {
  const response = shapeHolding(inference.reader, successSchema(operation), draft.schema, name);
  const answersItem = response?.form === 'item' && response.item?.pointer === draft.schema.pointer;
  const action = answersItem ? endingAction(operation, inference.reader.members(draft.schema)) : undefined;
  if (action === undefined) return usual();
  const depth = draft.template.segments.length;
  const text = `says that it does "${action.verb}" and answers the item`;
  const parts = { depth, isOnItem: true, request: undefined, response, action, confidence: 'medium', text } as const;
  return [toUse(inference, operation, 'act', parts)];
}

/** Does a POST to an item answer that item, and not one that it made? */
function answersChanged({ reader }: Inference, operation: Operation, { schema }: ResourceDraft, name: string): boolean {
  const answered = shapeHolding(reader, successSchema(operation), schema, name);
  const makes = successes(operation).every(({ status }) => status === '201');
  return answered?.form === 'item' && answered.item !== undefined && !makes && reader.areSame(answered.item, schema);
}

/** What is known of a use beside its operation and behaviour. */
export type UseParts = Pick<Use, 'depth' | 'isOnItem' | 'request' | 'response'> &
  Partial<Pick<Use, 'action' | 'choice' | 'many' | 'part' | 'held' | 'countBy' | 'countedNames' | 'confidence'>> & {
    readonly text: string;
  };

export function toUse(
  { index }: Inference,
  operation: Operation,
  behaviour: Behaviour,
  { text, ...parts }: UseParts,
): Use {
  const reading = index.readingOf(operation);
  if (reading === undefined) throw new Error(`${nameOf(operation)} has no template`);
  const { template, elsewhere, reason } = reading;
  const { pointer } = operation;
  const evidence = [
    ...(reason === undefined ? [] : [{ text: `${nameOf(operation)} ${reason}`, pointer }]),
    { text: `${nameOf(operation)} ${text}`, pointer },
  ];
  return { operation, behaviour, template, elsewhere, confidence: 'high', ...parts, evidence };
}

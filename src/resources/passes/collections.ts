import { foldedName } from '../../core/text/inflection';
import type { Operation, Property } from '../../openapi/model/operation';
import { requestSchema, successes, successSchema } from '../../openapi/view/operation-bodies';
import {
  type BodyShape,
  itemShape,
  keyListShape,
  listContaining,
  listShape,
  pathInBody,
  requestItemShape,
  shapeContaining,
} from '../../lists/body-shape';
import {
  itemSchemaOf,
  type ListContext,
  listOfOneShape,
  type OneOrMany,
  oneOrManyShapes,
  unconstrainedOneOrMany,
  wrappedListShape,
} from '../drafts/item-bodies';
import { toOperationUse, type Inference, type OperationUse, type ResourceDraft } from '../drafts/draft';
import { isScalar, type SchemaView } from '../../openapi/view/schema-view';
import { isKeyName } from '../../openapi/naming/property-names';
import type { PathNode } from '../paths/operation-readings';
import { hasIdentity } from '../keys/choose-key';
import { lastLiteral, variablesOf, withoutLast, type PathTemplate } from '../../openapi/view/path-template';
import { saysCreation, upsertsList } from '../drafts/write-semantics';
import { bulkPlace, isSearchByBody, selectsByBody, useOfListedItems } from './bulk-operations';
import type { Behaviour } from '../model/binding';
import { useOfItem } from './item-operations';
import type { InferencePass } from '../drafts/draft-model';

export const collections: InferencePass = {
  id: 'collections',
  reason: 'comes first: every other pass looks at the collections that paths and bodies suggest',
  run(inference, { drafts }) {
    for (const [shape, draft] of draftCollections(inference)) drafts.set(shape, draft);
  },
};

/**
 * Every place that could be a collection: one with a literal at its end, one that items hang below, and one with a
 * variable at its end whose GET answers a list. Whether it is one is decided when all are known.
 */
function draftCollections(inference: Inference): Map<string, ResourceDraft> {
  const { nodes } = inference.index;
  const places = placesOf(inference);
  const drafts = new Map<string, ResourceDraft>();
  for (const [shape, place] of places) {
    const draft = draftCollection(inference, nodes.get(shape) ?? emptyNode(place), nodes.get(`${shape}/{}`));
    if (draft !== undefined) drafts.set(shape, draft);
  }
  for (const [shape, place] of places) {
    const draft = drafts.has(shape) ? undefined : draftAcross(inference, place, nodes.get(`${shape}/{}`), drafts);
    if (draft !== undefined) drafts.set(shape, draft);
  }
  return drafts;
}

/**
 * `DELETE /keys/{id}` of things that are made and listed below others, `/orgs/{org}/keys` and `/users/{user}/keys`: the
 * place of all of them. What is found there by another key stays where it is.
 */
function draftAcross(
  inference: Inference,
  template: PathTemplate,
  item: PathNode | undefined,
  drafts: ReadonlyMap<string, ResourceDraft>,
): ResourceDraft | undefined {
  const name = lastLiteral(template.segments);
  if (item?.operations.some((each) => inference.index.methodOf(each) === 'DELETE') !== true) return undefined;
  const key = (path: PathTemplate | undefined): string | undefined => variablesOf(path?.segments ?? []).at(-1);
  const below = [...drafts.values()].filter(
    (each) =>
      foldedName(lastLiteral(each.template.segments)) === foldedName(name) &&
      variablesOf(each.template.segments).length > variablesOf(template.segments).length,
  );
  const [first] = below;
  const areOne = below.every(
    ({ schema, itemTemplate }) =>
      first !== undefined &&
      inference.view.areSameType(schema, first.schema) &&
      (itemTemplate === undefined || key(itemTemplate) === key(item.template)),
  );
  if (first === undefined || !areOne || below.some(({ uses }) => uses.length === 0)) return undefined;
  const { schema, evidence } = first;
  const itemTemplate = item.template;
  const draft: ResourceDraft = {
    kind: 'collection',
    template,
    itemTemplate,
    schema,
    evidence,
    confidence: 'low',
    uses: [],
  };
  const rows: ListContext = { list: undefined, itemTemplate };
  for (const operation of item.operations)
    draft.uses.push(...(useOfItem(inference, operation, draft, name, rows) ?? []));
  return draft;
}

function placesOf(inference: Inference): ReadonlyMap<string, PathTemplate> {
  const { nodes } = inference.index;
  const places = new Map<string, PathTemplate>();
  for (const node of nodes.values()) {
    const { template } = node;
    const isItem = template.segments.at(-1)?.kind === 'variable';
    const place = isItem ? withoutLast(template) : template;
    if ((place.segments.length > 0 || nodes.has(place.shape)) && !places.has(place.shape))
      places.set(place.shape, place);
    if (isItem && !places.has(template.shape) && !returnsListOfOne(inference, node))
      places.set(template.shape, template);
  }
  return places;
}

/** Stands for a place that has no operations of its own. */
function emptyNode(template: PathTemplate): PathNode {
  return { template, operations: [] };
}

/** The list of a collection, and the path of its items. */
function listContextOf(
  { index }: Inference,
  onCollection: readonly Operation[],
  item: PathNode | undefined,
): ListContext {
  const list = onCollection.find((each) => index.methodOf(each) === 'GET');
  return { list: list && successSchema(list), itemTemplate: item?.template };
}

/** Does the path of an item answer a list of one? Then it is not a list of its own. */
function returnsListOfOne(inference: Inference, node: PathNode): boolean {
  const { index, view } = inference;
  const { template, operations } = node;
  if (template.segments.at(-1)?.kind !== 'variable') return false;
  const rows = listContextOf(inference, index.nodes.get(withoutLast(template).shape)?.operations ?? [], node);
  const name = lastLiteral(template.segments);
  return operations.some(
    (each) => index.methodOf(each) === 'GET' && listOfOneShape(view, successSchema(each), rows, name) !== undefined,
  );
}

function draftCollection(
  inference: Inference,
  { template, operations }: PathNode,
  item: PathNode | undefined,
): ResourceDraft | undefined {
  if (bulkPlace(inference.index, template) !== undefined) return undefined;
  const name = lastLiteral(template.segments);
  const rows = listContextOf(inference, operations, item);
  const isItem = (each: Operation): boolean =>
    !returnsList(inference, each, name) ||
    listOfOneShape(inference.view, successSchema(each), rows, name) !== undefined;
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
 * it is a list of its own. And `/me` with a GET of one record and a PATCH is not a collection, but that record.
 */
function operationsOnCollection(
  inference: Inference,
  operations: readonly Operation[],
  place: PathTemplate,
  name: string,
): readonly Operation[] {
  const isList = operations.some((operation) => returnsList(inference, operation, name));
  if (isList) return operations;
  if (place.segments.at(-1)?.kind === 'variable') return [];
  const read = operations.find((each) => inference.index.methodOf(each) === 'GET');
  const isRecord =
    read !== undefined &&
    listIn(inference, read, place, name) === undefined &&
    itemShape(inference.view, successSchema(read), name) !== undefined;
  return isRecord ? operations.filter((each) => inference.index.methodOf(each) === 'POST') : operations;
}

/** Does a GET answer a list of objects, and not an item that has one? */
function returnsList({ index, view }: Inference, operation: Operation, name: string): boolean {
  if (index.methodOf(operation) !== 'GET') return false;
  const shape = listShape(view, successSchema(operation), name);
  return shape !== undefined && (shape.path.length === 0 || shape.pageProperties.length > 0) && shape.form === 'list';
}

function useOfCollection(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  name: string,
): OperationUse[] | undefined {
  switch (inference.index.methodOf(operation)) {
    case 'GET': {
      const shape = listIn(inference, operation, draft.template, name);
      if (shape === undefined) return undefined;
      const text = `returns the ${shape.form === 'keys' ? 'keys' : 'list'}${pathInBody(shape)}`;
      return onCollectionPath(inference, operation, draft, 'list', text, { response: shape });
    }
    case 'POST':
      return useOfPost(inference, operation, draft, name);
    case 'PUT':
    case 'PATCH':
      return useOfKeysWithData(inference, operation, draft) ?? useWithKeyInBody(inference, operation, draft, name);
    case 'DELETE': {
      const listed = useOfListedItems(inference, operation, draft);
      if (listed !== undefined && !selectsByBody(inference, operation, draft)) return [listed];
      return onCollectionPath(inference, operation, draft, 'clear', 'removes what its parameters choose');
    }
    default:
      return undefined;
  }
}

/**
 * The list in the answer of a collection's own path; where items have a path of their own also a list of their keys alone,
 * or the one list of what is read there, whatever it is called.
 */
function listIn(
  { index, view }: Inference,
  operation: Operation,
  { shape }: PathTemplate,
  name: string,
): BodyShape | undefined {
  const answered = successSchema(operation);
  const listed = listShape(view, answered, name);
  const onItem = index.nodes.get(`${shape}/{}`)?.operations;
  if (listed !== undefined || onItem === undefined) return listed;
  const read = onItem.find((each) => index.methodOf(each) === 'GET');
  const item = read && itemShape(view, successSchema(read), name)?.item;
  return keyListShape(view, answered, name) ?? (item && listContaining(view, answered, item));
}

function onCollectionPath(
  inference: Inference,
  operation: Operation,
  { template }: ResourceDraft,
  behaviour: Behaviour,
  text: string,
  bodies: Partial<OneOrMany> = {},
): OperationUse[] {
  const depth = template.segments.length;
  return [toOperationUse(inference, operation, behaviour, { depth, text, ...bodies })];
}

/** What creates either takes an item or answers one; a search by POST answers a list. */
function useOfPost(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  name: string,
): OperationUse[] | undefined {
  const { view } = inference;
  const taken = requestSchema(operation);
  const request = shapeContaining(view, taken, draft.schema, name) ?? wrappedListShape(view, taken, draft.schema, name);
  const response = shapeContaining(view, successSchema(operation), draft.schema, name);
  const oneOrMany = oneOrManyShapes(view, operation, draft.schema, name);
  if (oneOrMany !== undefined) return onCollectionPath(inference, operation, draft, 'create', ONE_OR_MANY, oneOrMany);
  if (request?.form === 'list')
    return onCollectionPath(inference, operation, draft, 'create-many', TAKES_LIST, { request, response });
  if (response?.form === 'list' && isSearchByBody(inference, operation, draft))
    return onCollectionPath(inference, operation, draft, 'list', 'returns what its body chooses', { response });
  if (!createsOne(inference, operation, draft, { request, response })) return undefined;
  const body = request ?? requestItemShape(view, taken, draft.schema, name);
  return onCollectionPath(inference, operation, draft, 'create', 'makes an item', { request: body, response });
}

/** Does a POST take or answer an item, or answer its key? A list in the answer is of what was found, unless it says that it creates. */
function createsOne(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  { request, response }: Pick<OperationUse, 'request' | 'response'>,
): boolean {
  if (response?.form === 'list')
    return (request !== undefined && saysCreation(operation)) || makesList(inference, operation, draft);
  const name = lastLiteral(draft.template.segments);
  return (
    (request ?? response) !== undefined ||
    returnsKey(inference, operation, draft, name) ||
    takesKey(inference, operation, draft)
  );
}

/** Does it say that the one thing that its path reads and lists elsewhere is made: "Wallet transaction created"? */
function makesList({ index, view }: Inference, operation: Operation, { template }: ResourceDraft): boolean {
  const isMade = successes(operation).some(({ description }) => /\bcreated\b[^a-z]*$/i.test(description));
  const isListed = (index.nodes.get(template.shape)?.operations ?? []).some((each) => index.methodOf(each) === 'GET');
  const isRead = index.nodes.has(`${template.shape}/{}`);
  const taken = view.unwrap(requestSchema(operation));
  return taken !== undefined && !isListed && isRead && (isMade || saysCreation(operation));
}

/** Is it said to create, answers nothing, and takes what the path of an item calls its key? */
function takesKey({ view }: Inference, operation: Operation, { itemTemplate }: ResourceDraft): boolean {
  const variable = itemTemplate?.segments.at(-1);
  const taken = view.unwrap(requestSchema(operation));
  const answered = view.unwrap(successSchema(operation));
  const tellsNothing = answered === undefined || view.properties(answered).size === 0;
  if (variable?.kind !== 'variable' || taken === undefined || !tellsNothing) return false;
  const isKey = (property: Property): boolean =>
    isScalar(property) && foldedName(property.name) === foldedName(variable.name);
  return saysCreation(operation) && [...view.properties(taken).values()].some(isKey);
}

/**
 * Is all that a POST answers of an item the key of what it made, `{ id }`, where items have a path of their own? One that
 * says that it creates may tell more beside the key by which the path of an item calls for it.
 */
function returnsKey({ view }: Inference, operation: Operation, { itemTemplate }: ResourceDraft, name: string): boolean {
  const body = view.unwrap(successSchema(operation));
  if (body === undefined || itemTemplate === undefined || requestSchema(operation) === undefined) return false;
  const properties = [...view.properties(body).values()].filter(isScalar);
  const variable = variablesOf(itemTemplate.segments).at(-1);
  if (saysCreation(operation) && properties.some((each) => each.name === variable)) return true;
  return view.properties(body).size <= 3 && properties.some((each) => isKeyName(each.name, name));
}

const TAKES_LIST = 'takes a list of items';
const ONE_OR_MANY = 'makes an item, or each of a list';

function isIdentified(view: SchemaView, shape: BodyShape | undefined): shape is BodyShape {
  return shape?.item !== undefined && hasIdentity(view.properties(shape.item));
}

/** Does a PUT or PATCH of a list create its items? One that also updates must find them by their keys. */
function createsList(operation: Operation, isItem: boolean): boolean {
  return saysCreation(operation) || (isItem && upsertsList(operation));
}

/** An item beside the keys of several is what all of them become. */
function useOfKeysWithData(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
): OperationUse[] | undefined {
  const listed = useOfListedItems(inference, operation, draft);
  return listed?.each?.data === undefined ? undefined : [listed];
}

/** `PUT /things` with the key in the body, or with a list of items that is said to make those that are not there. */
function useWithKeyInBody(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  name: string,
): OperationUse[] | undefined {
  const { view } = inference;
  const free = unconstrainedOneOrMany(view, operation, draft.schema, name);
  if (free !== undefined) return onCollectionPath(inference, operation, draft, 'create', ONE_OR_MANY, free);
  const request = shapeContaining(view, requestSchema(operation), draft.schema, name);
  const response = shapeContaining(view, successSchema(operation), draft.schema, name);
  const isItem = isIdentified(view, request);
  if (request?.form === 'list' && createsList(operation, isItem))
    return onCollectionPath(inference, operation, draft, 'create-many', TAKES_LIST, { request, response });
  const listed = isItem && request.form === 'item' ? undefined : useOfListedItems(inference, operation, draft);
  if (listed !== undefined) return [listed];
  if (!isItem || request.form !== 'item') return undefined;
  const behaviour = inference.index.methodOf(operation) === 'PUT' ? 'replace' : 'update';
  return onCollectionPath(inference, operation, draft, behaviour, 'names the item in its body', { request, response });
}

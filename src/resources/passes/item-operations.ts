import { foldedName } from '../../core/text/inflection';
import { isKeyName } from '../../openapi/naming/property-names';
import { listShape, requestItemShape, shapeContaining } from '../../lists/body-shape';
import type { Operation, Schema } from '../../openapi/model/operation';
import type { SchemaView } from '../../openapi/view/schema-view';
import { templateVariables } from '../../openapi/model/route-table';
import { requestSchema, returnsFile, successSchema, successes } from '../../openapi/view/operation-bodies';
import { endingAction } from '../actions/action-effects';
import { changesBeside, checksItemExistence, putsByPath, putSemantics } from '../drafts/write-semantics';
import { type Inference, type OperationUse, type ResourceDraft, toOperationUse } from '../drafts/draft';
import type { Behaviour } from '../model/binding';
import { type ListContext, itemShapeByList, shapeOfOne } from '../drafts/item-bodies';

/** Does a POST to an item answer that item, and not one that it made? */
export function returnsUpdatedItem(
  { view }: Inference,
  operation: Operation,
  { schema }: ResourceDraft,
  name: string,
): boolean {
  const answered = shapeContaining(view, successSchema(operation), schema, name);
  const makes = successes(operation).every(({ status }) => status === '201');
  return answered?.form === 'item' && answered.item !== undefined && !makes && view.areSameType(answered.item, schema);
}
function meaningOfPost(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  name: string,
  takesRow: boolean,
): [Behaviour, string] | undefined {
  if (putsByPath(inference, operation)) return ['upsert', 'puts there what its path names'];
  if (isCreatedHere(inference, operation, draft, name)) return ['upsert', 'makes an item under the key of its path'];
  const request = shapeContaining(inference.view, requestSchema(operation), draft.schema, name);
  if (request?.form === 'item' || takesRow) return ['update', 'takes properties of the item'];
  return returnsUpdatedItem(inference, operation, draft, name) ? ['update', 'returns the item'] : undefined;
}

/** Words for what is made of a thing or below it, and not under the key of its path. */
const MAKES_OTHER =
  /\b(?:below|under|within|inside|child|nested|sub\w*|cop(?:y|ies)|clones?|duplicates?|versions?|revisions?|based|from)\b/i;

/** Words of an operation that makes what it answers. */
const MAKES = /^(?:creat|add|register|provision)(?:e|s|es|ing)?\b/i;

/**
 * "Create a repository": does a POST to an item that says so, or that documents 201 beside a PUT which changes the item,
 * answer such an item or its key, where nothing on the path of the collection makes one otherwise?
 */
function isCreatedHere(inference: Inference, operation: Operation, draft: ResourceDraft, name: string): boolean {
  const { view } = inference;
  const { schema } = draft;
  const isSaid = [operation.summary, operation.description].some((text) => MAKES.test(text));
  const hasChange = changesBeside(inference, operation).length > 0;
  if (isMadeOtherwise(inference, operation, draft, name, isSaid && hasChange)) return false;
  if ((isSaid || (hasChange && operation.responses.has('201'))) && answersKey(view, operation, schema)) return true;
  const answered = isSaid ? shapeContaining(view, successSchema(operation), schema, name) : undefined;
  return answered?.form === 'item' && answered.item !== undefined && view.areSameType(answered.item, schema);
}

/**
 * Does a POST on the path of the collection make items, and this one not the same under a key that the client chooses?
 *
 * @param mayChoose - does this one say that it makes an item, and another operation change what is there?
 */
function isMadeOtherwise(
  { view }: Inference,
  operation: Operation,
  { schema, uses }: ResourceDraft,
  name: string,
  mayChoose: boolean,
): boolean {
  const made = uses.find(({ behaviour }) => behaviour === 'create');
  if (made === undefined) return false;
  const sent = mayChoose ? requestItemShape(view, requestSchema(operation), schema, name)?.item : undefined;
  const { summary, description } = operation;
  const isOther = [summary, description].some((text) => MAKES_OTHER.test(text.split('.', 1)[0] ?? ''));
  return isOther || sent === undefined || sent.pointer !== made.request?.item?.pointer;
}

/** Does a response hold the key of the path, by a name that no other item has: `file_path`? */
function answersKey(view: SchemaView, operation: Operation, schema: Schema): boolean {
  const key = templateVariables(operation.path).at(-1) ?? '';
  const answered = view.unwrap(successSchema(operation));
  return key !== 'id' && [answered, schema].every((each) => each !== undefined && view.properties(each).has(key));
}

/** A DELETE that answers the item, and says that it cancels it or the like: the item stays, in another state. */
export function removalOf(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  name: string,
  usual: () => OperationUse[],
): OperationUse[] {
  const response = shapeContaining(inference.view, successSchema(operation), draft.schema, name);
  const returnsItem = response?.form === 'item' && response.item?.pointer === draft.schema.pointer;
  const action = returnsItem ? endingAction(operation, inference.view.properties(draft.schema)) : undefined;
  if (action === undefined) return usual();
  const depth = draft.template.segments.length;
  const text = `says that it does "${action.verb}" and returns the item`;
  const parts = { depth, isOnItem: true, response, action, confidence: 'medium', text } as const;
  return [toOperationUse(inference, operation, 'act', parts)];
}

/** A GET of an item that documents nothing of it, where other operations do and clients learn its key from them: 404 without the item. */
function readWithoutSchema(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
): OperationUse[] | undefined {
  const { template, uses } = draft;
  const isShown = uses.some(
    ({ behaviour, response }) => (behaviour === 'create' || behaviour === 'list') && response?.item !== undefined,
  );
  const onItem = inference.index.nodes.get(draft.itemTemplate?.shape ?? '')?.operations ?? [];
  const isPut = onItem.some(
    (each) => inference.index.methodOf(each) === 'PUT' && putSemantics(inference, each, draft).behaviour === 'upsert',
  );
  if (!(isShown || isPut) || successSchema(operation) !== undefined || returnsFile(operation)) return undefined;
  const text = 'returns one item, whose schema other operations have';
  const parts = { depth: template.segments.length, isOnItem: true, confidence: 'medium', text } as const;
  return [toOperationUse(inference, operation, 'read', parts)];
}

/**
 * "Retrieves all the comments for the user": a GET at `/comments/{userId}` of things that have a `userId` beside their own
 * key, which answers a list of them.
 */
function listByOther(inference: Inference, operation: Operation, draft: ResourceDraft, name: string): OperationUse[] {
  const { view } = inference;
  const { schema, template, itemTemplate } = draft;
  const response = listShape(view, successSchema(operation), name);
  const variable = itemTemplate?.segments.at(-1);
  const isAll = /\ball\b|^\W*lists?\b/i.test(`${operation.summary} ${operation.description}`);
  if (response?.item === undefined || variable?.kind !== 'variable' || !isAll) return [];
  const names = [...view.properties(schema).keys()];
  const isOther =
    names.some((each) => foldedName(each) === foldedName(variable.name)) && names.some((each) => isKeyName(each, name));
  if (!isOther || isKeyName(variable.name, name) || !view.areSameType(response.item, schema)) return [];
  const text = `returns a list of those with that "${variable.name}"`;
  return [
    toOperationUse(inference, operation, 'list', {
      depth: template.segments.length,
      response,
      confidence: 'medium',
      text,
    }),
  ];
}

export function useOfItem(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  name: string,
  rows: ListContext,
): OperationUse[] | undefined {
  const { view } = inference;
  const taken = requestSchema(operation);
  const takenRow = itemShapeByList(view, taken, rows, name);
  const answeredRow = itemShapeByList(view, successSchema(operation), rows, name);
  const depth = draft.template.segments.length;
  const use = (behaviour: Behaviour, text: string): OperationUse[] => [
    toOperationUse(inference, operation, behaviour, {
      depth,
      isOnItem: true,
      request: ['read', 'remove'].includes(behaviour)
        ? undefined
        : (takenRow ?? requestItemShape(view, taken, draft.schema, name)),
      response: answeredRow ?? shapeContaining(view, successSchema(operation), draft.schema, name),
      text,
    }),
  ];
  switch (inference.index.methodOf(operation)) {
    case 'GET': {
      const listed = listByOther(inference, operation, draft, name);
      if (listed.length > 0) return listed;
      if (shapeOfOne(view, successSchema(operation), rows, name) !== undefined) return use('read', 'returns one item');
      if (checksItemExistence(inference, operation, draft)) return use('read', 'says whether it exists');
      return readWithoutSchema(inference, operation, draft);
    }
    case 'PUT': {
      const { behaviour, text } = putSemantics(inference, operation, draft);
      return use(behaviour, text);
    }
    case 'PATCH':
      return use('update', 'changes one item');
    case 'DELETE':
      return removalOf(inference, operation, draft, name, () => use('remove', 'removes one item'));
    case 'POST': {
      const found = meaningOfPost(inference, operation, draft, name, takenRow !== undefined);
      return found && use(...found);
    }
    default:
      return undefined;
  }
}

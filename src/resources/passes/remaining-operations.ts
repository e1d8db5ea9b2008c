import type { Operation, Property, Schema } from '../../openapi/model/operation';
import { requestSchema, successSchema } from '../../openapi/view/operation-bodies';
import { type BodyShape, listShape, requestItemShape, shapeContaining } from '../../lists/body-shape';
import type { SchemaView } from '../../openapi/view/schema-view';
import { oneOrManyShapes, wrappedListShape } from '../drafts/item-bodies';
import {
  type FindDraft,
  type Inference,
  parentCollection,
  type ResourceDraft,
  schemaName,
  toOperationUse,
} from '../drafts/draft';
import { foldedName, wordsOf } from '../../core/text/inflection';
import {
  lastLiteral,
  parseTemplate,
  type PathTemplate,
  type Segment,
  shapeOf,
  variablesOf,
} from '../../openapi/view/path-template';
import { effectOfAction, creationByVerb, switchOf, withSynonymProperties } from '../actions/action-effects';
import { isOfSameType } from '../relations/relationships';
import { handlingOfExisting } from '../drafts/write-semantics';
import { bringBack } from '../actions/kept-removals';
import { propertyForVariable } from '../keys/scope-variables';
import { bindItemChoice, bindLookup } from './item-views';
import { bindBulkOperation, bulkPlace, mayCreate } from './bulk-operations';
import { bindCount, bindTotalCount } from './counts';
import { propertiesInQuery } from '../../lists/parameter-roles';
import { timestampsOf } from '../actions/verb-effects';
import type { InferencePass } from '../drafts/draft-model';
import type { Action, PropertyAssignment } from '../model/binding';

export const subPaths: InferencePass = {
  id: 'sub-paths',
  reason: 'comes last: binds what is left to the nearest collection on its path, or says why it cannot',
  run(inference, { drafts, draftAt, isFree, reasons }) {
    for (const operation of inference.api.operations.filter(isFree)) {
      const against = reasonAgainst(inference, operation);
      const isCount = against === undefined && bindCount(inference, operation, drafts.values());
      const reason = isCount ? undefined : (against ?? bindByPathOrItems(inference, operation, draftAt, drafts));
      if (reason !== undefined && !reasons.has(operation)) reasons.set(operation, reason);
    }
  },
};

/** Binds an operation to the collection above its path, or a list to the collection whose items it returns. */
function bindByPathOrItems(
  inference: Inference,
  operation: Operation,
  find: FindDraft,
  drafts: ReadonlyMap<string, ResourceDraft>,
): string | undefined {
  if (bindUpsertElsewhere(inference, operation, drafts)) return undefined;
  if (bindLookup(inference, operation, find(inference.index.templateOf(operation)?.shape ?? ''))) return undefined;
  const reason = bindSubPath(inference, operation, find);
  return reason === undefined || bindListElsewhere(inference, operation, drafts) ? undefined : reason;
}

/**
 * Binds what makes or changes an item of the one collection whose items it answers, at a path of its own:
 * `POST /person-import` of `/people/{id}`.
 *
 * @returns was it bound?
 */
function bindUpsertElsewhere(
  inference: Inference,
  operation: Operation,
  drafts: ReadonlyMap<string, ResourceDraft>,
): boolean {
  const { view, index } = inference;
  const { segments = [] } = index.templateOf(operation) ?? {};
  if (operation.method !== 'POST' || variablesOf(segments).length > 0 || handlingOfExisting(operation) !== 'update')
    return false;
  const shapeIn = (schema: Schema | undefined, { schema: item, template }: ResourceDraft): BodyShape | undefined =>
    schema && requestItemShape(view, schema, item, lastLiteral(template.segments));
  const [draft, ...others] = [...drafts.values()].filter((each) => {
    const isKept = each.itemTemplate !== undefined && variablesOf(each.template.segments).length === 0;
    const shown = isKept ? shapeIn(successSchema(operation), each)?.item : undefined;
    return shown !== undefined && (shown.pointer === each.schema.pointer || isOfSameType(view, shown, each.schema));
  });
  const request = draft && shapeIn(requestSchema(operation), draft);
  if (draft === undefined || others.length > 0 || request?.form !== 'item') return false;
  const text = `makes or changes an item of ${draft.template.path}, and answers it`;
  const response = shapeIn(successSchema(operation), draft);
  const parts = { depth: segments.length, request, response, confidence: 'medium', text } as const;
  draft.uses.push(toOperationUse(inference, operation, 'create', parts));
  return true;
}

/** Words of lists that show what is no longer in the collection. */
const LISTS_GONE = /^(?:deleted?|removed|trash(?:ed)?|recycle|bin|archived?|versions?|revisions?)$/;

/**
 * Binds a GET or a search that returns a list of what exactly one collection stores, wherever its path lies: `GET /search/things`, and
 * `GET /folders/{folderId}/entries` where things have a `folderId`.
 *
 * @returns was it bound?
 */
function bindListElsewhere(
  inference: Inference,
  operation: Operation,
  drafts: ReadonlyMap<string, ResourceDraft>,
): boolean {
  const { view, index } = inference;
  const { segments = [] } = index.templateOf(operation) ?? {};
  const words = segments.flatMap((each) => (each.kind === 'literal' ? [wordsOf(each.text)] : []));
  const isGone = words.flat().some((word) => LISTS_GONE.test(word));
  const isRead = index.methodOf(operation) === 'GET';
  const isSearched = operation.method === 'POST' && words.some((each) => SEARCHES.test(each.join('')));
  if (isGone || !(isRead || isSearched)) return false;
  const word = lastLiteral(segments);
  const response = listShape(view, successSchema(operation), word);
  const { item } = response ?? {};
  if (item === undefined) return false;
  const [draft, ...others] = [...drafts.values()].filter(
    (each) => returnsItemsOf(view, item, each, word) && areVariablesShown(view, segments, each, drafts),
  );
  if (draft === undefined || others.length > 0) return false;
  const isAcross = variablesOf(draft.template.segments).length > 0;
  const text = `returns a list of what ${draft.template.path} stores`;
  const parts = { depth: segments.length, response, confidence: 'medium', text } as const;
  const across = isAcross ? { scope: { names: [], isAcross } } : {};
  draft.uses.push(toOperationUse(inference, operation, 'list', { ...parts, ...across }));
  return true;
}

/** Is a schema one in which a collection shows its items, or does the last word of the path name them? */
function returnsItemsOf(
  view: SchemaView,
  shown: Schema,
  { schema, template, uses }: ResourceDraft,
  word: string,
): boolean {
  const isSame = [schema, ...uses.map(({ response }) => response?.item)].some(
    (each) => each?.pointer === shown.pointer,
  );
  const isNamed = foldedName(word) === foldedName(lastLiteral(template.segments));
  return view.properties(shown).size > 0 && (isSame || (isNamed && view.areSameType(shown, schema)));
}

/** Do items show what each variable of a path stands for? Without a variable, all of them are meant. */
function areVariablesShown(
  view: SchemaView,
  segments: readonly Segment[],
  { schema, template }: ResourceDraft,
  drafts: ReadonlyMap<string, ResourceDraft>,
): boolean {
  const properties = view.properties(schema);
  const places = segments.flatMap(({ kind }, place) => (kind === 'variable' ? [place] : []));
  if (places.length > 0 && variablesOf(template.segments).length > 0) return false;
  return places.every((place) => {
    const above = shapeOf(segments.slice(0, place));
    const parent = drafts.get(above)?.schema.pointer;
    const isEmbedded = (property: Property): boolean => view.schemaOf(property)?.pointer === parent;
    if (above === template.shape) return false;
    if (propertyForVariable(segments, place, properties, '') !== undefined) return true;
    return parent !== undefined && [...properties.values()].some(isEmbedded);
  });
}

/**
 * Binds what hangs below a collection without being one: views (`GET /things/findByColour`), bulk creation
 * (`POST /things/batch`), actions on one item (`POST /things/{id}/cancel`).
 *
 * @returns why the operation is bound to nothing, or `undefined` when it was bound
 */
function bindSubPath(inference: Inference, operation: Operation, find: FindDraft): string | undefined {
  const template = inference.index.templateOf(operation);
  const above = template === undefined ? undefined : parentCollection(template, find);
  if (template === undefined || above === undefined) return 'no resource was found on its path';
  const { draft, depth } = above;
  if (template.segments[depth]?.kind === 'variable') return bindOnItem(inference, operation, draft, depth);
  const method = inference.index.methodOf(operation);
  if (bindBulkOperation(inference, operation, draft, depth)) return undefined;
  if (method === 'GET' && bindItemChoice(inference, operation, draft, depth)) return undefined;
  if (method === 'GET') return bindView(inference, operation, draft, depth);
  if (method === 'POST') return bindPost(inference, operation, draft, depth);
  return `it is none of the usual operations on ${draft.template.path}`;
}

function bindOnItem(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  depth: number,
): string | undefined {
  const { segments = [] } = inference.index.templateOf(operation) ?? {};
  if (bindTotalCount(inference, operation, draft, depth)) return undefined;
  // `/things/{id}/cancel`; `/things/{id}/lifecycle/cancel` where the verb says what becomes of the thing, or the thing is answered.
  const behind = segments.slice(depth + 1);
  const isVerb = behind.length > 0 && behind.length <= 2 && behind.every(({ kind }) => kind === 'literal');
  if (
    !isVerb ||
    (behind.length === 2 && !setsState(inference, operation, draft) && !answersItem(inference, operation, draft))
  )
    return `no rule fits what it does with ${draft.template.path}`;
  if (inference.index.methodOf(operation) === 'GET') return `it reads something of one item that is not kept by itself`;
  if (isRemovalBelow(inference, operation, draft)) return `what it removes is no ${schemaName(draft.schema)}`;
  return bindAction(inference, operation, draft, depth);
}

/** Is a POST answered with the item itself, in the schema in which it is read? */
function answersItem({ view }: Inference, operation: Operation, { schema, template }: ResourceDraft): boolean {
  const answered = shapeContaining(view, successSchema(operation), schema, lastLiteral(template.segments));
  return operation.method === 'POST' && answered?.form === 'item' && answered.item?.pointer === schema.pointer;
}

/** Is there a property of the item of which the last word of the path says what it becomes? */
function setsState(inference: Inference, operation: Operation, draft: ResourceDraft): boolean {
  return operation.method === 'POST' && effectBelow(inference, operation, draft) !== undefined;
}

/** What cannot be bound, whatever resources there are. */
function reasonAgainst({ index }: Inference, operation: Operation): string | undefined {
  if (['HEAD', 'OPTIONS', 'TRACE'].includes(operation.method))
    return `${operation.method} reads and changes nothing of its own`;
  if (index.templateOf(operation) === undefined) return 'one segment of its path holds several variables';
  if (operation.disabled !== undefined) return `the description has an error that disables it: ${operation.disabled}`;
  if (operation.method === 'GET' && successSchema(operation) === undefined) return 'it documents no JSON response';
  return undefined;
}

/** Verbs of lists that are asked for with a body. */
const SEARCHES =
  /^(?:search|query|find|filter|lookup|list|retrieve|fetch|scroll|(?:(?:bulk|batch)(?:get|retrieve|read|fetch))|(?:(?:get|retrieve|read|fetch)(?:bulk|batch)))$/;

function bindPost(inference: Inference, operation: Operation, draft: ResourceDraft, depth: number): string | undefined {
  const { segments = [] } = inference.index.templateOf(operation) ?? {};
  const isFound = isSearch(segments.slice(depth)) && bindView(inference, operation, draft, depth) === undefined;
  return isFound ? undefined : bindBulk(inference, operation, draft, depth);
}

function isSearch([verb, ...rest]: PathTemplate['segments']): boolean {
  return verb?.kind === 'literal' && rest.length === 0 && SEARCHES.test(wordsOf(verb.text).join(''));
}

function bindView(inference: Inference, operation: Operation, draft: ResourceDraft, depth: number): string | undefined {
  const { view } = inference;
  const shape = listShape(view, successSchema(operation), lastLiteral(draft.template.segments));
  const thing = schemaName(draft.schema);
  if (!draft.uses.some(({ behaviour }) => ['list', 'create', 'create-many'].includes(behaviour)))
    return `nothing lists or makes ${thing} at ${draft.template.path} itself`;
  if (shape?.item === undefined || !showsItems(view, shape.item, draft.schema)) return `it returns no list of ${thing}`;
  const template = inference.index.templateOf(operation);
  const variables = template?.segments
    .slice(depth)
    .flatMap((segment) => (segment.kind === 'variable' ? [segment.name] : []));
  const properties = view.properties(draft.schema);
  const lost = variables?.find(
    (name) => ![...properties.keys()].some((property) => foldedName(property) === foldedName(name)),
  );
  if (lost !== undefined) return `its path parameter "${lost}" is not a property of ${thing}`;
  const text = `returns a list of ${thing}: a view of ${draft.template.path}`;
  draft.uses.push(
    toOperationUse(inference, operation, 'list', {
      depth,
      response: shape,
      confidence: 'medium',
      text,
    }),
  );
  return undefined;
}

function showsItems(view: SchemaView, shown: Schema, item: Schema): boolean {
  return view.areSameType(shown, item) || (view.acceptsAnyObject(shown) && view.acceptsAnyObject(item));
}

function bindBulk(inference: Inference, operation: Operation, draft: ResourceDraft, depth: number): string | undefined {
  const { view } = inference;
  const name = lastLiteral(draft.template.segments);
  const taken = requestSchema(operation);
  const request = shapeContaining(view, taken, draft.schema, name) ?? wrappedListShape(view, taken, draft.schema, name);
  const response = shapeContaining(view, successSchema(operation), draft.schema, name);
  const oneOrMany = oneOrManyShapes(view, operation, draft.schema, name);
  if (oneOrMany !== undefined) {
    const text = 'makes an item, or each of a list';
    draft.uses.push(toOperationUse(inference, operation, 'create', { depth, ...oneOrMany, text }));
    return undefined;
  }
  const verb = bulkPlace(inference.index, parseTemplate(operation.path))?.verb ?? '';
  if (!mayCreate(verb)) return `nothing says what "${verb}" does to several ${schemaName(draft.schema)}`;
  if (request?.form !== 'list') return `it takes no list of ${schemaName(draft.schema)}`;
  const parts = {
    depth,
    request,
    response,
    confidence: 'medium',
    text: 'takes a list of items',
  } as const;
  draft.uses.push(toOperationUse(inference, operation, 'create-many', parts));
  return undefined;
}

function bindAction(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  depth: number,
): string | undefined {
  const { view, index } = inference;
  const thing = schemaName(draft.schema);
  const verb = lastLiteral(index.templateOf(operation)?.segments ?? []);
  const name = lastLiteral(draft.template.segments);
  const answered = successSchema(operation);
  const response = shapeContaining(view, answered, draft.schema, name);
  const properties = view.properties(draft.schema);
  const creates = creationBy(inference, operation, verb, properties);
  const sets = creates === undefined ? effectBelow(inference, operation, draft) : undefined;
  const effects = creates === undefined ? effectsBelow(sets, verb, properties, view) : [];
  const timestamps = timestampsOf(verb, properties);
  const request = itemInRequest(inference, operation, draft);
  const isItem = response?.form === 'item';
  const tells = answered === undefined ? setsProperties(inference, operation, request, draft) : isItem;
  if (effects.length === 0 && !tells) return reasonAgainstAction(verb, thing, answered);
  const effect = sets === undefined ? '' : `: "${sets.property}" becomes ${JSON.stringify(sets.value)}`;
  draft.uses.push(
    toOperationUse(inference, operation, 'act', {
      depth,
      isOnItem: true,
      request,
      response: isItem ? response : undefined,
      action: {
        verb,
        assignments: effects,
        timestamps,
        mergesBody: request !== undefined,
        creates,
      },
      confidence: sets === undefined ? 'low' : 'medium',
      text: `acts on one ${thing}${effect}`,
    }),
  );
  return undefined;
}

function effectsBelow(
  sets: PropertyAssignment | undefined,
  verb: string,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): PropertyAssignment[] {
  const own = sets === undefined ? [] : withSynonymProperties(sets, properties, verb);
  const set = new Set(own.map(({ property }) => property));
  return [...own, ...bringBack(verb, properties, view).filter(({ property }) => !set.has(property))];
}

/** A DELETE below an item takes away something else, but for one that is said to switch a flag of the item off. */
function isRemovalBelow({ index, view }: Inference, operation: Operation, { schema }: ResourceDraft): boolean {
  const word = lastLiteral(index.templateOf(operation)?.segments ?? []);
  return (
    index.methodOf(operation) === 'DELETE' && switchOf(operation, word, view.properties(schema), view) === undefined
  );
}

function effectBelow(
  { index, view }: Inference,
  operation: Operation,
  { schema }: ResourceDraft,
): PropertyAssignment | undefined {
  const word = lastLiteral(index.templateOf(operation)?.segments ?? []);
  const properties = view.properties(schema);
  return switchOf(operation, word, properties, view) ?? effectOfAction(word, operation, properties, view);
}

/** A reply is another such thing where 201 is documented, or nothing is sent but what such things have. */
function creationBy(
  { view }: Inference,
  operation: Operation,
  verb: string,
  properties: ReadonlyMap<string, Property>,
): Action['creates'] {
  const creates = creationByVerb(verb);
  const taken = view.unwrap(requestSchema(operation));
  const sent = taken === undefined ? [] : [...view.properties(taken).keys()];
  const isSuch = operation.responses.has('201') || sent.every((name) => properties.has(name));
  return creates === 'other' && !isSuch ? undefined : creates;
}

function reasonAgainstAction(verb: string, thing: string, answered: Schema | undefined): string {
  return answered === undefined ? `nothing says what "${verb}" does to ${thing}` : `it returns no ${thing}`;
}

function itemInRequest(
  { view }: Inference,
  operation: Operation,
  { schema, template }: ResourceDraft,
): BodyShape | undefined {
  const name = lastLiteral(template.segments);
  // Whatever is sent may have properties of the item.
  const taken = requestItemShape(view, requestSchema(operation), schema, name);
  return taken?.form === 'item' ? taken : undefined;
}

/** Does the body, or the query, say what properties of the item are to be? */
function setsProperties(
  inference: Inference,
  operation: Operation,
  request: BodyShape | undefined,
  draft: ResourceDraft,
): boolean {
  if (sharesProperties(inference, request, draft)) return true;
  return propertiesInQuery(operation, inference.view.properties(draft.schema)).length > 0;
}

function sharesProperties({ view }: Inference, request: BodyShape | undefined, { schema }: ResourceDraft): boolean {
  if (request?.item === undefined) return false;
  const properties = view.properties(schema);
  return [...view.properties(request.item).keys()].some((name) => properties.has(name));
}

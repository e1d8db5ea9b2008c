import type { Operation, Schema } from '../openapi/model';
import { requestSchema, successSchema } from './bodies';
import { isFree, itemShape, listShape, shapeHolding, takenShape } from './body-shape';
import { oneOrManyTaken, rowsTaken } from './bulk-shapes';
import { toUse } from './collections';
import { schemaName, type Inference, type ResourceDraft, type Use } from './draft';
import { foldedName, wordsOf } from './inflection';
import { lastLiteral, shapeOf, type PathTemplate } from './path-template';
import type { BodyShape } from './resource-model';
import type { SchemaReader } from './schema-reader';
import { effectOfAction, makesOf, withTwins } from './action-effect';
import { bindChoice } from './choices';
import { bindMany } from './many-by-keys';
import { membersInQuery } from './query-members';
import { stampedBy } from './verbs';

/** Finds the resource that a place hangs below. */
export type FindDraft = (shape: string) => ResourceDraft | undefined;

/**
 * Binds what hangs below a collection without being one: views (`GET /things/findByColour`), bulk creation
 * (`POST /things/batch`), actions on one item (`POST /things/{id}/cancel`).
 *
 * @returns why the operation is bound to nothing, or `undefined` when it was bound
 */
export function bindBelow(inference: Inference, operation: Operation, find: FindDraft): string | undefined {
  const template = inference.index.templateOf(operation);
  const above = template === undefined ? undefined : draftAbove(template, find);
  if (template === undefined || above === undefined) return 'no resource was found on its path';
  const { draft, depth } = above;
  if (template.segments[depth]?.kind === 'variable') return bindOnItem(inference, operation, draft, depth);
  const method = inference.index.methodOf(operation);
  if (bindMany(inference, operation, draft, depth)) return undefined;
  if (method === 'GET' && bindChoice(inference, operation, draft, depth)) return undefined;
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
  const isVerb = segments.length === depth + 2 && segments[depth + 1]?.kind === 'literal';
  if (!isVerb) return `no rule fits what it does with ${draft.template.path}`;
  if (inference.index.methodOf(operation) === 'GET') return `it reads something of one item that is not kept by itself`;
  return bindAction(inference, operation, draft, depth);
}

/** Binds what is another way to an item although its path names a part of it; see {@link viewOf}. @returns was it bound? */
export function bindWayToItem(inference: Inference, operation: Operation, find: FindDraft): boolean {
  const template = inference.index.templateOf(operation);
  const above = template === undefined ? undefined : draftAbove(template, find);
  if (template === undefined || above === undefined) return false;
  const { draft, depth } = above;
  const { segments } = template;
  const isPart =
    segments.length === depth + 2 && segments[depth]?.kind === 'variable' && segments[depth + 1]?.kind === 'literal';
  const view = isPart ? viewOf(inference, operation, draft) : undefined;
  if (view !== undefined)
    draft.uses.push(
      toUse(inference, operation, view.behaviour, { depth, isOnItem: true, confidence: 'medium', ...view }),
    );
  return view !== undefined;
}

/** What replaces a part of the thing says nothing of the rest: it is a change. */
const VIEWS: ReadonlyMap<string, 'read' | 'update'> = new Map([
  ['GET', 'read'],
  ['PUT', 'update'],
  ['PATCH', 'update'],
]);

/** How an operation acts on the item whose part it names. */
type View = Pick<Use, 'behaviour' | 'request' | 'response'> & { readonly text: string };

/**
 * `/things/{id}/status` that answers the whole thing, whose schema has a name, is another way to it; so is `/things/{id}/scale`
 * that answers a part of it in a shape of its own.
 */
function viewOf(inference: Inference, operation: Operation, draft: ResourceDraft): View | undefined {
  const behaviour = VIEWS.get(inference.index.methodOf(operation));
  // `PATCH /things/{id}/cancel` without a body is what the word says.
  const isWord = behaviour === 'update' && operation.requestBody === undefined;
  return behaviour === undefined || isWord
    ? undefined
    : (wholeView(inference, operation, draft, behaviour) ?? partView(inference, operation, draft, behaviour));
}

function wholeView(
  { reader }: Inference,
  operation: Operation,
  { schema, template }: ResourceDraft,
  behaviour: View['behaviour'],
): View | undefined {
  const name = lastLiteral(template.segments);
  const response = shapeHolding(reader, successSchema(operation), schema, name);
  const thing = schemaName(schema);
  if (response?.item?.pointer !== schema.pointer || response.form !== 'item' || thing === 'an object') return undefined;
  const request = behaviour === 'read' ? undefined : shapeHolding(reader, requestSchema(operation), schema, name);
  return { behaviour, request, response, text: `answers the whole ${thing}` };
}

function partView(
  { reader }: Inference,
  operation: Operation,
  { schema, template }: ResourceDraft,
  behaviour: View['behaviour'],
): View | undefined {
  const name = lastLiteral(template.segments);
  const response = itemShape(reader, successSchema(operation), name);
  if (response?.item === undefined || !showsPart(reader, response.item, schema)) return undefined;
  const request = behaviour === 'read' ? undefined : itemShape(reader, requestSchema(operation), name);
  return { behaviour, request, response, text: `answers a part of ${schemaName(schema)}` };
}

/**
 * Does one schema show a part of what another has? Everything that it has stands in the other under the same names, and
 * what a thing says of itself, `metadata`, is of one schema in both.
 */
function showsPart(reader: SchemaReader, shown: Schema, whole: Schema): boolean {
  const [part, members] = [reader.members(shown), reader.members(whole)];
  if (part.size < 2 || shown.pointer === whole.pointer) return false;
  let isShared = false;
  for (const property of part.values()) {
    const other = members.get(property.name);
    if (other === undefined) return false;
    const [own, theirs] = [reader.member(property), reader.member(other)];
    if ((own !== undefined && reader.isObject(own)) !== (theirs !== undefined && reader.isObject(theirs))) return false;
    isShared ||= own !== undefined && reader.isObject(own) && own.pointer === theirs?.pointer;
  }
  return isShared;
}

/** The nearest collection above a place. */
export function draftAbove(
  template: PathTemplate,
  find: FindDraft,
): { draft: ResourceDraft; depth: number } | undefined {
  for (let depth = template.segments.length - 1; depth > 0; depth--) {
    const draft = find(shapeOf(template.segments.slice(0, depth)));
    if (draft?.kind === 'collection') return { draft, depth };
  }
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
  const { reader } = inference;
  const shape = listShape(reader, successSchema(operation), lastLiteral(draft.template.segments));
  const thing = schemaName(draft.schema);
  if (!draft.uses.some(({ behaviour }) => ['list', 'create', 'create-many'].includes(behaviour)))
    return `nothing lists or makes ${thing} at ${draft.template.path} itself`;
  if (shape?.item === undefined || !showsItems(reader, shape.item, draft.schema))
    return `it answers no list of ${thing}`;
  const template = inference.index.templateOf(operation);
  const variables = template?.segments
    .slice(depth)
    .flatMap((segment) => (segment.kind === 'variable' ? [segment.name] : []));
  const members = reader.members(draft.schema);
  const lost = variables?.find(
    (name) => ![...members.keys()].some((member) => foldedName(member) === foldedName(name)),
  );
  if (lost !== undefined) return `its path parameter "${lost}" is no member of ${thing}`;
  const text = `answers a list of ${thing}: a view of ${draft.template.path}`;
  draft.uses.push(
    toUse(inference, operation, 'list', {
      depth,
      isOnItem: false,
      request: undefined,
      response: shape,
      confidence: 'medium',
      text,
    }),
  );
  return undefined;
}

function showsItems(reader: SchemaReader, shown: Schema, item: Schema): boolean {
  return reader.areSame(shown, item) || (isFree(reader, shown) && isFree(reader, item));
}

function bindBulk(inference: Inference, operation: Operation, draft: ResourceDraft, depth: number): string | undefined {
  const { reader } = inference;
  const name = lastLiteral(draft.template.segments);
  const taken = requestSchema(operation);
  const request = shapeHolding(reader, taken, draft.schema, name) ?? rowsTaken(reader, taken, draft.schema, name);
  const response = shapeHolding(reader, successSchema(operation), draft.schema, name);
  const oneOrMany = oneOrManyTaken(reader, operation, draft.schema, name);
  if (oneOrMany !== undefined) {
    const text = 'makes an item, or each of a list';
    draft.uses.push(toUse(inference, operation, 'create', { depth, isOnItem: false, ...oneOrMany, text }));
    return undefined;
  }
  if (request?.form !== 'list') return `it takes no list of ${schemaName(draft.schema)}`;
  const parts = {
    depth,
    isOnItem: false,
    request,
    response,
    confidence: 'medium',
    text: 'takes a list of items',
  } as const;
  draft.uses.push(toUse(inference, operation, 'create-many', parts));
  return undefined;
}

function bindAction(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  depth: number,
): string | undefined {
  const { reader, index } = inference;
  const thing = schemaName(draft.schema);
  if (index.methodOf(operation) === 'DELETE') return `what it removes is no ${thing}`;
  const template = index.templateOf(operation);
  const verb = template === undefined ? '' : lastLiteral(template.segments);
  const name = lastLiteral(draft.template.segments);
  const answered = successSchema(operation);
  const response = shapeHolding(reader, answered, draft.schema, name);
  const members = reader.members(draft.schema);
  const makes = makesOf(verb);
  const sets = makes === undefined ? effectOfAction(verb, operation, members, reader) : undefined;
  const stamps = stampedBy(verb, members);
  const request = itemTaken(inference, operation, draft);
  const isItem = response?.form === 'item';
  const tells = answered === undefined ? saysMembers(inference, operation, request, draft) : isItem;
  if (sets === undefined && !tells) return untold(verb, thing, answered);
  const effect = sets === undefined ? '' : `: "${sets.member}" becomes ${JSON.stringify(sets.value)}`;
  draft.uses.push(
    toUse(inference, operation, 'act', {
      depth,
      isOnItem: true,
      request,
      response: isItem ? response : undefined,
      action: {
        verb,
        sets: sets === undefined ? [] : withTwins(sets, members),
        stamps,
        mergesBody: request !== undefined,
        makes,
      },
      confidence: sets === undefined ? 'low' : 'medium',
      text: `acts on one ${thing}${effect}`,
    }),
  );
  return undefined;
}

function untold(verb: string, thing: string, answered: Schema | undefined): string {
  return answered === undefined ? `nothing tells what "${verb}" does to ${thing}` : `it answers no ${thing}`;
}

function itemTaken(
  { reader }: Inference,
  operation: Operation,
  { schema, template }: ResourceDraft,
): BodyShape | undefined {
  const name = lastLiteral(template.segments);
  // Whatever is sent may have members of the item.
  const taken = takenShape(reader, requestSchema(operation), schema, name);
  return taken?.form === 'item' ? taken : undefined;
}

/** Does the body, or the query, say what members of the item are to be? */
function saysMembers(
  inference: Inference,
  operation: Operation,
  request: BodyShape | undefined,
  draft: ResourceDraft,
): boolean {
  if (sharesMembers(inference, request, draft)) return true;
  return membersInQuery(operation, inference.reader.members(draft.schema)).length > 0;
}

function sharesMembers({ reader }: Inference, request: BodyShape | undefined, { schema }: ResourceDraft): boolean {
  if (request?.item === undefined) return false;
  const members = reader.members(schema);
  return [...reader.members(request.item).keys()].some((name) => members.has(name));
}

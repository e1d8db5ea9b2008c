import type { Operation, Schema } from '../../openapi/model/operation';
import { requestSchema, successSchema } from '../../openapi/view/operation-bodies';
import { itemShape, shapeContaining } from '../../lists/body-shape';
import {
  type FindDraft,
  type Inference,
  type OperationUse,
  parentCollection,
  type ResourceDraft,
  schemaName,
  toOperationUse,
} from '../drafts/draft';
import { effectOf } from '../actions/verb-effects';
import { foldedName, wordsOf } from '../../core/text/inflection';
import { lastLiteral, type Segment } from '../../openapi/view/path-template';
import { isScalar, type SchemaView } from '../../openapi/view/schema-view';
import type { Choice } from '../model/binding';
import { isCreationTimeName } from '../../openapi/naming/property-names';
import type { InferencePass } from '../drafts/draft-model';

export const itemViews: InferencePass = {
  id: 'item-views',
  reason: 'before singletons: a part of an item with a path of its own looks like a single record',
  run(inference, { isFree, draftAt }) {
    for (const operation of inference.api.operations.filter(isFree)) bindItemView(inference, operation, draftAt);
  },
};

/** A choice that does not hang on who asks. */
type NamedChoice = Exclude<Choice, { by: 'caller' }>;

/** Words in the place of a key that mean the item that was made last. */
const LATEST = /^(?:latest|newest|most-?_?recent|last)$/i;
/** Last words of names of properties by which things are known. */
const NAMING = new Set(['name', 'id', 'key', 'code', 'slug', 'number', 'address', 'label']);

/**
 * Binds what reads one item of a collection by something else than its key: `GET /things/latest`, and
 * `GET /things/tags/{tag}` where things have a property `tag` or `tag_name`.
 *
 * @returns was it bound?
 */
export function bindItemChoice(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  depth: number,
): boolean {
  const { view, index } = inference;
  const name = lastLiteral(draft.template.segments);
  const response = shapeContaining(view, successSchema(operation), draft.schema, name);
  const isSame = response?.item !== undefined && view.areSameType(response.item, draft.schema);
  const behind = index.templateOf(operation)?.segments.slice(depth) ?? [];
  const itemChoice = isSame && response.form === 'item' ? choiceIn(inference, behind, draft, operation) : undefined;
  if (itemChoice === undefined) return false;
  const which = WHICH[itemChoice.by];
  draft.uses.push(
    toOperationUse(inference, operation, 'read', {
      depth,
      response,
      itemChoice,
      confidence: 'medium',
      text: `returns the ${schemaName(draft.schema)} ${which}`,
    }),
  );
  return true;
}

const WHICH: Readonly<Record<NamedChoice['by'], string>> = {
  latest: 'that was made last',
  member: 'that has what is in its path',
  query: 'that has what is in its query',
};

/** What asks for one item by something of it, `GET /things/lookup?email=`. */
const LOOKS_UP = /^(?:look-?_?up|find|search|get|retrieve|by(?:[-_A-Z].*)?)$/;

/**
 * Binds a GET of the path of a collection that answers one item, `GET /things?email=`, where items are made and have a path
 * of their own, and parameters are named as properties.
 *
 * @returns was it bound?
 */
export function bindLookup(inference: Inference, operation: Operation, draft: ResourceDraft | undefined): boolean {
  const isMade = draft?.itemTemplate !== undefined && draft.uses.some(({ behaviour }) => behaviour === 'create');
  if (!isMade || inference.index.methodOf(operation) !== 'GET') return false;
  return bindItemChoice(inference, operation, draft, draft.template.segments.length);
}

function byQuery({ view }: Inference, { parameters }: Operation, { schema }: ResourceDraft): NamedChoice | undefined {
  const scalars = [...view.properties(schema).values()].filter(isScalar);
  const members = parameters.flatMap(({ in: place, name }): [string, string][] => {
    const property = scalars.find((each) => foldedName(each.name) === foldedName(name));
    return place === 'query' && property !== undefined ? [[name, property.name]] : [];
  });
  return members.length === 0 ? undefined : { by: 'query', members: new Map(members) };
}

/** What stands behind a collection in a path, as the choice of one of its items. */
function choiceIn(
  inference: Inference,
  behind: readonly Segment[],
  draft: ResourceDraft,
  operation: Operation,
): NamedChoice | undefined {
  // `/things/by/external/{external_id}`, too.
  const [first, ...more] = behind;
  const last = more.at(-1);
  if (first === undefined) return byQuery(inference, operation, draft);
  if (first.kind !== 'literal' || more.slice(0, -1).some(({ kind }) => kind !== 'literal')) return undefined;
  if (last !== undefined) return byProperty(inference, last, draft);
  return (
    latest(inference, first.text, draft) ??
    (LOOKS_UP.test(first.text) ? byQuery(inference, operation, draft) : undefined)
  );
}

function latest({ view }: Inference, word: string, { schema }: ResourceDraft): NamedChoice | undefined {
  if (!LATEST.test(word)) return undefined;
  return { by: 'latest', member: [...view.properties(schema).keys()].find(isCreationTimeName) };
}

function byProperty({ view }: Inference, segment: Segment, { schema }: ResourceDraft): NamedChoice | undefined {
  const parameter = segment.kind === 'variable' ? segment.name : undefined;
  if (parameter === undefined) return undefined;
  const wanted = wordsOf(parameter).join(' ');
  const isNamed = (name: string): boolean => {
    const words = wordsOf(name);
    return words.join(' ') === wanted || (NAMING.has(words.at(-1) ?? '') && words.slice(0, -1).join(' ') === wanted);
  };
  const property = [...view.properties(schema).values()].find((each) => isScalar(each) && isNamed(each.name));
  return property === undefined ? undefined : { by: 'member', member: property.name, parameter };
}
/** What replaces a part of the thing says nothing of the rest: it is a change. */
const VIEWS: ReadonlyMap<string, 'read' | 'update'> = new Map([
  ['GET', 'read'],
  ['PUT', 'update'],
  ['PATCH', 'update'],
]);
/** How an operation acts on the item whose part it names. */
type View = Pick<OperationUse, 'behaviour' | 'request' | 'response'> & { readonly text: string };
/**
 * Does one schema show a part of what another has? Everything that it has stands in the other under the same names, and
 * what a thing says of itself, `metadata`, is of one schema in both.
 */
function showsPart(view: SchemaView, shown: Schema, whole: Schema): boolean {
  const [part, properties] = [view.properties(shown), view.properties(whole)];
  if (part.size < 2 || shown.pointer === whole.pointer) return false;
  let isShared = false;
  for (const property of part.values()) {
    const other = properties.get(property.name);
    if (other === undefined) return false;
    const [own, theirs] = [view.schemaOf(property), view.schemaOf(other)];
    if ((own !== undefined && view.isObject(own)) !== (theirs !== undefined && view.isObject(theirs))) return false;
    isShared ||= own !== undefined && view.isObject(own) && own.pointer === theirs?.pointer;
  }
  return isShared;
}
function partView(
  { view }: Inference,
  operation: Operation,
  { schema, template }: ResourceDraft,
  behaviour: View['behaviour'],
): View | undefined {
  const name = lastLiteral(template.segments);
  const response = itemShape(view, successSchema(operation), name);
  if (response?.item === undefined || !showsPart(view, response.item, schema)) return undefined;
  const request = behaviour === 'read' ? undefined : itemShape(view, requestSchema(operation), name);
  return { behaviour, request, response, text: `returns a part of ${schemaName(schema)}` };
}
function wholeView(
  { view }: Inference,
  operation: Operation,
  { schema, template }: ResourceDraft,
  behaviour: View['behaviour'],
): View | undefined {
  const name = lastLiteral(template.segments);
  const response = shapeContaining(view, successSchema(operation), schema, name);
  const thing = schemaName(schema);
  if (response?.item?.pointer !== schema.pointer || response.form !== 'item' || thing === 'an object') return undefined;
  const request = behaviour === 'read' ? undefined : shapeContaining(view, requestSchema(operation), schema, name);
  return { behaviour, request, response, text: `returns the whole ${thing}` };
}
/**
 * `/things/{id}/status` that answers the whole thing, whose schema has a name, is another way to it; so is `/things/{id}/scale`
 * that answers a part of it in a shape of its own.
 */
export function itemViewOf(inference: Inference, operation: Operation, draft: ResourceDraft): View | undefined {
  const behaviour = VIEWS.get(inference.index.methodOf(operation));
  const isWord = behaviour === 'update' && saysWhatBecomes(inference, operation, draft);
  return behaviour === undefined || isWord
    ? undefined
    : (wholeView(inference, operation, draft, behaviour) ?? partView(inference, operation, draft, behaviour));
}

/** `PATCH /things/{id}/cancel` is what the word says without a body, and with one that does not say it of the thing. */
function saysWhatBecomes({ view, index }: Inference, operation: Operation, { schema }: ResourceDraft): boolean {
  if (operation.requestBody === undefined) return true;
  const verb = lastLiteral(index.templateOf(operation)?.segments ?? []);
  const sets = effectOf(verb, view.properties(schema), view);
  const taken = view.unwrap(requestSchema(operation));
  return sets !== undefined && taken !== undefined && !view.properties(taken).has(sets.property);
}

/** Binds what is another way to an item although its path names a part of it; see {@link itemViewOf}. */
function bindItemView(inference: Inference, operation: Operation, find: FindDraft): void {
  const template = inference.index.templateOf(operation);
  const above = template === undefined ? undefined : parentCollection(template, find);
  if (template === undefined || above === undefined) return;
  const { draft, depth } = above;
  const { segments } = template;
  const isPart =
    segments.length === depth + 2 && segments[depth]?.kind === 'variable' && segments[depth + 1]?.kind === 'literal';
  const view = isPart ? itemViewOf(inference, operation, draft) : undefined;
  if (view !== undefined)
    draft.uses.push(
      toOperationUse(inference, operation, view.behaviour, { depth, isOnItem: true, confidence: 'medium', ...view }),
    );
}

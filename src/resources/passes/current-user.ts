import type { Operation, Schema } from '../../openapi/model/operation';
import { requestSchema, successSchema } from '../../openapi/view/operation-bodies';
import { itemShape, shapeContaining } from '../../lists/body-shape';
import { type Inference, type OperationUse, type ResourceDraft, schemaName, toOperationUse } from '../drafts/draft';
import { singular, wordsOf } from '../../core/text/inflection';
import { chooseKey } from '../keys/choose-key';
import { lastLiteral, variablesOf, withoutLast, type PathTemplate } from '../../openapi/view/path-template';
import type { PathNode } from '../paths/operation-readings';
import type { Behaviour } from '../model/binding';
import type { SchemaView } from '../../openapi/view/schema-view';
import { behaviourByMethod } from './singletons';
import type { InferencePass } from '../drafts/draft-model';

export const currentUser: InferencePass = {
  id: 'current-user',
  reason:
    'before singletons: `/me` beside `/users` is one of the users, and may widen their schema before keys are chosen',
  run: (inference, { drafts, isFree }) => {
    bindCurrentUser(inference, drafts, isFree);
  },
};

/** Segments that stand for the caller. */
const CURRENT_USER = /^(?:@?me|self|myself|user|current_?-?user|viewer|whoami|account|authenticated)$/i;
/** Those that can be no item's key. */
const NEVER_A_KEY = /^(?:@?me|self|myself|current_?-?user|viewer|whoami)$/i;
/** What collections of those who ask are called, in the singular. */
const PEOPLE = new Set(['user', 'person', 'member', 'account', 'profile']);

/** Does a segment of a path stand for the caller? */
export function isCurrentUserSegment(segment: string): boolean {
  return CURRENT_USER.test(segment);
}

/** The same of a record that is nobody else's. */
export function isCallerSegment(segment: string): boolean {
  return CURRENT_USER.test(segment) || /^(?:my_?-?)?profile$/i.test(segment);
}

/**
 * Binds what is done with the caller to the collection that keeps such items: `GET` and `PATCH /me` beside `/users/{id}`,
 * `/users/me`. The item is of the schema of that collection, or one schema has all properties of the other and the key. Where
 * more is reported of the caller than of others, it is stored of all, and the others are shown without.
 */
function bindCurrentUser(
  inference: Inference,
  drafts: ReadonlyMap<string, ResourceDraft>,
  isFree: (operation: Operation) => boolean,
): void {
  for (const node of inference.index.nodes.values()) {
    const operations = node.operations.filter((operation) => isFree(operation) && !isStated(inference, operation));
    const last = node.template.segments.at(-1);
    if (last?.kind !== 'literal' || !isCurrentUserSegment(last.text) || drafts.has(node.template.shape)) continue;
    if (inference.statements.resource(node.template.shape) !== undefined) continue;
    bindNode(inference, { ...node, operations }, last.text, [...drafts.values()]);
  }
}

/** What is said to be read stays a record of its own. */
function isStated({ statements }: Inference, operation: Operation): boolean {
  const said = statements.operation(operation);
  return said?.behaviour !== undefined || said?.resource !== undefined;
}

function bindNode(
  inference: Inference,
  { template, operations }: PathNode,
  word: string,
  drafts: readonly ResourceDraft[],
): void {
  const { view, index } = inference;
  const read = operations.find((operation) => index.methodOf(operation) === 'GET');
  const body = read === undefined ? undefined : successSchema(read);
  const places = drafts.filter((draft) => draft.kind === 'collection' && isBeside(template, draft.template, word));
  const matches = places.flatMap((draft): Match[] => {
    const shape = shapeContaining(view, body, draft.schema, lastLiteral(draft.template.segments));
    if (shape?.form !== 'item' || shape.item === undefined) return [];
    const { item } = shape;
    const isOwn = withoutLast(template).shape === draft.template.shape;
    const isSameName = isOwn || isNamedAfter(word, draft);
    if (item.pointer === draft.schema.pointer) return [{ draft, item, isSameName }];
    return isSameName && isSameSchemaFamily(inference, draft, item) ? [{ draft, item, isSameName }] : [];
  });
  const kin = matches.filter(({ isSameName }) => isSameName);
  const [match, ...others] = kin.length > 0 ? kin : matches;
  if (match === undefined || others.length > 0) return;
  const uses = operations.flatMap((operation) => useOf(inference, operation, match.draft, template) ?? []);
  const schema = schemaToStore(view, uses, match);
  if (schema === undefined) return;
  match.draft.schema = schema;
  match.draft.uses.push(...uses);
}

interface Match {
  readonly draft: ResourceDraft;
  /** What is reported of the caller. */
  readonly item: Schema;
  readonly isSameName: boolean;
}

/** `/users/me` and `/me` beside `/users`; `/teams/{team}/me` beside `/teams/{team}/members`. */
function isBeside(self: PathTemplate, collection: PathTemplate, word: string): boolean {
  if (withoutLast(self).shape === collection.shape) return NEVER_A_KEY.test(word);
  // What lies below the caller is theirs.
  if (collection.shape.startsWith(`${self.shape}/`)) return false;
  const before = withoutLast(self).segments;
  return variablesOf(before).length === 0
    ? variablesOf(collection.segments).length === 0
    : withoutLast(self).shape === withoutLast(collection).shape;
}

function isNamedAfter(word: string, { template }: ResourceDraft): boolean {
  const name = singular(wordsOf(lastLiteral(template.segments)).at(-1) ?? '');
  return /^(?:user|account)$/i.test(word) ? name === word.toLowerCase() : PEOPLE.has(name);
}

/** Has one schema all that the other has, and are both known by the same property? */
function isSameSchemaFamily({ view }: Inference, draft: ResourceDraft, item: Schema): boolean {
  const [ours, theirs] = [view.properties(draft.schema), view.properties(item)];
  const [fewer, more] = ours.size <= theirs.size ? [ours, theirs] : [theirs, ours];
  const key = keyProperty(view, draft);
  if (fewer.size < 2 || !fewer.has(key) || !more.has(key)) return false;
  return [...fewer.keys()].every((name) => more.has(name));
}

function keyProperty(view: SchemaView, { uses, schema, template }: ResourceDraft): string {
  const onItem = uses.find(({ isOnItem, behaviour }) => isOnItem && behaviour !== 'act');
  const segment = onItem?.template.segments[onItem.depth];
  const name = segment?.kind === 'variable' ? segment.name : '';
  const parameter = onItem?.operation.parameters.find((each) => each.in === 'path' && each.name === name);
  return chooseKey(view.properties(schema), [name], parameter, lastLiteral(template.segments), view).name;
}

/**
 * The schema in which the collection can store all that requests send about the current user: the larger one, unless
 * that requires more; `undefined` where neither can.
 */
function schemaToStore(view: SchemaView, uses: readonly OperationUse[], { draft, item }: Match): Schema | undefined {
  const own = view.properties(draft.schema);
  const told = [...view.properties(item).values()];
  const isLarger = told.some(({ name }) => !own.has(name));
  if (isLarger && told.every(({ name, required }) => !required || own.get(name)?.required === true)) return item;
  const sent = uses.flatMap(({ request }) =>
    request?.item === undefined ? [] : [...view.properties(request.item).keys()],
  );
  return sent.every((name) => own.has(name) || !told.some((each) => each.name === name)) ? draft.schema : undefined;
}

function behaviourOf(inference: Inference, operation: Operation): Behaviour | undefined {
  return behaviourByMethod(inference.index.methodOf(operation), () => 'replace');
}

function useOf(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  self: PathTemplate,
): OperationUse | undefined {
  const { view } = inference;
  const behaviour = behaviourOf(inference, operation);
  if (behaviour === undefined) return undefined;
  const name = lastLiteral(draft.template.segments);
  const sent = behaviour === 'read' || behaviour === 'remove' ? undefined : requestSchema(operation);
  return toOperationUse(inference, operation, behaviour, {
    depth: Math.min(self.segments.length, draft.template.segments.length),
    request: shapeContaining(view, sent, draft.schema, name) ?? itemShape(view, sent, name),
    response: shapeContaining(view, successSchema(operation), draft.schema, name),
    itemChoice: { by: 'caller' },
    confidence: 'medium',
    text: `means the ${schemaName(draft.schema)} of whoever asks, one of ${draft.template.path}`,
  });
}

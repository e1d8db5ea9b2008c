import type { Operation, Schema } from '../openapi/model';
import { requestSchema, successSchema } from './bodies';
import { itemShape, shapeHolding } from './body-shape';
import { toUse } from './collections';
import { schemaName, type Inference, type ResourceDraft, type Use } from './draft';
import { singular, wordsOf } from './inflection';
import { chooseKey } from './key';
import { lastLiteral, variablesOf, withoutLast, type PathTemplate } from './path-template';
import type { PathNode } from './path-index';
import type { Behaviour } from './resource-model';
import { meaningOfPut } from './put-meaning';
import type { SchemaReader } from './schema-reader';
import { behaviourByMethod } from './singletons';

/** Segments that stand for whoever asks. */
const SELF = /^(?:@?me|self|myself|user|current_?-?user|viewer|whoami|account|authenticated)$/i;
/** Those that can be no item's key. */
const NO_KEY = /^(?:@?me|self|myself|current_?-?user|viewer|whoami)$/i;
/** What collections of those who ask are called, in the singular. */
const PEOPLE = new Set(['user', 'person', 'member', 'account', 'profile']);

/** Does a segment of a path stand for whoever asks? */
export function isSelf(segment: string): boolean {
  return SELF.test(segment);
}

/**
 * Binds what is done with whoever asks to the collection that keeps such items: `GET` and `PATCH /me` beside `/users/{id}`,
 * `/users/me`. The item is of the schema of that collection, or one schema has all members of the other and the key. Where
 * more is told of whoever asks than of others, it is kept of all, and the others are shown without.
 *
 * @returns the operations that were bound
 */
export function bindCallers(
  inference: Inference,
  drafts: ReadonlyMap<string, ResourceDraft>,
  isFree: (operation: Operation) => boolean,
): Operation[] {
  return [...inference.index.nodes.values()].flatMap((node) => {
    const operations = node.operations.filter((operation) => isFree(operation) && !isStated(inference, operation));
    const last = node.template.segments.at(-1);
    if (last?.kind !== 'literal' || !isSelf(last.text) || drafts.has(node.template.shape)) return [];
    if (inference.statements.resource(node.template.shape) !== undefined) return [];
    return bindNode(inference, { ...node, operations }, last.text, [...drafts.values()]);
  });
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
): Operation[] {
  const { reader, index } = inference;
  const read = operations.find((operation) => index.methodOf(operation) === 'GET');
  const body = read === undefined ? undefined : successSchema(read);
  const places = drafts.filter((draft) => draft.kind === 'collection' && isBeside(template, draft.template, word));
  const matches = places.flatMap((draft): Match[] => {
    const shape = shapeHolding(reader, body, draft.schema, lastLiteral(draft.template.segments));
    if (shape?.form !== 'item' || shape.item === undefined) return [];
    const { item } = shape;
    const isOwn = withoutLast(template).shape === draft.template.shape;
    const isKin = isOwn || isCalledSo(word, draft);
    if (item.pointer === draft.schema.pointer) return [{ draft, item, isKin }];
    return isKin && isOneThing(inference, draft, item) ? [{ draft, item, isKin }] : [];
  });
  const kin = matches.filter(({ isKin }) => isKin);
  const [match, ...others] = kin.length > 0 ? kin : matches;
  if (match === undefined || others.length > 0) return [];
  const uses = operations.flatMap((operation) => useOf(inference, operation, match.draft, template) ?? []);
  if (!isAllKept(reader, uses, match)) return [];
  match.draft.uses.push(...uses);
  return uses.map(({ operation }) => operation);
}

interface Match {
  readonly draft: ResourceDraft;
  /** What is told of whoever asks. */
  readonly item: Schema;
  readonly isKin: boolean;
}

/** `/users/me` and `/me` beside `/users`; `/teams/{team}/me` beside `/teams/{team}/members`. */
function isBeside(self: PathTemplate, collection: PathTemplate, word: string): boolean {
  if (withoutLast(self).shape === collection.shape) return NO_KEY.test(word);
  // What lies below whoever asks is theirs.
  if (collection.shape.startsWith(`${self.shape}/`)) return false;
  const before = withoutLast(self).segments;
  return variablesOf(before).length === 0
    ? variablesOf(collection.segments).length === 0
    : withoutLast(self).shape === withoutLast(collection).shape;
}

function isCalledSo(word: string, { template }: ResourceDraft): boolean {
  const name = singular(wordsOf(lastLiteral(template.segments)).at(-1) ?? '');
  return /^(?:user|account)$/i.test(word) ? name === word.toLowerCase() : PEOPLE.has(name);
}

/** Has one schema all that the other has, and are both known by the same member? */
function isOneThing({ reader }: Inference, draft: ResourceDraft, item: Schema): boolean {
  const [ours, theirs] = [reader.members(draft.schema), reader.members(item)];
  const [fewer, more] = ours.size <= theirs.size ? [ours, theirs] : [theirs, ours];
  const key = keyMember(reader, draft);
  if (fewer.size < 2 || !fewer.has(key) || !more.has(key)) return false;
  return [...fewer.keys()].every((name) => more.has(name));
}

function keyMember(reader: SchemaReader, { uses, schema, template }: ResourceDraft): string {
  const onItem = uses.find(({ isOnItem, behaviour }) => isOnItem && behaviour !== 'act');
  const segment = onItem?.template.segments[onItem.depth];
  const name = segment?.kind === 'variable' ? segment.name : '';
  const parameter = onItem?.operation.parameters.find((each) => each.in === 'path' && each.name === name);
  return chooseKey(reader.members(schema), [name], parameter, lastLiteral(template.segments), reader).member;
}

/** Can the collection keep all that requests say of whoever asks? It takes the larger schema, unless that asks for more. */
function isAllKept(reader: SchemaReader, uses: readonly Use[], { draft, item }: Match): boolean {
  const own = reader.members(draft.schema);
  const told = [...reader.members(item).values()];
  const isLarger = told.some(({ name }) => !own.has(name));
  if (isLarger && told.every(({ name, required }) => !required || own.get(name)?.required === true)) {
    draft.schema = item;
    return true;
  }
  const sent = uses.flatMap(({ request }) =>
    request?.item === undefined ? [] : [...reader.members(request.item).keys()],
  );
  return sent.every((name) => own.has(name) || !told.some((each) => each.name === name));
}

function behaviourOf(inference: Inference, operation: Operation, draft: ResourceDraft): Behaviour | undefined {
  return behaviourByMethod(inference.index.methodOf(operation), () =>
    meaningOfPut(inference, operation, draft).behaviour === 'update' ? 'update' : 'replace',
  );
}

function useOf(inference: Inference, operation: Operation, draft: ResourceDraft, self: PathTemplate): Use | undefined {
  const { reader } = inference;
  const behaviour = behaviourOf(inference, operation, draft);
  if (behaviour === undefined) return undefined;
  const name = lastLiteral(draft.template.segments);
  const sent = behaviour === 'read' || behaviour === 'remove' ? undefined : requestSchema(operation);
  return toUse(inference, operation, behaviour, {
    depth: Math.min(self.segments.length, draft.template.segments.length),
    isOnItem: false,
    request: shapeHolding(reader, sent, draft.schema, name) ?? itemShape(reader, sent, name),
    response: shapeHolding(reader, successSchema(operation), draft.schema, name),
    choice: { by: 'caller' },
    confidence: 'medium',
    text: `means the ${schemaName(draft.schema)} of whoever asks, one of ${draft.template.path}`,
  });
}

import { foldedName } from '../../core/text/inflection';
import { type BodyShape, itemShape, listShape, pathInBody, plainShape, shapeContaining } from '../../lists/body-shape';
import type { Operation, Schema } from '../../openapi/model/operation';
import { isKeyName } from '../../openapi/naming/property-names';
import { requestSchema, successSchema } from '../../openapi/view/operation-bodies';
import { lastLiteral, type PathTemplate } from '../../openapi/view/path-template';
import { isScalar, type SchemaView } from '../../openapi/view/schema-view';
import type { Evidence } from '../model/resource';
import { type Inference, operationLabel, type OperationUse, type ResourceDraft, schemaName } from './draft';

/** The list of a collection and the path of its items, by which a list of one is known. */
export interface ListContext {
  /** Of the success of the list. */
  readonly list: Schema | undefined;
  /** `undefined` where items have no path. */
  readonly itemTemplate: PathTemplate | undefined;
}

/**
 * The place of the one item in a body of an item's path that is the body of the list as well, or is it with more of each
 * item: `GET /things/{thingId}` answers `{ "things": [one] }`. What the variable names must be a property of the items and none beside them: otherwise
 * it chooses among lists, or the body is an item that has a list.
 */
export function listOfOneShape(
  view: SchemaView,
  schema: Schema | undefined,
  { list, itemTemplate }: ListContext,
  name: string,
): BodyShape | undefined {
  const body = view.unwrap(schema);
  if (body === undefined || list === undefined) return undefined;
  const shape = listShape(view, schema, name);
  const isWrapped = shape?.form === 'list' && shape.path.length > 0 && isBodyOfList(view, shape, body, list, name);
  return isWrapped && isKeyOf(view, itemTemplate, shape.item) && !isKeyOf(view, itemTemplate, body) ? shape : undefined;
}

/** Is it the body of the list, or one with the items in the same place and with all that items of the list have? */
function isBodyOfList(view: SchemaView, shape: BodyShape, body: Schema, list: Schema, name: string): boolean {
  if (body.pointer === view.unwrap(list)?.pointer) return true;
  const listed = listShape(view, list, name);
  const [rows, row] = [listed?.item, shape.item];
  if (rows === undefined || row === undefined || listed?.path.join() !== shape.path.join()) return false;
  const properties = view.properties(row);
  return view.properties(body).size === 1 && [...view.properties(rows).keys()].every((each) => properties.has(each));
}

/** Is the last variable of a path a property, by its name or as the key of what the path calls the items? */
function isKeyOf(view: SchemaView, template: PathTemplate | undefined, schema: Schema | undefined): boolean {
  const variable = template?.segments.at(-1);
  if (template === undefined || schema === undefined || variable?.kind !== 'variable') return false;
  const wanted = foldedName(variable.name);
  const thing = lastLiteral(template.segments);
  return [...view.properties(schema).values()].some(
    (property) =>
      foldedName(property.name) === wanted ||
      (wanted === 'id' && isScalar(property) && isKeyName(property.name, thing) && /id$/i.test(property.name)),
  );
}

/** The place of the item in a body that only the list tells how to read: a list of one, or nothing that is reported. */
export function itemShapeByList(
  view: SchemaView,
  schema: Schema | undefined,
  rows: ListContext,
  name: string,
): BodyShape | undefined {
  return (
    listOfOneShape(view, schema, rows, name) ??
    listedItemShape(view, schema, rows, name) ??
    unconstrainedItemShape(view, schema, rows, name)
  );
}

/**
 * The item in a body that tells of the call as well, `{ Thing: { ThingId }, Arn, Status }`: the one property that has what
 * the list shows of each item, or the key and half of it, where the key is there and not beside it.
 */
function listedItemShape(
  view: SchemaView,
  schema: Schema | undefined,
  { list, itemTemplate }: ListContext,
  name: string,
): BodyShape | undefined {
  const whole = itemShape(view, schema, name);
  const body = whole?.path.length === 0 ? whole.item : undefined;
  const row = listShape(view, list, name)?.item;
  if (body === undefined || row === undefined || !isKeyOf(view, itemTemplate, row) || isKeyOf(view, itemTemplate, body))
    return undefined;
  const shown = [...view.properties(row).keys()];
  const [held, ...others] = [...view.properties(body).values()].flatMap((property) => {
    const item = view.schemaOf(property);
    if (item === undefined || view.items(item) !== undefined || !isKeyOf(view, itemTemplate, item)) return [];
    const own = view.properties(item);
    const isRow = shown.filter((name) => own.has(name)).length * 2 >= shown.length;
    return isRow ? [plainShape('item', body, item, [property.name])] : [];
  });
  return others.length > 0 ? undefined : held;
}

/** The same, else what the body itself tells of an item. */
export function shapeOfOne(
  view: SchemaView,
  schema: Schema | undefined,
  rows: ListContext,
  name: string,
): BodyShape | undefined {
  return itemShapeByList(view, schema, rows, name) ?? itemShape(view, schema, name);
}

/** The item that is a whole body of which nothing is reported, where the list tells nothing of its items either. */
function unconstrainedItemShape(
  view: SchemaView,
  schema: Schema | undefined,
  { list }: ListContext,
  name: string,
): BodyShape | undefined {
  const item = listShape(view, list, name)?.item;
  return item !== undefined && view.acceptsAnyObject(item) ? unconstrainedShape(view, schema, item) : undefined;
}

function unconstrainedShape(view: SchemaView, schema: Schema | undefined, item: Schema): BodyShape | undefined {
  const body = view.unwrap(schema);
  return body !== undefined && view.isUnconstrained(body) ? plainShape('item', body, item) : undefined;
}

/** What is known of a creation that takes one item or a list of them. */
export type OneOrMany = Pick<OperationUse, 'request' | 'response' | 'bulk'>;

/** How a body of which nothing is reported is read where items are free as well: as an item, or as a list of them. */
export function unconstrainedOneOrMany(
  view: SchemaView,
  operation: Operation,
  item: Schema,
  name: string,
): OneOrMany | undefined {
  const request = view.acceptsAnyObject(item) ? unconstrainedShape(view, requestSchema(operation), item) : undefined;
  if (request === undefined) return undefined;
  const response = shapeContaining(view, successSchema(operation), item, name);
  const list: BodyShape = { ...request, form: 'list' };
  return { request, response, bulk: { request: list, response: response?.form === 'list' ? response : undefined } };
}

/** Where the items of a list stand in what a creation takes; each may be in an object of its own, `{ thing, id }`. */
export function wrappedListShape(
  view: SchemaView,
  schema: Schema | undefined,
  item: Schema,
  name: string,
): BodyShape | undefined {
  const list = listShape(view, schema, name);
  const row = list?.item === undefined ? undefined : itemShape(view, list.item, name);
  if (list?.form !== 'list' || row?.item === undefined || row.path.length === 0) return undefined;
  return view.areSimilar(row.item, item) ? { ...list, item: row.item, entryPath: row.path } : undefined;
}

/**
 * How the bodies of an operation are read that takes one item or a list of them, `oneOf: [Thing, [Thing]]`, in an envelope or
 * not.
 *
 * @returns `undefined` where it takes no such choice
 */
export function oneOrManyShapes(
  view: SchemaView,
  operation: Operation,
  item: Schema,
  name: string,
): OneOrMany | undefined {
  const free = unconstrainedOneOrMany(view, operation, item, name);
  if (free !== undefined) return free;
  const one = shapeContaining(view, requestSchema(operation), item, name);
  const request = listInChoice(view, one, item);
  if (request === undefined) return undefined;
  const answered = shapeContaining(view, successSchema(operation), item, name);
  const response = answered?.form === 'list' ? answered : listInChoice(view, answered, item);
  return { request: one, response: answered, bulk: { request, response } };
}

function listInChoice(view: SchemaView, shape: BodyShape | undefined, item: Schema): BodyShape | undefined {
  if (shape?.form !== 'item' || shape.item === undefined) return undefined;
  const rows = view
    .alternatives(shape.item)
    .map((branch) => view.items(branch))
    .find((each) => each !== undefined && view.areSimilar(each, item));
  return rows === undefined ? undefined : { ...shape, form: 'list', item: rows };
}

/** A schema that an operation speaks of, and what that says. */
interface Vote {
  readonly schema: Schema;
  readonly isResponse: boolean;
  readonly evidence: Evidence;
}

/** The shape of an item: as it is stated, else as most speaks for it. */
export function itemSchemaOf(
  inference: Inference,
  onCollection: readonly Operation[],
  onItem: readonly Operation[],
  place: PathTemplate,
  rows: ListContext,
): Pick<ResourceDraft, 'schema' | 'evidence' | 'confidence'> | undefined {
  const stated = inference.statements.resource(place.shape);
  const schema = stated?.schema === undefined ? undefined : inference.api.schemaAt(stated.schema);
  if (stated !== undefined && schema !== undefined)
    return { schema, evidence: [stated.evidence], confidence: 'stated' };
  const votes = voteOnSchema(inference, onCollection, onItem, lastLiteral(place.segments), rows);
  const [winner] = votes;
  if (winner === undefined) return undefined;
  return {
    schema:
      matchingBranch(inference, votes) ??
      keyedListEntry(inference, votes, lastLiteral(place.segments)) ??
      winner.schema,
    evidence: votes.map(({ evidence }) => evidence),
    confidence: agreement(inference, votes),
  };
}

/**
 * What is read may be an item, or what is reported of one that is gone: then all other responses are one branch of it, and
 * that one is the item.
 */
function matchingBranch({ view }: Inference, [winner, ...others]: readonly Vote[]): Schema | undefined {
  const [meant, ...rest] = others.filter(({ isResponse }) => isResponse).map(({ schema }) => schema);
  if (winner === undefined || meant === undefined) return undefined;
  const isOne = rest.every(({ pointer }) => pointer === meant.pointer);
  return isOne && view.alternatives(winner.schema).some(({ pointer }) => pointer === meant.pointer) ? meant : undefined;
}

/**
 * What is read under the path of an item may be no more than a profile of it, `{ basic: { name } }`: then the items of the
 * list are the items, where those have a key, and another answer is like them.
 */
function keyedListEntry({ view }: Inference, [winner, ...others]: readonly Vote[], name: string): Schema | undefined {
  const [row, ...rest] = others.filter(({ isResponse }) => isResponse).map(({ schema }) => schema);
  if (winner?.isResponse !== true || row === undefined || isLike(view, winner.schema, others)) return undefined;
  const hasKey = (schema: Schema): boolean =>
    [...view.properties(schema).values()].some((property) => isScalar(property) && isKeyName(property.name, name));
  const isAgreed = rest.some((other) => hasKey(other) && view.areSameType(row, other));
  return isAgreed && hasKey(row) && !hasKey(winner.schema) ? row : undefined;
}

function isLike(view: SchemaView, schema: Schema, votes: readonly Vote[]): boolean {
  return votes.some((vote) => view.areSimilar(schema, vote.schema));
}

/** What is read decides the shape of an item, before what is written; what answers, before what is sent. */
function voteOnSchema(
  { view, index }: Inference,
  onCollection: readonly Operation[],
  onItem: readonly Operation[],
  name: string,
  rows: ListContext,
): Vote[] {
  const by = (operations: readonly Operation[], ...methods: string[]): Operation[] =>
    operations.filter((operation) => methods.includes(index.methodOf(operation)));
  const vote = (
    operations: readonly Operation[],
    verb: string,
    shapeOf: (operation: Operation) => BodyShape | undefined,
  ): Vote[] =>
    operations.flatMap((operation) => {
      const shape = shapeOf(operation);
      if (shape?.item === undefined) return [];
      const text = `${operationLabel(operation)} ${verb} ${shape.form === 'item' ? '' : shape.form === 'map' ? 'a map of ' : 'a list of '}${schemaName(shape.item)}${pathInBody(shape)}`;
      return [{ schema: shape.item, isResponse: verb === 'answers', evidence: { text, pointer: operation.pointer } }];
    });
  const shapeOf = (schema: Schema | undefined): BodyShape | undefined => shapeOfOne(view, schema, rows, name);
  const answered = (operation: Operation): BodyShape | undefined => shapeOf(successSchema(operation));
  const taken = (operation: Operation): BodyShape | undefined => shapeOf(requestSchema(operation));
  return [
    ...vote(by(onItem, 'GET'), 'answers', answered),
    ...vote(by(onCollection, 'GET'), 'answers', (operation) => listShape(view, successSchema(operation), name)),
    ...vote(by(onCollection, 'POST'), 'answers', answered),
    ...vote(by(onItem, 'PUT', 'PATCH'), 'answers', answered),
    ...vote(by(onItem, 'PUT'), 'takes', taken),
    ...vote(by(onCollection, 'POST'), 'takes', taken),
  ];
}

/** How far the votes speak of one thing. */
function agreement({ view }: Inference, [winner, ...others]: readonly Vote[]): ResourceDraft['confidence'] {
  if (winner === undefined || others.length === 0) return 'medium';
  const answered = others.filter(({ isResponse }) => isResponse);
  const areAlike = others.every(({ schema }) => view.areSimilar(schema, winner.schema));
  if (!areAlike) return 'low';
  return answered.every(({ schema }) => schema.pointer === winner.schema.pointer) ? 'high' : 'medium';
}

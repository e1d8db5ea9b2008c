import { foldedName, wordsOf } from '../../core/text/inflection';
import { type BodyShape, itemShape, plainShape } from '../../lists/body-shape';
import type { Operation, Schema } from '../../openapi/model/operation';
import { successSchema } from '../../openapi/view/operation-bodies';
import { lastLiteral, type Segment, shapeOf } from '../../openapi/view/path-template';
import { type SchemaView, typesOf } from '../../openapi/view/schema-view';
import type { SchemaObject } from '../../schema/schema-object';
import { type Inference, type ResourceDraft, schemaName, toOperationUse } from '../drafts/draft';

/**
 * Binds a GET that answers numbers by name to the enum property of the resource whose words its description uses:
 * `GET /shop/stock`, "toy counts by status". Numbers that have the names of the values need no such words.
 *
 * @returns was it bound?
 */
export function bindCount(inference: Inference, operation: Operation, drafts: Iterable<ResourceDraft>): boolean {
  const { view } = inference;
  const body = operation.method === 'GET' ? view.unwrap(successSchema(operation)) : undefined;
  const numbers = body === undefined ? undefined : numbersOf(view, body);
  if (body === undefined || numbers === undefined) return false;
  const { names, values } = numbers;
  const template = inference.index.templateOf(operation);
  if (template?.segments.some(({ kind }) => kind === 'variable') !== false) return false;
  const words = new Set(
    [operation.summary, operation.description, operation.id, operation.path]
      .flatMap(wordsOf)
      .map((word) => word.replace(/(?<=..)s$/, '')),
  );
  const candidates = [...drafts].flatMap((draft) => {
    if (draft.kind !== 'collection') return [];
    const thing = wordsOf(lastLiteral(draft.template.segments)).map((word) => word.replace(/(?<=..)s$/, ''));
    const isBelow = template.shape.startsWith(`${shapeOf(draft.template.segments)}/`);
    return [...view.properties(draft.schema).values()]
      .filter(({ schema }) => Array.isArray(schema['enum']) && typesOf(schema).includes('string'))
      .filter(({ schema }) => names === undefined || names.every((name) => isCounted(name, schema['enum'])))
      .map(({ name }) => {
        const isNamed = wordsOf(name).every((word) => words.has(word.replace(/(?<=..)s$/, '')));
        const score =
          (names === undefined ? 0 : 2) +
          (isBelow ? 3 : 0) +
          (thing.some((word) => words.has(word)) ? 2 : 0) +
          (isNamed ? 1 : 0);
        return { draft, member: name, score };
      });
  });
  const best = Math.max(0, ...candidates.map(({ score }) => score));
  const [winner, ...ties] = candidates.filter(({ score }) => score === best);
  if (winner === undefined || ties.length > 0 || best < 2) return false;
  const { draft, member: property } = winner;
  draft.uses.push(
    toOperationUse(inference, operation, 'count', {
      depth: 0,
      response: plainShape(names === undefined ? 'map' : 'item', body, values),
      countBy: property,
      countNames: names,
      confidence: 'medium',
      text: `returns a number for each name, and mentions ${schemaName(draft.schema)} and its "${property}"`,
    }),
  );
  return true;
}

/** @returns what the numbers of a body are, and their names where it lists them; `undefined` where it has no numbers alone */
function numbersOf(
  view: SchemaView,
  body: Schema,
): { readonly names: readonly string[] | undefined; readonly values: Schema } | undefined {
  const values = view.mapValues(body);
  if (values !== undefined) return isNumber(values.value) ? { names: undefined, values } : undefined;
  const properties = [...view.properties(body).values()];
  const [first] = properties;
  if (first === undefined || !properties.every(({ schema }) => isNumber(schema))) return undefined;
  const names = properties.map(({ name }) => name);
  return names.filter((name) => !isTotalName(name)).length < 2 ? undefined : { names, values: body };
}

function isNumber(schema: SchemaObject): boolean {
  return typesOf(schema).includes('integer');
}

function isCounted(name: string, values: unknown): boolean {
  return isTotalName(name) || (Array.isArray(values) && values.includes(name));
}

/** Is a number with this name that of all items? */
export function isTotalName(name: string): boolean {
  return /^(?:total|all|count)$/i.test(name);
}

const COUNTS = /^(?:count|total)$/;
/** Words that ask whether an item is there. */
const EXISTS = /^(?:exists?|existence|doesexist)$/;

/**
 * Binds what answers how many items there are, or whether there is one: `GET /things/count`, `GET /things/{id}/exists`,
 * `GET /things/exists/{name}`.
 *
 * @returns was it bound?
 */
export function bindTotalCount(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  depth: number,
): boolean {
  const { segments = [] } = inference.index.templateOf(operation) ?? {};
  const isOnItem = segments[depth]?.kind === 'variable';
  const type = ['GET', 'POST'].includes(operation.method)
    ? typeOfTotal(inference.view, segments.slice(isOnItem ? depth + 1 : depth), isOnItem, draft)
    : undefined;
  const response = type && totalShape(inference.view, successSchema(operation), type);
  if (response === undefined) return false;
  const thing = schemaName(draft.schema);
  const text = type === 'boolean' ? `returns whether there is such a ${thing}` : `returns how many ${thing} there are`;
  const parts = { depth, isOnItem, response, text, confidence: 'medium' } as const;
  draft.uses.push(toOperationUse(inference, operation, 'count', parts));
  return true;
}

/** What the words behind a collection or an item ask for: a number, a truth value, or `undefined` for neither. */
function typeOfTotal(
  view: SchemaView,
  [verb, property, ...more]: readonly Segment[],
  isOnItem: boolean,
  draft: ResourceDraft,
): 'boolean' | 'integer' | undefined {
  if (verb?.kind !== 'literal' || more.length > 0) return undefined;
  const word = wordsOf(verb.text).join('');
  if (EXISTS.test(word)) return property === undefined || isPropertyOf(view, property, draft) ? 'boolean' : undefined;
  return !isOnItem && property === undefined && COUNTS.test(word) ? 'integer' : undefined;
}

function isPropertyOf(view: SchemaView, segment: Segment, { schema }: ResourceDraft): boolean {
  if (segment.kind !== 'variable') return false;
  return [...view.properties(schema).keys()].some((each) => foldedName(each) === foldedName(segment.name));
}

/** Where the one number, or truth value, stands in a body: the body itself, or a property of it. */
function totalShape(view: SchemaView, schema: Schema | undefined, type: 'boolean' | 'integer'): BodyShape | undefined {
  const body = view.unwrap(schema);
  const isTotal = (each: Schema | undefined): each is Schema =>
    each !== undefined && typesOf(each.value).includes(type);
  if (isTotal(body)) return plainShape('item', body);
  const frame = itemShape(view, schema, 'count');
  const properties = frame?.item === undefined ? [] : [...view.properties(frame.item).values()];
  const [total, ...others] = properties.filter(
    (each) =>
      isTotal(view.schemaOf(each)) &&
      (type === 'boolean'
        ? !/^(?:ok|success)$/.test(each.name)
        : /^(?:total|all|count|totalcount|counttotal)$/.test(foldedName(each.name))),
  );
  if (frame === undefined || total === undefined || others.length > 0) return undefined;
  return plainShape('item', frame.body, view.schemaOf(total), [...frame.path, total.name]);
}

import type { SchemaObject } from '../json-schema/schema';
import type { Operation, Schema } from '../openapi/model';
import { successSchema } from './bodies';
import { toUse } from './collections';
import { schemaName, type Inference, type ResourceDraft } from './draft';
import { wordsOf } from './inflection';
import { lastLiteral, shapeOf } from './path-template';
import { typesOf, type SchemaReader } from './schema-reader';

/**
 * Binds a GET that answers numbers by name to the enum member of the resource whose words its description uses:
 * `GET /shop/stock`, "toy counts by status". Numbers that have the names of the values need no such words.
 *
 * @returns was it bound?
 */
export function bindCount(inference: Inference, operation: Operation, drafts: Iterable<ResourceDraft>): boolean {
  const { reader } = inference;
  const body = operation.method === 'GET' ? reader.unwrap(successSchema(operation)) : undefined;
  const numbers = body === undefined ? undefined : numbersOf(reader, body);
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
    return [...reader.members(draft.schema).values()]
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
  const { draft, member } = winner;
  draft.uses.push(
    toUse(inference, operation, 'count', {
      depth: 0,
      isOnItem: false,
      request: undefined,
      response: {
        form: names === undefined ? 'map' : 'item',
        path: [],
        item: values,
        body,
        siblings: [],
        layout: 'plain',
      },
      countBy: member,
      countedNames: names,
      confidence: 'medium',
      text: `answers a number for each name, and speaks of ${schemaName(draft.schema)} and its "${member}"`,
    }),
  );
  return true;
}

/** @returns what the numbers of a body are, and their names where it lists them; `undefined` where it has no numbers alone */
function numbersOf(
  reader: SchemaReader,
  body: Schema,
): { readonly names: readonly string[] | undefined; readonly values: Schema } | undefined {
  const values = reader.mapValues(body);
  if (values !== undefined) return isNumber(values.value) ? { names: undefined, values } : undefined;
  const members = [...reader.members(body).values()];
  const [first] = members;
  if (first === undefined || !members.every(({ schema }) => isNumber(schema))) return undefined;
  const names = members.map(({ name }) => name);
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

import type { Operation } from '../openapi/model';
import { successSchema } from './bodies';
import { toUse } from './collections';
import { schemaName, type Inference, type ResourceDraft } from './draft';
import { wordsOf } from './inflection';
import { lastLiteral, shapeOf } from './path-template';
import { typesOf } from './schema-reader';

/**
 * Binds a GET that answers numbers by name to the enum member of the resource whose words its description uses:
 * `GET /shop/stock`, "toy counts by status".
 *
 * @returns was it bound?
 */
export function bindCount(inference: Inference, operation: Operation, drafts: Iterable<ResourceDraft>): boolean {
  const { reader } = inference;
  const body = operation.method === 'GET' ? reader.unwrap(successSchema(operation)) : undefined;
  const values = body === undefined ? undefined : reader.mapValues(body);
  if (body === undefined || values === undefined || !typesOf(values.value).includes('integer')) return false;
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
      .map(({ name }) => {
        const isNamed = wordsOf(name).every((word) => words.has(word.replace(/(?<=..)s$/, '')));
        const score = (isBelow ? 3 : 0) + (thing.some((word) => words.has(word)) ? 2 : 0) + (isNamed ? 1 : 0);
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
      response: { form: 'map', path: [], item: values, body, siblings: [], layout: 'plain' },
      countBy: member,
      confidence: 'medium',
      text: `answers a number for each name, and speaks of ${schemaName(draft.schema)} and its "${member}"`,
    }),
  );
  return true;
}

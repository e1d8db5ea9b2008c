import type { Operation } from '../openapi/model';
import { askedInBody } from './asked-in-body';
import { successSchema } from './bodies';
import { itemShape } from './body-shape';
import { toUse } from './collections';
import { conditionForm } from './conditions';
import { isTotalName } from './counts';
import { schemaName, type Inference, type ResourceDraft } from './draft';
import { wordsOf } from './inflection';
import { meansKeys } from './list-parameters';
import type { PathTemplate } from './path-template';
import { typesOf } from './schema-reader';

/** What an operation is called that reads. */
const READS = /^(?:get|list|read|retrieve|fetch|find|search|query|look(?:s| ?up)|load)/i;
/** What the last segment of a path is called that removes several. */
const REMOVES = /^(?:(?:bulk|batch|mass|multi)?(?:delete|remove|destroy)(?:bulk|batch|many|multiple|all)?)$/;
const COUNTS = /^(?:count|total)$/;

/** Does the body of an operation choose among the items of a collection: by a list of keys, or by conditions? */
export function choosesInBody(
  { api, reader }: Inference,
  operation: Operation,
  { template }: Pick<ResourceDraft, 'template'>,
): boolean {
  const { operation: asked, places } = askedInBody(api, operation, reader);
  return asked.parameters.some(
    (parameter) =>
      places.has(parameter.name) &&
      ((parameter.items !== undefined && meansKeys(parameter, template.path)) ||
        (parameter.schema !== undefined && conditionForm(reader, parameter.schema) !== undefined)),
  );
}

/** `POST /things { ids: [] }` that is said to read. */
export function readsChosen(inference: Inference, operation: Operation, draft: ResourceDraft): boolean {
  const { summary, id } = operation;
  return (READS.test(summary) || READS.test(id)) && choosesInBody(inference, operation, draft);
}

/**
 * Binds what removes or counts several items of a collection: `POST /things/delete { things: [1, 2] }`,
 * `POST /things/count { filter }`, `GET /things/count`.
 *
 * @returns was it bound?
 */
export function bindMany(inference: Inference, operation: Operation, draft: ResourceDraft, depth: number): boolean {
  return removesChosen(inference, operation, draft, depth) || countsChosen(inference, operation, draft, depth);
}

function removesChosen(inference: Inference, operation: Operation, draft: ResourceDraft, depth: number): boolean {
  const verb = verbBehind(inference.index.templateOf(operation), depth);
  const isDelete = inference.index.methodOf(operation) === 'DELETE';
  const isRemoval = verb !== undefined && (REMOVES.test(verb) || (isDelete && /^(?:bulk|batch)$/.test(verb)));
  if (!isRemoval || !choosesInBody(inference, operation, draft)) return false;
  const text = 'removes what its body chooses';
  const parts = { depth, isOnItem: false, request: undefined, response: undefined, text } as const;
  draft.uses.push(toUse(inference, operation, 'clear', { ...parts, confidence: 'medium' }));
  return true;
}

function countsChosen(inference: Inference, operation: Operation, draft: ResourceDraft, depth: number): boolean {
  const { reader, index } = inference;
  const verb = verbBehind(index.templateOf(operation), depth);
  if (verb === undefined || !COUNTS.test(verb) || !['GET', 'POST'].includes(operation.method)) return false;
  const response = itemShape(reader, successSchema(operation), verb);
  const members = response?.item === undefined ? [] : [...reader.members(response.item).values()];
  const totals = members.filter(({ name, schema }) => isTotalName(name) && typesOf(schema).includes('integer'));
  const [total, ...more] = totals;
  if (response === undefined || total === undefined || more.length > 0) return false;
  const text = `answers how many ${schemaName(draft.schema)} there are`;
  const parts = { depth, isOnItem: false, request: undefined, response, text } as const;
  draft.uses.push(toUse(inference, operation, 'count', { ...parts, countedNames: [total.name], confidence: 'medium' }));
  return true;
}

/** The one word behind a collection. */
function verbBehind(template: PathTemplate | undefined, depth: number): string | undefined {
  const [verb, ...rest] = template?.segments.slice(depth) ?? [];
  return verb?.kind === 'literal' && rest.length === 0 ? wordsOf(verb.text).join('') : undefined;
}

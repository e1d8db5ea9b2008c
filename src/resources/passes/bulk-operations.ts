import { wordsOf } from '../../core/text/inflection';
import { conditionForm, parametersInBody } from '../../lists/body-queries';
import { itemShape } from '../../lists/body-shape';
import { isKeyListParameter } from '../../lists/list-parameters';
import type { Operation } from '../../openapi/model/operation';
import { successSchema } from '../../openapi/view/operation-bodies';
import type { PathTemplate } from '../../openapi/view/path-template';
import { typesOf } from '../../openapi/view/schema-view';
import { type Inference, type ResourceDraft, schemaName, toOperationUse } from '../drafts/draft';
import { isTotalName } from './counts';

/** What an operation is called that reads. */
const READS = /^(?:get|list|read|retrieve|fetch|find|search|query|look(?:s| ?up)|load)/i;
/** What the last segment of a path is called that removes several. */
const REMOVES = /^(?:(?:bulk|batch|mass|multi)?(?:delete|remove|destroy)(?:bulk|batch|many|multiple|all)?)$/;
const COUNTS = /^(?:count|total)$/;

/** Does the body of an operation choose among the items of a collection: by a list of keys, or by conditions? */
function selectsByBody(
  { api, view }: Inference,
  operation: Operation,
  { template }: Pick<ResourceDraft, 'template'>,
): boolean {
  const { operation: asked, paths } = parametersInBody(api, operation, view);
  return asked.parameters.some(
    (parameter) =>
      paths.has(parameter.name) &&
      ((parameter.items !== undefined && isKeyListParameter(parameter, template.path)) ||
        (parameter.schema !== undefined && conditionForm(view, parameter.schema) !== undefined)),
  );
}

/** `POST /things { ids: [] }` that is said to read. */
export function isSearchByBody(inference: Inference, operation: Operation, draft: ResourceDraft): boolean {
  const { summary, id } = operation;
  return (READS.test(summary) || READS.test(id)) && selectsByBody(inference, operation, draft);
}

/**
 * Binds what removes or counts several items of a collection: `POST /things/delete { things: [1, 2] }`,
 * `POST /things/count { filter }`, `GET /things/count`.
 *
 * @returns was it bound?
 */
export function bindBulkOperation(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  depth: number,
): boolean {
  return bindBulkRemoval(inference, operation, draft, depth) || bindTotalCount(inference, operation, draft, depth);
}

function bindBulkRemoval(inference: Inference, operation: Operation, draft: ResourceDraft, depth: number): boolean {
  const verb = verbAfter(inference.index.templateOf(operation), depth);
  const isDelete = inference.index.methodOf(operation) === 'DELETE';
  const isRemoval = verb !== undefined && (REMOVES.test(verb) || (isDelete && /^(?:bulk|batch)$/.test(verb)));
  if (!isRemoval || !selectsByBody(inference, operation, draft)) return false;
  const text = 'removes what its body chooses';
  const parts = { depth, text } as const;
  draft.uses.push(toOperationUse(inference, operation, 'clear', { ...parts, confidence: 'medium' }));
  return true;
}

function bindTotalCount(inference: Inference, operation: Operation, draft: ResourceDraft, depth: number): boolean {
  const { view, index } = inference;
  const verb = verbAfter(index.templateOf(operation), depth);
  if (verb === undefined || !COUNTS.test(verb) || !['GET', 'POST'].includes(operation.method)) return false;
  const response = itemShape(view, successSchema(operation), verb);
  const properties = response?.item === undefined ? [] : [...view.properties(response.item).values()];
  const totals = properties.filter(({ name, schema }) => isTotalName(name) && typesOf(schema).includes('integer'));
  const [total, ...more] = totals;
  if (response === undefined || total === undefined || more.length > 0) return false;
  const text = `returns how many ${schemaName(draft.schema)} there are`;
  const parts = { depth, response, text } as const;
  draft.uses.push(
    toOperationUse(inference, operation, 'count', { ...parts, countNames: [total.name], confidence: 'medium' }),
  );
  return true;
}

/** The one word behind a collection. */
function verbAfter(template: PathTemplate | undefined, depth: number): string | undefined {
  const [verb, ...rest] = template?.segments.slice(depth) ?? [];
  return verb?.kind === 'literal' && rest.length === 0 ? wordsOf(verb.text).join('') : undefined;
}

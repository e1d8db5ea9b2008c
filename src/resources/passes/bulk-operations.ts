import { foldedName, singular, singularWords, wordsOf } from '../../core/text/inflection';
import { conditionForm, parametersInBody } from '../../lists/body-queries';
import { type BodyShape, shapeContaining, WRAPPERS } from '../../lists/body-shape';
import { isKeyListParameter } from '../../lists/list-parameters';
import type { Operation, Schema } from '../../openapi/model/operation';
import { isKeyName } from '../../openapi/naming/property-names';
import { requestSchema, successSchema } from '../../openapi/view/operation-bodies';
import { lastLiteral, parseTemplate, type PathTemplate, shapeOf } from '../../openapi/view/path-template';
import { isScalar, type SchemaView, typesOf } from '../../openapi/view/schema-view';
import { effectOfAction, withSynonymProperties } from '../actions/action-effects';
import { timestampsOf } from '../actions/verb-effects';
import { type Inference, type OperationUse, type ResourceDraft, toOperationUse } from '../drafts/draft';
import type { InferencePass } from '../drafts/draft-model';
import { wrappedListShape } from '../drafts/item-bodies';
import type { Action, EachItem } from '../model/binding';
import type { PathIndex } from '../paths/operation-readings';
import { bindTotalCount } from './counts';

/**
 * Binds what acts on several items of a collection whose keys are in the body: `POST /things/batch/read`,
 * `POST /things/bulk-close`, and `PATCH` of the collection itself with a list.
 */
export const bulkOperations: InferencePass = {
  id: 'bulk-operations',
  reason: 'after the collections are known and merged, and before a batch could be taken for a resource of its own',
  run(inference, { draftAt, isFree }) {
    for (const operation of inference.api.operations.filter(isFree)) {
      // A verb at the end is a part of what the path says, and no other word for a method.
      const place = bulkPlace(inference.index, parseTemplate(operation.path));
      const draft = place && draftAt(place.shape);
      const use = place && draft && useOfEach(inference, operation, draft, place);
      if (use !== undefined) draft?.uses.push(use);
    }
  },
};

/** What an operation on the path of a collection does with each item that its body names; see {@link bulkOperations}. */
export function useOfListedItems(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
): OperationUse | undefined {
  return useOfEach(inference, operation, draft, {
    shape: draft.template.shape,
    depth: draft.template.segments.length,
    verb: '',
  });
}

const BULK = new Set(['batch', 'batches', 'bulk', 'mass', 'multi', 'multiple', 'many', 'several']);
const EFFECTS: ReadonlyMap<string, EachItem['effect'] | 'create'> = new Map<string, EachItem['effect'] | 'create'>([
  ...(['create', 'add', 'insert', 'import', 'new'] as const).map((word) => [word, 'create'] as const),
  ...(['get', 'read', 'retrieve', 'fetch', 'lookup', 'load'] as const).map((word) => [word, 'read'] as const),
  ...(['update', 'patch', 'modify', 'edit', 'change', 'replace', 'put'] as const).map(
    (word) => [word, 'update'] as const,
  ),
  ...(['upsert', 'save', 'sync'] as const).map((word) => [word, 'upsert'] as const),
  ...(['delete', 'remove', 'destroy', 'purge', 'erase'] as const).map((word) => [word, 'remove'] as const),
]);
const BY_METHOD: ReadonlyMap<string, EachItem['effect']> = new Map([
  ['PATCH', 'update'],
  ['PUT', 'update'],
  ['DELETE', 'remove'],
]);

/** What a path says of several items of a collection. */
interface BulkPlace {
  /** Of the collection. */
  readonly shape: string;
  readonly depth: number;
  /** What is done with each, `update` of `/things/batch/update`; empty where the path leaves it to the method. */
  readonly verb: string;
}

/**
 * The collection that a path speaks of by more words than its own, one of which says that several items are meant; and that
 * of a collection's own path. What has items of its own, such as `/things/batches/{id}`, is a collection.
 */
export function bulkPlace(
  { nodes }: Pick<PathIndex, 'nodes'>,
  template: PathTemplate | undefined,
): BulkPlace | undefined {
  if (template === undefined || nodes.has(`${template.shape}/{}`)) return undefined;
  for (const length of [1, 2]) {
    const depth = template.segments.length - length;
    const [before, tail] = [template.segments.slice(0, depth), template.segments.slice(depth)];
    const shape = shapeOf(before);
    const isCollection = before.at(-1)?.kind === 'literal' && (nodes.has(shape) || nodes.has(`${shape}/{}`));
    const words = tail.flatMap((segment) => (segment.kind === 'literal' ? wordsOf(segment.text) : []));
    const isPlain = tail.every(({ kind }) => kind === 'literal');
    if (!isCollection || !isPlain || !words.some((word) => BULK.has(word))) continue;
    const noun = singularWords(lastLiteral(before)).join('');
    const rest = words.filter((word) => !BULK.has(word) && singular(word) !== noun && word !== 'all');
    if (rest.length <= 1) return { shape, depth, verb: rest[0] ?? '' };
  }
  return undefined;
}

function useOfEach(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  { depth, verb }: BulkPlace,
): OperationUse | undefined {
  const named = entriesOf(inference.view, requestSchema(operation), draft);
  const effect = effectOf(operation, draft, verb);
  if (named === undefined || effect === undefined || effect === 'create') return undefined;
  if (effect === 'read' && operation.method !== 'POST') return undefined;
  const action = effect === 'act' ? actionOf(inference, operation, draft, verb) : undefined;
  if (effect === 'act' && action === undefined) return undefined;
  return toOperationUse(inference, operation, 'each', {
    depth,
    response: answeredList(inference.view, operation, draft),
    each: { ...named, effect },
    ...(action === undefined ? {} : { action }),
    confidence: 'medium',
    text: `${TEXTS[effect]} each item that its body names`,
  });
}

function answeredList(
  view: SchemaView,
  operation: Operation,
  { schema, template }: ResourceDraft,
): BodyShape | undefined {
  const name = lastLiteral(template.segments);
  const answered = successSchema(operation);
  const shape = shapeContaining(view, answered, schema, name) ?? wrappedListShape(view, answered, schema, name);
  return shape?.form === 'item' ? undefined : shape;
}

const TEXTS: Readonly<Record<EachItem['effect'], string>> = {
  read: 'returns',
  update: 'changes',
  upsert: 'changes or makes',
  remove: 'removes',
  act: 'acts on',
};

/** May a word for what is done with several items, or none, make them? */
export function mayCreate(verb: string): boolean {
  return verb === '' || EFFECTS.get(verb) === 'create' || EFFECTS.get(verb) === 'upsert';
}

/** A word like `archive` removes what a DELETE of one item is said to archive. */
function effectOf(
  operation: Operation,
  { uses }: ResourceDraft,
  verb: string,
): EachItem['effect'] | 'create' | undefined {
  if (verb === '') return BY_METHOD.get(operation.method);
  const removal = uses.find(({ behaviour }) => behaviour === 'remove')?.operation;
  const isRemoval = removal !== undefined && wordsOf(`${removal.summary} ${removal.id}`).includes(verb);
  return isRemoval ? 'remove' : (EFFECTS.get(verb) ?? 'act');
}

function actionOf(inference: Inference, operation: Operation, draft: ResourceDraft, verb: string): Action | undefined {
  const properties = inference.view.properties(draft.schema);
  const sets = effectOfAction(verb, operation, properties, inference.view);
  if (sets === undefined) return undefined;
  const assignments = withSynonymProperties(sets, properties, verb);
  return { verb, assignments, timestamps: timestampsOf(verb, properties), mergesBody: false };
}

/**
 * The list in a body whose entries are keys of items, or have them: the body itself, or its one list of such. A list of
 * words has keys where its name says so, or where it is named as the items are.
 */
function entriesOf(
  view: SchemaView,
  schema: Schema | undefined,
  draft: ResourceDraft,
): Omit<EachItem, 'effect'> | undefined {
  const body = view.unwrap(schema);
  if (body === undefined) return undefined;
  const own = entryOf(view, body, draft);
  if (own !== undefined) return { path: [], ...own };
  const noun = lastLiteral(draft.template.segments);
  const found = [...view.properties(body).values()].flatMap((property) => {
    const entry = isScalar(property) ? undefined : entryOf(view, view.schemaOf(property), draft);
    if (entry === undefined) return [];
    const isNamed = entry.key !== undefined || /(?:^|_)(?:id|key|uuid|gid)s$/.test(wordsOf(property.name).join('_'));
    if (!isNamed && foldedName(property.name) !== foldedName(noun)) return [];
    const data = entry.key === undefined ? dataBeside(view, body, draft) : undefined;
    return [
      { path: [property.name], ...entry, ...(data === undefined ? {} : { data: data.name, entry: data.schema }) },
    ];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The one object beside a list of keys that is as items are, and says what all of them become: `{ ids, data: {…} }`. */
function dataBeside(
  view: SchemaView,
  body: Schema,
  { schema: item }: ResourceDraft,
): { readonly name: string; readonly schema: Schema } | undefined {
  const [only, ...others] = [...view.properties(body).values()].flatMap((property) => {
    const schema = isScalar(property) ? undefined : view.schemaOf(property);
    const isFree = schema !== undefined && WRAPPERS.has(property.name) && view.acceptsAnyObject(schema);
    const isItem =
      schema !== undefined && (isFree || view.areSimilar(schema, item)) && view.items(schema) === undefined;
    return isItem ? [{ name: property.name, schema }] : [];
  });
  return others.length === 0 ? only : undefined;
}

function entryOf(
  view: SchemaView,
  schema: Schema | undefined,
  { itemTemplate, template }: ResourceDraft,
): Pick<EachItem, 'key' | 'entry'> | undefined {
  const items = schema === undefined ? undefined : view.items(schema);
  const entry = items === undefined ? undefined : (view.unwrap(items) ?? items);
  if (entry === undefined) return undefined;
  if (!view.isObject(entry))
    return typesOf(entry.value).some((type) => type === 'string' || type === 'integer')
      ? { key: undefined, entry: undefined }
      : undefined;
  const variable = itemTemplate?.segments.at(-1);
  const wanted = variable?.kind === 'variable' ? foldedName(variable.name) : undefined;
  const scalars = [...view.properties(entry).values()].filter(isScalar);
  const key =
    scalars.find(({ name }) => foldedName(name) === wanted) ??
    scalars.find(({ name }) => isKeyName(name, lastLiteral(template.segments)));
  return key === undefined ? undefined : { key: key.name, entry };
}

/** What an operation is called that reads. */
const READS = /^(?:get|list|read|retrieve|fetch|find|search|query|look(?:s| ?up)|load)/i;
/** What the last segment of a path is called that removes several. */
const REMOVES = /^(?:(?:bulk|batch|mass|multi)?(?:delete|remove|destroy)(?:bulk|batch|many|multiple|all)?)$/;

/** Does the body of an operation choose among the items of a collection: by a list of keys, or by conditions? */
export function selectsByBody(
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
 * `DELETE /things/bulk?ids=1,2`, `POST /things/count { filter }`, `GET /things/count`.
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
  // Without keys it would remove all.
  const byQuery =
    isDelete &&
    operation.parameters.some((each) => {
      return each.in === 'query' && each.required && isKeyListParameter(each, draft.template.path);
    });
  if (!isRemoval || !(byQuery || selectsByBody(inference, operation, draft))) return false;
  const text = `removes what its ${byQuery ? 'parameters choose' : 'body chooses'}`;
  const parts = { depth, text } as const;
  draft.uses.push(toOperationUse(inference, operation, 'clear', { ...parts, confidence: 'medium' }));
  return true;
}

/** The one word behind a collection. */
function verbAfter(template: PathTemplate | undefined, depth: number): string | undefined {
  const [verb, ...rest] = template?.segments.slice(depth) ?? [];
  return verb?.kind === 'literal' && rest.length === 0 ? wordsOf(verb.text).join('') : undefined;
}

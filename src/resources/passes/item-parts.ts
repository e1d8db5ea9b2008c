import { joinPointer } from '../../core/json/json-pointer';
import type { Operation, Schema } from '../../openapi/model/operation';
import { valueAt } from '../../openapi/read/source-document';
import { requestSchema, successSchema } from '../../openapi/view/operation-bodies';
import { type BodyShape, listShape, plainShape, shapeContaining } from '../../lists/body-shape';
import { type Inference, type OperationUse, type ResourceDraft, schemaName, toOperationUse } from '../drafts/draft';
import { foldedName } from '../../core/text/inflection';
import { chooseKey } from '../keys/choose-key';
import { lastLiteral } from '../../openapi/view/path-template';
import type { PathNode } from '../paths/operation-readings';
import type { ResourceDescription } from '../model/resource';
import type { ArrayProperty } from '../model/binding';
import type { InferencePass } from '../drafts/draft-model';

export const arrayProperties: InferencePass = {
  id: 'array-properties',
  reason: 'before collections are merged: a path that names an array property of an item is not a collection',
  run: (inference, { drafts }) => {
    bindArrayProperties(inference, drafts);
  },
};

/**
 * Binds what is below an item and a property of it at once, where lists of entries are sent there: `/things/{id}/labels` of a
 * thing that shows its `labels`. A GET answers the property, a POST adds to it, a PUT replaces it, a DELETE clears it, and
 * `/things/{id}/labels/{name}` is one entry of it. What has items of its own there is a collection, and stays one.
 */
function bindArrayProperties(inference: Inference, drafts: Map<string, ResourceDraft>): void {
  for (const draft of [...drafts.values()]) {
    if (draft.itemTemplate === undefined) continue;
    const { shape } = draft.itemTemplate;
    for (const property of inference.view.properties(draft.schema).values()) {
      const place = inference.view.schemaOf(property);
      const entry = place === undefined ? undefined : inference.view.items(place);
      const node = entry === undefined ? undefined : nodeNamed(inference, shape, property.name);
      if (node === undefined || entry === undefined) continue;
      const uses = usesOfArray(inference, draft, node, property.name);
      if (uses.length === 0) continue;
      drafts.delete(node.template.shape);
      draft.uses.push(...uses);
    }
  }
}

/** The place below an item that is called as a property of it is. */
function nodeNamed({ index }: Inference, itemShape: string, property: string): PathNode | undefined {
  const written = index.nodes.get(`${itemShape}/${property}`);
  if (written !== undefined) return written;
  return [...index.nodes.values()].find(({ template: { shape, segments } }) => {
    const last = segments.at(-1);
    return (
      last?.kind === 'literal' &&
      shape === `${itemShape}/${last.text}` &&
      foldedName(last.text) === foldedName(property)
    );
  });
}

function usesOfArray(inference: Inference, draft: ResourceDraft, node: PathNode, property: string): OperationUse[] {
  const { index } = inference;
  const onEntry = index.nodes.get(`${node.template.shape}/{}`)?.operations ?? [];
  const isOwn = onEntry.some((each) => index.methodOf(each) === 'GET' && successSchema(each) !== undefined);
  const name = lastLiteral(node.template.segments);
  const sends = node.operations.some(
    (each) => index.methodOf(each) !== 'GET' && takesEntries(inference, requestSchema(each), name),
  );
  if (isOwn || !sends) return [];
  const lists = node.operations.flatMap((each) => entriesShape(inference, successSchema(each), name) ?? []);
  const entry = lists[0]?.item;
  const parameter = onEntry[0] === undefined ? undefined : lastVariable(inference, onEntry[0]);
  const key = entry === undefined ? undefined : keyOfEntries(inference, entry, parameter ?? 'name', name);
  const use = (operation: Operation, isOne: boolean): OperationUse[] => {
    const effect = EFFECT_BY_METHOD[isOne ? 'one' : 'all'][index.methodOf(operation)];
    if (effect === undefined || (effect === 'remove' && isBodyIgnored(inference, operation))) return [];
    const response = responseShape(inference, operation, draft, name);
    const arrayProperty: ArrayProperty = { property, effect, entry, key, parameter: isOne ? parameter : undefined };
    const parts = {
      depth: draft.template.segments.length,
      isOnItem: true,
      response,
      arrayProperty,
    } as const;
    const text = `${TEXTS[effect]} "${property}" of ${schemaName(draft.schema)}`;
    return [toOperationUse(inference, operation, 'part', { ...parts, confidence: 'medium', text })];
  };
  return [...node.operations.flatMap((each) => use(each, false)), ...onEntry.flatMap((each) => use(each, true))];
}

function lastVariable({ index }: Inference, operation: Operation): string | undefined {
  const segment = index.templateOf(operation)?.segments.at(-1);
  return segment?.kind === 'variable' ? segment.name : undefined;
}

function keyOfEntries({ view }: Inference, row: Schema, variable: string, name: string): string | undefined {
  return view.isObject(row) ? chooseKey(view.properties(row), [variable], undefined, name, view).name : undefined;
}

const EFFECT_BY_METHOD: Readonly<Record<'all' | 'one', Readonly<Partial<Record<string, ArrayProperty['effect']>>>>> = {
  all: { GET: 'list', POST: 'add', PUT: 'replace', PATCH: 'add', DELETE: 'remove' },
  one: { GET: 'list', PUT: 'add', POST: 'add', DELETE: 'remove' },
};

const TEXTS: Readonly<Record<ArrayProperty['effect'], string>> = {
  list: 'answers',
  add: 'adds to',
  replace: 'replaces',
  remove: 'removes from',
};

/** Is a list of entries sent: as the body, or as its property of that name? */
function takesEntries({ view }: Inference, schema: Schema | undefined, name: string): boolean {
  const body = view.unwrap(schema);
  if (body === undefined) return false;
  if (view.items(body) !== undefined) return true;
  const property = [...view.properties(body).values()].find((each) => foldedName(each.name) === foldedName(name));
  const held = property === undefined ? undefined : view.schemaOf(property);
  return held !== undefined && view.items(held) !== undefined;
}

/** Is a body declared that says which entries, and that the version of the description gives no meaning (OAS 3.0.3 §4.7.10)? */
function isBodyIgnored({ api }: Inference, { requestBody, pointer }: Operation): boolean {
  return requestBody === undefined && valueAt(api.document, joinPointer(pointer, 'requestBody')) !== undefined;
}

/** The whole item, or the entries, where a response has either. */
function responseShape(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  name: string,
): BodyShape | undefined {
  const schema = successSchema(operation);
  const whole = shapeContaining(inference.view, schema, draft.schema, name);
  if (whole?.form === 'item' && whole.item !== undefined && inference.view.areSameType(whole.item, draft.schema))
    return whole;
  return entriesShape(inference, schema, name);
}

/** Where entries stand in an response, be they objects or not. */
function entriesShape({ view }: Inference, schema: Schema | undefined, name: string): BodyShape | undefined {
  const list = listShape(view, schema, name);
  const body = view.unwrap(schema);
  if (list?.form === 'list' || body === undefined) return list;
  const at = (path: string[], place: Schema): BodyShape | undefined => {
    const item = view.items(place);
    return item && plainShape('list', body, item, path);
  };
  const property = [...view.properties(body).values()].find((each) => foldedName(each.name) === foldedName(name));
  const held = property === undefined ? undefined : view.schemaOf(property);
  return at([], body) ?? (held === undefined || property === undefined ? undefined : at([property.name], held));
}

/** A use of a part, with the collection that keeps its entries: one of that name and shape in the same place, else one of all. */
export function withEntryCollection(
  { view }: Inference,
  use: OperationUse,
  { scope }: ResourceDescription,
  resources: readonly ResourceDescription[],
): OperationUse {
  const { arrayProperty } = use;
  const { entry, key } = arrayProperty ?? {};
  if (arrayProperty === undefined || entry === undefined || key === undefined) return use;
  const isNamed = ({ path }: ResourceDescription): boolean =>
    foldedName(path.split('/').at(-1) ?? '') === foldedName(arrayProperty.property);
  const [stored] = resources
    .filter((other) => other.kind === 'collection' && other.key.name === key && view.areSameType(other.schema, entry))
    .filter((other) => other.scope.every(({ name }, index) => scope[index]?.name === name))
    .sort((left, right) => Number(isNamed(right)) - Number(isNamed(left)) || right.scope.length - left.scope.length);
  return stored === undefined ? use : { ...use, arrayProperty: { ...arrayProperty, collection: stored.path } };
}

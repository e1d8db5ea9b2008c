import type { Operation, Property, Schema } from '../../openapi/model/operation';
import { requestSchema, successSchema } from '../../openapi/view/operation-bodies';
import { type Inference, type OperationUse, type ResourceDraft, schemaName, toOperationUse } from '../drafts/draft';
import { foldedName, singular } from '../../core/text/inflection';
import { isScalar, type SchemaView, typesOf } from '../../openapi/view/schema-view';
import { lastLiteral } from '../../openapi/view/path-template';
import type { LinkedItems } from '../model/binding';
import type { InferencePass } from '../drafts/draft-model';

export const linkedItems: InferencePass = {
  id: 'linked-items',
  reason: 'before collections are merged: such a collection has uses that no usual one has',
  run: (inference, { drafts }) => {
    bindLinkedItems(inference, drafts);
  },
};

/**
 * Binds the writes of collections whose items say that another thing is there, `{ added_at, track: Track }` at
 * `/me/tracks`, where they name things by a list of a property of theirs: `ids` of their `id`, `uris` of their `uri`, in the
 * query or in the body. PUT and POST put them there, DELETE takes them away, and a GET below it that answers a truth value
 * for each tells which are there.
 */
function bindLinkedItems(inference: Inference, drafts: ReadonlyMap<string, ResourceDraft>): void {
  for (const draft of drafts.values()) {
    const isListed = draft.itemTemplate === undefined && draft.uses.some(({ behaviour }) => behaviour === 'list');
    const holder = isListed ? linkingPropertyOf(inference.view, draft) : undefined;
    if (holder === undefined) continue;
    const uses = usesOfLinks(inference, draft, holder);
    if (!uses.some(({ linkedItems }) => linkedItems?.effect === 'add')) continue;
    const bound = new Set(uses.map(({ operation }) => operation));
    const stored = draft.uses.filter(({ operation }) => !bound.has(operation));
    draft.uses.splice(0, draft.uses.length, ...stored, ...uses);
  }
}

interface LinkingProperty {
  readonly property: string;
  readonly linkedSchema: Schema;
}

/** The property that is the thing: called as the path calls it, else the only object among the properties. */
function linkingPropertyOf(view: SchemaView, { schema, template }: ResourceDraft): LinkingProperty | undefined {
  const properties = [...view.properties(schema).values()];
  if (properties.some(({ name }) => name === 'id')) return undefined;
  const objects = properties.flatMap((property): LinkingProperty[] => {
    const linkedSchema = view.schemaOf(property);
    const isThing =
      linkedSchema !== undefined && view.properties(linkedSchema).size > 2 && view.properties(linkedSchema).has('id');
    return isThing ? [{ property: property.name, linkedSchema }] : [];
  });
  const called = singular(foldedName(lastLiteral(template.segments)));
  return (
    objects.find(({ property }) => foldedName(property) === called) ?? (objects.length === 1 ? objects[0] : undefined)
  );
}

const EFFECT_BY_METHOD: Readonly<Partial<Record<string, LinkedItems['effect']>>> = {
  PUT: 'add',
  POST: 'add',
  DELETE: 'remove',
};

function usesOfLinks(
  inference: Inference,
  draft: ResourceDraft,
  { property, linkedSchema }: LinkingProperty,
): OperationUse[] {
  const { index, view } = inference;
  const { shape, segments } = draft.template;
  const operations = index.nodes.get(shape)?.operations ?? [];
  const hasPost = operations.some((each) => index.methodOf(each) === 'POST');
  const use = (operation: Operation, effect: LinkedItems['effect'] | undefined, text: string): OperationUse[] => {
    const named = effect === undefined ? undefined : namesIn(view, operation, linkedSchema);
    if (effect === undefined || named === undefined) return [];
    const linkedItems: LinkedItems = { ...named, property, effect };
    const depth = segments.length;
    return [toOperationUse(inference, operation, 'hold', { depth, linkedItems, confidence: 'medium', text })];
  };
  const checks = [...index.nodes.values()]
    .filter(
      ({ template }) => template.segments.length === segments.length + 1 && template.shape.startsWith(`${shape}/`),
    )
    .flatMap((node) => node.operations.filter((each) => index.methodOf(each) === 'GET' && returnsBooleans(view, each)));
  const name = schemaName(linkedSchema);
  return [
    ...operations.flatMap((each) => {
      const method = index.methodOf(each);
      const does = method === 'PUT' && hasPost ? 'replace' : EFFECT_BY_METHOD[method];
      return use(
        each,
        does,
        does === 'remove' ? `takes each ${name} away that it names` : `puts each ${name} there that it names`,
      );
    }),
    ...checks.flatMap((each) => use(each, 'check', `says of each ${name} that it names whether it is there`)),
  ];
}

function returnsBooleans(view: SchemaView, operation: Operation): boolean {
  const body = view.unwrap(successSchema(operation));
  const items = body === undefined ? undefined : view.items(body);
  return items !== undefined && typesOf(items.value).includes('boolean');
}

/** By which property of theirs an operation names things, and where. */
function namesIn(
  view: SchemaView,
  operation: Operation,
  thing: Schema,
): Pick<LinkedItems, 'by' | 'query' | 'body'> | undefined {
  const properties = view.properties(thing);
  const propertyOf = (name: string): string | undefined => {
    const property = name.endsWith('s') ? properties.get(name.slice(0, -1)) : undefined;
    return property !== undefined && isScalar(property) ? property.name : undefined;
  };
  const inQuery = operation.parameters.find(
    ({ in: place, name }) => place === 'query' && propertyOf(name) !== undefined,
  );
  const inBody = arrayInBody(view, requestSchema(operation), propertyOf, properties);
  const by = inQuery === undefined ? inBody?.by : propertyOf(inQuery.name);
  if (by === undefined) return undefined;
  return { by, query: inQuery?.name, body: inBody?.by === by ? inBody.name : undefined };
}

/** `ids: [text]`, or `tracks: [{ uri }]`. */
function arrayInBody(
  view: SchemaView,
  schema: Schema | undefined,
  propertyOf: (name: string) => string | undefined,
  properties: ReadonlyMap<string, Property>,
): { readonly by: string; readonly name: string } | undefined {
  const body = view.unwrap(schema);
  for (const property of body === undefined ? [] : view.properties(body).values()) {
    const list = view.schemaOf(property);
    const items = list === undefined ? undefined : view.items(list);
    if (items === undefined) continue;
    const inRows = [...view.properties(items).values()].filter((each) => isScalar(each) && properties.has(each.name));
    const by =
      view.properties(items).size === 0 ? propertyOf(property.name) : inRows.length === 1 ? inRows[0]?.name : undefined;
    if (by !== undefined) return { by, name: property.name };
  }
  return undefined;
}

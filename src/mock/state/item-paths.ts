import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { wordsOf } from '../../core/text/inflection';
import { addToList, getOrCreate } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { returnsFile, takesFile } from '../../openapi/view/operation-bodies';
import { lastLiteral, type PathTemplate, shapeOf } from '../../openapi/view/path-template';
import type { Behaviour, Binding, ResourceModel } from '../../resources/model/binding';

/** The templates that name one item each, by shape, with an operation that does. */
export type ItemPaths = ReadonlyMap<string, ItemPath>;

export interface ItemPath {
  readonly template: PathTemplate;
  readonly binding: Binding;
}

const ON_ITEM: ReadonlySet<Behaviour> = new Set(['read', 'replace', 'update', 'upsert', 'remove']);

export function findItemPaths(model: ResourceModel): ItemPaths {
  const places = new Map<string, ItemPath>();
  for (const binding of model.bindings.values()) {
    if (!ON_ITEM.has(binding.behaviour) || binding.keyParameter === undefined) continue;
    const template = model.templateOf(binding.operation);
    const last = template?.segments.at(-1);
    if (template === undefined || last?.kind !== 'variable' || last.name !== binding.keyParameter) continue;
    if (!places.has(template.shape)) places.set(template.shape, { template, binding });
  }
  return places;
}

/** The longest beginning of a template that names an item. */
export function nearestItem({ segments }: PathTemplate, places: ItemPaths): ItemPath | undefined {
  for (let length = segments.length - 1; length > 0; length--) {
    const place = places.get(shapeOf(segments.slice(0, length)));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** The hidden property under which the bytes of an upload are stored beside the item that was made of it. */
export const CONTENT = '$content';

/** Is a property one that keeps the bytes of a file? */
export function storesOctets(property: string): boolean {
  return property === CONTENT || property.startsWith(`${CONTENT}/`);
}

/** What an operation does with a file that is stored beside an item. */
export interface FileEndpoint {
  readonly does: 'download' | 'upload' | 'remove';
  /** Path of the collection whose items have the file. */
  readonly resource: string;
  /** The hidden property that holds it: {@link CONTENT} for what the item was made of, else one of its own. */
  readonly member: string;
}

/** Places below an item at which what it was made of is downloaded. */
const DOWNLOAD = /^(?:contents?|download|raw|data|file|media|binary|body|blob|original|stream)$/;
const MAKES: ReadonlySet<Binding['behaviour']> = new Set(['create', 'upsert', 'replace']);
const UPLOADS: ReadonlySet<string> = new Set(['PUT', 'POST', 'PATCH']);

/** Do operations of a resource make items of files that are sent? */
export function takesFiles(bindings: readonly Binding[]): boolean {
  return bindings.some(({ behaviour, operation }) => MAKES.has(behaviour) && takesFile(operation));
}

const KNOWN = new WeakMap<ResourceModel, ReadonlyMap<Operation, FileEndpoint>>();

/**
 * The operations that answer, take or remove a file of the item above them: `GET /things/{id}/content` of things that are
 * made of uploads, `PUT`, `GET` and `DELETE /people/{id}/photo`. A place is one where a file is answered, and where one is
 * sent, there or by what makes the item.
 */
export function fileEndpoints(api: ApiModel, model: ResourceModel): ReadonlyMap<Operation, FileEndpoint> {
  return getOrCreate(KNOWN, model, () => findFileEndpoints(api, model));
}

function findFileEndpoints(api: ApiModel, model: ResourceModel): Map<Operation, FileEndpoint> {
  const items = findItemPaths(model);
  const byShape = new Map<string, Operation[]>();
  for (const operation of api.operations) {
    const shape = model.templateOf(operation)?.shape;
    if (shape !== undefined) addToList(byShape, shape, operation);
  }
  const found = new Map<Operation, FileEndpoint>();
  for (const operations of byShape.values()) {
    const place = placeOf(operations, model, items);
    for (const operation of place === undefined ? [] : operations) {
      const does = effectOf(operation, model);
      if (does !== undefined && place !== undefined) found.set(operation, { ...place, does });
    }
  }
  return found;
}

/** @param operations - of one path */
function placeOf(
  operations: readonly Operation[],
  model: ResourceModel,
  items: ItemPaths,
): Omit<FileEndpoint, 'does'> | undefined {
  const [first] = operations;
  const template = first && model.templateOf(first);
  const above = template && nearestItem(template, items);
  if (template === undefined || above === undefined || !operations.some((each) => effectOf(each, model) === 'download'))
    return undefined;
  const { resource } = above.binding;
  const property = propertyFor(template.segments.slice(above.template.segments.length));
  if (property === undefined) return undefined;
  const isSent = operations.some(uploads) || (property === CONTENT && takesFiles(bindingsOf(resource, model)));
  return isSent ? { resource: resource.path, member: property } : undefined;
}

function bindingsOf(resource: Binding['resource'], { bindings }: ResourceModel): Binding[] {
  return [...bindings.values()].filter((binding) => binding.resource === resource);
}

function effectOf(operation: Operation, { bindings }: ResourceModel): FileEndpoint['does'] | undefined {
  const { method } = operation;
  if (uploads(operation)) return 'upload';
  if (bindings.has(operation)) return undefined;
  if (method === 'DELETE') return 'remove';
  return returnsFile(operation) ? 'download' : undefined;
}

function uploads(operation: Operation): boolean {
  return UPLOADS.has(operation.method) && takesFile(operation);
}

/** `undefined` where variables stand between the item and its file: then it is not a file of that item. */
function propertyFor(rest: PathTemplate['segments']): string | undefined {
  if (rest.length === 0 || rest.some(({ kind }) => kind === 'variable')) return undefined;
  const isWhole = rest.length === 1 && DOWNLOAD.test(wordsOf(lastLiteral(rest)).join(''));
  return isWhole ? CONTENT : `${CONTENT}${shapeOf(rest)}`;
}

/** What is shown of an upload in place of its bytes. */
export function uploadSummary(content: JsonValue): JsonValue {
  const { type = null, octets } = isJsonObject(content) ? content : {};
  return { type, bytes: typeof octets === 'string' ? octets.length : null };
}

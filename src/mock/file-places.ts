import { answersFile, takesFile } from '../resources/files';
import { lastLiteral, shapeOf, type PathTemplate } from '../resources/path-template';
import type { Binding, ResourceModel } from '../resources/resource-model';
import { wordsOf } from '../resources/inflection';
import type { ApiModel, Operation } from '../openapi/model';
import { itemPlaces, nearestItem, type ItemPlaces } from './item-places';

/** The hidden member under which the octets of an upload are kept beside the item that was made of it. */
export const CONTENT = '$content';

/** Is a member one that keeps the octets of a file? */
export function keepsOctets(member: string): boolean {
  return member === CONTENT || member.startsWith(`${CONTENT}/`);
}

/** What an operation does with a file that is kept beside an item. */
export interface FilePlace {
  readonly does: 'download' | 'upload' | 'remove';
  /** Path of the collection whose items have the file. */
  readonly resource: string;
  /** The hidden member that holds it: {@link CONTENT} for what the item was made of, else one of its own. */
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

const KNOWN = new WeakMap<ResourceModel, ReadonlyMap<Operation, FilePlace>>();

/**
 * The operations that answer, take or remove a file of the item above them: `GET /things/{id}/content` of things that are
 * made of uploads, `PUT`, `GET` and `DELETE /people/{id}/photo`. A place is one where a file is answered, and where one is
 * sent, there or by what makes the item.
 */
export function filePlaces(api: ApiModel, model: ResourceModel): ReadonlyMap<Operation, FilePlace> {
  let known = KNOWN.get(model);
  if (known === undefined) KNOWN.set(model, (known = findFilePlaces(api, model)));
  return known;
}

function findFilePlaces(api: ApiModel, model: ResourceModel): Map<Operation, FilePlace> {
  const items = itemPlaces(model);
  const byShape = new Map<string, Operation[]>();
  for (const operation of api.operations) {
    const shape = model.templateOf(operation)?.shape;
    if (shape !== undefined) byShape.set(shape, [...(byShape.get(shape) ?? []), operation]);
  }
  const found = new Map<Operation, FilePlace>();
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
  items: ItemPlaces,
): Omit<FilePlace, 'does'> | undefined {
  const [first] = operations;
  const template = first && model.templateOf(first);
  const above = template && nearestItem(template, items);
  if (template === undefined || above === undefined || !operations.some((each) => effectOf(each, model) === 'download'))
    return undefined;
  const { resource } = above.binding;
  const member = memberFor(template.segments.slice(above.template.segments.length));
  if (member === undefined) return undefined;
  const isSent = operations.some(uploads) || (member === CONTENT && takesFiles(bindingsOf(resource, model)));
  return isSent ? { resource: resource.path, member } : undefined;
}

function bindingsOf(resource: Binding['resource'], { bindings }: ResourceModel): Binding[] {
  return [...bindings.values()].filter((binding) => binding.resource === resource);
}

function effectOf(operation: Operation, { bindings }: ResourceModel): FilePlace['does'] | undefined {
  const { method } = operation;
  if (uploads(operation)) return 'upload';
  if (bindings.has(operation)) return undefined;
  if (method === 'DELETE') return 'remove';
  return answersFile(operation) ? 'download' : undefined;
}

function uploads(operation: Operation): boolean {
  return UPLOADS.has(operation.method) && takesFile(operation);
}

/** `undefined` where variables stand between the item and its file: then it is no file of that item. */
function memberFor(rest: PathTemplate['segments']): string | undefined {
  if (rest.length === 0 || rest.some(({ kind }) => kind === 'variable')) return undefined;
  const isWhole = rest.length === 1 && DOWNLOAD.test(wordsOf(lastLiteral(rest)).join(''));
  return isWhole ? CONTENT : `${CONTENT}${shapeOf(rest)}`;
}

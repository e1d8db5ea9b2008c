import { joinPointer } from '../json/json-pointer';
import { isSchemaObject } from '../json-schema/schema';
import type { ApiModel, Operation, Property, Schema } from '../openapi/model';
import { resolveObject } from '../openapi/references';
import { templateVariables } from '../openapi/route-table';
import { sortValueReader, type ToSortValue } from './order';
import type { BehaviourKind, Resource } from './resource';

/**
 * Finds the resources of a description from its paths: a collection whose GET answers an array of objects or whose
 * POST creates one, together with the template that has exactly one variable more.
 */
export function inferResources(api: ApiModel): Resource[] {
  const paths = new Set(api.operations.map((operation) => operation.path));
  const resources: Resource[] = [];
  for (const path of paths) {
    if (/\{[^{}]*\}$/.test(path)) continue;
    const itemPath = [...paths].find(
      (other) => other.startsWith(`${path}/`) && /^\/\{[^{}/]*\}$/.test(other.slice(path.length)),
    );
    const resource = toResource(api, path, itemPath);
    if (resource !== undefined) resources.push(resource);
  }
  return resources;
}

/** The operations on a collection and on one of its items. */
type Operations = Readonly<Partial<Record<BehaviourKind, Operation>>>;

function toResource(api: ApiModel, path: string, itemPath: string | undefined): Resource | undefined {
  const found = findOperations(api, path, itemPath);
  const schema = voteOnSchema(api, found);
  // One operation alone is no resource: a login is a POST with an answer too.
  const isPaired =
    (found.list ?? found.create) !== undefined && (itemPath ?? (found.list && found.create)) !== undefined;
  if (schema === undefined || !isPaired) return undefined;
  const properties = api.propertiesOf(schema);
  const keyParameter = itemPath === undefined ? undefined : templateVariables(itemPath).at(-1);
  const keyMember =
    keyFromLinks(found, keyParameter, properties) ?? [keyParameter, 'id'].find((name) => properties.has(name ?? ''));
  if (keyMember === undefined) return undefined;

  const kinds = Object.entries(found) as [BehaviourKind, Operation][];
  const readers = new Map<string, ToSortValue>();
  return {
    path,
    itemPath,
    keyParameter,
    keyMember,
    schema,
    properties,
    operations: new Map(kinds.map(([kind, operation]) => [operation, kind])),
    sortValues(member) {
      let reader = readers.get(member);
      if (reader === undefined) readers.set(member, (reader = sortValueReader(properties.get(member)?.schema)));
      return reader;
    },
  };
}

function findOperations(api: ApiModel, path: string, itemPath: string | undefined): Operations {
  const found: Partial<Record<BehaviourKind, Operation>> = {};
  const bind = (kind: BehaviourKind, template: string | undefined, method: string): void => {
    const operation = api.operations.find((candidate) => candidate.path === template && candidate.method === method);
    if (operation !== undefined) found[kind] = operation;
  };
  bind('list', path, 'GET');
  bind('create', path, 'POST');
  bind('read', itemPath, 'GET');
  bind('replace', itemPath, 'PUT');
  bind('update', itemPath, 'PATCH');
  bind('remove', itemPath, 'DELETE');
  // A GET that answers no array of objects lists nothing.
  if (listItemSchema(api, found.list) === undefined) delete found.list;
  return found;
}

/** What is read decides the shape of an item, before what is written. */
function voteOnSchema(api: ApiModel, { list, create, read, replace }: Operations): Schema | undefined {
  return successSchema(read) ?? listItemSchema(api, list) ?? successSchema(create) ?? successSchema(replace);
}

/** A link from the created item to the item's path says outright which member is the key (OAS 3.0.3 §4.7.20). */
function keyFromLinks(
  { create, read }: Operations,
  keyParameter: string | undefined,
  properties: ReadonlyMap<string, Property>,
): string | undefined {
  if (create === undefined || read === undefined || keyParameter === undefined) return undefined;
  for (const { operationId, parameters } of [...create.responses.values()].flatMap(({ links }) => links)) {
    const expression = parameters.get(keyParameter) ?? parameters.get(`path.${keyParameter}`);
    if (operationId !== read.id || typeof expression !== 'string') continue;
    const member = /^\$response\.body#\/([^/]+)$/.exec(expression)?.[1];
    if (member !== undefined && properties.has(member)) return member;
  }
  return undefined;
}

/** Schema of the JSON body of the lowest 2xx response that has one. */
export function successSchema(operation: Operation | undefined): Schema | undefined {
  if (operation === undefined) return undefined;
  for (const [status, response] of [...operation.responses].sort(([left], [right]) => left.localeCompare(right))) {
    if (!status.startsWith('2')) continue;
    const schema = response.content.find(({ mediaType }) => /[/+]json\b/.test(mediaType))?.schema;
    if (schema !== undefined) return schema;
  }
  return undefined;
}

function listItemSchema(api: ApiModel, operation: Operation | undefined): Schema | undefined {
  const schema = successSchema(operation);
  if (schema?.value['type'] !== 'array' || !isSchemaObject(schema.value['items'])) return undefined;
  const items = { value: schema.value['items'], pointer: joinPointer(schema.pointer, 'items') };
  const target = resolveObject(api.document, items);
  return target === undefined ? undefined : api.schemaAt(target.pointer);
}

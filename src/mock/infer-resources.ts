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

function toResource(api: ApiModel, path: string, itemPath: string | undefined): Resource | undefined {
  const at = (template: string | undefined, method: string): Operation | undefined =>
    api.operations.find((operation) => operation.path === template && operation.method === method);
  const list = at(path, 'GET');
  const create = at(path, 'POST');
  const read = at(itemPath, 'GET');
  const replace = at(itemPath, 'PUT');
  const schema =
    successSchema(read) ?? listItemSchema(api, list) ?? successSchema(create) ?? successSchema(replace) ?? undefined;
  // One operation alone is no resource: a login is a POST with an answer too.
  const isPaired = itemPath === undefined ? list !== undefined && create !== undefined : (list ?? create) !== undefined;
  if (schema === undefined || !isPaired) return undefined;
  const properties = api.propertiesOf(schema);
  const keyParameter = itemPath === undefined ? undefined : templateVariables(itemPath).at(-1);
  const keyMember = findKeyMember(properties, keyParameter, create, read);
  if (keyMember === undefined) return undefined;

  const operations = new Map<Operation, BehaviourKind>();
  const bind = (operation: Operation | undefined, kind: BehaviourKind): void => {
    if (operation !== undefined) operations.set(operation, kind);
  };
  if (list !== undefined && listItemSchema(api, list) !== undefined) operations.set(list, 'list');
  bind(create, 'create');
  bind(read, 'read');
  bind(replace, 'replace');
  bind(at(itemPath, 'PATCH'), 'update');
  bind(at(itemPath, 'DELETE'), 'remove');

  const readers = new Map<string, ToSortValue>();
  return {
    path,
    itemPath,
    keyParameter,
    keyMember,
    schema,
    properties,
    operations,
    sortValues(member) {
      let reader = readers.get(member);
      if (reader === undefined) readers.set(member, (reader = sortValueReader(properties.get(member)?.schema)));
      return reader;
    },
  };
}

/** A link from the created item to the item's path says it outright; else the names speak (OAS 3.0.3 §4.7.20). */
function findKeyMember(
  properties: ReadonlyMap<string, Property>,
  keyParameter: string | undefined,
  create: Operation | undefined,
  read: Operation | undefined,
): string | undefined {
  const links = create === undefined ? [] : [...create.responses.values()].flatMap((response) => response.links);
  for (const link of links) {
    if (keyParameter === undefined || read === undefined || link.operationId !== read.id) continue;
    const expression = link.parameters.get(keyParameter) ?? link.parameters.get(`path.${keyParameter}`);
    const member = typeof expression === 'string' ? /^\$response\.body#\/([^/]+)$/.exec(expression)?.[1] : undefined;
    if (member !== undefined && properties.has(member)) return member;
  }
  if (keyParameter !== undefined && properties.has(keyParameter)) return keyParameter;
  return properties.has('id') ? 'id' : undefined;
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

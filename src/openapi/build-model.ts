import { getAtPointer } from '../json/json-pointer';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
import { buildOperation } from './build-operation';
import type { Validator } from '../json-schema/violation';
import type { ApiModel, Operation, Property, Schema } from './model';
import { gatherProperties } from './properties';
import { oasVersionOf } from './oas-version';
import { operationFinder } from './operation-reference';
import { resolveSchema, type LocatedObject } from './references';
import { expandNames } from './resource-names';
import { RouteTable } from './route-table';
import { SchemaRegistry } from './schema-registry';
import { readSecuritySchemes } from './security';
import { mountOperations, operationBasePaths, readBasePaths, type BasePath } from './server-url';
import type { SourceDocument } from './source-document';
import { rawOperations, type RawOperation } from './walk';

/** A schema that asks the registry once for each direction: validators are called on every request. */
function lazySchema({ value, pointer }: LocatedObject, registry: SchemaRegistry): Schema {
  let request: Validator | undefined;
  let response: Validator | undefined;
  return {
    pointer,
    value,
    validate(direction) {
      if (direction === 'request') return (request ??= registry.validator(pointer, direction));
      return (response ??= registry.validator(pointer, direction));
    },
    // Only for bodies that are refused otherwise.
    validateLoosely: (sent) => registry.loose.validator(pointer, 'request')(sent),
  };
}

/** An id that an earlier operation has would hide that one; `operation-id-unique` has spoken of it. */
function namedOperations(raws: readonly RawOperation[]): { readonly raw: RawOperation; readonly id: string }[] {
  const taken = new Set<string>();
  return raws.map((raw) => {
    const plain = `${raw.method} ${raw.path}`;
    const written = raw.operation.value['operationId'];
    const id = typeof written === 'string' && !taken.has(written) ? written : plain;
    taken.add(id);
    return { raw, id };
  });
}

/** Makes the model of a document that was found valid. Reads only; schemas compile on first use. */
export function buildModel(document: SourceDocument, registry = new SchemaRegistry(document)): ApiModel {
  const schemas = new Map<string, Schema>();
  const properties = new Map<string, ReadonlyMap<string, Property>>();
  const schema = ({ value, pointer }: LocatedObject): Schema => {
    let known = schemas.get(pointer);
    if (known === undefined) {
      known = lazySchema({ value, pointer }, registry);
      schemas.set(pointer, known);
    }
    return known;
  };
  const byId = new Map<string, Operation>();
  const rootPaths = readBasePaths(document);
  const basePaths = new Map<Operation, readonly BasePath[]>();
  const named = namedOperations(rawOperations(document));
  const ids = new Map(named.map(({ raw, id }) => [raw, id]));
  const find = operationFinder(
    document,
    named.map(({ raw }) => raw),
  );
  const operationReferred = (reference: string, from: string): string | undefined => {
    const target = find(reference, from);
    return target.kind === 'found' ? ids.get(target.operation) : undefined;
  };
  const context = { document, schema, operationReferred };
  const propertiesOf = (owner: Schema): ReadonlyMap<string, Property> => {
    let known = properties.get(owner.pointer);
    if (known === undefined) properties.set(owner.pointer, (known = gatherProperties(document, owner)));
    return known;
  };
  const resolvedAt = (pointer: string): Schema | undefined => {
    const value = getAtPointer(document.root, pointer);
    const resolved = isSchemaObject(value) ? resolveSchema(document, { value, pointer }) : undefined;
    return resolved === undefined ? undefined : schema(resolved);
  };
  const written = named.map(({ raw, id }) => ({ raw, operation: buildOperation(raw, id, context) }));
  const expanded = expandNames(
    written.map(({ operation }) => operation),
    { propertiesOf, schemaAt: resolvedAt },
  );
  const operations = written.flatMap(({ raw, operation }) => {
    const own = expanded.get(operation) ?? [operation];
    for (const each of own) {
      byId.set(each.id, each);
      basePaths.set(each, operationBasePaths(raw, rootPaths));
    }
    return own;
  });
  const mounts = mountOperations(operations, (operation) => basePaths.get(operation) ?? rootPaths, rootPaths);
  const [first, ...others] = mounts;
  const root: SchemaObject = isSchemaObject(document.root) ? document.root : {};
  const info: SchemaObject = isSchemaObject(root['info']) ? root['info'] : {};
  return {
    title: typeof info['title'] === 'string' ? info['title'] : 'API',
    version: typeof info['version'] === 'string' ? info['version'] : '',
    oasVersion: oasVersionOf(document),
    document,
    mounts,
    basePath: rootPaths[0]?.path ?? '',
    operations,
    // One that mounts everything serves whoever looks below any base path.
    routes: first !== undefined && others.length === 0 ? first.routes : new RouteTable(operations),
    securitySchemes: readSecuritySchemes(document),
    schemaAt(pointer) {
      const value = getAtPointer(document.root, pointer);
      return isSchemaObject(value) ? schema({ value, pointer }) : undefined;
    },
    schemaOf: schema,
    propertiesOf,
    operationById: (id) => byId.get(id),
  };
}

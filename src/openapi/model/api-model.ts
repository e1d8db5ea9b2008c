import { getAtPointer, joinPointer } from '../../core/json/json-pointer';
import { once } from '../../core/text/memoize';
import type { TellProgress } from '../../core/text/progress';
import { type Direction, isSchemaObject, type SchemaObject } from '../../schema/schema-object';
import type { Validator } from '../../schema/validator';
import { localPointer, type LocatedObject, type RawOperation, rawOperations, resolveSchema } from '../read/references';
import { type OasVersion, oasVersionOf, originAt, type SourceDocument } from '../read/source-document';
import { SchemaRegistry } from '../schemas/schema-registry';
import { type BasePath, type Mount, mountOperations, operationBasePaths, readBasePaths } from './base-paths';
import { buildOperation } from './build-operation';
import { type DocumentedEvent, readEvents } from './documented-events';
import type { Operation, Property, Schema, SecurityScheme } from './operation';
import { gatherProperties, withReferred } from './properties';
import { expandNames } from './resource-names';
import { RouteTable } from './route-table';
import { readSecuritySchemes } from './security-schemes';

/** A schema that asks the registry once for each direction: validators are called on every request. */
function lazySchema({ value, pointer }: LocatedObject, registry: SchemaRegistry): Schema {
  let request: Validator | undefined;
  let response: Validator | undefined;
  const validate = (direction: Direction): Validator =>
    direction === 'request'
      ? (request ??= registry.validator(pointer, direction))
      : (response ??= registry.validator(pointer, direction));
  return {
    pointer,
    value,
    validate,
    accepts: (sent, direction) => validate(direction)(sent).length === 0,
    // Only for bodies that are rejected otherwise.
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

/**
 * Makes the model of a document. Reads only; schemas compile on first use.
 *
 * @param disabled - why operations cannot be used, by their pointers
 */
export function buildModel(
  document: SourceDocument,
  registry = new SchemaRegistry(document),
  onProgress?: TellProgress,
  disabled: ReadonlyMap<string, string> = new Map(),
): ApiModel {
  const schemas = new Map<string, Schema>();
  const properties = new Map<string, ReadonlyMap<string, Property>>();
  const schema = ({ value, pointer }: LocatedObject): Schema => {
    let known = schemas.get(pointer);
    if (known === undefined) {
      known = lazySchema({ value: withReferred(document, { value, pointer }), pointer }, registry);
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
  const written = named.map(({ raw, id }, done) => {
    onProgress?.({ phase: 'compiling', what: 'operations', done, total: named.length });
    const operation = buildOperation(raw, id, context);
    const reason = disabled.get(operation.pointer);
    return { raw, operation: reason === undefined ? operation : { ...operation, disabled: reason } };
  });
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
    // One that mounts everything serves who looks below any base path.
    routes: first !== undefined && others.length === 0 ? first.routes : new RouteTable(operations),
    securitySchemes: readSecuritySchemes(document),
    schemaAt(pointer) {
      const value = getAtPointer(document.root, pointer);
      return isSchemaObject(value) ? schema({ value, pointer }) : undefined;
    },
    schemaOf: schema,
    propertiesOf,
    operationById: (id) => byId.get(id),
    events: once(() => readEvents(context)),
  };
}

/** The compiled description: read-only, and the one source of truth of every part of the product. */
export interface ApiModel {
  readonly title: string;
  readonly version: string;
  /** The feature set that the description is written for; it chooses the dialect of its schemas. */
  readonly oasVersion: OasVersion;
  readonly document: SourceDocument;
  /** Every base path and what answers below it, that of the first server first (OAS 3.0.3 §4.7.5). */
  readonly mounts: readonly Mount[];
  /** Path of the first server URL, without a trailing slash: `''` or `/v1` (OAS 3.0.3 §4.7.5). */
  readonly basePath: string;
  readonly operations: readonly Operation[];
  readonly routes: RouteTable;
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  /** The schema behind a local JSON pointer. */
  schemaAt(pointer: string): Schema | undefined;
  /** The same for one that was read already: no pointer is followed again. */
  schemaOf(located: LocatedObject): Schema;
  /** Properties of an object schema, gathered through `allOf` and references, in document order. */
  propertiesOf(schema: Schema): ReadonlyMap<string, Property>;
  operationById(id: string): Operation | undefined;
  /** What the service sends by itself. Read when it is first asked for. */
  readonly events: () => readonly DocumentedEvent[];
}

/** Only to compare references: nothing is ever fetched from there. */
const SOMEWHERE = 'standin://description/';

/** Where an `operationRef` leads. */
type ReferredOperation =
  | { readonly kind: 'found'; readonly operation: RawOperation }
  /** To a place of the description where no operation stands. */
  | { readonly kind: 'nowhere'; readonly pointer: string }
  | { readonly kind: 'elsewhere' };

/** @param from - pointer of the link */
export type OperationFinder = (reference: string, from: string) => ReferredOperation;

/**
 * Finds the operations that links mean by `operationRef`: a URI reference that is relative to the file in which it
 * stands (OAS 3.0.3 §4.7.20, OAS 3.1.1 §4.6). One without a file that leads to nothing there is read against the whole
 * description, as many authors of several files mean it.
 */
export function operationFinder(document: SourceDocument, operations: readonly RawOperation[]): OperationFinder {
  const byWritten = once(() => new Map(operations.map((operation) => [writtenPointer(operation), operation])));
  const byOrigin = once(() => {
    const places = new Map<string, RawOperation[]>();
    for (const operation of operations) {
      const { file, pointer } = originAt(document, operation.operation.pointer);
      const place = `${resolved(file, SOMEWHERE)}#${pointer}`;
      places.set(place, [...(places.get(place) ?? []), operation]);
    }
    return places;
  });
  return (reference, from) => {
    const [address = '', fragment = ''] = reference.split('#', 2);
    const pointer = localPointer(`#${fragment}`);
    if (pointer === undefined) return { kind: 'elsewhere' };
    const around = resolved(originAt(document, from).file, SOMEWHERE);
    const file = address === '' ? around : resolved(address, around);
    const there = document.originOf === undefined ? [] : (byOrigin().get(`${file}#${pointer}`) ?? []);
    const own = nearest(there, from);
    if (own !== undefined) return { kind: 'found', operation: own };
    if (address !== '' && !isAddressOf(document, address, from)) return { kind: 'elsewhere' };
    const operation = byWritten().get(pointer);
    return operation === undefined ? { kind: 'nowhere', pointer } : { kind: 'found', operation };
  };
}

/** Of the operations that one part of a file has become, for each path that consists of it, the one of the same path. */
function nearest(operations: readonly RawOperation[], from: string): RawOperation | undefined {
  return operations.find(({ pathItem }) => from.startsWith(`${pathItem.pointer}/`)) ?? operations[0];
}

function isAddressOf(document: SourceDocument, address: string, from: string): boolean {
  const self = isSchemaObject(document.root) ? getAtPointer(document.root, '/$self') : undefined;
  const names = [document.file, ...(typeof self === 'string' ? [self] : [])];
  return names.some((name) => {
    const base = resolved(name, SOMEWHERE);
    const around = name === document.file ? resolved(originAt(document, from).file, SOMEWHERE) : base;
    return resolved(address, around) === base;
  });
}

/** Where an operation stands as its path is written, which may be behind a reference. */
export function writtenPointer({ path, method, isAdditional }: RawOperation): string {
  const pathItem = joinPointer('/paths', path);
  return isAdditional
    ? joinPointer(joinPointer(pathItem, 'additionalOperations'), method)
    : joinPointer(pathItem, method.toLowerCase());
}

function resolved(reference: string, base: string): string {
  const written = reference.replaceAll('\\', '/').replace(/^\/+/, '');
  return URL.canParse(written, base) ? new URL(written, base).href : written;
}

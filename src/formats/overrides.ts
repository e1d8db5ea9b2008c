import type { SourceFinding } from '../core/errors/standin-error';
import { joinPointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import { localPointer } from '../openapi/read/references';
import type { SourceDocument } from '../openapi/read/source-document';
import { inferResourceModel } from '../resources/infer-resource-model';
import type { PropertyAssignment } from '../resources/model/binding';
import type { Evidence, ResourceDescription } from '../resources/model/resource';
import {
  ACCEPT_MODES,
  type AcceptMode,
  BEHAVIOURS,
  type OperationStatement,
  type Overrides,
  type ResourceStatement,
} from '../resources/overrides/statements';
import { FormatDiagnostics, type LocatedValue } from './decode';
import { PropertyReader } from './property-reader';

/** Version of the format, written in the file. */
export const OVERRIDES_FORMAT = 'overrides/1';

/** On every finding about overrides. */
export const OVERRIDES_RULE = 'overrides-format';
const OVERRIDES_KEYS = ['$schema', 'standin', 'accept', 'resources', 'operations'];
const RESOURCE_KEYS = ['stateless', 'key', 'schema', 'references', 'sameAs'];
const OPERATION_KEYS = ['stateless', 'behaviour', 'resource', 'sets', 'filters', 'accept'];

/**
 * Reads an overrides file. Every path, operation, schema and parameter in it is looked up here.
 *
 * @param findings - gets what does not fit the format or the description; with any of them the file is not to be used
 */
export function readOverrides(document: SourceDocument, api: ApiModel, findings: SourceFinding[]): Overrides {
  const validate = new FormatDiagnostics(document, OVERRIDES_RULE);
  const resources = new Map<string, ResourceStatement>();
  const operations = new Map<Operation, OperationStatement>();
  const root = PropertyReader.open({ value: document.root, pointer: '' }, 'overrides file', OVERRIDES_KEYS, validate);
  if (root !== undefined && root.value('standin') !== OVERRIDES_FORMAT)
    root.addExpected('standin', `"${OVERRIDES_FORMAT}"`);
  else if (root !== undefined) {
    const paths = knownPaths(api);
    for (const entry of root.entries('resources')) {
      if (!paths.includes(entry.name))
        validate.addUnknownName(entry.pointer, `The description has no path ${entry.name}`, entry.name, paths);
      const statement = readResource(entry, api, paths, validate, evidenceAt(document, entry.pointer));
      if (statement !== undefined) resources.set(entry.name, statement);
    }
    for (const entry of root.entries('operations')) {
      const operation = operationNamed(api, entry.name);
      if (operation === undefined) {
        const names = api.operations.flatMap(({ id, method, written }) => [id, `${method} ${written}`]);
        validate.addUnknownName(entry.pointer, `The description has no operation ${entry.name}`, entry.name, names);
        continue;
      }
      const statement = readOperation(entry, operation, paths, validate, evidenceAt(document, entry.pointer));
      if (statement !== undefined) operations.set(operation, statement);
    }
  }
  const overrides: Overrides = { resources, operations, accept: acceptOf(root) };
  // What is set is a matter of what the operation is bound to, which the other statements decide.
  if (validate.findings.length === 0 && root !== undefined) checkSets(root, overrides, api, validate);
  findings.push(...validate.findings);
  return overrides;
}

/** @param properties - of the file, or of an operation in it */
function acceptOf(properties: PropertyReader | undefined): AcceptMode | undefined {
  return properties?.word('accept', ACCEPT_MODES);
}

/** Properties that an action sets must be known to the items that it acts on, with values that their schemas allow. */
function checkSets(root: PropertyReader, overrides: Overrides, api: ApiModel, validate: FormatDiagnostics): void {
  for (const { name, value, pointer } of root.entries('operations')) {
    const operation = operationNamed(api, name);
    const sets = isJsonObject(value) ? value['sets'] : undefined;
    if (operation === undefined || !isJsonObject(sets) || overrides.operations.get(operation)?.isStateless === true)
      continue;
    const at = joinPointer(pointer, 'sets');
    const binding = inferResourceModel(api, overrides).bindings.get(operation);
    if (binding?.action === undefined) {
      const expected = 'an operation with the behaviour act, on a resource';
      validate.add(at, `${name} acts on no item: there is nothing to set`, expected, 'Say resource and behaviour too.');
      continue;
    }
    for (const [property, wanted] of Object.entries(sets))
      checkSet(binding.resource, { property, value: wanted }, api, validate, joinPointer(at, property));
  }
}

function checkSet(
  { path, properties }: ResourceDescription,
  { property: member, value }: PropertyAssignment,
  api: ApiModel,
  validate: FormatDiagnostics,
  pointer: string,
): void {
  const property = properties.get(member);
  if (property === undefined) {
    validate.addUnknownName(pointer, `Items of ${path} have no property "${member}"`, member, [...properties.keys()]);
    return;
  }
  const [violation] = api.schemaAt(property.pointer)?.validate('response')(value) ?? [];
  if (violation !== undefined)
    validate.add(pointer, `"${member}" ${violation.message}`, `a value that "${member}" of ${path} may have`);
}

/** Where a file says something, for people: `overrides.yaml:4 says so`. */
function evidenceAt(document: SourceDocument, pointer: string): Evidence {
  const place = document.locationOf(pointer);
  return { text: `${document.file}${place === undefined ? '' : `:${place.line}`} says so`, pointer: '' };
}

/** Paths as written, and those above items that have no operations of their own. */
function knownPaths(api: ApiModel): string[] {
  const paths = api.operations.map(({ path }) => path);
  const above = paths.filter((path) => path.endsWith('}')).map((path) => path.slice(0, path.lastIndexOf('/')));
  return [...new Set([...paths, ...above])].filter((path) => path !== '');
}

/** An operation by its operationId, or by method and path. */
export function operationNamed(api: ApiModel, name: string): Operation | undefined {
  const [, method, path] = /^([A-Za-z]+)\s+(\/.*)$/.exec(name) ?? [];
  if (method === undefined) return api.operationById(name);
  return api.operations.find((operation) => operation.method === method.toUpperCase() && operation.written === path);
}

function readResource(
  entry: LocatedValue & { readonly name: string },
  api: ApiModel,
  paths: readonly string[],
  validate: FormatDiagnostics,
  evidence: Evidence,
): ResourceStatement | undefined {
  const properties = PropertyReader.open(entry, 'resource', RESOURCE_KEYS, validate);
  if (properties === undefined) return undefined;
  return {
    evidence,
    isStateless: flag(properties, 'stateless'),
    key: properties.text('key'),
    schema: schemaPointer(properties, api),
    references: readNames(properties, 'references', 'the path of a collection, or false'),
    sameAs: readSameAs(entry.name, properties, paths, validate),
  };
}

/** What is one with another has nothing of its own that could be said of it. */
function readSameAs(
  path: string,
  properties: PropertyReader,
  paths: readonly string[],
  validate: FormatDiagnostics,
): string | undefined {
  const other = properties.text('sameAs');
  if (other === undefined) return undefined;
  const at = properties.at('sameAs');
  if (other === path) validate.add(at, `${path} is the same as itself`, 'the path of another collection');
  else if (!paths.includes(other)) validate.addUnknownName(at, `The description has no path ${other}`, other, paths);
  for (const name of ['stateless', 'key', 'schema', 'references'].filter((each) => properties.has(each)))
    validate.add(
      properties.at(name),
      `${path} is the same as ${other}: "${name}" cannot be said of it alone`,
      undefined,
      `Say it of ${other}.`,
    );
  return other;
}

/** `Book`, or `#/components/schemas/Book`. */
function schemaPointer(properties: PropertyReader, api: ApiModel): string | undefined {
  const text = properties.text('schema');
  if (text === undefined) return undefined;
  const pointer = localPointer(text) ?? `/components/schemas/${text}`;
  if (api.schemaAt(pointer) !== undefined) return pointer;
  properties.addExpected('schema', 'the name of a schema of the description, or a reference to one');
  return undefined;
}

function readOperation(
  entry: LocatedValue,
  operation: Operation,
  paths: readonly string[],
  validate: FormatDiagnostics,
  evidence: Evidence,
): OperationStatement | undefined {
  const properties = PropertyReader.open(entry, 'operation', OPERATION_KEYS, validate);
  if (properties === undefined) return undefined;
  const resource = properties.text('resource');
  if (resource !== undefined && !paths.includes(resource))
    validate.addUnknownName(properties.at('resource'), `The description has no path ${resource}`, resource, paths);
  const filters = readNames(properties, 'filters', 'the name of a property, or false');
  const query = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  for (const { name, pointer } of properties.entries('filters')) {
    if (!query.includes(name))
      validate.addUnknownName(pointer, `${operation.id} has no query parameter "${name}"`, name, query);
  }
  return {
    evidence,
    isStateless: flag(properties, 'stateless'),
    behaviour: properties.word('behaviour', BEHAVIOURS),
    resource,
    sets: properties.has('sets')
      ? properties.entries('sets').map(({ name, value }) => ({ property: name, value }))
      : undefined,
    filters,
    accept: acceptOf(properties),
  };
}

function flag(properties: PropertyReader, name: string): boolean {
  const value = properties.value(name);
  if (value !== undefined && typeof value !== 'boolean') properties.addExpected(name, 'true or false');
  return value === true;
}

function readNames(properties: PropertyReader, name: string, expected: string): Map<string, string | false> {
  const map: JsonValue | undefined = properties.value(name);
  const found = new Map<string, string | false>();
  if (map === undefined) return found;
  for (const [key, value] of Object.entries(isJsonObject(map) ? map : {})) {
    if (typeof value === 'string' || value === false) found.set(key, value);
    else properties.addExpected(name, `an object of names, each with ${expected}`);
  }
  if (!isJsonObject(map)) properties.addExpected(name, `an object of names, each with ${expected}`);
  return found;
}

/** An entry of overrides about what a description does not have. */
interface UnknownEntry {
  readonly pointer: string;
  /** For people: `path /things`. */
  readonly name: string;
}

/** Overrides without what they say of paths and operations that a description does not have. */
export function keepKnownEntries(
  document: SourceDocument,
  api: ApiModel,
): { readonly document: SourceDocument; readonly unknown: readonly UnknownEntry[] } {
  const { root } = document;
  if (!isJsonObject(root)) return { document, unknown: [] };
  const paths = new Set(knownPaths(api));
  const unknown: UnknownEntry[] = [];
  const keep = (section: string, kind: string, isKnown: (name: string) => boolean): JsonObject => {
    const map: JsonValue | undefined = root[section];
    if (!isJsonObject(map)) return {};
    const entries = Object.entries(map).filter(([name]) => {
      if (isKnown(name)) return true;
      unknown.push({ pointer: joinPointer(`/${section}`, name), name: `${kind} ${name}` });
      return false;
    });
    return { [section]: Object.fromEntries(entries) };
  };
  const known = {
    ...root,
    ...keep('resources', 'path', (name) => paths.has(name)),
    ...keep('operations', 'operation', (name) => operationNamed(api, name) !== undefined),
  };
  return { document: { ...document, root: known, locationOf: (pointer) => document.locationOf(pointer) }, unknown };
}

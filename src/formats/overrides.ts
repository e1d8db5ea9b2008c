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
  type AcceptMode,
  eventStatement,
  type EventStatement,
  type OperationStatement,
  type Overrides,
  type ResourceStatement,
} from '../resources/overrides/statements';
import { decodeParts, described, FormatDiagnostics } from './decode';

/** Version of the format, written in the file. */
export const OVERRIDES_FORMAT = 'overrides/1';

/** On every finding about overrides. */
export const OVERRIDES_RULE = 'overrides-format';

/** Overrides as `docs/overrides.schema.json` describes them. */
interface WrittenOverrides {
  readonly standin?: string;
  readonly accept?: AcceptMode;
  readonly resources?: Readonly<Record<string, WrittenResource>>;
  readonly operations?: Readonly<Record<string, WrittenOperation>>;
  readonly events?: JsonObject;
}

type NamesOrFalse = Readonly<Record<string, string | false>>;

interface WrittenResource extends Partial<Pick<ResourceStatement, 'key' | 'schema' | 'sameAs'>> {
  readonly stateless?: boolean;
  readonly references?: NamesOrFalse;
}

interface WrittenOperation extends Partial<Pick<OperationStatement, 'behaviour' | 'resource' | 'accept'>> {
  readonly stateless?: boolean;
  readonly sets?: JsonObject;
  readonly filters?: NamesOrFalse;
}

/**
 * Reads an overrides file. Every path, operation, schema and parameter in it is looked up here.
 *
 * @param findings - gets what does not fit the format or the description; with any of them the file is not to be used
 */
export function readOverrides(document: SourceDocument, api: ApiModel, findings: SourceFinding[]): Overrides {
  const diagnostics = new FormatDiagnostics(document, OVERRIDES_RULE);
  const parts = decodeParts(document, 'overrides');
  diagnostics.findings.push(...parts.findings);
  const written = (parts.root ?? {}) as WrittenOverrides;
  const resources = new Map<string, ResourceStatement>();
  const operations = new Map<Operation, OperationStatement>();
  const paths = knownPaths(api);
  for (const [path, resource] of Object.entries(written.resources ?? {})) {
    const pointer = joinPointer('/resources', path);
    requirePath(path, pointer, paths, diagnostics);
    resources.set(path, readResource(path, resource, pointer, api, paths, diagnostics));
  }
  for (const [name, statement] of Object.entries(written.operations ?? {})) {
    const pointer = joinPointer('/operations', name);
    const operation = operationNamed(api, name);
    if (operation === undefined) {
      const names = api.operations.flatMap(({ id, method, written: path }) => [id, `${method} ${path}`]);
      diagnostics.addUnknownName(pointer, `The description has no operation ${name}`, name, names);
    } else operations.set(operation, readOperation(operation, statement, pointer, paths, diagnostics));
  }
  const events = readEvents(written.events ?? {}, api, paths, diagnostics);
  const overrides: Overrides = { resources, operations, events, accept: written.accept };
  // What is set is a matter of what the operation is bound to, which the other statements decide.
  if (diagnostics.findings.length === 0) checkSets(written, overrides, api, diagnostics);
  findings.push(...diagnostics.findings.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)));
  return overrides;
}

/** Properties that an action sets must be known to the items that it acts on, with values that their schemas allow. */
function checkSets(
  { operations = {} }: WrittenOverrides,
  overrides: Overrides,
  api: ApiModel,
  diagnostics: FormatDiagnostics,
): void {
  for (const [name, { sets, stateless = false }] of Object.entries(operations)) {
    const operation = operationNamed(api, name);
    if (operation === undefined || sets === undefined || stateless) continue;
    const pointer = joinPointer('/operations', name);
    const at = joinPointer(pointer, 'sets');
    const binding = inferResourceModel(api, overrides).bindings.get(operation);
    if (binding?.action === undefined) {
      const expected = 'an operation with the behaviour act, on a resource';
      diagnostics.add(
        at,
        `${name} acts on no item: there is nothing to set`,
        expected,
        'Say resource and behaviour too.',
      );
      continue;
    }
    for (const [property, wanted] of Object.entries(sets))
      checkSet(binding.resource, { property, value: wanted }, api, diagnostics, joinPointer(at, property));
  }
}

function checkSet(
  { path, properties }: ResourceDescription,
  { property: member, value }: PropertyAssignment,
  api: ApiModel,
  diagnostics: FormatDiagnostics,
  pointer: string,
): void {
  const property = properties.get(member);
  if (property === undefined) {
    diagnostics.addUnknownName(pointer, `Items of ${path} have no property "${member}"`, member, [
      ...properties.keys(),
    ]);
    return;
  }
  const [violation] = api.schemaAt(property.pointer)?.validate('response')(value) ?? [];
  if (violation !== undefined)
    diagnostics.add(pointer, `"${member}" ${violation.message}`, `a value that "${member}" of ${path} may have`);
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

function requirePath(path: string, pointer: string, paths: readonly string[], diagnostics: FormatDiagnostics): void {
  if (!paths.includes(path)) diagnostics.addUnknownName(pointer, `The description has no path ${path}`, path, paths);
}

function readResource(
  path: string,
  resource: WrittenResource,
  pointer: string,
  api: ApiModel,
  paths: readonly string[],
  diagnostics: FormatDiagnostics,
): ResourceStatement {
  const { stateless = false, key, schema, references = {}, sameAs } = resource;
  if (sameAs !== undefined) {
    const at = `${pointer}/sameAs`;
    if (sameAs === path) diagnostics.add(at, `${path} is the same as itself`, 'the path of another collection');
    else requirePath(sameAs, at, paths, diagnostics);
    // What is one with another has nothing of its own that could be said of it.
    for (const name of Object.keys(resource).filter((each) => each !== 'sameAs')) {
      const message = `${path} is the same as ${sameAs}: "${name}" cannot be said of it alone`;
      diagnostics.add(`${pointer}/${name}`, message, undefined, `Say it of ${sameAs}.`);
    }
  }
  return {
    evidence: evidenceAt(diagnostics.document, pointer),
    isStateless: stateless,
    key,
    schema: schema === undefined ? undefined : schemaPointer(schema, pointer, api, diagnostics),
    references: new Map(Object.entries(references)),
    sameAs,
  };
}

/** `Book`, or `#/components/schemas/Book`. */
function schemaPointer(
  schema: string,
  pointer: string,
  api: ApiModel,
  diagnostics: FormatDiagnostics,
): string | undefined {
  const target = localPointer(schema) ?? `/components/schemas/${schema}`;
  if (api.schemaAt(target) !== undefined) return target;
  const expected = 'the name of a schema of the description, or a reference to one';
  diagnostics.add(`${pointer}/schema`, `"schema" must be ${expected}, got ${described(schema)}`);
  return undefined;
}

function readOperation(
  operation: Operation,
  { stateless = false, behaviour, resource, sets, filters = {}, accept }: WrittenOperation,
  pointer: string,
  paths: readonly string[],
  diagnostics: FormatDiagnostics,
): OperationStatement {
  if (resource !== undefined) requirePath(resource, `${pointer}/resource`, paths, diagnostics);
  const query = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  for (const name of Object.keys(filters).filter((each) => !query.includes(each))) {
    const message = `${operation.id} has no query parameter "${name}"`;
    diagnostics.addUnknownName(joinPointer(`${pointer}/filters`, name), message, name, query);
  }
  return {
    evidence: evidenceAt(diagnostics.document, pointer),
    isStateless: stateless,
    behaviour,
    resource,
    sets: sets && Object.entries(sets).map(([property, value]) => ({ property, value })),
    filters: new Map(Object.entries(filters)),
    accept,
  };
}

/** When callbacks and webhooks are sent, by their names. */
function readEvents(
  written: JsonObject,
  api: ApiModel,
  paths: readonly string[],
  diagnostics: FormatDiagnostics,
): ReadonlyMap<string, EventStatement> {
  const entries = Object.entries(written);
  const names = entries.length === 0 ? [] : [...new Set(api.events().map(({ name }) => name))];
  return new Map(
    entries.flatMap(([name, said]) => {
      const pointer = joinPointer('/events', name);
      if (!names.includes(name))
        diagnostics.addUnknownName(pointer, `The description has no callback or webhook ${name}`, name, names);
      const resource = isJsonObject(said) ? said['resource'] : undefined;
      if (typeof resource === 'string') requirePath(resource, `${pointer}/resource`, paths, diagnostics);
      const statement = eventStatement(said, evidenceAt(diagnostics.document, pointer));
      return statement === undefined ? [] : [[name, statement] as const];
    }),
  );
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
    ...keep('events', 'event', (name) => api.events().some((event) => event.name === name)),
  };
  return { document: { ...document, root: known, locationOf: (pointer) => document.locationOf(pointer) }, unknown };
}

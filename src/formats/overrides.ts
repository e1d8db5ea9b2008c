import type { SourceFinding } from '../errors/source-finding';
import { joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel, Operation } from '../openapi/model';
import { localPointer } from '../openapi/references';
import type { SourceDocument } from '../openapi/source-document';
import { inferResourceModel } from '../resources/infer-resource-model';
import type { Evidence, ResourceDescription, SetMember } from '../resources/resource-model';
import {
  ACCEPT_MODES,
  BEHAVIOURS,
  type AcceptMode,
  type OperationStatement,
  type Overrides,
  type ResourceStatement,
} from '../resources/statements';
import { FormatJudge, MemberReader, type PlacedValue } from './member-reader';

/** Version of the format, written in the file. */
export const OVERRIDES_FORMAT = 'overrides/1';

/** On every finding about overrides. */
export const RULE = 'overrides-format';
const MEMBERS = ['$schema', 'standin', 'accept', 'resources', 'operations'];
const RESOURCE_MEMBERS = ['stateless', 'key', 'schema', 'references', 'sameAs'];
const OPERATION_MEMBERS = ['stateless', 'behaviour', 'resource', 'sets', 'filters', 'accept'];

/**
 * Reads an overrides file. Every path, operation, schema and parameter in it is looked up here.
 *
 * @param findings - gets what does not fit the format or the description; with any of them the file is not to be used
 */
export function readOverrides(document: SourceDocument, api: ApiModel, findings: SourceFinding[]): Overrides {
  const judge = new FormatJudge(document, RULE);
  const resources = new Map<string, ResourceStatement>();
  const operations = new Map<Operation, OperationStatement>();
  const root = MemberReader.open({ value: document.root, pointer: '' }, 'overrides file', MEMBERS, judge);
  if (root !== undefined && root.value('standin') !== OVERRIDES_FORMAT)
    root.refuse('standin', `standin: ${OVERRIDES_FORMAT}`);
  else if (root !== undefined) {
    const paths = knownPaths(api);
    for (const entry of root.entries('resources')) {
      if (!paths.includes(entry.name))
        judge.refuseName(entry.pointer, `The description has no path ${entry.name}`, entry.name, paths);
      const statement = readResource(entry, api, paths, judge, evidenceAt(document, entry.pointer));
      if (statement !== undefined) resources.set(entry.name, statement);
    }
    for (const entry of root.entries('operations')) {
      const operation = operationNamed(api, entry.name);
      if (operation === undefined) {
        const names = api.operations.flatMap(({ id, method, written }) => [id, `${method} ${written}`]);
        judge.refuseName(entry.pointer, `The description has no operation ${entry.name}`, entry.name, names);
        continue;
      }
      const statement = readOperation(entry, operation, paths, judge, evidenceAt(document, entry.pointer));
      if (statement !== undefined) operations.set(operation, statement);
    }
  }
  const overrides: Overrides = { resources, operations, accept: acceptOf(root) };
  // What is set is a matter of what the operation is bound to, which the other statements decide.
  if (judge.findings.length === 0 && root !== undefined) checkSets(root, overrides, api, judge);
  findings.push(...judge.findings);
  return overrides;
}

/** @param members - of the file, or of an operation in it */
function acceptOf(members: MemberReader | undefined): AcceptMode | undefined {
  return members?.word('accept', ACCEPT_MODES);
}

/** Members that an action sets must be known to the items that it acts on, with values that their schemas allow. */
function checkSets(root: MemberReader, overrides: Overrides, api: ApiModel, judge: FormatJudge): void {
  for (const { name, value, pointer } of root.entries('operations')) {
    const operation = operationNamed(api, name);
    const sets = isJsonObject(value) ? value['sets'] : undefined;
    if (operation === undefined || !isJsonObject(sets) || overrides.operations.get(operation)?.isStateless === true)
      continue;
    const at = joinPointer(pointer, 'sets');
    const binding = inferResourceModel(api, overrides).bindings.get(operation);
    if (binding?.action === undefined) {
      const expected = 'an operation with the behaviour act, on a resource';
      judge.refuse(at, `${name} acts on no item: there is nothing to set`, expected, 'Say resource and behaviour too.');
      continue;
    }
    for (const [member, wanted] of Object.entries(sets))
      checkSet(binding.resource, { member, value: wanted }, api, judge, joinPointer(at, member));
  }
}

function checkSet(
  { path, properties }: ResourceDescription,
  { member, value }: SetMember,
  api: ApiModel,
  judge: FormatJudge,
  pointer: string,
): void {
  const property = properties.get(member);
  if (property === undefined) {
    judge.refuseName(pointer, `Items of ${path} have no member "${member}"`, member, [...properties.keys()]);
    return;
  }
  const [violation] = api.schemaAt(property.pointer)?.validate('response')(value) ?? [];
  if (violation !== undefined)
    judge.refuse(pointer, `"${member}" ${violation.message}`, `a value that "${member}" of ${path} may have`);
}

/** Where a file says something, for people: `overrides.yaml:4 says so`. */
function evidenceAt(document: SourceDocument, pointer: string): Evidence {
  const place = document.placeOf(pointer);
  return { text: `${document.file}${place === undefined ? '' : `:${place.line}`} says so`, pointer: '' };
}

/** Paths as written, and those above items that have no operations of their own. */
export function knownPaths(api: ApiModel): string[] {
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
  entry: PlacedValue & { readonly name: string },
  api: ApiModel,
  paths: readonly string[],
  judge: FormatJudge,
  evidence: Evidence,
): ResourceStatement | undefined {
  const members = MemberReader.open(entry, 'resource', RESOURCE_MEMBERS, judge);
  if (members === undefined) return undefined;
  return {
    evidence,
    isStateless: flag(members, 'stateless'),
    key: members.text('key'),
    schema: schemaPointer(members, api),
    references: choicesOf(members, 'references', 'the path of a collection, or false'),
    sameAs: joinedTo(entry.name, members, paths, judge),
  };
}

/** What is one with another has nothing of its own that could be said of it. */
function joinedTo(
  path: string,
  members: MemberReader,
  paths: readonly string[],
  judge: FormatJudge,
): string | undefined {
  const other = members.text('sameAs');
  if (other === undefined) return undefined;
  const at = members.at('sameAs');
  if (other === path) judge.refuse(at, `${path} is the same as itself`, 'the path of another collection');
  else if (!paths.includes(other)) judge.refuseName(at, `The description has no path ${other}`, other, paths);
  for (const name of ['stateless', 'key', 'schema', 'references'].filter((each) => members.has(each)))
    judge.refuse(
      members.at(name),
      `${path} is the same as ${other}: "${name}" cannot be said of it alone`,
      undefined,
      `Say it of ${other}.`,
    );
  return other;
}

/** `Book`, or `#/components/schemas/Book`. */
function schemaPointer(members: MemberReader, api: ApiModel): string | undefined {
  const text = members.text('schema');
  if (text === undefined) return undefined;
  const pointer = localPointer(text) ?? `/components/schemas/${text}`;
  if (api.schemaAt(pointer) !== undefined) return pointer;
  members.refuse('schema', 'the name of a schema of the description, or a reference to one');
  return undefined;
}

function readOperation(
  entry: PlacedValue,
  operation: Operation,
  paths: readonly string[],
  judge: FormatJudge,
  evidence: Evidence,
): OperationStatement | undefined {
  const members = MemberReader.open(entry, 'operation', OPERATION_MEMBERS, judge);
  if (members === undefined) return undefined;
  const resource = members.text('resource');
  if (resource !== undefined && !paths.includes(resource))
    judge.refuseName(members.at('resource'), `The description has no path ${resource}`, resource, paths);
  const filters = choicesOf(members, 'filters', 'the name of a member, or false');
  const query = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  for (const { name, pointer } of members.entries('filters')) {
    if (!query.includes(name))
      judge.refuseName(pointer, `${operation.id} has no query parameter "${name}"`, name, query);
  }
  return {
    evidence,
    isStateless: flag(members, 'stateless'),
    behaviour: members.word('behaviour', BEHAVIOURS),
    resource,
    sets: members.has('sets')
      ? members.entries('sets').map(({ name: member, value }) => ({ member, value }))
      : undefined,
    filters,
    accept: acceptOf(members),
  };
}

function flag(members: MemberReader, name: string): boolean {
  const value = members.value(name);
  if (value !== undefined && typeof value !== 'boolean') members.refuse(name, 'true or false');
  return value === true;
}

function choicesOf(members: MemberReader, name: string, expected: string): Map<string, string | false> {
  const map: JsonValue | undefined = members.value(name);
  const found = new Map<string, string | false>();
  if (map === undefined) return found;
  for (const [key, value] of Object.entries(isJsonObject(map) ? map : {})) {
    if (typeof value === 'string' || value === false) found.set(key, value);
    else members.refuse(name, `an object of names, each with ${expected}`);
  }
  if (!isJsonObject(map)) members.refuse(name, `an object of names, each with ${expected}`);
  return found;
}

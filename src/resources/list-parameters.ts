import { compareNumbers, isJsonNumber } from '../json/exact-number';
import type { Operation, Parameter, Property } from '../openapi/model';
import { isTypeOf } from './attributes';
import { conditionForm, mapsIn } from './conditions';
import { foldedName, singular, wordsOf } from './inflection';
import { explodedMembers } from './exploded-members';
import type { Anchor } from './list-anchors';
import { filterOf } from './list-filter';
import { meansKey } from './key-elsewhere';
import { roleOf, type ParameterRole } from './parameter-words';
import type { BodyShape, ListConditions, ListFilter, ListParameters, ResourceDescription } from './resource-model';
import { typesOf, type SchemaReader } from './schema-reader';
import type { OperationStatement } from './statements';
import { toldOrder } from './told-order';

type Listed = Pick<ResourceDescription, 'path' | 'properties' | 'attributes'> &
  Partial<Pick<ResourceDescription, 'key'>>;
type Role = Exclude<ParameterRole, object> | Anchor;

/** For operations that read no list. */
export const NO_LIST_PARAMETERS: ListParameters = {
  limit: undefined,
  cursor: undefined,
  after: undefined,
  before: undefined,
  from: undefined,
  offset: undefined,
  page: undefined,
  sort: undefined,
  direction: undefined,
  search: undefined,
  fields: undefined,
  usual: undefined,
  filters: [],
  conditions: [],
  exploded: new Map(),
  ignored: [],
};

/**
 * Tells the query parameters of a list apart by name and type: one that pages is never taken for a filter. What was said
 * outright comes first.
 *
 * @param resource - whose items are listed
 * @param thing - name of the item's schema, for the reasons
 * @param told - what was said of the operation, where its items stand in the answer, and which parameters hold keys of
 *   items
 */
export function listParameters(
  operation: Operation,
  resource: Listed,
  reader: SchemaReader,
  thing: string,
  told: {
    readonly stated?: OperationStatement | undefined;
    readonly shape?: BodyShape | undefined;
    readonly anchors: ReadonlyMap<Parameter, Anchor>;
  },
): ListParameters {
  const { properties: members, attributes } = resource;
  const roles = new Map<Role, Parameter>();
  const filters: ListFilter[] = [];
  const conditions: ListConditions[] = [];
  const ignored: { parameter: Parameter; reason: string }[] = [];
  const names = new Set([...members.keys(), ...attributes.keys()].map(foldedName));

  const filter = (parameter: Parameter): void => {
    const found = anyFilter(parameter, resource, reader, thing);
    if ('reason' in found) ignored.push({ parameter, reason: found.reason });
    else filters.push(found);
  };
  const take = (parameter: Parameter): void => {
    const form = parameter.schema && conditionForm(reader, parameter.schema);
    const role =
      form === undefined ? (told.anchors.get(parameter) ?? roleIn(resource, parameter, names, told.shape)) : undefined;
    if (form !== undefined) conditions.push({ parameter, form, maps: mapsIn(reader, members) });
    else if (role === undefined) filter(parameter);
    else if (typeof role === 'object') ignored.push({ parameter, reason: role.ignored });
    else if (!roles.has(role)) roles.set(role, parameter);
    else ignored.push({ parameter, reason: `"${roles.get(role)?.name ?? ''}" does the same already` });
  };
  const exploded = explodedIn(
    operation,
    reader,
    (name) => told.stated?.filters.has(name) === true || names.has(foldedName(name)),
  );
  for (const parameter of operation.parameters.flatMap((each) => exploded.get(each) ?? [each])) {
    if (parameter.in !== 'query') continue;
    const said = told.stated?.filters.get(parameter.name);
    if (said === false) ignored.push({ parameter, reason: 'it is said to have no effect' });
    else if (said !== undefined) filters.push(statedFilter(parameter, said, members, reader));
    else take(parameter);
  }
  return {
    limit: roles.get('limit'),
    cursor: roles.get('cursor'),
    after: roles.get('after'),
    before: roles.get('before'),
    from: roles.get('from'),
    offset: roles.get('offset'),
    page: pageNumber(roles.get('page'), told.shape),
    sort: roles.get('sort'),
    direction: roles.get('direction'),
    search: roles.get('search'),
    fields: roles.get('fields'),
    usual: toldOrder(operation, members),
    filters,
    conditions,
    exploded,
    ignored,
  };
}

/** @param isOne - is it one value: said to do something, or a member of the items itself? */
function explodedIn(
  operation: Operation,
  reader: SchemaReader,
  isOne: (name: string) => boolean,
): ReadonlyMap<Parameter, readonly Parameter[]> {
  const found = new Map<Parameter, readonly Parameter[]>();
  for (const parameter of operation.parameters) {
    const inner = isOne(parameter.name) ? [] : explodedMembers(operation, parameter, reader);
    if (inner.length > 0) found.set(parameter, inner);
  }
  return found;
}

function roleIn(
  resource: Listed,
  parameter: Parameter,
  names: ReadonlySet<string>,
  shape: BodyShape | undefined,
): ParameterRole | undefined {
  if (isFieldset(parameter, resource)) return 'fields';
  return cursorOf(parameter, shape) ?? roleOf(parameter, names.has(foldedName(parameter.name)));
}

/** What the answer gives as the place of the next page under the same name, `next: { offset }`, is sent back as it is. */
function cursorOf({ name, in: place, schema }: Parameter, shape: BodyShape | undefined): 'cursor' | undefined {
  const isText = typesOf(schema?.value ?? {}).includes('string');
  const isTold = shape?.siblings.some(({ role, path }) => role === 'next-cursor' && path.at(-1) === name) === true;
  return place === 'query' && isText && isTold ? 'cursor' : undefined;
}

/** `fields[books]` of a list of books (JSON:API 1.1 §6.3); those of other types choose nothing of its items. */
function isFieldset({ name }: Parameter, resource: Listed): boolean {
  const type = /^fields\[([^[\]]+)\]$/.exec(name)?.[1];
  return type !== undefined && resource.attributes.size > 0 && isTypeOf(type, resource);
}

/** A filter by a member, else by one under `attributes`. */
function anyFilter(
  parameter: Parameter,
  { path, key, properties, attributes }: Listed,
  reader: SchemaReader,
  thing: string,
): ReturnType<typeof filterOf> {
  const own = filterOf(parameter, properties, reader, thing);
  if ('reason' in own && key !== undefined && meansKeys(parameter, path))
    return { parameter, member: key.member, within: [], operator: 'equal', bounds: undefined };
  if (!('reason' in own) || attributes.size === 0) return own;
  const found = filterOf(parameter, attributes, reader, thing);
  return 'reason' in found ? own : { ...found, member: 'attributes', within: [found.member, ...found.within] };
}

/** `ids` and `thing_ids` of a list of things, and `things` in a body: those with one of the keys. */
export function meansKeys({ name, schema, items, pointer }: Parameter, path: string): boolean {
  const types = typesOf(items ?? schema?.value ?? {});
  if (types.length > 0 && !['string', 'integer', 'number'].some((type) => types.includes(type))) return false;
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  const thing = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '';
  // `{ things: [1, 2] }` in a body.
  if (items !== undefined && !pointer.includes('/parameters/') && foldedName(name) === foldedName(thing)) return true;
  return (
    /^(?:id|gid|sid|uuid|guid)s?$/.test(last) && meansKey([...words.slice(0, -1), singular(last)].join('_'), thing)
  );
}

/** `member`, or `member.inner` for a member of an embedded object. */
function statedFilter(
  parameter: Parameter,
  said: string,
  members: ReadonlyMap<string, Property>,
  reader: SchemaReader,
): ListFilter {
  const [member = said, ...within] = members.has(said) ? [said] : said.split('.');
  const property = members.get(member);
  const schema = property === undefined ? undefined : reader.member(property);
  const isList = schema !== undefined && reader.items(schema) !== undefined;
  return { parameter, member, within, operator: isList ? 'contains' : 'equal', bounds: undefined };
}

function pageNumber(parameter: Parameter | undefined, shape: BodyShape | undefined): ListParameters['page'] {
  return parameter === undefined ? undefined : { parameter, first: firstPage(parameter, shape) };
}

/** The first page is 0 where 0 is allowed or the default, or the answer is a page that is counted so; else 1. */
function firstPage({ schema }: Parameter, shape: BodyShape | undefined): 0 | 1 {
  const { minimum, default: preset } = schema?.value ?? {};
  for (const value of [minimum, preset]) {
    if (isJsonNumber(value)) return compareNumbers(value, 1) < 0 ? 0 : 1;
  }
  return shape?.siblings.some(({ role }) => role === 'page-index') === true ? 0 : 1;
}

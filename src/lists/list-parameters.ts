import { compareNumbers, isJsonNumber } from '../core/json/exact-number';
import { foldedName, singular, wordsOf } from '../core/text/inflection';
import type { Operation, Parameter, Property } from '../openapi/model/operation';
import { isKeyName } from '../openapi/naming/property-names';
import { hasOwnProperties } from '../openapi/parameters/decode-parameter';
import { type SchemaView, typesOf } from '../openapi/view/schema-view';
import { conditionForm, mapsIn } from './body-queries';
import type { BodyShape } from './body-shape';
import { documentedOrder } from './documented-order';
import { filterOf } from './filter-parameters';
import { filterLanguage } from './filter-language';
import type { ListConditions, ListedItems, ListExpression, ListFilter, ListParameters } from './list-model';
import type { KeyAnchor, ParameterRole } from './conventions/list-convention';
import { isDeprecated, roleOf } from './parameter-roles';
import { LIST_CONVENTIONS } from './registry';
import { describesNextLink, findCursorParameter, leadsOn, mayHoldCursor, mayHoldKey } from './way-on';

type Listed = Pick<ListedItems, 'path' | 'properties' | 'attributes'> & Partial<Pick<ListedItems, 'key'>>;
type Role = Exclude<ParameterRole, object> | KeyAnchor;

/** Rather too much than too little: what a page leaves out, and nothing leads to, is lost to the client. */
const NOT_CUT = 'the list is given whole: the description has nothing that leads to a next page';
/** Parameters that choose how items are shown, and not which. */
const NO_FILTER =
  /sort|order|field|propert|expand|includ|embed|version|locale|lang|format|pretty|verbose|debug|timeout|limit|page|cursor|token|offset|timezone|projection|view$/;
const NO_CURSOR = { ignored: 'its schema admits neither a cursor of the mock nor the key of an item' } as const;

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
  documentedOrder: undefined,
  filters: [],
  conditions: [],
  expressions: [],
  exploded: new Map(),
  ignored: [],
  describesLink: false,
};

/** The parameter that chooses among the properties of one item, as it does in lists. */
export function itemParameters({ parameters }: Operation, resource: Listed): ListParameters {
  const names = new Set([...resource.properties.keys(), ...resource.attributes.keys()].map(foldedName));
  const fields = parameters.find((each) => each.in === 'query' && roleIn(resource, each, names, false) === 'fields');
  return fields === undefined ? NO_LIST_PARAMETERS : { ...NO_LIST_PARAMETERS, fields };
}

/**
 * Tells the query parameters of a list apart by name and type: one that pages is never taken for a filter. What was said
 * outright comes first.
 *
 * @param resource - whose items are listed
 * @param thing - name of the item's schema, for the reasons
 * @param told - what was said of the operation, where its items stand in the response, and which parameters hold keys of
 *   items
 */
export function listParameters(
  operation: Operation,
  resource: Listed,
  view: SchemaView,
  thing: string,
  told: {
    readonly stated?: { readonly filters: ReadonlyMap<string, string | false> } | undefined;
    readonly shape?: BodyShape | undefined;
    readonly anchors: ReadonlyMap<Parameter, KeyAnchor>;
  },
): ListParameters {
  const { properties, attributes } = resource;
  const roles = new Map<Role, Parameter>();
  const filters: ListFilter[] = [];
  const conditions: ListConditions[] = [];
  const expressions: ListExpression[] = [];
  const ignored: ListParameters['ignored'][number][] = [];
  const names = new Set([...properties.keys(), ...attributes.keys()].map(foldedName));

  const filter = (parameter: Parameter): void => {
    const found = anyFilter(parameter, resource, view, thing);
    // What every request must send, `api-version`, is seldom a filter.
    const isFilter = !parameter.required && !NO_FILTER.test(wordsOf(parameter.name).join(''));
    if ('reason' in found) ignored.push({ parameter, ...found, isFilter });
    else filters.push(found);
  };
  const cursor = findCursorParameter(operation, told.shape);
  const window = windowOf(operation);
  const roleOfParameter = (parameter: Parameter): ParameterRole | KeyAnchor | undefined =>
    told.anchors.get(parameter) ?? window.get(parameter) ?? roleIn(resource, parameter, names, parameter === cursor);
  const take = (parameter: Parameter): void => {
    const form = parameter.schema && conditionForm(view, parameter.schema);
    const role = form === undefined ? roleOfParameter(parameter) : undefined;
    const isProperty = names.has(foldedName(parameter.name));
    const language = isProperty ? undefined : filterLanguage(parameter, view.parameterExamples(parameter));
    if (form !== undefined) conditions.push({ parameter, form, mapProperties: mapsIn(view, properties) });
    else if (language !== undefined) expressions.push({ parameter, language, mapProperties: mapsIn(view, properties) });
    else if (role === undefined) filter(parameter);
    else if (typeof role === 'object') ignored.push({ parameter, reason: role.ignored, isFilter: role.isFilter });
    else if (!roles.has(role)) roles.set(role, parameter);
    else ignored.push({ parameter, reason: `"${roles.get(role)?.name ?? ''}" does the same already` });
  };
  const exploded = explodedIn(
    operation,
    view,
    (name) => told.stated?.filters.has(name) === true || names.has(foldedName(name)),
  );
  const declared = operation.parameters.flatMap((each) => exploded.get(each) ?? [each]);
  // Of two that do the same, the one that stays is meant.
  for (const parameter of [...declared].sort(
    (left, right) => Number(isDeprecated(left)) - Number(isDeprecated(right)),
  )) {
    if (parameter.in !== 'query') continue;
    const said = told.stated?.filters.get(parameter.name);
    if (said === false) ignored.push({ parameter, reason: 'it is said to have no effect' });
    else if (said !== undefined) filters.push(statedFilter(parameter, said, properties, view));
    else take(parameter);
  }
  const paging = {
    cursor: roles.get('cursor'),
    after: roles.get('after'),
    before: roles.get('before'),
    from: roles.get('from'),
    offset: roles.get('offset'),
    page: pageNumber(roles.get('page'), told.shape),
  };
  const limit = roles.get('limit');
  const isCut = limit !== undefined && leadsOn(paging, operation, told.shape, view);
  if (limit !== undefined && !isCut) ignored.push({ parameter: limit, reason: NOT_CUT });
  return {
    limit: isCut ? limit : undefined,
    unusedLimit: isCut ? undefined : limit,
    ...paging,
    sort: roles.get('sort'),
    direction: roles.get('direction'),
    search: roles.get('search'),
    fields: roles.get('fields'),
    documentedOrder: documentedOrder(operation, properties, [roles.get('sort'), roles.get('direction')]),
    filters,
    conditions,
    expressions,
    exploded,
    ignored,
    describesLink: isCut && describesNextLink(operation, paging.cursor, told.shape),
  };
}

/** `first` beside `max`: how many items are left out, and how many come at the most. Each alone may mean something else. */
function windowOf({ parameters }: Operation): ReadonlyMap<Parameter, 'offset' | 'limit'> {
  const named = (name: string): Parameter | undefined =>
    parameters.find(
      (each) => each.in === 'query' && each.name === name && typesOf(each.schema?.value ?? {}).includes('integer'),
    );
  const [first, max] = [named('first'), named('max')];
  return first === undefined || max === undefined
    ? new Map()
    : new Map([
        [first, 'offset'],
        [max, 'limit'],
      ]);
}

/** @param isOne - is it one value: said to do something, or a property of the items itself? */
function explodedIn(
  operation: Operation,
  view: SchemaView,
  isOne: (name: string) => boolean,
): ReadonlyMap<Parameter, readonly Parameter[]> {
  const found = new Map<Parameter, readonly Parameter[]>();
  for (const parameter of operation.parameters) {
    const inner = isOne(parameter.name) ? [] : explodedProperties(operation, parameter, view);
    if (inner.length > 0) found.set(parameter, inner);
  }
  return found;
}

function roleIn(
  resource: Listed,
  parameter: Parameter,
  names: ReadonlySet<string>,
  isCursor: boolean,
): ParameterRole | KeyAnchor | undefined {
  if (LIST_CONVENTIONS.some(({ isFieldset }) => isFieldset?.(parameter, resource))) return 'fields';
  const role = isCursor ? 'cursor' : roleOf(parameter, names.has(foldedName(parameter.name)));
  if (role !== 'cursor' || mayHoldCursor(parameter)) return role;
  return mayHoldKey(parameter) ? 'after' : NO_CURSOR;
}

/** A filter by a property, else by one under `attributes`. */
function anyFilter(
  parameter: Parameter,
  { path, key, properties, attributes }: Listed,
  view: SchemaView,
  thing: string,
): ReturnType<typeof filterOf> {
  const own = filterOf(parameter, properties, view, thing);
  if ('reason' in own && key !== undefined && isKeyListParameter(parameter, path))
    return { parameter, property: key.name, innerPath: [], operator: 'equal', bounds: undefined };
  if (!('reason' in own) || attributes.size === 0) return own;
  const found = filterOf(parameter, attributes, view, thing);
  return 'reason' in found
    ? own
    : { ...found, property: 'attributes', innerPath: [found.property, ...found.innerPath] };
}

/** `ids` and `thing_ids` of a list of things, and `things` in a body: those with one of the keys. */
export function isKeyListParameter({ name, schema, items, pointer }: Parameter, path: string): boolean {
  const types = typesOf(items ?? schema?.value ?? {});
  if (types.length > 0 && !['string', 'integer', 'number'].some((type) => types.includes(type))) return false;
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  const thing = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '';
  // `{ things: [1, 2] }` in a body.
  if (items !== undefined && !pointer.includes('/parameters/') && foldedName(name) === foldedName(thing)) return true;
  return (
    /^(?:id|gid|sid|uuid|guid)s?$/.test(last) && isKeyName([...words.slice(0, -1), singular(last)].join('_'), thing)
  );
}

/** `member`, or `member.inner` for a property of an embedded object. */
function statedFilter(
  parameter: Parameter,
  said: string,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): ListFilter {
  const [member = said, ...innerPath] = properties.has(said) ? [said] : said.split('.');
  const property = properties.get(member);
  const schema = property === undefined ? undefined : view.schemaOf(property);
  const isList = schema !== undefined && view.items(schema) !== undefined;
  return { parameter, property: member, innerPath, operator: isList ? 'contains' : 'equal', bounds: undefined };
}

function pageNumber(parameter: Parameter | undefined, shape: BodyShape | undefined): ListParameters['page'] {
  return parameter === undefined ? undefined : { parameter, first: firstPage(parameter, shape) };
}

/** "Starting at page `1`", "the first page is 0", "1-based". */
const FIRST_PAGE =
  /\b(?:(?:start|begin|count)(?:s|ing|ed)? (?:at|from|with)|first page is|page numbers? (?:starts?|begins?) (?:at|from|with))(?: page)? [`'"]?([01])\b|\b(1|0|one|zero)[- ](?:based|indexed)\b/i;

/**
 * The first page is what the words of the parameter say; 0 where 0 is allowed or the default, or the response is a page that
 * is counted so; else 1.
 */
function firstPage({ schema, description = '' }: Parameter, shape: BodyShape | undefined): 0 | 1 {
  const said = FIRST_PAGE.exec(description)?.slice(1).join('');
  if (said !== undefined) return /^(?:1|one)$/i.test(said) ? 1 : 0;
  const { minimum, default: preset } = schema?.value ?? {};
  for (const value of [minimum, preset]) {
    if (isJsonNumber(value)) return compareNumbers(value, 1) < 0 ? 0 : 1;
  }
  return shape?.pageProperties.some(({ role }) => role === 'page-index') === true ? 0 : 1;
}

/** Objects of the style `deepObject` whose properties are parameters of the list: `filter[name]=a`, `sort[by]=name`. */
const HOLDERS = /^(?:filters?|where|sort|order|page|paging|pagination)$/i;

/**
 * The parameters that the properties of an object are: those of an exploded one, since each is sent under its own name (OAS
 * 3.0.3 "Style Examples"), and those of a `deepObject` that holds filters, the order or the page. A name that is declared
 * as a parameter belongs to that one, and what is an object has no form.
 *
 * @returns none for a parameter that is sent under its own name
 */
function explodedProperties({ parameters }: Operation, holder: Parameter, view: SchemaView): Parameter[] {
  const schema = view.unwrap(holder.schema);
  if (holder.in !== 'query' || schema === undefined) return [];
  const isHolder =
    holder.style === 'deepObject' && HOLDERS.test(holder.name) && conditionForm(view, schema) === undefined;
  if (!isHolder && !hasOwnProperties(holder)) return [];
  return [...view.properties(schema).values()].flatMap((property): Parameter[] => {
    const { pointer, required } = property;
    const name = isHolder ? `${holder.name}[${property.name}]` : property.name;
    const shape = holder.shape.property(property.name);
    const isTaken = parameters.some((each) => each.in === 'query' && each.name === name);
    if (isTaken || shape === undefined || (shape.kind === 'object' && shape.scalars.length === 0)) return [];
    const own = view.schemaOf(property);
    return [
      {
        ...holder,
        name,
        key: name,
        required: holder.required && required,
        pointer,
        schema: own,
        shape,
        allowEmptyValue: false,
        defaultValue: own?.value['default'],
        items: own === undefined ? undefined : view.items(own)?.value,
        explodedFrom: { name: holder.name, property: property.name },
      },
    ];
  });
}

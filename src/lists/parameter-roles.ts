import { foldedName, wordsOf } from '../core/text/inflection';
import type { Operation, Parameter, Property, Schema } from '../openapi/model/operation';
import { type SchemaView, typesOf } from '../openapi/view/schema-view';
import type { ListedItems } from './list-model';
import type { BodyShape } from './body-shape';
import type { ExpectedType, KeyAnchor, ParameterRole } from './conventions/list-convention';
import type { SchemaObject } from '../schema/schema-object';
import { filterOf } from './filter-parameters';
import { LIST_CONVENTIONS } from './registry';

const ROLE_NAMES = LIST_CONVENTIONS.flatMap(({ parameters }) => parameters ?? []);
const ANCHOR_NAMES = LIST_CONVENTIONS.flatMap(({ anchors }) => anchors ?? []);

/** Do its words say that it is to be used no more? */
export function isDeprecated({ description = '' }: Pick<Parameter, 'description'>): boolean {
  return /^\W*deprecated\b/i.test(description) || /\bDEPRECATED\b/.test(description);
}

const PAGING_ROLES: ReadonlySet<ParameterRole> = new Set(['limit', 'cursor', 'offset', 'page']);

/** May a parameter of this name say where a page begins, or how long it is, whatever its type? */
export function mayPage(folded: string): boolean {
  return (
    ROLE_NAMES.some(([pattern, , role]) => PAGING_ROLES.has(role) && pattern.test(folded)) ||
    ANCHOR_NAMES.some(([pattern]) => pattern.test(folded)) ||
    LIST_CONVENTIONS.some(({ pagingParameters }) => pagingParameters?.test(folded))
  );
}

/** Roles in which a parameter that is also a property is taken for the property. */
const AMBIGUOUS_NAMES =
  /^(?:size|count|from|start|text|p|top|version|language|lang|locale|currency|token|key|format|timezone|attributes|after|before|term|direction|marker|with|results|query|position)$/;

/**
 * The role that a name and type give away.
 *
 * @param isProperty - has the item a property of this name? Then only names that never mean anything else are paging
 */
export function roleOf(parameter: Parameter, isProperty: boolean): ParameterRole | undefined {
  const folded = wordsOf(parameter.name).join('');
  if (isProperty && AMBIGUOUS_NAMES.test(folded) && !isPagingType(parameter, folded)) return undefined;
  if (!isProperty && isDescribedAsToken(parameter)) return 'cursor';
  if (folded === 'order' || (folded === 'sort' && isDirection(parameter)))
    return isDirection(parameter) ? 'direction' : 'sort';
  const role = roleNamed(parameter, folded, isProperty);
  return role !== undefined && isOverridden(role, parameter, isProperty) ? undefined : role;
}

/** Does a parameter mean something else than its name gives away? */
function isOverridden(role: ParameterRole, parameter: Parameter, isProperty: boolean): boolean {
  return role === 'offset'
    ? isDescribedAsTime(parameter)
    : role === 'direction' && isProperty && !isDirection(parameter);
}

function roleNamed(parameter: Parameter, folded: string, isProperty: boolean): ParameterRole | undefined {
  const isFitting = (wanted: ExpectedType): boolean =>
    isOfType(parameter, wanted) || (!isProperty && isLimitInText(parameter, folded));
  return ROLE_NAMES.find(([pattern, wanted]) => pattern.test(folded) && isFitting(wanted))?.[2];
}

/** What is said of a parameter that leads on to the next page. */
const TOKEN_PHRASE = /\b(?:continuation|pagination|next[- ]page|page) (?:token|cursor)\b/i;
/** `from` a time is not a number of items. */
const TIME_PHRASE = /\b(?:timestamp|date|time)\b/i;
/** Names that mean a number of items even where they are declared as texts. */
const LIMITS = /^(?:limit|pagesize|perpage|maxresults|pagelimit)$/;

function isDescribedAsToken(parameter: Parameter): boolean {
  return TOKEN_PHRASE.test(parameter.description ?? '') && isOfType(parameter, 'string');
}

function isDescribedAsTime({ description = '' }: Parameter): boolean {
  return TIME_PHRASE.test(description);
}

/** What is said of a number of items, and of a number of those before them. */
const NUMBER_PHRASE =
  /^\W*(?:the )?(?:maximum|max|number) (?:number )?of (?:\w+ ){0,2}(?:results|items|records|entries|rows)\b|\b(?:zero|0)-based index\b|\bresults to skip\b/i;

function isLimitInText(parameter: Parameter, folded: string): boolean {
  const isNumber = LIMITS.test(folded) || NUMBER_PHRASE.test(parameter.description ?? '');
  return isNumber && isOfType(parameter, 'string') && parameter.schema?.value['enum'] === undefined;
}

/** `size` is a page size where it is a number with an upper bound or default. */
function isPagingType({ schema }: Parameter, folded: string): boolean {
  if (folded !== 'size' && folded !== 'count') return false;
  return typesOf(schema?.value ?? {}).includes('integer') && schema?.value['default'] !== undefined;
}

function isOfType({ schema }: Parameter, wanted: ExpectedType): boolean {
  if (wanted === 'any') return true;
  const types = typesOf(schema?.value ?? {});
  if (wanted === 'integer') return types.includes('integer') || types.includes('number');
  return types.includes('string') && schema?.value['format'] !== 'date-time' && schema?.value['format'] !== 'date';
}

function isDirection({ schema }: Parameter): boolean {
  const values = schema?.value['enum'];
  return Array.isArray(values) && values.some((value) => typeof value === 'string' && /^(?:asc|desc)/i.test(value));
}

/** Those that mean an item whatever the response tells. */
const KEY_NAMES = /^(?:after|before|since)id$/;
const KEY_WORDS = /\b(?:ids?|identifier|object|item|key)\b/i;
const CURSOR_WORDS = /\b(?:opaque|tokens?|encoded)\b/i;
const OPAQUE_WORDS =
  /\b(?:opaque|encoded) (?:\w+ ){0,3}(?:string|cursor|token|value|text|identifier)\b|\bcursor\b.*\bopaque\b/i;
const TIME_WORDS = /\b(?:date|time|timestamp|instant|seconds|iso|rfc)\b/i;

const FIRST_WORDS =
  /\b(?:start|begin)\w*\b[^.]{0,60}\b(?:from|with|at) the \w+ (?:with|that has) (?:the|this|that)(?: given| specified)? (?:id|key)\b/i;

type Listed = Pick<ListedItems, 'key' | 'kind' | 'properties' | 'attributes'>;

/**
 * The parameters of a list that hold keys of its items, such as `starting_after`. They are no cursors where the response
 * has no place from which a client could take one: all that it sees are the items. Where it has one, their name or
 * description must say that an item is meant.
 *
 * @param response - where the items stand in the response
 */
export function anchorsOf(
  { parameters, responses }: Operation,
  resource: Listed,
  view: SchemaView,
  response: BodyShape | undefined,
): ReadonlyMap<Parameter, KeyAnchor> {
  const found = new Map<Parameter, KeyAnchor>();
  if (response === undefined || !showsKeys(resource, response)) return found;
  const told = nextKeySchema(response, view);
  for (const parameter of parameters) {
    const isFirst = isOfSchema(parameter, told, view) || isFirstOfPage(parameter);
    const anchor = isFirst ? 'from' : anchorOf(parameter, resource, view);
    if (anchor !== undefined) found.set(parameter, anchor);
  }
  if (found.size === 0 || ![...found.keys()].every(mayBeCursor)) return found;
  const leadsOn =
    response.pageProperties.some(({ role }) => role === 'next-cursor' || role === 'next-link') ||
    [...responses].some(
      ([status, { headers }]) => status.startsWith('2') && [...headers.keys()].some(isNextPageHeader),
    );
  return leadsOn ? new Map() : found;
}

/** Where a page tells the key of the item with which the next one begins; it is sent back as it is. */
function nextKeySchema({ pageProperties, body }: BodyShape, view: SchemaView): Schema | undefined {
  const next = pageProperties.find(({ role }) => role === 'next-key');
  return next && view.along(body, next.path);
}

function isOfSchema({ schema }: Parameter, told: Schema | undefined, view: SchemaView): boolean {
  return told !== undefined && view.unwrap(schema)?.pointer === told.pointer;
}

/** "Start the result set from the item with the given ID": the item with which the page begins. */
function isFirstOfPage({ in: place, description = '' }: Parameter): boolean {
  return place === 'query' && FIRST_WORDS.test(description);
}

function showsKeys({ key, kind }: Listed, { form }: BodyShape): boolean {
  return kind === 'collection' && (!key.isHidden || form === 'map');
}

function anchorOf(parameter: Parameter, resource: Listed, view: SchemaView): KeyAnchor | undefined {
  const folded = wordsOf(parameter.name).join('');
  const anchor = ANCHOR_NAMES.find(([pattern]) => pattern.test(folded))?.[1];
  if (anchor === undefined || parameter.in !== 'query' || isCursorOnly(parameter)) return undefined;
  const { properties, attributes } = resource;
  const isProperty = [...properties.keys(), ...attributes.keys()].some((name) => foldedName(name) === folded);
  if (isProperty || !fitsKey(parameter, resource, view)) return undefined;
  return isTimeParameter(parameter, resource, view) ? undefined : anchor;
}

/** Every key can be written as a text; only numbers as a number. */
function fitsKey(parameter: Parameter, { key, properties }: Listed, view: SchemaView): boolean {
  const schema = view.unwrap(parameter.schema)?.value ?? {};
  const [sent, format] = [typesOf(schema), schema['format']];
  if (sent.length === 0) return schema['anyOf'] === undefined && schema['oneOf'] === undefined;
  if (sent.includes('string')) return format !== 'date-time' && format !== 'date';
  const property = properties.get(key.name);
  const stored = typesOf((property && view.schemaOf(property)?.value) ?? {});
  const isNumeric = (type: string): boolean => type === 'integer' || type === 'number';
  return sent.some(isNumeric) && (stored.length === 0 || stored.some(isNumeric));
}

/** `before=1700000000` of items that have the time at which they were made. */
function isTimeParameter(parameter: Parameter, { properties }: Listed, view: SchemaView): boolean {
  const { name, description = '' } = parameter;
  if (KEY_NAMES.test(wordsOf(name).join('')) || KEY_WORDS.test(description)) return false;
  if (TIME_WORDS.test(description)) return true;
  const isText = typesOf(view.unwrap(parameter.schema)?.value ?? {}).includes('string');
  return !isText && !('reason' in filterOf(parameter, properties, view, ''));
}

/** Is it a cursor, if the response tells one? */
function mayBeCursor({ name, description = '' }: Parameter): boolean {
  if (KEY_NAMES.test(wordsOf(name).join(''))) return false;
  return !KEY_WORDS.test(description) || CURSOR_WORDS.test(description);
}

/** Is it described as a cursor that only a response can give? "A cursor: the ID of an object" is a key. */
function isCursorOnly({ name, description = '' }: Parameter): boolean {
  if (KEY_NAMES.test(wordsOf(name).join(''))) return false;
  return OPAQUE_WORDS.test(description) || (/\bcursor\b/i.test(description) && !KEY_WORDS.test(description));
}

function isNextPageHeader(header: string): boolean {
  const folded = wordsOf(header).join('');
  return LIST_CONVENTIONS.some(({ nextHeaders }) => nextHeaders?.test(folded));
}

/** A query parameter, and the property of items that it says. */
interface QueryProperty {
  readonly parameter: string;
  readonly name: string;
}

/** Query parameters of a write that items have as properties, and that do nothing else. */
export function propertiesInQuery(
  { method, parameters }: Pick<Operation, 'method' | 'parameters'>,
  properties: ReadonlyMap<string, Property>,
  keyProperty?: string,
): QueryProperty[] {
  if (method === 'GET' || method === 'DELETE') return [];
  return parameters.flatMap((parameter) => {
    const property = parameter.in === 'query' ? propertyNamed(properties, parameter.name) : undefined;
    const isProperty = property !== undefined && !property.readOnly && roleOf(parameter, true) === undefined;
    // The number of a version is not the object that items have of it.
    const isHeld = property === undefined || mayBeOfOneType(parameter.schema?.value ?? {}, property.schema);
    return isProperty && isHeld && property.name !== keyProperty
      ? [{ parameter: parameter.name, name: property.name }]
      : [];
  });
}

function mayBeOfOneType(left: SchemaObject, right: SchemaObject): boolean {
  const [own, other] = [typesOf(left), typesOf(right)];
  const isNumber = (type: string): boolean => type === 'integer' || type === 'number';
  const fits = (type: string): boolean => other.includes(type) || (isNumber(type) && other.some(isNumber));
  return own.length === 0 || other.length === 0 || own.some(fits);
}

/** By its name, whatever the case: `?name=` and `Name`. */
function propertyNamed(properties: ReadonlyMap<string, Property>, name: string): Property | undefined {
  const own = properties.get(name);
  if (own !== undefined) return own;
  const alike = [...properties.values()].filter((each) => each.name.toLowerCase() === name.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}

import type { Parameter, Property, Schema } from '../openapi/model/operation';
import { foldedName, singular, wordsOf } from '../core/text/inflection';
import type { FilterBounds, ListFilter, NoFilter, RangeOperator } from './list-model';
import { typesOf, type SchemaView } from '../openapi/view/schema-view';

type Operator = ListFilter['operator'];

/** Words before or after a property's name that make a range of it. */
const RANGES: Readonly<Record<string, RangeOperator | 'equal' | 'prefix' | 'part'>> = {
  min: 'at-least',
  minimum: 'at-least',
  gte: 'at-least',
  ge: 'at-least',
  from: 'at-least',
  since: 'at-least',
  max: 'at-most',
  maximum: 'at-most',
  lte: 'at-most',
  le: 'at-most',
  to: 'at-most',
  until: 'at-most',
  gt: 'more-than',
  after: 'more-than',
  lt: 'less-than',
  before: 'less-than',
  startswith: 'prefix',
  prefix: 'prefix',
  like: 'part',
  contains: 'part',
  containing: 'part',
  eq: 'equal',
  in: 'equal',
};
/** Words before the name of a truth value that leave out the items of which it is true, or take them in. */
const FLAG_PREFIXES: Readonly<Record<string, 'unless' | 'include'>> = {
  exclude: 'unless',
  without: 'unless',
  hide: 'unless',
  include: 'include',
  with: 'include',
  show: 'include',
};
/** Words around a property's name that change nothing. */
const NEUTRAL_WORDS = new Set(['filter', 'filters', 'by', 'where']);
/** What is said of a parameter that chooses what is shown of each item, and none of the items. */
const SHOWS_FIELDS = /\bwhether to (?:include|show|return|add)\b[^.]{0,60}\b(?:fields?|properties|attributes)\b/i;
/** What is said of a parameter that takes items in beside the others. */
const SHOWS_MORE =
  /\b(?:returned|included|shown|listed)\b[^.]{0,20}\b(?:as well|also|too)\b|\b(?:also|additionally) (?:return|includ|show|list)/i;
/** Properties that times are often called by: `created_after` means `createdAt`. */
const TIME_ENDINGS = ['', 'at', 'on', 'date', 'time', 'datetime', 'timestamp'];
/** Properties that a bound without a name is one of. */
const ANY_TIME = ['updated', 'created', 'date', 'timestamp', 'time'];
/** Properties by which an embedded object is chosen. */
const NESTED_KEYS = ['id', 'gid', 'sid', 'uuid', 'key', 'code', 'slug', 'login', 'username', 'name'];

/** What is said of a parameter whose value may be a part of a text. */
const SAYS_PART = /\b(?:contain(?:s|ing)?|substrings?|partial(?:ly)?|(?:case-insensitive )?like)\b/i;

/** What a parameter asks of the items, or why it asks nothing. */
export function filterOf(
  parameter: Parameter,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
  thing: string,
): ListFilter | NoFilter {
  if (SHOWS_FIELDS.test(parameter.description ?? '')) return { reason: 'it chooses what is shown of each item' };
  const range = boundsOf(parameter, view);
  if (range === undefined && typesOf(parameter.schema?.value ?? {}).includes('object'))
    return { reason: 'its value is an object, which is compared with nothing' };
  if (range === undefined) return namedFilter(parameter, properties, view, thing);
  const [bound] = range.properties;
  // Where nothing but bounds can be sent, what is compared with the property is one of them.
  const compared = range.isOnly && bound !== undefined ? { ...parameter, schema: view.schemaOf(bound) } : parameter;
  const found = namedFilter(compared, properties, view, thing);
  return 'reason' in found ? found : boundedFilter({ ...found, parameter }, range, properties, view);
}

function namedFilter(
  parameter: Parameter,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
  thing: string,
): ListFilter | NoFilter {
  const exact = properties.get(parameter.name);
  if (exact !== undefined) return takesIn(parameter, exact) ?? filterBy(parameter, exact, view, 'equal');
  const words = meantWords(parameter);
  const name = words.map((word, index) => (index === words.length - 1 ? singular(word) : word)).join('');
  const same = propertyNamed(properties, [foldedName(parameter.name), name]) ?? listOf(name, properties, view);
  if (same !== undefined) return filterBy(parameter, same, view, 'equal');
  const ranged = rangeOf(words, parameter, properties);
  if (ranged !== undefined) return filterBy(parameter, ranged.property, view, asSaid(ranged.operator, parameter));
  const other =
    flagFilter(parameter, words, properties) ??
    filterByName(parameter, thing, properties, view) ??
    filterByOwner(parameter, words, name, properties, view);
  if (other !== undefined) return other;
  const lack = 'no property of this name, and none that it is a range of';
  return { reason: `${thing} has ${lack}`, group: `the items have ${lack}` };
}

/** `email` of `filter[email]` and `by_email`. */
function meantWords({ name }: Parameter): string[] {
  return wordsOf(name).filter((word) => !NEUTRAL_WORDS.has(word));
}

/** `email`, where items have a list of `emails`. */
function listOf(name: string, properties: ReadonlyMap<string, Property>, view: SchemaView): Property | undefined {
  return [...properties.values()].find((property) => {
    const schema = view.schemaOf(property);
    return foldedName(singular(property.name)) === name && schema !== undefined && view.items(schema) !== undefined;
  });
}

/** `ownerId` where the owner is embedded, and `project` where the objects of a list have it. */
function filterByOwner(
  parameter: Parameter,
  words: readonly string[],
  name: string,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): ListFilter | NoFilter | undefined {
  const isOfKey = NESTED_KEYS.includes(singular(words.at(-1) ?? ''));
  const base = isOfKey ? words.slice(0, -1).join('') : undefined;
  const owner = base === undefined ? undefined : propertyNamed(properties, [base]);
  return owner === undefined
    ? filterInArray(parameter, base ?? name, properties, view)
    : filterBy(parameter, owner, view, 'equal');
}

/** `org` of organizations, which is said to be the name of one. */
function filterByName(
  parameter: Parameter,
  thing: string,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): ListFilter | NoFilter | undefined {
  const { name, description = '' } = parameter;
  const isThing = name.length > 2 && foldedName(thing).startsWith(foldedName(name));
  const own = isThing && /\bname\b/i.test(description) ? propertyNamed(properties, ['name']) : undefined;
  return own && filterBy(parameter, own, view, 'equal');
}

/** `project`, where items have it in the objects of a list: `memberships: [{ project: { id } }]`. */
function filterInArray(
  parameter: Parameter,
  name: string,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): ListFilter | undefined {
  for (const holder of properties.values()) {
    const schema = view.schemaOf(holder);
    const row = schema === undefined ? undefined : view.items(schema);
    const inner = row === undefined ? undefined : propertyNamed(view.properties(row), [name]);
    const found = inner === undefined ? undefined : filterBy(parameter, inner, view, 'equal');
    if (inner === undefined || found === undefined || 'reason' in found || found.innerPath.length === 0) continue;
    return { ...found, property: holder.name, innerPath: [inner.name, ...found.innerPath], operator: 'contains' };
  }
  return undefined;
}

/** Those properties of a value that is an object that are bounds: `gte` and `lt` of `created[gte]=50&created[lt]=60`. */
interface Bounds extends FilterBounds {
  readonly properties: readonly Property[];
}

/** @returns `undefined` where no branch of the schema is an object with bounds */
function boundsOf(parameter: Parameter, view: SchemaView): Bounds | undefined {
  const schema = view.unwrap(parameter.schema);
  if (schema === undefined) return undefined;
  const branches = view.alternatives(schema);
  const object = (branches.length === 0 ? [schema] : branches).find((branch) => view.properties(branch).size > 0);
  if (object === undefined) return undefined;
  const operators = new Map<string, RangeOperator | 'equal'>();
  const properties: Property[] = [];
  for (const [name, property] of view.properties(object)) {
    const word = wordsOf(name).join('');
    const operator = Object.hasOwn(RANGES, word) ? RANGES[word] : undefined;
    if (operator === undefined || operator === 'prefix' || operator === 'part') continue;
    operators.set(name, operator);
    properties.push(property);
  }
  const isOnly = branches.every((branch) => view.isObject(branch));
  return operators.size === 0 ? undefined : { operators, isOnly, properties };
}

/** A filter by one value, which bounds may stand for as well where its property has an order. */
function boundedFilter(
  filter: ListFilter,
  { operators, isOnly, properties }: Bounds,
  members: ReadonlyMap<string, Property>,
  view: SchemaView,
): ListFilter | NoFilter {
  const property = filter.innerPath.length === 0 ? members.get(filter.property) : undefined;
  const schema = property === undefined ? undefined : view.schemaOf(property)?.value;
  const isFitting =
    schema !== undefined &&
    isOrdered({ schema }) &&
    properties.some((bound) => areComparable(typesOf(bound.schema), typesOf(schema)));
  if (isFitting) return { ...filter, bounds: { operators, isOnly } };
  if (!isOnly) return filter;
  return { reason: `the property "${filter.property}" has no order in which its bounds could stand` };
}

/** `exclude_archived`, where items have a truth value `archived` or `is_archived`. */
function flagFilter(
  parameter: Parameter,
  words: readonly string[],
  properties: ReadonlyMap<string, Property>,
): ListFilter | undefined {
  const [mark = '', ...rest] = words;
  const operator = Object.hasOwn(FLAG_PREFIXES, mark) ? FLAG_PREFIXES[mark] : undefined;
  const name = rest.join('');
  const property = operator === undefined ? undefined : propertyNamed(properties, [name, `is${name}`]);
  const areTruthValues = [parameter.schema?.value, property?.schema].every((each) => isBoolean(each));
  if (operator === undefined || property === undefined || !areTruthValues)
    return oppositeFilter(parameter, words.join(''), properties);
  return { parameter, property: property.name, innerPath: [], operator, bounds: undefined };
}

/** `inactive`, where items have a truth value `active`; a text may say true and false as well. */
function oppositeFilter(
  parameter: Parameter,
  name: string,
  properties: ReadonlyMap<string, Property>,
): ListFilter | undefined {
  const [, base] = /^(?:in|un|dis|non)(.+)$/.exec(name) ?? [];
  const property = base === undefined ? undefined : propertyNamed(properties, [base, `is${base}`, `en${base}`]);
  const isSayable = typesOf(parameter.schema?.value ?? {}).some((type) => type === 'boolean' || type === 'string');
  if (property === undefined || !isSayable || !isBoolean(property.schema)) return undefined;
  return { parameter, property: property.name, innerPath: [], operator: 'not', bounds: undefined };
}

/** A truth value that is said to show items beside the others. */
function takesIn(parameter: Parameter, property: Property): ListFilter | undefined {
  const areTruthValues = isBoolean(parameter.schema?.value) && isBoolean(property.schema);
  if (!areTruthValues || !SHOWS_MORE.test(parameter.description ?? '')) return undefined;
  return { parameter, property: property.name, innerPath: [], operator: 'include', bounds: undefined };
}

function isBoolean(schema: Property['schema'] | undefined): boolean {
  return schema !== undefined && typesOf(schema).includes('boolean');
}

function propertyNamed(properties: ReadonlyMap<string, Property>, names: readonly string[]): Property | undefined {
  return [...properties.values()].find((property) => names.includes(foldedName(property.name)));
}

const BOUND_WORDS = {
  up: {
    in: /\bat least\b|\bor (?:equal|more|later|newer|greater|higher|above)\b|\bon or after\b|\binclu(?:sive|ding)\b|\bnot (?:before|less|earlier)\b/i,
    out: /\bafter\b|\blater than\b|\b(?:more|greater|higher|newer) than\b|\babove\b|\bexclusive\b/i,
  },
  down: {
    in: /\bat most\b|\bor (?:equal|less|fewer|earlier|older|lower|below)\b|\bon or before\b|\bup to\b|\binclu(?:sive|ding)\b|\bnot (?:after|more|later)\b/i,
    out: /\bbefore\b|\bearlier than\b|\b(?:less|fewer|lower|older) than\b|\bbelow\b|\bexclusive\b/i,
  },
};

/** Says a text that a bound belongs to what it leaves in? `undefined` where it says nothing of that. */
export function saysInclusive(text: string, isUpward: boolean): boolean | undefined {
  const words = BOUND_WORDS[isUpward ? 'up' : 'down'];
  return words.in.test(text) ? true : words.out.test(text) ? false : undefined;
}

/** What words say of the bound itself goes before what its name may mean. */
function asSaid(operator: Operator, { description = '' }: Parameter): Operator {
  if (operator === 'at-least' || operator === 'more-than') {
    const said = saysInclusive(description, true);
    return said === undefined ? operator : said ? 'at-least' : 'more-than';
  }
  if (operator !== 'at-most' && operator !== 'less-than') return operator;
  const said = saysInclusive(description, false);
  return said === undefined ? operator : said ? 'at-most' : 'less-than';
}

/** The one time of an item that is not that of its making or change, where the words of a bound without a name have it. */
function timeSaid(
  { description = '', schema }: Parameter,
  properties: ReadonlyMap<string, Property>,
): readonly string[] {
  const isTime = (format: unknown): boolean => format === 'date' || format === 'date-time';
  const times = [...properties.values()].filter(
    ({ name, schema: { format } }) => isTime(format) && !/^(?:created?|updated?|modified)/i.test(name),
  );
  const [name = '', ...others] = times.map((each) => each.name);
  const [stem = ''] = wordsOf(name);
  const isSaid = wordsOf(description).includes(stem) && isTime(schema?.value['format']);
  return isSaid && others.length === 0 ? [foldedName(name)] : [];
}

/** Folded names of what a bound may be one of. */
function boundedNames(
  rest: readonly string[],
  parameter: Parameter,
  properties: ReadonlyMap<string, Property>,
): readonly string[] {
  const base = rest.length === 0 ? ANY_TIME : [rest.join(''), foldedName(rest.join('_'))];
  const said = rest.length === 0 ? timeSaid(parameter, properties) : [];
  return [...said, ...base.flatMap((stem) => TIME_ENDINGS.map((ending) => `${stem}${ending}`))];
}

function rangeOf(
  words: readonly string[],
  parameter: Parameter,
  properties: ReadonlyMap<string, Property>,
): { readonly property: Property; readonly operator: Operator } | undefined {
  const [first = '', last = ''] = [words[0], words.at(-1)];
  for (const [mark, rest] of [
    [first, words.slice(1)],
    [last, words.slice(0, -1)],
  ] as const) {
    const operator = Object.hasOwn(RANGES, mark) ? RANGES[mark] : undefined;
    if (operator === undefined) continue;
    for (const name of boundedNames(rest, parameter, properties)) {
      const property = propertyNamed(properties, [name]);
      if (property !== undefined && (UNORDERED.has(operator) || isOrdered(property))) return { property, operator };
    }
  }
  return undefined;
}

const UNORDERED: ReadonlySet<Operator> = new Set(['prefix', 'part', 'equal']);

function isOrdered({ schema }: Pick<Property, 'schema'>): boolean {
  const types = typesOf(schema);
  if (types.includes('integer') || types.includes('number')) return true;
  return (
    types.includes('string') &&
    ['date', 'date-time', 'time'].includes(typeof schema['format'] === 'string' ? schema['format'] : '')
  );
}

function filterBy(
  parameter: Parameter,
  property: Property,
  view: SchemaView,
  operator: Operator,
): ListFilter | NoFilter {
  const { name: member } = property;
  const schema = view.schemaOf(property);
  const items = schema === undefined ? undefined : view.items(schema);
  const compared = items ?? schema;
  const isList = items !== undefined;
  if (compared !== undefined && view.properties(compared).size > 0) {
    const members = view.properties(compared);
    // `domain` of `domains` before their `id`.
    const own = propertyNamed(members, [meantWords(parameter).join('')]);
    const inner = [own, ...NESTED_KEYS.map((name) => members.get(name))].find(
      (candidate) => candidate !== undefined && canEqual(parameter, candidate.schema),
    );
    if (inner === undefined)
      return { reason: `the property "${member}" is an object in which nothing can be compared with it` };
    return {
      parameter,
      property: member,
      innerPath: [inner.name],
      operator: isList ? 'contains' : operator,
      bounds: undefined,
    };
  }
  if (compared !== undefined && !canEqual(parameter, compared.value) && !isWrittenNumber(parameter, compared))
    return { reason: `it has another type than the property "${member}"` };
  return {
    parameter,
    property: member,
    innerPath: [],
    operator: operatorFor(operator, parameter, compared, isList),
    bounds: undefined,
  };
}

function operatorFor(
  operator: Operator,
  { description = '' }: Parameter,
  compared: Schema | undefined,
  isList: boolean,
): Operator {
  if (isList) return operator === 'equal' ? 'contains' : operator;
  const { type, format, enum: words } = compared?.value ?? {};
  const isFreeText = type === 'string' && format === undefined && words === undefined;
  return operator === 'equal' && isFreeText && SAYS_PART.test(description) ? 'part' : operator;
}

/** Can a value of the parameter ever equal one of the schema? */
function canEqual({ schema, items }: Parameter, other: Property['schema']): boolean {
  const words = schema?.value['enum'];
  const isFlag = Array.isArray(words) && words.every((word) => word === 'true' || word === 'false');
  const sent = isFlag ? ['boolean'] : typesOf(items ?? schema?.value ?? {});
  return areComparable(sent, typesOf(other));
}

/** Is a number asked for by a parameter that is any text? */
function isWrittenNumber({ schema, items }: Parameter, { value }: Schema): boolean {
  const sent = items ?? schema?.value ?? {};
  const isNumber = typesOf(value).some((type) => type === 'integer' || type === 'number');
  return isNumber && typesOf(sent).includes('string') && sent['format'] === undefined && sent['enum'] === undefined;
}

function areComparable(sent: readonly string[], stored: readonly string[]): boolean {
  if (sent.length === 0 || stored.length === 0) return true;
  const numeric = (types: readonly string[]): boolean => types.includes('integer') || types.includes('number');
  return sent.some((type) => stored.includes(type)) || (numeric(sent) && numeric(stored));
}

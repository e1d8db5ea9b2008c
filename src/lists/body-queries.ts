import { wordsOf } from '../core/text/inflection';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation, Parameter, Property, Schema } from '../openapi/model/operation';
import { textShape } from '../openapi/parameters/text-shape';
import { requestSchema } from '../openapi/view/operation-bodies';
import { isScalar, type SchemaView } from '../openapi/view/schema-view';

/** What a condition asks of the value of a field. `none-of` and the other opposites hold where the field is not there. */
export type Comparison =
  | 'equal'
  | 'not-equal'
  | 'one-of'
  | 'none-of'
  | 'more-than'
  | 'at-least'
  | 'less-than'
  | 'at-most'
  | 'contains'
  | 'contains-not'
  | 'begins'
  | 'ends'
  | 'there'
  | 'absent';

/** How several conditions are put together. */
export type Connective = 'all' | 'any' | 'none';

/**
 * The names of the properties that conditions are written with: `{ field, operator, value }`, alone, in lists, or put together
 * by `{ operator: AND, value: [] }`; or `{ key, match: { value }, range: { gt } }`, put together by `{ must: [] }`.
 */
export interface ConditionForm {
  readonly field: string;
  /** Holds the word of the comparison; `undefined` where the comparisons are names of properties. */
  readonly operator: string | undefined;
  readonly values: readonly string[];
  /** Where several are put together by a word: the properties that hold the word and the list. */
  readonly joined: { readonly operator: string; readonly list: string } | undefined;
  /** Property of a group that lists its conditions, `[{ filters: [] }]`: all of one group must hold. */
  readonly group: string | undefined;
}

const FIELD = /^(?:field|fieldname|fieldid|attribute|attributename|property|propertyname|key|column|columnname)$/;
const OPERATOR = /^(?:operator|op|operation|comparison|comparator|comparisonoperator|condition)$/;
const LISTS = /^(?:filter|condition|rule|clause)s$/;
const VALUES = /^(?:values?|operands?)$/;

/** Signs and words of comparisons, folded. */
const COMPARISONS: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ...each('equal', '=', '==', ':', 'eq', 'equal', 'equals', 'equalto', 'is', 'match', 'matches'),
  ...each(
    'not-equal',
    '!=',
    '<>',
    'ne',
    'neq',
    'noteq',
    'notequal',
    'notequals',
    'notequalto',
    'isnot',
    'doesnotequal',
  ),
  ...each('one-of', 'in', 'anyof', 'oneof', 'isanyof', 'isoneof'),
  ...each('none-of', 'nin', 'notin', 'notoneof', 'noneof', 'isnoneof'),
  ...each('more-than', '>', 'gt', 'greaterthan', 'greater', 'after', 'isafter'),
  ...each('at-least', '>=', 'gte', 'ge', 'greaterthanorequal', 'greaterthanorequals', 'greaterthanorequalto'),
  ...each('less-than', '<', 'lt', 'lessthan', 'less', 'lower', 'lowerthan', 'before', 'isbefore'),
  ...each('at-most', '<=', 'lte', 'le', 'lessthanorequal', 'lessthanorequals', 'lessthanorequalto'),
  ...each('contains', '~', 'contains', 'contain', 'includes', 'containstoken'),
  ...each('contains-not', '!~', 'notcontains', 'doesnotcontain', 'notcontain', 'notcontainstoken', 'excludes'),
  ...each('begins', '^', 'startswith', 'startwith', 'beginswith', 'prefix'),
  ...each('ends', '$', 'endswith', 'suffix'),
  ...each('there', 'exist', 'exists', 'isset', 'hasproperty', 'isnotnull', 'notnull', 'isnotempty', 'notempty'),
  ...each('absent', 'notexist', 'notexists', 'doesnotexist', 'isnotset', 'nothasproperty', 'isnull', 'isempty'),
]);
/** What stands in an object below the name of a match. */
const MATCHES: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ...each('equal', 'value'),
  ...each('one-of', 'any'),
  ...each('none-of', 'except'),
  ...each('contains', 'text'),
]);
const CONNECTIVES: ReadonlyMap<string, Connective> = new Map<string, Connective>([
  ...each('all', 'and', 'all', 'must', '&&'),
  ...each('any', 'or', 'any', 'should', '||'),
  ...each('none', 'not', 'none', 'nor', 'mustnot'),
]);
/** Objects of several comparisons. */
const HOLDS_COMPARISONS = /^(?:match|matches|range)$/;
/** So deep are conditions looked for in each other. */
const MAX_DEPTH = 6;

function each<Meaning extends string>(meaning: Meaning, ...words: string[]): [string, Meaning][] {
  return words.map((word) => [word, meaning]);
}

/** A sign stays as it is; a word is reported by its letters, `GREATER_THAN` as `greaterThan`. */
function folded(word: string): string {
  return /[A-Za-z]/.test(word) ? wordsOf(word).join('') : word;
}

/** The comparison that a sign or word means; `undefined` for one that is not known. */
export function comparisonOf(word: string): Comparison | undefined {
  return COMPARISONS.get(folded(word));
}

/** The comparison that a property of an object of comparisons means, `gt` in a range, `any` in a match. */
export function comparisonNamed(name: string): Comparison | undefined {
  return MATCHES.get(folded(name)) ?? comparisonOf(name);
}

/** Does a property of a condition hold an object of comparisons? */
export function holdsComparisons(name: string): boolean {
  return HOLDS_COMPARISONS.test(folded(name));
}

/** How a word puts conditions together; `undefined` for one that does not. */
export function connectiveOf(word: string): Connective | undefined {
  return CONNECTIVES.get(folded(word));
}

/**
 * How the conditions are written that a value may hold.
 *
 * @returns `undefined` where it holds none
 */
export function conditionForm(view: SchemaView, schema: Schema): ConditionForm | undefined {
  return view.memoize(`conditions ${schema.pointer}`, () => {
    const found: FoundForms = { leaf: undefined, joined: undefined, group: undefined };
    search(view, schema, found, new Set(), 0);
    return found.leaf && { ...found.leaf, joined: found.joined, group: found.group };
  });
}

type LeafForm = Omit<ConditionForm, 'joined' | 'group'>;

interface FoundForms {
  leaf: LeafForm | undefined;
  joined: ConditionForm['joined'];
  group: ConditionForm['group'];
}

function search(view: SchemaView, schema: Schema, found: FoundForms, seen: Set<string>, depth: number): void {
  if (depth > MAX_DEPTH || seen.has(schema.pointer)) return;
  seen.add(schema.pointer);
  const inner = [view.items(schema), ...view.alternatives(schema)].filter((each) => each !== undefined);
  for (const each of inner) search(view, each, found, seen, depth + 1);
  if (inner.length > 0) return;
  const leaf = leafOf(view, schema);
  if (leaf === undefined)
    searchConnective(view, schema, found, (held) => {
      search(view, held, found, seen, depth + 1);
    });
  else {
    found.leaf ??= leaf;
    found.joined ??= joinedIn(view, schema, leaf);
  }
}

/** Looks in what puts conditions together: properties by whose names it does, or the list beside the word for it. */
function searchConnective(view: SchemaView, schema: Schema, found: FoundForms, lookIn: (held: Schema) => void): void {
  const properties = [...view.properties(schema).values()];
  const word = properties.find((each) => isOf(OPERATOR, each) && view.enumTexts(each).some(isConnective));
  const list = word && properties.find((member) => isOf(VALUES, member) || isOf(LISTS, member));
  if (word !== undefined && list !== undefined) found.joined ??= { operator: word.name, list: list.name };
  for (const member of list === undefined ? properties.filter(({ name }) => isConnective(name)) : [list]) {
    const held = view.schemaOf(member);
    if (held !== undefined) lookIn(held);
  }
  if (word === undefined && found.leaf === undefined) searchGroup(view, properties, found, lookIn);
}

/** Looks in the property of a group that lists its conditions. */
function searchGroup(
  view: SchemaView,
  properties: readonly Property[],
  found: FoundForms,
  lookIn: (held: Schema) => void,
): void {
  const group = properties.find((member) => isOf(LISTS, member));
  const held = group && view.schemaOf(group);
  if (held === undefined) return;
  lookIn(held);
  if (found.leaf !== undefined) found.group = group?.name;
}

/** A condition in whose place several may stand: `{ op: and, items: [] }`. */
function joinedIn(view: SchemaView, schema: Schema, { operator }: LeafForm): ConditionForm['joined'] {
  if (operator === undefined) return undefined;
  for (const property of view.properties(schema).values()) {
    const held = view.schemaOf(property);
    if (held !== undefined && view.items(held)?.pointer === schema.pointer) return { operator, list: property.name };
  }
  return undefined;
}

function isConnective(word: string): boolean {
  return connectiveOf(word) !== undefined;
}

function isOf(names: RegExp, { name }: Property): boolean {
  return names.test(folded(name));
}

function leafOf(view: SchemaView, schema: Schema): LeafForm | undefined {
  const properties = [...view.properties(schema).values()];
  const field = properties.find((property) => isOf(FIELD, property));
  if (field === undefined) return undefined;
  const values = properties.filter((member) => isOf(VALUES, member)).map(({ name }) => name);
  const operator = properties.find((member) => isOf(OPERATOR, member));
  if (operator !== undefined) {
    const words = view.enumTexts(operator);
    const isKnown = words.length === 0 || words.some((word) => comparisonOf(word) !== undefined);
    return values.length > 0 && isKnown ? { field: field.name, operator: operator.name, values } : undefined;
  }
  return properties.some((member) => comparesIn(view, member))
    ? { field: field.name, operator: undefined, values: [] }
    : undefined;
}

/** `match: { value }`, `range: { gt, lt }`. */
function comparesIn(view: SchemaView, property: Property): boolean {
  const held = holdsComparisons(property.name) ? view.schemaOf(property) : undefined;
  return held !== undefined && [...view.properties(held).keys()].some((name) => comparisonNamed(name) !== undefined);
}

/** Properties that are maps: names of fields may be those of entries, where items have no such property. */
export function mapsIn(view: SchemaView, properties: ReadonlyMap<string, Property>): string[] {
  return [...properties.values()].flatMap((property) => {
    const schema = view.schemaOf(property);
    const isMap = schema !== undefined && view.isObject(schema) && view.properties(schema).size === 0;
    return isMap ? [property.name] : [];
  });
}

/** Properties of a body that hold what is asked of a list. */
const HOLDERS =
  /^(?:options|pagination|paging|page|query|filters?|params|parameters|search|(?:search)?(?:criteria|request))$/i;

/** The same operation with the properties of its body as query parameters, and where each of them stands. */
interface ParametersInBody {
  readonly operation: Operation;
  /** Properties that lead from the body to the value, by the name of the parameter that it is. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
}

const NO_PATHS: ParametersInBody['paths'] = new Map();

/**
 * A list that is asked for with a body, such as `POST /things/search { limit, cursor, name }`, is asked as others are by
 * their query: by properties that are plain values or lists of them, in the body itself or in `options` and the like.
 */
export function parametersInBody(api: ApiModel, operation: Operation, view: SchemaView): ParametersInBody {
  const body = operation.method === 'GET' ? undefined : view.unwrap(requestSchema(operation));
  if (body === undefined) return { operation, paths: NO_PATHS };
  const taken = new Set(operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name));
  const paths = new Map<string, readonly string[]>();
  const parameters: Parameter[] = [];
  const shape = textShape(api.document, undefined);
  const add = (property: Property, path: readonly string[]): void => {
    const { name, pointer } = property;
    if (taken.has(name)) return;
    taken.add(name);
    paths.set(name, path);
    const schema = view.schemaOf(property);
    const items = schema === undefined ? undefined : view.items(schema)?.value;
    parameters.push({
      name,
      key: name,
      in: 'query',
      required: false,
      description: textOf(property.schema['description']) ?? textOf(schema?.value['description']),
      style: 'form',
      explode: false,
      pointer,
      schema,
      shape,
      contentType: undefined,
      encodings: new Map(),
      allowEmptyValue: false,
      defaultValue: schema?.value['default'],
      items,
    });
  };
  for (const property of view.properties(body).values()) {
    const inner = view.schemaOf(property);
    if (isParameterLike(property, view) || (inner !== undefined && conditionForm(view, inner) !== undefined))
      add(property, [property.name]);
    else if (inner !== undefined && HOLDERS.test(property.name))
      for (const each of view.properties(inner).values())
        if (isParameterLike(each, view)) add(each, [property.name, each.name]);
  }
  return { operation: { ...operation, parameters: [...operation.parameters, ...parameters] }, paths };
}

/** A plain value, or a list of them. */
function isParameterLike(property: Property, view: SchemaView): boolean {
  const schema = view.schemaOf(property);
  if (schema === undefined) return isScalar(property);
  const items = view.items(schema);
  const compared = items ?? schema;
  return view.properties(compared).size === 0 && !view.isObject(compared);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

import type { Property, Schema } from '../openapi/model';
import { wordsOf } from './inflection';
import type { SchemaReader } from './schema-reader';

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
 * The names of the members that conditions are written with: `{ field, operator, value }`, alone, in lists, or put together
 * by `{ operator: AND, value: [] }`; or `{ key, match: { value }, range: { gt } }`, put together by `{ must: [] }`.
 */
export interface ConditionForm {
  readonly field: string;
  /** Holds the word of the comparison; `undefined` where the comparisons are names of members. */
  readonly operator: string | undefined;
  readonly values: readonly string[];
  /** Where several are put together by a word: the members that hold the word and the list. */
  readonly joined: { readonly operator: string; readonly list: string } | undefined;
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
const DEEP = 6;

function each<Meaning extends string>(meaning: Meaning, ...words: string[]): [string, Meaning][] {
  return words.map((word) => [word, meaning]);
}

/** A sign stays as it is; a word is told by its letters, `GREATER_THAN` as `greaterThan`. */
function folded(word: string): string {
  return /[A-Za-z]/.test(word) ? wordsOf(word).join('') : word;
}

/** The comparison that a sign or word means; `undefined` for one that is not known. */
export function comparisonOf(word: string): Comparison | undefined {
  return COMPARISONS.get(folded(word));
}

/** The comparison that a member of an object of comparisons means, `gt` in a range, `any` in a match. */
export function comparisonNamed(name: string): Comparison | undefined {
  return MATCHES.get(folded(name)) ?? comparisonOf(name);
}

/** Does a member of a condition hold an object of comparisons? */
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
export function conditionForm(reader: SchemaReader, schema: Schema): ConditionForm | undefined {
  return reader.once(`conditions ${schema.pointer}`, () => {
    const found: Parts = { leaf: undefined, joined: undefined };
    look(reader, schema, found, new Set(), 0);
    return found.leaf && { ...found.leaf, joined: found.joined };
  });
}

type LeafForm = Omit<ConditionForm, 'joined'>;

interface Parts {
  leaf: LeafForm | undefined;
  joined: ConditionForm['joined'];
}

function look(reader: SchemaReader, schema: Schema, found: Parts, seen: Set<string>, depth: number): void {
  if (depth > DEEP || seen.has(schema.pointer)) return;
  seen.add(schema.pointer);
  const inner = [reader.items(schema), ...reader.choices(schema)].filter((each) => each !== undefined);
  for (const each of inner) look(reader, each, found, seen, depth + 1);
  if (inner.length > 0) return;
  const leaf = leafOf(reader, schema);
  if (leaf === undefined)
    lookBetween(reader, schema, found, (held) => {
      look(reader, held, found, seen, depth + 1);
    });
  else {
    found.leaf ??= leaf;
    found.joined ??= joinedIn(reader, schema, leaf);
  }
}

/** Looks in what puts conditions together: members by whose names it does, or the list beside the word for it. */
function lookBetween(reader: SchemaReader, schema: Schema, found: Parts, lookIn: (held: Schema) => void): void {
  const members = [...reader.members(schema).values()];
  const word = members.find((member) => isOf(OPERATOR, member) && wordsIn(reader, member).some(isConnective));
  const list = word && members.find((member) => isOf(VALUES, member) || isOf(LISTS, member));
  if (word !== undefined && list !== undefined) found.joined ??= { operator: word.name, list: list.name };
  for (const member of list === undefined ? members.filter(({ name }) => isConnective(name)) : [list]) {
    const held = reader.member(member);
    if (held !== undefined) lookIn(held);
  }
}

/** A condition in whose place several may stand: `{ op: and, items: [] }`. */
function joinedIn(reader: SchemaReader, schema: Schema, { operator }: LeafForm): ConditionForm['joined'] {
  if (operator === undefined) return undefined;
  for (const member of reader.members(schema).values()) {
    const held = reader.member(member);
    if (held !== undefined && reader.items(held)?.pointer === schema.pointer) return { operator, list: member.name };
  }
  return undefined;
}

function isConnective(word: string): boolean {
  return connectiveOf(word) !== undefined;
}

function isOf(names: RegExp, { name }: Property): boolean {
  return names.test(folded(name));
}

function leafOf(reader: SchemaReader, schema: Schema): LeafForm | undefined {
  const members = [...reader.members(schema).values()];
  const field = members.find((member) => isOf(FIELD, member));
  if (field === undefined) return undefined;
  const values = members.filter((member) => isOf(VALUES, member)).map(({ name }) => name);
  const operator = members.find((member) => isOf(OPERATOR, member));
  if (operator !== undefined) {
    const words = wordsIn(reader, operator);
    const isKnown = words.length === 0 || words.some((word) => comparisonOf(word) !== undefined);
    return values.length > 0 && isKnown ? { field: field.name, operator: operator.name, values } : undefined;
  }
  return members.some((member) => comparesIn(reader, member))
    ? { field: field.name, operator: undefined, values: [] }
    : undefined;
}

/** `match: { value }`, `range: { gt, lt }`. */
function comparesIn(reader: SchemaReader, member: Property): boolean {
  const held = holdsComparisons(member.name) ? reader.member(member) : undefined;
  return held !== undefined && [...reader.members(held).keys()].some((name) => comparisonNamed(name) !== undefined);
}

function wordsIn(reader: SchemaReader, property: Property): string[] {
  const words = reader.member(property)?.value['enum'];
  return Array.isArray(words) ? words.filter((word) => typeof word === 'string') : [];
}

/** Members that are maps: names of fields may be those of entries, where items have no such member. */
export function mapsIn(reader: SchemaReader, properties: ReadonlyMap<string, Property>): string[] {
  return [...properties.values()].flatMap((property) => {
    const schema = reader.member(property);
    const isMap = schema !== undefined && reader.isObject(schema) && reader.members(schema).size === 0;
    return isMap ? [property.name] : [];
  });
}

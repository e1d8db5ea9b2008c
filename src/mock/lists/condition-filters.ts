import { compareNumbers, isJsonNumber } from '../../core/json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import {
  type Comparison,
  comparisonNamed,
  comparisonOf,
  type ConditionForm,
  type Connective,
  connectiveOf,
  holdsComparisons,
} from '../../lists/body-queries';
import { foldedName, wordsOf } from '../../core/text/inflection';
import type { ListConditions, RangeOperator } from '../../lists/list-model';
import { parseRfc3339 } from '../../core/time/date-time';
import { attributeAddress, coerceKey, type Item, valueAt } from '../state/item';
import { linkedKeys } from '../state/linkage';
import type { Resource } from '../state/prepared-resource';

export type Test = (item: Item) => boolean;
type ReadField = (item: Item) => readonly JsonValue[];
type Written = Pick<ListConditions, 'form' | 'mapProperties'>;
export type ReportIgnored = (message: string) => void;

/** So many conditions of one request are looked at. */
const MOST = 500;
/** So deep may conditions lie in each other. */
const DEEP = 20;
const MAX_NAME_LENGTH = 100;

/**
 * What items must be for the conditions that were sent to hold.
 *
 * @param tell - is reported of each condition that is not looked at, and why: it excludes no item
 * @returns `undefined` where every item will do
 */
export function conditionTest(
  sent: JsonValue,
  written: Written,
  resource: Resource,
  tell: ReportIgnored,
): Test | undefined {
  return new ConditionReader(written, resource, tell).read(sent);
}

class ConditionReader {
  private count = 0;
  private readonly fields = new Map<string, ReadField | undefined>();

  private readonly form: ConditionForm;
  private readonly maps: readonly string[];
  private readonly resource: Resource;
  private readonly tell: ReportIgnored;

  constructor({ form, mapProperties }: Written, resource: Resource, tell: ReportIgnored) {
    this.form = form;
    this.maps = mapProperties;
    this.resource = resource;
    this.tell = tell;
  }

  read(sent: JsonValue | undefined, depth = 0): Test | undefined {
    if (depth > DEEP) {
      this.tell(`what lies more than ${DEEP} levels deep is not looked at, so that it excludes no item`);
      return undefined;
    }
    if (Array.isArray(sent)) return joined(this.areGroups(sent) ? 'any' : 'all', this.readAll(sent, depth));
    if (!isJsonObject(sent)) return undefined;
    const { joined: word } = this.form;
    const how = word === undefined ? undefined : connectiveIn(ownProperty(sent, word.operator));
    if (word !== undefined && how !== undefined) return joined(how, this.readAll(ownProperty(sent, word.list), depth));
    const field = ownProperty(sent, this.form.field);
    if (typeof field === 'string') return this.readField(sent, field);
    if (this.isGroup(sent)) return joined('all', this.readAll(ownProperty(sent, this.form.group ?? ''), depth));
    const parts = Object.entries(sent).flatMap(([name, value]) => {
      const connective = value === null ? undefined : connectiveOf(name);
      return connective === undefined ? [] : (joined(connective, this.readAll(value, depth)) ?? []);
    });
    return joined('all', parts);
  }

  /** Groups beside each other are alternatives: if all had to hold, one group would do. */
  private areGroups(sent: readonly JsonValue[]): boolean {
    return sent.length > 0 && sent.every((each) => this.isGroup(each));
  }

  private isGroup(sent: JsonValue): boolean {
    const { group } = this.form;
    return group !== undefined && isJsonObject(sent) && ownProperty(sent, group) !== undefined;
  }

  private readAll(sent: JsonValue | undefined, depth: number): (Test | undefined)[] {
    const list: readonly (JsonValue | undefined)[] = Array.isArray(sent) ? sent : [sent];
    return list.map((each) => this.read(each, depth + 1));
  }

  private readField(sent: JsonObject, field: string): Test | undefined {
    this.count++;
    if (this.count > MOST) {
      if (this.count === MOST + 1) this.tell(`no more than ${MOST} conditions are looked at`);
      return undefined;
    }
    const shown = field.slice(0, MAX_NAME_LENGTH);
    if (!this.fields.has(field)) this.fields.set(field, readerOf(field, this.maps, this.resource));
    const read = this.fields.get(field);
    if (read === undefined) {
      this.tell(`items of ${this.resource.path} have no "${shown}", so that it excludes no item`);
      return undefined;
    }
    const asked = this.form.operator === undefined ? comparisonsByName(sent) : comparisonByOperator(sent, this.form);
    if (asked.length === 0) this.tell(`what is asked of "${shown}" is not known, so that it excludes no item`);
    const tests = asked.map((each): Test => {
      const holds = holdsOf(each);
      return (item) => holds(read(item));
    });
    return joined('all', tests);
  }
}

function connectiveIn(word: JsonValue | undefined): Connective | undefined {
  return typeof word === 'string' ? connectiveOf(word) : undefined;
}

/** @returns `undefined` where nothing is asked, which excludes no item */
export function joined(how: Connective, parts: readonly (Test | undefined)[]): Test | undefined {
  const tests = parts.filter((part) => part !== undefined);
  // What excludes no item lets every item through where one of several conditions is enough.
  if (how === 'any' && tests.length < parts.length) return undefined;
  const [only] = tests;
  if (only === undefined || (tests.length === 1 && how !== 'none')) return only;
  switch (how) {
    case 'all':
      return (item) => tests.every((test) => test(item));
    case 'any':
      return (item) => tests.some((test) => test(item));
    case 'none':
      return (item) => !tests.some((test) => test(item));
  }
}

interface RequestedComparison {
  readonly comparison: Comparison;
  readonly value: JsonValue;
}

function comparisonByOperator(sent: JsonObject, { operator = '', values }: ConditionForm): RequestedComparison[] {
  const word = ownProperty(sent, operator) ?? '=';
  const comparison = typeof word === 'string' ? comparisonOf(word) : undefined;
  const value = values.map((name) => ownProperty(sent, name)).find((each) => each !== undefined);
  // `exists: false` asks for the opposite; many forms have texts alone.
  if (value === false || value === 'false') {
    if (comparison === 'there') return [{ comparison: 'absent', value }];
    if (comparison === 'absent') return [{ comparison: 'there', value }];
  }
  if (typeof word === 'string' && foldedName(word) === 'between') return between(sent, value);
  return comparison === undefined ? [] : [{ comparison, value: value ?? null }];
}

const UPPER = /^(?:high|upper|max|end|to)(?:value|bound|limit)?$/;

/** `{ value: 1, highValue: 9 }` or `{ values: [1, 9] }`. */
function between(sent: JsonObject, value: JsonValue | undefined): RequestedComparison[] {
  const upper = Object.entries(sent).find(([name]) => UPPER.test(foldedName(name)))?.[1];
  const bounds: readonly (JsonValue | undefined)[] = Array.isArray(value) ? value : [value, upper];
  const [low, high] = bounds;
  if (low === undefined || high === undefined) return [];
  return [
    { comparison: 'at-least', value: low },
    { comparison: 'at-most', value: high },
  ];
}

function comparisonsByName(sent: JsonObject): RequestedComparison[] {
  return Object.entries(sent).flatMap(([name, held]): RequestedComparison[] => {
    if (!holdsComparisons(name) || !isJsonObject(held)) return [];
    return Object.entries(held).flatMap(([inner, value]): RequestedComparison[] => {
      const comparison = value === null ? undefined : comparisonNamed(inner);
      return comparison === undefined ? [] : [{ comparison, value: value ?? null }];
    });
  });
}

/**
 * How the values of a field are read, each value of a list by itself: of the property of that name, in whatever case; along a
 * path of names, `home.port`; of the keys in what `owner_id` names; of an entry of a map.
 *
 * @returns `undefined` where items have no such field
 */
export function readerOf(field: string, maps: readonly string[], resource: Resource): ReadField | undefined {
  const { properties, hidden } = resource;
  const [first = field, ...rest] = properties.has(field) ? [field] : field.split('.');
  const named = (folded: string): string | undefined =>
    properties.has(first) ? first : [...properties.keys()].find((name) => foldedName(name) === folded);
  const own = named(foldedName(first));
  if (own !== undefined) return hidden.has(own) ? undefined : (item) => along(ownProperty(item, own), rest.join('.'));
  const [last, ...words] = [...wordsOf(first)].reverse();
  const holder =
    rest.length === 0 && /^ids?$/.test(last ?? '') ? named(foldedName(words.reverse().join('_'))) : undefined;
  if (holder !== undefined) return hidden.has(holder) ? undefined : (item) => keysIn(ownProperty(item, holder));
  const related = readerOfResourceObject(first, rest.join('.'), resource);
  if (related !== undefined) return related;
  return maps.length === 0 ? undefined : (item) => maps.flatMap((name) => along(ownProperty(item, name), field));
}

/** Of resource objects: an attribute, `ids` of their own, and `owner.id` or `owner_id` of what they are related to. */
function readerOfResourceObject(
  first: string,
  rest: string,
  { attributes, relationships, keyMember }: Resource,
): ReadField | undefined {
  const folded = foldedName(first);
  const attribute = [...attributes.keys()].find((name) => name === first || foldedName(name) === folded);
  if (attribute !== undefined) return (item) => along(valueAt(item, attributeAddress(attribute)), rest);
  if (attributes.size > 0 && folded === foldedName(keyMember))
    return (item) => along(ownProperty(item, keyMember), rest);
  const isKey = rest === '' || rest === 'id';
  const related = relationships.find(({ name }) => [name, `${name}_id`].some((each) => foldedName(each) === folded));
  return related === undefined || !isKey ? undefined : (item) => linkedKeys(item, related);
}

/** The keys of an object, or of those in a list or a page of them. */
function keysIn(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(keysIn);
  if (!isJsonObject(value)) return along(value, '');
  const key = ownProperty(value, 'id');
  return key === undefined ? Object.values(value).flatMap((each) => (Array.isArray(each) ? keysIn(each) : [])) : [key];
}

function along(value: JsonValue | undefined, path: string): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((each) => along(each, path));
  if (path === '') return [value];
  if (!isJsonObject(value)) return [];
  const whole = ownProperty(value, path);
  if (whole !== undefined) return along(whole, '');
  const dot = path.indexOf('.');
  return dot < 1 ? [] : along(ownProperty(value, path.slice(0, dot)), path.slice(dot + 1));
}

type Holds = (values: readonly JsonValue[]) => boolean;

export function holdsOf({ comparison, value: sent }: RequestedComparison): Holds {
  switch (comparison) {
    case 'equal':
    case 'one-of':
      return isOneOf(sent);
    case 'not-equal':
    case 'none-of':
      return not(isOneOf(sent));
    case 'contains':
      return textHolds(sent, (text, part) => text.includes(part));
    case 'contains-not':
      return not(textHolds(sent, (text, part) => text.includes(part)));
    case 'begins':
      return textHolds(sent, (text, part) => text.startsWith(part));
    case 'ends':
      return textHolds(sent, (text, part) => text.endsWith(part));
    case 'there':
      return ({ length }) => length > 0;
    case 'absent':
      return ({ length }) => length === 0;
    default:
      return (values) => values.some((value) => isWithin(comparison, orderOf(value, sent)));
  }
}

function not(holds: Holds): Holds {
  return (values) => !holds(values);
}

/** `"5"` is 5: texts are what many forms of conditions have. */
function isOneOf(sent: JsonValue): Holds {
  if (!Array.isArray(sent)) {
    const text = scalarText(sent);
    return (values) =>
      values.length === 0
        ? sent === null
        : values.some((value) => scalarText(value) === text || orderOf(value, sent) === 0);
  }
  const texts = new Set((sent as readonly JsonValue[]).map(scalarText));
  return (values) => values.some((value) => texts.has(scalarText(value)));
}

/** In whatever case, as a search is, unless the case is said to matter. */
export function textHolds(sent: JsonValue, found: (text: string, part: string) => boolean, isCaseExact = false): Holds {
  const folded = (value: JsonValue): string => (isCaseExact ? scalarText(value) : scalarText(value).toLowerCase());
  const part = folded(sent);
  return (values) => values.some((value) => found(folded(value), part));
}

/** Does a comparison hold of what a value is to a limit? Never where they have no order. */
export function isWithin(comparison: RangeOperator, order: number | undefined): boolean {
  if (order === undefined) return false;
  switch (comparison) {
    case 'more-than':
      return order > 0;
    case 'at-least':
      return order >= 0;
    case 'less-than':
      return order < 0;
    case 'at-most':
      return order <= 0;
  }
}

/** How a value stands to what was sent, as numbers, instants or texts; `undefined` where they have no order. */
function orderOf(value: JsonValue, sent: JsonValue): number | undefined {
  if (isJsonNumber(value)) {
    const number = typeof sent === 'string' ? coerceKey(sent, 'number') : sent;
    return isJsonNumber(number) ? compareNumbers(value, number) : undefined;
  }
  if (typeof value !== 'string' || typeof sent !== 'string') return undefined;
  const [own, other] = [parseRfc3339(value), parseRfc3339(sent)];
  if (own !== undefined && other !== undefined) return own - other;
  return value < sent ? -1 : Number(value > sent);
}

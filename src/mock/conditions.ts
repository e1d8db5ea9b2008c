import { compareNumbers, isJsonNumber } from '../json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { memberOf } from '../json/member';
import { scalarText } from '../json/scalar-text';
import { comparisonNamed, comparisonOf, connectiveOf, holdsComparisons } from '../resources/conditions';
import { foldedName, wordsOf } from '../resources/inflection';
import type { Comparison, ConditionForm, Connective } from '../resources/conditions';
import type { ListConditions } from '../resources/resource-model';
import { parseRfc3339 } from '../time/date-time';
import type { Item } from './item';
import { coerceKey } from './key';
import type { Resource } from './resource';

type Test = (item: Item) => boolean;
type ReadField = (item: Item) => readonly JsonValue[];
type Written = Pick<ListConditions, 'form' | 'maps'>;
type Tell = (message: string) => void;

/** So many conditions of one request are looked at. */
const MOST = 500;
/** So deep may conditions lie in each other. */
const DEEP = 20;
const LONGEST_TOLD = 100;

/**
 * What items must be for the conditions that were sent to hold.
 *
 * @param tell - is told of each condition that is not looked at, and why: it holds nobody back
 * @returns `undefined` where every item will do
 */
export function conditionTest(sent: JsonValue, written: Written, resource: Resource, tell: Tell): Test | undefined {
  return new ConditionReader(written, resource, tell).read(sent);
}

class ConditionReader {
  private count = 0;
  private readonly fields = new Map<string, ReadField | undefined>();

  private readonly form: ConditionForm;
  private readonly maps: readonly string[];
  private readonly resource: Resource;
  private readonly tell: Tell;

  constructor({ form, maps }: Written, resource: Resource, tell: Tell) {
    this.form = form;
    this.maps = maps;
    this.resource = resource;
    this.tell = tell;
  }

  read(sent: JsonValue | undefined, depth = 0): Test | undefined {
    if (depth > DEEP) {
      this.tell(`what lies more than ${DEEP} levels deep is not looked at, so that it holds nobody back`);
      return undefined;
    }
    if (Array.isArray(sent)) return joined('all', this.readAll(sent, depth));
    if (!isJsonObject(sent)) return undefined;
    const { joined: word } = this.form;
    const how = word === undefined ? undefined : connectiveIn(memberOf(sent, word.operator));
    if (word !== undefined && how !== undefined) return joined(how, this.readAll(memberOf(sent, word.list), depth));
    const field = memberOf(sent, this.form.field);
    if (typeof field === 'string') return this.readField(sent, field);
    const parts = Object.entries(sent).flatMap(([name, value]) => {
      const connective = value === null ? undefined : connectiveOf(name);
      return connective === undefined ? [] : (joined(connective, this.readAll(value, depth)) ?? []);
    });
    return joined('all', parts);
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
    const shown = field.slice(0, LONGEST_TOLD);
    if (!this.fields.has(field)) this.fields.set(field, readerOf(field, this.maps, this.resource));
    const read = this.fields.get(field);
    if (read === undefined) {
      this.tell(`items of ${this.resource.path} have no "${shown}", so that it holds nobody back`);
      return undefined;
    }
    const asked = this.form.operator === undefined ? askedByName(sent) : askedByWord(sent, this.form);
    if (asked.length === 0) this.tell(`what is asked of "${shown}" is not known, so that it holds nobody back`);
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

/** @returns `undefined` where nothing is asked, which holds nobody back */
function joined(how: Connective, parts: readonly (Test | undefined)[]): Test | undefined {
  const tests = parts.filter((part) => part !== undefined);
  // What holds nobody back lets everybody through where one of several conditions is enough.
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

interface Asked {
  readonly comparison: Comparison;
  readonly value: JsonValue;
}

function askedByWord(sent: JsonObject, { operator = '', values }: ConditionForm): Asked[] {
  const word = memberOf(sent, operator) ?? '=';
  const comparison = typeof word === 'string' ? comparisonOf(word) : undefined;
  const value = values.map((name) => memberOf(sent, name)).find((each) => each !== undefined);
  // `exists: false` asks for the opposite; many forms have texts alone.
  if (value === false || value === 'false') {
    if (comparison === 'there') return [{ comparison: 'absent', value }];
    if (comparison === 'absent') return [{ comparison: 'there', value }];
  }
  return comparison === undefined ? [] : [{ comparison, value: value ?? null }];
}

function askedByName(sent: JsonObject): Asked[] {
  return Object.entries(sent).flatMap(([name, held]): Asked[] => {
    if (!holdsComparisons(name) || !isJsonObject(held)) return [];
    return Object.entries(held).flatMap(([inner, value]): Asked[] => {
      const comparison = value === null ? undefined : comparisonNamed(inner);
      return comparison === undefined ? [] : [{ comparison, value: value ?? null }];
    });
  });
}

/**
 * How the values of a field are read, each value of a list by itself: of the member of that name, in whatever case; along a
 * path of names, `home.port`; of the keys in what `owner_id` names; of an entry of a map.
 *
 * @returns `undefined` where items have no such field
 */
function readerOf(field: string, maps: readonly string[], { properties, hidden }: Resource): ReadField | undefined {
  const [first = field, ...rest] = properties.has(field) ? [field] : field.split('.');
  const named = (folded: string): string | undefined =>
    properties.has(first) ? first : [...properties.keys()].find((name) => foldedName(name) === folded);
  const own = named(foldedName(first));
  if (own !== undefined) return hidden.has(own) ? undefined : (item) => along(memberOf(item, own), rest.join('.'));
  const [last, ...words] = [...wordsOf(first)].reverse();
  const holder =
    rest.length === 0 && /^ids?$/.test(last ?? '') ? named(foldedName(words.reverse().join('_'))) : undefined;
  if (holder !== undefined) return hidden.has(holder) ? undefined : (item) => keysIn(memberOf(item, holder));
  return maps.length === 0 ? undefined : (item) => maps.flatMap((name) => along(memberOf(item, name), field));
}

/** The keys of an object, or of those in a list or a page of them. */
function keysIn(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(keysIn);
  if (!isJsonObject(value)) return along(value, '');
  const key = memberOf(value, 'id');
  return key === undefined ? Object.values(value).flatMap((each) => (Array.isArray(each) ? keysIn(each) : [])) : [key];
}

function along(value: JsonValue | undefined, path: string): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((each) => along(each, path));
  if (path === '') return [value];
  if (!isJsonObject(value)) return [];
  const whole = memberOf(value, path);
  if (whole !== undefined) return along(whole, '');
  const dot = path.indexOf('.');
  return dot < 1 ? [] : along(memberOf(value, path.slice(0, dot)), path.slice(dot + 1));
}

type Holds = (values: readonly JsonValue[]) => boolean;

function holdsOf({ comparison, value: sent }: Asked): Holds {
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

/** In whatever case, as a search is. */
function textHolds(sent: JsonValue, found: (text: string, part: string) => boolean): Holds {
  const part = scalarText(sent).toLowerCase();
  return (values) => values.some((value) => found(scalarText(value).toLowerCase(), part));
}

function isWithin(
  comparison: Extract<Comparison, 'more-than' | 'at-least' | 'less-than' | 'at-most'>,
  order: number | undefined,
): boolean {
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

import { type JsonObject, type JsonValue, valueAlong } from '../core/json/json-value';
import { saysInclusive } from '../lists/filter-parameters';
import type { ListFilter } from '../lists/list-model';
import type { Binding } from '../resources/model/binding';
import { withArticle } from '../traffic/contract/names';
import { withValue } from './altered-bodies';
import { written } from './bodies';
import type { Draft } from './draft';
import { hasEntry, hasNoEntry, itemOf, longestPage } from './expectations';
import { ask } from './list-reads';
import { requestOf, type Subject } from './subject';
import type { Ingredients, MadeThing } from './thing';

/** More of them say nothing new. */
const MOST_RANGES = 3;

/**
 * Each bound that a list can be asked for, in words of the description, at three things whose values follow each other: by
 * the middle one of these one of the others is in the list and one is not, and that itself is or is not.
 */
export function addRanges(draft: Draft, subject: Subject, list: Binding): void {
  const ranged = list.parameters.filters.filter(
    (each) => each.innerPath.length === 0 && saidBy(each) !== undefined && comparesLike(subject, each),
  );
  for (const filter of ranged.slice(0, MOST_RANGES)) {
    const things = thingsAlong(draft, subject, filter);
    if (things !== undefined) addRange(draft, list, filter, things);
  }
}

function isUpward({ operator }: ListFilter): boolean {
  return operator === 'at-least' || operator === 'more-than';
}

/** Is what has just the value of a bound in the list? `undefined` where no words say so: then the name alone is a guess. */
function saidBy(filter: ListFilter): boolean | undefined {
  const { operator, parameter } = filter;
  const isBound = isUpward(filter) || operator === 'at-most' || operator === 'less-than';
  return isBound ? saysInclusive(parameter.description ?? '', isUpward(filter)) : undefined;
}

/** A day is no moment: which day that is depends on where one is. */
function comparesLike({ resource }: Subject, { parameter: { schema }, property }: ListFilter): boolean {
  return schema?.value['format'] === resource.properties.get(property)?.schema['format'];
}

type Three = readonly [MadeThing, MadeThing, MadeThing];

/** Three things whose values of the property of a filter follow each other; `undefined` where no such can be sent. */
function thingsAlong(draft: Draft, subject: Subject, { property }: ListFilter): Three | undefined {
  const schema = requestOf(subject.create);
  const path = [...(subject.create.request?.path ?? []), property];
  const made = Array.from({ length: 3 }, () => draft.ingredients(subject) ?? []).flat();
  const [first] = made;
  const sent = first && valueAlong(first.plain, path);
  if (first === undefined || sent === undefined || made.length < 3) return undefined;
  const along = (values: readonly JsonValue[]): Ingredients[] =>
    made.flatMap((own, at): Ingredients[] => {
      const value = values[at];
      const isOther = own.substitutions.some((each) => each.path.join() === path.join());
      if (value === undefined || isOther) return [];
      const plain = withValue(withNumbersOf(first.plain, own), path, value);
      // What begins and ends is sent with times of its own.
      const isSent = valueAlong(written(plain, []), path) === value;
      return isSent && schema?.accepts(plain, 'request') === true ? [{ ...own, plain }] : [];
    });
  const ready = [0, -2].map((shift) => along(valuesFrom(sent, shift))).find(({ length }) => length === 3) ?? [];
  const [one, other, last] = ready.map((each, at) =>
    draft.make(each, 'setup', `add ${withArticle(draft.noun)} for the range of ${property}, ${at + 1} of 3`),
  );
  return one === undefined || other === undefined || last === undefined ? undefined : [one, other, last];
}

/** The same amounts for all: some only grow. */
function withNumbersOf(from: JsonObject, { plain, substitutions }: Ingredients): JsonObject {
  const references = new Set(substitutions.map(({ path }) => path[0]));
  const isAmount = (name: string): boolean => typeof from[name] === 'number' && !references.has(name);
  return Object.fromEntries(
    Object.entries(plain).map(([name, value]) => [name, isAmount(name) ? (from[name] ?? value) : value]),
  );
}

const DAY = 24 * 60 * 60 * 1000;

/** Three values that follow each other, the first of them so far from the one that is sent. */
function valuesFrom(value: JsonValue, shift: number): JsonValue[] {
  const steps = [0, 1, 2].map((each) => each + shift);
  if (typeof value === 'number') return steps.map((step) => Math.floor(value) + step);
  const [, day = '', time = ''] = typeof value === 'string' ? (/^(\d{4}-\d\d-\d\d)(T.*)?$/.exec(value) ?? []) : [];
  const start = Date.parse(day);
  if (Number.isNaN(start)) return [];
  return steps.map((step) => `${new Date(start + step * DAY).toISOString().slice(0, 10)}${time}`);
}

function addRange(draft: Draft, list: Binding, filter: ListFilter, [low, middle, high]: Three): void {
  const { parameter, property } = filter;
  const page = longestPage(draft.api, list);
  const value = valueAlong(middle.plain, [...(middle.subject.create.request?.path ?? []), property]);
  const asked = { ...page?.parameters, [parameter.name]: value ?? null };
  const look = (thing: MadeThing, what: string, isIn: boolean): void => {
    const item = itemOf(thing.subject.resource, thing.key);
    const within = item === undefined || page === undefined ? undefined : hasEntry(list, item, page);
    const matcher = isIn ? within : item && hasNoEntry(list, item);
    const name = `list by ${parameter.name}: what has ${what} is ${isIn ? '' : 'not '}in the list`;
    if (matcher !== undefined) ask({ draft, list, at: middle, made: 0 }, name, asked, { matcher, isAwaited: true });
  };
  look(low, `a lower ${property}`, !isUpward(filter));
  look(high, `a higher ${property}`, isUpward(filter));
  look(middle, `just that ${property}`, saidBy(filter) === true);
}

import { isScalar } from '../formats/placeholders';
import { scalarText } from '../json/scalar-text';
import { headerValue } from '../http/headers';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import type { Operation } from '../openapi/model';
import type { CallAnswer } from './call-operation';

/** Names of members that count what the list has, on all of its pages. */
const TOTAL =
  /^(?:(?:grand|overall)?total(?:count|items|elements|results|records|hits|size|entries|rows)?|numfound|(?:records|items|results|hits|rows)total)$/;
/** Of a page perhaps, where the list has pages. */
const COUNT = /^(?:count|(?:item|result|record)s?count|numberof(?:items|elements|results))$/;
/** Names of members that lead to the next page, where there is one. */
const MORE = /^(?:next\w*|has(?:more|next)\w*|more|\w*cursor|continuation\w*|lastevaluatedkey|(?:is)?truncated)$/;

/** Names of parameters that say where a page begins, or how long it is. */
const PAGING =
  /^(?:(?:page|per)?(?:limit|size|number|count|token|offset|index)|(?:per)?page|offset|cursor|after|before|start(?:ingafter|index|at)?|endingbefore|skip|top|first|last|take|from|since|continue|max(?:results|items)|marker|range|nexttoken|continuationtoken)$/;

/**
 * Are the items of a list everything that it has? What says so is a count of all of them; without one only a list that
 * takes no page, and whose answer has nothing beside it.
 *
 * @param last - answer with its last page
 * @param count - of the items of all pages
 */
export function isWholeList(list: Operation, { headers, body }: CallAnswer, count: number): boolean {
  if (body === undefined) return false;
  const told = namedMembers(body);
  if (told.some(([name, value]) => saysMore(name, value))) return false;
  const isLonger = isPaged(list);
  const counts = told.flatMap(([name, value]) => (isCount(name, isLonger) ? [value] : []));
  const header = headerValue(headers, 'x-total-count');
  const totals = header === undefined ? counts : [header, ...counts];
  if (totals.length > 0) return totals.every((total) => isScalar(total) && scalarText(total) === String(count));
  return !isLonger && (Array.isArray(body) || (isJsonObject(body) && Object.keys(body).length === 1));
}

function isCount(name: string, isLonger: boolean): boolean {
  return TOTAL.test(name) || (!isLonger && COUNT.test(name));
}

function saysMore(name: string, value: JsonValue): boolean {
  const isNothing = value === null || value === '' || value === false || isEmptyValue(value);
  return MORE.test(name) && !isNothing;
}

function isEmptyValue(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** The members beside the items, and those of objects among them, such as `meta` and `links`. */
function namedMembers(body: JsonValue): [string, JsonValue][] {
  if (!isJsonObject(body)) return [];
  const inner = Object.values(body).flatMap((member) => (isJsonObject(member) ? entriesOf(member) : []));
  return [...entriesOf(body), ...inner];
}

function entriesOf(object: JsonObject): [string, JsonValue][] {
  return Object.entries(object).map(([name, value]) => [plainName(name), value]);
}

function isPaged({ parameters }: Operation): boolean {
  return parameters.some(({ in: location, name }) => location !== 'path' && PAGING.test(plainName(name)));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

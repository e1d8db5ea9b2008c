import { headerValue } from '../core/http/headers';
import type { HttpResponse } from '../core/http/message';
import { equalJson, isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../core/json/json-value';
import type { KnownValues } from './known-values';
import { comparable, headerNames } from './trial';

/** What may be expected of the right response that the wrong one is not, the most telling first. */
export function* expectations(right: HttpResponse, wrong: HttpResponse, values: KnownValues): Generator<JsonObject> {
  if (right.status !== wrong.status) yield { status: right.status };
  for (const body of expectedBodies(comparable(right), comparable(wrong), values))
    yield right.status >= 400 && isCode(body) ? { code: body.code } : { body };
  for (const name of headerNames(right.headers, wrong.headers)) {
    values.forget();
    const [is, other] = [headerValue(right.headers, name), headerValue(wrong.headers, name)];
    const header = is === undefined || other === undefined ? presence(is, other) : expectedText(is, other, values);
    if (header !== undefined) yield { headers: { [name]: header } };
  }
}

function* expectedBodies(
  one: JsonValue | undefined,
  two: JsonValue | undefined,
  values: KnownValues,
): Generator<JsonValue> {
  if (one === undefined || two === undefined) {
    const body = presence(one, two);
    if (body !== undefined) yield body;
    return;
  }
  for (const isAnywhere of [false, true]) {
    values.forget();
    const body = whatDiffers(one, two, values, isAnywhere);
    if (body !== undefined) yield body;
  }
}

function presence(right: JsonValue | undefined, wrong: JsonValue | undefined): JsonObject | undefined {
  if (right === undefined) return wrong === undefined ? undefined : { $absent: true };
  return wrong === undefined ? { $present: true } : undefined;
}

function isCode(body: JsonValue): body is { readonly code: string } {
  return isJsonObject(body) && typeof body['code'] === 'string' && Object.keys(body).length === 1;
}

/** A header as a contract can expect it anywhere: what is known of it, or the words in which it differs. */
function expectedText(is: string, other: string, values: KnownValues): JsonValue | undefined {
  if (is === other) return undefined;
  if (values.isKnown(is)) return values.written(is);
  let [start, end] = [0, is.length];
  while (start < end && is[start] === other[start]) start += 1;
  while (end > start && is[end - 1] === other[other.length - is.length + end - 1]) end -= 1;
  const isPart = (letter: string | undefined): boolean => letter !== undefined && !/[?&;,<>\s/]/.test(letter);
  while (isPart(is[start - 1])) start -= 1;
  while (isPart(is[end])) end += 1;
  const words = is.slice(start, end);
  const [, value = words] = words.split(/=(.*)/s);
  return words !== is && values.isKnown(value) ? { $contains: values.inText(words) } : undefined;
}

/**
 * A matcher that the one value satisfies, and the other one does not, about as little as tells them apart. `undefined` where
 * that is nothing that another deployment would have as well.
 *
 * @param isAnywhere - is an item of a list to be anywhere in it, with whatever else there is?
 */
function whatDiffers(
  one: JsonValue,
  two: JsonValue | undefined,
  values: KnownValues,
  isAnywhere = false,
): JsonValue | undefined {
  if (two !== undefined && equalJson(one, two)) return undefined;
  if (Array.isArray(one) && Array.isArray(two))
    return isAnywhere ? itemThatDiffers(one, two, values) : whatDiffersInList(one, two, values);
  if (isJsonObject(one) && isJsonObject(two)) return whatDiffersInObject(one, two, values, isAnywhere);
  if (two === undefined && !values.isKnown(one)) return { $present: true };
  return values.isPortable(one) ? values.written(one) : undefined;
}

function whatDiffersInObject(
  one: JsonObject,
  two: JsonObject,
  values: KnownValues,
  isAnywhere: boolean,
): JsonValue | undefined {
  const names = [...new Set([...Object.keys(one), ...Object.keys(two)])];
  // What is known for certain first.
  names.sort((left, right) => Number(values.isKnown(one[right])) - Number(values.isKnown(one[left])));
  for (const name of names) {
    const [value, other] = [ownProperty(one, name), ownProperty(two, name)];
    const own = value === undefined ? { $absent: true } : whatDiffers(value, other, values, isAnywhere);
    if (own !== undefined) return { [name]: own };
  }
  return undefined;
}

function whatDiffersInList(
  one: readonly JsonValue[],
  two: readonly JsonValue[],
  values: KnownValues,
): JsonValue | undefined {
  if (one.length !== two.length) return sharedByAll(one, two) ?? numberOfOwn(one, values);
  const items = one.map((item, at) => {
    if (!equalJson(item, two[at] ?? null)) return whatDiffers(item, two[at], values);
    return isJsonObject(item) ? {} : values.written(item);
  });
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** What all items of the right list have, and one of the other has not: what was asked for, mostly. */
function sharedByAll(one: readonly JsonValue[], two: readonly JsonValue[]): JsonValue | undefined {
  const [first] = one;
  if (!isJsonObject(first)) return undefined;
  const has = (item: JsonValue, name: string, value: JsonValue): boolean =>
    isJsonObject(item) && equalJson(ownProperty(item, name) ?? null, value);
  for (const [name, value] of Object.entries(first)) {
    const isScalar = value === null || typeof value !== 'object';
    if (isScalar && one.every((item) => has(item, name, value)) && !two.every((item) => has(item, name, value)))
      return { $each: { [name]: value } };
  }
  return undefined;
}

/** Of a list of things that the contract made and of nothing else. */
function numberOfOwn(one: readonly JsonValue[], values: KnownValues): JsonValue | undefined {
  const isOwn = (item: JsonValue): boolean =>
    isJsonObject(item) && Object.values(item).some((each) => values.isOwn(each));
  return one.every(isOwn) ? { $length: one.length } : undefined;
}

/** The last item that differs: what a contract makes itself comes last. */
function itemThatDiffers(
  one: readonly JsonValue[],
  two: readonly JsonValue[],
  values: KnownValues,
): JsonValue | undefined {
  for (let at = one.length - 1; at >= 0; at--) {
    const item = one.length === two.length ? whatDiffers(one[at] ?? null, two[at], values) : undefined;
    if (item !== undefined) return { $contains: item };
  }
  return undefined;
}

import { canonicalKey, isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../../core/json/json-value';
import { previewValue } from '../../core/json/stringify-json';
import { wordsOf } from '../../core/text/inflection';
import type { Property } from '../../openapi/model/operation';
import type { SchemaObject } from '../../schema/schema-object';
import type { Binding } from '../../resources/model/binding';
import { ownForm } from '../matchers/own-forms';
import { isAfter, type ObservedExchange, type RunCheckFinding } from '../observed-exchange';
import { joinPath, memberOf } from './around-write';
import { type History, itemReadingsOf, type RunCheck } from './history';
import { bindingOf, isSuccessful, keyText, type ObservedItem, pathOfShown, shownItem } from './observed-item';
import { isAlike, isEquivalentText, isSameValue, responseProperties } from './sent-values';

/** What a list says of an item is what the item says of itself. */
export const listLikeItem: RunCheck = {
  id: 'list-like-item',
  area: 'state',
  source: "the description's schemas of the list and of the item; RFC 9110 §3.2",
  run(history) {
    return history.exchanges.flatMap((list) =>
      listedItems(history, list).flatMap((listed) => differences(history, list, listed)),
    );
  },
};

/** An item as a list shows it. */
interface ListedItem {
  readonly binding: Binding;
  readonly item: ObservedItem;
  readonly value: JsonObject;
}

/** The items of a list whose single reads stand below it. */
function listedItems({ api }: History, list: ObservedExchange): ListedItem[] {
  const binding = list.method === 'GET' ? bindingOf(api, list) : undefined;
  if (binding?.behaviour !== 'list' || !isSuccessful(api, list)) return [];
  const { resource, response, operation } = binding;
  const template = resource.itemPath ?? '';
  const isBelow = isDirectlyBelow(template, operation.path.replace(/\/$/, ''));
  if (response?.form !== 'list' || response.layout !== 'plain' || resource.key.isHidden || !isBelow) return [];
  const entries = valueAlong(list.body, response.path);
  return (Array.isArray(entries) ? entries : []).flatMap((entry): ListedItem[] => {
    const value = valueAlong(entry, response.entryPath ?? []);
    const key = keyText(memberOf(value, resource.key.name));
    if (!isJsonObject(value) || key === undefined) return [];
    const path = `${list.path.replace(/\/$/, '')}/${encodeURIComponent(key)}`;
    return [{ binding, item: { path, key, template }, value }];
  });
}

function isDirectlyBelow(template: string, above: string): boolean {
  return template.startsWith(`${above}/{`) && !template.includes('/', above.length + 1);
}

/** What the reads just before and just after the list agree in, and the list does not. */
function differences(history: History, list: ObservedExchange, listed: ListedItem): RunCheckFinding[] {
  const { binding, item, value } = listed;
  const { api } = history;
  const [before, after] = readsAround(history, list, item);
  const schema = binding.response?.item;
  if (before === undefined || after === undefined || schema === undefined) return [];
  const [own, later] = [before, after].map((each) => shownItem(api, each));
  const single = responseProperties(api, before, pathOfShown(api, before));
  return [...api.propertiesOf(schema).values()].flatMap((property): RunCheckFinding[] => {
    const { name } = property;
    const read = memberOf(own, name);
    const isOne = isSameValue(read ?? null, memberOf(later, name), property.schema);
    if (!isOne || !isComparable(history, property, single?.get(name), read)) return [];
    const shown = memberOf(value, name);
    // What breaks its schema is for `body-schema`.
    const isValid = shown === undefined || api.schemaAt(property.pointer)?.accepts(shown, 'response') !== false;
    if (!isValid || isHeldBack(property, shown) || !contradicts(name, read, shown, property.schema)) return [];
    return [differenceFinding(history, list, before, listed, property)];
  });
}

/** A list may hold a secret back, and shows nothing in its place, or stars. */
function isHeldBack({ name, schema }: Property, shown: JsonValue | undefined): boolean {
  if (typeof shown !== 'string' || !/^[*•]*$/.test(shown)) return false;
  const said = schema['description'];
  return HELD_BACK.test(`${wordsOf(name).join(' ')}. ${typeof said === 'string' ? said : ''}`);
}

const HELD_BACK = /\b(?:secret|password|token|empty|blank|hidden|masked|redacted|omitted)\b/i;

/** The last read of an item before a list, and the first one after it, if the run has not written it in between. */
function readsAround(
  history: History,
  list: ObservedExchange,
  item: ObservedItem,
): readonly [before?: ObservedExchange, after?: ObservedExchange] {
  const reads = history
    .exchangesOf(item)
    .filter((each) => each.method === 'GET' && each.status === 200 && each.query === '' && each.auth === list.auth);
  const before = reads.findLast((each) => isAfter(list, each));
  const after = reads.find((each) => isAfter(each, list));
  if (before === undefined || after === undefined) return [];
  return history.writesBetween(item, before, after).length > 0 ? [] : [before, after];
}

function differenceFinding(
  history: History,
  list: ObservedExchange,
  before: ObservedExchange,
  { binding, item, value }: ListedItem,
  { name, schema, pointer }: Property,
): RunCheckFinding {
  const shown = memberOf(value, name);
  const stateOf = (exchange: ObservedExchange): JsonValue | undefined =>
    memberOf(shownItem(history.api, exchange), name);
  // A list may be made of what was there a while ago.
  const isLate = itemReadingsOf(history, item).some(({ exchange }) =>
    isSameValue(shown ?? null, stateOf(exchange), schema),
  );
  const late = isLate ? ': one of before (eventual)' : '';
  return {
    exchange: list,
    earlier: before,
    severity: isLate ? 'warning' : 'error',
    at: joinPath('/response/body', [...(binding.response?.path ?? []), '*', name]),
    message: `GET ${binding.operation.path} shows another "${name}" than GET ${item.template}${late}`,
    expected: previewValue(stateOf(before)),
    actual: previewValue(shown),
    spec: pointer,
  };
}

/** What is counted, or told of the place in the list or of the reading itself. */
const OF_THE_READING =
  /^(?:counts?|counter|views?|hits|visits|accessed|viewed|seen|read|used|age|elapsed|remaining|ttl|score|rank|ranking|relevance|position|index|order|distance|highlights?|snippet|excerpt|cursor|links?|url|href)$/;

/** Is it one property, of one type? Lists and objects only where they are described once. */
function isComparable(
  { api }: History,
  listed: Property,
  single: Property | undefined,
  value: JsonValue | undefined,
): boolean {
  if (single === undefined || listed.writeOnly || single.writeOnly) return false;
  if (wordsOf(listed.name).some((word) => OF_THE_READING.test(word.toLowerCase()))) return false;
  if (single.pointer === listed.pointer) return true;
  const [one = [], other = []] = [single, listed].map(({ schema, pointer }) => [{ value: schema, pointer }]);
  return !Array.isArray(value) && !isJsonObject(value) && isAlike(api, one, other);
}

/** Do both say something, and not the same? A list may leave out, cut and count where an item tells all. */
function contradicts(
  name: string,
  own: JsonValue | undefined,
  listed: JsonValue | undefined,
  schema?: SchemaObject,
): boolean {
  if (own === undefined || own === null || listed === undefined || listed === null) return false;
  if (Array.isArray(own) || Array.isArray(listed)) return isOtherSet(own, listed);
  if (isJsonObject(own) && isJsonObject(listed))
    return Object.keys(own).some((inner) => contradicts(inner, memberOf(own, inner), memberOf(listed, inner)));
  return !isSameValue(own, listed, schema) && !isOtherForm(name, own, listed, schema ?? {});
}

function isOtherForm(name: string, own: JsonValue, listed: JsonValue, schema: SchemaObject): boolean {
  if (isShortened(own, listed) || isEquivalentText(own, listed, schema)) return true;
  return ownForm(name, own, listed) !== undefined || ownForm(name, listed, own) !== undefined;
}

/** As many of what are no lists and objects, and others. */
function isOtherSet(own: JsonValue, listed: JsonValue): boolean {
  if (!Array.isArray(own) || !Array.isArray(listed) || own.length !== listed.length) return false;
  const keys = [own, listed].map((items) => items.map(canonicalKey).sort().join());
  return [...own, ...listed].every((item) => !Array.isArray(item) && !isJsonObject(item)) && keys[0] !== keys[1];
}

function isShortened(own: JsonValue, listed: JsonValue): boolean {
  if (typeof own !== 'string' || typeof listed !== 'string') return false;
  const beginning = listed.replace(/\s*(?:…|\.\.\.|\[…\]|\[\.\.\.\])$/, '');
  return beginning !== listed && own.startsWith(beginning);
}

import { headerValue } from '../../core/http/headers';
import { isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../../core/json/json-value';
import { previewValue, stringifyJson } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Binding } from '../../resources/model/binding';
import { isSuccess, type ObservedExchange } from '../observed-exchange';
import { keyText, type ObservedItem, bindingOf } from '../run/observed-item';
import { isSameValue } from '../run/sent-values';

/** A write, and the thing before and after it. */
interface WatchedWrite {
  readonly write: ObservedExchange;
  readonly before: ObservedExchange;
  readonly after: ObservedExchange;
  /** What texts of the run hold and no others. */
  readonly mark: string;
}

/**
 * What a write did: the thing is gone, or what was sent stands where something else stood. Everything else that changed may
 * have changed by itself, and is no effect.
 *
 * @returns in words; `undefined` where nothing is to be seen
 */
export function effectOf(api: ApiModel, { write, before, after, mark }: WatchedWrite): string | undefined {
  if (write.method === 'DELETE') return isGone(after) ? `it is gone (${after.status ?? 0})` : undefined;
  const sent = itemIn(write.requestBody, bindingOf(api, write)?.request?.path);
  const binding = bindingOf(api, before);
  const [was, is] = [before, after].map(({ body }) => itemIn(body, binding?.response?.path));
  if (sent === undefined || was === undefined || is === undefined) return undefined;
  const isNow = (name: string, shown: JsonObject): boolean =>
    isSameValue(sent[name] ?? null, shown[name], binding?.resource.properties.get(name)?.schema);
  const names = Object.keys(sent).filter((name) => !isNow(name, was));
  // A state may become another one by itself; a text of the run does not.
  const marked = names.filter((name) => stringifyJson(sent[name] ?? null).includes(mark));
  const changed = (marked.length > 0 ? marked : names).find((name) => isNow(name, is));
  return changed === undefined ? undefined : `${changed} is ${previewValue(is[changed])}`;
}

function isGone({ status }: ObservedExchange): boolean {
  return status === 404 || status === 410;
}

function itemIn(body: JsonValue | undefined, path: readonly string[] = []): JsonObject | undefined {
  const item = valueAlong(body, path);
  return isJsonObject(item) ? item : undefined;
}

/** Where the list of an item would stand, without a slash at its end. */
export function collectionPath({ path }: Pick<ObservedItem, 'path'>): string {
  return path.replace(/\/[^/]*\/?$/, '');
}

/** Is a thing in the list that a response shows, which is the one that it stands in? */
export function showsInList(api: ApiModel, exchange: ObservedExchange, item: ObservedItem): boolean {
  const binding = bindingOf(api, exchange);
  const isOfItem = collectionPath(item) === exchange.path.replace(/\/$/, '');
  if (binding?.behaviour !== 'list' || !isOfItem || !isSuccess(exchange)) return false;
  const { response: shape } = binding;
  const entries = shape?.form === 'list' ? valueAlong(exchange.body, shape.path) : undefined;
  const path = [...(shape?.entryPath ?? []), ...keyPathOf(binding)];
  return Array.isArray(entries) && entries.some((entry) => keyAlong(entry, path) === item.key);
}

/** Was the same creation sent again with its `Idempotency-Key`, and answered with the thing that was made then? */
export function isRepeatedCreation(api: ApiModel, creation: ObservedExchange, exchange: ObservedExchange): boolean {
  const key = headerValue(creation.requestHeaders, 'idempotency-key');
  const isSame = exchange.operation === creation.operation && exchange.path === creation.path;
  if (key === undefined || !isSame || !isSuccess(exchange)) return false;
  if (headerValue(exchange.requestHeaders, 'idempotency-key') !== key) return false;
  const binding = bindingOf(api, creation);
  const path = binding === undefined ? [] : [...(binding.response?.path ?? []), ...keyPathOf(binding)];
  const shown = keyAlong(exchange.body, path);
  return shown !== undefined && shown === keyAlong(creation.body, path);
}

function keyAlong(value: JsonValue | undefined, path: readonly string[]): string | undefined {
  return path.length === 0 ? undefined : keyText(valueAlong(value, path));
}

function keyPathOf({ resource: { key } }: Binding): readonly string[] {
  if (key.propertyPath.length > 0) return key.propertyPath;
  return key.isHidden ? [] : [key.name];
}

/** Does a response hold one of these texts? */
export function showsContent({ body }: ObservedExchange, texts: readonly string[]): boolean {
  return texts.length > 0 && textsOf(body).some((shown) => texts.some((text) => shown.includes(text)));
}

/** Every text in a value, whatever it stands in. */
export function textsOf(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((each) => textsOf(each));
  return isJsonObject(value) ? Object.values(value).flatMap((each) => textsOf(each)) : [];
}

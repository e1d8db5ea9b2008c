import { equalJson, isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../../core/json/json-value';
import { previewValue } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Property, Schema } from '../../openapi/model/operation';
import { isStateName } from '../../openapi/naming/states';
import { findResponse, jsonContent } from '../../openapi/view/responses';
import { objectsIn } from '../../openapi/view/schema-shape';
import { isAfter, isSuccess, type ObservedExchange, operationOf, type RunCheckFinding } from '../observed-exchange';
import { hasTaken, itemBefore, joinPath, memberOf, nextReads, writerOf } from './around-write';
import type { History, RunCheck } from './history';
import { isSuccessful, type ObservedItem, pathOfShown, shownItem } from './observed-item';
import { ownForm, ownFormMessage } from '../matchers/own-forms';
import { isEquivalentText, isReordered, isSameValue, sentProperties, type SentProperty } from './sent-values';

/** What was sent comes back: in the response to the write, and in the next read as long as nothing else was written. */
export const echo: RunCheck = {
  id: 'echo',
  area: 'state',
  source: 'RFC 9110 §9.3.4, §15.3.2; OAS 3.0.3 §4.7.24; WFC 904',
  run(history) {
    const { exchanges, api } = history;
    const writes = exchanges.filter(
      (exchange) => isWrite(exchange) && isSuccessful(api, exchange) && !history.isRepetition(exchange),
    );
    const known = knownToComeBack(history, writes);
    return writes.flatMap((write) => {
      const seen = lookAfter(history, write, known);
      const stale = showsBefore(history, seen);
      return [...(stale === undefined ? findingsInResponse(seen) : [stale]), ...findingsInRead(history, seen)];
    });
  },
};

/** A write, and what was seen of it. */
interface SeenWrite {
  readonly write: ObservedExchange;
  readonly item: ObservedItem | undefined;
  /** The first read that shows the write and nothing else. */
  readonly read: ObservedExchange | undefined;
  readonly inResponse: readonly LostProperty[];
  readonly inRead: readonly LostProperty[];
  /** Names of properties that a read after that one shows as they were sent. */
  readonly late: ReadonlySet<string>;
  /** Is the item in the response as it is after the write? */
  readonly showsResult: boolean;
  /** Is it the very same property that was sent? */
  readonly isCertain: (lost: LostProperty, response: ObservedExchange) => boolean;
}

function lookAfter(history: History, write: ObservedExchange, known: ReadonlySet<string>): SeenWrite {
  const { item, read, reads } = nextReads(history, write);
  const inRead = read === undefined ? [] : lostProperties(history, write, read);
  const later = reads.filter((each) => inRead.length > 0 && read !== undefined && isAfter(each, read));
  const kept = later.flatMap((each) => {
    const lost = new Set(lostProperties(history, write, each).map(({ name }) => name));
    return inRead.filter(({ name }) => !lost.has(name)).map(({ name }) => name);
  });
  const inResponse = lostProperties(history, write, write);
  const isCertain = (lost: LostProperty, { body }: ObservedExchange): boolean =>
    isSameProperty(write, lost, body, known);
  const showsResult = write.status !== 202 && !showsEarlier(history.api, write);
  return { write, item, read, inResponse, inRead, late: new Set(kept), showsResult, isCertain };
}

/** Does the description say that the response shows what was there before? */
function showsEarlier(api: ApiModel, write: ObservedExchange): boolean {
  const operation = operationOf(api, write);
  const response = operation && findResponse(operation, write.status ?? 0);
  return [operation?.summary, operation?.description, response?.description].some((text) =>
    /\b(?:previous(?:ly)?|prior|former|old|before)\b/i.test(text ?? ''),
  );
}

function findingsInResponse({
  write,
  item,
  read,
  inResponse,
  inRead,
  showsResult,
  isCertain,
}: SeenWrite): RunCheckFinding[] {
  return inResponse.flatMap((lost): RunCheckFinding[] => {
    const isShown = isReturned(write, lost);
    // That a response shows a part of the item only is for its schema to check, if a read shows the rest.
    if (read !== undefined && !isShown) return [];
    const own = inOwnForm(write, write, lost);
    if (own !== undefined) return [own];
    const isKept = showsResult && read !== undefined && !inRead.some(({ name }) => name === lost.name);
    const isWrong = isShown && !isEquivalentSpelling(write, lost) && (isKept || isCertain(lost, write));
    return [lostFinding(write, write, lost, item, isWrong ? 'error' : 'warning')];
  });
}

function findingsInRead(history: History, seen: SeenWrite): RunCheckFinding[] {
  const { write, item, read, inResponse, inRead, late, isCertain } = seen;
  if (read === undefined) return [];
  const told = new Set(inResponse.map(({ name }) => name));
  return inRead.flatMap((lost): RunCheckFinding[] => {
    const isShown = isReturned(write, lost);
    if (told.has(lost.name) && isShown) return [];
    const own = inOwnForm(read, write, lost);
    if (own !== undefined) return [own];
    // What no response ever shows may be kept and never told.
    const isHidden = !isReturned(read, lost) && !isEverReturned(history, lost.shown);
    if (isHidden || isEquivalentSpelling(read, lost) || !isCertain(lost, read))
      return [lostFinding(read, write, lost, item, 'warning')];
    return [lostFinding(read, write, lost, item, late.has(lost.name) ? 'late' : 'error')];
  });
}

/** A property that was sent and did not come back as it was. */
type LostProperty = SentProperty;

/**
 * Is it the very same property that was sent? What has the name and the type in common is, once the operation was seen
 * to set it to what was sent; a state, and a text that is a part of the other one, may have a reason.
 */
function isSameProperty(
  write: ObservedExchange,
  lost: LostProperty,
  body: JsonValue | undefined,
  known: ReadonlySet<string>,
): boolean {
  const { name, value, path, isShared } = lost;
  if (isShared) return true;
  const got = memberOf(valueAlong(body, path), name);
  const isPart = typeof value === 'string' && typeof got === 'string' && (got.includes(value) || value.includes(got));
  return !isPart && !isStateName(name) && known.has(nameOf(write, lost));
}

/** Which operations were seen to make a property what was sent: of a new item, or of one that had another value. */
function knownToComeBack(history: History, writes: readonly ObservedExchange[]): ReadonlySet<string> {
  const known = new Set<string>();
  for (const write of writes) {
    const sent = sentProperties(history.api, write, write).filter(
      (each) => !each.isShared && !known.has(nameOf(write, each)),
    );
    if (sent.length === 0) continue;
    const before = itemBefore(history, write)?.body;
    const isKnown = before !== undefined || write.method === 'POST' || write.status === 201;
    for (const each of isKnown ? sent : []) {
      const { name, value, path, shown } = each;
      const comesBack = isSameValue(value, memberOf(valueAlong(write.body, path), name), shown.schema);
      if (comesBack && !isSameValue(value, memberOf(before, name), shown.schema)) known.add(nameOf(write, each));
    }
  }
  return known;
}

function nameOf(write: ObservedExchange, { name }: SentProperty): string {
  return `${writerOf(write)} ${name}`;
}

/** The response to a change shows the item as it was, and the next read has what was sent. */
function showsBefore(history: History, { write, read, showsResult }: SeenWrite): RunCheckFinding | undefined {
  const { api } = history;
  const before = itemBefore(history, write);
  const [own, after] = [shownItem(api, write), read && shownItem(api, read)];
  if (!showsResult || before === undefined || own === undefined || !equalJson(before.body, own)) return undefined;
  if (!hasTaken(api, write, own, after)) return undefined;
  return {
    exchange: write,
    earlier: before.exchange,
    at: joinPath('/response/body', pathOfShown(api, write)),
    message: `The response to ${writerOf(write)} shows the item as it was before`,
    expected: 'what was sent, as the next read has it',
    actual: 'the same as before',
  };
}

function isWrite(exchange: ObservedExchange): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(exchange.method) && isJsonObject(exchange.requestBody);
}

function lostProperties({ api }: History, write: ObservedExchange, response: ObservedExchange): LostProperty[] {
  return sentProperties(api, write, response).filter((sent) => {
    const { name, value, path, shown, isShared, isOrdered } = sent;
    const item = valueAlong(response.body, path);
    if (!isJsonObject(item)) return false;
    const got = memberOf(item, name);
    if (got === undefined && (isWrapped(item, sent) || (!isShared && isEmpty(value)))) return false;
    const isSame = isSameValue(value, got, shown.schema) && !(isOrdered && isReordered(value, got));
    return !isSame && !violatesResponseSchema(api, sent, got);
  });
}

/** What is empty may as well be left out. */
function isEmpty(value: JsonValue): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

/** Is the property there as it was sent, one level deeper: `{ "version": 1, "tag": { "name": … } }`? */
function isWrapped(item: JsonObject, { name, value, shown }: SentProperty): boolean {
  return Object.values(item).some(
    (wrapper) =>
      isJsonObject(wrapper) && Object.hasOwn(wrapper, name) && isSameValue(value, wrapper[name], shown.schema),
  );
}

/** One cause, one finding: what a response must have, and of which form, `body-schema` says. */
function violatesResponseSchema(api: ApiModel, { shown }: SentProperty, got: JsonValue | undefined): boolean {
  if (got === undefined) return shown.required;
  return api.schemaAt(shown.pointer)?.accepts(got, 'response') === false;
}

function isReturned({ body }: ObservedExchange, { name, path }: LostProperty): boolean {
  return memberOf(valueAlong(body, path), name) !== undefined;
}

/** Does the property come back in another spelling, which its format allows? */
function isEquivalentSpelling({ body }: ObservedExchange, { name, path, shown, value }: LostProperty): boolean {
  return isEquivalentText(value, memberOf(valueAlong(body, path), name), shown.schema);
}

/** A value that the service sets, or has its own form of: told once for a property, whatever writes it. */
function inOwnForm(
  response: ObservedExchange,
  write: ObservedExchange,
  lost: LostProperty,
): RunCheckFinding | undefined {
  const { name, value, path, shown } = lost;
  const got = memberOf(valueAlong(response.body, path), name);
  const form = ownForm(name, value, got);
  if (form === undefined) return undefined;
  const message = ownFormMessage(name, form);
  return {
    exchange: response,
    earlier: write,
    severity: 'warning',
    at: joinPath('/response/body', [...path, name]),
    message,
    identity: { rule: message },
    expected: previewValue(value),
    actual: previewValue(got),
    spec: shown.pointer,
  };
}

function lostFinding(
  response: ObservedExchange,
  write: ObservedExchange,
  { name, value, path, shown }: LostProperty,
  item: ObservedItem | undefined,
  kind: 'error' | 'warning' | 'late',
): RunCheckFinding {
  const got = memberOf(valueAlong(response.body, path), name);
  const where = response === write ? 'in the response' : `in the next read of ${item?.path ?? ''}`;
  const late = kind === 'late' ? ', and does only some time later (eventual)' : '';
  const told = `"${name}" that ${writerOf(write)} sent does not come back as it was${late}`;
  return {
    exchange: response,
    earlier: write,
    severity: kind === 'error' ? 'error' : 'warning',
    at: joinPath('/response/body', [...path, name]),
    // Which response shows it first depends on what else was under way.
    message: `The property ${told}`,
    identity: { rule: `The member ${told}` },
    expected: previewValue(value),
    actual: `${previewValue(got)}, ${where}`,
    spec: shown.pointer,
  };
}

/** Pointers of the properties that a run has seen in responses, worked out once for each run and only where it is asked. */
const RETURNED = new WeakMap<History, ReadonlySet<string>>();

/**
 * Did any response of the run show the property, wherever in it: with a value, or as null? A service may leave out what it
 * has no use for; what it shows elsewhere it knows.
 */
function isEverReturned(history: History, { pointer }: Property): boolean {
  let shown = RETURNED.get(history);
  if (shown === undefined)
    RETURNED.set(history, (shown = new Set(history.exchanges.flatMap((each) => [...returnedIn(history, each)]))));
  return shown.has(pointer);
}

function returnedIn({ api }: History, exchange: ObservedExchange): Set<string> {
  const shown = new Set<string>();
  const { body } = exchange;
  const schema = body === undefined ? undefined : documentedSchema(api, exchange);
  if (schema === undefined || body === undefined) return shown;
  for (const { value, shape } of objectsIn(api, [schema], body)) {
    const schemas = Object.keys(value).flatMap((name) => shape.properties.get(name) ?? []);
    for (const { pointer } of schemas) shown.add(pointer);
  }
  return shown;
}

function documentedSchema(api: ApiModel, exchange: ObservedExchange): Schema | undefined {
  const { status } = exchange;
  const operation = operationOf(api, exchange);
  if (operation === undefined || status === undefined || !isSuccess(exchange)) return undefined;
  return jsonContent(findResponse(operation, status))?.schema;
}

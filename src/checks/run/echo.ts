import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { previewValue } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Property, Schema } from '../../openapi/model/operation';
import { findResponse, jsonContent } from '../../openapi/view/responses';
import { objectsIn } from '../../openapi/view/schema-shape';
import { isAfter, isSuccess, type ObservedExchange, operationOf, type RunCheckFinding } from '../observed-exchange';
import type { History, RunCheck } from './history';
import { isSuccessful, type ObservedItem, returnsItem } from './observed-item';
import { ownForm, ownFormMessage } from '../matchers/own-forms';
import { isEquivalentText, isSameValue, responseProperties, sentProperties, type SentProperty } from './sent-values';

/** What was sent comes back: in the response to the write, and in the next read as long as nothing else was written. */
export const echo: RunCheck = {
  id: 'echo',
  area: 'state',
  source: 'RFC 9110 §9.3.4, §15.3.2; OAS 3.0.3 §4.7.24; WFC 904',
  run(history) {
    const { exchanges, api } = history;
    return exchanges
      .filter((exchange) => isWrite(exchange) && isSuccessful(api, exchange) && !history.isRepetition(exchange))
      .flatMap((write) => {
        const { item, read, reads } = nextRead(history, write);
        const inResponse = lostProperties(history, write, write);
        // That a response shows a part of the item only is for its schema to check, if a read shows the rest.
        const wrong = inResponse.filter(({ name }) => read === undefined || isReturned(write, name));
        const named = new Set(inResponse.map(({ name }) => name));
        const inRead = read === undefined ? [] : lostProperties(history, write, read);
        return [
          ...wrong.map((lost) => {
            const isWrong = isReturned(write, lost.name) && !isEquivalentSpelling(write, lost);
            return (
              inOwnForm(write, write, lost) ?? lostFinding(write, write, lost, item, isWrong ? 'error' : 'warning')
            );
          }),
          ...inRead.flatMap((lost): RunCheckFinding[] => {
            if (read === undefined || (named.has(lost.name) && isReturned(write, lost.name))) return [];
            const isLate = reads.some(
              (later) =>
                isAfter(later, read) && !lostProperties(history, write, later).some(({ name }) => name === lost.name),
            );
            // What no response ever shows may be kept and never told.
            const own = inOwnForm(read, write, lost);
            if (own !== undefined) return [own];
            const isHidden = !isReturned(read, lost.name) && !isEverReturned(history, lost.sent.property);
            if (isHidden || isEquivalentSpelling(read, lost)) return [lostFinding(read, write, lost, item, 'warning')];
            return [lostFinding(read, write, lost, item, isLate ? 'late' : 'error')];
          }),
        ];
      });
  },
};

/** A property that was sent and did not come back as it was. */
interface LostProperty {
  readonly name: string;
  readonly sent: SentProperty;
}

function isWrite(exchange: ObservedExchange): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(exchange.method) && isJsonObject(exchange.requestBody);
}

/** The first read that shows the write and nothing else, and those after it. */
function nextRead(
  history: History,
  write: ObservedExchange,
): {
  readonly item: ObservedItem | undefined;
  readonly read: ObservedExchange | undefined;
  readonly reads: ObservedExchange[];
} {
  const item = history.itemOf(write);
  const reads = item === undefined ? [] : history.readsAfter(item, write);
  const shown = reads.filter((read) => {
    return (
      item !== undefined &&
      read.status === 200 &&
      returnsItem(history.api, read) &&
      history.writesBetween(item, write, read).length === 0
    );
  });
  return { item, read: shown[0], reads: shown };
}

function lostProperties({ api }: History, write: ObservedExchange, response: ObservedExchange): LostProperty[] {
  const { body } = response;
  if (!isJsonObject(body)) return [];
  return sentProperties(api, write, response).flatMap((sent): LostProperty[] => {
    const { name, schema } = sent.property;
    const got = Object.hasOwn(body, name) ? body[name] : undefined;
    if (got === undefined && isWrapped(body, sent)) return [];
    if (isSameValue(sent.value, got, schema) || violatesResponseSchema(api, response, sent, got)) return [];
    return [{ name, sent }];
  });
}

/** Is the property there as it was sent, one level deeper: `{ "version": 1, "tag": { "name": … } }`? */
function isWrapped(body: JsonObject, { property: { name, schema }, value }: SentProperty): boolean {
  return Object.values(body).some(
    (wrapper) => isJsonObject(wrapper) && Object.hasOwn(wrapper, name) && isSameValue(value, wrapper[name], schema),
  );
}

/** One cause, one finding: what a response must have, and of which form, `body-schema` says. */
function violatesResponseSchema(
  api: ApiModel,
  response: ObservedExchange,
  { property: { name, pointer } }: SentProperty,
  got: JsonValue | undefined,
): boolean {
  if (got === undefined) return responseProperties(api, response)?.get(name)?.required === true;
  return api.schemaAt(pointer)?.accepts(got, 'response') === false;
}

function isReturned({ body }: ObservedExchange, name: string): boolean {
  return isJsonObject(body) && Object.hasOwn(body, name);
}

/** Does the property come back in another spelling, which its format allows? */
function isEquivalentSpelling({ body }: ObservedExchange, { name, sent: { property, value } }: LostProperty): boolean {
  return isJsonObject(body) && isEquivalentText(value, body[name], property.schema);
}

/** A value that the service sets, or has its own form of: told once for a property, whatever writes it. */
function inOwnForm(
  response: ObservedExchange,
  write: ObservedExchange,
  { name, sent }: LostProperty,
): RunCheckFinding | undefined {
  const got = isJsonObject(response.body) ? response.body[name] : undefined;
  const form = ownForm(name, sent.value, got);
  if (form === undefined) return undefined;
  const message = ownFormMessage(name, form);
  return {
    exchange: response,
    earlier: write,
    severity: 'warning',
    at: joinPointer('/response/body', name),
    message,
    identity: { rule: message },
    expected: previewValue(sent.value),
    actual: previewValue(got),
    spec: sent.property.pointer,
  };
}

function lostFinding(
  response: ObservedExchange,
  write: ObservedExchange,
  { name, sent }: LostProperty,
  item: ObservedItem | undefined,
  kind: 'error' | 'warning' | 'late',
): RunCheckFinding {
  const got = isJsonObject(response.body) ? response.body[name] : undefined;
  const writer = write.operation ?? `${write.method} ${write.path}`;
  const where = response === write ? 'in the response' : `in the next read of ${item?.path ?? ''}`;
  const late = kind === 'late' ? ', and does only some time later (eventual)' : '';
  const told = `"${name}" that ${writer} sent does not come back as it was${late}`;
  return {
    exchange: response,
    earlier: write,
    severity: kind === 'error' ? 'error' : 'warning',
    at: joinPointer('/response/body', name),
    // Which response shows it first depends on what else was under way.
    message: `The property ${told}`,
    identity: { rule: `The member ${told}` },
    expected: previewValue(sent.value),
    actual: `${previewValue(got)}, ${where}`,
    spec: sent.property.pointer,
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

import { escapePattern } from '../../core/text/escape-pattern';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { isSameValue } from '../../checks/run/sent-values';
import { codeProperty, commonErrorContent, documentedErrors } from '../../openapi/view/responses';
import type { ApiModel } from '../../openapi/model/api-model';
import { type Call, isSuccess } from '../flow/call';
import { keyPath, shownItems, type ShownItem } from '../flow/producers';
import { expectedItem } from './expected-item';
import { expectedList } from './expected-list';
import type { OwnThing, OwnThings } from './own-things';
import { wrapped } from './preparing-steps';
import { rewrite, rewriteSent, type StepContext } from './step-context';

/** Values of responses that a second recording has as well, by place: what may be expected literally. */
export type Agreed = (call: Call, pointer: string) => boolean;

/** What a step expects: the status, and what holds on any deployment; the schema is checked anyway. */
export function expectationOf(
  context: StepContext,
  call: Call,
  things: OwnThings,
  made: OwnThing | undefined,
  agreed: Agreed,
): JsonObject {
  const { status = 0 } = call;
  if (!isSuccess(call)) {
    const code = errorCode(context.api, call, agreed);
    return { status, ...(code === undefined ? {} : { code }) };
  }
  const body =
    call.binding?.behaviour === 'list'
      ? expectedList(context, call, things)
      : itemBody(context, call, made ?? things.named(call), made !== undefined, agreed);
  return { status, ...(body === undefined ? {} : { body }) };
}

/** The code of an error, where the description knows it or two recordings have it. */
function errorCode(api: ApiModel, call: Call, agreed: Agreed): string | undefined {
  const { operation, responseBody, status = 0 } = call;
  const contents = documentedErrors(operation, status, commonErrorContent(api));
  for (const content of contents) {
    const name = codeProperty(api, content.schema);
    const code = name !== undefined && isJsonObject(responseBody) ? ownProperty(responseBody, name) : undefined;
    if (name === undefined || typeof code !== 'string') continue;
    const isDocumented = contents.some((each) =>
      each.examples.some(({ value }) => isJsonObject(value) && value[name] === code),
    );
    const isListed = [...(operation?.responses.values() ?? [])].some(({ description }) =>
      RegExp(`\\b${escapePattern(code)}\\b`).test(description),
    );
    if (isDocumented || isListed || agreed(call, `/${name}`)) return code;
  }
  return undefined;
}

function itemBody(
  context: StepContext,
  call: Call,
  thing: OwnThing | undefined,
  isNew: boolean,
  agreed: Agreed,
): JsonObject | undefined {
  const [shown] = shownItems(call);
  const path = call.binding?.response?.path;
  if (shown === undefined || path === undefined || call.binding?.response?.form !== 'item') return undefined;
  const expected =
    thing === undefined
      ? { ...keyOfShown(context, call, shown), ...echoOf(context, call, shown) }
      : expectedItem(context, call, thing, shown, !isNew);
  if (thing !== undefined) addAgreed(context, call, shown, expected, agreed);
  return Object.keys(expected).length === 0 ? undefined : wrapped(path, expected);
}

/** Of an own thing also what two recordings have alike. */
function addAgreed(
  context: StepContext,
  call: Call,
  { item, pointer }: ShownItem,
  expected: Record<string, JsonValue>,
  agreed: Agreed,
): void {
  const key = call.binding === undefined ? undefined : keyPath(call.binding.resource)[0];
  for (const [name, value] of Object.entries(item)) {
    const isPlain = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
    if (!isPlain || name === key || Object.hasOwn(expected, name) || looksVolatile(name, value)) continue;
    if (agreed(call, joinPointer(pointer, name))) setProperty(expected, name, rewrite(context, value));
  }
}

/** Times and keys differ each time, whatever two recordings had. */
function looksVolatile(name: string, value: JsonValue): boolean {
  return (
    /(?:^id|Id|_id|At|_at|date|time|token|etag|version|url|href|uri)$/i.test(name) ||
    (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value))
  );
}

/** The key of what was there before, where the request named it. */
function keyOfShown({ plan }: StepContext, { binding }: Call, { item, key }: ShownItem): JsonObject {
  const path = binding?.keyParameter === undefined ? [] : keyPath(binding.resource);
  const [property] = path;
  const placeholder =
    binding === undefined || key === undefined ? undefined : plan.keyPlaceholder(binding.resource.path, key);
  if (property === undefined || placeholder === undefined || path.length > 1 || !Object.hasOwn(item, property))
    return {};
  return { [property]: placeholder };
}

/** What a call sent and the response shows again, of something that was there before. */
function echoOf(context: StepContext, call: Call, { item }: ShownItem): Record<string, JsonValue> {
  const { binding, requestBody } = call;
  const root = binding?.request?.path ?? [];
  const sent = root.reduce<JsonValue | undefined>(
    (at, name) => (isJsonObject(at) ? ownProperty(at, name) : undefined),
    requestBody,
  );
  const expected: Record<string, JsonValue> = {};
  if (!isJsonObject(sent)) return expected;
  const prefix = root.map((name) => `/${name}`).join('');
  for (const [name, value] of Object.entries(sent)) {
    if (value === null || !Object.hasOwn(item, name) || !isSameValue(value, item[name])) continue;
    if (typeof value === 'string' && context.times.has(value)) continue;
    setProperty(expected, name, rewriteSent(context, call, 'body', value, `${prefix}/${name}`));
  }
  return expected;
}

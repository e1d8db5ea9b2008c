import { headerValue } from '../../core/http/headers';
import { parseMediaType } from '../../core/http/media-type';
import { isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../../core/json/json-value';
import { previewValue } from '../../core/json/stringify-json';
import { wordsOf } from '../../core/text/inflection';
import type { Operation, Property } from '../../openapi/model/operation';
import { isStateName } from '../../openapi/naming/states';
import type { Binding } from '../../resources/model/binding';
import { isAfter, type ObservedExchange, type RunCheckFinding } from '../observed-exchange';
import { itemBefore, joinPath, memberOf, nextReads } from './around-write';
import type { History, RunCheck } from './history';
import { bindingOf, isSuccessful, pathOfShown, shownItem } from './observed-item';
import { isSameValue, requestProperties } from './sent-values';

/** What a PUT leaves out, and a merge patch sets to null, is gone; what a merge patch does not name in an object stays. */
export const removedValues: RunCheck = {
  id: 'removed-values',
  area: 'state',
  source: 'RFC 9110 §9.3.4; RFC 7396 §2',
  run(history) {
    return history.exchanges.flatMap((write) => {
      if (write.status === 202 || !isSuccessful(history.api, write) || history.isRepetition(write)) return [];
      const change = changeOf(history, write);
      if (change === undefined) return [];
      if (write.method === 'PUT') return leftOut(history, write, change);
      return isMergePatch(write) ? [...nulls(history, write, change), ...lostMembers(history, write, change)] : [];
    });
  },
};

/** A change, the item before it, and the next read. */
interface Change {
  readonly binding: Binding;
  readonly sent: JsonObject;
  readonly before: JsonObject;
  readonly read: ObservedExchange;
}

function isMergePatch({ method, requestHeaders }: ObservedExchange): boolean {
  const type = parseMediaType(headerValue(requestHeaders, 'content-type') ?? '')?.essence;
  return method === 'PATCH' && type === 'application/merge-patch+json';
}

function changeOf(history: History, write: ObservedExchange): Change | undefined {
  const binding = bindingOf(history.api, write);
  const sent = valueAlong(write.requestBody, binding?.request?.path ?? []);
  const before = itemBefore(history, write)?.body;
  const { read } = nextReads(history, write);
  const isPlain = binding?.request?.form === 'item' && binding.request.layout === 'plain';
  if (!isPlain || !isJsonObject(sent) || before === undefined || read === undefined) return undefined;
  return { binding, sent, before, read };
}

/** Says a description that a PUT replaces the whole, or that it keeps what it does not name? */
const REPLACES = /\b(?:replac\w*|overwrit\w*|left out|leaves? out|omit\w*)\b/i;
const KEEPS =
  /\b(?:keeps?|kept|retain\w*|preserv\w*|unchanged|stays?|remains?|merg\w*|partial\w*|only the|not (?:removed|deleted|cleared))\b/i;
/** What is left out, and what becomes of it. */
const ABSENT =
  /\b(?:left out|leaves? out|omit\w*|missing|absent|not (?:in the body|sent|given|included|provided|present))\b/i;
const GONE = /\b(?:gone|remov\w*|delet\w*|clear\w*|not there|unset|lost|dropped|emptied)\b/i;

/** Of all that a body may have: `what`, `fields`; of tags that are missing it would be about tags. */
const ANY = /\b(?:what|whatever|any|anything|everything|members?|propert(?:y|ies)|fields?|attributes?|values?)\b/i;

/** Say the sentences about what is left out without a doubt that it goes, whatever others keep? */
function saysGone(words: string): boolean {
  const about = words.split(/[.;\n]/).filter((each) => ABSENT.test(each) && !/\b[45]\d\d\b/.test(each));
  return (
    about.length > 0 &&
    about.every((each) => {
      const rest = each.replace(ABSENT, '');
      return ANY.test(rest) && GONE.test(rest) && !KEEPS.test(rest) && !/\b(?:not(?! there)|never|nor)\b/i.test(rest);
    })
  );
}

/** Is a property named in a sentence that says that something stays? */
function keepsNamed(words: string, name: string): boolean {
  const own = new RegExp(`(?<!\\w)(?:${name.replaceAll(/\W/g, '\\$&')}|${wordsOf(name).join(' ')})(?!\\w)`, 'i');
  return words.split(/[.;\n]/).some((each) => KEEPS.test(each) && own.test(each));
}

/** Of what is set once and for all. */
const LASTS =
  /\b(?:immutable|cannot be (?:changed|updated|modified)|can(?:'|no)t be changed|only (?:on|at) creat\w*|create[- ]only|write[- ]once)\b/i;

/** Optional properties that a PUT left out, and that have the value that the run had sent before. */
function leftOut(
  history: History,
  write: ObservedExchange,
  { binding, sent, before, read }: Change,
): RunCheckFinding[] {
  const words = wordsAbout(binding.operation);
  const isPlain = saysGone(words);
  if (KEEPS.test(words) && !isPlain) return [];
  return requestProperties(history.api, write, binding.request?.path ?? []).flatMap((property): RunCheckFinding[] => {
    const { name, required } = property;
    const value = memberOf(before, name);
    if (required || Object.hasOwn(sent, name) || !mayGo(binding, property, value)) return [];
    // Of some it may say that they stay.
    if (isPlain && keepsNamed(words, name)) return [];
    if (!wasSent(history, write, [name], value) || !isKept(history, read, property, value)) return [];
    const message = `PUT ${binding.operation.path} keeps "${name}", which it left out`;
    return [keptFinding(history, read, write, name, { value, message, isWrong: isPlain || REPLACES.test(words) })];
  });
}

function wordsAbout({ summary, description, id }: Operation): string {
  return [summary, description, wordsOf(id).join(' ')].join('. ');
}

/** May a property go: is it neither a key, nor a reference or a state, and can it be changed? */
function mayGo({ resource }: Binding, { name, schema }: Property, value: JsonValue | undefined): boolean {
  const isPart =
    resource.references.some(({ property }) => property === name) ||
    resource.scope.some((each) => each.property === name);
  const text = schema['description'];
  if (isPart || name === resource.key.name || isStateName(name)) return false;
  if (typeof text === 'string' && (LASTS.test(text) || KEEPS.test(text))) return false;
  return (
    value !== undefined && value !== null && value !== '' && !isSameValue(schema['default'] ?? null, value, schema)
  );
}

/** Did the run send the value itself at a place, of the same item? */
function wasSent(
  history: History,
  write: ObservedExchange,
  path: readonly string[],
  value: JsonValue | undefined,
): boolean {
  const item = history.itemOf(write);
  const earlier = item === undefined ? [] : history.exchangesOf(item).filter((each) => isAfter(write, each));
  return earlier.some((each) => {
    const own = valueAlong(each.requestBody, [...(bindingOf(history.api, each)?.request?.path ?? []), ...path]);
    return own !== undefined && isSameValue(own, value);
  });
}

/** Has a read the value still, which is no default of what it shows? */
function isKept(
  { api }: History,
  read: ObservedExchange,
  { name, schema }: Property,
  value: JsonValue | undefined,
): boolean {
  const item = shownItem(api, read);
  const shown = bindingOf(api, read)?.resource.properties.get(name)?.schema['default'];
  if (value === undefined || (shown !== undefined && isSameValue(shown, value, schema))) return false;
  return isSameValue(value, memberOf(item, name), schema);
}

/** Says a description that null changes nothing, whatever the type of its body says? */
const IGNORES_NULL = /\bnulls?\b[^.;]*\b(?:ignor\w*|unchanged|no effect|kept|left as)\b|\bignor\w*\b[^.;]*\bnulls?\b/i;

/** Optional properties that a merge patch set to null, and that are as they were. */
function nulls(history: History, write: ObservedExchange, { binding, sent, before, read }: Change): RunCheckFinding[] {
  if (IGNORES_NULL.test(wordsAbout(binding.operation))) return [];
  return requestProperties(history.api, write, binding.request?.path ?? []).flatMap((property): RunCheckFinding[] => {
    const { name, required, pointer } = property;
    const value = memberOf(before, name);
    const takesNull = !required && history.api.schemaAt(pointer)?.accepts(null, 'request') === true;
    if (memberOf(sent, name) !== null || !takesNull || value === null || !isKept(history, read, property, value))
      return [];
    const message = `PATCH ${binding.operation.path} keeps "${name}", which it set to null`;
    return [keptFinding(history, read, write, name, { value, message, isWrong: true })];
  });
}

/** What one form of a thing has, another one may not have. */
const CHOOSES = /^(?:type|kind|mode|method|format|variant|scheme|provider)$|(?:_t|T)ype$|(?:_k|K)ind$/;

/** Members of an object that a merge patch changed in part, which the run had sent, and which are gone. */
function lostMembers(
  history: History,
  write: ObservedExchange,
  { binding, sent, before, read }: Change,
): RunCheckFinding[] {
  const after = shownItem(history.api, read);
  return requestProperties(history.api, write, binding.request?.path ?? []).flatMap(({ name }): RunCheckFinding[] => {
    const [part, old, now] = [sent, before, after].map((item) => memberOf(item, name));
    if (!isJsonObject(part) || !isJsonObject(old) || !isJsonObject(now)) return [];
    if (Object.entries(part).some(([inner, value]) => value === null || CHOOSES.test(inner))) return [];
    const lost = Object.entries(old).find(
      ([inner, value]) =>
        !Object.hasOwn(part, inner) && !Object.hasOwn(now, inner) && wasSent(history, write, [name, inner], value),
    );
    if (lost === undefined) return [];
    return [
      {
        exchange: read,
        earlier: write,
        at: joinPath('/response/body', [...pathOfShown(history.api, read), name, lost[0]]),
        message: `PATCH ${binding.operation.path} takes "${lost[0]}" of "${name}" away, which it did not name`,
        expected: `${previewValue(lost[1])}, as before`,
        actual: 'nothing',
      },
    ];
  });
}

function keptFinding(
  { api }: History,
  read: ObservedExchange,
  write: ObservedExchange,
  name: string,
  {
    value,
    message,
    isWrong,
  }: { readonly value: JsonValue | undefined; readonly message: string; readonly isWrong: boolean },
): RunCheckFinding {
  return {
    exchange: read,
    earlier: write,
    severity: isWrong ? 'error' : 'warning',
    at: joinPath('/response/body', [...pathOfShown(api, read), name]),
    message,
    expected: 'nothing, or another value',
    actual: `${previewValue(value)}, as before`,
  };
}

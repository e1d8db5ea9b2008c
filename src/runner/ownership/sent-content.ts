import { createHash } from 'node:crypto';
import { isRequired, matchesParameterName } from '../../checks/request/parameters';
import { headerValue } from '../../core/http/headers';
import type { HttpRequest, RawHeaders } from '../../core/http/message';
import { decodeQueryComponent } from '../../core/http/request-target';
import { isJsonNumber, toCanonical } from '../../core/json/exact-number';
import { getAtPointer, joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { decodeUtf8, parseJson } from '../../core/json/parse-json';
import { scalarText } from '../../core/json/stringify-json';
import { parseRfc3339 } from '../../core/time/date-time';
import { isScalar } from '../../formats/contract/placeholders';
import type { Operation, Parameter } from '../../openapi/model/operation';
import { encodeParameter } from '../../openapi/parameters/encode-parameter';

/** A text of this form holds the id of a run by chance only. */
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/** Follows the id of a run in a UUID that the run chose for a key of its own. */
export const UUID_OF_RUN = '-0000-4000-8000-';

/** Does a text hold the id of a run, as names in contracts do? One inside a UUID is not a mark. */
export function containsRunId(text: string, runId: string): boolean {
  if (!text.includes(runId)) return false;
  return text.includes(`${runId}${UUID_OF_RUN}`) || text.replaceAll(UUID, '').includes(runId);
}

/** What a request had beside its path and its body. */
export interface SentParameters {
  /** Pairs of the query, as they were sent. */
  readonly query: readonly string[];
  readonly headers: RawHeaders;
}

export function sentParameters({ target, rawHeaders }: HttpRequest): SentParameters {
  return { query: queryPairs(target), headers: rawHeaders };
}

/**
 * What an operation asks for in its query and its headers (`required`, OAS 3.0.3 §4.7.12.1), with the values of another
 * request about the same thing: the version of an API, a tenant. Without such a value it is what the description has by
 * default, or the only one that it allows.
 *
 * @param given - what the call has already
 * @param like - of the other request; `undefined` where there is none
 */
export function requiredParameters(
  operation: Operation,
  given: SentParameters,
  like: SentParameters | undefined,
): SentParameters {
  const needed = operation.parameters.filter(isRequired);
  const inQuery = needed.filter((each) => each.in === 'query' && pairsFor(each, given.query).length === 0);
  const inHeaders = needed.filter(
    (each) => each.in === 'header' && headerValue(given.headers, each.name) === undefined,
  );
  return {
    query: inQuery.flatMap((parameter) => {
      const pairs = pairsFor(parameter, like?.query ?? []);
      return pairs.length > 0 ? pairs : textsOf(parameter);
    }),
    headers: inHeaders.flatMap((parameter) => {
      const text = headerValue(like?.headers ?? [], parameter.name) ?? textsOf(parameter)[0];
      return text === undefined ? [] : [parameter.name, text];
    }),
  };
}

/** @param target - a path with its query */
export function queryPairs(target: string): string[] {
  const [, query = ''] = target.split('?');
  return query.split('&').filter((pair) => pair !== '');
}

function pairsFor(parameter: Parameter, pairs: readonly string[]): string[] {
  return pairs.filter((pair) =>
    matchesParameterName(parameter, decodeQueryComponent(pair.split('=', 1)[0] ?? '') ?? ''),
  );
}

function textsOf(parameter: Parameter): string[] {
  const { default: usual, enum: choices } = parameter.schema?.value ?? {};
  const only = Array.isArray(choices) && choices.length === 1 ? (choices[0] as JsonValue) : undefined;
  const value = usual ?? only;
  return value === undefined ? [] : [...encodeParameter(parameter, value)];
}

/** A property of a body that was sent, without its value: enough to tell whether an item has it. */
export interface SentProperty {
  /** JSON pointer to it. */
  readonly at: string;
  /** The beginning of a digest of its value, which is not to be read out of a ledger. */
  readonly digest: string;
  /** Does it hold the id of the run? */
  readonly marked?: boolean | undefined;
}

/**
 * What an item says of whose it is: it has the id of the run where that was sent, it has what was sent else, it has
 * something else there, or it has nothing to compare.
 */
export type OwnershipEvidence = 'marked' | 'same' | 'foreign' | 'none';

const DIGEST_LENGTH = 8;
/** A longer body has enough to be told by in its first ones. */
const MOST_PROPERTIES = 50;
const FORM = /^application\/x-www-form-urlencoded\b/i;

/** Texts and numbers of a body. What is yes, no or nothing says little of whose it is. @returns none of a body of another kind */
export function sentProperties({ body, rawHeaders }: HttpRequest, runId: string): SentProperty[] {
  const isForm = FORM.test(headerValue(rawHeaders, 'content-type') ?? '');
  const value = parsedBody(body, isForm ? (text) => Object.fromEntries(new URLSearchParams(text)) : parseJson);
  if (value === undefined) return [];
  return scalarsIn(contentOf(value), '')
    .slice(0, MOST_PROPERTIES)
    .map(({ at, text }) => {
      const digest = digestOf(runId, at, text);
      return containsRunId(text, runId) ? { at, digest, marked: true } : { at, digest };
    });
}

/**
 * Compares an item with what was sent for it. A property that was sent with the id of the run has it still, or what a
 * later change put there; without such a property in the item more than half of the others are as they were sent.
 * Elsewhere in the item the id says nothing: what refers to something of the run shows it, too.
 *
 * @param sent - several values of one property where it was changed
 */
export function ownershipEvidence(item: JsonValue, sent: readonly SentProperty[], runId: string): OwnershipEvidence {
  const pointers = [...new Set(sent.map(({ at }) => at))];
  const found = pointers.flatMap((at) => compareProperty(item, at, sent, runId) ?? []);
  if (found.some(({ hasId }) => hasId)) return 'marked';
  const marked = found.filter(({ wasMarked }) => wasMarked);
  const compared = marked.length > 0 ? marked : found;
  const same = compared.filter(({ isSame }) => isSame);
  if (compared.length === 0) return 'none';
  return same.length * 2 > compared.length ? 'same' : 'foreign';
}

/** As {@link ownershipEvidence}, of a response with one item, which may have an envelope around it. */
export function ownershipEvidenceIn(body: JsonValue, sent: readonly SentProperty[], runId: string): OwnershipEvidence {
  const evidence = ownershipEvidence(body, sent, runId);
  if (evidence !== 'none' || !isJsonObject(body)) return evidence;
  // Of `{ data, meta }` one alone has what was sent.
  const inner = Object.values(body).filter((property) => isJsonObject(property));
  const found = inner.map((item) => ownershipEvidence(item, sent, runId)).filter((each) => each !== 'none');
  return found.length === 1 ? (found[0] ?? 'none') : 'none';
}

interface Comparison {
  readonly wasMarked: boolean;
  readonly hasId: boolean;
  readonly isSame: boolean;
}

/** @returns `undefined` where the item has no such property */
function compareProperty(
  item: JsonValue,
  at: string,
  sent: readonly SentProperty[],
  runId: string,
): Comparison | undefined {
  const value = getAtPointer(item, at);
  if (!isScalar(value)) return undefined;
  const text = textOf(value);
  const digest = digestOf(runId, at, text);
  const values = sent.filter((property) => property.at === at);
  const wasMarked = values.some(({ marked }) => marked === true);
  // Many a service changes the case of a code.
  const hasId = wasMarked && (containsRunId(text, runId) || containsRunId(text.toLowerCase(), runId));
  return { wasMarked, hasId, isSame: values.some((member) => member.digest === digest) };
}

/** A service may write a number, and a moment, in another way. */
function textOf(value: JsonValue): string {
  const moment = typeof value === 'string' ? parseRfc3339(value) : undefined;
  return moment === undefined ? scalarText(isJsonNumber(value) ? toCanonical(value) : value) : String(moment);
}

/** Was a text one of the values that were sent? */
export function wasSent(sent: readonly SentProperty[], text: string, runId: string): boolean {
  return sent.some(({ at, digest }) => digest === digestOf(runId, at, text));
}

function digestOf(runId: string, at: string, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([runId, at, text]))
    .digest('hex')
    .slice(0, DIGEST_LENGTH);
}

/** A body of one object in another one is an envelope, which items of a list do not have; a list of one stands for that one. */
function contentOf(value: JsonValue): JsonValue {
  const [first] = Array.isArray(value) && value.length === 1 ? value : [];
  if (first !== undefined && isJsonObject(first)) return first;
  const properties = isJsonObject(value) ? Object.values(value) : [];
  const [only] = properties;
  return properties.length === 1 && isJsonObject(only) ? only : value;
}

function scalarsIn(value: JsonValue, at: string): { readonly at: string; readonly text: string }[] {
  if (typeof value === 'boolean' || value === null) return [];
  if (isScalar(value)) return at === '' ? [] : [{ at, text: textOf(value) }];
  const properties: [string | number, JsonValue][] = Array.isArray(value)
    ? value.map((property, index) => [index, property])
    : Object.entries(value);
  return properties.flatMap(([name, member]) => scalarsIn(member, joinPointer(at, name)));
}

/** The body of a request; `undefined` when there is none or it is not JSON. */
export function jsonBodyOf({ body }: HttpRequest): JsonValue | undefined {
  return parsedBody(body, parseJson);
}

function parsedBody(body: Uint8Array, parse: (text: string) => JsonValue): JsonValue | undefined {
  if (body.length === 0) return undefined;
  try {
    return parse(decodeUtf8(body));
  } catch {
    return undefined;
  }
}

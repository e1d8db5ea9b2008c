import type { ProblemDetail } from '../../core/http/problem';
import { isJsonNumber } from '../../core/json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';

/** Everything that an error body may tell. */
export interface ErrorCause {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Every fault of the request that is known; none where the problem is no fault of a value. */
  readonly details: readonly ProblemDetail[];
  /** Of the request; empty where there was none that could be read. */
  readonly method: string;
  /** Path of the request, without its query: that may hold a key. */
  readonly path: string;
  /** Epoch milliseconds by the mock's clock. */
  readonly nowMs: number;
  /** Did nothing go wrong, so that what the description shows is as good? */
  readonly isAsked?: boolean;
}

/** What a property of an error body is there for. OpenAPI has no word for it: the name tells. */
export type ErrorPropertyRole =
  | 'status'
  | 'code'
  | 'message'
  | 'title'
  /** `error`: a code, a text, a flag or the whole, as its schema and the properties beside it say. */
  | 'error'
  | 'list'
  | 'path'
  | 'method'
  | 'time'
  | 'trace'
  | 'success'
  | 'failure'
  | 'pointer'
  | 'field'
  | 'place'
  | 'source';

type Rule = readonly [ErrorPropertyRole, RegExp];

/** On the letters and digits of a name, lower case. */
const RULES: readonly Rule[] = [
  ['status', /^(?:http|response)?status(?:code)?$|^http(?:response)?code$/],
  [
    'list',
    /^(?:errors|details|fields|violations|issues|problems|causes|faults|messages|reasons|suberrors|innererrors)$/,
  ],
  [
    'list',
    /^(?:validation|field|error|constraint|param|parameter|invalid)+(?:errors|details|violations|params|parameters|fields|messages)$/,
  ],
  [
    'code',
    /^(?:app|error|err|fault|problem|reason|internal)?(?:code|key|slug)$|^(?:error|exception)?type$|^(?:error)?reason$|^errorname$/,
  ],
  [
    'message',
    /^(?:error|err|user|developer|human|friendly|fault|exception|status)?(?:message|msg|detail|description|text|explanation|mensaje|mensagem|meldung|nachricht|messaggio)$/,
  ],
  ['message', /^details?$|^cause$|^summary$|^why$|^m$/],
  ['title', /^(?:title|label|statustext|heading)$/],
  ['error', /^(?:error|err|fault|exception|problem)$/],
  ['path', /^(?:instance|path|uri|url|endpoint)$|^request(?:uri|path|url)$/],
  ['method', /^(?:http|request)?method$|^verb$/],
  ['time', /^(?:timestamp|time|date|datetime|occurredat|createdat|ts)$/],
  ['trace', /^(?:trace|request|correlation|transaction|error|event|log|incident)(?:id|uuid|identifier)$/],
  ['field', /^(?:param|field|parameter)(?:name)?$/],
  ['success', /^(?:is)?(?:success|successful|succeeded|ok|valid)$/],
  ['failure', /^(?:is|has)?(?:error|failed|failure)$/],
];

/** On a property of one entry of a list of faults: these come first. */
const ENTRY_RULES: readonly Rule[] = [
  ['pointer', /^(?:json)?pointer$|^(?:instance|data|json|field)?path$|^location$|^loc$/],
  [
    'field',
    /^(?:field|property|prop|attribute|param|parameter|argument|member|element)(?:name|path)?$|^(?:name|target|key)$/,
  ],
  ['place', /^(?:in|place)$/],
  ['source', /^source$/],
  ['code', /^(?:keyword|rule|constraint|validator|tag|kind)$/],
];

/** @param isEntry - whether the property stands in one of several faults */
export function errorPropertyRole(name: string, isEntry: boolean): ErrorPropertyRole | undefined {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const find = (rules: readonly Rule[]): ErrorPropertyRole | undefined =>
    rules.find(([, test]) => test.test(plain))?.[0];
  return (isEntry ? find(ENTRY_RULES) : undefined) ?? find(RULES);
}

/** Services use this name for a code and for a text. */
export function isReasonName(name: string): boolean {
  return /^(?:error)?reason$/i.test(name.replace(/[^a-z]/gi, ''));
}

/**
 * Writes a cause into the shape of an example, for an error that is documented by nothing else: what properties are there
 * for is reported by their names, what they may hold by what they hold in the example. The others stay as they are.
 */
export function errorFromExample(example: JsonValue, cause: ErrorCause): JsonValue {
  if (Array.isArray(example)) return example.slice(0, 1).map((entry) => errorFromExample(entry, cause));
  return isJsonObject(example) ? withCause(example, cause) : example;
}

/** Adds what an example has and a body lacks, properties that tell a cause left out: they would tell that of the example. */
export function withExampleProperties(example: JsonObject, body: JsonObject): JsonObject {
  const added = Object.entries(example).flatMap(([name, value]): [string, JsonValue][] => {
    const own = ownProperty(body, name);
    if (own === undefined) return errorPropertyRole(name, false) === undefined ? [[name, value]] : [];
    // In a map of faults every name is a field.
    const isMap = errorPropertyRole(name, false) === 'list';
    return !isMap && isJsonObject(own) && isJsonObject(value) ? [[name, withExampleProperties(value, own)]] : [];
  });
  return added.length === 0 ? body : { ...body, ...Object.fromEntries(added) };
}

function withCause(example: JsonObject, cause: ErrorCause): JsonObject {
  const hasMessage = Object.keys(example).some((name) => errorPropertyRole(name, false) === 'message');
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, valueOf(name, value, cause, hasMessage)]),
  );
}

function valueOf(name: string, value: JsonValue, cause: ErrorCause, hasMessage: boolean): JsonValue {
  const role = errorPropertyRole(name, false);
  if (isJsonNumber(value)) return role === 'status' || isErrorStatus(value) ? cause.status : value;
  if (typeof value === 'string') return textFor(role, value, cause, hasMessage);
  if (Array.isArray(value) && role === 'list' && typeof value[0] === 'string') return [cause.message];
  return errorFromExample(value, cause);
}

function textFor(role: ErrorPropertyRole | undefined, text: string, cause: ErrorCause, hasMessage: boolean): string {
  switch (role) {
    case 'status':
      return text.replace(/^\d+.*/s, String(cause.status));
    case 'code':
      return cause.code;
    case 'message':
      return cause.message;
    case 'error':
    case 'title':
      return hasMessage ? cause.code.replaceAll('_', ' ') : cause.message;
    default:
      return text;
  }
}

function isErrorStatus(value: JsonValue): boolean {
  return typeof value === 'number' && value >= 400 && value <= 599;
}

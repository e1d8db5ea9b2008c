import type { ProblemDetail } from '../../core/http/problem';
import { parsePointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { chanceOf, hexDigits } from '../sampler/chance';
import { uuidText } from '../sampler/format-text';
import { acceptsScalar } from '../sampler/scalar-check';
import type { SchemaNode } from '../sampler/schema-node';
import type { ErrorCause, ErrorPropertyRole } from './error-roles';

/** What is said in one place: the cause as a whole, or one of its faults. */
interface ErrorPart {
  readonly cause: ErrorCause;
  readonly detail: ProblemDetail | undefined;
  /** Whether properties are written that may be left out. */
  readonly includesOptional: boolean;
}

/** Says a cause in one property; `undefined` when the schema has no room for it. */
export type ValueWriter = (told: ErrorPart) => JsonValue | undefined;

/** What a property stands beside, as far as that tells what it means. */
export interface SiblingProperties {
  readonly hasMessage: boolean;
  readonly hasCode: boolean;
  readonly hasNumericCode: boolean;
  /** Does another property say where the fault is? */
  readonly hasLocation: boolean;
}

/** Candidates for a property of each role, the most telling first. */
const CANDIDATES: Readonly<
  Record<ErrorPropertyRole, (told: ErrorPart, beside: SiblingProperties) => readonly JsonValue[]>
> = {
  status: ({ cause }, { hasNumericCode }) => {
    const words = spellings(cause.code);
    return hasNumericCode
      ? [cause.status, ...words.slice(1, 2), String(cause.status)]
      : [cause.status, String(cause.status), ...words];
  },
  code: (told) => [...spellings(codeOf(told)), told.cause.status, String(told.cause.status)],
  message: (told, beside) => [messageOf(told, beside)],
  title: (told, beside) => [...(beside.hasMessage ? [codeAsSentence(codeOf(told))] : []), messageOf(told, beside)],
  error: (told, beside) => {
    if (!beside.hasMessage) return [messageOf(told, beside), true];
    return beside.hasCode ? [codeAsSentence(codeOf(told)), true] : [...spellings(codeOf(told)), true];
  },
  list: (told, beside) => [messageOf(told, beside)],
  path: ({ cause }) => [cause.path],
  method: ({ cause }) => [cause.method],
  time: ({ cause: { nowMs } }) => [new Date(nowMs).toISOString(), new Date(nowMs).toISOString().slice(0, 10), nowMs],
  trace: ({ cause }) => {
    const chance = chanceOf(`${cause.method} ${cause.path} ${cause.code} ${cause.nowMs}`);
    return [hexDigits(chance, 16), uuidText(chance), hexDigits(chance, 32)];
  },
  success: () => [false, 'false'],
  failure: () => [true, 'true'],
  pointer: ({ detail }) => (detail === undefined ? [] : [pointerOf(detail), `#${pointerOf(detail)}`]),
  field: ({ cause, detail = cause.details[0] }) => (detail === undefined ? [] : [fieldOf(detail), pointerOf(detail)]),
  place: ({ detail }) => (detail === undefined ? [] : [detail.in]),
  source: ({ detail }) => (detail === undefined ? [] : [pointerOf(detail)]),
};

/** Says a cause in a property that holds no others. */
export function scalarWriter(node: SchemaNode, role: ErrorPropertyRole, beside: SiblingProperties): ValueWriter {
  const { flat, values } = node;
  if (values !== undefined) {
    return (told) => {
      const wanted = CANDIDATES[role](told, beside).find((value) => acceptsScalar(flat, value));
      if (wanted !== undefined) return wanted;
      return takesAnyEnumValue(role) ? closestEnumValue(values, codeOf(told), told.cause.status) : undefined;
    };
  }
  const isLink = role === 'code' && [...flat.formats].some((format) => /^(?:uri|iri|url)/.test(format));
  if (isLink) return () => 'about:blank';
  return (told) => {
    const shown = told.cause.isAsked === true ? shownValues(node, role, told.cause.status) : [];
    const candidates = [...shown, ...CANDIDATES[role](told, beside)];
    const fitting = candidates.find((value) => isOfType(node, value) && acceptsScalar(flat, value));
    const [first] = candidates;
    return fitting ?? (role === 'message' && typeof first === 'string' ? shortened(node, first) : undefined);
  };
}

/** Examples of a code or a text that tell of a status, or at least of no other one. */
function shownValues({ examples }: SchemaNode, role: ErrorPropertyRole, status: number): readonly JsonValue[] {
  if (!['code', 'message', 'title', 'error'].includes(role)) return [];
  return examples.filter((value) => {
    const words = new Set(splitWords(scalarText(value)).filter((word) => !VAGUE_WORDS.has(word)));
    const shared = (text = ''): number => splitWords(text).filter((word) => words.has(word)).length;
    const own = shared(STATUS_WORDS[status]);
    return typeof value === 'string' && Object.values(STATUS_WORDS).every((text) => shared(text) <= own);
  });
}

/** Roles for which any word that the schema lists is better than none. */
function takesAnyEnumValue(role: ErrorPropertyRole): boolean {
  return role === 'status' || role === 'code' || role === 'error' || role === 'title';
}

/** A schema without a type would take a number for a text. */
function isOfType({ types }: SchemaNode, value: JsonValue): boolean {
  return types.length > 0 || typeof value === 'string';
}

function shortened({ flat }: SchemaNode, text: string): string | undefined {
  const { minLength, maxLength } = flat;
  const padded = text.length < minLength ? text.padEnd(minLength, '.') : text;
  const fitting = padded.length > maxLength ? padded.slice(0, maxLength) : padded;
  return acceptsScalar(flat, fitting) ? fitting : undefined;
}

function codeOf({ cause, detail }: ErrorPart): string {
  return detail?.code ?? cause.code;
}

/** What is said of one fault, such as `is missing`, names the place where nothing beside it does. */
function messageOf({ cause, detail }: ErrorPart, { hasLocation }: SiblingProperties): string {
  if (detail === undefined) return cause.message;
  return hasLocation || detail.message === cause.message
    ? detail.message
    : `${describeLocation(detail)} ${detail.message}`;
}

function describeLocation({ in: place, pointer, name }: ProblemDetail): string {
  if (pointer === undefined) return name === undefined ? `The ${place}` : `The ${place} parameter "${name}"`;
  return pointer === '' ? `The ${place}` : `The field ${pointer}`;
}

/** The pointer into the body, or the name of the parameter. */
export function pointerOf({ pointer, name }: ProblemDetail): string {
  return pointer ?? name ?? '';
}

/** `address.street`, `items.0.id`: how fields are usually named. */
export function fieldOf(detail: ProblemDetail): string {
  return detail.pointer === undefined ? (detail.name ?? '') : parsePointer(detail.pointer).join('.');
}

/** Words that descriptions use for a status, beside those of the codes here. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'bad request invalid validation argument input parameter malformed',
  401: 'unauthorized unauthenticated unauthorised authentication authed auth login credentials token',
  403: 'forbidden permission denied access unauthorized scope',
  404: 'not found missing unknown nonexistent',
  405: 'method not allowed',
  406: 'not acceptable',
  408: 'request timeout',
  409: 'conflict exists duplicate already',
  410: 'gone sunset expired',
  412: 'precondition failed stale outdated modified changed version etag concurrent',
  413: 'payload too large size big',
  415: 'unsupported media type',
  422: 'unprocessable validation invalid argument input semantic',
  428: 'precondition required',
  429: 'too many requests rate limit quota throttled exhausted',
  500: 'internal server error unexpected',
  501: 'not implemented unimplemented',
  503: 'service unavailable',
};

/** Words of a code that say that something is wrong, and not what. */
const VAGUE_WORDS = new Set(['missing', 'invalid', 'not', 'unknown']);

/** What an enum has for whatever it does not list. */
const CATCH_ALL = /^(?:unknown|other|error|general|generic|fail|failure|failed)$/;

/** Words that speak of who asks, and of no other fault: `invalid_api_key` is not what is wrong with a name. */
const OF_CALLERS = /api_?-?key|token|permission|credential|unauth|forbidden/i;

/** Of the values that a schema lists, the one that says best what went wrong; a tie goes to the earlier one. */
function closestEnumValue(values: readonly JsonValue[], code: string, status: number): JsonValue | undefined {
  const codeWords = new Set(splitWords(code));
  const statusWords = new Set(
    splitWords(STATUS_WORDS[status] ?? (status < 500 ? 'client request' : 'server internal')),
  );
  let best: { readonly value: JsonValue; readonly score: number } | undefined;
  for (const value of values) {
    const score = scoreOf(value, codeWords, statusWords, status);
    if (best === undefined || score > best.score) best = { value, score };
  }
  return best?.value;
}

function scoreOf(value: JsonValue, code: ReadonlySet<string>, words: ReadonlySet<string>, status: number): number {
  if (value === null) return -1;
  if (typeof value !== 'string') return value === status ? 100 : 0;
  if (value === String(status)) return 100;
  if (status !== 401 && status !== 403 && OF_CALLERS.test(value)) return 0;
  const own = splitWords(value);
  const ofCode = own.filter((word) => code.has(word)).reduce((sum, word) => sum + (VAGUE_WORDS.has(word) ? 1 : 3), 0);
  const shared = ofCode + own.filter((word) => words.has(word)).length * 2;
  // Of two that share as much, the one that says nothing else is nearer.
  if (shared > 0) return shared - own.length / 100;
  return CATCH_ALL.test(value.toLowerCase()) ? 0.5 : 0;
}

function splitWords(text: string): string[] {
  const spaced = text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.split(/[^a-z\d]+/).filter((word) => word !== '');
}

/** A code in the spellings that services use, the one of this mock first. */
function spellings(code: string): string[] {
  const words = splitWords(code);
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const pascal = words.map(capital).join('');
  return [
    code,
    code.toUpperCase(),
    words.join('-'),
    words.join('.'),
    pascal,
    pascal.charAt(0).toLowerCase() + pascal.slice(1),
    words.join(''),
    words.join('').toUpperCase(),
    codeAsSentence(code),
  ];
}

/** `resource_not_found` as `Resource not found`: a title that is the same for every error of this code (RFC 9457 §3.1.4). */
function codeAsSentence(code: string): string {
  const text = splitWords(code).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

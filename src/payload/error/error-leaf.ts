import type { ProblemDetail } from '../../checks/problem';
import { parsePointer } from '../../json/json-pointer';
import type { JsonValue } from '../../json/json-value';
import { acceptsScalar } from '../sampler/accepts';
import { chanceOf, hexDigits } from '../sampler/chance';
import { uuidText } from '../sampler/format-text';
import type { SchemaNode } from '../sampler/schema-node';
import type { ErrorCause } from './error-cause';
import type { MemberRole } from './error-role';
import { bestWord, inWords, spellings } from './error-word';

/** What is said in one place: the cause as a whole, or one of its faults. */
export interface Told {
  readonly cause: ErrorCause;
  readonly detail: ProblemDetail | undefined;
  /** Whether members are written that may be left out. */
  readonly isFull: boolean;
}

/** Says a cause in one member; `undefined` when the schema has no room for it. */
export type Write = (told: Told) => JsonValue | undefined;

/** What a member stands beside, as far as that tells what it means. */
export interface Beside {
  readonly hasMessage: boolean;
  readonly hasCode: boolean;
  readonly hasNumericCode: boolean;
  /** Does another member say where the fault is? */
  readonly hasPlace: boolean;
}

/** Candidates for a member of each role, the most telling first. */
const CANDIDATES: Readonly<Record<MemberRole, (told: Told, beside: Beside) => readonly JsonValue[]>> = {
  status: ({ cause }, { hasNumericCode }) => {
    const words = spellings(cause.code);
    return hasNumericCode
      ? [cause.status, ...words.slice(1, 2), String(cause.status)]
      : [cause.status, String(cause.status), ...words];
  },
  code: (told) => [...spellings(codeOf(told)), told.cause.status, String(told.cause.status)],
  message: (told, beside) => [messageOf(told, beside)],
  title: (told, beside) => [...(beside.hasMessage ? [inWords(codeOf(told))] : []), messageOf(told, beside)],
  error: (told, beside) => {
    if (!beside.hasMessage) return [messageOf(told, beside), true];
    return beside.hasCode ? [inWords(codeOf(told)), true] : [...spellings(codeOf(told)), true];
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
  field: ({ detail }) => (detail === undefined ? [] : [fieldOf(detail), pointerOf(detail)]),
  place: ({ detail }) => (detail === undefined ? [] : [detail.in]),
  source: ({ detail }) => (detail === undefined ? [] : [pointerOf(detail)]),
};

/** Says a cause in a member that holds no others. */
export function leafWriter(node: SchemaNode, role: MemberRole, beside: Beside): Write {
  const { flat, values } = node;
  if (values !== undefined) {
    return (told) => {
      const wanted = CANDIDATES[role](told, beside).find((value) => acceptsScalar(flat, value));
      if (wanted !== undefined) return wanted;
      return isSaid(role) ? bestWord(values, codeOf(told), told.cause.status) : undefined;
    };
  }
  const isLink = role === 'code' && [...flat.formats].some((format) => /^(?:uri|iri|url)/.test(format));
  if (isLink) return () => 'about:blank';
  return (told) => {
    const candidates = CANDIDATES[role](told, beside);
    const fitting = candidates.find((value) => isOfType(node, value) && acceptsScalar(flat, value));
    const [first] = candidates;
    return fitting ?? (role === 'message' && typeof first === 'string' ? shortened(node, first) : undefined);
  };
}

/** Roles for which any word that the schema lists is better than none. */
function isSaid(role: MemberRole): boolean {
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

function codeOf({ cause, detail }: Told): string {
  return detail?.code ?? cause.code;
}

/** What is said of one fault, such as `is missing`, names the place where nothing beside it does. */
function messageOf({ cause, detail }: Told, { hasPlace }: Beside): string {
  if (detail === undefined) return cause.message;
  return hasPlace || detail.message === cause.message ? detail.message : `${placeInWords(detail)} ${detail.message}`;
}

function placeInWords({ in: place, pointer, name }: ProblemDetail): string {
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

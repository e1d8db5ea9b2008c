import { createHash } from 'node:crypto';
import { isScalar, scalarText } from '../formats/placeholders';
import { isJsonNumber, toCanonical } from '../json/exact-number';
import { headerValue } from '../http/headers';
import type { HttpRequest } from '../http/message';
import { decodeUtf8 } from '../json/decode-utf8';
import { getAtPointer, joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { parseJson } from '../json/parse-json';
import { holdsMark } from './run-mark';

/** A member of a body that was sent, without its value: enough to tell whether an item has it. */
export interface SentMember {
  /** JSON pointer to it. */
  readonly at: string;
  /** The beginning of a digest of its value, which is not to be read out of a ledger. */
  readonly digest: string;
  /** Does it hold the id of the run? */
  readonly marked?: boolean | undefined;
}

/** Is a value of a ledger what {@link sentMembers} writes? */
export function areSentMembers(value: unknown): boolean {
  return Array.isArray(value) && value.every((member) => isSentMember(member));
}

function isSentMember(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { at, digest, marked }: Partial<Record<keyof SentMember, unknown>> = value;
  const isPointer = typeof at === 'string' && /^(?:\/(?:[^~/]|~[01])*)+$/.test(at);
  return isPointer && typeof digest === 'string' && (marked === undefined || marked === true);
}

/** What an item says of whose it is: it has what was sent, it has something else there, or it has nothing of it. */
export type Evidence = 'own' | 'foreign' | 'none';

const DIGEST_LENGTH = 8;
/** A longer body has enough to be told by in its first ones. */
const MOST_MEMBERS = 50;
const FORM = /^application\/x-www-form-urlencoded\b/i;

/** Texts and numbers of a body. What is yes, no or nothing says little of whose it is. @returns none of a body of another kind */
export function sentMembers({ body, rawHeaders }: HttpRequest, runId: string): SentMember[] {
  const value = body.length === 0 ? undefined : bodyOf(body, headerValue(rawHeaders, 'content-type'));
  if (value === undefined) return [];
  return membersOf(contentOf(value), '')
    .slice(0, MOST_MEMBERS)
    .map(({ at, text }) => {
      const digest = digestOf(runId, at, text);
      return holdsMark(text, runId) ? { at, digest, marked: true } : { at, digest };
    });
}

/**
 * Compares an item with what was sent for it. A member that was sent with the id of the run has it still, or what a
 * later change put there; without such a member in the item more than half of the others are as they were sent.
 *
 * @param sent - several values of one member where it was changed
 */
export function evidenceOf(item: JsonValue, sent: readonly SentMember[], runId: string): Evidence {
  const places = new Set(sent.map(({ at }) => at));
  const found = [...places].flatMap((at) => {
    const value = getAtPointer(item, at);
    if (value === undefined || value === null || !isScalar(value)) return [];
    const here = sent.filter((member) => member.at === at);
    const text = textOf(value);
    const isMarked = here.some(({ marked }) => marked === true);
    const digest = digestOf(runId, at, text);
    const isSame = here.some((member) => member.digest === digest) || (isMarked && hasId(text, runId));
    return [{ isMarked, isSame }];
  });
  if (found.length === 0) return 'none';
  const marked = found.filter(({ isMarked }) => isMarked);
  if (marked.length > 0) return marked.some(({ isSame }) => isSame) ? 'own' : 'foreign';
  return found.filter(({ isSame }) => isSame).length * 2 > found.length ? 'own' : 'foreign';
}

/** As {@link evidenceOf}, of an answer with one item, which may have an envelope around it. */
export function evidenceOfAnswer(body: JsonValue, sent: readonly SentMember[], runId: string): Evidence {
  const evidence = evidenceOf(body, sent, runId);
  if (evidence !== 'none' || !isJsonObject(body)) return evidence;
  const inner = Object.values(body).filter((member) => isJsonObject(member));
  return inner.length === 1 ? evidenceOf(inner[0] ?? null, sent, runId) : 'none';
}

/** Does an item of a list have the id of the run where it was sent? Elsewhere it says nothing: others show it, too. */
export function isMarkedItem(item: JsonValue, sent: readonly SentMember[], runId: string): boolean {
  const marked = new Set(sent.flatMap(({ at, marked: isMarked }) => (isMarked === true ? [at] : [])));
  return [...marked].some((at) => {
    const value = getAtPointer(item, at);
    return typeof value === 'string' && hasId(value, runId);
  });
}

/** Many a service changes the case of a code. */
function hasId(text: string, runId: string): boolean {
  return holdsMark(text, runId) || holdsMark(text.toLowerCase(), runId.toLowerCase());
}

/** A service may write a number in another way. */
function textOf(value: JsonValue): string {
  return scalarText(isJsonNumber(value) ? toCanonical(value) : value);
}

function digestOf(runId: string, at: string, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([runId, at, text]))
    .digest('hex')
    .slice(0, DIGEST_LENGTH);
}

function bodyOf(bytes: Uint8Array, contentType: string | undefined): JsonValue | undefined {
  try {
    const text = decodeUtf8(bytes);
    return FORM.test(contentType ?? '') ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text);
  } catch {
    return undefined;
  }
}

/** A body of one object in another one is an envelope, which items of a list do not have. */
function contentOf(value: JsonValue): JsonValue {
  const members = isJsonObject(value) ? Object.values(value) : [];
  const [only] = members;
  return members.length === 1 && isJsonObject(only) ? only : value;
}

function membersOf(value: JsonValue, at: string): { readonly at: string; readonly text: string }[] {
  if (typeof value === 'boolean' || value === null) return [];
  if (isScalar(value)) return at === '' ? [] : [{ at, text: textOf(value) }];
  const members: [string | number, JsonValue][] = Array.isArray(value)
    ? value.map((member, index) => [index, member])
    : Object.entries(value);
  return members.flatMap(([name, member]) => membersOf(member, joinPointer(at, name)));
}

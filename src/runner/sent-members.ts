import { createHash } from 'node:crypto';
import { isScalar } from '../formats/placeholders';
import { scalarText } from '../json/scalar-text';
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
  return (
    isPointer && typeof digest === 'string' && /^[0-9a-f]{8}$/.test(digest) && (marked === undefined || marked === true)
  );
}

/**
 * What an item says of whose it is: it has the id of the run where that was sent, it has what was sent else, it has
 * something else there, or it has nothing to compare.
 */
export type Evidence = 'marked' | 'same' | 'foreign' | 'none';

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
 * Elsewhere in the item the id says nothing: what refers to something of the run shows it, too.
 *
 * @param sent - several values of one member where it was changed
 */
export function evidenceOf(item: JsonValue, sent: readonly SentMember[], runId: string): Evidence {
  const pointers = [...new Set(sent.map(({ at }) => at))];
  const found = pointers.flatMap((at) => compareMember(item, at, sent, runId) ?? []);
  if (found.some(({ hasId }) => hasId)) return 'marked';
  const marked = found.filter(({ wasMarked }) => wasMarked);
  const compared = marked.length > 0 ? marked : found;
  const same = compared.filter(({ isSame }) => isSame);
  if (compared.length === 0) return 'none';
  return same.length * 2 > compared.length ? 'same' : 'foreign';
}

/** As {@link evidenceOf}, of an answer with one item, which may have an envelope around it. */
export function evidenceOfAnswer(body: JsonValue, sent: readonly SentMember[], runId: string): Evidence {
  const evidence = evidenceOf(body, sent, runId);
  if (evidence !== 'none' || !isJsonObject(body)) return evidence;
  const inner = Object.values(body).filter((member) => isJsonObject(member));
  return inner.length === 1 ? evidenceOf(inner[0] ?? null, sent, runId) : 'none';
}

interface Comparison {
  readonly wasMarked: boolean;
  readonly hasId: boolean;
  readonly isSame: boolean;
}

/** @returns `undefined` where the item has no such member */
function compareMember(
  item: JsonValue,
  at: string,
  sent: readonly SentMember[],
  runId: string,
): Comparison | undefined {
  const value = getAtPointer(item, at);
  if (!isScalar(value)) return undefined;
  const text = textOf(value);
  const digest = digestOf(runId, at, text);
  const values = sent.filter((member) => member.at === at);
  const wasMarked = values.some(({ marked }) => marked === true);
  // Many a service changes the case of a code.
  const hasId = wasMarked && (holdsMark(text, runId) || holdsMark(text.toLowerCase(), runId));
  return { wasMarked, hasId, isSame: values.some((member) => member.digest === digest) };
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

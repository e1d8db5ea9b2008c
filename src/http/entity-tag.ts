import { hash } from 'node:crypto';
import { readList } from './field-scanner';

// 22 characters of base64url hold 132 bits: no two representations of one resource will ever share them.
const DIGEST_LENGTH = 22;

const ENTITY_TAG = /(?:W\/)?"[!#-~\x80-\xff]*"/y;

/** A strong entity tag that follows from the content alone: same content, same tag, quotes included (RFC 9110 §8.8.3). */
export function strongTag(content: string): string {
  return `"${hash('sha256', content, 'base64url').slice(0, DIGEST_LENGTH)}"`;
}

/** Tells whether an `ETag` value is one entity tag, strong or weak, and nothing else (RFC 9110 §8.8.3). */
export function isEntityTag(value: string): boolean {
  return value !== '' && entityTags(value)[0] === value;
}

/**
 * Tells whether `If-Match` holds, by strong comparison: a weak tag on either side matches nothing (RFC 9110 §13.1.1,
 * §8.8.3.2). A list element that is no entity tag matches nothing either.
 *
 * @param ifMatch - raw header value
 * @param etag - of the current representation; `undefined` when there is none, then even `*` does not match
 */
export function matchesStrong(ifMatch: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  if (isAny(ifMatch)) return true;
  return !isWeak(etag) && entityTags(ifMatch).includes(etag);
}

/**
 * Tells whether `If-None-Match` names the current representation, by weak comparison: `W/` on either side makes no
 * difference (RFC 9110 §13.1.2, §8.8.3.2). The condition is false, answer 304 or 412, when this is true.
 *
 * @param ifNoneMatch - raw header value
 * @param etag - of the current representation; `undefined` when there is none, then even `*` does not match
 */
export function matchesWeak(ifNoneMatch: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  if (isAny(ifNoneMatch)) return true;
  const wanted = opaqueTag(etag);
  return entityTags(ifNoneMatch).some((tag) => opaqueTag(tag) === wanted);
}

/** The elements of a list that are entity tags. Commas may stand inside a tag, so the list cannot be split at them. */
function entityTags(list: string): readonly string[] {
  return readList(list, (scanner) => scanner.readPattern(ENTITY_TAG)?.[0]).elements;
}

function isAny(list: string): boolean {
  return list.trim() === '*';
}

function isWeak(tag: string): boolean {
  return tag.startsWith('W/');
}

function opaqueTag(tag: string): string {
  return isWeak(tag) ? tag.slice(2) : tag;
}

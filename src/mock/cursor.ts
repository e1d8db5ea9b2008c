import { createHash } from 'node:crypto';
import { ExactNumber } from '../json/exact-number';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { JsonSyntaxError } from '../json/json-syntax-error';
import { parseJson } from '../json/parse-json';
import { stringifyJson } from '../json/stringify-json';
import type { Place } from './list-order';
import type { Filter } from './list-query';
import { ABSENT, type Key, type SortValue } from './order';

/** What a cursor belongs to: it is refused everywhere else. */
export interface CursorScope {
  readonly collection: string;
  readonly sortBy: string;
  readonly descending: boolean;
  readonly filters: readonly Filter[];
}

/**
 * An opaque text for a place in a list. It names no page number, so that inserts and deletes elsewhere neither skip
 * nor repeat an item, and it works as well after a restart.
 */
export function writeCursor(place: Place, scope: CursorScope): string {
  const { value, key, collection } = place;
  const parts = [value === ABSENT ? [] : [writable(value)], key];
  const payload: JsonValue = collection === undefined ? parts : [...parts, collection];
  const text = Buffer.from(stringifyJson(payload)).toString('base64url');
  return `${text}.${seal(text, scope)}`;
}

/** @returns `undefined` for a text that {@link writeCursor} did not give for the same scope */
export function readCursor(cursor: string, scope: CursorScope): Place | undefined {
  const [text, sealed, ...rest] = cursor.split('.');
  if (text === undefined || sealed === undefined || rest.length > 0 || sealed !== seal(text, scope)) return undefined;
  try {
    const payload = parseJson(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(payload) || isJsonObject(payload)) return undefined;
    const [value, key, collection] = payload;
    const [sortValue = ABSENT] = Array.isArray(value) ? value : [];
    const place: Place = { value: readable(sortValue), key: key as Key };
    return typeof collection === 'string' ? { ...place, collection } : place;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** A number beyond what a double holds was made infinite for comparing; JSON writes it as one that is read so again. */
function writable(value: Exclude<SortValue, typeof ABSENT>): JsonValue {
  if (value === Infinity) return new ExactNumber('1e400');
  return value === -Infinity ? new ExactNumber('-1e400') : value;
}

function readable(value: JsonValue | typeof ABSENT): SortValue {
  return value instanceof ExactNumber ? Number(value.lexeme) : (value as SortValue);
}

/** A value as text that no value of another type has. */
function typed(value: SortValue): string {
  return value === null ? 'null' : `${typeof value} ${String(value)}`;
}

/** Ties a cursor to its query, and shows that it was not made up. It is no secret: nothing is protected by it. */
function seal(text: string, { collection, sortBy, descending, filters }: CursorScope): string {
  const scope = [...filters]
    .sort((left, right) => (left.member < right.member ? -1 : 1))
    .map(({ member, values }) => [member, ...values.map(typed).sort()]);
  return createHash('sha256')
    .update(JSON.stringify([text, collection, sortBy, descending, scope]))
    .digest('base64url')
    .slice(0, 12);
}

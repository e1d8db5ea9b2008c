import { createHash } from 'node:crypto';
import { ExactNumber } from '../core/json/exact-number';
import { isJsonObject, type JsonValue } from '../core/json/json-value';
import { JsonSyntaxError } from '../core/json/json-syntax-error';
import { parseJson } from '../core/json/parse-json';
import { stringifyJson } from '../core/json/stringify-json';
import { ABSENT, type Key, type PropertyFilter, type SortPosition, type SortValue } from './sort-values';

/** What a cursor belongs to: it is rejected everywhere else. */
export interface CursorScope {
  readonly collection: string;
  readonly sortBy: string;
  readonly descending: boolean;
  readonly filters: readonly PropertyFilter[];
}

/**
 * An opaque text for a place in a list. It names no page number, so that inserts and deletes elsewhere neither skip
 * nor repeat an item, and it works as well after a restart.
 */
export function writeCursor(place: SortPosition, scope: CursorScope): string {
  const { value, key, collection } = place;
  const parts = [value === ABSENT ? [] : [toJson(value)], key];
  const payload: JsonValue = collection === undefined ? parts : [...parts, collection];
  const text = Buffer.from(stringifyJson(payload)).toString('base64url');
  return `${text}.${checksum(text, scope)}`;
}

/** @returns `undefined` for a text that {@link writeCursor} did not give for the same scope */
export function readCursor(cursor: string, scope: CursorScope): SortPosition | undefined {
  const [text, sealed, ...rest] = cursor.split('.');
  if (text === undefined || sealed === undefined || rest.length > 0 || sealed !== checksum(text, scope))
    return undefined;
  try {
    const payload = parseJson(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(payload) || isJsonObject(payload)) return undefined;
    const [value, key, collection] = payload;
    const [sortValue = ABSENT] = Array.isArray(value) ? value : [];
    const place: SortPosition = { value: fromJson(sortValue), key: key as Key };
    return typeof collection === 'string' ? { ...place, collection } : place;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** A number beyond what a double holds was made infinite for comparing; JSON writes it as one that is read so again. */
function toJson(value: Exclude<SortValue, typeof ABSENT>): JsonValue {
  if (value === Infinity) return new ExactNumber('1e400');
  return value === -Infinity ? new ExactNumber('-1e400') : value;
}

function fromJson(value: JsonValue | typeof ABSENT): SortValue {
  return value instanceof ExactNumber ? Number(value.lexeme) : (value as SortValue);
}

/** A value as text that no value of another type has. */
function typedText(value: SortValue): string {
  return value === null ? 'null' : `${typeof value} ${String(value)}`;
}

/** Ties a cursor to its query, and shows that it was not generated. It is not a secret: nothing is protected by it. */
function checksum(text: string, { collection, sortBy, descending, filters }: CursorScope): string {
  const scope = [...filters]
    .sort((left, right) => (left.property < right.property ? -1 : 1))
    .map(({ property, values }) => [property, ...values.map(typedText).sort()]);
  return createHash('sha256')
    .update(JSON.stringify([text, collection, sortBy, descending, scope]))
    .digest('base64url')
    .slice(0, 12);
}

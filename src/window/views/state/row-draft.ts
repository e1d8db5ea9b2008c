import { numberFromLexeme } from '../../../core/json/exact-number';
import { mergePatch } from '../../../core/json/json-patches';
import { equalJson, isJsonObject, type JsonObject, type JsonValue } from '../../../core/json/json-value';
import { MAX_DEPTH, parseJson } from '../../../core/json/parse-json';
import type { AdminError, CollectionSummary, Column, Row, RowPage } from '../../../server/actions/shapes';
import { callAdmin } from '../../base/client';
import { loadOverviewSoon, noteChange } from '../../base/store';

/** Where a row is. */
export interface Place {
  readonly sandbox: string | undefined;
  readonly collection: string;
}

/** What a row was when somebody began to change it; `undefined` for a row that is added. */
export type Base = Pick<Row, 'key' | 'version' | 'item'> | undefined;

/** The version of an item that is not there. */
export const NO_VERSION = 'none';

const LIMITS = { maxDepth: MAX_DEPTH, maxNumberLength: 100_000 };

/** @returns the object that a text is, or why it is none */
export function readItem(text: string): JsonObject | string {
  try {
    const value = parseJson(text, LIMITS);
    return isJsonObject(value) ? value : 'This is no object; expected {"name": …}';
  } catch (cause) {
    return `This is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

/** Is a property typed into a field of its own? */
export function isSimple({ type, values }: Column): boolean {
  return values !== null || ['string', 'integer', 'number', 'boolean'].includes(kindOf(type));
}

/** `string` of `string date-time`. */
export function kindOf(type: string): string {
  return type.split(' ')[0] ?? type;
}

/** @param value - `undefined` leaves the property out */
export function withProperty(item: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  const others = Object.entries(item).filter(([other]) => other !== name || value !== undefined);
  const isNew = value !== undefined && !Object.hasOwn(item, name);
  return Object.fromEntries([
    ...others.map(([other, old]): [string, JsonValue] => [other, other === name ? (value ?? old) : old]),
    ...(isNew ? [[name, value] as const] : []),
  ]);
}

/**
 * The value that a text in a field means. What is no number stays a text: then the schema says what is wrong with it.
 *
 * @returns `undefined` for an empty field: the property is left out
 */
export function valueOfText(column: Column, text: string): JsonValue | undefined {
  if (text === '') return undefined;
  if (!['integer', 'number'].includes(kindOf(column.type))) return text;
  try {
    return numberFromLexeme(text.trim());
  } catch {
    return text;
  }
}

/**
 * What changes, as a merge patch: the properties that are not shown, write-only ones, stay as they are.
 *
 * @returns `undefined` where a patch cannot say it: it has no word for a null inside of a property
 */
export function patchOf(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const patch = changesOf(before, after);
  const patched = mergePatch(before, patch);
  const nulls = Object.entries(after).filter(([, value]) => value === null);
  const result = isJsonObject(patched) ? Object.fromEntries([...Object.entries(patched), ...nulls]) : patched;
  return equalJson(result, after) ? patch : undefined;
}

function changesOf(before: JsonObject, after: JsonObject): JsonObject {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = names.flatMap((name): [string, JsonValue][] => {
    const [old, now = null] = [before[name], after[name]];
    if (old !== undefined && Object.hasOwn(after, name) && equalJson(old, now)) return [];
    return [[name, isJsonObject(old) && isJsonObject(now) ? changesOf(old, now) : now]];
  });
  return Object.fromEntries(changes);
}

/** @throws AdminFailure, a conflict where somebody else changed it since */
export async function saveRow({ sandbox, collection }: Place, base: Base, item: JsonObject): Promise<void> {
  const { key, version = NO_VERSION } = base ?? {};
  const patch = base === undefined || version === NO_VERSION ? undefined : patchOf(base.item, item);
  await (patch === undefined
    ? callAdmin('row', { method: 'PUT', query: { sandbox, collection, version }, body: item })
    : callAdmin('row', {
        method: 'PATCH',
        query: { sandbox, collection, key: keyText(key), version },
        body: patch,
      }));
  noteWritten();
}

/**
 * @param isForced - also when other rows refer to it
 * @throws AdminFailure, a conflict where somebody else changed it since
 */
export async function removeRow(
  { sandbox, collection }: Place,
  { key, version }: Row,
  isForced: boolean,
): Promise<void> {
  const unreferenced = isForced ? undefined : true;
  await callAdmin('row', {
    method: 'DELETE',
    query: { sandbox, collection, key: keyText(key), version, unreferenced },
  });
  noteWritten();
}

/** What this page wrote is shown at once, whether it hears of the mock or not. */
export function noteWritten(): void {
  noteChange('state');
  loadOverviewSoon(50);
}

function keyText(key: string | number | undefined): string | undefined {
  return key === undefined ? undefined : String(key);
}

/** How a row is named in an address. */
export function rowName({ isSingle }: CollectionSummary, { key }: Row): string {
  return isSingle ? 'record' : String(key);
}

/**
 * A row by its name, wherever in the collection it stands, also one that was removed.
 *
 * @returns `undefined` where there is none
 * @throws AdminFailure
 */
export async function findRow(place: Place, summary: CollectionSummary, name: string): Promise<Row | undefined> {
  const query = { ...place, key: summary.isSingle ? undefined : name };
  const { rows } = await callAdmin<RowPage>('rows', { query });
  return rows.find((row) => rowName(summary, row) === name);
}

/** Messages of what no field shows, mostly inside of a property. Those about the whole item stand in the error itself. */
export function otherMessages(error: AdminError | undefined, fields: readonly string[]): string[] {
  return (error?.findings ?? [])
    .filter(({ pointer }) => pointer !== '' && !fields.includes(pointer))
    .map(({ pointer, message }) => `${pointer}: ${message}`);
}

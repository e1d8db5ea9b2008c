import { type JSX } from 'preact';
import { isJsonNumber } from '../../../core/json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../../core/json/json-value';
import { scalarText } from '../../../core/json/stringify-json';
import type { CollectionSummary, Column, Row } from '../../../server/actions/shapes';
import { hrefOf } from '../../base/address';
import { counted } from '../../parts/text';
import { isSimple } from './row-draft';

/** Columns of a table at a glance; the dialog of a row has them all. */
const MOST_COLUMNS = 7;
/** What fits into a cell, by far. */
const LONGEST_TEXT = 200;

/** The columns that a table shows: the key, what is simple, then what holds other values. Those of the rows, where the schema names none. */
export function shownColumns({ columns, key, isSingle }: CollectionSummary, rows: readonly Row[]): readonly Column[] {
  const known = columns.length > 0 ? columns : namesOf(rows).map(unknownColumn);
  const isKey = ({ name }: Column): boolean => !isSingle && name === key;
  const others = known.filter((column) => !isKey(column));
  const keys = known.filter(isKey);
  return [
    ...(keys.length > 0 || isSingle ? keys : [unknownColumn(key)]),
    ...others.filter(isSimple),
    ...others.filter((column) => !isSimple(column)),
  ].slice(0, MOST_COLUMNS);
}

function namesOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap(({ item }) => Object.keys(item)))];
}

function unknownColumn(name: string): Column {
  return { name, type: 'any', isRequired: false, isReadOnly: false, values: null, refersTo: null, description: '' };
}

/** A value of a row; one that is the key of another row leads to it. */
export function Cell({ column, item }: { column: Column; item: JsonObject }): JSX.Element {
  const value = ownProperty(item, column.name);
  const { refersTo } = column;
  if (refersTo !== null && value !== undefined && (typeof value === 'string' || isJsonNumber(value))) {
    const key = scalarText(value);
    return (
      <a href={hrefOf('state', refersTo.replace(/^\//, ''), { row: key })} title={`${key} of ${refersTo}`}>
        {key}
      </a>
    );
  }
  return <Value value={value} />;
}

function Value({ value }: { value: JsonValue | undefined }): JSX.Element {
  if (value === undefined) return <span class="quiet">–</span>;
  if (Array.isArray(value)) return <ListText values={value} />;
  if (isJsonObject(value))
    return <span class="quiet">{`{ ${counted(Object.keys(value).length, 'property', 'properties')} }`}</span>;
  if (value === null) return <span class="json-word">null</span>;
  const text = scalarText(value);
  return <>{text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text}</>;
}

/** A few short values as they are, others counted. */
function ListText({ values }: { values: readonly JsonValue[] }): JSX.Element {
  const isShort = values.length > 0 && values.length <= 4 && values.every((value) => typeof value === 'string');
  if (isShort)
    return (
      <>
        {values
          .map((value) => scalarText(value))
          .join(', ')
          .slice(0, LONGEST_TEXT)}
      </>
    );
  return <span class="quiet">{`[ ${counted(values.length, 'item')} ]`}</span>;
}

import { type JSX } from 'preact';
import type { CollectionSummary, Column, Row, RowPage } from '../../../server/actions/shapes';
import { address, hrefOf, setQuery } from '../../base/address';
import { DiffView } from '../../parts/diff';
import { Cell, shownColumns } from './cell';
import { rowName } from './row-draft';

/** How many rows a page has. */
export const ROWS = 50;

interface RowTableProps {
  readonly summary: CollectionSummary;
  readonly page: RowPage;
  readonly sort: string;
  /** Only what differs from the start: with what each row was before. */
  readonly isChanged: boolean;
}

/** The rows of a collection, one page of them. */
export function RowTable({ summary, page: { rows }, sort, isChanged }: RowTableProps): JSX.Element {
  const columns = shownColumns(summary, rows);
  const hasChanges = isChanged || rows.some(({ change }) => change !== null);
  return (
    <div class="scroll" role="region" aria-label={`Rows of ${summary.name}`} tabIndex={0}>
      <table class="table rows">
        <thead>
          <tr>
            {columns.slice(0, 1).map((column) => (
              <SortHeader key={column.name} column={column} sort={sort} />
            ))}
            {hasChanges && <th scope="col">Since the start</th>}
            {columns.slice(1).map((column) => (
              <SortHeader key={column.name} column={column} sort={sort} />
            ))}
            <th scope="col">
              <span class="off-screen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow
              key={`${row.change === 'removed'} ${row.key}`}
              summary={summary}
              columns={columns}
              row={row}
              hasChanges={hasChanges}
              withBefore={isChanged}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SortHeader({ column: { name, type, description }, sort }: { column: Column; sort: string }): JSX.Element {
  const isAscending = sort === name;
  const isDescending = sort === `-${name}`;
  const next = isAscending ? `-${name}` : isDescending ? '' : name;
  return (
    <th
      scope="col"
      class={isNumeric(type) ? 'number' : ''}
      aria-sort={isAscending ? 'ascending' : isDescending ? 'descending' : 'none'}
    >
      <button
        type="button"
        class="sort"
        title={description === '' ? type : `${type}: ${description}`}
        onClick={() => {
          setQuery({ sort: next, offset: undefined });
        }}
      >
        {name}
        <span class="sort-mark" aria-hidden="true">
          {isAscending ? '▲' : isDescending ? '▼' : ''}
        </span>
      </button>
    </th>
  );
}

function isNumeric(type: string): boolean {
  return /^(?:integer|number)\b/.test(type);
}

const CHANGE_MARKS = { added: 'mark-ok', changed: 'mark-bad', removed: 'mark-broken' };

interface TableRowProps {
  readonly summary: CollectionSummary;
  readonly columns: readonly Column[];
  readonly row: Row;
  readonly hasChanges: boolean;
  readonly withBefore: boolean;
}

function TableRow({ summary, columns, row, hasChanges, withBefore }: TableRowProps): JSX.Element {
  const { change, item, before } = row;
  const name = rowName(summary, row);
  const href = hrefOf('state', summary.name.replace(/^\//, ''), {
    ...Object.fromEntries(address.value.query),
    row: name,
  });
  const cellOf = (column: Column): JSX.Element => {
    const className = isNumeric(column.type) ? 'number' : '';
    return column.name === summary.key && !summary.isSingle ? (
      <th key={column.name} scope="row" class={className}>
        <a href={href}>{name}</a>
      </th>
    ) : (
      <td key={column.name} class={className}>
        <Cell column={column} item={item} />
      </td>
    );
  };
  return (
    <>
      <tr class={change === null ? '' : `row-${change}`}>
        {columns.slice(0, 1).map(cellOf)}
        {hasChanges && <td>{change !== null && <span class={`mark ${CHANGE_MARKS[change]}`}>{change}</span>}</td>}
        {columns.slice(1).map(cellOf)}
        <td class="row-open">
          <a class="button small" href={href} aria-label={`${change === 'removed' ? 'Look at' : 'Edit'} ${name}`}>
            {change === 'removed' ? 'Look at' : 'Edit'}
          </a>
        </td>
      </tr>
      {withBefore && change === 'changed' && (
        <tr class="row-before">
          <td colSpan={columns.length + 2}>
            <DiffView before={before} after={item} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Which rows are shown, of how many, and the way to the others. */
export function Pages({ page: { offset, rows, total, items } }: { page: RowPage }): JSX.Element {
  const shown = total === 0 ? 'no rows' : `${offset + 1}–${offset + rows.length} of ${total.toLocaleString('en')}`;
  return (
    <div class="foot pages">
      <span role="status">
        {rows.length === 0 && total > 0 ? `none of ${total.toLocaleString('en')} on this page` : shown}
        {total < items && <span class="quiet"> (of {items.toLocaleString('en')} in all)</span>}
      </span>
      <span class="pages-ways">
        <PageButton isPossible={offset > 0} to={Math.max(0, Math.min(offset, total) - ROWS)}>
          Previous
        </PageButton>
        <PageButton isPossible={offset + rows.length < total} to={offset + ROWS}>
          Next
        </PageButton>
      </span>
    </div>
  );
}

function PageButton({ isPossible, to, children }: { isPossible: boolean; to: number; children: string }): JSX.Element {
  return (
    <button
      type="button"
      class="small"
      disabled={!isPossible}
      onClick={() => {
        setQuery({ offset: to === 0 ? undefined : to });
      }}
    >
      {children}
    </button>
  );
}

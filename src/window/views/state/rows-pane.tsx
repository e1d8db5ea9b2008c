import { type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isJsonNumber, type JsonNumber, toCanonical } from '../../../core/json/exact-number';
import type { JsonObject } from '../../../core/json/json-value';
import type { CollectionSummary, Row, RowPage } from '../../../server/actions/shapes';
import { address, hrefOf, setQuery } from '../../base/address';
import { callAdmin } from '../../base/client';
import { useAction, useAdmin } from '../../base/use-admin';
import { ErrorMessage } from '../../parts/form';
import { findRow, kindOf, type Place } from './row-draft';
import { RowDialog } from './row-dialog';
import { Pages, ROWS, RowTable } from './row-table';

interface PaneProps {
  readonly place: Place;
  readonly summary: CollectionSummary;
}

/** The rows of one collection, as the address says: `?search=rex&sort=-name&offset=50&changed=true&row=7`. */
export function RowsPane({ place, summary }: PaneProps): JSX.Element {
  const { query } = address.value;
  const [search, sort] = [query.get('search') ?? '', query.get('sort') ?? ''];
  const isChanged = query.get('changed') === 'true';
  const changed = isChanged ? true : undefined;
  const offset = wholeNumber(query.get('offset'));
  const { latest, error } = useAdmin<RowPage>('rows', { ...place, search, sort, offset, limit: ROWS, changed }, [
    'state',
  ]);
  const page = latest?.collection === summary.name ? latest : undefined;
  return (
    <>
      <div class="bar">
        <RowFilter search={search} isChanged={isChanged} changed={summary.changed} />
        {!(summary.isSingle && summary.items !== 0) && <AddButton place={place} summary={summary} />}
      </div>
      <div class="rows-pane">
        <ErrorMessage error={error} />
        {page === undefined && error === undefined && <p class="quiet">Looking…</p>}
        {page !== undefined && (
          <PageOfRows summary={summary} page={page} search={search} sort={sort} isChanged={isChanged} />
        )}
      </div>
      {page !== undefined && <Pages page={page} />}
      <OpenedRow place={place} summary={summary} />
    </>
  );
}

function AddButton({ place, summary }: PaneProps): JSX.Element {
  const [beginning, setBeginning] = useState<JsonObject | undefined>(undefined);
  return (
    <>
      <button
        type="button"
        class="small"
        onClick={() => {
          void beginningOf(place, summary).then(setBeginning);
        }}
      >
        Add a row…
      </button>
      {beginning !== undefined && (
        <RowDialog
          place={place}
          summary={summary}
          row={undefined}
          beginning={beginning}
          onClose={() => {
            setBeginning(undefined);
          }}
        />
      )}
    </>
  );
}

interface PageOfRowsProps {
  readonly summary: CollectionSummary;
  readonly page: RowPage;
  readonly search: string;
  readonly sort: string;
  readonly isChanged: boolean;
}

function PageOfRows({ summary, page, search, sort, isChanged }: PageOfRowsProps): JSX.Element {
  return page.rows.length > 0 ? (
    <RowTable summary={summary} page={page} sort={sort} isChanged={isChanged} />
  ) : (
    <NoRows summary={summary} page={page} search={search} isChanged={isChanged} />
  );
}

/** People type and cut addresses. */
function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** A row that is added has the next number for its key, where the key is one. */
async function beginningOf(place: Place, { key, columns, isSingle }: CollectionSummary): Promise<JsonObject> {
  const column = columns.find(({ name }) => name === key);
  if (isSingle || column === undefined || kindOf(column.type) !== 'integer') return {};
  try {
    const { rows } = await callAdmin<RowPage>('rows', { query: { ...place, sort: `-${key}`, limit: 1 } });
    const last = rows[0]?.item[key] ?? 0;
    return isJsonNumber(last) ? { [key]: next(last) } : {};
  } catch {
    // Whoever adds it types the key.
    return {};
  }
}

/** @param last - a fraction or a number too large to count is no key to go on from */
function next(last: JsonNumber): JsonNumber {
  const whole = toCanonical(last);
  if (typeof whole === 'bigint') return whole + 1n;
  return typeof whole === 'number' && Number.isSafeInteger(whole + 1) ? whole + 1 : last;
}

const SEARCH_PAUSE_MS = 200;

function RowFilter({
  search,
  isChanged,
  changed,
}: {
  search: string;
  isChanged: boolean;
  changed: number;
}): JSX.Element {
  const [text, setText] = useState(search);
  const typed = useRef(search);
  useEffect(() => {
    // By a link, or the way back.
    if (search === typed.current) return;
    typed.current = search;
    setText(search);
  }, [search]);
  useEffect(() => {
    if (text === typed.current) return;
    const timer = setTimeout(() => {
      typed.current = text;
      setQuery({ search: text, offset: undefined });
    }, SEARCH_PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return (
    <div class="filters" role="search">
      <input
        type="search"
        aria-label="Search the rows"
        placeholder="Search in all values"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
        }}
      />
      <button
        type="button"
        class="small toggle"
        aria-pressed={isChanged}
        onClick={() => {
          setQuery({ changed: isChanged ? undefined : true, offset: undefined });
        }}
      >
        Changed only ({changed.toLocaleString('en')})
      </button>
    </div>
  );
}

function NoRows({ summary, page: { items }, search, isChanged }: Omit<PageOfRowsProps, 'sort'>): JSX.Element {
  const all = (
    <p>
      <a href={hrefOf('state', address.value.rest)}>Show all rows</a>
    </p>
  );
  if (search !== '')
    return (
      <div class="empty">
        <p>
          No row{isChanged && ' that changed'} has “{search}” in it.
        </p>
        {all}
      </div>
    );
  if (isChanged)
    return (
      <div class="empty">
        <p>Nothing in {summary.name} changed since the start.</p>
        {all}
      </div>
    );
  return (
    <div class="empty">
      <p>
        {items > 0
          ? 'There are no rows on this page.'
          : `Nothing is stored in ${summary.name}. Add a row here, load fixtures, or send the request that makes one.`}
      </p>
      {items > 0 && all}
    </div>
  );
}

/** The row that the address names, in its dialog. */
function OpenedRow({ place, summary }: PaneProps): JSX.Element | null {
  const name = address.value.query.get('row');
  const id = JSON.stringify([place, name]);
  const [found, setFound] = useState<{ readonly id: string; readonly row: Row | undefined } | undefined>(undefined);
  const { run, error } = useAction();
  useEffect(() => {
    if (name === undefined) {
      setFound(undefined);
      return;
    }
    void run(async () => {
      const row = await findRow(place, summary, name);
      setFound({ id, row });
    });
  }, [id]);
  const close = (): void => {
    setQuery({ row: undefined });
  };
  if (name === undefined) return null;
  if (found?.id === id && found.row !== undefined)
    return <RowDialog key={id} place={place} summary={summary} row={found.row} onClose={close} />;
  if (found?.id !== id) return <ErrorMessage error={error} />;
  return (
    <p class="notice" role="status">
      There is no row {name} in {summary.name}.
      <button type="button" class="small" onClick={close}>
        OK
      </button>
    </p>
  );
}

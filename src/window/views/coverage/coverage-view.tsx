import { type JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { OperationList } from '../../../server/actions/shapes';
import { address, chosenSandbox, goTo, hrefOf, setQuery } from '../../base/address';
import { useAdmin } from '../../base/use-admin';
import type { View } from '../../base/view';
import { ErrorMessage } from '../../parts/form';
import { counted } from '../../parts/text';
import { VirtualGrid } from '../../parts/virtual-list';
import {
  type Cell,
  type Coverage,
  type CoverageFilter,
  coverageOf,
  type CoverageRow,
  groupRows,
  hasText,
  isShown,
  type OperationRow,
} from './coverage-rows';

export const coverageView: View = { name: 'coverage', title: 'Coverage', sandboxes: 'all', Page: CoveragePage };

const FILTERS = [
  ['', 'all operations'],
  ['never', 'never called'],
  ['gaps', 'with a status never seen'],
  ['undocumented', 'with a status that is not documented'],
] as const;

function CoveragePage(): JSX.Element {
  const { latest, error } = useAdmin<OperationList>('operations', { sandbox: chosenSandbox() }, [
    'requests',
    'description',
  ]);
  const coverage = useMemo(() => (latest === undefined ? undefined : coverageOf(latest.operations)), [latest]);
  const { query } = address.value;
  const filter = (FILTERS.find(([name]) => name === query.get('show')) ?? FILTERS[0])[0];
  const text = query.get('text') ?? '';
  return (
    <div class="column">
      <div class="bar">
        <h1 class="off-screen">Coverage</h1>
        <form
          class="filters"
          role="search"
          aria-label="Filter of the operations"
          onSubmit={(event) => {
            event.preventDefault();
          }}
        >
          <input
            type="search"
            aria-label="Text in the operation"
            placeholder="Filter"
            value={text}
            onInput={({ currentTarget }) => {
              setQuery({ text: currentTarget.value });
            }}
          />
          <select
            aria-label="Operations that are shown"
            class="wide"
            value={filter}
            onChange={({ currentTarget }) => {
              setQuery({ show: currentTarget.value });
            }}
          >
            {FILTERS.map(([name, about]) => (
              <option key={name} value={name}>
                {about}
              </option>
            ))}
          </select>
        </form>
      </div>
      <ErrorMessage error={error} />
      {coverage !== undefined && <Matrix coverage={coverage} filter={filter} text={text} />}
    </div>
  );
}

const ROW_HEIGHT = 28;
/** Of the name of an operation, and of each status beside it. */
const NAME_WIDTH = 200;
const COUNT_WIDTH = 56;

function Matrix({ coverage, filter, text }: { coverage: Coverage; filter: CoverageFilter; text: string }): JSX.Element {
  const rows = useMemo(
    () => groupRows(coverage.rows.filter((row) => isShown(row, filter) && hasText(row, text))),
    [coverage, filter, text],
  );
  const [marked, setMarked] = useState<string | number | undefined>(undefined);
  const indexOfKey = (key: string | number | undefined): number => rows.findIndex((row) => keyOfRow(row) === key);
  if (coverage.rows.length === 0) {
    return (
      <div class="empty">
        <p>The description has no operations. Add a path to it, and it shows here.</p>
      </div>
    );
  }
  return (
    <>
      <Sums coverage={coverage} />
      {rows.length === 0 ? (
        <div class="empty">
          <p>No operation is like that.</p>
          <p>
            <a href={hrefOf('coverage')}>Show all operations</a>
          </p>
        </div>
      ) : (
        <VirtualGrid
          label="Operations and statuses"
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          minWidth={NAME_WIDTH + COUNT_WIDTH * coverage.statuses.length}
          head={<Head statuses={coverage.statuses} />}
          keyOf={(index) => keyOfRow(rows[index])}
          indexOfKey={indexOfKey}
          classOf={(index) => (rows[index]?.kind === 'group' ? 'group' : '')}
          cellsOf={(index) => <Cells row={rows[index]} statuses={coverage.statuses} />}
          selected={indexOfKey(marked)}
          onSelect={(index) => {
            setMarked(keyOfRow(rows[index]));
          }}
          onOpen={(index) => {
            const row = rows[index];
            if (row?.kind !== 'operation') return;
            const { operation, calls } = row;
            // Of one that was never called there is no request to show: it can be tried.
            goTo(calls === 0 ? hrefOf('api', operation.id) : hrefOf('requests', '', { operation: operation.id }));
          }}
        />
      )}
    </>
  );
}

function keyOfRow(row: CoverageRow | undefined): string {
  if (row === undefined) return '';
  return row.kind === 'group' ? `group-${row.tag}` : `operation-${row.operation.id}`;
}

function Sums({ coverage: { rows, called, documented, seen } }: { coverage: Coverage }): JSX.Element {
  return (
    <div class="sums" role="status">
      <Sum part={called} whole={rows.length} about={`of ${counted(rows.length, 'operation')} called`} />
      <Sum
        part={seen}
        whole={documented}
        about={`of ${counted(documented, 'documented status', 'documented statuses')} seen`}
      />
      <span class="quiet sums-legend">
        <span class="count-seen">3</span> seen 3 times; <span class="count-open">·</span> documented, never seen;{' '}
        <span class="count-beside">2!</span> not documented, seen twice
      </span>
    </div>
  );
}

function Sum({ part, whole, about }: { part: number; whole: number; about: string }): JSX.Element {
  return (
    <span class="sum">
      <strong>{part.toLocaleString('en')}</strong> {about}
      <meter aria-label={about} min={0} max={Math.max(1, whole)} value={part} />
    </span>
  );
}

function Head({ statuses }: { statuses: readonly string[] }): JSX.Element {
  return (
    <>
      <span role="columnheader" class="cell-name">
        Operation
      </span>
      {statuses.map((status) => (
        <span key={status} role="columnheader" class="cell-count">
          {status}
        </span>
      ))}
    </>
  );
}

function Cells({ row, statuses }: { row: CoverageRow | undefined; statuses: readonly string[] }): JSX.Element | null {
  if (row === undefined) return null;
  if (row.kind === 'group') {
    const { tag, called, operations } = row;
    return (
      <span role="gridcell" class="cell-group" aria-colspan={statuses.length + 1}>
        <strong>{tag === '' ? 'without a tag' : tag}</strong>{' '}
        <span class="quiet">
          {called} of {operations} called
        </span>
      </span>
    );
  }
  return (
    <>
      <OperationName row={row} />
      {statuses.map((status) => (
        <span key={status} role="gridcell" class="cell-count">
          <Count cell={row.cells.get(status)} />
        </span>
      ))}
    </>
  );
}

function OperationName({ row: { operation, calls } }: { row: OperationRow }): JSX.Element {
  const { method, path, id, isDeprecated } = operation;
  return (
    <span role="rowheader" class={`cell-name ${calls === 0 ? 'never' : ''}`} title={`${id}: ${operation.summary}`}>
      <span class="method">{method}</span> {path}
      {calls === 0 && <span class="mark">never called</span>}
      {isDeprecated && <span class="mark mark-bad">deprecated</span>}
    </span>
  );
}

function Count({ cell }: { cell: Cell | undefined }): JSX.Element | null {
  if (cell === undefined) return null;
  const { count, isDocumented } = cell;
  if (!isDocumented) {
    return (
      <span class="count-beside" title="not documented">
        {count}!
      </span>
    );
  }
  if (count > 0) return <span class="count-seen">{count}</span>;
  return (
    <span class="count-open">
      <span aria-hidden="true">·</span>
      <span class="off-screen">never seen</span>
    </span>
  );
}

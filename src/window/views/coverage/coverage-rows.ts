import type { OperationSummary } from '../../../server/actions/shapes';

/** How often a status was seen: of the description, or `isUndocumented`. */
export interface Cell {
  readonly count: number;
  readonly isDocumented: boolean;
}

/** A row of the matrix: an operation with a cell for each status that it has, or the name of a group above them. */
export type CoverageRow =
  | { readonly kind: 'group'; readonly tag: string; readonly called: number; readonly operations: number }
  | {
      readonly kind: 'operation';
      readonly operation: OperationSummary;
      readonly cells: ReadonlyMap<string, Cell>;
      readonly calls: number;
    };

export type OperationRow = Extract<CoverageRow, { kind: 'operation' }>;

export interface Coverage {
  readonly rows: readonly OperationRow[];
  /** All statuses of the description, and those that were seen beside it. */
  readonly statuses: readonly string[];
  readonly called: number;
  readonly documented: number;
  readonly seen: number;
}

export function coverageOf(operations: readonly OperationSummary[]): Coverage {
  const rows = operations.map(rowOf);
  const documented = rows.flatMap(({ cells }) => [...cells.values()]).filter(({ isDocumented }) => isDocumented);
  return {
    rows,
    statuses: [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))].sort(byStatus),
    called: rows.filter(({ calls }) => calls > 0).length,
    documented: documented.length,
    seen: documented.filter(({ count }) => count > 0).length,
  };
}

/** A status that was seen counts for the documented one that it is: itself, its range, or `default` (OAS 3.0.3 §4.7.16). */
function rowOf(operation: OperationSummary): OperationRow {
  const cells = new Map<string, Cell>(
    operation.statuses.map(({ status }) => [status, { count: 0, isDocumented: true }]),
  );
  let calls = 0;
  for (const [status, count] of Object.entries(operation.used)) {
    const names = [status, `${status[0] ?? ''}XX`, `${status[0] ?? ''}xx`, 'default'];
    const name = names.find((each) => cells.get(each)?.isDocumented === true) ?? status;
    const { count: before = 0, isDocumented = false } = cells.get(name) ?? {};
    cells.set(name, { count: before + count, isDocumented });
    calls += count;
  }
  return { kind: 'operation', operation, cells, calls };
}

function byStatus(left: string, right: string): number {
  const place = (status: string): string => (status === 'default' ? 'z' : status.toUpperCase());
  return place(left) < place(right) ? -1 : 1;
}

/** Which operations are shown. */
export type CoverageFilter = '' | 'never' | 'gaps' | 'undocumented';

export function isShown({ cells, calls }: OperationRow, filter: CoverageFilter): boolean {
  const all = [...cells.values()];
  if (filter === 'never') return calls === 0;
  if (filter === 'gaps') return all.some(({ count, isDocumented }) => isDocumented && count === 0);
  return filter === '' || all.some(({ isDocumented }) => !isDocumented);
}

export function hasText({ operation }: OperationRow, text: string): boolean {
  const { id, method, path, summary, tag } = operation;
  return `${id} ${method} ${path} ${summary} ${tag}`.toLowerCase().includes(text.toLowerCase());
}

/** The operations with the name of their tag before them, in the order of the description. */
export function groupRows(rows: readonly OperationRow[]): CoverageRow[] {
  const groups = new Map<string, OperationRow[]>();
  for (const row of rows) {
    const group = groups.get(row.operation.tag);
    if (group === undefined) groups.set(row.operation.tag, [row]);
    else group.push(row);
  }
  return [...groups].flatMap(([tag, members]): CoverageRow[] => {
    const called = members.filter(({ calls }) => calls > 0).length;
    return [{ kind: 'group', tag, called, operations: members.length }, ...members];
  });
}

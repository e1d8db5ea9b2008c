import { type JSX } from 'preact';
import type { RequestSummary } from '../../../server/actions/shapes';
import { setQuery } from '../../base/address';

/** Which requests are shown, as the address says: `?operation=getBook&status=4xx&text=7&sandbox=a&order=old`. */
export interface RequestFilter {
  readonly operation: string;
  /** `2xx`, `4xx`, …; `problem` for those with a problem or a warning, `change` for those that changed something. */
  readonly status: string;
  readonly text: string;
  readonly sandbox: string | undefined;
  readonly isOldestFirst: boolean;
}

export function filterOf(query: ReadonlyMap<string, string>): RequestFilter {
  const of = (name: string): string => query.get(name) ?? '';
  return {
    operation: of('operation'),
    status: of('status'),
    text: of('text'),
    sandbox: query.get('sandbox'),
    isOldestFirst: of('order') === 'old',
  };
}

export function isFiltered({ operation, status, text, sandbox }: RequestFilter): boolean {
  return operation !== '' || status !== '' || text !== '' || sandbox !== undefined;
}

const KINDS: Readonly<Record<string, (entry: RequestSummary) => boolean>> = {
  problem: ({ code, warnings }) => code !== null || warnings > 0,
  change: ({ changes }) => changes > 0,
  forced: ({ forced }) => forced !== null,
};

export function filterRequests(entries: readonly RequestSummary[], filter: RequestFilter): readonly RequestSummary[] {
  const { operation, status, text, sandbox } = filter;
  if (!isFiltered(filter)) return entries;
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const kind = KINDS[status];
  return entries.filter(
    (entry) =>
      (operation === '' || entry.operation === operation) &&
      (sandbox === undefined || entry.sandbox === sandbox) &&
      (kind === undefined ? status === '' || `${Math.floor(entry.status / 100)}xx` === status : kind(entry)) &&
      (words.length === 0 || hasWords(entry, words)),
  );
}

function hasWords({ method, target, operation, status, code, forced }: RequestSummary, words: string[]): boolean {
  const text = `${method} ${target} ${operation ?? ''} ${status} ${code ?? ''} ${forced ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

const STATUSES = [
  ['', 'all'],
  ['2xx', '2xx'],
  ['3xx', '3xx'],
  ['4xx', '4xx'],
  ['5xx', '5xx'],
  ['problem', 'with a problem'],
  ['change', 'that changed rows'],
  ['forced', 'not natural'],
] as const;

/** @param operations - ids of those that were called */
export function FilterBar({
  filter,
  operations,
}: {
  filter: RequestFilter;
  operations: readonly string[];
}): JSX.Element {
  const { operation, status, text } = filter;
  const known = operation === '' || operations.includes(operation) ? operations : [...operations, operation];
  return (
    <form
      class="filters"
      role="search"
      aria-label="Filter of the requests"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <input
        type="search"
        aria-label="Text in the request line"
        placeholder="Filter"
        value={text}
        onInput={({ currentTarget }) => {
          setQuery({ text: currentTarget.value });
        }}
      />
      <select
        aria-label="Status"
        value={status}
        onChange={({ currentTarget }) => {
          setQuery({ status: currentTarget.value });
        }}
      >
        {STATUSES.map(([value, name]) => (
          <option key={value} value={value}>
            {value === '' ? 'any status' : name}
          </option>
        ))}
      </select>
      <select
        aria-label="Operation"
        value={operation}
        onChange={({ currentTarget }) => {
          setQuery({ operation: currentTarget.value });
        }}
      >
        <option value="">any operation</option>
        {known.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </form>
  );
}

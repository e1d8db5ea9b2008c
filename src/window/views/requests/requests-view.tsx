import { type JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { OperationList, RequestSummary } from '../../../server/actions/shapes';
import { address, hrefOf, setQuery } from '../../base/address';
import { callAdmin } from '../../base/client';
import { connection, overview, requestLog } from '../../base/store';
import { useAdmin } from '../../base/use-admin';
import { CopyButton } from '../../parts/copy-button';
import { ActionButton } from '../../parts/form';
import { counted } from '../../parts/text';
import type { View } from '../../base/view';
import { ContractDialog } from './contract-dialog';
import { RequestDetailsPane } from './request-details';
import { FilterBar, filterOf, filterRequests, isFiltered, type RequestFilter } from './request-filter';
import { RequestList } from './request-list';

export const requestsView: View = { name: 'requests', title: 'Requests', sandboxes: 'all', Page: RequestsPage };

function RequestsPage(): JSX.Element {
  const { rest, query } = address.value;
  const { entries, last, isLoading } = requestLog.value;
  const missing = last - entries.length;
  const opened = /^\d+$/.test(rest) ? Number(rest) : undefined;
  const [isFollowing, setFollowing] = useState(opened === undefined);
  const filter = useMemo(() => filterOf(query), [query]);
  const shown = useMemo(() => filterRequests(entries, filter), [entries, filter]);
  const choice = useChoice(entries);
  const operations = useMemo(() => operationsOf(entries.map(({ operation }) => operation)), [entries]);
  return (
    <div class={`split ${opened === undefined ? '' : 'split-open'}`}>
      <h1 class="off-screen">Requests</h1>
      <section class="split-list" aria-label="List of the requests">
        <div class="bar">
          <FilterBar filter={filter} operations={operations} />
          <ListButtons
            filter={filter}
            isFollowing={isFollowing}
            onFollow={setFollowing}
            meant={choice.entries.length > 0 ? choice.entries : shown}
            isChoice={choice.entries.length > 0}
          />
        </div>
        {shown.length === 0 ? (
          <EmptyList filter={filter} isEmpty={entries.length === 0} />
        ) : (
          <RequestList
            key={filter.isOldestFirst}
            entries={shown}
            isOldestFirst={filter.isOldestFirst}
            opened={opened}
            isFollowing={isFollowing}
            onFollow={setFollowing}
            chosen={choice.numbers}
            onChoose={choice.toggle}
          />
        )}
        <p class="foot quiet" role="status">
          {isFiltered(filter)
            ? `${shown.length.toLocaleString('en')} of ${counted(entries.length, 'request')}`
            : counted(entries.length, 'request')}
          {missing > 0 &&
            `; ${counted(missing, 'other is', 'others are')} ${isLoading ? 'not shown yet' : 'not remembered any more'}`}
          {choice.entries.length > 0 && (
            <>
              {`; ${choice.entries.length.toLocaleString('en')} chosen `}
              <button type="button" class="link" onClick={choice.clear}>
                Choose none
              </button>
            </>
          )}
        </p>
      </section>
      {opened !== undefined && <RequestDetailsPane key={opened} seq={opened} />}
    </div>
  );
}

interface Choice {
  readonly numbers: ReadonlySet<number>;
  /** Those that are still in the list, oldest first. */
  readonly entries: readonly RequestSummary[];
  readonly toggle: (seq: number) => void;
  readonly clear: () => void;
}

/** Requests that are chosen by hand; another filter keeps them. */
function useChoice(all: readonly RequestSummary[]): Choice {
  const [numbers, setNumbers] = useState<ReadonlySet<number>>(new Set());
  const entries = useMemo(() => (numbers.size === 0 ? [] : all.filter(({ seq }) => numbers.has(seq))), [all, numbers]);
  return {
    numbers,
    entries,
    toggle(seq) {
      const changed = new Set(numbers);
      if (!changed.delete(seq)) changed.add(seq);
      setNumbers(changed);
    },
    clear() {
      setNumbers(new Set());
    },
  };
}

function operationsOf(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== null).sort((left, right) => left.localeCompare(right));
}

interface ListButtonsProps {
  readonly filter: RequestFilter;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
  /** What a contract would be made of: those that are chosen, or else shown. */
  readonly meant: readonly RequestSummary[];
  readonly isChoice: boolean;
}

function ListButtons({ filter, isFollowing, onFollow, meant, isChoice }: ListButtonsProps): JSX.Element {
  const { isOldestFirst, sandbox } = filter;
  const [saved, setSaved] = useState<readonly RequestSummary[] | undefined>(undefined);
  return (
    <div class="bar-end">
      <select
        aria-label="Order"
        class="small"
        value={isOldestFirst ? 'old' : ''}
        onChange={({ currentTarget }) => {
          setQuery({ order: currentTarget.value });
        }}
      >
        <option value="">newest first</option>
        <option value="old">oldest first</option>
      </select>
      <button
        type="button"
        class="small toggle"
        aria-pressed={isFollowing}
        onClick={() => {
          onFollow(!isFollowing);
        }}
      >
        Follow
      </button>
      <button
        type="button"
        class="small"
        disabled={meant.length === 0}
        onClick={() => {
          // What comes meanwhile is not what was chosen.
          setSaved(meant);
        }}
      >
        Save as contract…
      </button>
      {saved !== undefined && (
        <ContractDialog
          entries={saved}
          isChoice={isChoice}
          onClose={() => {
            setSaved(undefined);
          }}
        />
      )}
      <ActionButton class="small" label="Clear the list of requests" act={() => forget(sandbox)}>
        Clear
      </ActionButton>
    </div>
  );
}

/** Of one sandbox, or of all of them; the mock then tells that some are gone. */
async function forget(sandbox: string | undefined): Promise<void> {
  const others = overview.value?.sandboxes.map(({ id }) => id) ?? [];
  const ids = sandbox === undefined ? [...new Set(['default', ...others])] : [sandbox];
  for (const id of ids) await callAdmin('journal', { method: 'DELETE', query: { sandbox: id } });
}

function EmptyList({ filter, isEmpty }: { filter: RequestFilter; isEmpty: boolean }): JSX.Element {
  if (!isEmpty) {
    return (
      <div class="empty">
        <p>No request is like that.</p>
        <p>
          <a href={hrefOf('requests', address.value.rest, { sandbox: undefined })}>Show all requests</a>
        </p>
      </div>
    );
  }
  if (connection.value === 'connecting') return <div class="empty" />;
  return <NoRequests sandbox={filter.sandbox} />;
}

function NoRequests({ sandbox }: { sandbox: string | undefined }): JSX.Element {
  const { value } = useAdmin<OperationList>('operations');
  const first = value?.operations.find(({ method, path }) => method === 'GET' && !path.includes('{'));
  const header = overview.value?.sandboxHeader;
  const chosen = sandbox !== undefined && sandbox !== 'default' && typeof header === 'string';
  const root = new URL('../', document.baseURI).href.slice(0, -1);
  const path = `${overview.value?.basePath ?? ''}${first?.path ?? '/'}`;
  const command = `curl -i ${chosen ? `-H '${header}: ${sandbox}' ` : ''}'${root}${path}'`;
  return (
    <div class="empty">
      <p>No request yet. Point your client at this mock, or send one:</p>
      <p class="command">
        <code>{command}</code>
        <CopyButton about="the command" text={() => command} />
      </p>
    </div>
  );
}

import { type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CollectionList, CollectionSummary } from '../../../server/actions/shapes';
import { address, chosenSandbox, hrefOf } from '../../base/address';
import { type Loaded, useAdmin } from '../../base/use-admin';
import type { View } from '../../base/view';
import { ErrorMessage } from '../../parts/form';
import { counted } from '../../parts/text';
import { RowsPane } from './rows-pane';
import { StateActions } from './state-actions';

export const stateView: View = { name: 'state', title: 'State', sandboxes: 'main', Page: StatePage };

function StatePage(): JSX.Element {
  const sandbox = chosenSandbox();
  const { latest, error } = useCollections(sandbox);
  const collections = latest?.collections ?? [];
  const { rest } = address.value;
  const chosen = rest === '' ? collections[0] : collections.find(({ name }) => isNamed(name, rest));
  const changed = collections.reduce((sum, each) => sum + each.changed, 0);
  return (
    <div class="column">
      <StateActions key={sandbox} sandbox={sandbox} changed={changed} />
      <ErrorMessage error={error} />
      {latest !== undefined && collections.length === 0 && <NothingStored />}
      {collections.length > 0 && (
        <div class={`split state ${rest === '' ? '' : 'split-open'}`}>
          <Collections collections={collections} chosen={chosen} />
          <div class="split-details">
            {chosen === undefined ? (
              <UnknownCollection name={rest} />
            ) : (
              <div class="column">
                <Heading summary={chosen} />
                <RowsPane
                  key={`${sandbox ?? ''} ${chosen.name}`}
                  place={{ sandbox, collection: chosen.name }}
                  summary={chosen}
                />
              </div>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

const COUNT_PAUSE_MS = 1000;

/** Asked again while there are some that were not listed or counted. */
function useCollections(sandbox: string | undefined): Loaded<CollectionList> {
  const loaded = useAdmin<CollectionList>('collections', { sandbox }, ['state', 'sandboxes', 'description']);
  const { latest, reload } = loaded;
  useEffect(() => {
    if (latest?.isWhole ?? true) return;
    const timer = setTimeout(reload, COUNT_PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [latest, reload]);
  return loaded;
}

function isNamed(name: string, rest: string): boolean {
  return name === rest || name === `/${rest}`;
}

function Heading({ summary: { name, items, changed, isSingle } }: { summary: CollectionSummary }): JSX.Element {
  return (
    <div class="state-heading">
      <a class="state-back" href={hrefOf('state')}>
        ‹ All collections
      </a>
      <h2>
        {name}{' '}
        <span class="quiet light">
          {isSingle ? 'a single record' : items !== null && counted(items, 'row')}
          {changed > 0 && `, ${changed.toLocaleString('en')} changed since the start`}
        </span>
      </h2>
    </div>
  );
}

/** More are found by their name. */
const MOST_SHOWN = 200;
const WITHOUT_FILTER = 12;

function Collections({
  collections,
  chosen,
}: {
  collections: readonly CollectionSummary[];
  chosen: CollectionSummary | undefined;
}): JSX.Element {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = collections.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <nav class="split-list collections" aria-label="Collections">
      {collections.length > WITHOUT_FILTER && (
        <input
          type="search"
          class="collections-filter"
          aria-label="Filter the collections"
          placeholder={`Filter ${counted(collections.length, 'collection')}`}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
          }}
        />
      )}
      <ul class="collections-list">
        {found.slice(0, MOST_SHOWN).map((summary) => (
          <li key={summary.name}>
            <CollectionLink summary={summary} isChosen={summary === chosen} />
          </li>
        ))}
        {found.length > MOST_SHOWN && (
          <li class="quiet collections-more">
            and {counted(found.length - MOST_SHOWN, 'other')}; the filter finds them
          </li>
        )}
        {found.length === 0 && <li class="quiet collections-more">No collection is named like that.</li>}
      </ul>
    </nav>
  );
}

function CollectionLink({
  summary: { name, items, changed },
  isChosen,
}: {
  summary: CollectionSummary;
  isChosen: boolean;
}): JSX.Element {
  return (
    <a href={hrefOf('state', name.replace(/^\//, ''))} aria-current={isChosen ? 'true' : undefined}>
      <span class="collection-name">{name}</span>
      {changed > 0 && (
        <span class="mark mark-bad" title={`${changed} changed since the start`}>
          {changed.toLocaleString('en')}
          <span class="off-screen"> changed since the start, of</span>
          <span aria-hidden="true"> changed</span>
        </span>
      )}
      <span class="collection-count">
        {items === null ? '…' : items.toLocaleString('en')}
        <span class="off-screen">{items === null ? ' not counted yet' : ' rows'}</span>
      </span>
    </a>
  );
}

function UnknownCollection({ name }: { name: string }): JSX.Element {
  return (
    <div class="empty">
      <p>There is no collection “/{name}”, or nothing was stored in it yet.</p>
      <p>
        <a href={hrefOf('state')}>Show all collections</a>
      </p>
    </div>
  );
}

function NothingStored(): JSX.Element {
  return (
    <div class="empty">
      <p>Nothing is stored yet.</p>
      <p>
        Send a request that makes something, or load a file of fixtures. A mock that is started with{' '}
        <code>--state seeded</code> begins with items of its own.
      </p>
    </div>
  );
}

import { type JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { address, chosenSandbox, goTo, hrefOf } from '../base/address';
import { isWithoutToken, tokenQuestion } from '../base/client';
import { connection, connectionError, notice, overview } from '../base/store';
import type { View } from '../base/view';
import { Banner } from './banner';
import { TokenDialog } from './token-dialog';

/** The whole page: header, what is not natural, and the view of the address. */
export function Shell({ views: all }: { views: readonly View[] }): JSX.Element {
  const view = all.find(({ name }) => name === address.value.view);
  const views = all.filter((each) => each === view || each.isShown?.() !== false);
  const title = overview.value?.title;
  useEffect(() => {
    document.title = [view?.title, title, 'standin'].filter((part) => part !== undefined).join(' · ');
  }, [view, title]);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to the content
      </a>
      <Header views={views} view={view} />
      <Notices />
      <Banner />
      <main id="main" tabIndex={-1}>
        {view === undefined ? <UnknownView views={views} /> : <view.Page />}
      </main>
      {tokenQuestion.value !== undefined && <TokenDialog isAgain={tokenQuestion.value.isAgain} />}
    </>
  );
}

function Header({ views, view }: { views: readonly View[]; view: View | undefined }): JSX.Element {
  const { title, version } = overview.value ?? {};
  const tabs = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On a small screen they scroll to the side.
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [view]);
  return (
    <header class="top">
      <div class="top-title">
        <span class="top-name" title={title}>
          {title ?? 'standin'}
        </span>
        {version !== undefined && (
          <span class="quiet" title={version}>
            {version}
          </span>
        )}
      </div>
      <nav aria-label="Views">
        <ul class="tabs" ref={tabs}>
          {views.map(({ name, title: text }) => (
            <li key={name}>
              <a href={hrefOf(name)} aria-current={name === view?.name ? 'page' : undefined}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="top-end">
        {view !== undefined && view.sandboxes !== 'none' && <SandboxChoice view={view} />}
        <ConnectionState />
      </div>
    </header>
  );
}

function SandboxChoice({ view }: { view: View }): JSX.Element {
  const chosen = chosenSandbox() ?? '';
  const known = (overview.value?.sandboxes ?? []).map(({ id }) => id).filter((id) => id !== 'default');
  const ids = chosen === '' || chosen === 'default' || known.includes(chosen) ? known : [...known, chosen];
  const isOfAll = view.sandboxes === 'all';
  return (
    <label class="sandbox-choice">
      <span class="quiet">Sandbox</span>
      <select
        value={!isOfAll && chosen === 'default' ? '' : chosen}
        onChange={({ currentTarget }) => {
          goTo(
            hrefOf(address.value.view, '', {
              ...Object.fromEntries(address.value.query),
              sandbox: currentTarget.value,
            }),
          );
        }}
      >
        {isOfAll && <option value="">all</option>}
        <option value={isOfAll ? 'default' : ''}>main</option>
        {ids.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </label>
  );
}

const CONNECTION_TEXTS = {
  connecting: 'connecting',
  live: 'live',
  lost: 'connection lost',
  refused: 'not allowed',
};

function ConnectionState(): JSX.Element {
  const state = connection.value;
  return (
    <span class={`connection connection-${state}`}>
      <span class="dot" aria-hidden="true" />
      {CONNECTION_TEXTS[state]}
    </span>
  );
}

/** What a person must know of the connection, below the header. */
function Notices(): JSX.Element {
  const error = connectionError.value;
  return (
    <div class="notices" aria-live="polite">
      {connection.value === 'lost' && (
        <p class="notice notice-bad">
          Connection lost. Trying again; what is shown may be old. Is the mock still running?
        </p>
      )}
      {connection.value === 'refused' && error !== undefined && (
        <p class="notice notice-bad">
          {error.message}
          {isWithoutToken.value && (
            <button
              type="button"
              class="small"
              onClick={() => {
                isWithoutToken.value = false;
              }}
            >
              Enter the token
            </button>
          )}
        </p>
      )}
      {notice.value !== undefined && (
        <p class="notice">
          {notice.value}
          <button
            type="button"
            class="small"
            onClick={() => {
              notice.value = undefined;
            }}
          >
            OK
          </button>
        </p>
      )}
    </div>
  );
}

function UnknownView({ views }: { views: readonly View[] }): JSX.Element {
  return (
    <section class="view">
      <h1>There is no such view</h1>
      <p>
        The address names “{address.value.view}”. There are{' '}
        {views.map(({ name, title }, index) => (
          <>
            {index > 0 && ', '}
            <a key={name} href={hrefOf(name)}>
              {title}
            </a>
          </>
        ))}
        .
      </p>
    </section>
  );
}

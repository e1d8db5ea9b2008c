import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SandboxSummary } from '../../../server/actions/shapes';
import { address, goTo, hrefOf } from '../../base/address';
import { callAdmin } from '../../base/client';
import { loadOverview, overview } from '../../base/store';
import type { View } from '../../base/view';
import { CopyButton } from '../../parts/copy-button';
import { ActionButton } from '../../parts/form';
import { dateTimeText } from '../../parts/text';
import { CreateDialog } from './create-dialog';
import { SandboxDiff } from './sandbox-diff';

export const sandboxesView: View = { name: 'sandboxes', title: 'Sandboxes', sandboxes: 'none', Page: SandboxesPage };

/** The id of the state of requests that name no sandbox. */
const MAIN = 'default';

function SandboxesPage(): JSX.Element {
  /** What a new sandbox is made of; `undefined` while none is made. */
  const [source, setSource] = useState<string | undefined>(undefined);
  const sandboxes = withMain();
  const compared = address.value.rest;
  return (
    <div class="view">
      <div class="view-head">
        <h1>Sandboxes</h1>
        <button
          type="button"
          onClick={() => {
            setSource('');
          }}
        >
          New sandbox…
        </button>
      </div>
      <p class="quiet view-about">
        A sandbox is a state of its own, for one test or one person. A request chooses it
        {headerName() === undefined ? ' as the mock was told at its start' : ' by a header'}; its first request makes
        it, from the baseline.
      </p>
      <div class="scroll" role="region" aria-label="Table of the sandboxes" tabIndex={0}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Sandbox</th>
              <th scope="col" class="number">
                Items
              </th>
              <th scope="col" class="minor">
                Last used
              </th>
              <th scope="col" class="minor">
                Created
              </th>
              <th scope="col" class="minor">
                Snapshots
              </th>
              <th scope="col">
                <span class="off-screen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sandboxes.map((sandbox) => (
              <SandboxRow
                key={sandbox.id}
                sandbox={sandbox}
                onFork={() => {
                  setSource(sandbox.id);
                }}
              />
            ))}
          </tbody>
        </table>
      </div>
      {sandboxes.length <= 1 && <NoOthers />}
      {compared !== '' && <SandboxDiff key={compared} id={compared} />}
      {source !== undefined && (
        <CreateDialog
          sandboxes={sandboxes}
          source={source}
          onClose={() => {
            setSource(undefined);
          }}
        />
      )}
    </div>
  );
}

/** The main one first, whether it is told among them or not. */
function withMain(): SandboxSummary[] {
  const { sandboxes = [], startedAt = '', items = 0, snapshots = [] } = overview.value ?? {};
  const main = sandboxes.find(({ id }) => id === MAIN) ?? {
    id: MAIN,
    createdAt: startedAt,
    lastUsedAt: '',
    items,
    snapshots,
  };
  return [main, ...sandboxes.filter(({ id }) => id !== MAIN)];
}

function headerName(): string | undefined {
  return overview.value?.sandboxHeader ?? undefined;
}

function SandboxRow({ sandbox, onFork }: { sandbox: SandboxSummary; onFork: () => void }): JSX.Element {
  const { id, items, lastUsedAt, createdAt, snapshots } = sandbox;
  const isMain = id === MAIN;
  const name = isMain ? 'main' : id;
  const isCompared = address.value.rest === id;
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf('requests', '', { sandbox: id })} title={`The requests of ${name}, and from there all of it`}>
          {name}
        </a>
      </th>
      <td class="number">{items.toLocaleString('en')}</td>
      <td class="minor">{dateTimeText(lastUsedAt)}</td>
      <td class="minor">{dateTimeText(createdAt)}</td>
      <td class="wrap minor">{snapshots.join(', ')}</td>
      <td>
        <div class="row-actions">
          <a
            class={`button small ${isCompared ? 'pressed' : ''}`}
            href={hrefOf('sandboxes', isCompared ? '' : id)}
            aria-label={`Changes of ${name}`}
            aria-current={isCompared ? 'true' : undefined}
          >
            Changes
          </a>
          <button type="button" class="small" aria-label={`Fork ${name}`} onClick={onFork}>
            Fork…
          </button>
          <ActionButton
            class="small"
            label={`Reset ${name}`}
            question={`Take ${name} back to the baseline? What was written to it is lost, and its requests are forgotten.`}
            act={() => change('POST', 'reset', id)}
          >
            Reset
          </ActionButton>
          {!isMain && headerName() !== undefined && (
            <CopyButton about={`of ${name}`} label="Copy header" text={() => `${headerName() ?? ''}: ${id}`} />
          )}
          {!isMain && (
            <ActionButton
              class="small danger"
              label={`Drop ${name}`}
              question={`Drop ${name}, with all that was written to it?`}
              act={() => drop(id)}
            >
              Drop
            </ActionButton>
          )}
        </div>
      </td>
    </tr>
  );
}

async function change(method: 'POST' | 'DELETE', path: string, id: string): Promise<void> {
  await callAdmin(path, { method, query: { sandbox: id } });
  await loadOverview();
}

async function drop(id: string): Promise<void> {
  await change('DELETE', 'sandboxes', id);
  if (address.value.rest === id) goTo(hrefOf('sandboxes'), { replace: true });
}

function NoOthers(): JSX.Element {
  const header = headerName();
  if (header === undefined) return <p class="quiet">There is no other sandbox yet.</p>;
  const line = `${header}: my-test`;
  return (
    <p class="quiet">
      There is no other sandbox yet. Send a request with <code>{line}</code>{' '}
      <CopyButton about="the header" text={() => line} /> or make one here.
    </p>
  );
}

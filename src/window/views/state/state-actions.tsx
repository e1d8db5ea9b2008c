import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Overview } from '../../../server/actions/shapes';
import { callAdmin, fetchAdmin } from '../../base/client';
import { overview } from '../../base/store';
import { useAction, useAdmin } from '../../base/use-admin';
import { ErrorMessage } from '../../parts/form';
import { saveFile } from '../../parts/save-file';
import { LoadDialog } from './load-dialog';
import { noteWritten } from './row-draft';
import { SnapshotsDialog } from './snapshots-dialog';

/** What is done with the whole state. */
export function StateActions({ sandbox, changed }: { sandbox: string | undefined; changed: number }): JSX.Element {
  const [dialog, setDialog] = useState<'snapshots' | 'load' | undefined>(undefined);
  const [done, setDone] = useState('');
  const { run, error } = useAction();
  const { latest } = useAdmin<Overview>('overview', { sandbox }, ['state']);
  const undo = latest?.undo;
  const act = (what: () => Promise<string>): void => {
    setDone('');
    void run(async () => {
      setDone(await what());
    });
  };
  const close = (): void => {
    setDialog(undefined);
  };
  return (
    <>
      <div class="bar">
        <h1 class="bar-title">State</h1>
        <div class="bar-end">
          <button
            type="button"
            class="small"
            disabled={undo === null}
            title={undo === null ? 'Nothing can be taken back' : undefined}
            onClick={() => {
              act(() => takeBack(sandbox));
            }}
          >
            <span class="undo">Undo{typeof undo === 'string' && `: ${undo}`}</span>
          </button>
          <button
            type="button"
            class="small"
            onClick={() => {
              if (confirm(RESET_QUESTION)) act(() => reset(sandbox));
            }}
          >
            Reset
          </button>
          <button
            type="button"
            class="small"
            onClick={() => {
              setDialog('snapshots');
            }}
          >
            Snapshots…
          </button>
          <button
            type="button"
            class="small"
            onClick={() => {
              act(() => download(sandbox));
            }}
          >
            Download
          </button>
          <button
            type="button"
            class="small"
            onClick={() => {
              setDialog('load');
            }}
          >
            Load…
          </button>
        </div>
      </div>
      <div class="state-said" role="status">
        {done !== '' && <p class="quiet">{done}</p>}
        {done === '' && changed > 0 && <p class="off-screen">{changed} rows changed since the start</p>}
      </div>
      <ErrorMessage error={error} />
      {dialog === 'snapshots' && <SnapshotsDialog sandbox={sandbox} onClose={close} />}
      {dialog === 'load' && <LoadDialog sandbox={sandbox} onClose={close} />}
    </>
  );
}

const RESET_QUESTION =
  'Take the state back to the baseline? Undo brings it back; the requests of this sandbox are forgotten.';

async function takeBack(sandbox: string | undefined): Promise<string> {
  const { undone } = await callAdmin<{ readonly undone: string }>('undo', { method: 'POST', query: { sandbox } });
  noteWritten();
  return `Taken back: ${undone}.`;
}

async function reset(sandbox: string | undefined): Promise<string> {
  await callAdmin('reset', { method: 'POST', query: { sandbox } });
  noteWritten();
  return 'The state is as it was at the start.';
}

/** Each digit as it was sent: the text is not read on its way. */
async function download(sandbox: string | undefined): Promise<string> {
  const response = await fetchAdmin('state', { query: { all: true, secrets: true, sandbox } });
  const name = fileName(sandbox);
  saveFile(name, await response.text(), 'application/json');
  return `Saved as ${name}, with what is write-only.`;
}

function fileName(sandbox: string | undefined): string {
  const parts = [overview.value?.title, sandbox, 'fixtures'].filter((part) => part !== undefined);
  return `${parts
    .join('-')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(0, 100)}.json`;
}

import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SandboxSummary } from '../../../server/actions/shapes';
import { callAdmin } from '../../base/client';
import { loadOverview } from '../../base/store';
import { useAction } from '../../base/use-admin';
import { Dialog } from '../../parts/dialog';
import { ErrorMessage, Field, messagesAt } from '../../parts/form';

interface CreateDialogProps {
  readonly sandboxes: readonly SandboxSummary[];
  /** The id of the sandbox that is forked; `''` for the baseline. */
  readonly source: string;
  readonly onClose: () => void;
}

/** Makes a sandbox: of the baseline, of another one as it is, or of a snapshot of that. */
export function CreateDialog({ sandboxes, source, onClose }: CreateDialogProps): JSX.Element {
  const [id, setId] = useState('');
  const [from, setFrom] = useState(source);
  const [snapshot, setSnapshot] = useState('');
  const { run, error } = useAction();
  const snapshots = sandboxes.find((sandbox) => sandbox.id === from)?.snapshots ?? [];
  const create = async (): Promise<void> => {
    const body = { id, ...(from === '' ? {} : { from }), ...(snapshot === '' ? {} : { snapshot }) };
    const isDone = await run(() => callAdmin('sandboxes', { method: 'POST', body }));
    if (!isDone) return;
    onClose();
    await loadOverview();
  };
  return (
    <Dialog title={source === '' ? 'New sandbox' : `Fork ${source === 'default' ? 'main' : source}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Field label="Name" hint="1 to 64 letters, digits, “.”, “_” or “-”" messages={messagesAt(error, '/id')}>
          {(props) => (
            <input
              {...props}
              required
              maxLength={64}
              autocomplete="off"
              spellcheck={false}
              value={id}
              onInput={({ currentTarget }) => {
                setId(currentTarget.value);
              }}
            />
          )}
        </Field>
        <Field label="Begins with" messages={messagesAt(error, '/from')}>
          {(props) => (
            <select
              {...props}
              value={from}
              onChange={({ currentTarget }) => {
                setFrom(currentTarget.value);
                setSnapshot('');
              }}
            >
              <option value="">the baseline</option>
              {sandboxes.map((sandbox) => (
                <option key={sandbox.id} value={sandbox.id}>
                  {sandbox.id === 'default' ? 'main' : sandbox.id}, as it is now
                </option>
              ))}
            </select>
          )}
        </Field>
        {snapshots.length > 0 && (
          <Field label="Or with a snapshot of it" messages={messagesAt(error, '/snapshot')}>
            {(props) => (
              <select
                {...props}
                value={snapshot}
                onChange={({ currentTarget }) => {
                  setSnapshot(currentTarget.value);
                }}
              >
                <option value="">none</option>
                {snapshots.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
          </Field>
        )}
        <ErrorMessage error={error} fields={['/id', '/from']} />
        <div class="actions">
          <button type="submit" class="primary">
            Make it
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

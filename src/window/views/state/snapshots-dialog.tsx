import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { callAdmin } from '../../base/client';
import { useAction, useAdmin } from '../../base/use-admin';
import { Dialog } from '../../parts/dialog';
import { ActionButton, ErrorMessage, Field, messagesAt } from '../../parts/form';
import { noteWritten } from './row-draft';

interface SnapshotsDialogProps {
  readonly sandbox: string | undefined;
  readonly onClose: () => void;
}

/** Keeps the state under a name, and goes back to one that was kept. */
export function SnapshotsDialog({ sandbox, onClose }: SnapshotsDialogProps): JSX.Element {
  const { latest, error, reload } = useAdmin<{ readonly snapshots: readonly string[] }>('snapshots', { sandbox }, [
    'state',
  ]);
  const snapshots = latest?.snapshots ?? [];
  const restore = async (name: string): Promise<void> => {
    await callAdmin('restore', { method: 'POST', query: { sandbox }, body: { name } });
    noteWritten();
    onClose();
  };
  return (
    <Dialog title="Snapshots" onClose={onClose}>
      <ErrorMessage error={error} />
      {latest !== undefined && snapshots.length === 0 && (
        <p class="view-about quiet">None yet. A snapshot keeps all that is stored, to come back to.</p>
      )}
      {snapshots.length > 0 && (
        <ul class="snapshots">
          {snapshots.map((name) => (
            <li key={name}>
              <span>{name}</span>
              <ActionButton class="small" label={`Restore ${name}`} act={() => restore(name)}>
                Restore
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
      <SaveForm sandbox={sandbox} snapshots={snapshots} onSaved={reload} />
    </Dialog>
  );
}

interface SaveFormProps {
  readonly sandbox: string | undefined;
  readonly snapshots: readonly string[];
  readonly onSaved: () => void;
}

function SaveForm({ sandbox, snapshots, onSaved }: SaveFormProps): JSX.Element {
  const [name, setName] = useState('');
  const [saved, setSaved] = useState('');
  const { run, isBusy, error } = useAction();
  const save = async (): Promise<void> => {
    setSaved('');
    const isDone = await run(() =>
      callAdmin('snapshot', { method: 'POST', query: { sandbox }, body: { name: name.trim() } }),
    );
    if (!isDone) return;
    setSaved(name.trim());
    setName('');
    noteWritten();
    onSaved();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        label="Name of a new snapshot"
        hint={snapshots.includes(name.trim()) ? 'There is one of that name; it will be another one.' : undefined}
        messages={messagesAt(error, '/name')}
      >
        {(props) => (
          <input
            {...props}
            required
            maxLength={200}
            autocomplete="off"
            spellcheck={false}
            value={name}
            onInput={({ currentTarget }) => {
              setName(currentTarget.value);
            }}
          />
        )}
      </Field>
      <ErrorMessage error={error} fields={['/name']} />
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          Save what is stored now
        </button>
        <span role="status" class="copy-result">
          {saved !== '' && `saved as ${saved}`}
        </span>
      </div>
    </form>
  );
}

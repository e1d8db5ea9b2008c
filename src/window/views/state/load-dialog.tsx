import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../core/json/json-value';
import { callAdmin } from '../../base/client';
import { useAction } from '../../base/use-admin';
import { Dialog } from '../../parts/dialog';
import { ErrorMessage, Field } from '../../parts/form';
import { noteWritten, readItem } from './row-draft';

/** Replaces the state by a file of fixtures. */
export function LoadDialog({ sandbox, onClose }: { sandbox: string | undefined; onClose: () => void }): JSX.Element {
  const [file, setFile] = useState<File | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { run, isBusy, error, clearError } = useAction();
  const load = async (): Promise<void> => {
    const state = file === undefined ? 'Choose a file first' : await readFile(file);
    setProblem(typeof state === 'string' ? state : undefined);
    if (typeof state === 'string') return;
    const isDone = await run(() => callAdmin('state', { method: 'PUT', query: { sandbox }, body: state }));
    if (!isDone) return;
    noteWritten();
    onClose();
  };
  return (
    <Dialog title="Load fixtures" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void load();
        }}
      >
        <Field
          label="File"
          hint="JSON, as “Download” writes it. It takes the place of all that is stored; “Undo” takes it back."
          messages={problem === undefined ? [] : [problem]}
        >
          {(props) => (
            <input
              {...props}
              type="file"
              accept=".json,application/json"
              onChange={({ currentTarget }) => {
                setFile(currentTarget.files?.[0]);
                setProblem(undefined);
                clearError();
              }}
            />
          )}
        </Field>
        <ErrorMessage error={error} />
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isBusy}>
            Load
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** @returns the object that is in it, or why there is none */
async function readFile(file: File): Promise<JsonObject | string> {
  try {
    return readItem(await file.text());
  } catch {
    return 'The file cannot be read any more; it was changed since it was chosen. Choose it again';
  }
}

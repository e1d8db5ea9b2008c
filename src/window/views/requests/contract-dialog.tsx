import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RequestSummary, SavedContract } from '../../../server/actions/shapes';
import { callAdmin } from '../../base/client';
import { useAction } from '../../base/use-admin';
import { CopyButton } from '../../parts/copy-button';
import { Dialog } from '../../parts/dialog';
import { ErrorMessage, Field, messagesAt } from '../../parts/form';
import { saveFile } from '../../parts/save-file';
import { counted } from '../../parts/text';

interface ContractDialogProps {
  /** Oldest first. */
  readonly entries: readonly RequestSummary[];
  /** Were they chosen one by one, and are not simply all that is shown? */
  readonly isChoice: boolean;
  readonly onClose: () => void;
}

/** Makes a contract of requests, says what became of them, and saves it. */
export function ContractDialog({ entries, isChoice, onClose }: ContractDialogProps): JSX.Element {
  const sandboxes = bySandbox(entries);
  const [sandbox, setSandbox] = useState(sandboxes[0]?.id ?? 'default');
  const [file, setFile] = useState('contracts/recorded.yaml');
  const [made, setMade] = useState<SavedContract | undefined>(undefined);
  const { run, isBusy, error } = useAction();
  const meant = entries.filter((entry) => entry.sandbox === sandbox);
  const make = (): Promise<boolean> =>
    run(async () => {
      setMade(undefined);
      const body = { requests: meant.map(({ seq }) => seq), file };
      setMade(await callAdmin<SavedContract>('contract', { method: 'POST', query: { sandbox }, body }));
    });
  return (
    <Dialog title="Save as contract" isWide onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <p>
          Of {isChoice ? 'the chosen requests' : 'the requests that are shown'}: {counted(meant.length, 'request')}. Ids
          are carried from step to step, what was made is removed in the end, and secrets are replaced.
        </p>
        {sandboxes.length > 1 && (
          <Field label="Sandbox" hint="A contract is of one.">
            {(props) => (
              <select
                {...props}
                value={sandbox}
                onChange={({ currentTarget }) => {
                  setSandbox(currentTarget.value);
                  setMade(undefined);
                }}
              >
                {sandboxes.map(({ id, count }) => (
                  <option key={id} value={id}>
                    {`${id === 'default' ? 'main' : id}: ${counted(count, 'request')}`}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field
          label="File"
          hint={`Where it will stand in your project. Nothing is written there: you download ${nameOf(file)}, and save it there.`}
          messages={messagesAt(error, '/file')}
        >
          {(props) => (
            <input
              {...props}
              class="mono"
              value={file}
              onInput={({ currentTarget }) => {
                setFile(currentTarget.value);
              }}
            />
          )}
        </Field>
        <ErrorMessage error={error} fields={['/file']} />
        <div class="actions">
          <button type="submit" class={made === undefined ? 'primary' : ''} aria-disabled={isBusy}>
            {made === undefined ? 'Make the contract' : 'Make it again'}
          </button>
          <button type="button" onClick={onClose}>
            {made === undefined ? 'Cancel' : 'Done'}
          </button>
        </div>
      </form>
      <div role="status">{made !== undefined && <MadeContract made={made} />}</div>
    </Dialog>
  );
}

/** `shop.yaml` of `contracts/shop.yaml`: all that a browser takes of a path. */
function nameOf(file: string): string {
  return file.replace(/^.*[/\\]/, '');
}

/** The sandboxes of requests, the one with most first. */
function bySandbox(entries: readonly RequestSummary[]): { readonly id: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { sandbox } of entries) counts.set(sandbox, (counts.get(sandbox) ?? 0) + 1);
  return [...counts].map(([id, count]) => ({ id, count })).sort((one, other) => other.count - one.count);
}

function MadeContract({ made }: { made: SavedContract }): JSX.Element {
  const { file, yaml, counts, leftOut, notes, environment, identities, command } = made;
  return (
    <section class="section">
      <h3>
        {counted(counts.steps, 'step')}, {counts.setup} in the setup, {counts.cleanup} in the cleanup
      </h3>
      <Told
        title="Left out"
        lines={leftOut.map(({ count, reason, examples }) => `${count} ${reason}: ${examples.join(', ')}`)}
      />
      <Told title="To look at" lines={notes} />
      <Told title="To be set in the environment" lines={environment} />
      <Told title="To be given keys (--identity)" lines={identities} />
      <div class="actions">
        <button
          type="button"
          class="primary"
          onClick={() => {
            saveFile(nameOf(file), yaml, 'application/yaml');
          }}
        >
          Download {nameOf(file)}
        </button>
        <CopyButton label="Copy" about="the contract" text={() => yaml} />
      </div>
      <pre class="text contract-text" role="group" aria-label="The contract" tabIndex={0}>
        {yaml}
      </pre>
      <p>
        Save it as <code>{file}</code>, and replay it at this mock:
      </p>
      <p class="command">
        <code>{command}</code>
        <CopyButton about="the command" text={() => command} />
      </p>
    </section>
  );
}

function Told({ title, lines }: { title: string; lines: readonly string[] }): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class="told">
        {lines.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
    </>
  );
}

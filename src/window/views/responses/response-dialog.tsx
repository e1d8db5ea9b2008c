import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { stringifyJsonPretty } from '../../../core/json/stringify-json';
import type { ForcedResponse, OperationSummary, ResponseSample } from '../../../server/actions/shapes';
import { callAdmin } from '../../base/client';
import { loadOverview } from '../../base/store';
import { useAction } from '../../base/use-admin';
import { Dialog } from '../../parts/dialog';
import { ErrorMessage, Field, messagesAt } from '../../parts/form';
import { jsonOf } from '../../parts/message';
import { type Choice, choiceOf, optionsOf } from './choice';

interface ResponseDialogProps {
  readonly operation: OperationSummary;
  /** What was chosen before. */
  readonly forced: ForcedResponse | undefined;
  /** `undefined` for the main one. */
  readonly sandbox: string | undefined;
  readonly onClose: () => void;
}

const FAULTS = ['reset', 'truncate', 'empty', 'malformed-json', 'wrong-content-type', 'dribble:10/100ms'];

const FIELDS = ['/status', '/times', '/body', '/headers', '/delayMs', '/fault'];

/** Chooses what an operation answers next, once, several times or until it is removed. */
export function ResponseDialog({ operation, forced, sandbox, onClose }: ResponseDialogProps): JSX.Element {
  const [choice, setChoice] = useState(() => choiceOf(forced));
  const [wrong, setWrong] = useState<string | undefined>(undefined);
  const { run, isBusy, error } = useAction();
  const change = (changes: Partial<Choice>): void => {
    setChoice({ ...choice, ...changes });
  };
  const submit = async (): Promise<void> => {
    const { options, problem } = optionsOf(choice);
    setWrong(problem);
    if (problem !== undefined) return;
    const isDone = await run(() =>
      callAdmin('responses', {
        method: 'PUT',
        query: { sandbox: choice.inAll ? '*' : sandbox },
        body: { operation: operation.id, ...options },
      }),
    );
    if (isDone) onClose();
    await loadOverview();
  };
  const remove = async (): Promise<void> => {
    const query = { operation: operation.id, sandbox: forced?.sandbox === '*' ? '*' : sandbox };
    const isDone = await run(() => callAdmin('responses', { method: 'DELETE', query }));
    if (isDone) onClose();
    await loadOverview();
  };
  const fill = async (): Promise<void> => {
    const { status, example } = choice;
    await run(async () => {
      const query = { operation: operation.id, status, example };
      const { text } = await callAdmin<ResponseSample>('sample', { query });
      const value = jsonOf(text ?? '');
      change({ body: value === undefined ? (text ?? '') : stringifyJsonPretty(value) });
    });
  };
  const own = messagesAt(error, '/body');
  const examples = operation.statuses.find(({ status }) => status === choice.status)?.examples ?? [];
  return (
    <Dialog title={`${operation.method} ${operation.path} answers`} isWide onClose={onClose}>
      <p class="view-about quiet">
        {choice.inAll ? 'In all sandboxes' : `In the sandbox ${sandbox ?? 'main'}`}, to the requests that come from now
        on.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div class="field-pair">
          <Field label="Status" hint="empty: as it answers naturally" messages={messagesAt(error, '/status')}>
            {(props) => (
              <>
                <input
                  {...props}
                  list="documented-statuses"
                  inputMode="numeric"
                  pattern="[1-5][0-9][0-9]"
                  placeholder="natural"
                  value={choice.status}
                  onInput={({ currentTarget }) => {
                    change({ status: currentTarget.value, example: '' });
                  }}
                />
                <datalist id="documented-statuses">
                  {operation.statuses
                    .filter(({ status }) => /^\d+$/.test(status))
                    .map(({ status, description }) => (
                      <option key={status} value={status}>
                        {description}
                      </option>
                    ))}
                </datalist>
              </>
            )}
          </Field>
          <Field label="Times" hint="empty: until it is removed" messages={messagesAt(error, '/times')}>
            {(props) => (
              <input
                {...props}
                inputMode="numeric"
                value={choice.times}
                placeholder="until removed"
                onInput={({ currentTarget }) => {
                  change({ times: currentTarget.value });
                }}
              />
            )}
          </Field>
        </div>
        {examples.length > 0 && (
          <Field label="Example" messages={messagesAt(error, '/example')}>
            {(props) => (
              <select
                {...props}
                value={choice.example}
                onChange={({ currentTarget }) => {
                  change({ example: currentTarget.value });
                }}
              >
                <option value="">the first that fits</option>
                {examples.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field label="Body" hint="JSON; empty: the documented one" messages={own}>
          {(props) => (
            <textarea
              {...props}
              rows={8}
              spellcheck={false}
              class="target"
              value={choice.body}
              onInput={({ currentTarget }) => {
                change({ body: currentTarget.value });
              }}
            />
          )}
        </Field>
        <div class="actions">
          <button type="button" class="small" aria-disabled={isBusy} onClick={() => void fill()}>
            Begin with the documented body
          </button>
        </div>
        <Field label="Headers" hint="one a line, as Name: value" messages={messagesAt(error, '/headers')}>
          {(props) => (
            <textarea
              {...props}
              rows={2}
              spellcheck={false}
              class="target"
              value={choice.headers}
              onInput={({ currentTarget }) => {
                change({ headers: currentTarget.value });
              }}
            />
          )}
        </Field>
        <div class="field-pair">
          <Field label="Delay" hint="milliseconds" messages={messagesAt(error, '/delayMs')}>
            {(props) => (
              <input
                {...props}
                inputMode="numeric"
                value={choice.delayMs}
                onInput={({ currentTarget }) => {
                  change({ delayMs: currentTarget.value });
                }}
              />
            )}
          </Field>
          <Field label="Fault" hint="such as reset" messages={messagesAt(error, '/fault')}>
            {(props) => (
              <>
                <input
                  {...props}
                  list="faults"
                  value={choice.fault}
                  onInput={({ currentTarget }) => {
                    change({ fault: currentTarget.value });
                  }}
                />
                <datalist id="faults">
                  {FAULTS.map((fault) => (
                    <option key={fault} value={fault} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
        </div>
        <Check
          label="Violates: it may break the description, on purpose"
          isOn={choice.violates}
          onChange={(violates) => {
            change({ violates });
          }}
        />
        <Check
          label="In all sandboxes that have none of their own"
          isOn={choice.inAll}
          onChange={(inAll) => {
            change({ inAll });
          }}
        />
        {wrong !== undefined && (
          <p class="error" role="alert">
            {wrong}
          </p>
        )}
        <ErrorMessage error={error} fields={FIELDS} />
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isBusy}>
            Save
          </button>
          {forced !== undefined && (
            <button type="button" class="danger" aria-disabled={isBusy} onClick={() => void remove()}>
              Answer naturally again
            </button>
          )}
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Check({ label, isOn, onChange }: CheckProps): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.checked);
        }}
      />{' '}
      {label}
    </label>
  );
}

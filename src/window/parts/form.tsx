import { type ComponentChildren, type JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { AdminError } from '../../server/actions/shapes';
import { useAction } from '../base/use-admin';

/** What an input needs, so that its label, hint and messages belong to it. */
export interface FieldProps {
  readonly id: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': boolean;
}

interface FieldOptions {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value. */
  readonly messages?: readonly string[];
  readonly children: (props: FieldProps) => ComponentChildren;
}

/** A labelled input: `<Field label="Name">{(props) => <input {...props} />}</Field>`. */
export function Field({ label, hint, messages = [], children }: FieldOptions): JSX.Element {
  const id = useId();
  const about = `${id}-about`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': messages.length > 0 })}
      <div id={about} class="field-about">
        {hint !== undefined && <span class="quiet">{hint}</span>}
        {messages.map((message) => (
          <span key={message} class="field-message" role="alert">
            {message}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Messages of an error that are about the value at a pointer, for its field. */
export function messagesAt(error: AdminError | undefined, pointer: string): string[] {
  return (error?.findings ?? [])
    .filter((finding) => finding.pointer === pointer)
    .map(({ message, expected }) => (expected === null ? message : `${message}; expected ${expected}`));
}

interface ErrorMessageProps {
  readonly error: AdminError | undefined;
  /** Pointers of those that have a field, where their messages stand. */
  readonly fields?: readonly string[];
}

/** Why something failed, with what is wrong where. */
export function ErrorMessage({ error, fields = [] }: ErrorMessageProps): JSX.Element | null {
  if (error === undefined) return null;
  const findings = error.findings.filter(({ pointer }) => !fields.includes(pointer));
  return (
    <div class="error" role="alert">
      <p>{error.message}</p>
      {findings.length > 0 && (
        <ul>
          {findings.map(({ pointer, message, expected }) => (
            <li key={`${pointer} ${message}`}>
              {pointer !== '' && <code>{pointer}</code>} {message}
              {expected !== null && <>; expected {expected}</>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface ActionButtonProps {
  readonly act: () => Promise<unknown>;
  readonly children: ComponentChildren;
  /** Where the text of the button does not say enough; it holds that text. */
  readonly label?: string;
  readonly class?: string;
  /** Asked before it is done, for what cannot be taken back. */
  readonly question?: string;
}

/** A button that does one thing and says why it could not. */
export function ActionButton({
  act,
  children,
  label,
  class: className = '',
  question,
}: ActionButtonProps): JSX.Element {
  const { run, isBusy, error } = useAction();
  const start = (): void => {
    if (question !== undefined && !confirm(question)) return;
    void run(act);
  };
  return (
    <>
      <button type="button" class={className} aria-label={label} aria-disabled={isBusy} onClick={start}>
        {children}
      </button>
      <ErrorMessage error={error} />
    </>
  );
}

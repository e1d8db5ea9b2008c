import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { EventFaultList } from '../../../server/actions/delivery-shapes';
import { callAdmin } from '../../base/client';
import { useAction, useAdmin } from '../../base/use-admin';
import { ErrorMessage } from '../../parts/form';
import { counted } from '../../parts/text';

const KINDS = ['twice', 'late:30s', 'out-of-order', 'wrong-signature'];

/** What goes wrong with events on their way, and a field for more of it. */
export function EventFaults(): JSX.Element {
  const { latest } = useAdmin<EventFaultList>('event-faults', {}, ['events', 'faults']);
  const [text, setText] = useState('');
  const { run, error } = useAction();
  const faults = latest?.faults ?? [];
  const set = (next: readonly string[]): Promise<boolean> =>
    run(() => callAdmin('event-faults', { method: 'PUT', body: { faults: [...next] } }));
  return (
    <section aria-label="What goes wrong with events">
      {faults.map(({ fault, happened }, index) => (
        <p key={`${fault} ${index}`}>
          <span class="mark mark-bad">{fault}</span> happened in {counted(happened, 'message')}{' '}
          <button
            type="button"
            class="small"
            aria-label={`End ${fault}`}
            onClick={() => void set(faults.filter((_, other) => other !== index).map((each) => each.fault))}
          >
            End
          </button>
        </p>
      ))}
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void set([...faults.map(({ fault }) => fault), text]).then((isDone) => {
            if (isDone) setText('');
          });
        }}
      >
        <input
          aria-label="What is to go wrong with events"
          placeholder="twice;event=order.paid;times=1"
          list="event-faults"
          autocomplete="off"
          spellcheck={false}
          required
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
          }}
        />
        <datalist id="event-faults">
          {KINDS.map((kind) => (
            <option key={kind} value={kind} />
          ))}
        </datalist>
        <button type="submit" class="small">
          Let it go wrong
        </button>
      </form>
      <ErrorMessage error={error} />
    </section>
  );
}

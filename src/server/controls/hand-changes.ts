import type { Mock } from '../../mock/create-mock';
import type { Sandbox } from '../../mock/sandbox/sandbox';
import { redactJournalEntry } from '../../mock/sandbox/state-export';
import type { LastChange } from '../../mock/sandbox/undo-history';
import { areSameStates, type State } from '../../mock/state/state';

/** Does something to a state, and notes for an undo what it was; nothing is noted of what changed nothing. */
export function changeByHand(
  state: () => State,
  find: () => Sandbox | undefined,
): <Result>(text: string, act: () => Result) => Result {
  return (text, act) => {
    const before = state();
    const result = act();
    const sandbox = find();
    if (sandbox !== undefined && !areSameStates(before, sandbox.snapshot())) sandbox.history.note(text, before);
    return result;
  };
}

export function rowText(collection: string, key: string | number | bigint | undefined): string {
  return key === undefined ? collection : `${collection}/${key}`;
}

/** For people: `DELETE /books/3`, `reset`. */
export function changeText({ context }: Mock, change: LastChange): string {
  if (change.by === 'hand') return change.text;
  if (change.entry === undefined) return 'a request';
  const { method, target } = redactJournalEntry(context.api, change.entry);
  return `${method} ${target}`;
}

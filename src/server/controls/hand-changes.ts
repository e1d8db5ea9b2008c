import type { Mock } from '../../mock/create-mock';
import type { Sandbox } from '../../mock/sandbox/sandbox';
import type { SandboxStore } from '../../mock/sandbox/sandbox-store';
import { redactJournalEntry } from '../../mock/sandbox/state-export';
import type { LastChange } from '../../mock/sandbox/undo-history';
import { areSameStates, type State } from '../../mock/state/state';

/** Does something to a state, and notes for an undo what it was; nothing is noted of what changed nothing. */
export function changeByHand(
  state: () => State,
  find: () => Sandbox | undefined,
  store: () => SandboxStore | undefined,
): <Result>(text: string, act: () => Result) => Result {
  return (text, act) => {
    const before = state();
    const result = act();
    const sandbox = find();
    if (sandbox === undefined) return result;
    storeChange(store(), sandbox, before);
    if (!areSameStates(before, sandbox.snapshot())) sandbox.history.note(text, before);
    return result;
  };
}

/** @throws StoreError where it cannot be stored; the state is then as it was before */
export function storeChange(store: SandboxStore | undefined, sandbox: Sandbox, before: State): void {
  try {
    store?.note(sandbox, before);
  } catch (error) {
    sandbox.restore(before);
    throw error;
  }
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

import type { State } from '../state/state';
import type { Journal } from './journal';
import type { LastRequest } from './journal-entry';

/** So many changes by hand are remembered: each may hold a state of its own. */
const REMEMBERED = 20;

/** A change of the state that no request made. */
interface HandChange {
  /** In words: `removed /books/3`. */
  readonly text: string;
  readonly before: State;
  /** Requests that were answered before it. */
  readonly position: number;
}

/** What changed the state last, of what was not taken back yet. */
export type LastChange =
  | (Extract<LastRequest, { kind: 'found' }> & { readonly by: 'request' })
  | (HandChange & { readonly by: 'hand' });

/**
 * The changes of one sandbox in the order in which they came, so that the last one can be taken back: those of requests, which the
 * journal has anyway, and those that were made by hand, each with the state before it. A request costs nothing here.
 */
export class UndoHistory {
  private readonly journal: Journal;
  private readonly byHand: HandChange[] = [];
  /** Requests that were taken back, by their position. */
  private readonly takenBack = new Set<number>();
  /** Requests up to this one stay: what came after them is not known any more. */
  private floor = 0;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  /** Notes what was done by hand just now. @param before - the state until then */
  note(text: string, before: State): void {
    this.byHand.push({ text, before, position: this.journal.position });
    if (this.byHand.length > REMEMBERED) this.floor = this.byHand.shift()?.position ?? this.floor;
  }

  /** What was done until now stays. */
  forget(): void {
    this.byHand.length = 0;
    this.takenBack.clear();
    this.floor = this.journal.position;
  }

  /** @returns `undefined` where there is nothing, and where what came last is not remembered */
  last(): LastChange | undefined {
    const hand = this.byHand.at(-1);
    const since = Math.max(this.floor, hand?.position ?? 0);
    const request = this.journal.lastChange(since, (position) => this.takenBack.has(position));
    if (request.kind === 'found') return { ...request, by: 'request' };
    return request.kind === 'none' && hand !== undefined ? { ...hand, by: 'hand' } : undefined;
  }

  /** From now on a change is as if it had never been. */
  remove(change: LastChange): void {
    if (change.by === 'hand') {
      this.byHand.pop();
      return;
    }
    for (const position of this.takenBack) if (!this.journal.remembers(position)) this.takenBack.delete(position);
    this.takenBack.add(change.position);
  }
}

/** A request that was answered, by the counter of its run. */
export interface TimedEvent {
  readonly sentAt: number;
  readonly respondedAt: number;
}

/** What one event after the other does to a state. */
export interface SequentialModel<State, Event> {
  readonly initial: State;
  /** @returns what may be afterwards, or why the event cannot have come here */
  next(state: State, event: Event): readonly State[] | string;
  /** A text that two states share when nothing tells them apart. */
  keyOf(state: State): string;
}

/** An order that no further event fits to: those that came so far, and why none of the next ones can. */
export interface Impasse<Event> {
  readonly order: readonly Event[];
  readonly blocked: readonly { readonly event: Event; readonly reason: string }[];
}

export type OrderSearch<Event> =
  | { readonly kind: 'explained'; readonly order: readonly Event[] }
  /** With those of the orders that came farthest. */
  | { readonly kind: 'unexplained'; readonly impasses: readonly Impasse<Event>[] }
  /** There are more states than are looked at. */
  | { readonly kind: 'undecided' };

const MOST_STATES = 20_000;
const MOST_IMPASSES = 8;

/**
 * Looks for an order of events in which each could be answered as it was: is the history linearizable? What was answered
 * before another one was sent comes before it; of the others each may be the next one (Wing and Gong, "Testing and
 * Verifying Concurrent Objects", 1993). What was tried once, the same events with the same outcome, is not tried again
 * (Lowe, "Testing for linearizability", 2017).
 *
 * @param events - where several may be the next one, they are tried in this order
 */
export function searchOrder<State, Event extends TimedEvent>(
  events: readonly Event[],
  model: SequentialModel<State, Event>,
): OrderSearch<Event> {
  return new Search(events, model).run();
}

class Search<State, Event extends TimedEvent> {
  private readonly events: readonly Event[];
  private readonly model: SequentialModel<State, Event>;
  private readonly seen = new Set<string>();
  private readonly order: Event[] = [];
  private impasses: Impasse<Event>[] = [];

  constructor(events: readonly Event[], model: SequentialModel<State, Event>) {
    this.events = events;
    this.model = model;
  }

  run(): OrderSearch<Event> {
    const isExplained = this.explores(this.model.initial, new Set());
    if (isExplained) return { kind: 'explained', order: [...this.order] };
    return this.seen.size >= MOST_STATES ? { kind: 'undecided' } : { kind: 'unexplained', impasses: this.impasses };
  }

  private explores(state: State, done: ReadonlySet<Event>): boolean {
    if (done.size === this.events.length) return true;
    if (this.isKnown(state, done) || this.seen.size >= MOST_STATES) return false;
    const blocked: Impasse<Event>['blocked'][number][] = [];
    const possible = this.possibleNext(done);
    for (const event of possible) {
      const next = this.model.next(state, event);
      if (typeof next === 'string') blocked.push({ event, reason: next });
      else if (this.goesOn(event, next, done)) return true;
    }
    if (blocked.length === possible.length) this.noteImpasse(blocked);
    return false;
  }

  private goesOn(event: Event, states: readonly State[], done: ReadonlySet<Event>): boolean {
    this.order.push(event);
    if (states.some((state) => this.explores(state, new Set([...done, event])))) return true;
    this.order.pop();
    return false;
  }

  /** Those that nothing has to come before. */
  private possibleNext(done: ReadonlySet<Event>): Event[] {
    const left = this.events.filter((event) => !done.has(event));
    const firstAnswer = Math.min(...left.map(({ respondedAt }) => respondedAt));
    return left.filter(({ sentAt }) => sentAt <= firstAnswer);
  }

  private isKnown(state: State, done: ReadonlySet<Event>): boolean {
    const key = `${this.events.map((event) => (done.has(event) ? 1 : 0)).join('')} ${this.model.keyOf(state)}`;
    if (this.seen.has(key)) return true;
    this.seen.add(key);
    return false;
  }

  private noteImpasse(blocked: Impasse<Event>['blocked']): void {
    const farthest = this.impasses[0]?.order.length ?? 0;
    if (this.order.length > farthest) this.impasses = [];
    if (this.order.length < farthest || this.impasses.length >= MOST_IMPASSES) return;
    this.impasses.push({ order: [...this.order], blocked });
  }
}

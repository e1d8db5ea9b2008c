import fc from 'fast-check';
import { searchOrder } from '../../src/checks/together/order-search';
import { type ThingEvent, ThingModel, type ThingState } from '../../src/checks/together/thing-model';
import type { JsonValue } from '../../src/core/json/json-value';

/** What a client asks for: values are small, so that they meet. */
type Request = Pick<ThingEvent, 'action'> & {
  readonly sent: Readonly<Record<string, number>>;
  /** Does it name the entity tag that the thing had before all of them? */
  readonly isConditional: boolean;
};

interface Thing {
  values: Readonly<Record<string, number>> | undefined;
  version: number;
}

const NO_VALUES: ReadonlyMap<string, JsonValue> = new Map();
const FIRST_TAG = '"1"';

/** What a service that does one request after the other answers; the thing is changed. */
function answer(thing: Thing, { action, sent, isConditional }: Request): Partial<ThingEvent> {
  if (action === 'create') {
    if (thing.values !== undefined) return { outcome: 'refused' };
    Object.assign(thing, { values: sent, version: thing.version + 1 });
    return { outcome: 'done', isNew: true };
  }
  if (thing.values === undefined) return { outcome: 'absent' };
  if (action === 'read')
    return { outcome: 'done', shown: new Map(Object.entries(thing.values)), tag: `"${thing.version}"` };
  if (isConditional && thing.version !== 1) return { outcome: 'unmet' };
  const rest = action === 'merge' ? thing.values : {};
  thing.values = action === 'remove' ? undefined : { ...rest, ...sent };
  thing.version += 1;
  return { outcome: 'done' };
}

function eventOf(request: Request, answered: Partial<ThingEvent>, sentAt: number, respondedAt: number): ThingEvent {
  return {
    action: request.action,
    sent: request.action === 'read' ? NO_VALUES : new Map(Object.entries(request.sent)),
    shown: NO_VALUES,
    namesKey: true,
    isNew: false,
    tag: undefined,
    outcome: 'refused',
    condition:
      request.isConditional && request.action !== 'create' && request.action !== 'read' ? FIRST_TAG : undefined,
    ...answered,
    sentAt,
    respondedAt,
  };
}

const CREATE: Request = { action: 'create', sent: { a: 0, b: 0 }, isConditional: false };
const READ: Request = { action: 'read', sent: {}, isConditional: false };

/** A thing that is made and read, then requests at the same time, each done at some moment between, then a read. */
function history(
  requests: readonly {
    readonly request: Request;
    readonly doneAt: number;
    readonly lead: number;
    readonly lag: number;
  }[],
  answerTo = answer,
): ThingEvent[] {
  const thing: Thing = { values: undefined, version: 0 };
  const before = [CREATE, READ].map((request, index) =>
    eventOf(request, answer(thing, request), index * 2, index * 2 + 1),
  );
  const group = requests
    .toSorted((one, other) => one.doneAt - other.doneAt)
    .map(({ request, doneAt, lead, lag }) => {
      return eventOf(request, answerTo(thing, request), 100 + doneAt - lead, 100 + doneAt + lag);
    });
  return [...before, ...group, eventOf(READ, answer(thing, READ), 1000, 1001)];
}

const request = fc.oneof(
  fc.record({
    action: fc.constantFrom('replace' as const, 'merge' as const, 'remove' as const),
    sent: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 3 })),
    isConditional: fc.boolean(),
  }),
  fc.constant(CREATE),
  fc.constant(READ),
);
const moment = fc.double({ min: 0, max: 40, noNaN: true });
const requests = fc.array(fc.record({ request, doneAt: moment, lead: moment, lag: moment }), {
  minLength: 2,
  maxLength: 8,
});
const model = new ThingModel(() => undefined);
const search = (events: readonly ThingEvent[]): string => searchOrder<ThingState, ThingEvent>(events, model).kind;

test('what a service answers that does one request after the other is always explained', () => {
  fc.assert(
    fc.property(requests, (all) => {
      expect(search(history(all))).toBe('explained');
    }),
    { numRuns: 300 },
  );
});

test('the order that is found gives the same answers, and keeps to what came before what', () => {
  fc.assert(
    fc.property(requests, (all) => {
      const found = searchOrder<ThingState, ThingEvent>(history(all), model);
      const order = found.kind === 'explained' ? found.order : [];
      expect(order.length).toBe(all.length + 3);
      for (const [index, event] of order.entries())
        for (const later of order.slice(index + 1)) expect(later.respondedAt).toBeGreaterThanOrEqual(event.sentAt);
    }),
    { numRuns: 100 },
  );
});

/** All of them find the thing as it was before any of them wrote. */
const together = (...all: readonly Partial<Request>[]): Parameters<typeof history>[0] =>
  all.map((each, index) => ({
    request: { action: 'replace', sent: {}, isConditional: false, ...each },
    doneAt: 10 + index,
    lead: 10,
    lag: 20,
  }));

/** A service that reads, lets others have their turn, and writes what it read. */
function racing(thing: Thing, { action, sent }: Request): Partial<ThingEvent> {
  if (action === 'remove') return { outcome: 'done' };
  thing.values = { ...(action === 'merge' ? { a: 0, b: 0 } : {}), ...sent };
  thing.version += 1;
  return { outcome: 'done' };
}

const RACES: Readonly<Record<string, readonly Partial<Request>[]>> = {
  'two changes with one entity tag that are both done': [
    { sent: { a: 1 }, isConditional: true },
    { sent: { a: 2 }, isConditional: true },
  ],
  'a change of one property that takes back that of another one': [
    { action: 'merge', sent: { a: 1 } },
    { action: 'merge', sent: { b: 1 } },
  ],
  'two removals that are both done': [{ action: 'remove' }, { action: 'remove' }],
};

test.each(Object.entries(RACES))('%s have no order', (_, all) => {
  expect(search(history(together(...all)))).toBe('explained');
  expect(search(history(together(...all), racing))).toBe('unexplained');
});

test('a replacement that is shown half has no order', () => {
  const events = history(together({ sent: { a: 1, b: 1 } }, { sent: { a: 2, b: 2 } }));
  const torn = events.map((event) =>
    event.sentAt === 1000
      ? {
          ...event,
          shown: new Map([
            ['a', 1],
            ['b', 2],
          ]),
        }
      : event,
  );
  expect(search(torn)).toBe('unexplained');
});

test('two creations under one key that the clients chose have no order', () => {
  const made = (sentAt: number): ThingEvent => eventOf(CREATE, { outcome: 'done', isNew: true }, sentAt, 10);
  expect(search([made(1), made(2)])).toBe('unexplained');
});

test('a change that was refused although nothing had changed has no order', () => {
  const events = history(together({ sent: { a: 1 }, isConditional: true }, { sent: { a: 2 }, isConditional: true }));
  const refused = events.map((event) =>
    event.outcome === 'done' && event.action === 'replace' ? { ...event, outcome: 'unmet' as const } : event,
  );
  const unchanged = refused.map((event) => (event.sentAt === 1000 ? { ...event, shown: new Map([['a', 0]]) } : event));
  expect(search(unchanged)).toBe('unexplained');
});

test('of what was not answered nobody knows whether it was done', () => {
  const [first, ...others] = history(together({ sent: { a: 1 } }, { sent: { a: 2 } }));
  const lost = [first!, ...others].map((event) =>
    event.action === 'replace' ? { ...event, outcome: 'unknown' as const } : event,
  );
  expect(search(lost)).toBe('explained');
});

test('a reason says what does not fit', () => {
  const found = searchOrder<ThingState, ThingEvent>(
    history(together({ action: 'merge', sent: { a: 1 } }, { action: 'merge', sent: { b: 1 } }), racing),
    model,
  );
  const reasons = found.kind === 'unexplained' ? found.impasses.flatMap(({ blocked }) => blocked) : [];
  expect(reasons.map(({ reason }) => reason)).toContain('it shows a 0 in the place of 1');
});

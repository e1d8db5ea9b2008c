import { previewValue } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import { type ObservedExchange, isSafe, templateOf } from '../observed-exchange';
import { type Impasse, type OrderSearch, searchOrder } from './order-search';
import { type ExchangeEvent, isContended, observedThings, type ObservedThing } from './things';
import { ThingModel, type ThingState } from './thing-model';

/** A step that was sent, and its exchange. */
export interface SentStep {
  readonly name: string;
  readonly exchange: ObservedExchange;
}

/** A thing whose requests were answered as in no order of them. */
export interface UnexplainedThing {
  /** The last of the requests that were under way at the same time. */
  readonly exchange: ObservedExchange;
  /** All that are about the thing itself. */
  readonly exchanges: readonly ObservedExchange[];
  /** One sentence, the same in every run. */
  readonly message: string;
  /** The requests, their answers, and why no order explains them. */
  readonly actual: string;
}

/**
 * Things of a contract that several requests were about at the same time, where no order of the requests explains what was
 * answered, to them and to those before and after.
 *
 * @param steps - those of one contract, in the order in which they were sent
 * @param isLookedAt - which things; those that requests at the same time changed, when left out
 */
export function unexplainedThings(
  api: ApiModel,
  steps: readonly SentStep[],
  isLookedAt: (thing: ObservedThing) => boolean = isContended,
): UnexplainedThing[] {
  const names = new Map(steps.map(({ exchange, name }) => [exchange, name]));
  const things = observedThings(
    api,
    steps.map(({ exchange }) => exchange),
  );
  return things.filter(isLookedAt).flatMap((thing): UnexplainedThing[] => {
    const search = orderOf(thing);
    const rivals = rivalsOf(thing);
    const last = rivals.at(-1) ?? thing.events.at(-1);
    if (search.kind !== 'unexplained' || last === undefined) return [];
    const { template } = thing.item;
    return [
      {
        exchange: last.exchange,
        exchanges: exchangesOf(thing),
        message: `No order of the requests to ${template} that were sent at the same time explains their answers`,
        actual: told(rivals, search.impasses, (event) => named(api, names, event)),
      },
    ];
  });
}

/** The requests about the thing itself, without those that may have touched it as well. */
export function exchangesOf({ events }: ObservedThing): ObservedExchange[] {
  return events.filter(({ action }) => action !== 'other').map(({ exchange }) => exchange);
}

/**
 * An order that explains the answers about one thing, what was done before what was refused.
 *
 * @param holdsWrites - as of {@link ThingModel}
 */
export function orderOf({ events, schemaOf }: ObservedThing, holdsWrites = false): OrderSearch<ExchangeEvent> {
  const isDone = ({ outcome }: ExchangeEvent): boolean => outcome === 'done';
  return searchOrder<ThingState, ExchangeEvent>(
    events.toSorted((one, other) => Number(isDone(other)) - Number(isDone(one)) || one.sentAt - other.sentAt),
    new ThingModel(schemaOf, holdsWrites),
  );
}

/** What was under way at the same time as something else. */
function rivalsOf({ events }: ObservedThing): ExchangeEvent[] {
  return events.filter(
    (one) =>
      one.action !== 'other' &&
      events.some(
        (other) =>
          other !== one && other.action !== 'other' && one.sentAt < other.respondedAt && other.sentAt < one.respondedAt,
      ),
  );
}

/** More orders than that nobody reads. */
const MOST_TOLD = 2;

function told(
  rivals: readonly ExchangeEvent[],
  impasses: readonly Impasse<ExchangeEvent>[],
  nameOf: (event: ExchangeEvent) => string,
): string {
  const answers = rivals.map((event) => `${nameOf(event)} ${answerTo(event)}`).join(', ');
  const reasons = impasses.slice(0, MOST_TOLD).map(({ order, blocked }) => {
    const before = order.filter((event) => rivals.includes(event)).map(nameOf);
    const [next] = blocked;
    const first = before.length === 0 ? 'first of all' : `after ${before.join(', then ')}`;
    return next === undefined ? first : `${first}: ${nameOf(next.event)}: ${next.reason}`;
  });
  const more = impasses.length > MOST_TOLD ? `; and ${impasses.length - MOST_TOLD} more orders` : '';
  return `${answers}; but ${reasons.join('; ')}${more}`;
}

function answerTo({ exchange, sent }: ExchangeEvent): string {
  const values = [...sent].slice(0, 3).map(([name, value]) => `${name} ${previewValue(value)}`);
  const what = isSafe(exchange) || values.length === 0 ? '' : ` (${values.join(', ')})`;
  return `${exchange.status ?? 'without an answer'}${what}`;
}

function named(api: ApiModel, names: ReadonlyMap<ObservedExchange, string>, { exchange }: ExchangeEvent): string {
  return `"${names.get(exchange) ?? `${exchange.method} ${templateOf(api, exchange)}`}"`;
}

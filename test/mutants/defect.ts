import type { Client, Sender } from './client';
import type { Json } from './json';
import type { Answer, Call, Place } from './message';

/**
 * What a runner needs to notice a defect. T status of a step, S response schema, E shape of errors, A credentials,
 * N generated bad input, V reading back, L lists, B rules of the business, I identity, H HTTP, D comparison with a
 * conforming server, Q repetition or concurrency.
 */
export type Oracle = 'T' | 'S' | 'E' | 'A' | 'N' | 'V' | 'L' | 'B' | 'I' | 'H' | 'D' | 'Q';

export interface Exchange {
  readonly call: Call;
  readonly place: Place;
  /** To the conforming server; the call itself unless another is given. */
  readonly pass: (call?: Call) => Promise<Answer>;
  /** A request of the defect's own, with a key that is let in. */
  readonly ask: (method: string, target: string, body?: Json) => Promise<Answer>;
  /** Whether the trigger wants the defect to show now; to be asked just before it does. */
  readonly fires: (subject?: string) => boolean;
}

export type Intercept = (exchange: Exchange) => Promise<Answer>;

export interface Settings {
  readonly key: string;
  /** Resolves when a slow answer may go. */
  readonly pause: () => Promise<void>;
}

export interface Alteration {
  readonly id: string;
  readonly title: string;
  /** What it does to the traffic; called once for each proxy, so that its memory starts empty. */
  readonly start: (settings: Settings) => Intercept;
}

export interface Defect<Caller extends Sender = Client> extends Alteration {
  readonly needs: readonly Oracle[];
  /** What it breaks: a place in the contract, or a sentence of an RFC. */
  readonly clause: string;
  /** What a runner should make of it, where that is not plainly a violation. */
  readonly verdict?: 'eventual' | 'inconclusive' | 'one cause';
  /** It only shows with ids that a double cannot hold. */
  readonly largeIds?: true;
  /** Resolves to true if the defect shows; false at a conforming server. */
  readonly witness: (client: Caller) => Promise<boolean>;
}

/** A defect of whichever API: its witness takes a client of that. */
export type AnyDefect = Defect<never>;

/** Something that a contract leaves free: a runner that objects to it is wrong. */
export interface Variant<Caller extends Sender = Client> extends Alteration {
  /** Why it conforms. */
  readonly basis: string;
  /** Resolves to true if the variant shows. */
  readonly witness: (client: Caller) => Promise<boolean>;
}

type CallTest = (exchange: Exchange) => boolean;
type AnswerTest = (exchange: Exchange, answer: Answer) => boolean;

/** Another answer where the test holds. */
export const onAnswer =
  (when: AnswerTest, change: (answer: Answer, exchange: Exchange) => Answer | Promise<Answer>) =>
  (): Intercept =>
  async (exchange) => {
    const answer = await exchange.pass();
    return when(exchange, answer) && exchange.fires() ? change(answer, exchange) : answer;
  };

/** Another request reaches the server where the test holds. */
export const onCall =
  (when: CallTest, change: (call: Call, exchange: Exchange) => Call) => (): Intercept => (exchange) =>
    when(exchange) && exchange.fires() ? exchange.pass(change(exchange.call, exchange)) : exchange.pass();

/** Successful answers of these operations. */
export const good =
  (...operations: string[]): AnswerTest =>
  ({ place }, { status }) =>
    operations.includes(place.operation ?? '') && status >= 200 && status < 300;

export const bad =
  (...statuses: number[]): AnswerTest =>
  (_, { status }) =>
    statuses.includes(status);

export const isOperation =
  (...operations: string[]): CallTest =>
  ({ place }) =>
    operations.includes(place.operation ?? '');

export const isWrite: CallTest = ({ call }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(call.method);

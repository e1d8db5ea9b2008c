import { matchValue } from '../../checks/matchers/match-value';
import type { Finding } from '../../core/errors/finding';
import { headerValue } from '../../core/http/headers';
import type { JsonValue } from '../../core/json/json-value';
import { replacePlaceholders } from '../../formats/contract/placeholders';
import { type EventExpectation, RECEIVER_URL, RUN_ID, type Step } from '../../formats/contract/contract';
import { counted } from '../../core/text/printable';
import { previewText, scalarText } from '../../core/json/stringify-json';
import { fillExpectation } from '../steps/step-request';
import type { DocumentedEvent } from '../../openapi/model/documented-events';
import type { Run } from '../exchange/run-state';
import { reportRedaction } from '../result/step-redaction';
import { EVENT_EXPECTED, EVENT_ORDER, EVENT_REPEATED } from '../result/runner-checks';
import type { EventInbox, ReceivedEvent } from '../transport/event-inbox';
import { isOfEvent, messageId, tellsTheSame, toldBy, type Told } from './event-message';
import { judgeEvent, ofEvent } from './judge-event';

/** Where nobody listens: the port of `discard` (RFC 863), for steps that only say where something would be sent. */
const NOBODY = 'http://127.0.0.1:9/';

/** The values of placeholders before anything is captured. */
export function startValues(runId: string, inbox: EventInbox | undefined): Map<string, JsonValue> {
  return new Map([
    [RUN_ID, runId],
    [RECEIVER_URL, inbox?.url ?? NOBODY],
  ]);
}

/** A finding, and the event that it is about: of what it quotes nothing secret is shown. */
export interface EventFinding {
  readonly event: DocumentedEvent;
  readonly finding: Finding;
}

/** What a step expects, with its values, and what came of it. */
interface Awaited {
  readonly step: Step;
  readonly event: DocumentedEvent;
  readonly expected: EventExpectation;
  readonly sinceMs: number;
  readonly came: ReceivedEvent[];
}

/** So many messages are quoted. */
const MOST_SHOWN = 3;

/** Waits for the events of the steps of one contract, and says what is wrong with them. */
export class EventWatch {
  private readonly run: Run;
  private readonly inbox: EventInbox;
  private readonly awaited: Awaited[] = [];
  /** When each step was sent, in their order. */
  private readonly sent: number[] = [];
  private readonly told = new WeakMap<ReceivedEvent, Told>();

  constructor(run: Run, inbox: EventInbox) {
    this.run = run;
    this.inbox = inbox;
  }

  /** A step, or several at the same time, is about to be sent. */
  begin(): void {
    this.sent.push(performance.now());
  }

  /**
   * Waits for what one step is to cause; the response came and is the one that was expected.
   *
   * @param values - has every placeholder of its events
   */
  async after(step: Step, values: ReadonlyMap<string, JsonValue>): Promise<EventFinding[]> {
    const sinceMs = this.sent.at(-1) ?? 0;
    const beganMs = performance.now();
    const own = step.events.flatMap((written): Awaited[] => {
      const event = this.run.api.events().find(({ name }) => name === written.event);
      return event === undefined ? [] : [{ step, event, expected: filled(written, values), sinceMs, came: [] }];
    });
    this.awaited.push(...own);
    const findings: EventFinding[] = [];
    for (const each of own) findings.push(...(await this.await(each, beganMs)));
    return [...findings, ...orderFindings(own)];
  }

  /** What only the whole contract shows: events that came again, or too often. */
  end(): { readonly step: Step; readonly found: EventFinding }[] {
    return this.awaited.flatMap((each) => {
      const { step, event, expected, came, sinceMs } = each;
      const untilMs = this.sent.find((at) => at > sinceMs) ?? Infinity;
      const repeated = this.inbox.received.filter(
        (received) => !this.isTaken(received) && came.some((one) => isSame(one, received)),
      );
      // Later on another step may cause the same event of another thing.
      const others = this.candidates(each).filter((received) => {
        if (repeated.includes(received) || !this.fits(each, received, 'named')) return false;
        const isSameNews = came.some((one) => tellsTheSame(this.toldBy(one), this.toldBy(received)));
        return expected.body !== undefined || isSameNews || received.atMs < untilMs;
      });
      const about = { severity: 'error', at: '/event', spec: event.pointer } as const;
      const findings: Finding[] = [];
      if (repeated.length > 0)
        findings.push({
          ...about,
          check: EVENT_REPEATED.id,
          severity: 'warning',
          message: 'It came again, although it had been taken with 204',
          expected: 'each message once',
          actual: counted(repeated.length, 'further time'),
          hint: 'Receivers have to know a message by its id; who sends it twice may still do it.',
        });
      if (expected.times > 0 && came.length === expected.times && others.length > 0)
        findings.push({
          ...about,
          check: EVENT_EXPECTED.id,
          message: `It came ${came.length + others.length} times, each as another message`,
          expected: counted(expected.times, 'time'),
          actual: this.preview(event, others),
        });
      return findings.map((finding) => ({ step, found: { event, finding: ofEvent(event, finding) } }));
    });
  }

  private async await(each: Awaited, beganMs: number): Promise<EventFinding[]> {
    const { event, expected, came } = each;
    const stranger = await this.collect(each, beganMs + expected.withinMs);
    if (stranger !== undefined) return [this.unexpected(each, stranger)];
    if (this.run.signal?.aborted === true || expected.times === 0) return [];
    // What came and is not as it should be is the event all the same, where it can be no other one.
    for (const received of this.candidates(each))
      if (came.length < expected.times && this.fits(each, received, 'any')) this.take(each, received);
    const findings = came.flatMap((received) => judgeEvent(this.run.api, event, received, expected));
    const missing = came.length < expected.times ? [this.missing(each)] : [];
    return [...missing, ...findings.map((finding) => ({ event, finding }))];
  }

  /** Takes what comes, until all came or the time is over. @returns one that came where none was to come */
  private async collect(each: Awaited, untilMs: number): Promise<ReceivedEvent | undefined> {
    const { expected, came } = each;
    const { signal } = this.run;
    for (;;) {
      const next = this.candidates(each).find((received) => this.fits(each, received, 'all'));
      if (next !== undefined && expected.times === 0) return next;
      if (next !== undefined) this.take(each, next);
      const leftMs = untilMs - performance.now();
      if (expected.times > 0 && came.length === expected.times) return undefined;
      if (next !== undefined) continue;
      if (leftMs <= 0 || signal?.aborted === true) return undefined;
      await this.inbox.next(Math.ceil(leftMs), signal);
    }
  }

  private take({ came }: Awaited, received: ReceivedEvent): void {
    came.push(received);
    this.run.takenEvents.add(received);
  }

  private isTaken(received: ReceivedEvent): boolean {
    return this.run.takenEvents.has(received);
  }

  /** What came since the step was sent, and is nothing that was awaited before. */
  private candidates({ sinceMs, expected: { path } }: Awaited): ReceivedEvent[] {
    const taken = this.inbox.received.filter((received) => this.isTaken(received));
    return this.inbox.received.filter(
      (received) =>
        received.atMs >= sinceMs &&
        (path === undefined || received.path === path) &&
        !this.isTaken(received) &&
        !taken.some((earlier) => isSame(earlier, received)),
    );
  }

  /**
   * Is a message the event? `all`: it says so, or its body is valid as that, and it is as the contract has it; `named`: it
   * says so and is as the contract has it; `any`: it does not say that it is another one.
   */
  private fits({ event, expected }: Awaited, received: ReceivedEvent, how: 'all' | 'named' | 'any'): boolean {
    const told = this.toldBy(received);
    const kind = isOfEvent(this.run.api, event, received, told);
    if (how === 'any') return kind !== 'other';
    const { body } = expected;
    const isAsked = body === undefined || matchValue(body, told.body).mismatches.length === 0;
    if (!isAsked) return false;
    return kind === 'named' || (how === 'all' && kind === 'valid');
  }

  private toldBy(received: ReceivedEvent): Told {
    const told = this.told.get(received) ?? toldBy(received);
    this.told.set(received, told);
    return told;
  }

  /** Several of them are shown one behind the other, where nobody could tell secrets from the rest any more. */
  private preview({ request }: DocumentedEvent, received: readonly ReceivedEvent[]): string {
    const redaction = reportRedaction(this.run.api, request);
    const texts = received.slice(0, MOST_SHOWN).map((each) => {
      const { text } = this.toldBy(each);
      return text === '' ? 'a message without a body' : previewText(redaction.body(text, undefined));
    });
    const more = received.length - texts.length;
    return `${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  }

  private missing(each: Awaited): EventFinding {
    const { event, expected, came } = each;
    const others = this.candidates(each);
    const seconds = `within ${expected.withinMs / 1000} s`;
    const finding: Finding = {
      check: EVENT_EXPECTED.id,
      severity: 'error',
      at: '/event',
      message: came.length === 0 ? `It did not come ${seconds}` : `It came ${came.length} times ${seconds}`,
      expected: counted(expected.times, 'time'),
      actual: others.length === 0 ? 'nothing else came' : this.preview(event, others),
      spec: event.pointer,
      hint:
        this.inbox.received.length === 0 ? `Nothing came at all: can the service reach ${this.inbox.url}?` : undefined,
    };
    return { event, finding: ofEvent(event, finding) };
  }

  private unexpected({ event, expected }: Awaited, received: ReceivedEvent): EventFinding {
    const finding: Finding = {
      check: EVENT_EXPECTED.id,
      severity: 'error',
      at: '/event',
      message: 'It came, and none was to come',
      expected: `none within ${expected.withinMs / 1000} s`,
      actual: this.preview(event, [received]),
      spec: event.pointer,
    };
    this.run.takenEvents.add(received);
    return { event, finding: ofEvent(event, finding) };
  }
}

function filled(expected: EventExpectation, values: ReadonlyMap<string, JsonValue>): EventExpectation {
  const { secret } = expected;
  const own = secret && replacePlaceholders(secret, (name) => scalarText(values.get(name) ?? ''));
  return { ...fillExpectation(expected, values), secret: own };
}

/** The same message once more: by its id, or by every byte where it has none. */
function isSame(one: ReceivedEvent, other: ReceivedEvent): boolean {
  if (one === other) return false;
  const [id, otherId] = [messageId(one), messageId(other)];
  return id === undefined && otherId === undefined
    ? Buffer.from(one.body).equals(other.body) &&
        headerValue(one.headers, 'date') === headerValue(other.headers, 'date')
    : id === otherId;
}

/** Of one step: its events come in the order in which the contract has them. */
function orderFindings(awaited: readonly Awaited[]): EventFinding[] {
  const came = awaited.flatMap(({ event, came: [first] }) => (first === undefined ? [] : [{ event, first }]));
  const late = came.find(({ first }, index) => index > 0 && first.atMs < (came[index - 1]?.first.atMs ?? 0));
  if (late === undefined) return [];
  const finding: Finding = {
    check: EVENT_ORDER.id,
    severity: 'warning',
    at: '/event',
    message: 'It came before one that tells of something earlier',
    expected: came.map(({ event }) => event.name).join(', '),
    actual: came
      .toSorted((one, other) => one.first.atMs - other.first.atMs)
      .map(({ event }) => event.name)
      .join(', '),
    spec: late.event.pointer,
  };
  return [{ event: late.event, finding: ofEvent(late.event, finding) }];
}

import { ConfigError } from '../core/errors/standin-error';
import { similarName } from '../core/text/similar-name';
import { FaultSyntaxError, readDuration } from '../mock/faults/fault-kind';
import { isNamed } from './event-targets';

/** What goes wrong with an event on its way. */
export const EVENT_FAULT_KINDS = ['twice', 'late', 'out-of-order', 'wrong-signature'] as const;

export type EventFaultKind = (typeof EVENT_FAULT_KINDS)[number];

/** One fault of events. */
export interface EventFault {
  /** As it was written. */
  readonly text: string;
  readonly kind: EventFaultKind;
  /** How late, in milliseconds of the mock's clock. */
  readonly lateMs: number;
  /** Name of the events that it touches, or of a family of them; `undefined` for all. */
  readonly event: string | undefined;
  /** It ends when it happened so often. */
  readonly times: number | undefined;
}

const FORM =
  'twice, late:30s, out-of-order or wrong-signature, each with ;event=NAME and ;times=N where it is not for all';

/**
 * Reads `twice;event=order.completed;times=1`.
 *
 * @throws ConfigError that says what of it is wrong
 */
export function readEventFault(text: string): EventFault {
  const refuse: Refuse = (reason, hint = `Faults of events are ${FORM}.`) => {
    throw new ConfigError('CONFIG_INVALID', `The fault of events "${text}" ${reason}`, { hint });
  };
  const [head = '', ...filters] = text.split(';').map((part) => part.trim());
  const [, name = '', amount] = /^([\w-]*)(?::(.*))?$/s.exec(head) ?? [];
  const kind = EVENT_FAULT_KINDS.find((each) => each === name);
  const near = similarName(name, EVENT_FAULT_KINDS);
  if (kind === undefined)
    return refuse('is none', near === undefined ? undefined : `Did you mean "${near}"? There are ${FORM}.`);
  if (kind !== 'late' && amount !== undefined) refuse('takes nothing behind a colon');
  if (kind === 'late' && amount === undefined) refuse('does not say how late', 'Such as late:30s.');
  return { text, kind, lateMs: amount === undefined ? 0 : latenessOf(amount, refuse), ...readFilters(filters, refuse) };
}

type Refuse = (reason: string, hint?: string) => never;

function readFilters(filters: readonly string[], refuse: Refuse): Pick<EventFault, 'event' | 'times'> {
  let [event, times]: [string | undefined, number | undefined] = [undefined, undefined];
  for (const filter of filters) {
    const [, key = filter, value = ''] = /^([^=]*)=(.*)$/s.exec(filter) ?? [];
    if (key === 'event' && value !== '') event = value;
    else if (key === 'times' && /^[1-9]\d{0,5}$/.test(value)) times = Number(value);
    else refuse(`has "${filter}"`, 'Behind the fault come ;event=NAME and ;times=N, with N from 1 on.');
  }
  return { event, times };
}

function latenessOf(text: string, refuse: Refuse): number {
  try {
    return readDuration(text, text, MOST_LATE_MS);
  } catch (error) {
    if (error instanceof FaultSyntaxError) return refuse(`is late by what is no duration: ${error.message}`);
    throw error;
  }
}

const MOST_LATE_MS = 7 * 86_400_000;

/** A fault as it is shown. */
export interface ActiveEventFault {
  readonly fault: string;
  /** Messages in which it happened. */
  readonly happened: number;
}

/** The faults of events that are set. */
export class EventFaults {
  private active: { readonly fault: EventFault; happened: number }[] = [];

  /** In place of those before. @throws ConfigError for one that is none; then nothing is changed */
  set(texts: readonly string[]): void {
    this.active = texts.map((text) => ({ fault: readEventFault(text), happened: 0 }));
  }

  list(): ActiveEventFault[] {
    return this.active.map(({ fault: { text }, happened }) => ({ fault: text, happened }));
  }

  /** The first that touches a message; it counts as having happened. @param names - of the event */
  take(names: readonly string[], isSigned: boolean): EventFault | undefined {
    const found = this.active.find(({ fault: { event, times, kind }, happened }) => {
      if ((times !== undefined && happened >= times) || (kind === 'wrong-signature' && !isSigned)) return false;
      return event === undefined || names.some((name) => isNamed(event, name));
    });
    if (found === undefined) return undefined;
    found.happened += 1;
    return found.fault;
  }
}

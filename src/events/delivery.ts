import type { Clock } from '../mock/sandbox/clock';
import type { Redaction } from '../redaction/redaction';
import type { SignatureScheme } from '../security/message-signature';
import type { ActiveEventFault, EventFault } from './event-faults';

/** Sends one message, and gives what it was answered. @throws what the connection meets */
export type PostMessage = (message: {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly timeoutMs: number;
}) => Promise<{ readonly status: number; readonly retryAfter: string | undefined }>;

/** One try to deliver a message. */
export interface DeliveryAttempt {
  /** RFC 3339, by the mock's clock. */
  readonly at: string;
  /** `undefined` where no response came. */
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly durationMs: number;
}

/**
 * `pending`: it is sent, or will be; `delivered`: it was taken with 2xx; `failed`: it was tried as often as it is; `refused`: it was not sent
 * at all, and `reason` says why.
 */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'refused';

/** What one receiver is told of an event. */
export interface EventMessage {
  /** The same for every try. */
  readonly id: string;
  readonly event: string;
  readonly sandbox: string;
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
}

/** A message on its way. */
export interface Delivery extends EventMessage {
  /** RFC 3339, by the mock's clock. */
  readonly at: string;
  readonly state: DeliveryState;
  readonly reason: string | undefined;
  /** What goes wrong with it on purpose. */
  readonly fault: string | undefined;
  readonly attempts: readonly DeliveryAttempt[];
}

/** How far a message is. */
export interface DeliveryProgress {
  /** By the clock of its sandbox, in epoch milliseconds. */
  readonly atMs: number;
  readonly dueMs: number;
  /** How often it was tried. */
  readonly tries: number;
}

/** Who keeps what is not taken yet, beyond the memory of those who send. */
export interface DeliveryKeeper {
  /** Why a message must not go out any more; `undefined` while it may. */
  obstacle(made: NewDelivery): string | undefined;
  /** It is sent, or will be. */
  waits(made: NewDelivery, progress: DeliveryProgress): void;
  /** When another process could go on with it, should this one be killed; `undefined` where nothing has to be waited for. */
  stored(made: NewDelivery, progress: DeliveryProgress): Promise<void> | undefined;
  /** It was taken, or given up. */
  ended(made: NewDelivery): void;
  /** Something became of a message. */
  changed(): void;
}

export interface NewDelivery extends EventMessage {
  readonly mediaType: string | undefined;
  /** Of the event, in the description. */
  readonly pointer: string;
  /** Beside those of every message. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly scheme: SignatureScheme;
  readonly secret: string | undefined;
  /** The same, where the subscription has it; `undefined` for what is the mock's. */
  readonly ownSecret: string | undefined;
  /** What is delivered in order: the same receiver, the same thing. */
  readonly lane: string;
  readonly clock: Clock;
  /** Of what is shown of it. */
  readonly redaction: () => Redaction;
  /** Why it is not to be sent. */
  readonly refusal: string | undefined;
  readonly fault: EventFault | undefined;
  /** Where another process, or an earlier state, had it on its way. */
  readonly progress?: DeliveryProgress | undefined;
}

/** What became of the events that a mock sent. */
export interface DeliveryControls {
  /** The latest thousand, oldest first. */
  deliveries(): readonly Delivery[];
  /**
   * Sends one again, under the same id, whatever became of it.
   *
   * @returns false where it is not remembered
   */
  sendAgain(id: string): boolean;
  /**
   * Waits until every event that is due by the clock of the mock was tried, those too that a restored state or a store
   * brought along. An event that failed is due again a second later.
   */
  waitForDeliveries(): Promise<void>;
  /** What goes wrong with events on their way, and how often it did. */
  eventFaults(): readonly ActiveEventFault[];
  /**
   * Sets what goes wrong with events from now on, in place of what did: `twice`, `late:30s`, `out-of-order`,
   * `wrong-signature`, each for all, or with `;event=NAME` and `;times=N`.
   *
   * @throws ConfigError for one that is none, and where there may be no faults
   */
  setEventFaults(...faults: readonly string[]): void;
}

import { messageOf } from '../core/errors/standin-error';
import type { Clock } from '../mock/sandbox/clock';
import type { Redaction } from '../redaction/redaction';
import { type SignatureScheme, signatureHeaders } from '../security/message-signature';

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
interface EventMessage {
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
  readonly attempts: readonly DeliveryAttempt[];
}

export interface NewDelivery extends EventMessage {
  readonly mediaType: string | undefined;
  readonly secret: string | undefined;
  /** What is delivered in order: the same receiver, the same thing. */
  readonly lane: string;
  readonly clock: Clock;
  /** Of what is shown of it. */
  readonly redaction: () => Redaction;
  /** Why it is not to be sent. */
  readonly refusal: string | undefined;
}

interface Kept {
  readonly made: NewDelivery;
  readonly at: string;
  state: DeliveryState;
  reason: string | undefined;
  readonly attempts: DeliveryAttempt[];
  /** By the mock's clock. */
  dueMs: number;
}

/** Pauses between tries, in milliseconds of the mock's clock. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000, 60_000, 300_000, 1_800_000, 7_200_000];
const REMEMBERED = 1000;
/** How often the mock's clock is asked: somebody may set it. */
const TICK_MS = 250;
const TIMEOUT_MS = 10_000;
const AT_ONCE = 32;

// Kept as they are now: a test may fake the timers later, and what is due is sent all the same.
const later = setTimeout;

/** Sends messages: each lane in order, a failure again and again with longer pauses, the latest of them remembered. */
export class Deliveries {
  private readonly scheme: SignatureScheme;
  private readonly post: PostMessage;
  private readonly kept: Kept[] = [];
  private readonly lanes = new Map<string, Kept[]>();
  private readonly busy = new Set<string>();
  /** Receivers that said that they are gone. */
  private readonly gone = new Set<string>();
  private isTimed = false;

  constructor(scheme: SignatureScheme, post: PostMessage) {
    this.scheme = scheme;
    this.post = post;
  }

  add(made: NewDelivery): void {
    const refusal = made.refusal ?? (this.gone.has(made.url) ? 'its receiver said 410: it is gone' : undefined);
    const nowMs = made.clock.now();
    const kept: Kept = {
      made,
      at: new Date(nowMs).toISOString(),
      state: refusal === undefined ? 'pending' : 'refused',
      reason: refusal,
      attempts: [],
      dueMs: nowMs,
    };
    this.kept.push(kept);
    this.forgetSome();
    if (refusal === undefined) this.queue(kept);
  }

  /** Oldest first. */
  all(): Delivery[] {
    return this.kept.map(({ made, at, state, reason, attempts }) => {
      const { id, event, sandbox, method, mediaType } = made;
      const redaction = made.redaction();
      const url = redaction.target(made.url);
      const body = made.body === undefined ? undefined : redaction.body(made.body, mediaType);
      return { id, event, sandbox, method, url, body, at, state, reason, attempts: [...attempts] };
    });
  }

  /** Sends one again that is remembered, whatever became of it. @returns false where none is */
  again(id: string): boolean {
    const kept = this.kept.find(({ made }) => made.id === id);
    if (kept === undefined) return false;
    this.gone.delete(kept.made.url);
    const isWaiting = this.lanes.get(kept.made.lane)?.includes(kept) === true;
    kept.dueMs = kept.made.clock.now();
    kept.state = 'pending';
    kept.reason = undefined;
    if (isWaiting) this.work();
    else this.queue(kept);
    return true;
  }

  private forgetSome(): void {
    while (this.kept.length > REMEMBERED) {
      const at = this.kept.findIndex(({ state }) => state !== 'pending');
      this.kept.splice(Math.max(0, at), 1);
    }
  }

  private queue(kept: Kept): void {
    const lane = this.lanes.get(kept.made.lane);
    if (lane === undefined) this.lanes.set(kept.made.lane, [kept]);
    else lane.push(kept);
    this.work();
  }

  /** Begins what is due, and looks again later where something waits. */
  private work(): void {
    for (const [name, lane] of this.lanes) {
      if (this.busy.size >= AT_ONCE) break;
      const [first] = lane;
      if (first === undefined) this.lanes.delete(name);
      else if (!this.busy.has(name) && first.dueMs <= first.made.clock.now()) void this.attempt(name, lane, first);
    }
    if (this.lanes.size === 0 || this.isTimed) return;
    this.isTimed = true;
    later(() => {
      this.isTimed = false;
      this.work();
    }, TICK_MS).unref();
  }

  private async attempt(name: string, lane: Kept[], kept: Kept): Promise<void> {
    this.busy.add(name);
    const startedMs = performance.now();
    const at = new Date(kept.made.clock.now()).toISOString();
    const { status, error, retryAfterMs } = await this.send(kept.made);
    kept.attempts.push({ at, status, error, durationMs: Math.round(performance.now() - startedMs) });
    this.settle(kept, status, retryAfterMs);
    if (kept.state !== 'pending') lane.shift();
    this.busy.delete(name);
    this.work();
  }

  private settle(kept: Kept, status: number | undefined, retryAfterMs: number | undefined): void {
    const { url, clock } = kept.made;
    if (status !== undefined && status >= 200 && status < 300) kept.state = 'delivered';
    else if (status === 410) {
      this.gone.add(url);
      kept.state = 'failed';
      kept.reason = 'its receiver said 410: it is gone, and gets nothing more';
    } else {
      const pause = PAUSES_MS[kept.attempts.length - 1];
      if (pause === undefined) {
        kept.state = 'failed';
        kept.reason = `it was tried ${kept.attempts.length} times`;
      } else kept.dueMs = clock.now() + Math.max(pause, retryAfterMs ?? 0);
    }
  }

  private async send(made: NewDelivery): Promise<SendResult> {
    const { id, method, url, body, mediaType, secret, clock } = made;
    const seconds = Math.floor(clock.now() / 1000);
    const headers: Record<string, string> = {
      'User-Agent': 'standin',
      'Webhook-Id': id,
      'Webhook-Timestamp': String(seconds),
    };
    if (mediaType !== undefined) headers['Content-Type'] = mediaType;
    if (secret !== undefined)
      for (const [name, value] of signatureHeaders(this.scheme, { id, seconds, body: body ?? '', secret }))
        headers[name] = value;
    try {
      const { status, retryAfter } = await this.post({ url, method, headers, body, timeoutMs: TIMEOUT_MS });
      return { status, error: undefined, retryAfterMs: millisecondsIn(retryAfter) };
    } catch (error) {
      return { status: undefined, error: messageOf(error), retryAfterMs: undefined };
    }
  }
}

interface SendResult {
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly retryAfterMs: number | undefined;
}

const MOST_RETRY_MS = 3_600_000;

function millisecondsIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Math.min(Number(text) * 1000, MOST_RETRY_MS) : undefined;
}

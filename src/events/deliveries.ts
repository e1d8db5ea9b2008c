import { messageOf } from '../core/errors/standin-error';
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryKeeper,
  DeliveryProgress,
  DeliveryState,
  EventMessage,
  NewDelivery,
  PostMessage,
} from './delivery';
import { PendingWork } from '../core/time/pending-work';
import { signatureHeader } from '../security/message-signature';

interface Kept {
  readonly made: NewDelivery;
  readonly at: string;
  state: DeliveryState;
  reason: string | undefined;
  readonly attempts: DeliveryAttempt[];
  /** How often it was tried, by those before as well. */
  tries: number;
  /** By the mock's clock. */
  dueMs: number;
  /** How often it has still to be taken. */
  left: number;
  /** Does it wait for one that is to come before it? */
  isHeld: boolean;
  /** Is it kept where another process would find it? It is not sent before. */
  isStored: boolean;
}

/** Pauses between tries, in milliseconds of the mock's clock. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000, 60_000, 300_000, 1_800_000, 7_200_000];
const REMEMBERED = 1000;
/** How often the mock's clock is asked: somebody may set it. */
const TICK_MS = 250;
const TIMEOUT_MS = 10_000;
const AT_ONCE = 32;
/** So long a message waits for one that is to overtake it. */
const HELD_MS = 10_000;

// Kept as they are now: a test may fake the timers later, and what is due is sent all the same.
const later = setTimeout;

/** Sends messages: each lane in order, a failure again and again with longer pauses, the latest of them remembered. */
export class Deliveries {
  private readonly post: PostMessage;
  private readonly kept: Kept[] = [];
  private readonly lanes = new Map<string, Kept[]>();
  private readonly busy = new Set<string>();
  private readonly attempts = new PendingWork();
  private readonly waiting = new Map<string, Kept>();
  /** Receivers that said that they are gone. */
  private readonly gone = new Set<string>();
  private readonly keeper: DeliveryKeeper;
  private isTimed = false;
  private isStopped = false;

  constructor(post: PostMessage, keeper: DeliveryKeeper) {
    this.post = post;
    this.keeper = keeper;
  }

  add(made: NewDelivery): void {
    const refusal = made.refusal ?? (this.gone.has(made.url) ? 'its receiver said 410: it is gone' : undefined);
    const { atMs, dueMs, tries } = made.progress ?? beginningOf(made);
    const kept: Kept = {
      made,
      at: new Date(atMs).toISOString(),
      state: refusal === undefined ? 'pending' : 'refused',
      reason: refusal,
      attempts: [],
      tries,
      dueMs,
      left: made.fault?.kind === 'twice' ? 2 : 1,
      isHeld: made.fault?.kind === 'out-of-order' && made.progress === undefined,
      isStored: true,
    };
    this.kept.push(kept);
    this.keeper.changed();
    this.forgetSome();
    if (refusal === undefined) this.queue(kept);
  }

  /** Is it on its way here? */
  isWaiting(sandbox: string, id: string): boolean {
    return this.waiting.has(keyOf({ sandbox, id }));
  }

  /** Those that are on their way here. */
  allWaiting(): { readonly made: NewDelivery; readonly progress: DeliveryProgress }[] {
    return [...this.waiting.values()].map((kept) => ({ made: kept.made, progress: progressOf(kept) }));
  }

  /** Oldest first. */
  all(): Delivery[] {
    return this.kept.map(({ made, at, state, reason, attempts }) => {
      const { id, event, sandbox, method, mediaType, fault: wrong } = made;
      const fault = wrong?.text;
      const redaction = made.redaction();
      const url = redaction.target(made.url);
      const body = made.body === undefined ? undefined : redaction.body(made.body, mediaType);
      return { id, event, sandbox, method, url, body, at, state, reason, fault, attempts: [...attempts] };
    });
  }

  /** Sends one again that is remembered, whatever became of it, unless it may not be sent. @returns false where none is */
  again(id: string): boolean {
    const kept = this.kept.find(({ made }) => made.id === id);
    if (kept === undefined) return false;
    // Whoever asks, it may not go there.
    if (kept.made.refusal !== undefined) return true;
    this.gone.delete(kept.made.url);
    kept.dueMs = kept.made.clock.now();
    kept.state = 'pending';
    kept.reason = undefined;
    kept.isHeld = false;
    kept.left = Math.max(1, kept.left);
    if (this.waiting.get(keyOf(kept.made)) === kept) this.work();
    else this.queue(kept);
    return true;
  }

  /** Nothing is sent from now on: what waits goes on elsewhere. */
  stop(): void {
    this.isStopped = true;
  }

  /** Resolves when no message is being sent and none is due. */
  async idle(): Promise<void> {
    do {
      this.work();
      await this.attempts.idle();
    } while (!this.isStopped && [...this.lanes.values()].some(([first]) => first !== undefined && isDue(first)));
  }

  /** Gives up what must not go out any more, before it is due. */
  review(): void {
    for (const kept of [...this.waiting.values()]) {
      const obstacle = this.busy.has(kept.made.lane) ? undefined : this.keeper.obstacle(kept.made);
      if (obstacle !== undefined) this.refuse(kept, obstacle);
    }
  }

  private refuse(kept: Kept, reason: string): void {
    kept.state = 'refused';
    kept.reason = reason;
    this.leave(kept);
    this.keeper.changed();
  }

  /** It waits for nothing any more. */
  private leave(kept: Kept): void {
    const lane = this.lanes.get(kept.made.lane);
    const place = lane?.indexOf(kept) ?? -1;
    if (place !== -1) lane?.splice(place, 1);
    this.waiting.delete(keyOf(kept.made));
  }

  private forgetSome(): void {
    while (this.kept.length > REMEMBERED) {
      const at = this.kept.findIndex(({ state }) => state !== 'pending');
      this.kept.splice(Math.max(0, at), 1);
    }
  }

  private queue(kept: Kept): void {
    this.waiting.set(keyOf(kept.made), kept);
    this.keeper.waits(kept.made, progressOf(kept));
    const stored = this.keeper.stored(kept.made, progressOf(kept));
    if (stored !== undefined) {
      kept.isStored = false;
      void this.attempts.track(
        stored.then(() => {
          kept.isStored = true;
          this.work();
        }),
      );
    }
    const lane = this.lanes.get(kept.made.lane);
    if (lane === undefined) this.lanes.set(kept.made.lane, [kept]);
    else {
      const last = lane.at(-1);
      const overtakes = last?.isHeld === true && !kept.isHeld;
      lane.splice(overtakes ? -1 : lane.length, 0, kept);
      if (overtakes) {
        last.isHeld = false;
        last.dueMs = kept.made.clock.now();
      }
    }
    this.work();
  }

  /** Begins what is due, and looks again later where something waits. */
  private work(): void {
    if (this.isStopped) return;
    for (const [name, lane] of this.lanes) {
      if (this.busy.size >= AT_ONCE) break;
      const [first] = lane;
      if (first === undefined) this.lanes.delete(name);
      else if (!this.busy.has(name) && isDue(first)) void this.attempts.track(this.attempt(name, first));
    }
    if (this.lanes.size === 0 || this.isTimed) return;
    this.isTimed = true;
    later(() => {
      this.isTimed = false;
      this.work();
    }, TICK_MS).unref();
  }

  private async attempt(name: string, kept: Kept): Promise<void> {
    const obstacle = this.keeper.obstacle(kept.made);
    if (obstacle !== undefined) {
      this.refuse(kept, obstacle);
      return;
    }
    this.busy.add(name);
    const startedMs = performance.now();
    const at = new Date(kept.made.clock.now()).toISOString();
    const { status, error, retryAfterMs } = await this.send(kept.made);
    kept.attempts.push({ at, status, error, durationMs: Math.round(performance.now() - startedMs) });
    kept.tries += 1;
    this.keeper.changed();
    this.settle(kept, status, retryAfterMs);
    this.busy.delete(name);
    const gone = this.keeper.obstacle(kept.made);
    if (kept.state !== 'pending') {
      this.leave(kept);
      this.keeper.ended(kept.made);
    } else if (gone === undefined) this.keeper.waits(kept.made, progressOf(kept));
    else this.refuse(kept, gone);
    this.work();
  }

  private settle(kept: Kept, status: number | undefined, retryAfterMs: number | undefined): void {
    const { url, clock } = kept.made;
    if (status !== undefined && status >= 200 && status < 300) {
      kept.left -= 1;
      if (kept.left === 0) kept.state = 'delivered';
      else kept.dueMs = clock.now();
    } else if (status === 410) {
      this.gone.add(url);
      kept.state = 'failed';
      kept.reason = 'its receiver said 410: it is gone, and gets nothing more';
    } else {
      const pause = PAUSES_MS[kept.tries - 1];
      if (pause === undefined) {
        kept.state = 'failed';
        kept.reason = `it was tried ${kept.tries} times`;
      } else kept.dueMs = clock.now() + Math.max(pause, retryAfterMs ?? 0);
    }
  }

  private async send(made: NewDelivery): Promise<SendResult> {
    const { id, method, url, body = '', mediaType, secret, scheme, clock, fault } = made;
    // A signature of something else is one that looks right.
    const signed = fault?.kind === 'wrong-signature' ? `${body} ` : body;
    const seconds = Math.floor(clock.now() / 1000);
    const headers: Record<string, string> = {
      'User-Agent': 'standin',
      'Webhook-Id': id,
      'Webhook-Timestamp': String(seconds),
    };
    if (mediaType !== undefined) headers['Content-Type'] = mediaType;
    for (const [name, value] of made.headers) headers[name] = value;
    if (secret !== undefined) {
      const [name, value] = signatureHeader(scheme, { id, seconds, body: signed, secret });
      headers[name] = value;
    }
    try {
      const { status, retryAfter } = await this.post({ url, method, headers, body: made.body, timeoutMs: TIMEOUT_MS });
      return { status, error: undefined, retryAfterMs: millisecondsIn(retryAfter) };
    } catch (error) {
      return { status: undefined, error: messageOf(error), retryAfterMs: undefined };
    }
  }
}

function isDue({ dueMs, made, isStored }: Kept): boolean {
  return isStored && dueMs <= made.clock.now();
}

/** A sandbox that was made of another one has messages of the same id. */
function keyOf({ sandbox, id }: Pick<EventMessage, 'sandbox' | 'id'>): string {
  return `${sandbox} ${id}`;
}

function beginningOf({ clock, fault }: NewDelivery): DeliveryProgress {
  const nowMs = clock.now();
  const laterMs = fault?.kind === 'out-of-order' ? HELD_MS : (fault?.lateMs ?? 0);
  return { atMs: nowMs, dueMs: nowMs + laterMs, tries: 0 };
}

function progressOf({ at, dueMs, tries }: Kept): DeliveryProgress {
  return { atMs: Date.parse(at), dueMs, tries };
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

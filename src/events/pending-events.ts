import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../core/json/json-value';
import type { Sandbox } from '../mock/sandbox/sandbox';
import { MAIN_ID } from '../mock/sandbox/sandbox-selection';
import type { Sandboxes } from '../mock/sandbox/sandboxes';
import { StoreError } from '../mock/state/state-log';
import { Deliveries } from './deliveries';
import type { DeliveryKeeper, DeliveryProgress, NewDelivery, PostMessage } from './delivery';
import { type CallbackRecord, type MessageRecord, readRecord, toRecord } from './event-records';

/** How messages are sent, and made again of what was kept. */
interface SendingParts {
  readonly post: PostMessage;
  /** Called where something became of a message. */
  readonly onChange: () => void;
  /** Those of the mock that answers now. */
  readonly sandboxes: () => Sandboxes;
  /** @returns `undefined` for an event that the description does not have any more */
  readonly remake: (record: MessageRecord, id: string, sandbox: Sandbox) => NewDelivery | undefined;
}

/** Of those who asked for callbacks, so many are remembered in each sandbox. */
const MOST_CALLBACKS = 1000;
/** So often is looked whether a state brought messages along, by the real clock. */
const LOOK_MS = 500;
/** So long nobody else sends a message, where several processes could. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

// Kept as it is now: a test may fake the timers later.
const every = setInterval;

/**
 * Messages on their way and callbacks that were asked for, kept in the outbox of the state of each sandbox: snapshots and
 * stores take them along, and a restore brings them back. A message is sent by the process that made it; by another one where
 * that has not been heard of for half a minute.
 */
export class PendingEvents implements DeliveryKeeper {
  readonly deliveries: Deliveries;
  private readonly parts: SendingParts;
  private readonly owner = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private renewedMs = 0;
  private looking: Promise<void> | undefined;

  constructor(parts: SendingParts) {
    this.parts = parts;
    this.deliveries = new Deliveries(parts.post, this);
  }

  /** Looks from now on what states bring along; where a store is, something may be in it already. */
  start(): void {
    this.timer ??= every(() => void this.look(), LOOK_MS).unref();
  }

  /** Leaves what is on its way to whoever goes on with the state. */
  stop(): void {
    clearInterval(this.timer);
    this.deliveries.stop();
  }

  /** Resolves when every message that is due was tried, those too that a state brought along. */
  async idle(): Promise<void> {
    // A look that is under way may have passed what came since.
    await this.looking;
    await this.look();
    await this.deliveries.idle();
  }

  /** Where callbacks go that requests of a sandbox asked for, oldest first. */
  callbacks(sandbox: Sandbox): CallbackRecord[] {
    return this.registered(sandbox).map(([, callback]) => callback);
  }

  register(sandbox: Sandbox, callback: CallbackRecord): void {
    this.set(sandbox, randomUUID(), toRecord(callback));
    const all = [...sandbox.live.outbox.idsOf('callback')];
    for (const id of all.slice(0, Math.max(0, all.length - MOST_CALLBACKS))) this.set(sandbox, id, null);
  }

  forget(sandbox: Sandbox, isMeant: (callback: CallbackRecord) => boolean): void {
    for (const [id, callback] of this.registered(sandbox)) if (isMeant(callback)) this.set(sandbox, id, null);
  }

  private registered({ live: { outbox } }: Sandbox): (readonly [id: string, callback: CallbackRecord])[] {
    return [...outbox.idsOf('callback')].flatMap((id) => {
      const record = outbox.records.get(id);
      const read = record && readRecord(record);
      return read?.kind === 'callback' ? [[id, read] as const] : [];
    });
  }

  obstacle({ sandbox: id, id: message }: NewDelivery): string | undefined {
    const sandbox = this.sandboxOf(id);
    if (sandbox === undefined) return 'its sandbox is gone';
    const record = sandbox.live.outbox.records.get(message);
    if (record === undefined) return 'the state went back to before it happened';
    return record['owner'] === this.owner ? undefined : 'another process sends it';
  }

  waits(made: NewDelivery, progress: DeliveryProgress): void {
    const sandbox = this.sandboxOf(made.sandbox);
    if (sandbox !== undefined) this.set(sandbox, made.id, toRecord(this.recordOf(made, progress)));
  }

  stored(made: NewDelivery, progress: DeliveryProgress): Promise<void> | undefined {
    // What was noted before is stored by this round or by one before it.
    const round = this.parts.sandboxes().store?.rounds?.run(made.sandbox, () => undefined);
    return round?.catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      // It is sent all the same, and outlasts nothing.
      this.sandboxOf(made.sandbox)?.live.outbox.set(made.id, toRecord(this.recordOf(made, progress)));
    });
  }

  ended({ sandbox: id, id: message }: NewDelivery): void {
    const sandbox = this.sandboxOf(id);
    if (sandbox?.live.outbox.records.has(message) === true) this.set(sandbox, message, null);
  }

  changed(): void {
    this.parts.onChange();
  }

  private recordOf(made: NewDelivery, { atMs, dueMs, tries }: DeliveryProgress): MessageRecord {
    const { sandbox, event, pointer, method, url, lane, fault, ownSecret } = made;
    const { owner } = this;
    return {
      kind: 'message',
      ...{ owner, untilMs: Date.now() + LEASE_MS, sandbox, event, pointer, method, url, lane },
      body: made.body ?? null,
      mediaType: made.mediaType ?? null,
      secret: ownSecret ?? null,
      ...{ atMs, dueMs, tries },
      fault: fault?.text ?? null,
    };
  }

  private set(sandbox: Sandbox, id: string, record: JsonObject | null): void {
    const sandboxes = this.parts.sandboxes();
    sandboxes.materialise(sandbox);
    sandbox.live.outbox.set(id, record);
    this.start();
    try {
      sandboxes.store?.commit(sandbox, { outbox: [[id, record]] });
    } catch (error) {
      // It is sent all the same, and outlasts nothing.
      if (!(error instanceof StoreError)) throw error;
    }
  }

  private sandboxOf(id: string): Sandbox | undefined {
    const sandboxes = this.parts.sandboxes();
    return id === MAIN_ID ? sandboxes.main : sandboxes.peek(id);
  }

  /** Takes up what states have and nobody sends, and gives up what they do not have any more. */
  private async look(): Promise<void> {
    this.looking ??= this.lookThrough().finally(() => {
      this.looking = undefined;
    });
    await this.looking;
  }

  private async lookThrough(): Promise<void> {
    try {
      const sandboxes = this.parts.sandboxes();
      await this.renew(sandboxes);
      for (const sandbox of sandboxes.all())
        if (sandbox.live.outbox.records.size > 0) await this.takeUp(sandboxes, sandbox);
      this.deliveries.review();
    } catch (error) {
      // Another time, when the store answers again.
      if (!(error instanceof StoreError)) throw error;
    }
  }

  private async takeUp(sandboxes: Sandboxes, sandbox: Sandbox): Promise<void> {
    const { rounds } = sandboxes.store ?? {};
    const sandboxId = sandbox.id ?? MAIN_ID;
    for (const [id, raw] of [...sandbox.live.outbox.records]) {
      if (!this.isFree(raw, id, sandboxId, rounds !== undefined)) continue;
      const take = (): NewDelivery | undefined => {
        const now = sandbox.live.outbox.records.get(id);
        if (now === undefined || !this.isFree(now, id, sandboxId, rounds !== undefined)) return undefined;
        return this.take(sandbox, id, now);
      };
      const made = rounds === undefined ? take() : await rounds.run(sandboxId, take);
      if (made !== undefined) this.deliveries.add(made);
    }
  }

  private isFree(raw: JsonObject, id: string, sandbox: string, isShared: boolean): boolean {
    if (this.deliveries.isWaiting(sandbox, id)) return false;
    const record = readRecord(raw);
    if (record?.kind !== 'message') return false;
    const isLeased = record.owner !== this.owner && record.untilMs > Date.now();
    return !isShared || record.sandbox !== sandbox || !isLeased;
  }

  /** From now on it is this process that sends it. One that came along from another sandbox is a message of its own. */
  private take(sandbox: Sandbox, id: string, raw: JsonObject): NewDelivery | undefined {
    const record = readRecord(raw) as MessageRecord;
    const isOfOther = record.sandbox !== (sandbox.id ?? MAIN_ID);
    const made = this.parts.remake(record, isOfOther ? `msg_${randomUUID()}` : id, sandbox);
    if (made === undefined || isOfOther) this.set(sandbox, id, null);
    if (made?.progress !== undefined) this.waits(made, made.progress);
    return made;
  }

  /** Says that this process is there, and learns what others left, where others send as well. */
  private async renew({ store, main }: Sandboxes): Promise<void> {
    const nowMs = performance.now();
    if (store?.rounds === undefined || nowMs - this.renewedMs < RENEW_MS) return;
    this.renewedMs = nowMs;
    for (const { made, progress } of this.deliveries.allWaiting())
      if (this.obstacle(made) === undefined) this.waits(made, progress);
    await store.rounds.run(main.id ?? MAIN_ID, () => undefined);
  }
}

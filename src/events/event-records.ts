import type { JsonObject } from '../core/json/json-value';

/** Where a callback goes that a request asked for. */
export interface CallbackRecord {
  readonly kind: 'callback';
  /** Of the event, in the description. */
  readonly pointer: string;
  readonly url: string;
  /** The item that the request made: `/orders 7`; `null` where it made none. */
  readonly subject: string | null;
  readonly collection: string | null;
}

/** A message that was not taken yet. */
export interface MessageRecord {
  readonly kind: 'message';
  /** The process that sends it. */
  readonly owner: string;
  /** Until when nobody else does, in epoch milliseconds of the real clock: the owner may have ended. */
  readonly untilMs: number;
  /** The sandbox that it was made in. */
  readonly sandbox: string;
  readonly event: string;
  /** Of the event, in the description. */
  readonly pointer: string;
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  readonly mediaType: string | null;
  /** Of the subscription. */
  readonly secret: string | null;
  readonly lane: string;
  /** When it was made, and when it is due, by the clock of its sandbox. */
  readonly atMs: number;
  readonly dueMs: number;
  /** How often it was tried. */
  readonly tries: number;
  readonly fault: string | null;
}

export type EventRecord = CallbackRecord | MessageRecord;

/** As it stands in the outbox of a state. */
export function toRecord(record: EventRecord): JsonObject {
  return { ...record };
}

/** @returns `undefined` for what another version wrote */
export function readRecord(record: JsonObject): EventRecord | undefined {
  const text = (name: string): boolean => typeof record[name] === 'string';
  const number = (name: string): number => Number(record[name]);
  if (!text('pointer') || !text('url')) return undefined;
  if (record['kind'] === 'callback') return record as unknown as CallbackRecord;
  if (record['kind'] !== 'message' || !['owner', 'event', 'method', 'lane', 'sandbox'].every(text)) return undefined;
  const [untilMs, atMs, dueMs, tries] = ['untilMs', 'atMs', 'dueMs', 'tries'].map(number);
  const numbers = { untilMs, atMs, dueMs, tries };
  if (!Object.values(numbers).every((each) => Number.isFinite(each))) return undefined;
  return { ...(record as unknown as MessageRecord), ...(numbers as Pick<MessageRecord, keyof typeof numbers>) };
}

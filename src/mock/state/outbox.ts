import type { JsonObject, JsonValue } from '../../core/json/json-value';

/** What the service has still to send, and whom it promised to tell: records by id, in the order in which they came. */
export type OutboxRecords = ReadonlyMap<string, JsonObject>;

export const EMPTY_OUTBOX: OutboxRecords = new Map();

/**
 * The records of a running mock. What they say is known to those who send; here they go along with the state, into its
 * snapshots and where it is stored. They are copied whole, once after each snapshot.
 */
export class Outbox {
  private held: OutboxRecords;
  /** The same map, while nobody else holds it. */
  private own: Map<string, JsonObject> | undefined;
  /** Ids by what records say under `kind`; made when first asked for. */
  private kinds: Map<JsonValue | undefined, Set<string>> | undefined;

  constructor(records: OutboxRecords = EMPTY_OUTBOX) {
    this.held = records;
  }

  get records(): OutboxRecords {
    return this.held;
  }

  /** The ids of one kind, in the order in which they came: one kind is not slow because there are many of another. */
  idsOf(kind: string): ReadonlySet<string> {
    if (this.kinds === undefined) {
      this.kinds = new Map();
      for (const [id, record] of this.held) this.ofKind(record['kind']).add(id);
    }
    return this.ofKind(kind);
  }

  /** @param record - `null` takes it out */
  set(id: string, record: JsonObject | null): void {
    if (this.own === undefined) this.held = this.own = new Map(this.held);
    if (this.kinds !== undefined) {
      const before = this.own.get(id);
      if (before !== undefined && before['kind'] !== record?.['kind']) this.ofKind(before['kind']).delete(id);
      if (record !== null) this.ofKind(record['kind']).add(id);
    }
    if (record === null) this.own.delete(id);
    else this.own.set(id, record);
  }

  private ofKind(kind: JsonValue | undefined): Set<string> {
    this.kinds ??= new Map<JsonValue | undefined, Set<string>>();
    const ids = this.kinds.get(kind) ?? new Set<string>();
    this.kinds.set(kind, ids);
    return ids;
  }

  /** The records as a value that nothing changes any more. */
  share(): OutboxRecords {
    this.own = undefined;
    return this.held;
  }
}

/** A record of an entry; `null` where it is taken out. */
export type OutboxEntry = readonly [id: string, record: JsonObject | null];

/** What makes the records of one state those of another. */
export function outboxBetween(
  before: OutboxRecords = EMPTY_OUTBOX,
  after: OutboxRecords = EMPTY_OUTBOX,
): OutboxEntry[] {
  if (before === after) return [];
  const gone = [...before.keys()].filter((id) => !after.has(id));
  return [...gone.map((id) => [id, null] as const), ...[...after].filter(([id, record]) => before.get(id) !== record)];
}

import type { JsonObject, JsonValue } from '../core/json/json-value';
import { isJsonObject } from '../core/json/json-value';
import { parseJson } from '../core/json/parse-json';
import { stringifyJson } from '../core/json/stringify-json';
import type { Entry } from '../mock/state/entry';
import {
  type AboutStore,
  type Appended,
  NOT_STORED,
  type Position,
  type StoredSnapshot,
  type Tail,
} from '../mock/state/state-log';
import type { SharedLog } from '../mock/sandbox/request-stream';
import { entryOf, entryText } from './entry-json';
import { STORED } from './log-lines';
import { openRedis, type RedisAccess, type RedisConnection, type Reply, unusableRedis } from './redis-connection';
import { RedisRequests } from './redis-requests';
import { APPEND, BEGIN, COMPACT } from './redis-scripts';

const STORE_FORMAT = 'store/1';
/** So many entries behind a snapshot become a new one. */
const LONG_ENTRIES = 1000;
/** What nobody uses for so long is gone. */
const MAIN_TTL_MS = 30 * 24 * 60 * 60 * 1000;

export interface RedisLogOptions extends RedisAccess {
  /** How long a sandbox lives that nobody uses, in milliseconds. */
  readonly idleMs: number;
  /** Id of the sandbox that lives longer. */
  readonly mainId: string;
}

/**
 * Connects to a Redis that several mocks share.
 *
 * @throws ConfigError `STORE_UNUSABLE` where it does not answer, takes no writes, or is too old
 */
export async function openRedisLog(options: RedisLogOptions): Promise<SharedLog> {
  return new RedisLog(await openRedis(options), options);
}

/** See {@link APPEND}. */
type ScriptReply = readonly [kind: string, last: string, third: Reply, fourth: Reply];

class RedisLog implements SharedLog {
  readonly isShared = true;
  readonly requests: RedisRequests;
  private readonly redis: RedisConnection;
  private readonly options: RedisLogOptions;
  /** When the time to live of a sandbox was set last. */
  private readonly touched = new Map<string, number>();
  /** Entries behind the snapshot, as far as is known here. */
  private readonly lengths = new Map<string, number>();

  constructor(redis: RedisConnection, options: RedisLogOptions) {
    this.redis = redis;
    this.options = options;
    this.requests = new RedisRequests(redis);
  }

  get place(): string {
    return this.redis.place;
  }

  async about(): Promise<AboutStore | undefined> {
    const text = await this.redis.send(['GET', this.key('about')]);
    if (typeof text !== 'string') return undefined;
    const { standin, title, digest } = JSON.parse(text) as AboutStore & { readonly standin: string };
    if (standin === STORE_FORMAT) return { title, digest };
    throw unusableRedis(
      this.place,
      `it is of the version ${standin}, and this standin reads ${STORE_FORMAT}`,
      'Give it another ?name=.',
    );
  }

  async describe(about: AboutStore): Promise<void> {
    const text = JSON.stringify({ standin: STORE_FORMAT, ...about });
    await this.redis.send(['SET', this.key('about'), text, 'PX', String(MAIN_TTL_MS)]);
  }

  async ids(): Promise<readonly string[]> {
    const ids = (await this.redis.send(['SMEMBERS', this.key('sandboxes')])) as readonly string[];
    const there = await Promise.all(ids.map((id) => this.redis.send(['EXISTS', this.keysOf(id)[0]])));
    const gone = ids.filter((_, index) => there[index] === 0);
    if (gone.length > 0) await this.redis.send(['SREM', this.key('sandboxes'), ...gone]);
    return ids.filter((_, index) => there[index] === 1).sort();
  }

  async read(id: string, after: Position): Promise<Tail | undefined> {
    // A position that nobody has: everything, from the snapshot on.
    const appended = await this.append(id, after === 0 ? NOT_STORED - 1 : after, []);
    if (appended.kind === 'appended') return { snapshot: undefined, entries: [], position: after };
    return appended.tail;
  }

  async begin(id: string, snapshot: StoredSnapshot): Promise<Position> {
    const text = snapshotText(snapshot);
    const position = await this.redis.run(BEGIN, this.keysOf(id), [text, String(this.ttlOf(id))]);
    await this.redis.send(['SADD', this.key('sandboxes'), id]);
    this.lengths.set(id, 0);
    return Number(position);
  }

  async append(id: string, after: Position, entries: readonly Entry[], beginning?: StoredSnapshot): Promise<Appended> {
    const ttl = this.ttlToSet(id);
    if (entries.length === 0 && ttl === 0 && (await this.isLast(id, after)))
      return { kind: 'appended', position: after };
    const texts = entries.map(entryText);
    const begins = after === NOT_STORED && beginning !== undefined;
    const reply = (await this.redis.run(APPEND, this.keysOf(id), [
      String(after),
      String(ttl),
      begins ? snapshotText(beginning) : '',
      ...texts,
    ])) as ScriptReply;
    if (reply[0] !== 'appended') return { kind: 'behind', tail: this.tailOf(id, reply) };
    if (begins) await this.redis.send(['SADD', this.key('sandboxes'), id]);
    this.lengths.set(id, (this.lengths.get(id) ?? 0) + entries.length);
    return { kind: 'appended', position: Number(reply[1]) };
  }

  /** Most rounds read only, and know all: that is asked as cheaply as it can be. */
  private async isLast(id: string, position: Position): Promise<boolean> {
    return position > 0 && (await this.redis.send(['HGET', this.keysOf(id)[1], 'last'])) === String(position);
  }

  /** What the script gives who is behind; `undefined` where nothing is stored. */
  private tailOf(id: string, [kind, last, third, fourth]: ScriptReply): Tail | undefined {
    if (kind === 'none') return undefined;
    const isWhole = kind === 'whole';
    const entries = entriesOf(isWhole ? fourth : third);
    this.lengths.set(id, (isWhole ? 0 : (this.lengths.get(id) ?? 0)) + entries.length);
    return { snapshot: isWhole ? snapshotOf(String(third)) : undefined, entries, position: Number(last) };
  }

  async remove(id: string): Promise<void> {
    await this.redis.send(['DEL', ...this.keysOf(id)]);
    await this.redis.send(['SREM', this.key('sandboxes'), id]);
    this.lengths.delete(id);
  }

  /** What was appended is as safe as the Redis makes it, which answers when it is. */
  settled(): undefined {
    return undefined;
  }

  isLong(id: string): boolean {
    return (this.lengths.get(id) ?? 0) >= LONG_ENTRIES;
  }

  async compact(id: string, position: Position, snapshot: StoredSnapshot): Promise<void> {
    this.lengths.set(id, 0);
    await this.redis.run(COMPACT, this.keysOf(id), [String(position), snapshotText(snapshot)]);
  }

  trouble(): string | undefined {
    return this.redis.trouble();
  }

  close(): Promise<void> {
    this.redis.close();
    return Promise.resolve();
  }

  private key(what: string): string {
    return `${this.redis.name}:${what}`;
  }

  /** Both have one hash tag, so that they lie in one slot of a cluster. */
  private keysOf(id: string): readonly [log: string, facts: string] {
    return [`${this.redis.name}:{${id}}:log`, `${this.redis.name}:{${id}}:facts`];
  }

  private ttlOf(id: string): number {
    return id === this.options.mainId ? MAIN_TTL_MS : this.options.idleMs;
  }

  /** Set again when a tenth of it is over: a read is not to become a write each time. @returns 0 for not now */
  private ttlToSet(id: string): number {
    const [ttl, now] = [this.ttlOf(id), Date.now()];
    if (now - (this.touched.get(id) ?? 0) < ttl / 10) return 0;
    this.touched.set(id, now);
    return Math.ceil(ttl);
  }
}

function snapshotText({ rows, rest }: StoredSnapshot): string {
  return `{"rest":${entryText(rest)},"rows":${stringifyJson(rows)}}`;
}

function snapshotOf(text: string): StoredSnapshot {
  const { rest, rows } = parseJson(text, STORED) as { readonly rest: JsonObject; readonly rows: JsonObject };
  return { rest: entryOf(rest), rows };
}

/** Entries of an XRANGE: `[id, ['e', text]]`. */
function entriesOf(reply: Reply): Entry[] {
  return (reply as readonly (readonly [string, readonly [string, string]])[]).map(([, [, text]]) => {
    const value: JsonValue = parseJson(text, STORED);
    return entryOf(isJsonObject(value) ? value : {});
  });
}

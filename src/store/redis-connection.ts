import type * as RedisClientModule from '@redis/client';
import { ConfigError, messageOf } from '../core/errors/standin-error';
import { StoreError } from '../mock/state/state-log';

/** Streams whose entries are trimmed by their number came with it. */
const OLDEST = [6, 2] as const;
const DEFAULT_NAME = 'standin';
/** A Redis that is silent for so long is away: it may be paused, or the network cut without a word. */
const SILENT_MS = 2000;
const CONNECT_MS = 5000;
const PING_MS = 1000;

export interface RedisAccess {
  /** `redis://` or `rediss://`, with `?name=` for the name of the store in it. */
  readonly address: string;
  /** In place of those of the address. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

export type Reply = string | number | null | readonly Reply[];

/** What is used of the client. */
interface Client {
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  sendCommand(args: readonly string[]): Promise<unknown>;
  on(event: 'error' | 'ready', listener: (error?: unknown) => void): unknown;
  once(event: 'error', listener: (error: unknown) => void): unknown;
  destroy(): void;
}

/** @throws ConfigError `STORE_UNUSABLE` where it does not answer, takes no writes, or is too old */
export async function openRedis(access: RedisAccess): Promise<RedisConnection> {
  const { url, place, name } = addressOf(access);
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only by who shares a state
  const { createClient } = require('#vendor/redis-client') as typeof RedisClientModule;
  const client = createClient({
    url: url.href,
    // What every version speaks, so that an old one can say which it is.
    RESP: 2,
    // While it is away a request is answered at once, and none is sent later that nobody waits for.
    disableOfflineQueue: true,
    // A connection that was cut without a word is found out.
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: CONNECT_MS,
      reconnectStrategy: (tries) => Math.min(1000, 20 * 2 ** Math.min(tries, 6)),
    },
  });
  const connection = new RedisConnection(client, place, name);
  try {
    await connection.connect();
    return connection;
  } catch (error) {
    connection.close();
    if (error instanceof ConfigError) throw error;
    throw unusableRedis(place, messageOf(error), hintFor(messageOf(error)));
  }
}

export function unusableRedis(place: string, message: string, hint: string): ConfigError {
  return new ConfigError('STORE_UNUSABLE', `The store ${place} cannot be used: ${message}`, { hint });
}

function hintFor(message: string): string {
  if (/WRONGPASS|NOAUTH|invalid username-password/i.test(message))
    return 'Set STANDIN_REDIS_USERNAME and STANDIN_REDIS_PASSWORD, or put them into the address.';
  if (/self[- ]signed|certificate/i.test(message))
    return 'Name its certificate authority in the variable NODE_EXTRA_CA_CERTS.';
  if (/NOPERM/.test(message))
    return 'The user needs the commands of streams, hashes, sets and scripts, and all keys of the store.';
  return 'Start it, or correct the address: --store redis://HOST:PORT/DATABASE.';
}

/** @returns the address for the client, the same for people, without a password, and the name of the store */
function addressOf({ address, username, password }: RedisAccess): { url: URL; place: string; name: string } {
  const url = new URL(address);
  const name = url.searchParams.get('name') ?? DEFAULT_NAME;
  url.search = '';
  if (username !== undefined) url.username = encodeURIComponent(username);
  if (password !== undefined) url.password = encodeURIComponent(password);
  const shown = new URL(url);
  shown.username = shown.password = '';
  return { url, place: `${shown.href}${name === DEFAULT_NAME ? '' : `?name=${encodeURIComponent(name)}`}`, name };
}

/** A connection that comes back by itself, and the scripts that are run over it. */
export class RedisConnection {
  /** For people: the address without what is secret. */
  readonly place: string;
  /** What the keys of the store begin with. */
  readonly name: string;
  private readonly client: Client;
  private readonly shas = new Map<string, string>();
  private failure: string | undefined;

  constructor(client: Client, place: string, name: string) {
    this.client = client;
    this.place = place;
    this.name = name;
    client.on('error', (error: unknown) => {
      this.failure = messageOf(error) || 'the connection is lost';
    });
    client.on('ready', () => {
      this.failure = undefined;
    });
  }

  /** @throws ConfigError for one that takes no writes or is too old, and what the client throws */
  async connect(): Promise<void> {
    // The client would try again for ever: an address that is wrong is told at once.
    const failed = new Promise((_, reject) => {
      this.client.once('error', reject);
    });
    await within(CONNECT_MS, Promise.race([this.client.connect(), failed]));
    const facts = String(await this.send(['INFO']));
    const version = /^redis_version:(\S+)/m.exec(facts)?.[1] ?? '0';
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
      throw unusableRedis(this.place, `it is Redis ${version}`, `Redis ${OLDEST.join('.')} or Valkey is needed.`);
    if (/^role:slave/m.test(facts))
      throw unusableRedis(this.place, 'it is a replica, which takes no writes', 'Name its primary.');
  }

  /** What keeps it from being asked now; `undefined` while all is well. */
  trouble(): string | undefined {
    if (this.client.isReady && this.failure === undefined) return undefined;
    return `${this.place} is away: ${this.failure ?? 'it does not answer'}`;
  }

  /** @throws StoreError where it is away, takes nothing, or says nothing in time: it is then not known what was done */
  async send(args: readonly string[]): Promise<Reply> {
    if (!this.client.isReady) throw new StoreError(this.trouble() ?? `${this.place} is away`, 1);
    try {
      const reply = await within(SILENT_MS, this.client.sendCommand([...args]));
      this.failure = undefined;
      return reply as Reply;
    } catch (error) {
      const why = messageOf(error);
      if (why.startsWith('NOSCRIPT')) throw error;
      this.failure = why;
      const advice = why.startsWith('OOM') ? ': make room there, or raise its maxmemory' : '';
      throw new StoreError(`${this.place} did not store it: ${why}${advice}`, 1, error, hintFor(why));
    }
  }

  /** Runs a script, which is sent once. @throws StoreError as {@link send} does */
  async run(script: string, keys: readonly string[], args: readonly string[]): Promise<Reply> {
    const call = (sha: string): Promise<Reply> => this.send(['EVALSHA', sha, String(keys.length), ...keys, ...args]);
    try {
      return await call(this.shas.get(script) ?? (await this.load(script)));
    } catch (error) {
      // Of a Redis that was started again.
      if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
      return call(await this.load(script));
    }
  }

  close(): void {
    this.client.destroy();
  }

  private async load(script: string): Promise<string> {
    const sha = String(await this.send(['SCRIPT', 'LOAD', script]));
    this.shas.set(script, sha);
    return sha;
  }
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer in ${ms / 1000} s`));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

import { randomBytes } from 'node:crypto';
import {
  type Debtor,
  type Heard,
  type HeardUpTo,
  type RequestStream,
  SHARED_JOURNAL,
  type ToldBatch,
} from '../mock/sandbox/request-stream';
import type { RedisConnection } from './redis-connection';
import { HEAR, OWE, TELL } from './redis-scripts';
import { toldOf, toldText } from './request-json';

/** What nobody asked anything for so long is gone: it has the credentials of requests in it. */
const TTL_MS = 24 * 60 * 60 * 1000;
/** Who looks says so again before. */
const WATCHED_MS = 60_000;
const MOST_BYTES = 8 * 1024 * 1024;

/** Entries of an XRANGE: `[id, ['e', text]]`. */
type Entries = readonly (readonly [id: string, fields: readonly [string, string]])[];

export class RedisRequests implements RequestStream {
  private readonly redis: RedisConnection;

  constructor(redis: RedisConnection) {
    this.redis = redis;
  }

  async watch(): Promise<void> {
    await this.redis.send(['SET', this.key('watched'), '1', 'PX', String(WATCHED_MS)]);
  }

  async owe({ process, sinceMs }: Debtor): Promise<boolean> {
    const keys = [this.key('debtors'), this.key('watched')];
    return (await this.redis.run(OWE, keys, [String(TTL_MS), process, String(sinceMs)])) === 1;
  }

  async tell({ process, number, told, lost }: ToldBatch, owedSinceMs: number | undefined): Promise<boolean> {
    const keys = ['told', 'facts', 'watched', 'debtors'].map((what) => this.key(what));
    const isWatched = await this.redis.run(TELL, keys, [
      String(TTL_MS),
      String(SHARED_JOURNAL.entries),
      process,
      String(number),
      owedSinceMs === undefined ? '' : String(owedSinceMs),
      String(lost),
      ...told.flatMap((each) => [String(each.atMs), `${each.kind === 'request' ? 1 : 0}${toldText(each)}`]),
    ]);
    return isWatched === 1;
  }

  async hear(known: HeardUpTo | undefined, isPatient: boolean): Promise<Heard> {
    const keys = ['told', 'facts', 'log', 'debtors'].map((what) => this.key(what));
    const [instance, last, entries, owedSince] = (await this.redis.run(HEAR, keys, [
      String(TTL_MS),
      String(SHARED_JOURNAL.entries),
      String(MOST_BYTES),
      randomBytes(6).toString('hex'),
      isPatient ? '1' : '0',
      known?.instance ?? '',
      known?.cursor ?? '',
    ])) as readonly [string, string, Entries, string];
    const isWhole = known?.instance !== instance;
    const cursor = entries.at(-1)?.[0] ?? (isWhole ? '0-0' : known.cursor);
    return {
      instance,
      isWhole,
      cursor,
      told: entries.map(([id, [, text]]) => toldOf(jsonOf(text), seqOf(id))),
      last: Number(last),
      owedSinceMs: owedSince === '' ? undefined : Number(owedSince),
    };
  }

  /** One hash tag, so that all lie in one slot of a cluster. No sandbox is called so. */
  private key(what: string): string {
    return `${this.redis.name}:{*}:${what}`;
  }
}

/** Between the mark of what it is, and what makes it another one than its like. */
function jsonOf(text: string): string {
  return text.slice(1, text.lastIndexOf(' '));
}

function seqOf(id: string): number {
  return Number(id.split('-', 1)[0]);
}

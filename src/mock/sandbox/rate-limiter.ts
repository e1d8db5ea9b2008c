import type { RawHeaders } from '../../core/http/message';

export interface RateVerdict {
  readonly isAllowed: boolean;
  /** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11); on a rejection `Retry-After` too. */
  readonly headers: RawHeaders;
}

/** Counts in shares: a request costs as many as the window has milliseconds, each of which gives `requests` back. */
interface Bucket {
  shares: number;
  updatedAt: number;
}

/** More callers than this are not distinguished: the oldest starts anew. */
const MAX_BUCKETS = 10_000;

/** One token bucket per API key, on the mock's clock, so that a test can let time pass. */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>();
  private readonly limit: RateLimit;
  /** Buckets as they were before somebody began to look; `undefined` while nobody does. */
  private before: Map<string, Bucket | undefined> | undefined;

  constructor(limit: RateLimit) {
    this.limit = limit;
  }

  /** @param nowMs - epoch milliseconds of the mock's clock */
  take(key: string, nowMs: number): RateVerdict {
    const { requests, seconds } = this.limit;
    // Whole numbers throughout: a fraction that is lost would reject a client that waited exactly as long as it was told.
    const cost = seconds * 1000;
    const full = requests * cost;
    if (this.before?.has(key) === false) this.before.set(key, copyOf(this.buckets.get(key)));
    const bucket = this.bucketFor(key, nowMs, full);
    const elapsedMs = Math.min(cost, Math.max(0, Math.floor(nowMs - bucket.updatedAt)));
    bucket.shares = Math.min(full, bucket.shares + elapsedMs * requests);
    bucket.updatedAt = nowMs;
    const isAllowed = bucket.shares >= cost;
    if (isAllowed) bucket.shares -= cost;
    const secondsUntil = (shares: number): number => Math.ceil((shares - bucket.shares) / requests / 1000);
    const headers = [
      'RateLimit-Policy',
      `"default";q=${requests};w=${seconds}`,
      'RateLimit',
      `"default";r=${Math.floor(bucket.shares / cost)};t=${secondsUntil(isAllowed ? full : cost)}`,
    ];
    if (!isAllowed) headers.push('Retry-After', String(secondsUntil(cost)));
    return { isAllowed, headers };
  }

  reset(): void {
    if (this.before !== undefined)
      for (const [key, bucket] of this.buckets) if (!this.before.has(key)) this.before.set(key, copyOf(bucket));
    this.buckets.clear();
  }

  /** From now on it is noted which buckets change. */
  watch(): void {
    this.before = new Map();
  }

  /** The buckets that changed since {@link watch}, as JSON. */
  changes(): BucketFacts[] {
    return [...(this.before?.keys() ?? [])].map((key) => {
      const { shares, updatedAt } = this.buckets.get(key) ?? { shares: null, updatedAt: 0 };
      return [key, shares, updatedAt];
    });
  }

  all(): BucketFacts[] {
    return [...this.buckets].map(([key, { shares, updatedAt }]) => [key, shares, updatedAt]);
  }

  /** Takes back what changed since {@link watch}. */
  takeBack(): void {
    for (const [key, bucket] of this.before ?? []) this.put(key, bucket);
    this.before?.clear();
  }

  /** Knows what changed elsewhere. */
  learn(facts: readonly BucketFacts[]): void {
    for (const [key, shares, updatedAt] of facts) this.put(key, shares === null ? undefined : { shares, updatedAt });
  }

  private put(key: string, bucket: Bucket | undefined): void {
    if (bucket === undefined) this.buckets.delete(key);
    else this.buckets.set(key, bucket);
  }

  /** Drops the buckets of keys that begin so. */
  forget(prefix: string): void {
    for (const key of this.buckets.keys()) if (key.startsWith(prefix)) this.buckets.delete(key);
  }

  /** Hands the buckets of some keys over: they begin with the prefix, which is taken off. */
  moveTo(other: RateLimiter, prefix: string): void {
    for (const [key, bucket] of this.buckets) {
      if (!key.startsWith(prefix)) continue;
      this.buckets.delete(key);
      other.buckets.set(key.slice(prefix.length), bucket);
    }
  }

  private bucketFor(key: string, nowMs: number, full: number): Bucket {
    let bucket = this.buckets.get(key);
    if (bucket === undefined) {
      if (this.buckets.size >= MAX_BUCKETS) this.buckets.delete(this.buckets.keys().next().value ?? '');
      this.buckets.set(key, (bucket = { shares: full, updatedAt: nowMs }));
    }
    return bucket;
  }
}

/** A bucket as JSON; `null` for one that is not there. */
export type BucketFacts = readonly [key: string, shares: number | null, updatedAt: number];

function copyOf(bucket: Bucket | undefined): Bucket | undefined {
  return bucket && { ...bucket };
}

export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

export type Limiter = Pick<RateLimiter, 'take'>;

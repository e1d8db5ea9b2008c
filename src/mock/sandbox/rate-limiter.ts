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

  constructor(limit: RateLimit) {
    this.limit = limit;
  }

  /** @param nowMs - epoch milliseconds of the mock's clock */
  take(key: string, nowMs: number): RateVerdict {
    const { requests, seconds } = this.limit;
    // Whole numbers throughout: a fraction that is lost would reject a client that waited exactly as long as it was told.
    const cost = seconds * 1000;
    const full = requests * cost;
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
    this.buckets.clear();
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

export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

export type Limiter = Pick<RateLimiter, 'take'>;

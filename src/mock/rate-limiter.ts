import type { RawHeaders } from '../http/message';
import type { RateLimit } from './options';

/** What the limiter says of one request. */
export interface RateVerdict {
  readonly isAllowed: boolean;
  /** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11); on a refusal `Retry-After` too. */
  readonly headers: RawHeaders;
}

interface Bucket {
  tokens: number;
  updatedAt: number;
}

/** More callers than this are not told apart: the oldest starts anew. */
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
    const perMs = requests / (seconds * 1000);
    const bucket = this.bucketFor(key, nowMs);
    bucket.tokens = Math.min(requests, bucket.tokens + Math.max(0, nowMs - bucket.updatedAt) * perMs);
    bucket.updatedAt = nowMs;
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= 1;
    const secondsUntil = (tokens: number): number => Math.ceil((tokens - bucket.tokens) / perMs / 1000);
    const untilFull = secondsUntil(requests);
    const headers = [
      'RateLimit-Policy',
      `"default";q=${requests};w=${seconds}`,
      'RateLimit',
      `"default";r=${Math.floor(bucket.tokens)};t=${isAllowed ? untilFull : secondsUntil(1)}`,
    ];
    if (!isAllowed) headers.push('Retry-After', String(Math.max(1, secondsUntil(1))));
    return { isAllowed, headers };
  }

  reset(): void {
    this.buckets.clear();
  }

  private bucketFor(key: string, nowMs: number): Bucket {
    let bucket = this.buckets.get(key);
    if (bucket === undefined) {
      if (this.buckets.size >= MAX_BUCKETS) this.buckets.delete(this.buckets.keys().next().value ?? '');
      this.buckets.set(key, (bucket = { tokens: this.limit.requests, updatedAt: nowMs }));
    }
    return bucket;
  }
}

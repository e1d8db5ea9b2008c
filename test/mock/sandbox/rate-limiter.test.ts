import fc from 'fast-check';
import { RateLimiter, type RateVerdict } from '../../../src/mock/sandbox/rate-limiter';

const START = Date.UTC(2030, 0, 1);

function header({ headers }: RateVerdict, name: string): string | undefined {
  const index = headers.findIndex((text, at) => at % 2 === 0 && text === name);
  return index === -1 ? undefined : headers[index + 1];
}

test('so many requests are let through, the next one is not', () => {
  const limiter = new RateLimiter({ requests: 3, seconds: 60 });
  const verdicts = Array.from({ length: 5 }, () => limiter.take('key', START));
  expect(verdicts.map(({ isAllowed }) => isAllowed)).toStrictEqual([true, true, true, false, false]);
});

test('each answer says what the quota is and what is left of it', () => {
  const limiter = new RateLimiter({ requests: 2, seconds: 60 });
  const verdicts = Array.from({ length: 3 }, () => limiter.take('key', START));
  expect(verdicts.map((verdict) => header(verdict, 'RateLimit-Policy'))).toStrictEqual(
    Array.from({ length: 3 }, () => '"default";q=2;w=60'),
  );
  expect(verdicts.map((verdict) => header(verdict, 'RateLimit'))).toStrictEqual([
    '"default";r=1;t=30',
    '"default";r=0;t=60',
    '"default";r=0;t=30',
  ]);
  expect(verdicts.map((verdict) => header(verdict, 'Retry-After'))).toStrictEqual([undefined, undefined, '30']);
});

test('time brings requests back, never more than the quota', () => {
  const limiter = new RateLimiter({ requests: 2, seconds: 60 });
  const allowed = (ms: number): boolean => limiter.take('key', START + ms).isAllowed;
  expect([allowed(0), allowed(0), allowed(0)]).toStrictEqual([true, true, false]);
  expect(allowed(29_999)).toBe(false);
  expect(allowed(30_000)).toBe(true);
  expect(allowed(30_000)).toBe(false);
  const later = 10 * 60_000;
  expect([allowed(later), allowed(later), allowed(later)]).toStrictEqual([true, true, false]);
});

test('each key has its own', () => {
  const limiter = new RateLimiter({ requests: 1, seconds: 60 });
  expect(limiter.take('a', START).isAllowed).toBe(true);
  expect(limiter.take('b', START).isAllowed).toBe(true);
  expect(limiter.take('a', START).isAllowed).toBe(false);
  expect(limiter.take('', START).isAllowed).toBe(true);
  expect(limiter.take('__proto__', START).isAllowed).toBe(true);
});

test('a reset forgets everything', () => {
  const limiter = new RateLimiter({ requests: 1, seconds: 60 });
  limiter.take('a', START);
  limiter.reset();
  expect(limiter.take('a', START).isAllowed).toBe(true);
});

test('a clock that is set back takes nothing away and gives nothing', () => {
  const limiter = new RateLimiter({ requests: 2, seconds: 60 });
  expect(limiter.take('a', START).isAllowed).toBe(true);
  expect(limiter.take('a', START - 3_600_000).isAllowed).toBe(true);
  expect(limiter.take('a', START - 3_600_000).isAllowed).toBe(false);
  expect(limiter.take('a', START - 3_600_000 + 30_000).isAllowed).toBe(true);
});

test('beyond ten thousand keys the oldest one starts anew, and memory does not grow', () => {
  const limiter = new RateLimiter({ requests: 1, seconds: 3600 });
  for (let index = 0; index < 10_000; index++) limiter.take(`key ${index}`, START);
  expect(limiter.take('key 0', START).isAllowed).toBe(false);
  limiter.take('one more', START);
  expect(limiter.take('key 9999', START).isAllowed).toBe(false);
  expect(limiter.take('key 0', START).isAllowed).toBe(true);
});

const limit = fc.record({ requests: fc.integer({ min: 1, max: 100 }), seconds: fc.integer({ min: 1, max: 3600 }) });

test('whoever waits as long as Retry-After says is let through', () => {
  fc.assert(
    fc.property(limit, fc.array(fc.nat({ max: 5000 }), { maxLength: 40 }), ({ requests, seconds }, gaps) => {
      const limiter = new RateLimiter({ requests, seconds });
      let now = START;
      let verdict = limiter.take('a', now);
      for (const gap of gaps) {
        now += gap;
        verdict = limiter.take('a', now);
      }
      for (let count = 0; verdict.isAllowed && count < 2 * requests; count++) verdict = limiter.take('a', now);
      fc.pre(!verdict.isAllowed);
      const wait = Number(header(verdict, 'Retry-After'));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(seconds + 1);
      expect(limiter.take('a', now + wait * 1000).isAllowed).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('in no stretch of time are more let through than the bucket held and time filled in', () => {
  fc.assert(
    fc.property(
      limit,
      fc.array(fc.nat({ max: 60_000 }), { minLength: 1, maxLength: 100 }),
      ({ requests, seconds }, gaps) => {
        const limiter = new RateLimiter({ requests, seconds });
        let now = START;
        let count = 0;
        for (const gap of gaps) {
          now += gap;
          const verdict = limiter.take('a', now);
          if (verdict.isAllowed) count++;
          const remaining = Number(/r=(\d+)/.exec(header(verdict, 'RateLimit') ?? '')?.[1]);
          expect(remaining).toBeLessThan(requests);
          expect(count).toBeLessThanOrEqual(requests + ((now - START) / 1000 / seconds) * requests + 1e-6);
        }
      },
    ),
  );
});

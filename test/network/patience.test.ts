import { getMaxListeners } from 'node:events';
import { TransportError, type StandinError } from '../../src/core/errors/standin-error';
import { formatHttpDate } from '../../src/core/http/http-date';
import type { HttpRequest, HttpResponse, SendOptions, Transport } from '../../src/core/http/message';
import { deliveryOf } from '../../src/runner/transport/retrying-transport';
import { createRetryingTransport, type RetryOptions } from '../../src/runner/transport/retrying-transport';
import { REAL_TIMING } from '../../src/runner/transport/timing';
import { virtualTiming } from './virtual-timing';

type Scene = Partial<HttpResponse> | StandinError;

const broken = (
  code: 'BROKEN_CONNECTION' | 'BROKEN_RESPONSE' | 'TIMEOUT' | 'UNREACHABLE' = 'BROKEN_CONNECTION',
): Scene => new TransportError(`TRANSPORT_${code}`, 'it broke');
const busy = (retryAfter?: string, status = 429): Scene => ({
  status,
  headers: retryAfter === undefined ? [] : ['retry-after', retryAfter],
});

function request(method = 'GET', rawHeaders: readonly string[] = []): HttpRequest {
  return { method, target: '/', headers: {}, rawHeaders, body: new Uint8Array(0) };
}

/** Plays one scene for each request, the last one again and again. */
function scripted(...scenes: Scene[]): Transport & { readonly sent: (SendOptions | undefined)[] } {
  const sent: (SendOptions | undefined)[] = [];
  return {
    sent,
    send(_, options) {
      const scene = scenes[Math.min(sent.length, scenes.length - 1)]!;
      sent.push(options);
      if (scene instanceof Error) return Promise.reject(scene);
      return Promise.resolve({ status: 200, headers: [], body: undefined, ...scene });
    },
  };
}

/** What came of sending, whether it settled or failed, and how it came about. */
async function outcomeOf(
  transport: Transport,
  what: HttpRequest,
  options: RetryOptions = {},
  sendOptions?: SendOptions,
): Promise<{ readonly result: number | string; readonly attempts: number; readonly waitedMs: number }> {
  const patient = createRetryingTransport(transport, { timing: virtualTiming(), ...options });
  try {
    const response = await patient.send(what, sendOptions);
    return { result: response.status, ...counted(response) };
  } catch (error) {
    return { result: (error as StandinError).code, ...counted(error) };
  }
}

function counted(outcome: unknown): { attempts: number; waitedMs: number } {
  const { attempts, waitedMs, reasons } = deliveryOf(outcome);
  expect(reasons).toHaveLength(attempts - 1);
  return { attempts, waitedMs };
}

describe('a target that is busy', () => {
  test('is waited for as it says, and the answer tells how often it was asked', async () => {
    const transport = scripted(busy('7'), busy('2'), { status: 201 });
    expect(await outcomeOf(transport, request('POST'))).toEqual({ result: 201, attempts: 3, waitedMs: 9000 });
  });

  test('may say when in the form of a date', async () => {
    const timing = virtualTiming(Date.UTC(2030, 0, 1));
    const transport = scripted(busy(formatHttpDate(Date.UTC(2030, 0, 1, 0, 0, 30))), {});
    expect(await outcomeOf(transport, request(), { timing })).toEqual({ result: 200, attempts: 2, waitedMs: 30_000 });
    expect(timing.sleeps).toEqual([30_000]);
  });

  test.each([undefined, 'soon', '-1'])('that says no time (%s) is asked again at growing intervals', async (value) => {
    const timing = virtualTiming();
    await outcomeOf(scripted(busy(value)), request(), { timing, retries: 8, maxWaitMs: 1e6 });
    expect(timing.sleeps).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 16_000, 16_000]);
  });

  test('for ever is no verdict about it, and no response', async () => {
    const outcome = await outcomeOf(scripted(busy('1')), request(), { retries: 2 });
    expect(outcome).toEqual({ result: 'TRANSPORT_RATE_LIMITED', attempts: 3, waitedMs: 2000 });
  });

  test('for longer than is allowed in all is given up before the wait', async () => {
    const timing = virtualTiming();
    const outcome = await outcomeOf(scripted(busy('6')), request(), { timing, retries: 9, maxWaitMs: 10_000 });
    expect(outcome).toEqual({ result: 'TRANSPORT_RATE_LIMITED', attempts: 2, waitedMs: 6000 });
    expect(timing.sleeps).toEqual([6000]);
  });

  test('is not asked again where nothing is to be sent twice', async () => {
    const outcome = await outcomeOf(scripted(busy('0')), request(), { retries: 0 });
    expect(outcome).toEqual({ result: 'TRANSPORT_RATE_LIMITED', attempts: 1, waitedMs: 0 });
  });

  test('has given the answer where the sender counts on that status', async () => {
    const outcome = await outcomeOf(scripted(busy('9')), request(), {}, { expects: [200, 429] });
    expect(outcome).toEqual({ result: 429, attempts: 1, waitedMs: 0 });
  });

  test.each<{ waitsFor503: boolean; answer: Scene; result: number; attempts: number }>([
    { waitsFor503: false, answer: busy('3', 503), result: 503, attempts: 1 },
    { waitsFor503: true, answer: busy('3', 503), result: 200, attempts: 2 },
    { waitsFor503: true, answer: busy(undefined, 503), result: 503, attempts: 1 },
  ])('with a 503 is waited for only where that is asked for: $waitsFor503, $result', async (row) => {
    const outcome = await outcomeOf(scripted(row.answer, {}), request(), { waitsFor503: row.waitsFor503 });
    expect(outcome).toMatchObject({ result: row.result, attempts: row.attempts });
  });
});

describe('a connection that breaks', () => {
  const KEY = ['Idempotency-Key', '"1"'];

  test.each<{ what: HttpRequest; attempts: number; mayRepeat?: boolean }>([
    ...['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'].map((method) => ({ what: request(method), attempts: 2 })),
    ...['POST', 'PATCH', 'FOO'].map((method) => ({ what: request(method), attempts: 1 })),
    { what: request('POST', KEY), attempts: 2, mayRepeat: true },
    { what: request('PATCH', KEY), attempts: 2, mayRepeat: true },
    { what: request('POST', KEY), attempts: 1, mayRepeat: false },
    { what: request('POST', KEY), attempts: 1 },
    { what: request('POST'), attempts: 1, mayRepeat: true },
  ])('under $what.method $what.rawHeaders ($mayRepeat) is tried $attempts times', async (row) => {
    const { what, attempts, mayRepeat } = row;
    const transport = scripted(broken(), { status: 204 });
    const outcome = await outcomeOf(transport, what, {}, { mayRepeat });
    expect(outcome).toEqual({ result: attempts === 2 ? 204 : 'TRANSPORT_BROKEN_CONNECTION', attempts, waitedMs: 0 });
    expect(transport.sent.map((options) => options?.isFresh)).toEqual([false, true].slice(0, attempts));
  });

  test('again and again stays broken, and is given time from the second one on', async () => {
    const timing = virtualTiming();
    const outcome = await outcomeOf(scripted(broken()), request(), { timing });
    expect(outcome).toEqual({ result: 'TRANSPORT_BROKEN_CONNECTION', attempts: 4, waitedMs: 1500 });
    expect(timing.sleeps).toEqual([500, 1000]);
  });

  test.each(['BROKEN_RESPONSE', 'TIMEOUT', 'UNREACHABLE'] as const)('is not what %s is', async (code) => {
    const outcome = await outcomeOf(scripted(broken(code)), request());
    expect(outcome).toEqual({ result: `TRANSPORT_${code}`, attempts: 1, waitedMs: 0 });
  });

  test.each([
    { method: 'DELETE', status: 404, expects: [204], result: 'TRANSPORT_BROKEN_CONNECTION' },
    { method: 'PUT', status: 412, expects: [200], result: 'TRANSPORT_BROKEN_CONNECTION' },
    { method: 'DELETE', status: 404, expects: [204, 404], result: 404 },
    { method: 'DELETE', status: 404, expects: undefined, result: 404 },
    { method: 'DELETE', status: 500, expects: [204], result: 500 },
    { method: 'GET', status: 404, expects: [200], result: 404 },
  ])('makes the $status of a second $method tell nothing, unless $expects is right', async (row) => {
    const transport = scripted(broken(), { status: row.status });
    const outcome = await outcomeOf(transport, request(row.method), {}, { expects: row.expects });
    expect(outcome).toEqual({ result: row.result, attempts: 2, waitedMs: 0 });
  });

  test('and a busy target have one count and one time together', async () => {
    const transport = scripted(broken(), busy('1'), broken(), {});
    expect(await outcomeOf(transport, request())).toEqual({ result: 200, attempts: 4, waitedMs: 2000 });
  });
});

test('what is thrown beside transport errors passes through', async () => {
  const fault = new RangeError('a bug');
  const patient = createRetryingTransport({ send: () => Promise.reject(fault) });
  await expect(patient.send(request())).rejects.toBe(fault);
});

test('an answer that came at once has one attempt and no note, and is the very one of the transport', async () => {
  const response: HttpResponse = { status: 200, headers: [], body: undefined };
  const given = await createRetryingTransport({ send: () => Promise.resolve(response) }).send(request());
  expect(given).toBe(response);
  expect(deliveryOf(given)).toEqual({ attempts: 1, waitedMs: 0, reasons: [] });
});

test('a response that a transport gives to many keeps the notes of each apart', async () => {
  const shared: HttpResponse = { status: 200, headers: [], body: undefined };
  const answers: (HttpResponse | undefined)[] = [undefined, shared, shared];
  const transport: Transport = {
    send: () => Promise.resolve(answers.shift() ?? { status: 429, headers: [], body: undefined }),
  };
  const patient = createRetryingTransport(transport, { timing: virtualTiming() });
  const [first, second] = [await patient.send(request()), await patient.send(request())];
  expect([deliveryOf(first).attempts, deliveryOf(second).attempts]).toEqual([2, 1]);
});

describe('a budget', () => {
  test('of requests per second spreads them evenly, repetitions too, and saves nothing up', async () => {
    const timing = virtualTiming();
    const times: number[] = [];
    const answers = [429, 200, 200, 200];
    const transport: Transport = {
      send() {
        times.push(timing.now());
        return Promise.resolve({ status: answers.shift()!, headers: ['Retry-After', '0'], body: undefined });
      },
    };
    const patient = createRetryingTransport(transport, { ratePerSecond: 4, timing });
    await patient.send(request());
    await timing.sleep(10_000);
    await patient.send(request());
    await patient.send(request());
    expect(times).toEqual([0, 250, 10_250, 10_500]);
  });

  test('of requests per second keeps the order of those who ask together', async () => {
    const timing = virtualTiming();
    const patient = createRetryingTransport(scripted({}), {
      ratePerSecond: 10,
      timing: { now: () => 0, sleep: (milliseconds) => timing.sleep(milliseconds) },
    });
    await Promise.all([1, 2, 3].map(() => patient.send(request())));
    expect(timing.sleeps).toEqual([100, 200]);
  });

  test.each([1, 3])('of %d requests at a time is never passed, and everybody gets a turn', async (concurrency) => {
    let open = 0;
    let most = 0;
    const transport: Transport = {
      async send() {
        open += 1;
        most = Math.max(most, open);
        await new Promise(setImmediate);
        open -= 1;
        return { status: 200, headers: [], body: undefined };
      },
    };
    const patient = createRetryingTransport(transport, { concurrency });
    const answers = await Promise.all(Array.from({ length: 20 }, () => patient.send(request())));
    expect(answers).toHaveLength(20);
    expect(most).toBe(concurrency);
  });

  test('of requests at a time is given back after an error', async () => {
    const transport = scripted(broken('TIMEOUT'), {});
    const patient = createRetryingTransport(transport, { concurrency: 1 });
    await expect(patient.send(request())).rejects.toMatchObject({ code: 'TRANSPORT_TIMEOUT' });
    expect((await patient.send(request())).status).toBe(200);
  });
});

describe('an interruption', () => {
  /** Answers never; ends with the signal, as sockets do. */
  const hanging: Transport = {
    send: (_, { signal } = {}) =>
      new Promise((_resolve, reject) => {
        const stop = (): void => {
          reject(new TransportError('TRANSPORT_INTERRUPTED', 'stopped'));
        };
        if (signal?.aborted === true) stop();
        else signal?.addEventListener('abort', stop);
      }),
  };
  const MINUTE = { timing: REAL_TIMING, maxWaitMs: 1e6, retries: 5 };

  test.each<{ what: string; transport: Transport; options: RetryOptions; requests: number }>([
    { what: 'sending', transport: hanging, options: {}, requests: 20 },
    { what: 'a wait for a busy target', transport: scripted(busy('600')), options: MINUTE, requests: 1 },
    { what: 'a wait for a turn', transport: hanging, options: { concurrency: 1 }, requests: 3 },
    { what: 'a wait for the budget', transport: hanging, options: { ratePerSecond: 0.001 }, requests: 3 },
  ])('ends $what at once', async ({ transport, options, requests }) => {
    const controller = new AbortController();
    const patient = createRetryingTransport(transport, { ...options, signal: controller.signal });
    const outcomes = Array.from({ length: requests }, () => patient.send(request()).catch((error: unknown) => error));
    await new Promise(setImmediate);
    controller.abort();
    for (const outcome of await Promise.all(outcomes)) {
      expect(outcome).toMatchObject({ code: 'TRANSPORT_INTERRUPTED' });
      expect(deliveryOf(outcome).attempts).toBe(1);
    }
  });

  test('listens to one signal for many requests, which Node takes for a leak where nobody says otherwise', () => {
    const { signal } = new AbortController();
    createRetryingTransport(hanging, { signal });
    expect(getMaxListeners(signal)).toBe(Infinity);
  });

  test('of one that waits for a turn leaves the turn to the next', async () => {
    const ends: (() => void)[] = [];
    const transport: Transport = {
      send: () =>
        new Promise((resolve) => {
          ends.push(() => {
            resolve({ status: 200, headers: [], body: undefined });
          });
        }),
    };
    const patient = createRetryingTransport(transport, { concurrency: 1 });
    const controller = new AbortController();
    const first = patient.send(request());
    const second = patient.send(request(), { signal: controller.signal });
    const third = patient.send(request());
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: 'TRANSPORT_INTERRUPTED' });
    for (const answer of [first, third]) {
      await new Promise(setImmediate);
      ends.shift()?.();
      expect((await answer).status).toBe(200);
    }
  });

  test('lets nothing more be sent but what has to be sent all the same', async () => {
    const controller = new AbortController();
    controller.abort();
    const transport = scripted(busy('1'), {});
    const timing = virtualTiming();
    const patient = createRetryingTransport(transport, { signal: controller.signal, concurrency: 1, timing });
    await expect(patient.send(request())).rejects.toMatchObject({ code: 'TRANSPORT_INTERRUPTED' });
    expect(transport.sent).toEqual([]);
    const { status } = await patient.send(request('DELETE'), { despiteInterrupt: true });
    expect({ status, sent: transport.sent.length }).toEqual({ status: 200, sent: 2 });
  });
});

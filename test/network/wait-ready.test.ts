import { createUndiciTransport } from '../../src/network/undici-transport';
import { TransportError } from '../../src/core/errors/standin-error';
import type { HttpRequest, Transport } from '../../src/core/http/message';
import { waitReady } from '../../src/runner/transport/readiness';
import { startRaw } from './raw-server';
import { virtualTiming } from './virtual-timing';

const refused = new TransportError('TRANSPORT_UNREACHABLE', 'nobody listens');

/** Gives one status, or throws one error, after the other; the last one again and again. */
function scripted(...scenes: (number | Error)[]): Transport & { readonly sent: HttpRequest[] } {
  const sent: HttpRequest[] = [];
  return {
    sent,
    send(request) {
      const scene = scenes[Math.min(sent.length, scenes.length - 1)]!;
      sent.push(request);
      if (typeof scene !== 'number') return Promise.reject(scene);
      return Promise.resolve({ status: scene, headers: [], body: undefined });
    },
  };
}

/** A clock for which questions take no time: its own alarm for a question never goes off. */
function quickTiming(): ReturnType<typeof virtualTiming> {
  const timing = virtualTiming();
  return {
    ...timing,
    sleep: (milliseconds, signal) => (signal === undefined ? timing.sleep(milliseconds) : new Promise(() => undefined)),
  };
}

test.each([200, 204, 301, 401, 404, 429, 500])('a %d is an answer', async (status) => {
  const transport = scripted(status);
  await waitReady(transport, { timeoutMs: 1000, path: '/v1', rawHeaders: ['User-Agent', 'x'], timing: quickTiming() });
  expect(transport.sent).toMatchObject([{ method: 'GET', target: '/v1', rawHeaders: ['User-Agent', 'x'] }]);
});

test('a target is asked until it is there, gateways that speak for it do not count', async () => {
  const transport = scripted(refused, 502, 503, 504, new TransportError('TRANSPORT_BROKEN_CONNECTION', 'x'), 404);
  const timing = quickTiming();
  await waitReady(transport, { timeoutMs: 60_000, intervalMs: 250, path: '', timing });
  expect(timing.sleeps).toEqual([250, 250, 250, 250, 250]);
  expect(transport.sent[0]?.target).toBe('/');
});

test.each([
  { last: refused, met: /within 1 s; the last attempt met: nobody listens/ },
  { last: 503, met: /the last attempt met: a 503/ },
])('one that never comes is unreachable, with what was met last', async ({ last, met }) => {
  const timing = quickTiming();
  const waiting = waitReady(scripted(last), { timeoutMs: 1000, intervalMs: 400, timing });
  await expect(waiting).rejects.toMatchObject({
    code: 'TRANSPORT_UNREACHABLE',
    message: expect.stringMatching(met) as string,
  });
  expect(timing.sleeps).toEqual([400, 400, 200]);
});

test('a request that cannot be sent at all is not tried again', async () => {
  const fault = new RangeError('a bug');
  await expect(waitReady(scripted(fault), { timeoutMs: 1000, timing: quickTiming() })).rejects.toBe(fault);
});

test('a target that takes the question and never answers does not hold it up', async () => {
  const server = await startRaw(() => undefined);
  const transport = createUndiciTransport(server.url, { timeoutMs: 600_000 });
  await expect(waitReady(transport, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'TRANSPORT_UNREACHABLE' });
  await transport.close();
  await server.close();
});

test('an interruption ends it', async () => {
  const server = await startRaw(() => undefined);
  const transport = createUndiciTransport(server.url, { timeoutMs: 600_000 });
  const controller = new AbortController();
  const waiting = waitReady(transport, { timeoutMs: 600_000, signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'TRANSPORT_INTERRUPTED' });
  await transport.close();
  await server.close();
});

import request from 'supertest';
import type { MockServer } from '../../src/server/mock-server';
import { temporaryFolder } from '../support/temporary-folder';
import { startPayments as start } from './payments';
import { type Receiver, startReceiver } from './receiver';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const call = (app: MockServer, method: 'post' | 'put', path: string, body: object): request.Test =>
  request(app)[method](path).send(body);

/** Subscribes, and completes a payment: one message is on its way. */
async function complete(app: MockServer, base = ''): Promise<void> {
  await call(app, 'post', `${base}/webhooks`, { url: `${receiver.url}/hooks`, secret: 'whsec_c2VjcmV0' }).expect(201);
  await call(app, 'post', `${base}/payments`, { amount: 5, status: 'pending' }).expect(201);
  await call(app, 'put', `${base}/payments/1`, { amount: 5, status: 'completed' }).expect(200);
}
const ids = (): unknown[] => receiver.received.map(({ headers }) => headers['webhook-id']);
const states = (app: MockServer): string[] => app.deliveries().map(({ sandbox, state }) => `${sandbox} ${state}`);

test('a snapshot takes along what is on its way, and a restore sends it under the same id', async () => {
  const app = await start();
  receiver.answer(503);
  await complete(app);
  await receiver.until(1);
  await request(app).post('/__standin/snapshot').send({ name: 'waiting' }).expect(201);
  receiver.answer(204);
  app.sendAgain(app.deliveries()[0]!.id);
  await app.waitForDeliveries();
  expect(states(app)).toEqual(['default delivered']);
  await request(app).post('/__standin/restore').send({ name: 'waiting' }).expect(204);
  await app.waitForDeliveries();
  expect(states(app)).toHaveLength(2);
  app.sendAgain(app.deliveries()[0]!.id);
  await receiver.until(3);
  expect(new Set(ids()).size).toBe(1);
});

test('what a restore goes back behind is not sent any more, nor is what a reset ends', async () => {
  const app = await start();
  await request(app).post('/__standin/snapshot').send({}).expect(201);
  receiver.answer(503);
  await complete(app);
  await receiver.until(1);
  await request(app).post('/__standin/restore').send({}).expect(204);
  await app.waitForDeliveries();
  expect(states(app)).toEqual(['default refused']);
  expect(app.deliveries()[0]?.reason).toBe('the state went back to before it happened');
  await complete(app);
  await receiver.until(2);
  app.reset();
  await app.waitForDeliveries();
  expect(states(app)).toEqual(['default refused', 'default refused']);
});

test('a sandbox that is made of another one sends what was on its way there as messages of its own', async () => {
  const app = await start();
  receiver.answer(503);
  await complete(app);
  await receiver.until(1);
  receiver.answer(204);
  await request(app).post('/__standin/sandboxes').send({ id: 'copy', from: 'default' }).expect(201);
  // The try before failed a moment ago: the next one is due a second later.
  app.sandbox('copy').setClock(new Date(Date.now() + 60_000));
  await app.waitForDeliveries();
  expect(states(app)).toEqual(['default pending', 'copy delivered']);
  const copies = app.deliveries().filter(({ sandbox }) => sandbox === 'copy');
  expect(copies.map(({ event }) => event)).toEqual(['payment.completed']);
  expect(ids()).toContain(copies[0]?.id);
  expect(new Set(app.deliveries().map(({ id }) => id)).size).toBe(2);
  // Nor does a sandbox that begins with a baseline send anything again.
  await request(app).post('/__standin/baseline').send({});
  await request(app).get('/payments').set('X-Standin-Sandbox', 'fresh').expect(200);
  await app.waitForDeliveries();
  expect(states(app).filter((each) => each.startsWith('fresh'))).toEqual([]);
});

test('callbacks that were asked for come back with the state', async () => {
  const app = await start();
  await call(app, 'post', '/payments', { amount: 5, status: 'pending', callbackUrl: `${receiver.url}/mine` }).expect(
    201,
  );
  await receiver.until(1);
  await request(app).post('/__standin/snapshot').send({}).expect(201);
  await request(app).delete('/payments/1').expect(204);
  await request(app).post('/__standin/restore').send({}).expect(204);
  await call(app, 'put', '/payments/1', { amount: 5, status: 'failed' }).expect(200);
  await receiver.until(2);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/mine', '/mine']);
});

test('with a store, what was not taken is sent after a restart, signed with the same secret', async () => {
  const store = `file:${temporaryFolder().path}`;
  const first = await start({ store });
  receiver.answer(503);
  await complete(first);
  await call(first, 'post', '/payments', { amount: 7, status: 'pending', callbackUrl: `${receiver.url}/mine` }).expect(
    201,
  );
  await receiver.until(2);
  await first.closeStore();
  receiver.answer(204);
  const before = receiver.received.length;
  const second = await start({ store });
  try {
    // The tries before the restart failed a moment ago: the next ones are due a second later.
    second.setClock(new Date(Date.now() + 60_000));
    await second.waitForDeliveries();
    expect(states(second)).toEqual(['default delivered', 'default delivered']);
    expect(new Set(ids()).size).toBe(2);
    const again = receiver.received.slice(before);
    expect(again.map(({ path }) => path).toSorted()).toEqual(['/hooks', '/mine']);
    expect(again.find(({ path }) => path === '/hooks')?.headers).toHaveProperty('webhook-signature');
    // Whom it promised to tell it still knows.
    await call(second, 'put', '/payments/2', { amount: 7, status: 'failed' }).expect(200);
    await receiver.until(before + 3);
  } finally {
    await second.closeStore();
  }
  const third = await start({ store });
  await third.waitForDeliveries();
  expect(third.deliveries()).toEqual([]);
  await third.closeStore();
});

describe('faults of events', () => {
  test('twice: the same message comes again', async () => {
    const app = await start({ webhookFaults: ['twice;times=1'] });
    await complete(app);
    await receiver.until(2);
    expect(new Set(ids()).size).toBe(1);
    await app.waitForDeliveries();
    expect(app.deliveries()[0]).toMatchObject({ fault: 'twice;times=1', attempts: [{ status: 204 }, { status: 204 }] });
    expect(app.eventFaults()).toEqual([{ fault: 'twice;times=1', happened: 1 }]);
    await call(app, 'post', '/payments', { amount: 5, status: 'completed' });
    await receiver.until(3);
    await app.waitForDeliveries();
    expect(ids()).toHaveLength(3);
  });

  test('late: not before the clock is there', async () => {
    const app = await start();
    app.setEventFaults('late:1h;event=payment.completed');
    await complete(app);
    await app.waitForDeliveries();
    expect(receiver.received).toEqual([]);
    app.setClock(new Date(Date.now() + 3_600_000));
    await receiver.until(1);
  });

  test('out of order: the next message about the same thing comes before it', async () => {
    const app = await start();
    await request(app)
      .put('/__standin/event-faults')
      .send({ faults: ['out-of-order;event=payment.completed'] })
      .expect(200, { faults: [{ fault: 'out-of-order;event=payment.completed', happened: 0 }] });
    await complete(app);
    await request(app).delete('/payments/1').expect(204);
    await receiver.until(2);
    expect(app.deliveries().map(({ event }) => event)).toEqual(['payment.completed', 'payment.deleted']);
    expect(receiver.received.map(({ body }) => body.includes('payment.completed'))).toEqual([false, true]);
  });

  test('out of order, and nothing follows: it comes a while later', async () => {
    const app = await start({ webhookFaults: ['out-of-order'] });
    await complete(app);
    await app.waitForDeliveries();
    expect(receiver.received).toEqual([]);
    app.setClock(new Date(Date.now() + 11_000));
    await receiver.until(1);
  });

  test('a fault that is none is told, and nothing is changed', async () => {
    const app = await start({ webhookFaults: ['twice'] });
    for (const [fault, says] of [
      ['twise', 'Did you mean "twice"?'],
      ['late', 'does not say how late'],
      ['late:soon', 'no duration'],
      ['twice:2', 'takes nothing behind a colon'],
      ['twice;times=0', 'has "times=0"'],
      ['twice;of=a', 'has "of=a"'],
    ]) {
      const { body } = await request(app)
        .put('/__standin/event-faults')
        .send({ faults: [fault] })
        .expect(400);
      expect(JSON.stringify(body)).toContain(JSON.stringify(says).slice(1, -1));
    }
    expect(app.eventFaults()).toEqual([{ fault: 'twice', happened: 0 }]);
    await expect(start({ webhookFaults: ['never'] })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    const without = await start({ faults: 'off' });
    expect(() => {
      without.setEventFaults('twice');
    }).toThrow('Faults are off');
  });
});

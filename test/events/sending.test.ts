import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import request from 'supertest';
import { createMockServer } from '../../src/library/create-mock-server';
import type { MockServer } from '../../src/server/mock-server';
import { PAYMENTS, startPayments as start } from './payments';
import { type Received, type Receiver, startReceiver } from './receiver';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const subscribe = (app: MockServer, more: object = {}): request.Test =>
  request(app)
    .post('/webhooks')
    .send({ url: `${receiver.url}/hooks`, ...more })
    .expect(201);
const pay = (app: MockServer, payment: object = {}, headers: Record<string, string> = {}): request.Test =>
  request(app)
    .post('/payments')
    .set(headers)
    .send({ amount: 5, status: 'pending', ...payment });
const complete = (app: MockServer, id: number, more: object = {}): request.Test =>
  request(app)
    .put(`/payments/${id}`)
    .send({ amount: 5, status: 'completed', ...more })
    .expect(200);
const bodies = (): Record<string, unknown>[] =>
  receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
test('a webhook is sent to who subscribed, when the state changes as its name says, with the item in its place', async () => {
  const app = await start();
  await subscribe(app);
  await pay(app, { pin: '1234' }).expect(201);
  await app.waitForDeliveries();
  expect(receiver.received).toEqual([]);
  await complete(app, 1);
  await receiver.until(1);
  const [{ path, method, headers } = {} as Received] = receiver.received;
  expect([path, method, headers['content-type']]).toEqual(['/hooks', 'POST', 'application/json']);
  expect(bodies()[0]).toEqual({
    id: headers['webhook-id'],
    type: 'payment.completed',
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    data: { id: 1, amount: 5, status: 'completed' },
  });
  // It is that already.
  await complete(app, 1, { amount: 6 });
  await request(app).delete('/payments/1').expect(204);
  await receiver.until(2);
  expect(bodies()[1]).toEqual({ id: 1, amount: 6, status: 'completed' });
  await app.waitForDeliveries();
  expect(app.deliveries().map(({ event, state }) => [event, state])).toEqual([
    ['payment.completed', 'delivered'],
    ['payment.deleted', 'delivered'],
  ]);
});

test('nothing is sent for what was refused, to who does not want it, or who is not active any more', async () => {
  const app = await start();
  await subscribe(app, { events: ['payment.deleted'] });
  await subscribe(app, { url: `${receiver.url}/off`, active: false });
  await pay(app).expect(201);
  await complete(app, 1);
  await pay(app, { amount: 0, status: 'completed' }).expect(400);
  await request(app).delete('/payments/7');
  await app.waitForDeliveries();
  expect(receiver.received).toEqual([]);
  await request(app).delete('/payments/1').expect(204);
  await receiver.until(1);
  await request(app).delete('/webhooks/1').expect(204);
  await pay(app).expect(201);
  await request(app).delete('/payments/2').expect(204);
  await app.waitForDeliveries();
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks']);
});

test('a callback goes where its request said, for the item that this request made', async () => {
  const app = await start();
  await pay(app, { callbackUrl: `${receiver.url}/one` }).expect(201);
  await pay(app, { callbackUrl: `${receiver.url}/two` }).expect(201);
  await pay(app).expect(201);
  await receiver.until(2);
  await complete(app, 2, { callbackUrl: `${receiver.url}/two` });
  await receiver.until(3);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/one', '/two', '/two']);
  expect(bodies().map(({ type }) => type)).toEqual(['payment.created', 'payment.created', 'payment.completed']);
});

test('a callback is not about a later item that has the key of an earlier one', async () => {
  const app = await start();
  await pay(app, { callbackUrl: `${receiver.url}/first` }).expect(201);
  await receiver.until(1);
  app.reset();
  await pay(app).expect(201);
  await complete(app, 1);
  await app.waitForDeliveries();
  expect(bodies().map(({ type }) => type)).toEqual(['payment.created']);
});

test('a subscription is sent payment.completed if one of its events is it, or a pattern or the group of it', async () => {
  const cases: readonly (readonly [events: unknown, isSent: boolean])[] = [
    [['payment.completed'], true],
    [['payment.*'], true],
    [['payment'], true],
    ['payment.deleted, payment.completed', true],
    [['*'], true],
    [[], true],
    [['payment.complete.late'], false],
    [['pay'], false],
    [['refund.completed'], false],
  ];
  const description = JSON.parse(JSON.stringify(PAYMENTS)) as {
    components: { schemas: Record<string, { properties: Record<string, object> }> };
  };
  const { properties = {} } = description.components.schemas['Webhook'] ?? {};
  properties['events'] = {};
  const app = await start({ description });
  for (const [index, [events]] of cases.entries())
    await subscribe(app, { events, url: `${receiver.url}/hooks/${index}` });
  await pay(app, { status: 'completed' }).expect(201);
  await app.waitForDeliveries();
  const paths = receiver.received.map(({ path }) => path);
  expect(cases.map(([events], index) => [events, paths.includes(`/hooks/${index}`)])).toEqual(cases);
  expect(paths).toHaveLength(cases.filter(([, isSent]) => isSent).length);
});

test('an option names receivers: of one event, or of all', async () => {
  const app = await start({ webhooks: { 'payment.deleted': `${receiver.url}/deleted`, '*': `${receiver.url}/all` } });
  await pay(app, { status: 'completed' }).expect(201);
  await request(app).delete('/payments/1').expect(204);
  await receiver.until(4);
  expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/all', '/all', '/all', '/deleted']);
});

test('a receiver of an event that the description does not have is refused at the start', async () => {
  await expect(start({ webhooks: { 'payment.compleeted': receiver.url } })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(
      'no callback or webhook "payment.compleeted"; it has payment.completed, onEvent, ',
    ) as string,
    hint: 'Did you mean "payment.completed"?',
  });
  await expect(createMockServer({ webhooks: { '*': receiver.url } })).rejects.toMatchObject({
    message: expect.stringContaining('it has none') as string,
  });
});

test('a body that nobody can check is not sent, and the request is answered all the same', async () => {
  const description = JSON.parse(JSON.stringify(PAYMENTS)) as {
    components: { schemas: Record<string, { properties: Record<string, object> }> };
  };
  const { properties = {} } = description.components.schemas['Event'] ?? {};
  properties['note'] = { type: 'string', pattern: '(' };
  const app = await start({ description });
  await subscribe(app);
  await pay(app, { status: 'completed' }).expect(201);
  expect(app.deliveries()).toMatchObject([
    { state: 'refused', reason: expect.stringContaining('breaks the description') as string },
  ]);
});

test('a sandbox has its own subscribers', async () => {
  const app = await start();
  const inA = { 'X-Standin-Sandbox': 'A' };
  await request(app)
    .post('/webhooks')
    .set(inA)
    .send({ url: `${receiver.url}/a` })
    .expect(201);
  await subscribe(app);
  await pay(app, { status: 'completed' }, inA).expect(201);
  await app.waitForDeliveries();
  expect(receiver.received.map(({ path }) => path)).toEqual(['/a']);
  const { body } = await request(app).get('/__standin/deliveries?sandbox=A').expect(200);
  expect(body).toMatchObject({ deliveries: [{ sandbox: 'A', state: 'delivered' }] });
  expect((await request(app).get('/__standin/deliveries?sandbox=default')).body).toEqual({ deliveries: [] });
});

test('a failure is tried again by the clock of the mock, each thing in order, under one id', async () => {
  const app = await start({ clock: new Date('2031-01-01T00:00:00Z') });
  app.setClock(new Date('2031-01-01T00:00:00Z'), { fixed: true });
  await subscribe(app);
  receiver.answer(500);
  await pay(app, { status: 'completed' }).expect(201);
  await request(app).delete('/payments/1').expect(204);
  await app.waitForDeliveries();
  // The clock stands still, so that the pause before the next try does not end.
  expect(receiver.received).toHaveLength(1);
  receiver.answer(0);
  app.setClock(new Date('2031-01-01T00:00:01Z'), { fixed: true });
  await app.waitForDeliveries();
  expect(receiver.received).toHaveLength(2);
  receiver.answer(204);
  app.setClock(new Date('2031-01-01T00:01:00Z'), { fixed: true });
  await receiver.until(4);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
  expect(bodies().map(({ type = 'payment.deleted' }) => type)).toEqual([
    'payment.completed',
    'payment.completed',
    'payment.completed',
    'payment.deleted',
  ]);
  expect(app.deliveries()[0]).toMatchObject({
    state: 'delivered',
    attempts: [
      { status: 500 },
      { error: expect.any(String) as string },
      { at: '2031-01-01T00:01:00.000Z', status: 204 },
    ],
  });
});

test('who says that it is gone gets nothing more, until it is sent again on purpose', async () => {
  const app = await start();
  await subscribe(app);
  receiver.answer(410);
  await pay(app, { status: 'completed' }).expect(201);
  await receiver.until(1);
  await app.waitForDeliveries();
  receiver.answer(204);
  await pay(app, { status: 'completed' }).expect(201);
  await app.waitForDeliveries();
  const [first, second] = app.deliveries();
  expect(first).toMatchObject({ state: 'failed', reason: expect.stringContaining('410') as string });
  expect(second).toMatchObject({ state: 'refused', reason: expect.stringContaining('it is gone') as string });
  const again = (id?: string): request.Test => request(app).post('/__standin/send-again').send({ id });
  await again(first?.id).expect(204);
  await receiver.until(2);
  await app.waitForDeliveries();
  expect(app.deliveries()[0]).toMatchObject({ state: 'delivered', attempts: [{ status: 410 }, { status: 204 }] });
  expect(app.sendAgain('msg_unknown')).toBe(false);
  await again('msg_unknown').expect(404);
});

test('a redirect is not followed: nobody allowed where it leads', async () => {
  const app = await start();
  await subscribe(app);
  receiver.answer(302, { Location: `${receiver.url}/elsewhere` });
  await pay(app, { status: 'completed' }).expect(201);
  await app.waitForDeliveries();
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks']);
  expect(app.deliveries()[0]).toMatchObject({ state: 'pending', attempts: [{ status: 302 }] });
});

test('nothing is sent to other machines, and the reason says how it can be', async () => {
  const urls = [
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://example.com/',
    'http://127.0.0.1.example.com/',
  ];
  const app = await start();
  for (const url of urls) await subscribe(app, { url });
  await pay(app, { status: 'completed' }).expect(201);
  await app.waitForDeliveries();
  expect(app.deliveries()).toMatchObject(
    urls.map((url) => ({
      url,
      state: 'refused',
      attempts: [],
      reason: expect.stringContaining(`--webhook-allow ${new URL(url).hostname}`) as string,
    })),
  );
});

test('an expression that leads nowhere, or to no address, asks for nothing', async () => {
  const app = await start();
  await pay(app, { callbackUrl: 'mailto:me@example.com' }).expect(201);
  await pay(app).expect(201);
  await app.waitForDeliveries();
  expect(app.deliveries()).toEqual([]);
});

test('the packages of receivers accept the signatures of each scheme, and reject a changed body and a wrong signature', async () => {
  const schemes = [
    ['standard', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['stripe', 'whsec_anything'],
    ['github', 'It is a secret'],
  ] as const;
  const messages: object[] = [];
  for (const [scheme, secret] of schemes) {
    const app = await start({ webhookSignature: scheme, webhookSecret: secret });
    await subscribe(app);
    receiver.received.length = 0;
    await pay(app, { status: 'completed' }).expect(201);
    await app.waitForDeliveries();
    app.setEventFaults('wrong-signature');
    await pay(app, { status: 'completed' }).expect(201);
    await app.waitForDeliveries();
    const [right = {} as Received, wrong = {} as Received] = receiver.received;
    for (const message of [right, { ...right, body: `${right.body} ` }, wrong])
      messages.push({ scheme, secret, ...message });
  }
  const verdicts = execFileSync(process.execPath, [join(__dirname, 'verifiers.mjs'), JSON.stringify(messages)], {
    encoding: 'utf8',
  });
  const ofEach = ['accepted', expect.stringMatching(/^refused: ./), expect.stringMatching(/^refused: ./)] as string[];
  expect(JSON.parse(verdicts)).toEqual(schemes.flatMap(() => ofEach));
});

test('the secret of a subscription is used before that of the option', async () => {
  const app = await start({ webhookSignature: 'github', webhookSecret: 'of all' });
  await subscribe(app);
  await subscribe(app, { url: `${receiver.url}/own`, secret: 'its own' });
  await pay(app, { status: 'completed' }).expect(201);
  await receiver.until(2);
  const [all, own] = receiver.received.map(({ headers }) => headers['x-hub-signature-256']);
  expect(all).not.toBe(own);
});

test('a subscription that nothing shows is one all the same, and those that are made up are none', async () => {
  const { post } = PAYMENTS.paths['/webhooks'];
  const description = { ...PAYMENTS, paths: { ...PAYMENTS.paths, '/webhooks': { post } } };
  const app = await createMockServer({ description, auth: 'off' });
  const { body } = (await subscribe(app, { events: ['payment.completed'] })) as { body: { id: number } };
  const { body: payment } = (await pay(app)) as { body: { id: number } };
  await complete(app, payment.id);
  await receiver.until(1);
  await app.waitForDeliveries();
  expect(app.deliveries().map(({ event, url }) => [event, url])).toEqual([
    ['payment.completed', `${receiver.url}/hooks`],
  ]);
  await request(app).delete(`/webhooks/${body.id}`).expect(204);
  await request(app).delete(`/webhooks/${body.id}`).expect(404);
  await pay(app, { status: 'completed' });
  await app.waitForDeliveries();
  expect(app.deliveries()).toHaveLength(1);
});

test('overrides say when an event is sent, before the description and its names', async () => {
  const app = await start({
    overrides: {
      standin: 'overrides/1',
      events: { 'invoice.sent': { sent: 'removed', resource: '/payments' }, 'payment.deleted': false },
    },
  });
  await subscribe(app);
  await pay(app);
  await request(app).delete('/payments/1').expect(204);
  await app.waitForDeliveries();
  expect(app.deliveries().map(({ event }) => event)).toEqual(['invoice.sent']);
  for (const [events, says] of [
    [{ 'invoice.send': false }, 'no callback or webhook invoice.send'],
    [{ 'invoice.sent': { sent: 'removed', resource: '/payment' } }, 'no path /payment'],
    [{ 'invoice.sent': { sent: 'gone', resource: '/payments' } }, 'sent'],
    [{ 'invoice.sent': true }, 'invoice.sent'],
  ] as const)
    await expect(start({ overrides: { standin: 'overrides/1', events } })).rejects.toMatchObject({
      findings: [expect.objectContaining({ message: expect.stringContaining(says) as string })],
    });
});

test('headers that the description has are sent: which event it is, its id, and what is documented', async () => {
  const parameters = [
    { name: 'X-Pay-Event', in: 'header', required: true, schema: { type: 'string' } },
    { name: 'X-Pay-Delivery', in: 'header', required: true, schema: { type: 'string' } },
    { name: 'X-Pay-Version', in: 'header', required: true, schema: { type: 'integer' }, example: 7 },
    { name: 'X-Pay-Kind', in: 'header', required: true, schema: { type: 'string', enum: ['live'] } },
    { name: 'X-Hub-Signature-256', in: 'header', schema: { type: 'string' } },
    { name: 'X-Pay-Note', in: 'header', schema: { type: 'string' } },
  ];
  const { post } = PAYMENTS.webhooks['payment.completed'] as { post: object };
  const webhooks = { 'payment.completed': { post: { ...post, parameters } } };
  const app = await start({ description: { ...PAYMENTS, webhooks }, webhookSecret: 's3cr3t' });
  await subscribe(app);
  await pay(app, { status: 'pending' });
  await complete(app, 1);
  await receiver.until(1);
  const [{ headers } = {} as Received] = receiver.received;
  expect(headers).toMatchObject({
    'x-pay-event': 'payment.completed',
    'x-pay-delivery': headers['webhook-id'],
    'x-pay-version': '7',
    'x-pay-kind': 'live',
    // The scheme is that whose header the description has.
    'x-hub-signature-256': expect.stringMatching(/^sha256=/) as string,
  });
  expect(headers).not.toHaveProperty('x-pay-note');
  expect(headers).not.toHaveProperty('webhook-signature');
});

test('what may not be sent is not sent again either', async () => {
  const app = await start({ webhooks: { '*': 'http://169.254.169.254/latest' } });
  await pay(app, { status: 'completed' });
  const [delivery] = app.deliveries();
  expect(delivery).toMatchObject({ state: 'refused', attempts: [] });
  expect(app.sendAgain(delivery?.id ?? '')).toBe(true);
  await app.waitForDeliveries();
  expect(app.deliveries()[0]).toMatchObject({ state: 'refused', reason: delivery?.reason, attempts: [] });
});

import request from 'supertest';
import { serveText } from '../support/serve-text';
import { object, text, whole } from '../support/small-api';
import { type Receiver, startReceiver } from './receiver';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const order = object({ id: { ...whole, readOnly: true }, item: text, notify: object({ url: text }) }, ['item']);
const json = { 'application/json': { schema: order } };
const callback = { post: { requestBody: { content: json }, responses: { 204: { description: 'taken' } } } };
const ORDERS = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      post: {
        parameters: [
          { name: 'back', in: 'query', schema: text },
          { name: 'X-Back', in: 'header', schema: text },
        ],
        requestBody: {
          required: true,
          content: {
            ...json,
            'application/x-www-form-urlencoded': { schema: order },
            'multipart/form-data': { schema: order },
          },
        },
        responses: { 201: { description: 'made', content: json } },
        callbacks: {
          orderCreated: {
            '{$request.body#/notify/url}/body': callback,
            '{$request.query.back}/query': callback,
            '{$request.header.x-back}/header': callback,
            '{$response.body#/notify/url}/response?item={$response.body#/item}': callback,
          },
        },
      },
    },
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: whole }],
      get: { responses: { 200: { description: 'one', content: json } } },
    },
  },
});

test.each<[string, (post: request.Test, url: string) => request.Test]>([
  ['JSON', (post, url) => post.send({ item: 'tea', notify: { url } })],
  ['a form', (post, url) => post.type('form').send({ item: 'tea', 'notify[url]': url })],
  ['parts', (post, url) => post.field('item', 'tea').field('notify', JSON.stringify({ url }))],
])('callbacks are sent to the addresses in the query, the headers and a body that is %s', async (_, send) => {
  const app = await serveText(ORDERS);
  const { url } = receiver;
  await send(
    request(app)
      .post(`/orders?back=${encodeURIComponent(url)}`)
      .set('X-Back', url),
    url,
  ).expect(201);
  await receiver.until(4);
  expect(receiver.received.map(({ path }) => path).sort()).toEqual([
    '/body',
    '/header',
    '/query',
    '/response?item=tea',
  ]);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ id: 1, item: 'tea' });
});

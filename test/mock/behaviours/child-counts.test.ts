import request from 'supertest';
import { partsOfText, serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { explanationOf } from '../../../src/explain/explain-api';
import { mockOfDocument, objectOf } from './small-mock';

const topics = (numbers: Readonly<Record<string, object>>, sent: object = ref('Topic')): string =>
  smallApi(
    {
      'GET /topics': {
        query: { sort: { ...text, enum: ['id', 'replies_count'] } },
        answers: { 200: list(ref('Topic')) },
      },
      'POST /topics': { body: sent, answers: { 201: ref('Topic') } },
      'GET /topics/{topicId}': { answers: { 200: ref('Topic') } },
      'PATCH /topics/{topicId}': { body: ref('Topic'), answers: { 200: ref('Topic') } },
      'PUT /topics/{topicId}': { body: ref('Topic'), answers: { 200: ref('Topic') } },
      'DELETE /topics/{topicId}': { answers: { 204: null } },
      'GET /topics/{topicId}/replies': { answers: { 200: list(ref('Reply')) } },
      'POST /topics/{topicId}/replies': { body: ref('Reply'), answers: { 201: ref('Reply') } },
      'DELETE /topics/{topicId}/replies/{replyId}': { answers: { 204: null } },
    },
    {
      Topic: object({ id: { ...whole, readOnly: true }, title: text, ...numbers }, ['id']),
      Reply: object({ id: { ...whole, readOnly: true }, text }, ['id']),
    },
    { topicId: whole, replyId: whole },
  );

const names = [
  'replies_count',
  'replyCount',
  'num_replies',
  'replies',
  'TotalReplies',
  'number_of_replies',
  'repliescount',
];

test.each(names)('%s is the number of replies, whatever was sent', async (name) => {
  const { send, stateText } = mockOfDocument(topics({ [name]: whole }));
  const made = objectOf(await send('POST', '/topics', { title: 'a', [name]: 9 }));
  expect(made).toEqual({ id: 1, title: 'a', [name]: 0 });
  await send('POST', '/topics/1/replies', { text: 'x' });
  await send('POST', '/topics/1/replies', { text: 'y' });
  expect(objectOf(await send('GET', '/topics/1'))[name]).toBe(2);
  expect((await send('GET', '/topics')).body).toMatchObject([{ [name]: 2 }]);
  expect(stateText()).toContain(`"${name}":2`);
  await send('DELETE', '/topics/1/replies/1');
  expect(objectOf(await send('PATCH', '/topics/1', { [name]: 7 }))[name]).toBe(1);
  expect(objectOf(await send('PUT', '/topics/1', { title: 'b' }))).toEqual({ id: 1, title: 'b', [name]: 1 });
});

test('a number in an object with the name of what it counts follows too', async () => {
  const { send } = mockOfDocument(topics({ replies: object({ url: text, total_count: whole }, ['total_count']) }));
  await send('POST', '/topics', { title: 'a', replies: { url: 'u', total_count: 3 } });
  await send('POST', '/topics/1/replies', { text: 'x' });
  expect(objectOf(await send('GET', '/topics/1'))['replies']).toEqual({ url: 'u', total_count: 1 });
});

test('the change is recorded', async () => {
  const { send, mock } = mockOfDocument(topics({ replies_count: whole }));
  await send('POST', '/topics', { title: 'a' });
  await send('POST', '/topics/1/replies', { text: 'x' });
  const [changes] = mock.engine.sandboxes.main.journal
    .entries()
    .map((entry) => entry.changes)
    .slice(-1);
  expect(changes?.map(({ collection }) => collection)).toEqual(['/topics/1/replies', '/topics']);
});

test('a topic that is made again begins with none', async () => {
  const { send } = mockOfDocument(topics({ replies_count: whole }));
  await send('POST', '/topics', { title: 'a' });
  await send('POST', '/topics/1/replies', { text: 'x' });
  await send('DELETE', '/topics/1');
  expect(objectOf(await send('POST', '/topics', { title: 'b' }))['replies_count']).toBe(0);
});

test('made-up rows count what is made up below them, and go on from there', async () => {
  const app = await serveText(topics({ replies_count: whole }), { state: 'seeded' });
  const { body } = await request(app).get('/topics').expect(200);
  const rows = body as { id: number; replies_count: number }[];
  for (const { id, replies_count: told } of rows) {
    const { body: replies } = await request(app).get(`/topics/${id}/replies`).expect(200);
    expect(replies).toHaveLength(told);
  }
  const { id, replies_count: before } = rows[0]!;
  await request(app).post(`/topics/${id}/replies`).send({ text: 'x' }).expect(201);
  const { body: after } = await request(app).get(`/topics/${id}`).expect(200);
  expect(after).toMatchObject({ replies_count: before + 1 });
});

const spread = smallApi(
  {
    'GET /people': { answers: { 200: list(ref('Person')) } },
    'POST /people': { body: ref('Person'), answers: { 201: ref('Person') } },
    'GET /people/{personId}': { answers: { 200: ref('Person') } },
    'GET /orders': { answers: { 200: list(ref('Order')) } },
    'POST /orders': { body: ref('Order'), answers: { 201: ref('Order') } },
    'PATCH /orders/{orderId}': { body: ref('Order'), answers: { 200: ref('Order') } },
    'DELETE /orders/{orderId}': { answers: { 204: null } },
  },
  {
    Person: object({ id: { ...whole, readOnly: true }, name: text, order_count: whole }, ['id']),
    Order: object({ id: { ...whole, readOnly: true }, personId: whole }, ['id']),
  },
  { personId: whole, orderId: whole },
);

test('what names its parent by a member is counted there, and follows when the member changes', async () => {
  const { send } = mockOfDocument(spread);
  const counts = async (): Promise<unknown[]> =>
    ((await send('GET', '/people')).body as unknown as { order_count: number }[]).map((each) => each.order_count);
  await send('POST', '/people', { name: 'a' });
  await send('POST', '/people', { name: 'b' });
  await send('POST', '/orders', { personId: 1 });
  await send('POST', '/orders', { personId: 1 });
  expect(await counts()).toEqual([2, 0]);
  await send('PATCH', '/orders/2', { personId: 2 });
  expect(await counts()).toEqual([1, 1]);
  await send('DELETE', '/orders/1');
  expect(await counts()).toEqual([0, 1]);
});

test('made-up rows elsewhere are counted by what they refer to', async () => {
  const app = await serveText(spread, { state: 'seeded' });
  const orders = ((await request(app).get('/orders').expect(200)).body as { personId: number }[]).map(
    (order) => order.personId,
  );
  const people = (await request(app).get('/people').expect(200)).body as { id: number; order_count: number }[];
  for (const { id, order_count: told } of people) expect(told).toBe(orders.filter((each) => each === id).length);
});

test('a number that a request has of its own is for the client to say', async () => {
  const { send } = mockOfDocument(topics({ replies_count: whole }, object({ title: text, replies_count: whole })));
  const made = await send('POST', '/topics', { title: 'a', replies_count: 3 });
  expect(objectOf(made)['replies_count']).toBe(3);
});

test('an override says that a number counts nothing', async () => {
  const { mock } = await partsOfText(topics({ replies_count: whole }), {
    overrides: { resources: { '/topics': { references: { replies_count: false } } } },
  });
  expect(mock.resources.flatMap(({ counts }) => counts)).toEqual([]);
});

test('the entity tag of an item changes with what it counts', async () => {
  const document = topics({ replies_count: whole }).replaceAll(
    '"description":"Answer 200",',
    '"description":"Answer 200","headers":{"ETag":{"schema":{"type":"string"}}},',
  );
  const { send } = mockOfDocument(document);
  await send('POST', '/topics', { title: 'a' });
  const tag = async (): Promise<string | undefined> => (await send('GET', '/topics/1')).headers['etag'];
  const before = await tag();
  expect(before).toBeDefined();
  await send('POST', '/topics/1/replies', { text: 'x' });
  expect(await tag()).not.toBe(before);
  await send('DELETE', '/topics/1/replies/1');
  expect(await tag()).toBe(before);
});

test('explain names what is counted', async () => {
  const { resources } = await explanationOf(await partsOfText(topics({ replies_count: whole })));
  expect(resources.find(({ path }) => path === '/topics')?.counts).toEqual([
    'replies_count of /topics/{topicId}/replies',
  ]);
});

test('a fixture that says another number than there is is warned of, and the number is that of the rows', async () => {
  const { app, warnings } = await partsOfText(topics({ replies_count: whole }), {
    state: 'seeded',
    fixtures: {
      standin: 'fixture/1',
      collections: {
        '/topics': [
          { id: 1, title: 'a', replies_count: 5 },
          { id: 2, title: 'b', replies_count: 1 },
          { id: 3, title: 'c' },
        ],
        '/topics/2/replies': [{ id: 1, text: 'x' }],
      },
    },
  });
  expect(warnings.filter(({ rule }) => rule === 'fixture-counted')).toMatchObject([
    {
      severity: 'warning',
      pointer: '/collections/~1topics/0/replies_count',
      message: 'The property /replies_count says 5, and counts the items of /topics/{topicId}/replies: it is 0',
    },
  ]);
  const { body } = await request(app).get('/topics').expect(200);
  expect((body as { replies_count: number }[]).map((each) => each.replies_count)).toEqual([0, 1, 0]);
});

const gates = (numbers: Readonly<Record<string, object>>, state: object): string =>
  smallApi(
    {
      'GET /sites': { answers: { 200: list(ref('Site')) } },
      'POST /sites': { body: object({ title: text }), answers: { 201: ref('Site') } },
      'GET /sites/{siteId}': { answers: { 200: ref('Site') } },
      'GET /sites/{siteId}/gates': { answers: { 200: list(ref('Gate')) } },
      'POST /sites/{siteId}/gates': { body: ref('Gate'), answers: { 201: ref('Gate') } },
      'PATCH /sites/{siteId}/gates/{gateId}': { body: ref('Gate'), answers: { 200: ref('Gate') } },
      'DELETE /sites/{siteId}/gates/{gateId}': { answers: { 204: null } },
    },
    {
      Site: object({ id: { ...whole, readOnly: true }, title: text, ...numbers }, ['id']),
      Gate: object({ id: { ...whole, readOnly: true }, state }, ['id']),
    },
    { siteId: whole, gateId: whole },
  );

test.each([
  ['open_gates_count', { ...text, enum: ['open', 'closed'] }],
  ['openGateCount', { ...text, enum: ['OPEN', 'CLOSED'] }],
  ['num_open_gates', { ...text, description: 'Is "open" or "closed"' }],
  ['open_gates', { ...text, enum: ['open', 'closed'] }],
])('%s is the number of gates that are open', async (name, state) => {
  const { send } = mockOfDocument(gates({ [name]: whole, gates_count: whole }, state));
  const isUpper = JSON.stringify(state).includes('OPEN');
  const [open, closed] = isUpper ? (['OPEN', 'CLOSED'] as const) : (['open', 'closed'] as const);
  await send('POST', '/sites', { title: 'a' });
  for (const each of [open, open, closed]) await send('POST', '/sites/1/gates', { state: each });
  const numbers = async (): Promise<unknown[]> => {
    const site = objectOf(await send('GET', '/sites/1'));
    return [site[name], site['gates_count']];
  };
  expect(await numbers()).toEqual([2, 3]);
  await send('PATCH', '/sites/1/gates/1', { state: closed });
  expect(await numbers()).toEqual([1, 3]);
  await send('DELETE', '/sites/1/gates/2');
  expect(await numbers()).toEqual([0, 2]);
});

test('explain names the state of what is counted', async () => {
  const document = gates({ open_gates_count: whole }, { ...text, enum: ['open', 'closed'] });
  const { resources } = await explanationOf(await partsOfText(document));
  expect(resources.find(({ path }) => path === '/sites')?.counts).toEqual([
    'open_gates_count of /sites/{siteId}/gates with state open',
  ]);
});

test('a word that is no state of what is counted counts nothing', async () => {
  const { mock } = await partsOfText(gates({ new_gates_count: whole }, { ...text, enum: ['open', 'closed'] }));
  expect(mock.resources.flatMap(({ counts }) => counts)).toEqual([]);
});

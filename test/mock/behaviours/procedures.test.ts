import request from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf } from './small-mock';

const byKey = object({ watch_report_id: text }, ['watch_report_id']);
const REPORT = object({ id: text, name: text, status: { ...text, enum: ['pending', 'cancelled'] } });

const procedures = smallApi(
  {
    'POST /watch_report/person/create': { body: object({ name: text }), answers: { 200: ref('Report') } },
    'POST /watch_report/person/get': { body: byKey, answers: { 200: ref('Report'), 404: null } },
    'POST /watch_report/person/cancel': { body: byKey, answers: { 200: object({ request_id: text }) } },
    'POST /link/token/create': {
      body: object({ name: text }),
      answers: { 200: object({ link_token: text, request_id: text }, ['link_token']) },
    },
    'POST /link/token/get': {
      body: object({ link_token: text }),
      answers: { 200: object({ link_token: text, name: text, created_at: text }), 404: null },
    },
  },
  { Report: REPORT },
);

test('a procedure finds its thing by a key that is called by more of the path than its last word', async () => {
  const { send } = mockOfDocument(procedures);
  const { id } = objectOf(await send('POST', '/watch_report/person/create', { name: 'a' }));
  const asked = { watch_report_id: id as string };
  expect((await send('POST', '/watch_report/person/get', asked)).body).toMatchObject({
    id,
    name: 'a',
    status: 'pending',
  });
  expect((await send('POST', '/watch_report/person/get', { watch_report_id: 'none' })).status).toBe(404);
});

test('a token that a procedure gives out is what another one asks for', async () => {
  const { send } = mockOfDocument(procedures);
  const { link_token: token } = objectOf(await send('POST', '/link/token/create', { name: 'a' }));
  expect((await send('POST', '/link/token/get', { link_token: token as string })).body).toMatchObject({
    link_token: token,
    name: 'a',
  });
});

test('a procedure acts on the thing that its body names, whatever it answers', async () => {
  const { send } = mockOfDocument(procedures);
  const { id } = objectOf(await send('POST', '/watch_report/person/create', { name: 'a' }));
  const asked = { watch_report_id: id as string };
  expect((await send('POST', '/watch_report/person/cancel', asked)).status).toBe(200);
  expect((await send('POST', '/watch_report/person/get', asked)).body).toMatchObject({ id, status: 'cancelled' });
});

test('a thing of one of several kinds has what its kind must have, and stays of the kind that was sent', async () => {
  const kind = (type: number, more: object): object => ({
    type: 'object',
    required: ['id', 'type', 'size'],
    properties: { id: text, type: { type: 'integer', enum: [type] }, size: whole, ...more },
  });
  const { send } = mockOfDocument(
    smallApi(
      {
        'POST /rooms': { body: object({ type: whole, name: text }), answers: { 201: ref('Hall') } },
        'GET /rooms/{id}': { answers: { 200: { oneOf: [ref('Cell'), ref('Hall')] } } },
      },
      { Cell: kind(1, { lock: text }), Hall: kind(2, { name: text }) },
    ),
  );
  const { body } = await send('POST', '/rooms', { type: 2, name: 'a' });
  expect(body).toMatchObject({ type: 2, name: 'a', size: expect.any(Number) as number });
  expect((await send('GET', `/rooms/${(body as { id: string }).id}`)).body).toEqual(body);
});

test.each([
  { about: 'texts', link: text },
  { about: 'addresses, which no path is', link: { ...text, format: 'uri' } },
])('links between pages are paths where the examples of the description have paths: $about', async ({ link }) => {
  const page = {
    ...object({ things: list(ref('Report')), next_page_uri: { ...link, nullable: true } }),
    example: { things: [], next_page_uri: '/things?page=2' },
  };
  const app = await serveText(
    smallApi(
      {
        'GET /things': { query: { page: whole, page_size: whole }, answers: { 200: page } },
        'POST /things': { body: object({ name: text }), answers: { 201: ref('Report') } },
      },
      { Report: REPORT },
    ),
    { auth: 'off' },
  );
  for (const name of ['a', 'b', 'c']) await request(app).post('/things').send({ name }).expect(201);
  const first = await request(app).get('/things?page_size=2').expect(200);
  const { next_page_uri: next } = first.body as { next_page_uri: string };
  expect(next).toMatch(/^\/things\?/);
  const second = await request(app).get(next).expect(200);
  expect(second.body).toMatchObject({ things: [{ name: 'c' }], next_page_uri: null });
});

test('rooms that are one of several kinds, listed beside a time of the response, are of the kind that was sent', async () => {
  const kind = (more: object, required: string[]): object => ({
    type: 'object',
    additionalProperties: false,
    required: ['id', ...required],
    properties: { id: text, size: whole, ...more },
  });
  const Room = { anyOf: [kind({ user: text }, ['user']), kind({ name: text, topic: text }, ['name', 'topic'])] };
  const room = object({ ok: { type: 'boolean' }, room: ref('Room') }, ['ok', 'room']);
  const document = smallApi(
    {
      'POST /rooms.create': { body: object({ name: text }), answers: { 200: room } },
      'GET /rooms.info': { query: { room: text }, answers: { 200: room, 404: null } },
      'GET /rooms.list': {
        answers: {
          200: object({ ok: { type: 'boolean' }, members: { type: 'array', items: ref('Room') }, cache_ts: whole }),
        },
      },
    },
    { Room },
  );
  const { send } = mockOfDocument(document);
  const made = (await send('POST', '/rooms.create', { name: 'a' })).body as { room: { id: string } };
  expect(made).toMatchObject({ room: { name: 'a', topic: expect.any(String) as string } });
  expect((await send('GET', `/rooms.info?room=${made.room.id}`)).body).toMatchObject(made);
  expect((await send('GET', '/rooms.list')).body).toMatchObject({ members: expect.arrayContaining([made.room]) as [] });
});

test('an action whose key may be left out is about no item where it is', async () => {
  const Chat = object({ id: text, topic: text, is_open: { type: 'boolean' } }, ['id', 'is_open']);
  const app = await serveText(
    smallApi(
      {
        'GET /chats.list': { answers: { 200: object({ chats: list(ref('Chat')) }) } },
        'GET /chats.info': { query: { chat: text }, answers: { 200: object({ chat: ref('Chat') }), 404: null } },
        'POST /chats.create': { body: object({ topic: text }), answers: { 200: object({ chat: ref('Chat') }) } },
        'POST /chats.open': {
          body: object({ chat: text, people: text }),
          answers: { 200: object({ chat: ref('Chat') }, ['chat']), 404: null },
        },
      },
      { Chat },
    ),
  );
  const { body } = await request(app).post('/chats.create').send({ topic: 'a' }).expect(200);
  const { id } = (body as { chat: { id: string } }).chat;
  const opened = await request(app).post('/chats.open').send({ chat: id }).expect(200);
  expect(opened.body).toMatchObject({ chat: { id, is_open: true } });
  const other = await request(app).post('/chats.open').send({ people: 'ada,emma' }).expect(200);
  expect(other.body).toHaveProperty('chat.id');
  await request(app).post('/chats.open').send({ chat: 'none' }).expect(404);
});

import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf } from './small-mock';

const time = { type: 'string' };

test.each<[string, object, object, unknown, unknown]>([
  ['a text', { oneOf: [text, list(text)] }, list(text), 'a@x', ['a@x']],
  ['a list', { oneOf: [text, list(text)] }, list(text), ['a', 'b'], ['a', 'b']],
  ['a number', whole, list(whole), 7, [7]],
  ['an object', object({ email: text }), list(object({ email: text })), { email: 'a' }, [{ email: 'a' }]],
  ['a text where texts are read', text, { oneOf: [text, list(text)] }, 'a', 'a'],
])('%s that is sent is read as the list that items have', async (_, sent, read, value, shown) => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /emails': { answers: { 200: list(ref('Email')) } },
        'POST /emails': { body: object({ to: sent, subject: text }), answers: { 201: object({ id: text }) } },
        'GET /emails/{id}': { answers: { 200: ref('Email') } },
      },
      { Email: object({ id: text, to: read, subject: text }) },
    ),
  );
  const made = await send('POST', '/emails', { to: value as never, subject: 's' });
  expect(made.headers).not.toHaveProperty('x-standin-problem');
  expect((await send('GET', `/emails/${objectOf(made)['id'] as string}`)).body).toMatchObject({ to: shown });
});

const map = (values: object): object => ({ type: 'object', additionalProperties: values });

test('a map keeps all but the values that items cannot hold', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /events': { answers: { 200: list(ref('Event')) } },
        'POST /events': { body: object({ id: text, tags: map({}) }, ['id']), answers: { 200: ref('Event') } },
        'GET /events/{id}': { answers: { 200: ref('Event') } },
        'PATCH /events/{id}': { body: object({ tags: map({}) }), answers: { 200: ref('Event') } },
      },
      { Event: object({ id: text, tags: map(text) }, ['id']) },
    ),
  );
  const made = await send('POST', '/events', { id: 'e', tags: { a: 'x', b: { c: 1 }, d: ['y'] } });
  expect(made.body).toEqual({ id: 'e', tags: { a: 'x' } });
  expect(made.headers['x-standin-problem']).toMatch(/\/tags\/b.*\/tags\/d/);
  const changed = await send('PATCH', '/events/e', { tags: { a: { b: 1 }, f: 'z' } });
  expect(changed.body).toEqual({ id: 'e', tags: { a: 'x', f: 'z' } });
  expect((await send('GET', '/events/e')).body).toEqual(changed.body);
});

test('what fits several schemas is kept beside what has to be written otherwise', async () => {
  const several = map({ oneOf: [text, whole, { type: 'number' }] });
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /events': { answers: { 200: list(object({ id: text })) } },
        'POST /events': {
          body: object({ id: text, time: { oneOf: [whole, text] }, tags: several, word: text }, ['id']),
          answers: { 200: object({ ok: { type: 'boolean' } }) },
        },
        'GET /events/{id}': {
          answers: {
            200: object(
              {
                id: text,
                time,
                tags: map({ oneOf: [text, whole, { type: 'number' }] }),
                word: { type: 'string', enum: ['a', 'b'] },
              },
              ['id'],
            ),
          },
        },
      },
      {},
    ),
  );
  await send('POST', '/events', { id: 'e', time: 17, tags: { gb: 10, name: 'n' }, word: 'c' });
  // No response can show it as it is described: 10 fits two of the schemas.
  await expect(send('GET', '/events/e')).rejects.toThrow(/"tags":\{"gb":10,"name":"n"\}/);
});

test('a word of an action is shown where its answer has it', async () => {
  const Message = object({ sid: text, body: text, account_sid: text, date_created: text });
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /messages': { answers: { 200: list(ref('Message')) } },
        'POST /messages': { body: object({ body: text }), answers: { 201: ref('Message') } },
        'GET /messages/{sid}': { answers: { 200: ref('Message') } },
        'POST /messages/{message_sid}/feedback': {
          body: object({ outcome: { type: 'string', enum: ['good', 'bad'] } }),
          answers: { 201: object({ account_sid: text, message_sid: text, outcome: text, date_created: text }) },
        },
      },
      { Message },
    ),
  );
  const sid = objectOf(await send('POST', '/messages', { body: 'm' }))['sid'] as string;
  const told = await send('POST', `/messages/${sid}/feedback`, { outcome: 'good' });
  expect(told.body).toMatchObject({ message_sid: sid, outcome: 'good' });
  expect((await send('GET', `/messages/${sid}`)).body).toMatchObject({ sid, body: 'm' });
});

import request from 'supertest';
import { serveText } from '../support/serve-text';
import { list, object, text, whole } from '../support/small-api';

/** `GET /rooms` with an optional integer `floor`, and these errors. */
const rooms = (errors: Readonly<Record<string, object>>): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Rooms', version: '1' },
    paths: {
      '/rooms': {
        get: {
          parameters: [{ name: 'floor', in: 'query', schema: whole }],
          responses: {
            200: { description: 'ok' },
            ...Object.fromEntries(
              Object.entries(errors).map(([status, content]) => [status, { description: 'no', content }]),
            ),
          },
        },
      },
    },
  });

const json = (schema: object): object => ({ 'application/json': { schema } });
const someText = expect.stringMatching(/./) as string;

test.each([
  {
    shape: 'properties that say nothing of an error',
    schema: object({ error: text, retryable: { type: 'boolean' }, hint: text, extra: object({ z: text }) }),
    body: { error: someText, retryable: expect.any(Boolean), hint: someText, extra: { z: someText } },
  },
  {
    shape: 'the item that is in conflict',
    schema: object({ conflicting: object({ id: whole, name: text }), message: text }),
    body: { conflicting: { id: expect.any(Number), name: someText }, message: someText },
  },
  {
    shape: 'a message in another language',
    schema: object({ mensaje: text }),
    body: { mensaje: 'This conflicts with what is there already' },
  },
  {
    shape: 'reasons',
    schema: object({ violations: list(object({ prop: text, why: text })) }),
    body: { violations: [{ why: someText }] },
  },
  {
    shape: 'a required text and an optional time',
    schema: object({ lockedBy: text, until: { ...text, format: 'date-time' } }, ['lockedBy']),
    body: { lockedBy: someText, until: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
  },
])('a preferred error has all properties that are documented: $shape', async ({ schema, body }) => {
  const app = await serveText(rooms({ 409: json(schema) }));
  const { body: answered } = await request(app).get('/rooms').set('Prefer', 'code=409').expect(409);
  expect(answered).toMatchObject(body);
});

test('a rejected request gets all documented properties, and the place where they say it', async () => {
  const schema = object({ reasons: list(object({ prop: text, why: text })), hint: text });
  const app = await serveText(rooms({ 400: json(schema) }));
  const { body } = await request(app).get('/rooms?floor=x').expect(400);
  expect(body).toEqual({ reasons: [{ prop: 'floor', why: expect.stringContaining('integer') }], hint: someText });
});

test.each([
  ['*/*', '400'],
  ['application/*', '4XX'],
  ['*/*', 'default'],
])('an error under %s of %s has the documented shape, as JSON', async (mediaType, status) => {
  const app = await serveText(
    rooms({ [status]: { [mediaType]: { schema: object({ fault: text, errorCode: text }) } } }),
  );
  const { body } = await request(app)
    .get('/rooms?floor=x')
    .expect(400)
    .expect('Content-Type', /^application\/json/);
  expect(body).toEqual({ fault: expect.stringContaining('floor'), errorCode: 'invalid_parameter' });
});

test.each(['application/json', '*/*'])('the example of an error under %s needs no schema', async (mediaType) => {
  const example = { detail: 'No such room', docs: 'https://docs.test/rooms', code: 7 };
  const app = await serveText(rooms({ default: { [mediaType]: { example } }, 404: { [mediaType]: { example } } }));
  const { body } = await request(app).get('/rooms?floor=x').expect(400);
  expect(body).toEqual({ ...example, detail: expect.stringContaining('floor') });
  await request(app).get('/rooms').set('Prefer', 'code=404').expect(404, example);
});

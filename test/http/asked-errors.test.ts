import supertest from 'supertest';
import { serveText } from '../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../support/small-api';

const email = { type: 'string', format: 'email' };
const Signup = object({ note: text, email, seats: whole }, ['email', 'seats']);
const Rfc = object({ type: text, title: text, status: whole, detail: text, instance: text });
const Fault = object({ field: text, message: text, code: text }, ['message']);

const api = (schema: object, status: number, about = 'Error'): string => {
  const answers = { 201: ref('Signup'), [status]: schema };
  const described = JSON.parse(
    smallApi(
      {
        'GET /signups': { answers: { 200: list(ref('Signup')) } },
        'POST /signups': { body: ref('Signup'), answers },
        'GET /signups/{signupId}': { answers: { 200: ref('Signup'), [status]: schema } },
      },
      { Signup, Rfc, Fault },
    ),
  );
  for (const path of Object.values<Record<string, { responses: Record<string, { description: string }> }>>(
    described.paths,
  ))
    for (const { responses } of Object.values(path))
      if (responses[status] !== undefined) responses[status].description = about;
  return JSON.stringify(described);
};

async function asked(schema: object, status: number, about?: string, path?: string): Promise<unknown> {
  const server = supertest(await serveText(api(schema, status, about)));
  const body = { email: 'ada@example.com', seats: 2 };
  const call = path === undefined ? server.post('/signups').send(body) : server.get(path);
  const answer = await call.set('Prefer', `code=${status}`).expect(status);
  return /json/.test(answer.type) ? answer.body : answer.text;
}

const sentence = expect.stringMatching(/^[A-Z][a-z']+( [\w,'-]+){2,}$/);

describe('an error that is asked for by code', () => {
  test.each([400, 401, 403, 404, 409, 422, 429, 500, 503])('has a message of its own: %i', async (status) => {
    expect(await asked(ref('Rfc'), status)).toMatchObject({ status, title: expect.any(String), detail: sentence });
    expect(await asked(object({ error: text, message: text }), status)).toMatchObject({ message: sentence });
    expect(await asked(text, status)).toEqual(sentence);
  });

  test('has what the description says of it, where that is a message', async () => {
    const said = 'A person with this email has a place already';
    expect(await asked(object({ message: text }), 409, said)).toEqual({ message: said });
    const told = await asked(object({ message: text }), 409, 'Returned when the email has a place already');
    expect(told).toEqual({ message: sentence });
  });

  test.each([
    ['beside a message', object({ message: text, errors: list(ref('Fault')) })],
    ['alone', object({ errors: list(ref('Fault')) })],
    ['in an envelope', object({ error: object({ message: text, details: list(ref('Fault')) }) })],
  ])('names properties of the body in a list of faults %s', async (_where, schema) => {
    const body = JSON.stringify(await asked(schema, 422));
    expect(body).toContain('"field":"email","message":"is missing"');
    expect(body).toContain('"field":"seats","message":"is not valid"');
    expect(body).not.toContain('note');
  });

  test('names them in a map, and as segments', async () => {
    const map = { type: 'object', additionalProperties: list(text) };
    expect(await asked(object({ errors: map }), 400)).toEqual({
      errors: { email: ['is missing'], seats: ['is not valid'] },
    });
    const segments = object({ detail: list(object({ loc: list(text), msg: text, type: text })) });
    expect(await asked(segments, 422)).toMatchObject({
      detail: [{ loc: ['body', 'email'] }, { loc: ['body', 'seats'] }],
    });
  });

  test('names what is taken, and what is not there', async () => {
    expect(await asked(object({ errors: list(ref('Fault')) }), 409)).toMatchObject({
      errors: [{ field: 'email', message: 'is taken already' }],
    });
    expect(await asked(object({ errors: list(ref('Fault')) }), 404, 'Error', '/signups/7')).toMatchObject({
      errors: [{ field: 'signupId', message: 'names nothing that is there' }],
    });
    expect(await asked(object({ error: object({ code: text, param: text }) }), 400)).toMatchObject({
      error: { param: 'email' },
    });
  });

  test('has the code that the description shows, unless that tells of another status', async () => {
    const code = (shown: string): object => object({ code: { type: 'string', example: shown }, message: text });
    expect(await asked(code('card_declined'), 402)).toMatchObject({ code: 'card_declined' });
    expect(await asked(code('NOT_FOUND'), 409)).toMatchObject({ code: 'conflict' });
    const words = { type: 'string', enum: ['DUPLICATE', 'SEATS_NOT_FOUND'] };
    expect(await asked(object({ code: words }), 409)).toEqual({ code: 'DUPLICATE' });
    expect(await asked(object({ code: words }), 404)).toEqual({ code: 'SEATS_NOT_FOUND' });
  });
});

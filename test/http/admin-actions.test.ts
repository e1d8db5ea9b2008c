import request from 'supertest';
import { ADMIN_ACTIONS } from '../../src/server/actions/registry';
import type { MockServer } from '../../src/server/mock-server';
import { serveText } from '../support/serve-text';

/** Its errors have another shape than those of the admin routes. */
const NOTES = `openapi: 3.0.3
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    get:
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } } }
        default: { description: error, content: { application/json: { schema: { type: object, required: [oops], properties: { oops: { type: string } } } } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } } }
components:
  schemas:
    Note: { type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string } } }
`;

let app: MockServer;
beforeEach(async () => {
  app = await serveText(NOTES);
});

describe('the table of actions', () => {
  /** Those that give the controls of a sandbox: the routes name it in their query. */
  const GIVES_CONTROLS = ['sandbox', 'workerSandbox'];

  /** The command line does that itself; whoever else could ask for it would end the mock of others. */
  const ENDS = 'closeStore';

  /** A program in the same process waits; over HTTP, GET /__standin/deliveries shows what is pending. */
  const WAITS = 'waitForDeliveries';

  const methodsOf = (controls: object): string[] =>
    Object.keys(controls).filter((name) => typeof (controls as Record<string, unknown>)[name] === 'function');

  test('has each method of the app and of its sandboxes, and no other', async () => {
    const plain = new Set(methodsOf(await serveText(NOTES)));
    const ofExpress = new Set(methodsOf((await import('express')).default()));
    const own = [...plain].filter((name) => !ofExpress.has(name));
    const there = new Set([...own, ...methodsOf(app.sandbox('a'))]);
    for (const name of [...GIVES_CONTROLS, ENDS, WAITS]) there.delete(name);
    const named = new Set(ADMIN_ACTIONS.flatMap(({ library }) => library ?? []));
    expect([...named].toSorted()).toStrictEqual([...there].toSorted());
  });

  test('has each name and each route once; what is no GET says what it changes', () => {
    const names = ADMIN_ACTIONS.map(({ name }) => name);
    const routes = ADMIN_ACTIONS.map(({ method, path }) => `${method} ${path}`);
    expect([new Set(names).size, new Set(routes).size]).toStrictEqual([names.length, routes.length]);
    expect(ADMIN_ACTIONS.filter(({ method, changes }) => (method === 'GET') !== (changes === undefined))).toEqual([]);
  });

  test('is listed with what each action takes', async () => {
    const { body } = await request(app).get('/__standin/').expect(200);
    const { routes, input } = body as { routes: { name: string }[]; input: object[] };
    expect(input).toEqual([expect.objectContaining({ name: 'sandbox', in: 'query', type: 'string' })]);
    expect(routes.find(({ name }) => name === 'setClock')).toMatchObject({
      method: 'PUT',
      path: '/__standin/clock',
      library: 'setClock',
      input: [
        { name: 'now', in: 'body', type: 'time', required: true, isNullable: true },
        { name: 'fixed', in: 'body', type: 'boolean', required: false, isNullable: false },
      ],
    });
  });
});

describe('what is sent is held against the table', () => {
  const message = async (act: request.Test, status = 400): Promise<string> =>
    ((await act.expect(status)).body as { message: string }).message;
  const at = (path: string): string => `/__standin${path}`;

  test('unknown names', async () => {
    const reset = request(app).post(at('/reset')).send({ sandbox: 'a' });
    expect(await message(reset)).toBe('The field /sandbox is not known here; the body has no fields');
    const fork = request(app).post(at('/sandboxes')).send({ id: 'a', form: 'b' });
    expect(await message(fork)).toBe('The field /form is not known here; did you mean "from"?');
    expect(await message(request(app).get(at('/state?colection=/notes')))).toMatch(/did you mean "collection"\?$/);
    expect(await message(request(app).post(at('/reset?snapshot=a')).send({}))).toContain('got "snapshot"');
  });

  test('types', async () => {
    const fault = request(app)
      .put(at('/faults'))
      .send({ faults: [1] });
    expect(await message(fault)).toBe('The field /faults must be an array of strings, such as ["status:503;for=30s"]');
    expect(await message(request(app).get(at('/state?all=yes')))).toBe(
      'The parameter all of the query must be true or false',
    );
    const fixed = request(app).put(at('/clock')).send({ now: null, fixed: 'yes' });
    expect(await message(fixed)).toBe('The field /fixed must be true or false');
    expect(await message(request(app).post(at('/reset')).send([]))).toBe('The body must be an object');
    expect(await message(request(app).post(at('/sandboxes')).send({}))).toBe('The field /id must be a string');
  });
});

test('errors have one shape, whatever errors the description has', async () => {
  const lost = await request(app).get('/__standin/nowhere').expect(404);
  const error = { status: 404, code: 'route_not_found', message: expect.any(String) as string };
  expect(lost.body).toStrictEqual({ ...error, findings: [], current: null });
  const text = { id: 1, text: 5 };
  const { body } = await request(app).put('/__standin/row?collection=/notes').send(text).expect(400);
  expect(body).toMatchObject({ status: 400, code: 'invalid_field', current: null });
  expect((body as { findings: { pointer: string }[] }).findings).toEqual([
    {
      pointer: expect.stringContaining('/text') as string,
      message: expect.any(String) as string,
      expected: 'an item that the schema of /notes allows',
    },
  ]);
  expect((body as { message: string }).message).toContain('/text');
});

test('answers are taken by browsers for what they say to be, and by no other page', async () => {
  for (const path of ['/', '/health', '/nowhere', '/docs']) {
    const { headers } = await request(app).get(`/__standin${path}`);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  }
});

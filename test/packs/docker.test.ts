import supertest from 'supertest';
import { createMockServer } from '../../src/express';
import { list, object, ref, smallApi, text } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const flag = { type: 'boolean', default: false };
const IDS: Readonly<Record<string, string>> = {
  'GET /containers/json': 'ContainerList',
  'POST /containers/create': 'ContainerCreate',
  'POST /containers/{id}/rename': 'ContainerRename',
};

/** What of the description of the engine the pack speaks of. */
function engine(): string {
  const described = JSON.parse(
    smallApi(
      {
        'GET /containers/json': {
          answers: { 200: list(object({ Id: text, Names: list(text), State: text })) },
          query: { all: flag, filters: text },
        },
        'POST /containers/create': {
          body: object({ Image: text, Labels: ref('Labels'), Hostname: text }),
          answers: { 201: object({ Id: text }, ['Id']) },
          query: { name: text },
        },
        'GET /containers/{id}/json': { answers: { 200: ref('Container') } },
        'POST /containers/{id}/start': {},
        'POST /containers/{id}/rename': { query: { name: text } },
        'DELETE /containers/{id}': { answers: { 204: null } },
      },
      {
        Labels: { type: 'object', additionalProperties: text },
        Container: object({
          Id: text,
          Name: text,
          Config: object({ Image: text, Labels: ref('Labels'), Hostname: text }),
          State: object({
            Status: { type: 'string', enum: ['created', 'running', 'exited'] },
            Running: { type: 'boolean' },
          }),
        }),
      },
    ).replace('"Small"', '"Docker Engine API"'),
  );
  for (const [path, item] of Object.entries<Record<string, Record<string, unknown>>>(described.paths))
    for (const [method, operation] of Object.entries(item)) {
      const id = IDS[`${method.toUpperCase()} ${path}`];
      if (id !== undefined) operation['operationId'] = id;
      for (const parameter of operation['parameters'] as Record<string, unknown>[])
        if (parameter['name'] === 'id') parameter['description'] = 'ID or name of the container';
    }
  return JSON.stringify(described);
}

let app: Awaited<ReturnType<typeof createMockServer>>;
beforeEach(async () => {
  app = await createMockServer({ description: folder.write('engine.json', engine()), state: 'empty', auth: 'off' });
  for (const [name, image, labels] of [
    ['one', 'busybox', { a: 'b' }],
    ['two', 'alpine', { c: 'd' }],
  ] as const)
    await supertest(app).post('/containers/create').query({ name }).send({ Image: image, Labels: labels }).expect(201);
  await supertest(app).post('/containers/one/start').expect(200);
});

async function names(query: Readonly<Record<string, string>>): Promise<string[]> {
  const { body } = await supertest(app).get('/containers/json').query(query).expect(200);
  return (body as { Names: string[] }[]).flatMap(({ Names }) => Names).sort();
}

test('a container has its name with a slash, and is found without it', async () => {
  const { body } = await supertest(app).get('/containers/one/json').expect(200);
  expect(body).toMatchObject({
    Name: '/one',
    Config: { Image: 'busybox' },
    State: { Status: 'running', Running: true },
  });
  await supertest(app).post('/containers/one/rename').query({ name: 'three' }).expect(200);
  expect((await supertest(app).get('/containers/three/json')).body).toMatchObject({ Name: '/three' });
  await supertest(app).get('/containers/one/json').expect(404);
});

test('a list has those that run, unless all are asked for, or a status', async () => {
  expect(await names({})).toStrictEqual(['/one']);
  expect(await names({ all: 'true' })).toStrictEqual(['/one', '/two']);
  expect(await names({ filters: '{"status":["created"]}' })).toStrictEqual(['/two']);
});

test.each([
  ['{"name":["tw"]}', ['/two']],
  ['{"label":{"a=b":true}}', ['/one']],
  ['{"label":["c"]}', ['/two']],
  ['{"label":["a=x"]}', []],
  ['{"ancestor":["alpine"],"label":["c=d"]}', ['/two']],
  ['{"status":{"created":true,"running":true}}', ['/one', '/two']],
])('filters %s', async (filters, expected) => {
  expect(await names({ all: 'true', filters })).toStrictEqual(expected);
});

test.each(['{', '[]', '{"colour":["red"]}'])('filters %s are refused', async (filters) => {
  await supertest(app).get('/containers/json').query({ filters }).expect(400);
});

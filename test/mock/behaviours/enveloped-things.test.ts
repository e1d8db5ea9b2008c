import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

const JOB = object({ id: text, name: text, size: { type: 'integer' } }, ['id', 'name']);
const data = (inner: object): object => object({ data: inner });

/** Everything in `data`, pages by an offset that is a text, and bodies behind a wrapper of one branch. */
const DOCUMENT = smallApi(
  {
    'GET /jobs': {
      query: { limit: { type: 'integer' }, offset: text, opt_fields: list(text) },
      answers: {
        200: object({
          data: list(ref('Job')),
          next_page: { ...object({ offset: text, path: text }), nullable: true },
        }),
      },
    },
    'POST /jobs': { body: data(ref('Change')), answers: { 201: data(ref('Job')) } },
    'GET /jobs/{job_id}': { answers: { 200: data(ref('Job')), 404: null } },
    'PUT /jobs/{job_id}': {
      body: { oneOf: [ref('Change')] },
      answers: { 200: data(ref('Job')) },
      summary: 'Changes the members that are sent',
    },
    'DELETE /jobs/{job_id}': { answers: { 200: data({ type: 'object', description: 'Nothing' }) } },
  },
  { Job: JOB, Change: object({ name: text, size: { type: 'integer' } }) },
);

const page = (body: unknown): { data: { id: string }[]; next_page: { offset: string; path: string } | null } =>
  body as never;

async function withFive(): Promise<ReturnType<typeof mockOfDocument>> {
  const mock = mockOfDocument(DOCUMENT);
  for (const name of ['a', 'b', 'c', 'd', 'e']) await mock.send('POST', '/jobs', { data: { name, size: 1 } });
  return mock;
}

test('what the answer gives for the next page under a name is sent back under it, whatever it is called', async () => {
  const { send } = await withFive();
  const ids: string[] = [];
  let offset = '';
  for (let pages = 0; pages < 3; pages++) {
    const { data: items, next_page: next } = page((await send('GET', `/jobs?limit=2${offset}`)).body);
    ids.push(...items.map(({ id }) => id));
    expect(next === null).toBe(pages === 2);
    if (next) {
      expect(next.path).toContain('/jobs?limit=2&offset=');
      offset = `&offset=${encodeURIComponent(next.offset)}`;
    }
  }
  expect(new Set(ids).size).toBe(5);
});

test('opt_fields cuts items down to the members that it names and those that they must have', async () => {
  const { send } = await withFive();
  const { data: items } = page((await send('GET', '/jobs?limit=1&opt_fields=name')).body);
  expect(Object.keys(items[0] ?? {})).toEqual(['id', 'name']);
});

test('a body behind a wrapper of one branch changes what it says', async () => {
  const { send } = await withFive();
  const { data: items } = page((await send('GET', '/jobs?limit=1')).body);
  const at = `/jobs/${items[0]?.id ?? ''}`;
  expect((await send('PUT', at, { name: 'z' })).body).toMatchObject({ data: { name: 'z', size: 1 } });
  expect((await send('GET', at)).body).toMatchObject({ data: { name: 'z', size: 1 } });
});

test('the one object that an answer is made of is there, although it may be left out', async () => {
  const { send } = await withFive();
  const { data: items } = page((await send('GET', '/jobs?limit=1')).body);
  expect((await send('DELETE', `/jobs/${items[0]?.id ?? ''}`)).body).toEqual({ data: {} });
});

test('an item that an object beside it accompanies is shown under the key that the list shows', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /flows': { answers: { 200: object({ Flows: list(ref('Row')), NextToken: text }) } },
        'POST /flows': {
          body: object({ Name: text, Source: text }, ['Name']),
          answers: { 201: object({ Flow: ref('Flow') }) },
        },
        'GET /flows/{flowArn}': {
          answers: { 200: object({ Flow: ref('Flow'), Messages: object({ Errors: list(text) }) }), 404: null },
        },
        'DELETE /flows/{flowArn}': { answers: { 202: object({ FlowArn: text }) } },
      },
      {
        Flow: object({ FlowArn: text, Name: text, Source: text }),
        Row: object({ FlowArn: text, Name: text }),
      },
    ),
  );
  const made = (await send('POST', '/flows', { Name: 'n', Source: 's' })).body as { Flow: { FlowArn: string } };
  expect(made).toMatchObject({ Flow: { FlowArn: expect.any(String) as unknown, Name: 'n', Source: 's' } });
  const { FlowArn } = made.Flow;
  expect((await send('GET', `/flows/${FlowArn}`)).body).toMatchObject(made);
  expect((await send('GET', '/flows')).body).toEqual({ Flows: [{ FlowArn, Name: 'n' }] });
  expect((await send('DELETE', `/flows/${FlowArn}`)).body).toEqual({ FlowArn });
  expect((await send('GET', '/flows')).body).toEqual({ Flows: [] });
});

test('a resource object that is created keeps its attributes and answers the whole envelope', async () => {
  const attributes = object({ name: text, color: text });
  const resource = object({ id: text, type: text, attributes });
  const { send } = mockOfDocument(
    smallApi({
      'GET /tags': { answers: { 200: data(list(resource)) } },
      'POST /tags': { body: data(object({ type: text, attributes })), answers: { 201: data(resource) } },
      'GET /tags/{id}': { answers: { 200: data(resource) } },
      'POST /labels': { body: object({ attributes }), answers: { 201: data(resource) } },
      'GET /labels/{id}': { answers: { 200: data(resource) } },
    }),
  );
  const sent = { attributes: { name: 'n', color: 'c' } };
  const made = { data: { id: '1', type: 'tag', ...sent } };
  expect((await send('POST', '/tags', { data: { type: 'tag', ...sent } })).body).toEqual(made);
  expect((await send('GET', '/tags/1')).body).toEqual(made);
  expect((await send('GET', '/tags')).body).toEqual({ data: [made.data] });
  const label = await send('POST', '/labels', sent);
  expect(label.body).toMatchObject({ data: { id: '1', ...sent } });
  expect((await send('GET', '/labels/1')).body).toEqual(label.body);
});

test('what stands beside words on the call is what the call is about, one or a list', async () => {
  const told = (response: object): object => object({ api: text, method: text, status: text, response });
  const Lamp = object({ lamp_id: text, label: text }, ['lamp_id', 'label']);
  const api = smallApi({
    'GET /lamps': { answers: { 200: told(list(Lamp)) } },
    'GET /lamps/{lampId}': { answers: { 200: told(Lamp), 404: null } },
    'DELETE /lamps/{lampId}': { answers: { 200: told(text), 404: null } },
  });
  const server = supertest(await serveText(api, { state: 'seeded' }));
  const { response } = (await server.get('/lamps').expect(200)).body as { response: { lamp_id: string }[] };
  const [first] = response;
  const address = `/lamps/${first!.lamp_id}`;
  const { body } = await server.get(address).expect(200);
  expect(body).toMatchObject({ response: first });
  await server.delete(address).expect(200);
  await server.get(address).expect(404);
});

test('what the list shows of each item is the item where a body has it beside more on the call', async () => {
  const Lamp = object({ LampId: text, Label: text }, ['LampId', 'Label']);
  const named = (schema: object): object => ({ allOf: [schema, { description: 'The lamp.' }] });
  const told = object({ Bulb: named(ref('Lamp')), Arn: named(text), Status: { type: 'integer' } });
  const api = smallApi(
    {
      'GET /boxes/{box}/lamps': { answers: { 200: object({ Lamps: list(named(ref('Lamp'))), Status: text }) } },
      'GET /boxes/{box}/lamps/{LampId}': { answers: { 200: told, 404: null } },
    },
    { Lamp },
  );
  const server = supertest(await serveText(api, { state: 'seeded' }));
  const { Lamps } = (await server.get('/boxes/b/lamps').expect(200)).body as { Lamps: { LampId: string }[] };
  const { body } = await server.get(`/boxes/b/lamps/${Lamps[0]!.LampId}`).expect(200);
  expect(body).toMatchObject({ Bulb: Lamps[0] });
});

test('what has the key that the list shows is the item where a body says more of the call, and of the item', async () => {
  const reply = (inner: object): object =>
    object({ result: inner, status_code: { type: 'integer' }, status_reason: text });
  const { send } = mockOfDocument(
    smallApi({
      'GET /studios': {
        answers: {
          200: object({
            results: list(object({ studio_id: text, studio_name: text, is_default: { type: 'boolean' } })),
            status_reason: text,
          }),
        },
      },
      'GET /studios/{studio_id}': {
        answers: { 200: reply(object({ studio_id: text, studio_name: text, city: text, country: text })) },
      },
      'POST /studios': {
        body: object({ studio_name: text, city: text }),
        answers: { 201: reply(object({ studio_id: text, studio_name: text, city: text, country: text })) },
      },
    }),
  );
  const made = (await send('POST', '/studios', { studio_name: 'Quay', city: 'Faro' })).body as {
    result: { studio_id: string };
  };
  expect(made.result).toMatchObject({ studio_name: 'Quay', city: 'Faro' });
  const own = { studio_id: made.result.studio_id, studio_name: 'Quay' };
  expect((await send('GET', `/studios/${own.studio_id}`)).body).toMatchObject({ result: own });
  expect((await send('GET', '/studios')).body).toMatchObject({
    results: expect.arrayContaining([expect.objectContaining(own)]),
  });
});

test('the one list of what is read at the path of an item is the list, whatever it is called', async () => {
  const Lamp = object({ lampId: text, label: text }, ['lampId', 'label']);
  const api = smallApi(
    {
      'GET /bulbs': { answers: { 200: object({ etag: text, kind: text, lightSources: list(ref('Lamp')) }) } },
      'POST /bulbs': { body: object({ label: text }), answers: { 201: ref('Lamp') } },
      'GET /bulbs/{lampId}': { answers: { 200: ref('Lamp'), 404: null } },
    },
    { Lamp },
  );
  const server = supertest(await serveText(api, { state: 'empty' }));
  const { body: made } = await server.post('/bulbs').send({ label: 'desk' }).expect(201);
  const { body } = await server.get('/bulbs').expect(200);
  expect(body).toMatchObject({ lightSources: [made] });
});

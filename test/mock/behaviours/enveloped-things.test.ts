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

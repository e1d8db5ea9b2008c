import supertest from 'supertest';
import { createMockServer } from '../../src/express';
import { list, object, ref, smallApi, text } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const META = object({ name: text, labels: { type: 'object', additionalProperties: text } });
const PODS = smallApi(
  {
    'GET /pods': {
      answers: { 200: object({ items: list(ref('Pod')) }) },
      query: { labelSelector: text, fieldSelector: text },
    },
    'POST /pods': { body: ref('Pod'), answers: { 201: ref('Pod') } },
    'GET /pods/{name}': { answers: { 200: ref('Pod') } },
  },
  { Pod: object({ metadata: META, status: object({ phase: text }) }) },
).replace('"Small"', '"Kubernetes"');

let app: Awaited<ReturnType<typeof createMockServer>>;
beforeAll(async () => {
  app = await createMockServer({ description: folder.write('pods.json', PODS), state: 'empty', auth: 'off' });
  for (const [name, labels, phase] of [
    ['a', { app: 'web', tier: 'front' }, 'Running'],
    ['b', { app: 'db' }, 'Pending'],
    ['c', { tier: 'back', 'example.com/old': '' }, 'Running'],
    ['d', undefined, undefined],
  ] as const)
    await supertest(app)
      .post('/pods')
      .send({
        metadata: { name, ...(labels === undefined ? {} : { labels }) },
        ...(phase === undefined ? {} : { status: { phase } }),
      })
      .expect(201);
});

async function found(query: Readonly<Record<string, string>>): Promise<string> {
  const { body } = await supertest(app).get('/pods').query(query).expect(200);
  return (body.items as { metadata: { name: string } }[])
    .map(({ metadata }) => metadata.name)
    .sort()
    .join('');
}

test.each([
  ['app=web', 'a'],
  ['app==web', 'a'],
  ['app!=web', 'bcd'],
  ['app', 'ab'],
  ['!app', 'cd'],
  ['app in (web, db)', 'ab'],
  ['app notin (web)', 'bcd'],
  ['app in (web,db),tier', 'a'],
  ['example.com/old', 'c'],
  ['example.com/old=', 'c'],
  ['', 'abcd'],
])('the label selector "%s" finds %s', async (labelSelector, names) => {
  expect(await found({ labelSelector })).toBe(names);
});

test.each([
  ['metadata.name=b', 'b'],
  ['metadata.name!=b', 'acd'],
  ['status.phase=Running,metadata.name!=a', 'c'],
  ['status.phase=', 'd'],
])('the field selector "%s" finds %s', async (fieldSelector, names) => {
  expect(await found({ fieldSelector })).toBe(names);
});

test.each([{ labelSelector: 'app=(' }, { fieldSelector: 'name' }])('%j is refused', async (query) => {
  await supertest(app).get('/pods').query(query).expect(400);
});

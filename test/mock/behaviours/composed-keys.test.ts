import { smallMock } from './small-mock';

const body = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const crud = (path: string, thing: string, draft: string): string => `
  ${path}:
    post:
      requestBody: { ${body(draft)} }
      responses: { '201': { description: made, ${body(thing)} } }
  ${path}/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: one, ${body(thing)} } } }`;
const thing = (words: string, example: string): string =>
  `{ type: object, required: [id], properties: { id: { type: string, description: ${JSON.stringify(words)}, example: ${JSON.stringify(example)} }, outer_ref: { type: string }, colour: { type: string } } }`;
const DRAFT = '{ type: object, properties: { outer_ref: { type: string }, colour: { type: string } } }';

async function idOf(words: string, example: string, sent: object): Promise<readonly [id: unknown, status: number]> {
  const { send } = smallMock(`paths:${crud('/lamps', thing(words, example), DRAFT)}\n`);
  const { body: made } = await send('POST', '/lamps', sent as Record<string, string>);
  const { id } = made as { id: string };
  return [id, (await send('GET', `/lamps/${encodeURIComponent(id)}`)).status];
}

test.each([
  ['A compound ID with format: `{shop}:::{outer_ref}`. The only shop is main.', 'main:::A-1', 'main:::B-2'],
  ['Composed as `lamp-{outerRef}-{colour}`', '', 'lamp-B-2-red'],
  ['The id is equivalent to its outer ref stored elsewhere.', 'A-1', 'B-2'],
  ['Is the same as the `outer_ref`.', 'A-1', 'B-2'],
])('a key is made as its words say: %s', async (words, example, id) => {
  expect(await idOf(words, example, { outer_ref: 'B-2', colour: 'red' })).toEqual([id, 200]);
});

test.each([
  ['A compound ID with format: `{shop}:::{outer_ref}`', 'none of it'],
  ['The format is `{year}-{number}`', '2024-7'],
  ['Not the same as that of another lamp.', 'A-1'],
  ['The id of the lamp. See `/lamps/{id}` for its outer ref.', 'A-1'],
])('words that do not say it make none: %s', async (words, example) => {
  const [id, status] = await idOf(words, example, { outer_ref: 'B-2' });
  expect(String(id)).not.toContain('B-2');
  expect(status).toBe(200);
});

test('what such a key is made of may be missing', async () => {
  expect((await idOf('Is the same as the `outer_ref`.', 'A-1', { colour: 'red' }))[1]).toBe(200);
});

test('two with one key are refused where a refusal is documented', async () => {
  const words = 'Is the same as the `outer_ref`.';
  const document = `paths:${crud('/lamps', thing(words, 'A-1'), DRAFT)}\n`;
  const { send } = smallMock(document);
  const strict = smallMock(document.replace("'201':", "'409': { description: taken }, '201':"));
  await send('POST', '/lamps', { outer_ref: 'B-2' });
  expect((await send('POST', '/lamps', { outer_ref: 'B-2' })).status).toBe(201);
  await strict.send('POST', '/lamps', { outer_ref: 'B-2' });
  expect((await strict.send('POST', '/lamps', { outer_ref: 'B-2' })).status).toBe(409);
});

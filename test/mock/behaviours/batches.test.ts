import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

const Box = object({ id: text, name: text, color: text, status: { type: 'string', enum: ['open', 'closed'] } }, [
  'id',
  'name',
]);
const Input = object({ name: text, color: text });
const Change = object({ id: text, name: text, color: text }, ['id']);
const Result = object(
  { status: { type: 'string', enum: ['CANCELED', 'COMPLETE', 'PENDING'] }, results: list(ref('Box')) },
  ['status', 'results'],
);
const answers = { 200: ref('Result') };
const nothing = { 204: null };
const keyed = list(object({ id: text }, ['id']));

const crud = {
  'GET /boxes': { answers: { 200: list(ref('Box')) } },
  'POST /boxes': { body: ref('Input'), answers: { 201: ref('Box') } },
  'GET /boxes/{id}': { answers: { 200: ref('Box'), 404: null } },
  'DELETE /boxes/{id}': { summary: 'Archive', answers: nothing },
};

function batches(operations: Parameters<typeof smallApi>[0]): ReturnType<typeof mockOfDocument> {
  return mockOfDocument(smallApi({ ...crud, ...operations }, { Box, Input, Change, Result }));
}

/** Two boxes with their ids. */
async function makeTwo({ send }: ReturnType<typeof mockOfDocument>): Promise<[string, string]> {
  const first = await send('POST', '/boxes', { name: 'a', color: 'red' });
  const second = await send('POST', '/boxes', { name: 'b', color: 'red' });
  return [(first.body as { id: string }).id, (second.body as { id: string }).id];
}

const inputs = object({ inputs: list(ref('Change')) }, ['inputs']);

describe.each([
  ['/boxes/batch/', ''],
  ['/boxes/bulk-', ''],
  ['/boxes/', '-many'],
])('%sVERB%s', (before, behind) => {
  const at = (verb: string): string => `${before}${verb}${behind}`;
  const mock = (): ReturnType<typeof mockOfDocument> =>
    batches({
      [`POST ${at('create')}`]: { body: object({ inputs: list(ref('Input')) }), answers },
      [`POST ${at('read')}`]: { body: object({ inputs: keyed }), answers },
      [`POST ${at('update')}`]: { body: inputs, answers },
      [`POST ${at('upsert')}`]: { body: inputs, answers },
      [`POST ${at('archive')}`]: { body: object({ inputs: keyed }), answers: nothing },
      [`POST ${at('close')}`]: { body: object({ ids: list(text) }), answers },
    });

  test('makes items of the collection, and says that it went well', async () => {
    const { send } = mock();
    const { body } = await send('POST', at('create'), { inputs: [{ name: 'a' }, { name: 'b' }] });
    expect(body).toMatchObject({ status: 'COMPLETE', results: [{ name: 'a' }, { name: 'b' }] });
    const { results } = body as { results: { id: string }[] };
    for (const made of results) expect((await send('GET', `/boxes/${made.id}`)).body).toEqual(made);
  });

  test('reads the items that it names, in that order, and leaves out what is not there', async () => {
    const own = mock();
    const [first, second] = await makeTwo(own);
    const { body } = await own.send('POST', at('read'), { inputs: [{ id: second }, { id: 'gone' }, { id: first }] });
    expect(body).toMatchObject({ results: [{ id: second }, { id: first }] });
  });

  test('changes what each entry names, and nothing else', async () => {
    const own = mock();
    const [first, second] = await makeTwo(own);
    await own.send('POST', at('update'), { inputs: [{ id: first, color: 'blue' }] });
    expect((await own.send('GET', `/boxes/${first}`)).body).toMatchObject({ name: 'a', color: 'blue' });
    expect((await own.send('GET', `/boxes/${second}`)).body).toMatchObject({ name: 'b', color: 'red' });
  });

  test('does all or nothing', async () => {
    const own = mock();
    const [first] = await makeTwo(own);
    const before = own.stateText();
    const { status, body } = await own.send('POST', at('update'), {
      inputs: [
        { id: first, color: 'blue' },
        { id: 'gone', color: 'blue' },
      ],
    });
    expect(status).toBe(404);
    expect(body).toMatchObject({ pointer: '/inputs/1' });
    expect(own.stateText()).toBe(before);
  });

  test('changes or makes', async () => {
    const own = mock();
    const [first] = await makeTwo(own);
    const { body } = await own.send('POST', at('upsert'), {
      inputs: [
        { id: first, name: 'c' },
        { id: '', name: 'd' },
      ],
    });
    expect(body).toMatchObject({ results: [{ id: first, name: 'c', color: 'red' }, { name: 'd' }] });
  });

  test('archives as a DELETE does that is said to archive', async () => {
    const own = mock();
    const [first, second] = await makeTwo(own);
    expect((await own.send('POST', at('archive'), { inputs: [{ id: first }] })).status).toBe(204);
    expect((await own.send('GET', `/boxes/${first}`)).status).toBe(404);
    expect((await own.send('GET', `/boxes/${second}`)).status).toBe(200);
  });

  test('does what another verb does to an item', async () => {
    const own = mock();
    const ids = await makeTwo(own);
    const { body } = await own.send('POST', at('close'), { ids });
    expect(body).toMatchObject({ results: [{ status: 'closed' }, { status: 'closed' }] });
  });
});

describe('a list on the path of the collection', () => {
  const mock = (): ReturnType<typeof mockOfDocument> =>
    batches({
      'PATCH /boxes': { body: list(ref('Change')), answers: { 200: list(ref('Box')) } },
      'DELETE /boxes': { body: object({ boxes: list(text) }), answers: nothing },
    });

  test('changes each item', async () => {
    const own = mock();
    const [first, second] = await makeTwo(own);
    const { body } = await own.send('PATCH', '/boxes', [
      { id: first, color: 'blue' },
      { id: second, name: 'z' },
    ]);
    expect(body).toMatchObject([
      { name: 'a', color: 'blue' },
      { name: 'z', color: 'red' },
    ]);
  });

  test('removes each item, and none where it names none', async () => {
    const own = mock();
    const [first, second] = await makeTwo(own);
    await own.send('DELETE', '/boxes', { boxes: [first] });
    expect((await own.send('GET', `/boxes/${first}`)).status).toBe(404);
    await own.send('DELETE', '/boxes', {});
    expect((await own.send('GET', `/boxes/${second}`)).status).toBe(200);
  });
});

test('a body of which no rule says what it chooses removes nothing', async () => {
  const own = batches({ 'DELETE /boxes': { body: object({ mood: object({ dark: text }) }), answers: nothing } });
  const [first] = await makeTwo(own);
  await own.send('DELETE', '/boxes', { mood: { dark: 'very' } });
  expect((await own.send('GET', `/boxes/${first}`)).status).toBe(200);
});

test('an entry may name its item by another property', async () => {
  const body = object({ inputs: list(object({ id: text, idProperty: text }, ['id'])) });
  const own = batches({ 'POST /boxes/batch/read': { body, answers } });
  await makeTwo(own);
  const read = await own.send('POST', '/boxes/batch/read', { inputs: [{ id: 'b', idProperty: 'name' }] });
  expect(read.body).toMatchObject({ results: [{ name: 'b' }] });
});

test('batches that have items of their own are a collection', async () => {
  const Batch = object({ id: text, size: { type: 'integer' } });
  const api = smallApi(
    {
      ...crud,
      'POST /boxes/batches': { body: object({ size: { type: 'integer' } }), answers: { 201: ref('Batch') } },
      'GET /boxes/batches/{batch}': { answers: { 200: ref('Batch'), 404: null } },
    },
    { Box, Input, Batch },
  );
  const { send } = mockOfDocument(api);
  const made = await send('POST', '/boxes/batches', { size: 3 });
  const { id } = made.body as { id: string };
  expect((await send('GET', `/boxes/batches/${id}`)).body).toMatchObject({ size: 3 });
});

test.each(['bulk', 'batch', 'bulkDelete'])(
  'DELETE /boxes/%s removes what its query names, and nothing else',
  async (word) => {
    const parameters = [{ name: 'ids', in: 'query', schema: list(text), explode: false, required: true }];
    const mock = batches({ [`DELETE /boxes/${word}`]: { parameters, answers: nothing } });
    const [one, other] = await makeTwo(mock);
    expect((await mock.send('DELETE', `/boxes/${word}`)).status).toBe(400);
    expect((await mock.send('DELETE', `/boxes/${word}?ids=${one}`)).status).toBe(204);
    expect((await mock.send('GET', '/boxes')).body).toMatchObject([{ id: other }]);
    expect((await mock.send('GET', `/boxes/${one}`)).status).toBe(404);
  },
);

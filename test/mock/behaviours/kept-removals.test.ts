import { list, object, ref, smallApi, type SmallOperation, text } from '../../support/small-api';
import { mockOfDocument, objectOf, type SmallMock } from './small-mock';

const flag = { type: 'boolean' };
const time = { ...text, format: 'date-time' };
const one = object({ berth: ref('Berth') });

/** Berths, with how they are removed and brought back. */
function berths(
  removal: SmallOperation,
  properties: Readonly<Record<string, object>>,
  more: Readonly<Record<string, SmallOperation>> = {},
): SmallMock {
  return mockOfDocument(
    smallApi(
      {
        'GET /berths': { query: { inactive: text }, answers: { 200: object({ berths: list(ref('Berth')) }) } },
        'POST /berths': { body: one, answers: { 200: one } },
        'GET /berths/{berthId}': { answers: { 200: one, 404: null } },
        'DELETE /berths/{berthId}': { answers: { 204: null, 404: null }, ...removal },
        ...more,
      },
      { Berth: object({ id: text, name: text, ...properties }) },
    ),
  );
}

async function read({ send }: SmallMock): Promise<unknown> {
  return objectOf(await send('GET', '/berths/1'))['berth'];
}
async function listed({ send }: SmallMock): Promise<number> {
  return (objectOf(await send('GET', '/berths'))['berths'] as unknown[]).length;
}

test.each([flag, text])('a removal is a deactivation but for a flag that removes for good, %j', async (schema) => {
  const description =
    'Deletes the berth with the given id. This permanently deletes all of its data. OR Deactivates the berth with the given id.';
  const states = { ...text, enum: ['Active', 'Inactive'] };
  const mock = berths(
    { description, query: { hardDelete: schema } },
    { active: flag, state: states },
    {
      'PUT /berths/{berthId}': {
        description: 'Updates the berth with the given id. OR Reactivates the berth with the given id.',
        query: { reactivate: schema },
        body: one,
        answers: { 200: one, 404: null },
      },
    },
  );
  const { send } = mock;
  const listedAs = async (inactive: boolean): Promise<unknown> =>
    objectOf(await send('GET', `/berths?inactive=${String(inactive)}`))['berths'];
  await send('POST', '/berths', { berth: { name: 'A', active: true, state: 'Active' } });
  expect([await listedAs(true), await listedAs(false)]).toMatchObject([[], [{ name: 'A' }]]);
  expect((await send('DELETE', '/berths/1')).status).toBe(204);
  expect(await read(mock)).toEqual({ id: '1', name: 'A', active: false, state: 'Inactive' });
  expect((await send('DELETE', '/berths/1?hardDelete=false')).status).toBe(204);
  expect([await listedAs(true), await listedAs(false)]).toMatchObject([[{ name: 'A' }], []]);
  expect(await listed(mock)).toBe(1);
  const back = await send('PUT', '/berths/1?reactivate=true', { berth: { name: 'B' } });
  expect(back.body).toEqual({ berth: { id: '1', name: 'B', active: true, state: 'Active' } });
  expect(await read(mock)).toMatchObject({ name: 'B', active: true });
  expect((await send('DELETE', '/berths/1?hardDelete=true')).status).toBe(204);
  expect((await send('GET', '/berths/1')).status).toBe(404);
  expect((await send('PUT', '/berths/1?reactivate=true', { berth: {} })).status).toBe(404);
});

test('a removal that says that the thing can still be read marks it, and a restoration takes the mark away', async () => {
  const description =
    'The berth leaves the list. It can still be read, and be restored. Deleting it once more changes nothing.';
  const mock = berths(
    { summary: 'Deletes a berth', description },
    { deletedAt: time },
    {
      'POST /berths/{berthId}/restore': { summary: 'Brings a deleted berth back', answers: { 200: one, 404: null } },
    },
  );
  const { send } = mock;
  for (const name of ['A', 'B']) await send('POST', '/berths', { berth: { name } });
  expect((await send('DELETE', '/berths/1')).status).toBe(204);
  const marked = await read(mock);
  expect(marked).toEqual({ id: '1', name: 'A', deletedAt: expect.any(String) as unknown });
  expect(await listed(mock)).toBe(1);
  expect((await send('DELETE', '/berths/1')).status).toBe(204);
  expect(await read(mock)).toEqual(marked);
  expect((await send('POST', '/berths/1/restore')).body).toEqual({ berth: { id: '1', name: 'A' } });
  expect(await listed(mock)).toBe(2);
});

test.each([
  [{ summary: 'Archive a berth' }, { archived: flag }, { archived: true }],
  [{ summary: 'Delete', description: 'The berth is only marked as deleted.' }, { deleted: flag }, { deleted: true }],
  [{ summary: 'Disables a berth' }, { enabled: flag }, { enabled: false }],
])('a removal keeps what it says that it keeps: %j', async (removal, properties, shown) => {
  const mock = berths(removal, properties);
  await mock.send('POST', '/berths', { berth: { name: 'A' } });
  await mock.send('DELETE', '/berths/1');
  expect(await read(mock)).toMatchObject({ name: 'A', ...shown });
});

test.each([
  [{ summary: 'Deletes a berth' }, { deletedAt: time, active: flag }],
  [{ description: 'Deactivates the berth and deletes it.' }, { active: flag }],
  [{ summary: 'Deletes a berth', query: { hardDelete: flag } }, { active: flag }],
  [{ summary: 'Deactivate a berth' }, {}],
])('any other removal removes: %j', async (removal, properties) => {
  const mock = berths(removal, properties);
  await mock.send('POST', '/berths', { berth: { name: 'A' } });
  await mock.send('DELETE', '/berths/1');
  expect((await mock.send('GET', '/berths/1')).status).toBe(404);
});

import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument, objectOf } from './small-mock';

const Remark = object({ id: text, memberId: text, words: text });
const both = object({ remark: ref('Remark'), remarks: list(ref('Remark')) });

test('what names a member is listed under the key of the member', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'POST /member/remark': { body: object({ remark: ref('Remark') }), answers: { 200: both } },
        'GET /member/remark/{memberId}': {
          description: 'Retrieves all the remarks for the member with the given id.',
          answers: { 200: both },
        },
      },
      { Remark },
    ),
  );
  for (const [memberId, words] of [
    ['m1', 'a'],
    ['m2', 'b'],
    ['m1', 'c'],
  ])
    await send('POST', '/member/remark', { remark: { memberId, words } } as never);
  const shown = async (member: string): Promise<unknown> =>
    objectOf(await send('GET', `/member/remark/${member}`))['remarks'] ?? [];
  expect(await shown('m1')).toMatchObject([
    { memberId: 'm1', words: 'a' },
    { memberId: 'm1', words: 'c' },
  ]);
  expect(await shown('m2')).toMatchObject([{ memberId: 'm2', words: 'b' }]);
  expect(await shown('m3')).toEqual([]);
});

test('what is read by its own key is one thing, whatever stands beside it', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'POST /remark': { body: object({ remark: ref('Remark') }), answers: { 200: both } },
        'GET /remark/{remarkId}': { description: 'Retrieves a remark, or all.', answers: { 200: both, 404: null } },
      },
      { Remark },
    ),
  );
  const made = await send('POST', '/remark', { remark: { words: 'a' } });
  const { id } = (made.body as { remark: { id: string } }).remark;
  expect((await send('GET', `/remark/${id}`)).body).toMatchObject({ remark: { id, words: 'a' } });
  expect((await send('GET', '/remark/none')).status).toBe(404);
});

import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf } from './small-mock';

test('an id beside the key is given out, also where requests and responses have one schema', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'POST /roles': { body: ref('Role'), answers: { 201: ref('Role') } },
        'GET /roles/{name}': { answers: { 200: ref('Role'), 404: null } },
      },
      { Role: object({ id: text, name: text, rank: whole }) },
    ),
  );
  await send('POST', '/roles', { name: 'auditor' });
  await send('POST', '/roles', { name: 'editor', id: 'mine' });
  const auditor = objectOf(await send('GET', '/roles/auditor'));
  expect(auditor).toEqual({ name: 'auditor', id: expect.stringMatching(/./) as string });
  expect(objectOf(await send('GET', '/roles/editor'))).toEqual({ name: 'editor', id: 'mine' });
});

test('the one word that a property can have is there, unless clients say it or it tells of an end', async () => {
  const only = (word: string): object => ({ ...text, enum: [word] });
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /groups': { answers: { 200: list(ref('Group')) } },
        'POST /groups': { body: object({ name: text, tier: only('gold') }), answers: { 201: ref('Group') } },
        'GET /groups/{id}': { answers: { 200: ref('Group') } },
      },
      {
        Group: object({
          id: text,
          name: text,
          record_type: only('billing_group'),
          tier: only('gold'),
          closed_reason: only('unpaid'),
        }),
      },
    ),
  );
  const made = objectOf(await send('POST', '/groups', { name: 'A' }));
  expect(made).toMatchObject({ name: 'A', record_type: 'billing_group' });
  expect(made).not.toMatchObject({ tier: 'gold' });
  expect(made).not.toMatchObject({ closed_reason: 'unpaid' });
});

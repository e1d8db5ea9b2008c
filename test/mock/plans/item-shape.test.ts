import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf } from '../behaviours/small-mock';

test('a list shows what items have in the form in which it declares it', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /files': { answers: { 200: list(ref('Row')) } },
        'POST /files': {
          body: object({ name: text, size: whole, draft: { type: 'boolean' } }),
          answers: { 201: ref('File') },
        },
        'GET /files/{id}': { answers: { 200: ref('File'), 404: null } },
      },
      {
        Row: object({ id: { ...text, minLength: 1 }, name: text, size: text, draft: whole }, ['id']),
        File: object({ id: whole, name: text, size: whole, draft: { type: 'boolean' } }, ['id']),
      },
    ),
  );
  const made = objectOf(await send('POST', '/files', { name: 'a', size: 12, draft: true }));
  // What has no form there is left out.
  expect((await send('GET', '/files')).body).toEqual([{ id: String(made['id'] as number), name: 'a', size: '12' }]);
});

import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument, objectOf } from './small-mock';

/** Notes of which only responses say what must be there. */
function notes(shown: object, shownInLists: object = shown): ReturnType<typeof mockOfDocument> {
  return mockOfDocument(
    smallApi(
      {
        'GET /notes': { answers: { 200: list(shownInLists) } },
        'POST /notes': { body: ref('Note'), answers: { 201: shown } },
        'GET /notes/{id}': { answers: { 200: shown, 404: null } },
        'DELETE /notes/{id}': { answers: { 204: null, 404: null } },
      },
      {
        Note: object({ id: { ...text, readOnly: true }, text, mode: { ...text, enum: ['live', 'test'] } }),
        NoteResponse: { allOf: [ref('Note')], required: ['id', 'text', 'mode'] },
      },
    ),
  );
}

test.each([
  ['a schema of responses', ref('NoteResponse'), ref('NoteResponse')],
  ['one in place', { allOf: [ref('Note')], required: ['mode'] }, { allOf: [ref('Note')], required: ['mode'] }],
  ['one that lists do not have', ref('NoteResponse'), ref('Note')],
])('what responses must have around the schema of requests is there: %s', async (_what, shown, inLists) => {
  const { send } = notes(shown, inLists);
  const made = objectOf(await send('POST', '/notes', { text: 'a' }));
  expect(made).toMatchObject({ text: 'a', mode: 'live' });
  const path = `/notes/${made['id'] as string}`;
  expect(objectOf(await send('GET', path))).toEqual(made);
  expect((await send('GET', '/notes')).body).toContainEqual(expect.objectContaining({ id: made['id'], text: 'a' }));
  await send('DELETE', path);
  expect((await send('GET', path)).status).toBe(404);
});

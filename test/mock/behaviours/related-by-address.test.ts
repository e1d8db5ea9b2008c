import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument, objectOf, type SmallMock } from './small-mock';

const Contact = object({ id: text, name: text });
const Segment = object({ id: text, name: text, about: text });
const data = (items: object): object => object({ data: list(items) });

interface Told {
  readonly method?: string;
  readonly add?: string | undefined;
  readonly answer?: object | null;
  readonly takesKey?: boolean;
  /** Of the DELETE. */
  readonly remove?: string;
}

/** Contacts and segments, of which one is put into the other by its address. */
function segments({
  method = 'POST',
  add,
  answer = object({ contact_id: text, segment_id: text }),
  takesKey,
  remove = 'Remove a contact from a segment',
}: Told): string {
  return smallApi(
    {
      'GET /contacts': { answers: { 200: data(ref('Contact')) } },
      'POST /contacts': { body: object({ name: text }), answers: { 201: ref('Contact') } },
      'GET /contacts/{id}': { answers: { 200: ref('Contact') } },
      'GET /segments': { answers: { 200: data(ref('Segment')) } },
      'POST /segments': { body: object({ name: text }), answers: { 201: ref('Segment') } },
      'GET /segments/{id}': { answers: { 200: ref('Segment') } },
      'GET /contacts/{contact_id}/segments': { answers: { 200: data(ref('Segment')) } },
      ...(takesKey === true
        ? { 'POST /contacts/{contact_id}/segments': { body: object({ id: text }), answers: { 200: ref('Segment') } } }
        : {}),
      [`${method} /contacts/{contact_id}/segments/{segment_id}`]: {
        ...(add === undefined ? {} : { summary: add }),
        answers: { 200: answer },
      },
      'DELETE /contacts/{contact_id}/segments/{segment_id}': {
        summary: remove,
        answers: { 200: object({ contact_id: text, deleted: { type: 'boolean' } }) },
      },
    },
    { Contact, Segment },
  );
}

async function makeEnds({ send }: SmallMock): Promise<Record<'contact' | 'second' | 'segment' | 'other', string>> {
  const made = async (path: string, name: string): Promise<string> =>
    objectOf(await send('POST', path, { name }))['id'] as string;
  return {
    contact: await made('/contacts', 'c'),
    second: await made('/contacts', 'd'),
    segment: await made('/segments', 's'),
    other: await made('/segments', 'o'),
  };
}

const ADD = 'Add a contact to a segment';

test.each<[string, Told]>([
  ['POST without a body', { add: ADD }],
  ['POST that says nothing, beside a DELETE', {}],
  ['POST without any word', { remove: '' }],
  ['POST that answers nothing', { add: ADD, answer: null }],
  ['POST that answers the thing', { add: ADD, answer: ref('Segment') }],
  ['PUT that answers both keys', { method: 'PUT', add: ADD }],
  ['POST beside one that takes the key', { add: ADD, takesKey: true }],
])('%s relates what is there, and DELETE takes only that away', async (_, told) => {
  const mock = mockOfDocument(segments(told));
  const { contact, second, segment, other } = await makeEnds(mock);
  const { send } = mock;
  const path = `/contacts/${contact}/segments`;
  const added = await send(told.method ?? 'POST', `${path}/${segment}`);
  expect(added.status).toBe(200);
  if (told.answer === undefined) expect(added.body).toEqual({ contact_id: contact, segment_id: segment });
  expect((await send('GET', path)).body).toMatchObject({ data: [{ id: segment, name: 's' }] });
  // Once more changes nothing.
  expect((await send(told.method ?? 'POST', `${path}/${segment}`)).status).toBe(200);
  expect((await send(told.method ?? 'POST', `/contacts/${second}/segments/${other}`)).status).toBe(200);
  expect((await send('GET', path)).body).toMatchObject({ data: [{ id: segment }] });
  expect((await send('DELETE', `${path}/${segment}`)).status).toBe(200);
  expect((await send('GET', path)).body).toEqual({ data: [] });
  expect((await send('GET', `/segments/${segment}`)).body).toMatchObject({ name: 's' });
  expect((await send('DELETE', `${path}/${segment}`)).status).toBe(404);
  expect((await send(told.method ?? 'POST', `${path}/nothing`)).status).toBe(404);
});

test('one that takes the key relates as well', async () => {
  const mock = mockOfDocument(segments({ add: ADD, takesKey: true }));
  const { contact, segment, other } = await makeEnds(mock);
  const path = `/contacts/${contact}/segments`;
  expect((await mock.send('POST', path, { id: other })).status).toBe(200);
  expect((await mock.send('POST', `${path}/${segment}`)).status).toBe(200);
  expect((await mock.send('GET', path)).body).toMatchObject({ data: [{ name: 's' }, { name: 'o' }] });
  expect((await mock.send('POST', path, { id: 'nothing' })).status).toBe(404);
  expect((await mock.send('GET', '/segments')).body).toMatchObject({ data: { length: 2 } });
});

test('a word for what else becomes of a thing relates nothing', async () => {
  const document = smallApi(
    {
      'POST /boxes': { body: object({ name: text }), answers: { 201: ref('Contact') } },
      'GET /boxes/{box_id}': { answers: { 200: ref('Contact') } },
      'POST /boxes/{box_id}/jobs': { body: object({ name: text }), answers: { 201: ref('Segment') } },
      'GET /boxes/{box_id}/jobs': { answers: { 200: data(ref('Segment')) } },
      'POST /boxes/{box_id}/jobs/{job_id}': { summary: 'Start a job', answers: { 200: ref('Segment') } },
      'DELETE /boxes/{box_id}/jobs/{job_id}': { summary: 'Delete a job', answers: { 204: null } },
    },
    { Contact, Segment },
  );
  const { send } = mockOfDocument(document);
  const box = objectOf(await send('POST', '/boxes', { name: 'b' }))['id'] as string;
  const job = objectOf(await send('POST', `/boxes/${box}/jobs`, { name: 'j' }))['id'] as string;
  expect((await send('POST', `/boxes/${box}/jobs/${job}`)).body).toMatchObject({ id: job, name: 'j' });
  expect((await send('POST', `/boxes/${box}/jobs/nothing`)).status).toBe(404);
});

import { smallMock, type SmallMock } from './small-mock';

/** Operations whose only success is the `default` response, of any media type. @param means - what `default` says */
function mockOf(means: string): SmallMock {
  const content = (schema: string): string => `content: { '*/*': { schema: ${schema} } }`;
  const responses = (schema?: string): string =>
    `responses: { '400': { description: no }, '404': { description: no }, default: { description: ${means}${schema === undefined ? '' : `, ${content(schema)}`} } }`;
  const note = "{ $ref: '#/components/schemas/Note' }";
  return smallMock(`
paths:
  /notes:
    get: { ${responses(`{ type: array, items: ${note} }`)} }
    post: { requestBody: { required: true, ${content(note)} }, ${responses(note)} }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: string } }]
    get: { ${responses(note)} }
    patch: { requestBody: { ${content(note)} }, ${responses(note)} }
    delete: { ${responses()} }
components:
  schemas:
    Note: { type: object, properties: { noteId: { type: string, readOnly: true }, text: { type: string } } }
`);
}

test('a default response is the success where no other one is documented', async () => {
  const { send } = mockOf('OK');
  const { body: made } = await send('POST', '/notes', { text: 'one' });
  const at = `/notes/${(made as { noteId: string }).noteId}`;
  expect((await send('GET', at)).body).toEqual(made);
  await send('PATCH', at, { text: 'two' });
  expect((await send('GET', '/notes')).body).toContainEqual({ ...(made as object), text: 'two' });
  await send('DELETE', at);
  expect(await send('GET', at)).toMatchObject({ status: 404 });
  expect((await send('GET', '/notes')).body).not.toContainEqual(expect.objectContaining({ text: 'two' }));
});

test('a default response that is said to be an error is none: nothing is served from state', async () => {
  await expect(mockOf('Unexpected error').send('GET', '/notes')).rejects.toThrow('internal_error');
});

import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf } from './small-mock';

const ApiKey = object({ id: text, name: text, created_at: { type: 'string', format: 'date-time' } });

test.each<[string, object, readonly string[]]>([
  ['a token', object({ id: text, token: { type: 'string', description: 'The token of the API key.' } }), ['token']],
  ['a key in an envelope', object({ data: object({ id: text, client_secret: text }) }), ['data', 'client_secret']],
  ['a secret beside a name', object({ id: text, name: text, secret: text, count: whole }), ['secret']],
])('what only the service makes is in the answer of its creation: %s', async (_, answer, path) => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /api-keys': { answers: { 200: object({ data: list(ref('ApiKey')) }) } },
        'POST /api-keys': { body: object({ name: text }, ['name']), answers: { 201: answer } },
        'DELETE /api-keys/{id}': { answers: { 200: null } },
      },
      { ApiKey },
    ),
  );
  const secretOf = async (name: string): Promise<unknown> => {
    const body: unknown = objectOf(await send('POST', '/api-keys', { name }));
    return path.reduce((value, each) => (value as Record<string, unknown>)[each], body);
  };
  const [one, two] = [await secretOf('Prod'), await secretOf('Test')];
  expect(one).toEqual(expect.stringMatching(/./));
  expect(two).not.toBe(one);
  const shown = (await send('GET', '/api-keys')).body as { data: object[] };
  expect(shown.data).toMatchObject([{ name: 'Prod' }, { name: 'Test' }]);
  for (const each of shown.data) expect(Object.keys(each)).not.toContain(path.at(-1));
});

import { smallMock } from './small-mock';
import { ref, textsInPath } from '../../support/flow';

const content = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;

/** Repositories by owner and name, which users list and make under another name. */
const hub = (required: string, owner = ref('Owner')): string => `paths:
  /users:
    get: { responses: { '200': { description: ok, ${content(`{ type: array, items: ${ref('Owner')} }`)} } } }
    post: { requestBody: { ${content(ref('Owner'))} }, responses: { '201': { description: ok, ${content(ref('Owner'))} } } }
  /users/{username}:
    ${textsInPath('username')}
    get: { responses: { '200': { description: ok, ${content(ref('Owner'))} } } }
  /users/{username}/repos:
    ${textsInPath('username')}
    get: { responses: { '200': { description: ok, ${content(`{ type: array, items: ${ref('Repo')} }`)} } } }
    post: { requestBody: { ${content(ref('NewRepo'))} }, responses: { '201': { description: ok, ${content(ref('Repo'))} } } }
  /repos/{owner}/{repo}:
    ${textsInPath('owner', 'repo')}
    get: { responses: { '200': { description: ok, ${content(ref('Repo'))} } } }
    put: { requestBody: { ${content(ref('NewRepo'))} }, responses: { '200': { description: ok, ${content(ref('Repo'))} } } }
components:
  schemas:
    Owner: { type: object, required: [login], properties: { login: { type: string }, mood: { type: string } } }
    NewRepo: { type: object, properties: { name: { type: string }, stars: { type: integer }, owner: ${ref('Owner')} } }
    Repo:
      type: object
      required: ${required}
      properties: { name: { type: string }, owner: ${owner}, stars: { type: integer } }
`;

const ADA = { login: 'ada', mood: 'calm' };

test.each([
  { about: 'required', description: hub('[name, owner]'), sent: {} },
  { about: 'optional', description: hub('[name]'), sent: {} },
  { about: 'sent as another one', description: hub('[name]'), sent: { owner: { login: 'jane', mood: 'loud' } } },
])('an item that is made shows what its path names, and is read at its own: $about', async ({ description, sent }) => {
  const { send } = smallMock(description);
  await send('POST', '/users', ADA);
  const made = await send('POST', '/users/ada/repos', { name: 'emma', stars: 3, ...sent });
  expect(made).toMatchObject({ status: 201, body: { name: 'emma', owner: ADA, stars: 3 } });
  const own = '/repos/ada/emma';
  expect(made.headers['location']).toBe(`http://localhost${own}`);
  expect((await send('GET', own)).body).toEqual(made.body);
  expect((await send('GET', '/users/ada/repos')).body).toEqual([made.body]);
});

test('so does one that is replaced', async () => {
  const { send } = smallMock(hub('[name]'));
  await send('POST', '/users', ADA);
  await send('POST', '/users/ada/repos', { name: 'emma' });
  const { body } = await send('PUT', '/repos/ada/emma', { name: 'emma', owner: { login: 'jane' } });
  expect(body).toEqual({ name: 'emma', owner: ADA });
});

test('a member whose schema does not take what the path names stays as it would be', async () => {
  const { send } = smallMock(
    hub('[name]', `{ allOf: [${ref('Owner')}, { properties: { login: { type: string, enum: [jane] } } }] }`),
  );
  await send('POST', '/users', ADA);
  const { status, body } = await send('POST', '/users/ada/repos', { name: 'emma', owner: { login: 'jane' } });
  expect({ status, body }).toEqual({ status: 201, body: { name: 'emma', owner: { login: 'jane' } } });
});

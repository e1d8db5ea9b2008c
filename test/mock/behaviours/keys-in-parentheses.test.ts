import { objectOf, smallMock } from './small-mock';
import { answers, needs, ref } from '../../support/flow';

const variable = (name: string, type: string): string =>
  `parameters: [{ name: ${name}, in: path, required: true, schema: { type: ${type} } }]`;
const page = (name: string): string =>
  `{ type: object, properties: { value: { type: array, items: ${ref(name)} }, '@odata.count': { type: integer } } }`;

const PATHS = `paths:
  /People:
    get: { ${answers(page('Person'))} }
    post: { ${needs(ref('Person'))}, ${answers(ref('Person'), 201)} }
  /People('{UserName}'):
    ${variable('UserName', 'string')}
    get: { ${answers(ref('Person'))} }
    patch: { ${needs(ref('Person'))}, ${answers(ref('Person'))} }
    delete: { responses: { '204': { description: gone } } }
  /People('{UserName}')/Trips:
    ${variable('UserName', 'string')}
    get: { ${answers(page('Trip'))} }
    post: { ${needs(ref('Trip'))}, ${answers(ref('Trip'), 201)} }
  /People('{UserName}')/Trips({TripId}):
    parameters:
      - { name: UserName, in: path, required: true, schema: { type: string } }
      - { name: TripId, in: path, required: true, schema: { type: integer } }
    get: { ${answers(ref('Trip'))} }
  /Airlines:
    get: { ${answers(page('Airline'))} }
    post: { ${needs(ref('Airline'))}, ${answers(ref('Airline'), 201)} }
  /Airlines({Id}):
    ${variable('Id', 'integer')}
    get: { ${answers(ref('Airline'))} }
components:
  schemas:
    Person: { type: object, required: [UserName], properties: { UserName: { type: string }, FirstName: { type: string } } }
    Trip: { type: object, properties: { TripId: { type: integer, readOnly: true }, Name: { type: string } } }
    Airline: { type: object, properties: { Id: { type: integer, readOnly: true }, Name: { type: string } } }
`;

test('a key in parentheses and quotes names an item of the collection before it', async () => {
  const { send } = smallMock(PATHS);
  const ada = { UserName: 'ada', FirstName: 'Ada' };
  const made = await send('POST', '/People', ada);
  expect(made).toMatchObject({ status: 201, body: ada, headers: { location: "http://localhost/People('ada')" } });
  expect((await send('GET', "/People('ada')")).body).toEqual(ada);
  expect((await send('PATCH', "/People('ada')", { UserName: 'ada', FirstName: 'A' })).body).toMatchObject({
    FirstName: 'A',
  });
  expect(objectOf(await send('GET', '/People'))).toMatchObject({ value: [{ FirstName: 'A' }], '@odata.count': 1 });
  expect((await send('DELETE', "/People('ada')")).status).toBe(204);
  expect((await send('GET', "/People('ada')")).status).toBe(404);
});

test('so does one without quotes', async () => {
  const { send } = smallMock(PATHS);
  const made = await send('POST', '/Airlines', { Name: 'North' });
  expect(made).toMatchObject({
    status: 201,
    body: { Id: 1, Name: 'North' },
    headers: { location: 'http://localhost/Airlines(1)' },
  });
  expect((await send('GET', '/Airlines(1)')).body).toEqual(made.body);
});

test('what lies below such an item is kept for each of them', async () => {
  const { send } = smallMock(PATHS);
  for (const UserName of ['ada', 'bo']) await send('POST', '/People', { UserName });
  const { body, headers } = await send('POST', "/People('ada')/Trips", { Name: 'North' });
  expect(headers['location']).toBe("http://localhost/People('ada')/Trips(1)");
  expect((await send('GET', "/People('ada')/Trips(1)")).body).toEqual(body);
  expect((await send('GET', "/People('bo')/Trips")).body).toMatchObject({ value: [] });
  expect((await send('GET', "/People('cy')/Trips")).status).toBe(404);
});

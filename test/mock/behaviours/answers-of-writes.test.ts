import { answers, takes } from './posts';
import { objectOf, smallMock } from './small-mock';
import { inPath, ref } from '../../support/flow';

const textIn = (name: string): string => `{ name: ${name}, in: path, required: true, schema: { type: string } }`;
const listOf = (schema: string): string => answers(`{ type: array, items: ${schema} }`);

describe('a write with an answer of another schema', () => {
  const anyType = (schema: string, status = 200): string =>
    answers(schema, status).replace('application/json', "'*/*'");
  const CLUBS = `
paths:
  /clubs:
    post: { ${takes(ref('NewClub'))}, ${anyType(ref('ClubMade'), 201)} }
  /clubs/{clubId}:
    parameters: [${textIn('clubId')}]
    get: { ${anyType(ref('Club'))} }
    put: { ${takes(ref('Club'))}, ${anyType(ref('ClubChanged'))} }
components:
  schemas:
    NewClub: { type: object, properties: { clubName: { type: string }, town: { type: string } } }
    Club: { type: object, properties: { clubName: { type: string }, town: { type: string } } }
    ClubMade: { type: object, properties: { clubId: { type: string }, clubName: { type: string }, joinUrl: { type: string } } }
    ClubChanged: { type: object, properties: { clubId: { type: string }, problems: { type: array, items: { type: string } } } }
`;

  test('tells the key that items themselves do not show, and what both have, under any media type', async () => {
    const { send } = smallMock(CLUBS);
    const made = objectOf(await send('POST', '/clubs', { clubName: 'Rovers', town: 'Hull' }));
    expect(made).toEqual({ clubId: expect.any(String) as string, clubName: 'Rovers' });
    const path = `/clubs/${made['clubId'] as string}`;
    expect((await send('GET', path)).body).toEqual({ clubName: 'Rovers', town: 'Hull' });
    expect((await send('PUT', path, { clubName: 'Rangers' })).body).toEqual({ clubId: made['clubId'] });
    const second = objectOf(await send('POST', '/clubs', { clubName: 'Rovers' }));
    expect(second['clubId']).not.toBe(made['clubId']);
  });

  test('leaves a name the key where the creation tells no other', async () => {
    const { send } = smallMock(CLUBS.replace('clubId: { type: string }, clubName', 'clubName'));
    await send('POST', '/clubs', { clubName: 'Rovers' });
    expect((await send('GET', '/clubs/Rovers')).status).toBe(200);
  });
});

describe('a write of which the answer tells nothing', () => {
  const boats = (answer: string): string => `
paths:
  /boats:
    get: { ${listOf(ref('Boat'))} }
    post: { ${takes(ref('Boat'))}, ${answers(ref('Boat'), 201)} }
  /boats/{id}:
    parameters: [${inPath('id')}]
    get: { ${answers(ref('Boat'))} }
    patch: { ${takes(ref('Boat'))}, ${answers(answer)} }
components:
  schemas:
    Empty: { type: object, description: An empty object. }
    Boat: { type: object, properties: { id: { type: integer, readOnly: true }, name: { type: string }, pin: { type: string, writeOnly: true } } }
`;

  test.each([
    ['{ type: object }', { id: 1, name: 'Argo' }],
    ['{ type: object, properties: { data: { type: object } } }', { data: { id: 1, name: 'Argo' } }],
    [ref('Empty'), {}],
  ])('shows the item, unless it is said to be empty: %s', async (answer, body) => {
    const { send } = smallMock(boats(answer));
    await send('POST', '/boats', { name: 'Fram', pin: '1234' });
    expect((await send('PATCH', '/boats/1', { name: 'Argo' })).body).toEqual(body);
  });
});

describe('items of which nothing is told', () => {
  const RECORDS = (body: string): string => `
paths:
  /records/{table}:
    parameters: [${textIn('table')}]
    get: { ${answers('{ type: object, properties: { data: { type: array, items: { type: object } }, total: { type: integer } } }')} }
    post: { ${takes(body)}, ${answers('{ type: object }', 201)} }
  /records/{table}/{id}:
    parameters: [${textIn('table')}, ${inPath('id')}]
    get: { ${answers('{ type: object, properties: { data: { type: object } } }')} }
    patch: { ${takes('{ type: object }')}, ${answers('{ type: object, properties: { data: { type: object } } }')} }
    delete: { responses: { '204': { description: gone } } }
`;

  test.each(['{}', 'null', '{ type: object }'])('keep what is sent, with a key: %s', async (body) => {
    const { send } = smallMock(RECORDS(body));
    expect((await send('GET', '/records/boats')).body).toEqual({ data: [], total: 0 });
    const made = objectOf(await send('POST', '/records/boats', { name: 'Fram', masts: 3 }));
    expect(made).toMatchObject({ name: 'Fram', masts: 3 });
    const path = `/records/boats/${made['id'] as string}`;
    expect((await send('PATCH', path, { masts: 2 })).body).toEqual({ data: { ...made, masts: 2 } });
    expect((await send('GET', path)).body).toEqual({ data: { ...made, masts: 2 } });
    expect((await send('GET', '/records/boats')).body).toEqual({ data: [{ ...made, masts: 2 }], total: 1 });
    expect((await send('GET', '/records/planes')).body).toEqual({ data: [], total: 0 });
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('GET', path)).status).toBe(404);
  });
});

describe('a PATCH of keys, and of what all of them become', () => {
  const cups = (data: string): string => `
paths:
  /cups:
    get: { ${listOf(ref('Cup'))} }
    post: { ${takes(ref('Cup'))}, ${answers(ref('Cup'), 201)} }
    patch: { ${takes(`{ type: object, properties: { ids: { type: array, items: { type: integer } }, ${data} } }`)}, ${listOf(ref('Cup'))} }
  /cups/{id}:
    parameters: [${inPath('id')}]
    get: { ${answers(ref('Cup'))} }
components:
  schemas:
    Cup: { type: object, properties: { id: { type: integer, readOnly: true }, colour: { type: string }, size: { type: integer } } }
`;

  test.each([`data: ${ref('Cup')}`, 'data: { type: object }', `changes: ${ref('Cup')}`])(
    'changes each: %s',
    async (data) => {
      const { send } = smallMock(cups(data));
      for (const size of [1, 2, 3]) await send('POST', '/cups', { colour: 'red', size });
      const [, name = ''] = /^(\w+)/.exec(data) ?? [];
      const changed = await send('PATCH', '/cups', { ids: [1, 3], [name]: { colour: 'blue' } });
      expect(changed.body).toMatchObject([
        { id: 1, colour: 'blue', size: 1 },
        { id: 3, colour: 'blue', size: 3 },
      ]);
      expect((await send('GET', '/cups/2')).body).toMatchObject({ colour: 'red' });
      expect((await send('PATCH', '/cups', { ids: [1, 9], [name]: { colour: 'green' } })).status).toBe(404);
      expect((await send('GET', '/cups/1')).body).toMatchObject({ colour: 'blue' });
    },
  );
});

import { objectOf, smallMock } from './small-mock';
import { answers, needs, ref } from '../../support/flow';

const list = (name: string): string => `{ type: array, items: ${ref(name)} }`;

/** Racks are written with the keys of sites and the words of choices, and read with the things themselves. */
const PATHS = `paths:
  /sites:
    get: { ${answers(list('Site'))} }
    post: { ${needs(ref('NewSite'))}, ${answers(ref('Site'), 201)} }
  /sites/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${answers(ref('Site'))} }
  /racks:
    get: { ${answers(list('Rack'))} }
    post: { ${needs(ref('WritableRack'))}, ${answers(ref('Rack'), 201)} }
  /racks/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${answers(ref('Rack'))} }
    put: { ${needs(ref('WritableRack'))}, ${answers(ref('Rack'))} }
    patch: { ${needs(ref('WritableRack'))}, ${answers(ref('Rack'))} }
components:
  schemas:
    NewSite: { type: object, required: [name], properties: { name: { type: string } } }
    Site:
      type: object
      required: [id, name, slug]
      properties: { id: { type: integer, readOnly: true }, name: { type: string }, slug: { type: string } }
    WritableRack:
      type: object
      properties:
        site: { type: integer }
        backup: { type: integer }
        sites: { type: array, items: { type: integer } }
        status: { type: string, enum: [planned, active] }
        owner: { type: string }
        units: { type: string }
        label: { type: integer }
        bounds: { type: object, properties: { height: { type: string } } }
    Rack:
      type: object
      required: [id]
      properties:
        id: { type: integer, readOnly: true }
        site: ${ref('Site')}
        backup:
          type: object
          required: [id, label]
          additionalProperties: false
          properties: { id: { type: integer }, label: { type: string } }
        sites: ${list('Site')}
        status:
          type: object
          required: [value, label]
          properties: { value: { type: string, enum: [planned, active] }, label: { type: string } }
        owner:
          nullable: true
          anyOf: [{ type: object, required: [login], properties: { login: { type: string } } }]
        units: { type: integer }
        label: { type: string }
        updated_at: { type: string, format: date-time }
        bounds: { type: object, properties: { height: { type: number } } }
`;

describe('what requests write in another form than items have it', () => {
  test('the key of an item is stored as the item that is kept under it', async () => {
    const { send } = smallMock(PATHS);
    const site = (await send('POST', '/sites', { name: 'North' })).body;
    const made = await send('POST', '/racks', { site: 1, sites: [1] });
    expect(made).toMatchObject({ status: 201, body: { id: 1, site, sites: [site] } });
    expect((await send('GET', '/racks/1')).body).toEqual(made.body);
  });

  test('a key that nothing is kept under is stored in an object with what it must have', async () => {
    const { send } = smallMock(PATHS);
    const { body } = await send('POST', '/racks', { site: 7, backup: 5 });
    expect(body).toMatchObject({
      site: { id: 7, name: expect.any(String) as string, slug: expect.any(String) as string },
      backup: { id: 5, label: expect.any(String) as string },
    });
  });

  test.each([
    { about: 'a word for the choice that it names', sent: { status: 'active' }, read: { status: { value: 'active' } } },
    { about: 'a name for what has it, in a branch', sent: { owner: 'ada' }, read: { owner: { login: 'ada' } } },
    { about: 'a text for a number', sent: { units: '42' }, read: { units: 42 } },
    { about: 'a number for a text', sent: { label: 7 }, read: { label: '7' } },
    { about: 'a part of a member', sent: { bounds: { height: '1.5' } }, read: { bounds: { height: 1.5 } } },
  ])('$about', async ({ sent, read }) => {
    const { send } = smallMock(PATHS);
    expect(await send('POST', '/racks', sent)).toMatchObject({ status: 201, body: read });
    expect(await send('GET', '/racks/1')).toMatchObject({ body: read });
    for (const method of ['PUT', 'PATCH']) {
      expect(await send(method, '/racks/1', sent)).toMatchObject({ status: 200, body: read });
    }
  });

  test('another key shows another item, with nothing of the one before', async () => {
    const { send } = smallMock(PATHS);
    await send('POST', '/sites', { name: 'North' });
    const south = (await send('POST', '/sites', { name: 'South' })).body;
    await send('POST', '/racks', { site: 1 });
    expect(objectOf(await send('PATCH', '/racks/1', { site: 2 }))['site']).toEqual(south);
  });

  test('a text that spells no number is left out, as before', async () => {
    const { send } = smallMock(PATHS);
    const { status, body } = await send('POST', '/racks', { units: 'many' });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('units');
  });
});

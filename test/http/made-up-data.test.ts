import request from 'supertest';
import { serveText } from '../support/serve-text';

const PEOPLE = `openapi: 3.0.3
info: { title: People, version: 1.0.0 }
paths:
  /people:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Person' } } } } } } }
  /people/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Person' } } } } } }
components:
  schemas:
    Person:
      type: object
      required: [id, name, firstName, last_name, email, login, birthDate, age, country, countryCode, labels, friendIds, avatarUrl]
      properties:
        id: { type: integer }
        name: { type: string }
        firstName: { type: string }
        last_name: { type: string }
        email: { type: string, format: email }
        login: { type: string }
        birthDate: { type: string, format: date }
        age: { type: integer }
        country: { type: string }
        countryCode: { type: string }
        labels: { type: array, items: { type: string } }
        friendIds: { type: array, items: { type: integer, minimum: 1, maximum: 3 } }
        avatarUrl: { type: string, format: uri }
`;

const CODES = new Map(
  Object.entries({
    Norway: 'NO',
    Portugal: 'PT',
    Japan: 'JP',
    Kenya: 'KE',
    Ecuador: 'EC',
    Estonia: 'EE',
    Senegal: 'SN',
    Australia: 'AU',
  }),
);

type Person = Record<
  'name' | 'firstName' | 'last_name' | 'email' | 'login' | 'birthDate' | 'country' | 'countryCode' | 'avatarUrl',
  string
> & {
  readonly age: number;
  readonly labels: readonly string[];
  readonly friendIds: readonly number[];
};

test('one person has one name, a login and an e-mail of it, an age of the birthday, and a code of the country', async () => {
  const app = await serveText(PEOPLE, { state: 'seeded' });
  const people = (await request(app).get('/people').expect(200)).body as Person[];
  expect(people.length).toBeGreaterThan(1);
  for (const {
    name,
    firstName,
    last_name: lastName,
    email,
    login,
    birthDate,
    age,
    country,
    countryCode,
    labels,
    friendIds,
  } of people) {
    expect(name).toBe(`${firstName} ${lastName}`);
    expect(email).toBe(`${firstName}.${lastName}@example.com`.toLowerCase());
    expect(login.startsWith(firstName.toLowerCase())).toBe(true);
    expect(2025 - Number(birthDate.slice(0, 4))).toBe(age);
    expect(countryCode).toBe(CODES.get(country));
    expect(new Set(labels).size).toBe(labels.length);
    expect(new Set(friendIds).size).toBe(friendIds.length);
  }
});

test('what happens to a thing happens in its order', async () => {
  const time = '{ type: string, format: date-time }';
  const app = await serveText(
    `openapi: 3.0.3
info: { title: Rooms, version: 1.0.0 }
paths:
  /stays:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Stay' } } } } } } }
  /stays/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Stay' } } } } } }
components:
  schemas:
    Stay:
      type: object
      required: [id, cancelledAt, createdAt, updated_at, startDate, endDate]
      properties: { id: { type: integer }, cancelledAt: ${time}, createdAt: ${time}, updated_at: ${time}, startDate: { type: string, format: date }, endDate: { type: string, format: date } }
`,
    { state: 'seeded' },
  );
  const stays = (await request(app).get('/stays').expect(200)).body as Record<string, string>[];
  expect(stays.length).toBeGreaterThan(1);
  for (const { createdAt = '', updated_at: updatedAt = '', cancelledAt = '', startDate = '', endDate = '' } of stays) {
    expect([createdAt, updatedAt, cancelledAt]).toStrictEqual([createdAt, updatedAt, cancelledAt].toSorted());
    expect([startDate, endDate]).toStrictEqual([startDate, endDate].toSorted());
  }
});

test('images are served by the mock itself, at the address by which the client knows it', async () => {
  const app = await serveText(PEOPLE, { state: 'seeded' });
  const [person] = (await request(app).get('/people').set('Host', 'localhost:4010').expect(200)).body as Person[];
  expect(person?.avatarUrl).toMatch(/^http:\/\/localhost:4010\/__standin\/images\/\d+x\d+\.svg/);
  const { pathname } = new URL(person?.avatarUrl ?? '');
  const image = await request(app).get(pathname).set('Sec-Fetch-Site', 'cross-site').expect(200);
  expect(image.headers['content-type']).toBe('image/svg+xml');
  expect(String(image.body)).toContain('<svg');
});

test('the length that HEAD tells is that of GET, whatever address the images have', async () => {
  const app = await serveText(PEOPLE, { state: 'seeded' });
  for (const host of ['localhost:4010', 'mock.example.com']) {
    const got = await request(app).get('/people').set('Host', host).expect(200);
    const asked = await request(app).head('/people').set('Host', host).expect(200);
    expect(got.text).toContain(`${host}/__standin/images`);
    expect(asked.headers['content-length']).toBe(got.headers['content-length']);
  }
});

test.each(['/99999x10.svg', '/0x10.svg', '/big.svg', '/10x10.png'])('an image %s is refused', async (name) => {
  const app = await serveText(PEOPLE);
  const { status, body } = await request(app).get(`/__standin/images${name}`);
  expect([400, 404]).toContain(status);
  expect(JSON.stringify(body)).toMatch(/4096|640x480/);
});

import request from 'supertest';
import { serveText } from '../../support/serve-text';

const LINKAGE = (type: string): string =>
  `{ type: object, required: [type, id], properties: { type: { type: string, enum: [${type}] }, id: { type: string } } }`;
const MANY = (type: string): string =>
  `{ type: object, properties: { data: { type: array, items: ${LINKAGE(type)} } } }`;
const ONE = (type: string): string => `{ type: object, properties: { data: ${LINKAGE(type)} } }`;
const CONTENT = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const ID = 'parameters: [{ name: id, in: path, required: true, schema: { type: string } }]';
const OK = (schema: string): string => `responses: { '200': { description: ok, ${CONTENT(schema)} } }`;
const LIST = (name: string): string =>
  `{ type: object, required: [data], properties: { data: { type: array, items: { $ref: '#/components/schemas/${name}' } } } }`;
const WHOLE = (name: string): string =>
  `{ type: object, required: [data], properties: { data: { $ref: '#/components/schemas/${name}' } } }`;
const INCLUDED = `{ type: array, items: { oneOf: [${['Room', 'Guest', 'Floor']
  .map((name) => `{ $ref: '#/components/schemas/${name}' }`)
  .join(', ')}] } }`;
const COMPOUND = (name: string, data: string): string =>
  `{ type: object, required: [data], properties: { data: ${data.replace('NAME', name)}, included: ${INCLUDED} } }`;
const INCLUDE =
  'parameters: [{ name: include, in: query, explode: false, schema: { type: array, items: { type: string } } }]';
const REF = "{ $ref: '#/components/schemas/NAME' }";

const collection = (path: string, name: string, removal = ''): string => `
  ${path}:
    get: { ${INCLUDE}, ${OK(COMPOUND(name, `{ type: array, items: ${REF} }`))} }
    post:
      requestBody: { ${CONTENT(WHOLE(`${name}Draft`))} }
      responses: { '201': { description: made, ${CONTENT(WHOLE(name))} } }
  ${path}/{id}:
    ${ID}
    get: { ${INCLUDE}, ${OK(COMPOUND(name, REF))} }
    delete: { description: '${removal}', responses: { '204': { description: gone } } }`;

const address = (path: string, body: string): string => `
  ${path}:
    ${ID}
    get: { ${OK(body)} }
    post: { requestBody: { ${CONTENT(body)} }, responses: { '204': { description: done } } }
    patch: { requestBody: { ${CONTENT(body)} }, responses: { '204': { description: done } } }
    delete: { requestBody: { ${CONTENT(body)} }, responses: { '204': { description: done } } }`;

const read = (path: string, body: string): string => `
  ${path}:
    ${ID}
    get: { ${OK(body)} }`;

const schema = (name: string, type: string, relationships: string): string => `
    ${name}Draft:
      type: object
      required: [type]
      properties:
        type: { type: string, enum: [${type}] }
        attributes: { type: object, properties: { title: { type: string }, note: { type: string } } }
        relationships: { type: object, properties: ${relationships} }
    ${name}:
      allOf:
        - $ref: '#/components/schemas/${name}Draft'
        - { type: object, required: [id], properties: { id: { type: string } } }`;

const DOCUMENT = `openapi: 3.0.3
info: { title: Rooms, version: '1' }
paths:${collection('/rooms', 'Room')}${collection('/guests', 'Guest')}${collection(
  '/floors',
  'Floor',
  'Any rooms on that floor, and all that hangs in them, will also be removed. Guests stay.',
)}${address(
  '/rooms/{id}/relationships/guests',
  MANY('guest'),
)}${read('/rooms/{id}/guests', LIST('Guest'))}${read('/guests/{id}/rooms', LIST('Room'))}${read(
  '/guests/{id}/relationships/rooms',
  MANY('room'),
)}${address('/rooms/{id}/relationships/floor', ONE('floor'))}${read('/rooms/{id}/floor', WHOLE('Floor'))}${read(
  '/floors/{id}/storeys-rooms',
  LIST('Room'),
)}
components:
  schemas:${schema('Room', 'room', `{ guests: ${MANY('guest')}, floor: ${ONE('floor')} }`)}${schema(
    'Guest',
    'guest',
    `{ rooms: ${MANY('room')} }`,
  )}${schema('Floor', 'floor', `{ storeys-rooms: ${MANY('room')} }`)}
`;

interface Linkage {
  readonly type: string;
  readonly id: string;
}
interface Resource extends Linkage {
  readonly attributes?: { readonly title?: string };
  readonly relationships?: Readonly<Record<string, { readonly data?: Linkage | readonly Linkage[] }>>;
}

let app: Awaited<ReturnType<typeof serveText>>;

beforeAll(async () => {
  app = await serveText(DOCUMENT, { state: 'empty' });
});

async function make(path: string, type: string, title: string, relationships?: unknown): Promise<Resource> {
  const { body } = await request(app)
    .post(path)
    .send({ data: { type, attributes: { title }, relationships } })
    .expect(201);
  return (body as { data: Resource }).data;
}

async function at<Data>(path: string): Promise<Data> {
  const { body } = await request(app).get(path).expect(200);
  return (body as { data: Data }).data;
}

const ids = async (path: string): Promise<readonly string[]> =>
  (await at<readonly Linkage[]>(path)).map(({ id }) => id);

test('what is added to a relationship is at the related address, at the other end and in both items', async () => {
  const room = await make('/rooms', 'room', 'North');
  const guests = [await make('/guests', 'guest', 'Ada'), await make('/guests', 'guest', 'Bob')];
  await make('/guests', 'guest', 'Cy');
  const data = guests.map(({ id }) => ({ type: 'guest', id }));
  await request(app).post(`/rooms/${room.id}/relationships/guests`).send({ data }).expect(204);
  expect(await ids(`/rooms/${room.id}/guests`)).toStrictEqual(data.map(({ id }) => id));
  expect(await at(`/rooms/${room.id}/relationships/guests`)).toStrictEqual(data);
  expect(await ids(`/guests/${guests[0]?.id}/rooms`)).toStrictEqual([room.id]);
  expect(await ids(`/guests/${guests[0]?.id}/relationships/rooms`)).toStrictEqual([room.id]);
  expect((await at<Resource>(`/rooms/${room.id}`)).relationships?.['guests']?.data).toStrictEqual(data);
  expect((await at<Resource>(`/guests/${guests[1]?.id}`)).relationships?.['rooms']?.data).toStrictEqual([
    { type: 'room', id: room.id },
  ]);
});

test('what is removed from a relationship is gone at both ends, and the items stay', async () => {
  const [ada, bob] = [await make('/guests', 'guest', 'Ada'), await make('/guests', 'guest', 'Bob')];
  const data = [ada, bob].map(({ id }) => ({ type: 'guest', id }));
  const room = await make('/rooms', 'room', 'North', { guests: { data } });
  expect(await ids(`/rooms/${room.id}/guests`)).toStrictEqual([ada.id, bob.id]);
  await request(app)
    .delete(`/rooms/${room.id}/relationships/guests`)
    .send({ data: [data[1]] })
    .expect(204);
  expect(await ids(`/rooms/${room.id}/guests`)).toStrictEqual([ada.id]);
  expect(await ids(`/guests/${bob.id}/rooms`)).toStrictEqual([]);
  await request(app)
    .patch(`/rooms/${room.id}/relationships/guests`)
    .send({ data: [data[1]] })
    .expect(204);
  expect(await ids(`/rooms/${room.id}/guests`)).toStrictEqual([bob.id]);
  expect(await ids(`/guests/${ada.id}/rooms`)).toStrictEqual([]);
  expect(await ids('/guests')).toStrictEqual(expect.arrayContaining([ada.id, bob.id]));
});

test('what a removed item was related to names it no more', async () => {
  const room = await make('/rooms', 'room', 'North');
  const guest = await make('/guests', 'guest', 'Ada', { rooms: { data: [{ type: 'room', id: room.id }] } });
  expect(await ids(`/rooms/${room.id}/guests`)).toStrictEqual([guest.id]);
  await request(app).delete(`/guests/${guest.id}`).expect(204);
  expect(await ids(`/rooms/${room.id}/guests`)).toStrictEqual([]);
  expect((await at<Resource>(`/rooms/${room.id}`)).relationships?.['guests']?.data).toStrictEqual([]);
});

test('an item is related to one alone, which is shown as it is', async () => {
  const [first, second] = [await make('/floors', 'floor', 'First'), await make('/floors', 'floor', 'Second')];
  const room = await make('/rooms', 'room', 'North', { floor: { data: { type: 'floor', id: first.id } } });
  await make('/rooms', 'room', 'South');
  expect((await at<Resource>(`/rooms/${room.id}/floor`)).attributes).toStrictEqual({ title: 'First' });
  expect(await ids(`/floors/${first.id}/storeys-rooms`)).toStrictEqual([room.id]);
  const data = { type: 'floor', id: second.id };
  await request(app).patch(`/rooms/${room.id}/relationships/floor`).send({ data }).expect(204);
  expect(await at(`/rooms/${room.id}/relationships/floor`)).toStrictEqual(data);
  expect(await ids(`/floors/${first.id}/storeys-rooms`)).toStrictEqual([]);
  expect(await ids(`/floors/${second.id}/storeys-rooms`)).toStrictEqual([room.id]);
});

test('what is related to an item that is not there is not found', async () => {
  await request(app).get('/rooms/none/guests').expect(404);
  await request(app).post('/rooms/none/relationships/guests').send({ data: [] }).expect(404);
});

test('what is asked for by "include" stands beside the items, with the linkage that leads there', async () => {
  const floor = await make('/floors', 'floor', 'First');
  const room = await make('/rooms', 'room', 'North', { floor: { data: { type: 'floor', id: floor.id } } });
  const guest = await make('/guests', 'guest', 'Ada', { rooms: { data: [{ type: 'room', id: room.id }] } });
  const read = async (
    path: string,
  ): Promise<{ data: Resource | readonly Resource[]; included?: readonly Resource[] }> =>
    (await request(app).get(path).expect(200)).body as { data: Resource; included?: readonly Resource[] };
  const one = await read(`/guests/${guest.id}?include=rooms.floor`);
  expect(one.included?.map(({ type, id, attributes }) => [type, id, attributes?.title])).toEqual([
    ['floor', floor.id, 'First'],
    ['room', room.id, 'North'],
  ]);
  const of = await read(`/floors/${floor.id}?include=storeys-rooms`);
  expect((of.data as Resource).relationships?.['storeys-rooms']?.data).toEqual([{ type: 'room', id: room.id }]);
  const all = await read('/rooms?include=floor,guests,kitchen');
  expect(all.included?.filter(({ id }) => id === floor.id)).toHaveLength(1);
  expect((await read(`/rooms/${room.id}`)).included).toBeUndefined();
  expect((await read(`/guests/${guest.id}?include=kitchen`)).included).toEqual([]);
});

test('what the words of a removal say goes with it, and nothing else', async () => {
  const floor = await make('/floors', 'floor', 'First');
  const room = await make('/rooms', 'room', 'North', { floor: { data: { type: 'floor', id: floor.id } } });
  const other = await make('/rooms', 'room', 'South');
  const guest = await make('/guests', 'guest', 'Ada', {
    rooms: { data: [room, other].map(({ id }) => ({ type: 'room', id })) },
  });
  await request(app).delete(`/floors/${floor.id}`).expect(204);
  await request(app).get(`/rooms/${room.id}`).expect(404);
  expect(await ids(`/guests/${guest.id}/rooms`)).toStrictEqual([other.id]);
  await request(app).delete(`/rooms/${other.id}`).expect(204);
  await request(app).get(`/guests/${guest.id}`).expect(200);
});

import { BISCUIT, MISO, expectError, linksOf, openPetstore, usePetstore } from '../support/petstore';

const BEFORE = new Date('2030-12-04T23:59:00Z');
const SUNSET = new Date('2030-12-05T00:00:00Z');
const LATE = new Date('2035-01-01T00:00:00Z');
const ANNOUNCED = { deprecation: '@1767225600', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' };

const shop = usePetstore();

describe('until its sunset GET /pets/{petId}', () => {
  test('announces its end on a 200, a 304, a 404 and on HEAD', async () => {
    const read = await shop.get('/pets/1').expect(200);
    const answers = [
      read,
      await shop.get('/pets/1', { 'If-None-Match': read.headers['etag'] }).expect(304),
      await shop.get('/pets/42').expect(404),
      await shop.head('/pets/1').expect(200),
      await shop.head('/pets/42').expect(404),
    ];
    for (const { headers } of answers) expect(headers).toMatchObject(ANNOUNCED);
    for (const response of answers) {
      expect(Object.keys(linksOf(response))).toEqual(['successor-version', 'deprecation', 'sunset']);
    }
  });

  test('names its successor, which works, and pages about it', async () => {
    const response = await shop.get('/pets/2').expect(200, MISO);
    expect(response.headers['link']).toMatch(
      /^<http:\/\/127\.0\.0\.1:\d+\/pets\?id=2>; rel="successor-version", <[^>]*docs#getPet>; rel="deprecation"; type="text\/html", <[^>]*docs#\w+>; rel="sunset"/,
    );
    const links = linksOf(response);
    await shop.get(links['successor-version']!).expect(200, [MISO]);
    const page = await shop.get(links['deprecation']!, { Authorization: undefined }).expect(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.text).toContain('id="getPet"');
    await shop.get(links['sunset']!, { Authorization: undefined }).expect(200);
  });

  test('of an id that does not exist names a successor that answers with an empty list', async () => {
    const response = await shop.get('/pets/42').expect(404);
    expect(linksOf(response)['successor-version']).toBe('/pets?id=42');
    await shop.get('/pets?id=42').expect(200, []);
  });

  test('of an id beyond 2^53 names it exactly', async () => {
    const response = await shop.get('/pets/9007199254740993').expect(404);
    expect(linksOf(response)['successor-version']).toBe('/pets?id=9007199254740993');
  });

  test('announces nothing on a 401', async () => {
    const { headers } = await shop.get('/pets/1', { Authorization: undefined }).expect(401);
    for (const name of ['deprecation', 'sunset', 'link']) expect(headers).not.toHaveProperty(name);
  });

  test('is served to its last minute, and gone from the first second on', async () => {
    shop.app.setClock(BEFORE);
    await shop.get('/pets/1').expect(200, BISCUIT);
    shop.app.setClock(SUNSET);
    await shop.refuses(shop.get('/pets/1'), 410, 'operation_sunset', '2030-12-05');
    shop.app.setClock(undefined);
    await shop.get('/pets/1').expect(200, BISCUIT);
  });
});

test('no other operation is announced', async () => {
  const answers = [
    await shop.get('/pets'),
    await shop.put('/pets/1', { name: 'Nova', categoryId: 1 }),
    await shop.post('/pets', { name: 'Nova', categoryId: 1 }),
    await shop.delete('/pets/4'),
    await shop.get('/inventory/1'),
    await shop.get('/categories/1'),
    await shop.get('/store/orders/1'),
  ];
  for (const { headers } of answers) {
    expect(headers).not.toHaveProperty('deprecation');
    expect(headers).not.toHaveProperty('sunset');
    expect(headers['link'] ?? '').not.toContain('successor-version');
  }
});

describe('after its sunset', () => {
  const late = usePetstore({ clock: LATE });

  test('it is 410 with the successor, for every id and for HEAD', async () => {
    for (const id of ['1', '42', '9007199254740993']) {
      const response = await late.refuses(late.get(`/pets/${id}`), 410, 'operation_sunset', 'Link');
      expect(linksOf(response)['successor-version']).toBe(`/pets?id=${id}`);
      const head = await late.head(`/pets/${id}`).expect(410);
      expect(linksOf(head)['successor-version']).toBe(`/pets?id=${id}`);
    }
    const response = await late.get('/pets/1').expect(410);
    await late.get(linksOf(response)['successor-version']!).expect(200, [BISCUIT]);
  });

  test('it wants the key first', async () => {
    expectError(await late.get('/pets/1', { Authorization: undefined }), 401, 'missing_api_key');
  });

  test('the other operations of the path go on', async () => {
    await late.put('/pets/1', { name: 'Nova', categoryId: 1 }).expect(200);
    await late.put('/pets/1', { name: 'Vega', categoryId: 1 }, { 'If-Match': '*' }).expect(200);
    const created = await late.post('/pets', { name: 'Nova', categoryId: 1 }).expect(201);
    await late.delete('/pets/4', { 'If-Match': created.headers['etag'] }).expect(204);
    await late.get('/inventory/1').expect(200);
    await late.get('/store/orders').expect(200);
  });

  test('with afterSunset serve it is served, and still announced', async () => {
    const serving = await openPetstore({ clock: LATE, afterSunset: 'serve' });
    const response = await serving.get('/pets/1').expect(200, BISCUIT);
    expect(response.headers).toMatchObject(ANNOUNCED);
    expect(linksOf(response)['successor-version']).toBe('/pets?id=1');
    await serving.get('/pets/42').expect(404);
  });
});

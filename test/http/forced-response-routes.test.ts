import { usePetstore } from '../support/petstore';

const shop = usePetstore();
const ADMIN = '/__standin';

const put = (body: object, sandbox = ''): ReturnType<typeof shop.put> => shop.put(`${ADMIN}/responses${sandbox}`, body);
const remove = (path: string): ReturnType<typeof shop.delete> =>
  shop.delete(path, { 'Content-Type': 'application/json' });
const listed = async (sandbox = ''): Promise<unknown[]> => {
  const { body } = await shop.get(`${ADMIN}/responses${sandbox}`).expect(200);
  return (body as { responses: unknown[] }).responses;
};

test('PUT chooses what an operation answers next, GET lists it, DELETE ends it', async () => {
  const { body } = await put({ operation: 'getPet', status: 429, times: 2 }).expect(200);
  const forced = {
    operation: 'getPet',
    sandbox: 'default',
    status: 429,
    example: null,
    body: null,
    headers: {},
    delayMs: 0,
    fault: null,
    timesLeft: 2,
    happened: 0,
    isViolation: false,
    text: '429, 2 more times',
  };
  expect(body).toEqual({ responses: [forced] });
  await shop.get('/pets/1').expect(429);
  expect(await listed()).toEqual([{ ...forced, timesLeft: 1, happened: 1, text: '429, 1 more time' }]);
  await put({ operation: 'listPets', body: [], headers: { 'X-Total-Count': 0 }, delayMs: 5 }).expect(200);
  await remove(`${ADMIN}/responses?operation=getPet`).expect(204);
  expect(await listed()).toMatchObject([
    { operation: 'listPets', text: '200 (a body of its own), with X-Total-Count, 5 ms later, until it is removed' },
  ]);
  expect((await shop.get('/pets').expect(200)).body).toEqual([]);
  await remove(`${ADMIN}/responses`).expect(204);
  expect(await listed()).toEqual([]);
});

test('numbers of a body keep their digits, and what null says is not there', async () => {
  const body =
    '{"operation":"getPet","status":null,"body":{"id":9007199254740993,"name":"Big","categoryId":1,"status":"available"}}';
  await shop.put(`${ADMIN}/responses`, body).expect(200);
  expect((await shop.get('/pets/1').expect(200)).text).toContain('"id":9007199254740993,');
});

test('a sandbox, and all of them', async () => {
  const ann = shop.app.sandbox('ann');
  await put({ operation: 'listPets', status: 400 }, '?sandbox=ann').expect(200);
  await put({ operation: 'listPets', status: 429 }, '?sandbox=*').expect(200);
  await shop.get('/pets', ann.headers).expect(400);
  await shop.get('/pets').expect(429);
  expect(await listed('?sandbox=ann')).toMatchObject([{ sandbox: 'ann' }, { sandbox: '*' }]);
  expect(await listed('?sandbox=*')).toMatchObject([{ sandbox: '*', status: 429 }]);
  expect(await listed()).toMatchObject([{ sandbox: '*' }]);
  await remove(`${ADMIN}/responses?sandbox=*`).expect(204);
  await shop.get('/pets').expect(200);
  await shop.get('/pets', ann.headers).expect(400);
  await remove(`${ADMIN}/responses?sandbox=ann&operation=listPets`).expect(204);
  await shop.get('/pets', ann.headers).expect(200);
  await shop.refuses(shop.get(`${ADMIN}/journal?sandbox=*`), 400, 'invalid_sandbox');
  ann.remove();
});

test.each([
  [{ status: 500 }, '/operation', 'such as "getBook"'],
  [{ operation: 'getPts', status: 500 }, undefined, 'Did you mean "getPet"?'],
  [{ operation: 'getPet', status: 418 }, '/status', 'not documented; expected one of 200, 304'],
  [{ operation: 'getPet', status: '503' }, '/status', 'must be a whole number'],
  [{ operation: 'getPet', staus: 503 }, '/staus', 'did you mean "status"?'],
  [{ operation: 'getPet', status: 500, times: 0 }, '/times', 'expected a whole number from 1'],
  [{ operation: 'getPet', example: 'pets' }, '/example', 'Did you mean "pet"?'],
  [{ operation: 'getPet', headers: { 'A B': '1' } }, '/headers/A B', 'not the name of a header'],
  [{ operation: 'getPet', body: { id: 'x', name: 'y', categoryId: 1, status: 'sold' } }, '/body/id', 'integer'],
])('%p is refused at %s', async (body, pointer, says) => {
  const response = await put(body).expect(400);
  const { code, message, findings } = response.body as {
    code: string;
    message: string;
    findings: { pointer: string }[];
  };
  expect(code).toBe('invalid_field');
  expect(message).toContain(says);
  expect(findings.map((finding) => finding.pointer)).toEqual(pointer === undefined ? [] : [pointer]);
  expect(await listed()).toEqual([]);
});

test('DELETE of an operation that there is not is refused', async () => {
  await put({ operation: 'getPet', status: 500 }).expect(200);
  const { body } = await remove(`${ADMIN}/responses?operation=getPets`).expect(400);
  expect((body as { message: string }).message).toContain('Did you mean');
  expect(await listed()).toHaveLength(1);
});

test('a sample is what would be answered, and can be sent again', async () => {
  const sampled = async (query: string): Promise<Record<string, unknown>> =>
    (await shop.get(`${ADMIN}/sample?operation=${query}`).expect(200)).body as Record<string, unknown>;
  const pet = await sampled('getPet');
  expect(pet).toMatchObject({ operation: 'getPet', status: 200, example: null, contentType: 'application/json' });
  await put({ operation: 'getPet', body: JSON.parse(pet['text'] as string) as object }).expect(200);
  expect((await shop.get('/pets/1').expect(200)).text).toBe(pet['text']);
  const large = await sampled('getPet&example=largeId');
  expect(large).toMatchObject({ status: 200, example: 'largeId' });
  expect(large['text']).toContain('9007199254740993');
  const missing = await sampled('GET%20/pets/%7BpetId%7D&status=404');
  expect(JSON.parse(missing['text'] as string)).toMatchObject({ status: 404, code: 'fault_injected' });
  expect(await sampled('deletePet&status=204')).toMatchObject({ contentType: null, text: null });
  await shop.get(`${ADMIN}/sample?operation=getPet&status=418`).expect(400);
  await shop.get(`${ADMIN}/sample`).expect(400);
});

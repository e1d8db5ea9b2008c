import { createInProcessTransport } from '../../src/network/target';
import { createServerParts } from '../../src/library/create-mock-server';
import { ids, openPetstore, usePetstore, type Headers } from '../support/petstore';

const shop = usePetstore();
const ADMIN = '/__standin';
const NOVA = { name: 'Nova', categoryId: 1 };

const asking = (fault: string): Headers => ({ 'X-Standin-Fault': fault });

describe('a status that is asked for', () => {
  test('comes in the shape of the API, named in a header, and changes nothing', async () => {
    const response = await shop.refuses(
      shop.post('/pets', NOVA, asking('status:503')),
      503,
      'fault_injected',
      'status:503',
    );
    expect(response.headers).toMatchObject({ 'x-standin-fault': 'status:503', 'retry-after': '1' });
    expect(shop.app.journal().at(-1)).toMatchObject({ status: 503, code: 'fault_injected', injected: 'status:503' });
  });

  test('comes before what is wrong with the request', async () => {
    await shop.get('/pets', { ...asking('status:500'), Authorization: undefined }).expect(500);
  });

  test('touches only the operation, the method and the path that it names', async () => {
    await shop.get('/pets', asking('status:500;operation=listPets')).expect(500);
    await shop.get('/pets', asking('status:500;operation=listOrders')).expect(200);
    await shop.get('/pets', asking('status:500;method=POST')).expect(200);
    await shop.get('/inventory/1', asking('status:500;path=/inventory/{petId}')).expect(500);
  });
});

describe('a fault that cannot be read', () => {
  test('in the header is refused', async () => {
    const response = await shop.refuses(shop.post('/pets', NOVA, asking('statsu:503')), 400, 'invalid_fault');
    expect((response.body as { message: string }).message).toContain('did you mean status?');
  });

  test('on the admin route is refused', async () => {
    await shop.refuses(shop.put(`${ADMIN}/faults`, { faults: ['status:200'] }), 400, 'invalid_field', '400 to 599');
    await shop.refuses(shop.put(`${ADMIN}/faults`, { fault: 'reset' }), 400, 'invalid_field', 'faults');
  });

  test.each([
    ['operation=listPts', 'did you mean listPets?'],
    ['method=FETCH', 'there are '],
    ['path=/pets/{id}', 'did you mean /pets/{petId}?'],
  ])('%s, which the description lacks, is refused wherever it is set', async (filter, says) => {
    const fault = `status:503;${filter}`;
    await shop.refuses(shop.get('/pets', asking(fault)), 400, 'invalid_fault', says);
    await shop.refuses(shop.put(`${ADMIN}/faults`, { faults: [fault] }), 400, 'invalid_field', says);
    expect(() => {
      shop.app.setFaults(fault);
    }).toThrow(says);
    await expect(openPetstore({ faults: [fault] })).rejects.toThrow(says);
    expect(shop.app.faults()).toEqual([]);
  });

  test('in the library is refused', () => {
    expect(() => {
      shop.app.setFaults('status');
    }).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }) as Error);
  });
});

describe('faults that are set', () => {
  test('end by themselves, after so many times', async () => {
    shop.app.setFaults('status:503;times=2');
    await shop.get('/pets').expect(503);
    expect(shop.app.faults()).toEqual([{ fault: 'status:503;times=2', timesLeft: 1, happened: 1, missed: 0 }]);
    await shop.get('/pets').expect(503);
    await shop.get('/pets').expect(200);
    expect(shop.app.faults()).toEqual([]);
  });

  test("end by themselves, after so long by the sandbox's clock", async () => {
    const box = shop.app.sandbox('timed');
    box.setClock(new Date('2030-01-01T00:00:00Z'), { fixed: true });
    box.setFaults('outage;for=30s');
    const down = await shop.get('/pets', box.headers).expect(503);
    expect(down.headers['retry-after']).toBe('30');
    await shop.get('/pets').expect(200);
    box.setClock(new Date('2030-01-01T00:00:30Z'), { fixed: true });
    await shop.get('/pets', box.headers).expect(200);
    box.remove();
  });

  test('of a window begin and end in it', async () => {
    const box = shop.app.sandbox('window');
    const at = (seconds: string): void => {
      box.setClock(new Date(`2030-01-01T00:00:${seconds}Z`), { fixed: true });
    };
    at('00');
    box.setFaults('outage:10s..20s');
    await shop.get('/pets', box.headers).expect(200);
    at('10');
    await shop.get('/pets', box.headers).expect(503);
    at('20');
    await shop.get('/pets', box.headers).expect(200);
    box.remove();
  });

  test('are read, set and taken away on the admin routes, for each sandbox', async () => {
    await shop.put(`${ADMIN}/faults?sandbox=a`, { faults: ['status:500', 'latency:1ms'] }).expect(200);
    await shop.get('/pets', { 'X-Standin-Sandbox': 'a' }).expect(500);
    await shop.get('/pets').expect(200);
    const { body } = await shop.get(`${ADMIN}/faults?sandbox=a`).expect(200);
    expect(body).toEqual({
      faults: [
        { fault: 'status:500', happened: 1, missed: 0 },
        { fault: 'latency:1ms', happened: 1, missed: 0 },
      ],
    });
    await shop.delete(`${ADMIN}/faults?sandbox=a`, { 'Content-Type': 'application/json' }).expect(204);
    await shop.get('/pets', { 'X-Standin-Sandbox': 'a' }).expect(200);
  });

  test('are gone after a reset', async () => {
    shop.app.setFaults('status:503');
    shop.app.reset();
    await shop.get('/pets').expect(200);
  });

  test('count less than those of the request, and more than those of the start', async () => {
    const all = await openPetstore({ faults: ['status:500', 'wrong-content-type'] });
    await all.get('/pets').expect(500);
    all.app.setFaults('status:501');
    await all.get('/pets').expect(501);
    const both = await all.get('/pets', asking('status:502')).expect(502);
    expect(both.headers['content-type']).toBe('text/html');
    await all.get('/pets', asking('none')).expect(200);
  });

  test('are nothing where they are switched off', async () => {
    const off = await openPetstore({ faults: 'off' });
    off.app.setFaults('status:503');
    await off.get('/pets', asking('status:503, nonsense')).expect(200);
  });
});

test('fail:2 fails twice, then succeeds', async () => {
  const retry = asking('fail:2');
  await shop.post('/pets', NOVA, retry).expect(503);
  await shop.post('/pets', NOVA, retry).expect(503);
  await shop.post('/pets', NOVA, retry).expect(201);
  expect(ids(await shop.get('/pets'))).toEqual([1, 2, 3, 4]);
});

test('rate-limit refuses what is too much, and says how long to wait', async () => {
  shop.app.setClock(new Date('2030-01-01T00:00:00Z'));
  shop.app.setFaults('rate-limit:2/1m');
  await shop.get('/pets').expect(200);
  await shop.get('/pets').expect(200);
  const refused = await shop.get('/pets').expect(429);
  expect(refused.headers['retry-after']).toBe('60');
});

test('error-rate fails as often as it says; the same seed and sandbox fail the same requests', async () => {
  const run = async (seed: string, id: string): Promise<string> => {
    const fresh = await openPetstore({ seed });
    fresh.app.sandbox(id).setFaults('error-rate:0.3');
    const statuses = [];
    for (let index = 0; index < 40; index++) {
      const { status } = await fresh.get('/categories', fresh.app.sandbox(id).headers);
      statuses.push(status);
    }
    return statuses.join();
  };
  const first = await run('a', 'x');
  const failed = first.split('503').length - 1;
  expect(failed).toBeGreaterThan(4);
  expect(failed).toBeLessThan(20);
  expect(await run('a', 'x')).toBe(first);
  expect(await run('b', 'x')).not.toBe(first);
  expect(await run('a', 'y')).not.toBe(first);
});

test('commit-then-fail changes the state and loses the answer, which an idempotency key brings back', async () => {
  const key = { 'Idempotency-Key': '"lost"' };
  await shop.post('/pets', NOVA, { ...key, ...asking('commit-then-fail:504') }).expect(504);
  expect(ids(await shop.get('/pets'))).toEqual([1, 2, 3, 4]);
  const again = await shop.post('/pets', NOVA, key).expect(201);
  expect(again.body).toMatchObject({ id: 4 });
  expect(ids(await shop.get('/pets'))).toEqual([1, 2, 3, 4]);
});

describe('a response that is broken on purpose', () => {
  const text = async (fault: string, path = '/pets/1'): Promise<{ text: string; said: string }> => {
    const response = await shop.get(path, asking(fault)).buffer(true).parse(asText);
    return { text: String(response.body), said: String(response.headers['x-standin-fault']) };
  };

  test.each([
    { fault: 'violate:/name:missing', body: { id: 1, categoryId: 1, status: 'available' } },
    { fault: 'violate:/status:enum', body: { id: 1, name: 'Biscuit', categoryId: 1, status: 'available-not-in-enum' } },
    { fault: 'violate:/id:type', body: { id: 'standin', name: 'Biscuit', categoryId: 1, status: 'available' } },
  ])('$fault', async ({ fault, body }) => {
    const broken = await text(fault);
    expect(JSON.parse(broken.text)).toEqual(body);
    expect(broken.said).toBe(fault);
  });

  test('may be broken in every item of a list, or in one', async () => {
    const all = JSON.parse((await text('violate:/-/name:missing', '/pets')).text) as object[];
    expect(all.map((item) => 'name' in item)).toEqual([false, false, false]);
    const one = JSON.parse((await text('violate:/1/name:missing', '/pets')).text) as object[];
    expect(one.map((item) => 'name' in item)).toEqual([true, false, true]);
  });

  test.each([
    { fault: 'violate:/nothing:type', why: 'is not in this response' },
    { fault: 'violate:/9/name:missing', why: 'is not in this response' },
    { fault: 'violate:/categoryId:enum', why: 'the schema allows it' },
    { fault: 'violate:/description:missing', why: 'is not in this response' },
  ])('that cannot be broken by $fault is sent as it is, and says so', async ({ fault, why }) => {
    shop.app.setFaults(fault);
    const { text: body } = await shop.get('/pets/1', asking('none'));
    const response = await shop.get('/pets/1').expect(200);
    expect(response.text).toBe(body);
    expect(response.headers['x-standin-fault']).toContain(`${fault};missed="`);
    expect(response.headers['x-standin-fault']).toContain(why);
    expect(shop.app.faults()).toMatchObject([{ happened: 0, missed: 1 }]);
  });

  test('may have no body, or JSON that is none, or another type', async () => {
    const empty = await shop.get('/pets/1', asking('empty')).expect(200);
    expect(empty.headers['content-length']).toBe('0');
    const broken = await text('malformed-json');
    expect(() => JSON.parse(broken.text) as unknown).toThrow(SyntaxError);
    const typed = await shop.get('/pets/1', asking('wrong-content-type:text/plain')).expect(200);
    expect(typed.headers['content-type']).toBe('text/plain');
  });

  test('without a body cannot be', async () => {
    await shop
      .delete('/pets/1', asking('malformed-json'))
      .expect(204)
      .expect('X-Standin-Fault', /missed="this response/);
  });
});

test('straight to the engine, faults of a connection are not available, and say so', async () => {
  const { mock } = await createServerParts({ auth: 'off' });
  const transport = createInProcessTransport(mock.engine);
  const send = (fault: string): Promise<{ status: number; body: string | Uint8Array | undefined }> => {
    const headers = { 'x-standin-fault': fault };
    const rawHeaders = Object.entries(headers).flat();
    return transport.send({ method: 'GET', target: '/pets', headers, rawHeaders, body: Buffer.alloc(0) });
  };
  for (const fault of ['latency:5ms', 'dribble:1/1ms', 'reset', 'truncate', 'commit-then-fail']) {
    const { status, body } = await send(fault);
    expect({ status, body: String(body) }).toEqual({ status: 501, body: expect.stringContaining(fault) as string });
  }
  expect((await send('violate:/-/name:missing')).status).toBe(200);
});

/** supertest parses JSON, and what is none ends the test. */
function asText(response: unknown, done: (error: Error | null, text: string) => void): void {
  const chunks: Buffer[] = [];
  const stream = response as NodeJS.ReadableStream;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => {
    done(null, Buffer.concat(chunks).toString());
  });
}

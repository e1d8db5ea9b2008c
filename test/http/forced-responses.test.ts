import { ConfigError } from '../../src/core/errors/standin-error';
import type { RespondOptions } from '../../src/express';
import { createServerParts } from '../../src/library/create-mock-server';
import { Petstore, usePetstore } from '../support/petstore';
import { ManualTimers } from '../wire/manual-timers';

const shop = usePetstore();
const BISCUIT = { id: 1, name: 'Biscuit', categoryId: 1, status: 'available' };

/** What is thrown for a response that cannot be forced. */
function rejectionOf(operation: string, options: unknown): ConfigError {
  try {
    shop.app.respond(operation, options as RespondOptions);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).code).toBe('CONFIG_INVALID');
    return error as ConfigError;
  }
  throw new Error(`${JSON.stringify(options)} was taken`);
}

describe('a status', () => {
  test('comes in the shape of the API, is named in a header and in the journal, and changes nothing', async () => {
    shop.app.respond('createPet', { status: 500 });
    const before = shop.app.state();
    const forced = await shop.post('/pets', { name: 'Nova', categoryId: 1 });
    expect(shop.app.state()).toEqual(before);
    expect(forced.headers['x-standin-fault']).toBe('respond:500');
    expect(shop.app.journal().at(-1)).toMatchObject({ status: 500, injected: 'respond:500', code: 'fault_injected' });
    shop.app.clearResponses();
    const fault = await shop.post('/pets', {}, { 'X-Standin-Fault': 'status:500' });
    expect({ text: forced.text, type: forced.type }).toEqual({ text: fault.text, type: fault.type });
  });

  test('replaces rejections', async () => {
    shop.app.respond('getPet', { status: 200 });
    await shop.get('/pets/999', { Authorization: undefined }).expect(200);
  });

  test('of a success has the documented headers and a documented body', async () => {
    shop.app.respond('getPet', { status: 200 });
    const { headers, body } = await shop.get('/pets/1').expect(200);
    expect(headers).toMatchObject({ 'content-type': 'application/json', etag: expect.any(String) as string });
    expect(body).toHaveProperty('name');
  });

  test('204 has no body, and HEAD has none either', async () => {
    shop.app.respond('replacePet', { status: 204 });
    shop.app.respond('getPet', { example: 'pet' });
    expect((await shop.put('/pets/1', {}).expect(204)).text).toBe('');
    const { headers, text } = await shop.head('/pets/1').expect(200);
    expect(text).toBeFalsy();
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
  });
});

describe('an example', () => {
  test('is answered with by its name, and names its status', async () => {
    shop.app.respond('getPet', { example: 'largeId' });
    expect((await shop.get('/pets/1').expect(200)).text).toContain('"id":9007199254740993');
    shop.app.respond('getPet', { example: 'operation_sunset' });
    await shop.get('/pets/1').expect(410);
  });
});

describe('a body', () => {
  test('is sent as it was when it was given', async () => {
    const body = { ...BISCUIT, name: 'Rex' };
    shop.app.respond('getPet', { body });
    body.name = 'Changed';
    const response = await shop.get('/pets/1').expect(200);
    expect(response.body).toEqual({ ...BISCUIT, name: 'Rex' });
    expect(response.headers['x-standin-fault']).toBe('respond:200;body');
  });

  test('that breaks the description is sent on purpose alone, and is told', async () => {
    const body = { id: 'one', name: 'Rex' };
    const error = rejectionOf('getPet', { status: 200, body });
    expect(error.message).toMatch(/getPet cannot be forced: the body breaks the response 200: it .*\/id|categoryId/);
    expect(error.hint).toContain('violates');
    expect(error.findings.map(({ pointer }) => pointer)).toContain('/body/id');
    const { isViolation } = shop.app.respond('getPet', { status: 200, body, violates: true });
    expect(isViolation).toBe(true);
    expect((await shop.get('/pets/1').expect(200)).body).toEqual(body);
    expect(shop.app.respond('getPet', { body: BISCUIT, violates: true }).isViolation).toBe(false);
  });

  test('of a proxy comes in its own media type', async () => {
    const body = '<h1>Bad gateway</h1>';
    const headers = { 'Content-Type': 'text/html' };
    expect(rejectionOf('getPet', { status: 502, body, headers }).message).toContain('502 is not documented');
    expect(rejectionOf('getPet', { status: 500, body, headers }).message).toContain('text/html');
    shop.app.respond('getPet', { status: 502, body, headers, violates: true });
    const response = await shop.get('/pets/1').expect(502);
    expect({ type: response.headers['content-type'], text: response.text }).toEqual({ type: 'text/html', text: body });
  });

  test('may be null, a date, and numbers of any size', async () => {
    shop.app.respond('getPet', { violates: true, body: { id: 9007199254740993n, at: new Date(0), none: undefined } });
    expect((await shop.get('/pets/1')).text).toBe('{"id":9007199254740993,"at":"1970-01-01T00:00:00.000Z"}');
    shop.app.respond('getPet', { violates: true, body: null });
    expect((await shop.get('/pets/1')).text).toBe('null');
  });
});

describe('what leaves the response natural', () => {
  test('headers take the place of those that there are', async () => {
    shop.app.respond('listPets', { headers: { 'X-Total-Count': 99, 'X-Mine': 'yes' } });
    const { headers, body } = await shop.get('/pets').expect(200);
    expect(headers).toMatchObject({ 'x-total-count': '99', 'x-mine': 'yes', 'x-standin-fault': 'respond;headers' });
    expect(body).toHaveLength(3);
  });

  test('a delay delays the response', async () => {
    const timers = new ManualTimers();
    const { app } = await createServerParts({}, { startTimer: timers.start });
    const delayed = new Petstore(() => app);
    app.respond('getPet', { delayMs: 80, times: 1 });
    const order: string[] = [];
    const first = delayed.get('/pets/1').then(({ body }) => {
      order.push('delayed');
      return body as unknown;
    });
    await timers.running(1);
    expect(timers.durations()).toEqual([80]);
    await delayed.get('/pets/2').expect(200);
    order.push('second');
    timers.endFirst();
    expect(await first).toEqual(BISCUIT);
    expect(order).toEqual(['second', 'delayed']);
  });

  test('a fault happens to it', async () => {
    shop.app.respond('getPet', { fault: 'reset', times: 1 });
    await expect(shop.get('/pets/1')).rejects.toThrow(/ECONNRESET|socket hang up/);
    await shop.get('/pets/1').expect(200);
    shop.app.respond('getPet', { fault: 'violate:/name:missing' });
    const { body, headers } = await shop.get('/pets/1').expect(200);
    expect(body).not.toHaveProperty('name');
    expect(headers['x-standin-fault']).toBe('respond;fault=violate:/name:missing');
  });

  test('a fault happens to what was forced as well, and is told when there is nothing to break', async () => {
    shop.app.respond('getPet', { status: 500, fault: 'malformed-json' });
    const response = await shop
      .get('/pets/1')
      .buffer(true)
      .parse((stream, done) => {
        let text = '';
        stream.on('data', (piece) => (text += String(piece)));
        stream.on('end', () => {
          done(null, text);
        });
      });
    expect(response.status).toBe(500);
    expect(() => JSON.parse(response.body as string) as unknown).toThrow();
    shop.app.respond('getPet', { fault: 'violate:/nowhere:missing' });
    const missed = await shop.get('/pets/1').expect(200);
    expect(missed.headers['x-standin-fault']).toContain('missed="/nowhere is not in this response"');
  });

  test('a fault that comes by chance leaves the others alone', async () => {
    shop.app.respond('getPet', { fault: 'error-rate:0', times: 1 });
    await shop.get('/pets/1').expect(200);
    expect(shop.app.responses()).toMatchObject([{ timesLeft: 1, happened: 0 }]);
  });
});

describe('how often', () => {
  test('ten requests at once meet two responses exactly twice', async () => {
    shop.app.respond('listPets', { status: 500, times: 2 });
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await shop.get('/pets')).status));
    expect(statuses.filter((status) => status === 500)).toHaveLength(2);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
    expect(shop.app.responses()).toEqual([]);
  });

  test('ten at once whose bodies are still to come do too', async () => {
    shop.app.respond('createPet', { status: 500, times: 2 });
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (_, id) => (await shop.post('/pets', { name: `P${id}`, categoryId: 1 })).status),
    );
    expect(statuses.sort()).toEqual([...Array.from({ length: 8 }, () => 201), 500, 500]);
  });

  test('those that are counted come in their order, then the one that lasts', async () => {
    shop.app.respond('listPets', { example: 'none' });
    shop.app.respond('listPets', { status: 500, times: 1 });
    shop.app.respond('listPets', { status: 429, times: 1 });
    const answers: unknown[] = [];
    for (let count = 0; count < 4; count++) answers.push((await shop.get('/pets')).status);
    expect(answers).toEqual([500, 429, 200, 200]);
    expect((await shop.get('/pets')).body).toEqual([]);
    shop.app.respond('listPets', { status: 400 });
    expect(shop.app.responses()).toMatchObject([{ status: 400 }]);
  });

  test('is told by what respond() gave, until it is removed', async () => {
    const set = shop.app.respond('listPets', { status: 500, times: 3 });
    expect(set).toMatchObject({ operation: 'listPets', sandbox: 'default', timesLeft: 3, text: '500, 3 more times' });
    await shop.get('/pets').expect(500);
    await shop.get('/pets').expect(500);
    expect(set).toMatchObject({ timesLeft: 1, happened: 2, text: '500, 1 more time' });
    set.remove();
    set.remove();
    await shop.get('/pets').expect(200);
    expect(shop.app.responses()).toEqual([]);
  });

  test('has an end where too many wait', () => {
    for (let count = 0; count < 100; count++) shop.app.respond('listPets', { status: 500, times: 1 });
    expect(rejectionOf('listPets', { status: 500, times: 1 }).hint).toContain('clearResponses');
  });
});

describe('where', () => {
  test('the main state, a sandbox, or all that force nothing of their own', async () => {
    const [ann, ben] = [shop.app.sandbox('ann'), shop.app.sandbox('ben')];
    shop.app.respond('listPets', { status: 500 });
    await shop.get('/pets', ann.headers).expect(200);
    shop.app.respond('listPets', { status: 429, sandbox: '*' });
    ann.respond('listPets', { status: 400, times: 1 });
    await shop.get('/pets').expect(500);
    await shop.get('/pets', ann.headers).expect(400);
    await shop.get('/pets', ann.headers).expect(429);
    await shop.get('/pets', ben.headers).expect(429);
    expect(shop.app.responses().map(({ sandbox, status }) => [sandbox, status])).toEqual([
      ['default', 500],
      ['*', 429],
    ]);
    expect(ben.responses().map(({ sandbox }) => sandbox)).toEqual(['*']);
    expect(() => ann.respond('listPets', { status: 500, sandbox: '*' })).toThrow('for the sandbox ann already');
    ann.remove();
    ben.remove();
  });

  test('times for all counts them together', async () => {
    const ann = shop.app.sandbox('ann');
    shop.app.respond('listPets', { status: 500, sandbox: '*', times: 2 });
    await shop.get('/pets', ann.headers).expect(500);
    await shop.get('/pets').expect(500);
    await shop.get('/pets', ann.headers).expect(200);
    ann.remove();
  });

  test('reset and remove end them', async () => {
    const ann = shop.app.sandbox('ann');
    ann.respond('listPets', { status: 500 });
    ann.reset();
    expect(ann.responses()).toEqual([]);
    ann.respond('listPets', { status: 500 });
    ann.remove();
    await shop.get('/pets', ann.headers).expect(200);
    shop.app.respond('listPets', { status: 500 });
    shop.app.respond('listPets', { status: 500, sandbox: '*' });
    ann.reset();
    expect(shop.app.responses()).toHaveLength(2);
    shop.app.reset();
    expect(shop.app.responses()).toEqual([]);
    await shop.get('/pets').expect(200);
  });

  test('clearResponses takes one operation, or all', () => {
    shop.app.respond('listPets', { status: 500 });
    shop.app.respond('getPet', { status: 500, sandbox: '*' });
    shop.app.clearResponses('listPets');
    expect(shop.app.responses().map(({ operation }) => operation)).toEqual(['getPet']);
    shop.app.clearResponses();
    expect(shop.app.responses()).toEqual([]);
    expect(() => {
      shop.app.clearResponses('getPets');
    }).toThrow('no operation "getPets"');
  });

  test('a response that is refused makes no sandbox', () => {
    expect(() => shop.app.sandbox('zoe').respond('getPet', { status: 418 })).toThrow('not documented');
    expect(shop.app.sandboxes().map(({ id }) => id)).not.toContain('zoe');
  });
});

describe('beside faults', () => {
  test('the header of a request wins, and nothing is counted then', async () => {
    const set = shop.app.respond('listPets', { status: 500, times: 1 });
    await shop.get('/pets', { 'X-Standin-Fault': 'status:429' }).expect(429);
    await shop.get('/pets', { 'X-Standin-Fault': 'none' }).expect(200);
    expect(set.happened).toBe(0);
    await shop.get('/pets').expect(500);
  });

  test('it wins over what was set, which is not lost by setting others', async () => {
    shop.app.setFaults('status:429', 'commit-then-fail:400');
    shop.app.respond('listPets', { status: 500, times: 1 });
    expect((await shop.get('/pets').expect(500)).headers['x-standin-fault']).toBe('respond:500');
    shop.app.respond('listPets', { status: 500, times: 1 });
    shop.app.setFaults();
    await shop.get('/pets').expect(500);
    expect(shop.app.faults()).toEqual([]);
  });
});

test.each([
  ['getPt', { status: 500 }, 'no operation "getPt"', 'Did you mean "getPet"?'],
  ['DELETE /nowhere', { status: 500 }, 'no operation "DELETE /nowhere"', 'There are listPets'],
  [7, { status: 500 }, 'The operation is 7', 'operationId'],
  ['getPet', undefined, 'what it is to answer is of type undefined', undefined],
  ['getPet', {}, 'nothing says what it is to answer', undefined],
  ['getPet', { times: 2 }, 'nothing says what it is to answer', undefined],
  ['getPet', { stauts: 500 }, 'no option "stauts"', 'Did you mean "status"?'],
  ['getPet', { status: 418 }, 'status 418 is not documented; expected one of 200, 304, 400', 'violates'],
  ['getPet', { status: 99, violates: true }, 'status is 99; expected a whole number from 200 to 599', undefined],
  ['getPet', { status: 600, violates: true }, 'status is 600', undefined],
  ['getPet', { status: '500' }, 'status is "500"', undefined],
  ['getPet', { example: 'pte' }, 'no example "pte"', 'Did you mean "pet"?'],
  ['getPet', { status: 404, example: 'pet' }, '(404: resource_not_found)', undefined],
  ['getPet', { example: 'pet', body: {} }, 'an example and a body', undefined],
  ['replacePet', { status: 204, body: {} }, 'a response 204 has no body', undefined],
  ['getPet', { body: { at: () => 1 } }, 'the body at /at is of type function', undefined],
  ['getPet', { body: { at: [Number.NaN] } }, 'the body at /at/0 is NaN', undefined],
  ['getPet', { body: '{"id":1}' }, 'the body breaks the response 200', 'not its JSON'],
  ['getPet', { headers: { 'X Bad': '1' } }, '"X Bad" is not the name of a header', undefined],
  ['getPet', { headers: { 'X-Bad': 'a\nb' } }, 'the header "X-Bad" is', undefined],
  ['getPet', { headers: { 'Content-Length': '1' } }, 'set by the mock itself', undefined],
  ['getPet', { headers: { 'X-A': '1', 'x-a': '2' } }, 'stands there twice', undefined],
  ['getPet', { headers: ['X-A'] }, 'an object of values by name', undefined],
  ['getPet', { delayMs: 60_001 }, 'delayMs is 60001; expected milliseconds from 0 to 60000', undefined],
  ['getPet', { delayMs: '1s' }, 'delayMs is "1s"', undefined],
  ['getPet', { status: 500, times: 0 }, 'times is 0; expected a whole number from 1', undefined],
  ['getPet', { status: 500, times: 1.5 }, 'times is 1.5', undefined],
  ['getPet', { fault: 'rest' }, 'no fault "rest" (did you mean reset?)', undefined],
  ['getPet', { fault: 'none' }, 'fault is "none"', undefined],
  ['getPet', { fault: 'reset;times=2' }, 'has settings', undefined],
  ['getPet', { status: 500, fault: 'status:503' }, 'answers in place of the status 500', undefined],
  ['getPet', { status: 500, violates: 'yes' }, 'violates is "yes"', undefined],
  ['getPet', { status: 500, sandbox: 'ann' }, 'sandbox is "ann"; expected "*"', undefined],
])('%s cannot answer %p: %s', (operation, options, says, hint) => {
  const error = rejectionOf(operation as string, options);
  expect(error.message).toContain(says);
  if (hint !== undefined) expect(error.hint).toContain(hint);
  expect(shop.app.responses()).toEqual([]);
});

test('a body that holds itself is refused', () => {
  const body: Record<string, unknown> = {};
  body['again'] = body;
  expect(rejectionOf('getPet', { body }).message).toContain('levels deep');
});

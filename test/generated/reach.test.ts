import { list, object, text } from '../support/small-api';
import { Service, collection, failed, ID, left, run, type Sketches, whole } from './reach-service';

describe('an action below an item', () => {
  const state = { type: 'string', enum: ['open', 'cancelled'] };
  const order = object({ ...ID, title: text, status: state });
  const withAction = (path: string, sketch: object): Sketches => ({
    ...collection('orders', order, object({ title: text })),
    [`POST /orders/{id}/${path}`]: { answers: { 200: order, 409: null }, ...sketch },
  });

  test('is sent at what the run made where it plainly changes that alone', async () => {
    const service = new Service();
    service.act = (item) => [200, service.store('orders', { ...item, status: 'cancelled' })];
    const { called } = await run(service, withAction('cancel', {}));
    expect(called).toContain('POST /orders/{id}/cancel');
    expect(left(service)).toEqual([]);
  });

  test.each([
    {
      what: 'needs a body that names something',
      path: 'cancel',
      sketch: { body: { ...object({ other: text }), required: ['other'] } },
      reason: 'may do more than the description tells',
    },
    { what: 'reaches somebody', path: 'notify', sketch: {}, reason: 'may reach people or cost money' },
  ])('is not sent where it $what, and that is told', async ({ path, sketch, reason }) => {
    const service = new Service();
    const { called, result } = await run(service, withAction(path, sketch));
    expect(called).not.toContain(`POST /orders/{id}/${path}`);
    expect(service.calls.filter((call) => call.includes(`/${path}`))).toEqual([]);
    expect(result.uncalled).toEqual([{ operation: `POST /orders/{id}/${path}`, reason }]);
  });
});

test('what is below a thing of others is read, and what a HEAD alone reads', async () => {
  const service = new Service();
  service.store('machines', { id: 'theirs' });
  const asked: string[] = [];
  service.act = (_, verb) => {
    asked.push(verb);
    return [200, {}];
  };
  await run(
    service,
    {
      'GET /machines': { answers: { 200: list(object({ id: text })) } },
      'GET /machines/{id}': { answers: { 200: object({ id: text }), 404: null } },
      'GET /machines/{id}/load': { answers: { 200: object({}) } },
      'GET /machines/{id}/search': {
        parameters: [{ name: 'q', in: 'query', required: true, schema: text }],
        answers: { 200: object({}) },
      },
      'HEAD /stream': { answers: { 200: null } },
    },
    ['lists'],
  );
  expect(asked).toEqual(['load', 'search']);
  expect(service.calls).toContain('HEAD stream 405');
});

test('of what is not called the reason is told: a change below an item is none of all rows', async () => {
  const thing = object({ ...ID, title: text });
  const { result } = await run(new Service(), {
    ...collection('orders', thing),
    'PUT /orders/{id}/rebuild': { answers: { 200: null } },
    'GET /alerts': { answers: { 200: list(thing) } },
    'POST /alerts': { body: list(thing), answers: { 200: null } },
  });
  expect(result.uncalled).toEqual([
    { operation: 'PUT /orders/{id}/rebuild', reason: 'may do more than the description tells' },
    { operation: 'POST /alerts', reason: 'makes something that no DELETE of the description removes' },
  ]);
});

describe('a body that needs what others have and may use up', () => {
  const hall = object({ id: whole, name: text, freePlaces: whole });
  const ticket = object({ ...ID, hallId: whole, plate: text });
  const sketches: Sketches = {
    'GET /halls': { answers: { 200: list(hall) } },
    'GET /halls/{hallId}': { answers: { 200: hall, 404: null } },
    ...collection('tickets', ticket, { ...object({ hallId: whole, plate: text }), required: ['hallId', 'plate'] }),
  };
  const withHall = (): Service => {
    const service = new Service();
    service.store('halls', { id: 7, name: 'North', freePlaces: 3 }, '7');
    return service;
  };

  test('is not made up, and the report says how to allow it', async () => {
    const { result, called } = await run(withHall(), sketches);
    expect(called).not.toContain('POST /tickets');
    expect(result.uncalled).toContainEqual({
      operation: 'POST /tickets',
      reason: expect.stringContaining('--within hallId=KEY'),
    });
    expect(result.uncalled).toContainEqual({
      operation: 'DELETE /tickets/{id}',
      reason: 'is about what POST /tickets makes',
    });
  });

  test('names what --within says, as the number that it is', async () => {
    const service = withHall();
    const sent: unknown[] = [];
    service.create = (_, body) => {
      if (body['hallId'] !== 7) return [422, {}];
      sent.push(body['hallId']);
      return undefined;
    };
    const { result } = await run(service, sketches, ['lifecycle'], 'own', { hallId: '7' });
    expect(failed(result)).toEqual([]);
    expect(sent.length).toBeGreaterThan(0);
    expect([...service.of('tickets')]).toEqual([]);
  });

  test('what is there of it is read all the same', async () => {
    const service = withHall();
    service.store('tickets', { id: 'theirs', hallId: 7, plate: 'X' });
    const { called } = await run(service, sketches, ['lifecycle', 'lists']);
    expect(called).toContain('GET /tickets/{id}');
  });
});

test('a WebSocket is not asked for, and what could change all rows neither', async () => {
  const service = new Service();
  const { result } = await run(service, {
    ...collection('orders', object({ ...ID, title: text })),
    'GET /events': { answers: { 101: null } },
    'PATCH /orders': { body: object({ title: text }), answers: { 200: null } },
  });
  expect(result.uncalled).toEqual([
    { operation: 'PATCH /orders', reason: 'could change all rows: its path names no single one' },
    { operation: 'GET /events', reason: 'opens a WebSocket, which is not spoken here' },
  ]);
});

import { object, text } from '../support/small-api';
import { DELIVERY, LENDING, lending, names, RETURN } from './lending-service';
import { type Answer, collection, failed, ID, type Item, left, run, Service, type Sketches } from './reach-service';

describe('what is needed first', () => {
  test('is found by trying what can be sent below the things that a body names', async () => {
    const service = lending({ startsWith: 0 });
    const { called, result, learnt } = await run(service, { ...LENDING, ...RETURN, ...DELIVERY }, undefined, 'full');
    expect(called).toContain('POST /loans');
    expect(learnt).toContain('is called after POST /tools/{id}/deliveries: it was refused with 409 before');
    expect(failed(result)).toEqual([]);
    expect(names(service)).toEqual(['loans']);
  });

  test('is forgotten where it does not help', async () => {
    const service = lending({ startsWith: 0 });
    const { act } = service;
    service.act = (item, verb, body) => (verb === 'deliveries' ? [201, { id: 'd', ...body }] : act(item, verb, body));
    const { called, learnt } = await run(service, { ...LENDING, ...DELIVERY }, undefined, 'full');
    expect(called).not.toContain('POST /loans');
    expect(learnt).not.toContain('is called after');
    expect(left(service)).toEqual([]);
  });
});

describe('what is done with a thing first', () => {
  const visit = object({
    ...ID,
    title: text,
    state: { type: 'string', enum: ['asked', 'confirmed', 'done'], readOnly: true },
  });
  const finding = object({ ...ID, words: { ...text, minLength: 1 } }, ['words']);
  const VISITS: Sketches = {
    'GET /visits': { answers: { 200: { type: 'array', items: visit } } },
    'POST /visits': { body: visit, answers: { 201: visit, 400: null } },
    'GET /visits/{visit}': { answers: { 200: visit, 404: null } },
    'POST /visits/{visit}/confirm': { answers: { 200: visit, 409: null } },
    'POST /visits/{visit}/complete': { answers: { 200: visit, 409: null } },
    'GET /visits/{visit}/findings': { answers: { 200: { type: 'array', items: finding } } },
    'POST /visits/{visit}/findings': { body: finding, answers: { 201: finding, 400: null, 409: null } },
    'GET /visits/{visit}/findings/{id}': { answers: { 200: finding, 404: null } },
    'DELETE /visits/{visit}/findings/{id}': { answers: { 204: null, 404: null } },
  };
  /** Visits that are confirmed, then completed, before anything is found at them. */
  const visits = (isTaken: boolean): Service => {
    const service = new Service();
    service.create = (name, body) =>
      Array.isArray(body) || !['string', 'undefined'].includes(typeof body['title'])
        ? [400, {}]
        : [201, service.store(name, { title: body['title'], state: 'asked' })];
    const note = (item: Item, { words }: Item): Answer => {
      if (item['state'] !== 'done' || !isTaken) return [409, {}];
      if (typeof words !== 'string' || words === '') return [400, {}];
      return [201, service.store('findings', { words, visit: item['id'] })];
    };
    const at = (visit: string, key: string | undefined, isRemoval: boolean): Answer => {
      const found = service.of('findings');
      if (key === undefined) return [200, [...found.values()].filter((each) => each['visit'] === visit)];
      const own = found.get(key);
      if (own?.['visit'] !== visit) return [404, {}];
      if (isRemoval) found.delete(key);
      return isRemoval ? [204] : [200, own];
    };
    service.below = (above, method, name, key, body) => {
      const item = service.of('visits').get(above);
      const next = { confirm: ['asked', 'confirmed'], complete: ['confirmed', 'done'] }[name];
      if (item === undefined) return [404, {}];
      if (next !== undefined)
        return item['state'] === next[0] ? [200, service.store('visits', { ...item, state: next[1] })] : [409, {}];
      return method === 'POST' ? note(item, body) : at(above, key, method === 'DELETE');
    };
    return service;
  };

  test('is found in the order of the description', async () => {
    const service = visits(true);
    const { called, result, learnt } = await run(service, VISITS, ['lifecycle', 'negative'], 'full');
    expect(learnt).toContain(
      'is called after POST /visits/{visit}/confirm and POST /visits/{visit}/complete: it was refused with 409 before',
    );
    expect(called).toEqual(new Set(Object.keys(VISITS)));
    expect(failed(result)).toEqual([]);
    expect(names(service)).toEqual(['visits']);
    expect(result.outcome).toBe('conforms');
  });

  test('is not found where nothing helps: then a state is a reason to refuse any body', async () => {
    const { called, result } = await run(visits(false), VISITS, ['lifecycle', 'negative'], 'full');
    expect(called).not.toContain('POST /visits/{visit}/findings');
    expect(failed(result)).toEqual([]);
  });
});

test('what a refusal names is what a body refers to, and not the example of the description', async () => {
  const kind = object({ ...ID, title: text });
  const order = object({ ...ID, item: { ...text, description: 'Its kind, such as "theirs".' } }, ['item']);
  const service = new Service();
  service.store('sample-kinds', { id: 'theirs', title: 'Blood count' });
  service.create = (name, body) =>
    name !== 'orders' || service.of('sample-kinds').has(String(body['item']))
      ? undefined
      : [422, { message: 'item: there is no such sample kind' }];
  const { called } = await run(
    service,
    {
      ...collection('sample-kinds', kind),
      'GET /orders': { answers: { 200: { type: 'array', items: order } } },
      'POST /orders': { body: order, answers: { 201: order, 400: null, 422: null } },
      'GET /orders/{id}': { answers: { 200: order, 404: null } },
    },
    undefined,
    'full',
  );
  expect(called).toContain('POST /orders');
  const orders = [...service.of('orders').values()];
  expect(orders.filter(({ item }) => item === 'theirs')).toEqual([]);
  expect(orders.length).toBeGreaterThan(2);
  expect(left(service).length).toBe(orders.length + 1);
});

import { object, text, whole } from '../support/small-api';
import { collection, failed, ID, type Item, left, run, Service, type Sketches } from './reach-service';

const tool = object({ ...ID, title: text, stock: { ...whole, readOnly: true } });
const loan = object({ ...ID, toolId: text, state: { type: 'string', enum: ['out', 'returned'], readOnly: true } }, [
  'toolId',
]);

/** Tools, and loans of them that nothing removes. */
const LENDING: Sketches = {
  ...collection('tools', tool),
  'DELETE /tools/{id}': { answers: { 204: null, 404: null, 409: null } },
  'GET /loans': { answers: { 200: { type: 'array', items: loan } } },
  'POST /loans': { body: loan, answers: { 201: loan, 400: null, 409: null, 422: null } },
  'GET /loans/{id}': { answers: { 200: loan, 404: null } },
};
const RETURN: Sketches = {
  'POST /loans/{id}/return': { description: 'A loan is returned once.', answers: { 200: loan, 404: null, 409: null } },
};
const DELIVERY: Sketches = {
  'POST /tools/{id}/deliveries': {
    body: object({ pieces: { ...whole, minimum: 1, maximum: 50 } }, ['pieces']),
    answers: { 201: object({ ...ID, pieces: whole }), 404: null, 409: null },
  },
};

/** Lends what is in stock, one piece for each loan, and keeps tools that are lent. */
function lending({ startsWith = 1000 } = {}): Service {
  const service = new Service();
  service.create = (name, body) => {
    if (name === 'tools') return [201, service.store('tools', { title: body['title'], stock: startsWith })];
    const lent = service.of('tools').get(String(body['toolId']));
    if (lent === undefined) return [422, { message: 'toolId: there is no such tool' }];
    if (Number(lent['stock']) < 1) return [409, { message: 'none is in stock' }];
    service.store('tools', { ...lent, stock: Number(lent['stock']) - 1 });
    return [201, service.store('loans', { toolId: body['toolId'], state: 'out' })];
  };
  service.act = (item, verb, body) => {
    if (verb === 'deliveries') {
      service.store('tools', { ...item, stock: Number(item['stock']) + Number(body['pieces']) });
      return [201, { id: 'd', ...body }];
    }
    if (verb !== 'return') return [404, {}];
    return item['state'] === 'out' ? [200, service.store('loans', { ...item, state: 'returned' })] : [409, {}];
  };
  service.remove = (name, item) => {
    const isLent = [...service.of('loans').values()].some(
      (each) => each['toolId'] === item['id'] && each['state'] === 'out',
    );
    return name === 'tools' && isLent ? [409, {}] : undefined;
  };
  return service;
}

const names = (service: Service): string[] =>
  [...service.stored].filter(([, rows]) => rows.size > 0).map(([name]) => name);

describe('what nothing removes', () => {
  test('is made in mode full, a few times, and told', async () => {
    const service = lending();
    const { called, result } = await run(service, { ...LENDING, ...RETURN }, undefined, 'full');
    expect(called).toEqual(new Set(Object.keys({ ...LENDING, ...RETURN })));
    expect(failed(result)).toEqual([]);
    const loans = service.of('loans');
    expect(loans.size).toBeLessThanOrEqual(12);
    // What it was made of is removed, since each loan is ended first.
    expect(names(service)).toEqual(['loans']);
    expect([...loans.values()].filter(({ state }) => state === 'out')).toEqual([]);
    expect(result.leftBehind.map(({ isAccepted, url }) => [isAccepted, url.split('/').at(-2)])).toEqual(
      [...loans].map(() => [true, 'loans']),
    );
    expect(result.outcome).toBe('conforms');
  });

  test('is not made in mode own, and the last lines say how', async () => {
    const service = lending();
    const { called, result } = await run(service, LENDING);
    expect(called).not.toContain('POST /loans');
    expect(left(service)).toEqual([]);
    expect(result.uncalled).toEqual([
      expect.objectContaining({
        operation: 'POST /loans',
        reason: 'makes something that no DELETE of the description removes: --mode full makes a few and leaves them',
      }),
      expect.objectContaining({ operation: 'GET /loans/{id}' }),
    ]);
  });

  test('may keep what it refers to, which is told and fails nothing', async () => {
    const service = lending();
    const { result } = await run(service, LENDING, undefined, 'full');
    expect(names(service)).toEqual(['tools', 'loans']);
    expect(result.leftBehind.every(({ isAccepted }) => isAccepted)).toBe(true);
    expect(result.outcome).toBe('conforms');
  });

  test('is not made where it reaches somebody', async () => {
    const invitation = object({ ...ID, title: text });
    const { called } = await run(
      new Service(),
      {
        'POST /invitations': { body: invitation, answers: { 201: invitation } },
        'GET /invitations': { answers: { 200: { type: 'array', items: invitation } } },
        'GET /invitations/{id}': { answers: { 200: invitation, 404: null } },
      },
      undefined,
      'full',
    );
    expect(called).toEqual(new Set(['GET /invitations']));
  });

  test('does not name what others made, whatever the list shows of it', async () => {
    const service = lending();
    for (const id of ['theirs', 'theirs-too']) service.store('loans', { id, toolId: 'drill', state: 'out' });
    service.store('tools', { id: 'drill', title: 'Drill', stock: 5 });
    service.remove = () => undefined;
    await run(service, LENDING, undefined, 'full');
    const own = [...service.of('loans').values()].filter(({ id }) => !String(id).startsWith('theirs'));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ toolId }) => toolId === 'drill')).toEqual([]);
  });
});

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

describe('an action that is done once', () => {
  test('is refused the second time', async () => {
    const service = lending();
    const { act } = service;
    service.act = (item, verb, body) =>
      verb === 'return' ? [200, { ...item, state: 'returned' }] : act(item, verb, body);
    const { result } = await run(service, { ...LENDING, ...RETURN }, undefined, 'full');
    const steps = failed(result).map((line) => line.split(':')[0]);
    // It does not stay either.
    expect(steps).toContain('return of the loan, once more');
    expect(steps).toContain('the loan is as return showed it');
  });

  test('may be done again where the description does not say that it may not', async () => {
    const service = lending();
    service.act = (item) => [200, service.store('loans', { ...item, state: 'returned' })];
    const plain = { 'POST /loans/{id}/return': { ...RETURN['POST /loans/{id}/return'], description: 'Ends a loan.' } };
    const { result } = await run(service, { ...LENDING, ...plain }, undefined, 'full');
    expect(failed(result)).toEqual([]);
  });
});

describe('what is marked as removed', () => {
  const note = object({ ...ID, title: text, deletedAt: { ...text, format: 'date-time', readOnly: true } });
  const NOTES: Sketches = {
    ...collection('notes', note),
    'POST /notes/{id}/restore': { answers: { 200: note, 404: null, 409: null } },
  };
  const marking = (): Service => {
    const service = new Service();
    service.remove = (name, item) => {
      service.store(name, { ...item, deletedAt: '2026-01-31T11:00:00Z' });
      return [204];
    };
    return service;
  };

  test('is brought back, and removed in the end', async () => {
    const service = marking();
    service.act = (item) => [200, service.store('notes', { ...item, deletedAt: undefined })];
    const { called, result } = await run(service, NOTES, undefined, 'full');
    expect(called).toContain('POST /notes/{id}/restore');
    expect(failed(result)).toEqual([]);
    expect(left(service).filter(({ deletedAt }) => deletedAt === undefined)).toEqual([]);
  });

  test('is not touched once it may be somebody else’s', async () => {
    const service = new Service();
    service.remove = (name, { id }) => {
      service.store(name, { id, title: 'Somebody else’s' });
      return [204];
    };
    await run(service, NOTES, undefined, 'full');
    expect(service.calls.filter((call) => call.includes('restore 200'))).toEqual([]);
    expect(left(service).every(({ title }) => title === 'Somebody else’s')).toBe(true);
  });
});

describe('a key of a repetition', () => {
  const order = object({ ...ID, title: text });
  const header = (more: object): object => ({ name: 'Idempotency-Key', in: 'header', schema: text, ...more });
  const orders = (more: object): Sketches => ({
    ...collection('orders', order),
    'POST /orders': {
      parameters: [header(more)],
      body: order,
      answers: { 201: order, 400: null, 409: null, 422: null },
    },
  });
  const OTHER = { description: 'The same key with another body is a 422.' };

  /** Keeps its promise, or in part. */
  const remembering = (isOtherRefused: boolean): Service => {
    const service = new Service();
    const known = new Map<string, { body: string; answer: Item }>();
    service.before = (name, body, headers) => {
      const key = headers['idempotency-key'];
      if (typeof key !== 'string') return undefined;
      const before = known.get(key);
      if (before === undefined) {
        const answer = service.store(name, body);
        known.set(key, { body: JSON.stringify(body), answer });
        return [201, answer];
      }
      return isOtherRefused && before.body !== JSON.stringify(body) ? [422, {}] : [201, before.answer];
    };
    return service;
  };

  test.each([
    { what: 'that is kept', service: remembering(true), more: OTHER, names: [] },
    { what: 'that is not looked at', service: new Service(), more: {}, names: ['add the order again'] },
    { what: 'that stands for any body', service: remembering(false), more: OTHER, names: ['add another order with'] },
    { what: 'of which nobody says more', service: remembering(false), more: {}, names: [] },
    {
      what: 'that each creation has to have',
      service: remembering(true),
      more: { ...OTHER, required: true },
      names: [],
    },
  ])('$what', async ({ service, more, names: expected }) => {
    const { result } = await run(service, orders(more));
    expect(failed(result).map((line) => expected.find((name) => line.startsWith(name)) ?? line)).toEqual(expected);
    expect(left(service)).toEqual([]);
  });
});

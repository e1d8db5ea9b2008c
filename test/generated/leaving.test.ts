import { loadDescriptionText } from '../../src/files/load-description';
import { generateContracts } from '../../src/generated/generate-contracts';
import { list, object, smallApi, text } from '../support/small-api';
import { LENDING, lending, names, RETURN } from './lending-service';
import { type Answer, collection, failed, ID, type Item, left, run, Service, type Sketches } from './reach-service';

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

  test('is not made of what only others have, and without it where that may be', async () => {
    const seen = async (required: readonly string[]): Promise<Service> => {
      const room = object({ ...ID, title: text });
      const booking = object({ ...ID, roomId: text, title: text }, required);
      const service = new Service();
      service.store('rooms', { id: 'theirs', title: 'Theirs' });
      await run(
        service,
        {
          'GET /rooms': { answers: { 200: list(room) } },
          'GET /rooms/{id}': { answers: { 200: room, 404: null } },
          'GET /bookings': { answers: { 200: list(booking) } },
          'POST /bookings': { body: booking, answers: { 201: booking, 400: null, 422: null } },
          'GET /bookings/{id}': { answers: { 200: booking, 404: null } },
        },
        undefined,
        'full',
      );
      return service;
    };
    expect(names(await seen(['roomId']))).toEqual(['rooms']);
    const bookings = [...(await seen(['title'])).of('bookings').values()];
    expect(bookings.length).toBeGreaterThan(0);
    expect(bookings.filter(({ roomId }) => roomId === 'theirs')).toEqual([]);
  });

  test('is made so often at the most, whatever is made of it', async () => {
    const kinds = ['clients', 'contracts', 'bills', 'lines'];
    const sketches = kinds.map((name, index): Sketches => {
      const above = kinds[index - 1];
      const item = object(
        { ...ID, title: text, ...(above === undefined ? {} : { [`${above.slice(0, -1)}Id`]: text }) },
        [...(above === undefined ? [] : [`${above.slice(0, -1)}Id`])],
      );
      return {
        [`GET /${name}`]: { answers: { 200: list(item) } },
        [`POST /${name}`]: { body: item, answers: { 201: item, 400: null } },
        [`GET /${name}/{id}`]: { answers: { 200: item, 404: null } },
      };
    });
    const service = new Service();
    const { result } = await run(service, Object.assign({}, ...sketches) as Sketches, ['lifecycle', 'lists'], 'full');
    const counts = kinds.map((name) => service.of(name).size);
    expect(Math.max(...counts)).toBeLessThanOrEqual(15);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(failed(result)).toEqual([]);
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

test.each([
  ['send', false],
  ['share-by-link', false],
  ['pay', false],
  ['tidy', true],
])('%s of what the run made is called in mode full: %s', async (verb, expected) => {
  const service = new Service();
  service.act = (item) => [200, item];
  const paper = object({ ...ID, title: text });
  const operation = `POST /papers/{id}/${verb}`;
  const sketches = { ...collection('papers', paper), [operation]: { answers: { 200: paper, 404: null } } };
  const { called } = await run(service, sketches, ['lifecycle'], 'full');
  expect(called.has(operation)).toBe(expected);
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

  test.each([
    { says: '409 unless it is out.', isFound: true },
    { says: '409 for a loan that is returned already.', isFound: true },
    { says: '409 while it is out or returned.', isFound: false },
    { says: 'Nothing happens to a loan that is returned already. 409 unless it is out.', isFound: false },
  ])('is known by what it says: $says', async ({ says, isFound }) => {
    const service = lending();
    service.act = (item) => [200, service.store('loans', { ...item, state: 'returned' })];
    const told = { 'POST /loans/{id}/return': { ...RETURN['POST /loans/{id}/return'], description: says } };
    const { result } = await run(service, { ...LENDING, ...told }, undefined, 'full');
    expect(failed(result).some((line) => line.startsWith('return of the loan, once more'))).toBe(isFound);
  });

  test('may be done again where the description does not say that it may not', async () => {
    const service = lending();
    service.act = (item) => [200, service.store('loans', { ...item, state: 'returned' })];
    const plain = { 'POST /loans/{id}/return': { ...RETURN['POST /loans/{id}/return'], description: 'Ends a loan.' } };
    const { result } = await run(service, { ...LENDING, ...plain }, undefined, 'full');
    expect(failed(result)).toEqual([]);
  });
});

describe('an action', () => {
  const state = (...words: string[]): object => ({ type: 'string', enum: words, readOnly: true });
  const ticket = object({ ...ID, title: text, state: state('open', 'closed') });
  const slow = object({ ...ID, title: text, state: state('open', 'closing', 'closed') });
  const job = object({ id: text, state: state('queued', 'done', 'failed') });
  const begin = (service: Service, item: Item, word: string): Item => {
    service.store('tickets', { ...item, state: 'closed' });
    return { ...item, state: word };
  };

  test.each<{
    what: string;
    item: object;
    answers: object;
    text: string;
    act: (service: Service, item: Item) => Answer;
  }>([
    {
      what: 'that is only accepted',
      item: ticket,
      answers: { 202: ticket },
      text: 'Closes it.',
      act: (service, item) => [202, begin(service, item, 'open')],
    },
    {
      what: 'that goes on',
      item: slow,
      answers: { 200: slow },
      text: 'Closes it.',
      act: (service, item) => [200, begin(service, item, 'closing')],
    },
    {
      what: 'that is a job',
      item: ticket,
      answers: { 200: job },
      text: 'Closes it.',
      act: (service, item) => [200, { ...begin(service, item, 'queued'), id: 'job' }],
    },
    {
      what: 'that may be done twice',
      item: ticket,
      answers: { 200: ticket },
      text: 'Closes it, also if it is already closed.',
      act: (service, item) => [200, service.store('tickets', { ...item, state: 'closed' })],
    },
  ])('$what is no fault', async ({ item, answers, text: description, act }) => {
    const service = new Service();
    service.create = (name, body) => [201, service.store(name, { ...body, state: 'open' })];
    service.act = (row) => act(service, row);
    const sketches = {
      ...collection('tickets', item),
      'POST /tickets/{id}/close': { description, answers: { ...answers, 404: null, 409: null } },
    };
    const { called, result } = await run(service, sketches, ['lifecycle'], 'full');
    expect(called).toContain('POST /tickets/{id}/close');
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

  test('may be back with another key, and is removed all the same', async () => {
    const service = marking();
    let count = 0;
    service.act = (item) => {
      service.of('notes').delete(String(item['id']));
      return [200, service.store('notes', { ...item, id: `back${(count += 1)}`, deletedAt: undefined })];
    };
    const { called, result } = await run(service, NOTES, undefined, 'full');
    expect(called).toContain('POST /notes/{id}/restore');
    expect(failed(result)).toEqual([]);
    expect(left(service).filter(({ deletedAt }) => deletedAt === undefined)).toEqual([]);
    expect(result.leftBehind).toEqual([]);
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
    {
      what: 'that stands for any order',
      service: remembering(false),
      more: { description: 'Another order with the same key is a 409.' },
      names: ['add another order with'],
    },
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

describe('what there may be once', () => {
  const person = object({ ...ID, name: text, email: { ...text, format: 'email' } }, ['name', 'email']);
  const people = (description: string): Sketches => ({
    ...collection('people', person),
    'POST /people': { description, body: person, answers: { 201: person, 400: null, 409: null } },
  });

  test.each([
    { says: '409 if there is somebody with this e-mail address.', isKept: true, found: [] },
    {
      says: '409 if there is somebody with this e-mail address.',
      isKept: false,
      found: ['add another person with the same email'],
    },
    { says: 'Adds somebody.', isKept: false, found: [] },
    { says: '409 if it is in use. An e-mail address need not be unique.', isKept: false, found: [] },
  ])('is refused the second time: $says $isKept', async ({ says, isKept, found }) => {
    const service = new Service();
    service.create = (name, { email }) =>
      isKept && [...service.of(name).values()].some((each) => each['email'] === email) ? [409, {}] : undefined;
    const { result } = await run(service, people(says));
    expect(failed(result).map((line) => line.split(':')[0])).toEqual(found);
    expect(left(service)).toEqual([]);
  });
});

test('where 428 is documented, a change without a condition is refused', () => {
  const note = object({ ...ID, title: text });
  const description = smallApi({
    ...collection('notes', note),
    'PUT /notes/{id}': {
      parameters: [{ name: 'If-Match', in: 'header', required: true, schema: text }],
      body: note,
      answers: { 200: note, 404: null, 412: null, 428: null },
    },
  });
  const { api } = loadDescriptionText(description, 'notes.json');
  const steps = [...generateContracts(api, { seed: '1', families: new Set(['http']) })].flatMap(
    ({ steps: all }) => all as { name: string; parameters: object; expect: object }[],
  );
  expect(steps.filter(({ name }) => name === 'replace the note without an entity tag')).toMatchObject([
    { parameters: { id: '${noteId}' }, expect: { status: [428, 400, 412] } },
  ]);
});

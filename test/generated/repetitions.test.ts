import { loadDescriptionText } from '../../src/files/load-description';
import { generateContracts } from '../../src/generated/generate-contracts';
import { object, smallApi, text } from '../support/small-api';
import { collection, failed, ID, type Item, left, run, Service, type Sketches, told } from './reach-service';

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
    {
      says: 'The email is unique, or there is a conflict.',
      isKept: false,
      found: [],
      warned: ['add another person with the same email'],
    },
  ])('is refused the second time: $says $isKept', async ({ says, isKept, found, warned = [] }) => {
    const service = new Service();
    service.create = (name, { email }) =>
      isKept && [...service.of(name).values()].some((each) => each['email'] === email) ? [409, {}] : undefined;
    const { result } = await run(service, people(says));
    expect(told(result).filter((name) => name.startsWith('add another'))).toEqual(warned);
    expect(failed(result).map((line) => line.split(':')[0])).toEqual(found);
    expect(left(service)).toEqual([]);
  });
});

test.each([
  { isKept: true, found: [] },
  { isKept: false, found: ['change the person to the email of another one'] },
])('what there may be once is no other one by a change either: $isKept', async ({ isKept, found }) => {
  const description = '409 if there is somebody with this e-mail address.';
  const person = object({ ...ID, name: text, email: { ...text, format: 'email' } }, ['name', 'email']);
  const service = new Service();
  const isThere = ({ email }: Item, own?: Item): boolean =>
    [...service.of('people').values()].some((each) => each['email'] === email && each['id'] !== own?.['id']);
  service.create = (_name, body) => (isThere(body) ? [409, {}] : undefined);
  service.change = (name, item, body) =>
    isKept && isThere(body, item) ? [409, {}] : [200, service.store(name, { ...item, ...body }, String(item['id']))];
  const { result } = await run(service, {
    ...collection('people', person),
    'POST /people': { description, body: person, answers: { 201: person, 400: null, 409: null } },
    'PATCH /people/{id}': {
      description,
      body: object({ name: text, email: { ...text, format: 'email' } }),
      answers: { 200: person, 400: null, 404: null, 409: null },
    },
  });
  expect(failed(result).map((line) => line.split(':')[0])).toEqual(found);
  expect(left(service)).toEqual([]);
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
    { parameters: { id: '${noteId}' }, expect: { status: [428, 400, 412, 422] } },
  ]);
});

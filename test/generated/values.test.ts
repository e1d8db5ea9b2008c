import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { list, object, smallApi, text } from '../support/small-api';
import { loadDescriptionText } from '../../src/files/load-description';
import { generateContracts } from '../../src/generated/generate-contracts';
import { collection, failed, ID, type Item, run, Service, type Sketches } from './reach-service';

const CARD = {
  ...object({ ...ID, name: { ...text, minLength: 1, maxLength: 40 }, mail: { ...text, format: 'email' } }, ['name']),
  additionalProperties: false,
};
const CHANGE = {
  ...object({ name: { ...text, minLength: 1, maxLength: 40 }, mail: { ...text, format: 'email' } }),
  additionalProperties: false,
};
const SHOWN = object({ ...ID, name: text, mail: text }, ['id', 'name']);

const CARDS: Sketches = {
  ...collection('cards', SHOWN, CARD),
  'PATCH /cards/{id}': { body: CHANGE, answers: { 200: SHOWN, 400: null, 404: null, 422: null } },
};

/** Cards by their schema, but for what a test says. */
function cards(accepts: (body: Item) => boolean = () => false): Service {
  const ajv = addFormats(new Ajv2020({ strict: false }));
  const isValid = ajv.compile(CARD);
  const isChange = ajv.compile(CHANGE);
  const service = new Service();
  service.create = (name, body) =>
    isValid(body) || accepts(body) ? [201, service.store(name, { name: body['name'], mail: body['mail'] })] : [422, {}];
  service.change = (name, item, body) => {
    if (!isChange(body) && !accepts(body)) return [422, {}];
    const kept = Object.entries({ ...item, ...body }).filter(([, value]) => value !== null);
    return [200, service.store(name, Object.fromEntries(kept))];
  };
  return service;
}

test.each([
  { what: 'keeps to its description', accepts: () => false, steps: [] },
  {
    what: 'takes what nobody declares',
    accepts: (body: Item) => Object.hasOwn(body, 'standinUnknown'),
    steps: ['add a card with a property that nobody declares', 'change the card with a property that nobody declares'],
  },
  {
    what: 'takes any text for an address',
    accepts: ({ mail }: Item) => typeof mail === 'string' && !mail.includes('@') && mail !== '',
    steps: ['add a card with mail that is no email', 'change the card with mail that is no email'],
  },
  {
    what: 'takes a name away that is always there',
    accepts: (body: Item) => body['name'] === null,
    steps: ['the card is as it was'],
  },
])('a service that $what', async ({ accepts, steps }) => {
  const { result } = await run(cards(accepts), CARDS, ['negative']);
  const names = [...new Set(failed(result).map((line) => line.split(':')[0]))];
  for (const step of steps) expect(names).toContain(step);
  if (steps.length === 0) expect(names).toEqual([]);
});

test('a length counts characters', async () => {
  const service = cards();
  const { create } = service;
  service.create = (name, body) => (String(body['name']).length > 40 ? [400, {}] : create(name, body));
  const { result } = await run(service, CARDS, ['positive']);
  expect([...new Set(failed(result).map((line) => line.split(':')[0]))]).toEqual([
    'add a card with the longest name, in letters of two units each',
    'add a card with letters of many languages as name',
  ]);
});

test('what is in one thing is not in another one', async () => {
  const board = object({ ...ID, title: text });
  const pin = object({ ...ID, title: text });
  const sketches: Sketches = {
    ...collection('boards', board),
    'GET /boards/{board}/pins': { answers: { 200: { type: 'array', items: pin } } },
    'POST /boards/{board}/pins': { body: pin, answers: { 201: pin } },
    'GET /boards/{board}/pins/{id}': { answers: { 200: pin, 404: null } },
    'DELETE /boards/{board}/pins/{id}': { answers: { 204: null, 404: null } },
  };
  const pins = (isKept: boolean): Service => {
    const service = new Service();
    service.below = (above, method, name, key, body) => {
      const found = key === undefined ? undefined : service.of(name).get(key);
      const isThere = found !== undefined && (!isKept || found['board'] === above);
      if (method === 'POST') return [201, service.store(name, { ...body, board: above })];
      if (key === undefined) return [200, [...service.of(name).values()].filter((each) => each['board'] === above)];
      if (!isThere) return [404, {}];
      if (method === 'DELETE') service.of(name).delete(key);
      return method === 'DELETE' ? [204] : [200, found];
    };
    return service;
  };
  const name = 'read the pin below another board';
  for (const isKept of [true, false]) {
    const { result } = await run(pins(isKept), sketches, ['http']);
    expect(failed(result).some((line) => line.startsWith(name))).toBe(!isKept);
  }
});

describe('a text that only the service gives', () => {
  const ticket = object({ ...ID, name: text, code: { ...text, readOnly: true } }, ['id', 'name', 'code']);

  test.each([
    { what: 'is not taken', create: () => [201, {}] as const, found: [] },
    { what: 'is refused', create: ({ code }: Item) => [code === undefined ? 201 : 422, {}] as const, found: [] },
    {
      what: 'is taken',
      create: ({ code = 'X1' }: Item) => [201, { code }] as const,
      found: ['add a ticket with code, which is read-only'],
    },
  ])('$what', async ({ create, found }) => {
    const service = new Service();
    service.create = (name, body) => {
      const [status, more] = create(body);
      return status === 201 ? [201, service.store(name, { name: body['name'], code: 'X1', ...more })] : [status, {}];
    };
    const { result } = await run(service, collection('tickets', ticket), ['positive']);
    expect(failed(result).map((line) => line.split(':')[0])).toEqual(found);
  });
});

describe('what is sent', () => {
  const time = { ...text, format: 'date-time' };
  const visit = object({ ...ID, guest: text, startsAt: time, note: text }, ['guest', 'startsAt']);
  const sort = { ...text, enum: ['startsAt', '-startsAt'] };
  const q = { in: 'query', name: 'q', description: 'A text in the guest, in upper or lower case', schema: text };
  const { api } = loadDescriptionText(
    smallApi({
      ...collection('visits', visit),
      'GET /visits': {
        query: { limit: { type: 'integer', minimum: 1, maximum: 50 }, offset: { type: 'integer' }, sort },
        parameters: [q],
        answers: { 200: list(visit) },
      },
      'POST /visits': {
        description: 'A guest is unique; otherwise 409.',
        body: visit,
        answers: { 201: visit, 400: null, 409: null },
      },
      'PUT /visits/{id}': { body: visit, answers: { 200: visit, 404: null } },
    }),
    'visits.json',
  );
  const contracts = [...generateContracts(api, { seed: '1', families: new Set(['lifecycle', 'lists']) })];
  const stepsOf = (part: 'setup' | 'steps', words: RegExp): { readonly body?: Item }[] =>
    contracts.flatMap(({ [part]: steps = [] }) =>
      (steps as { name: string; body?: Item }[]).filter(({ name }) => words.test(name)),
    );

  test('differs in what a list is sorted by', () => {
    const times = stepsOf('setup', /^add a visit, \d of 3$/).map(({ body }) => body?.['startsAt']);
    expect(times).toHaveLength(3);
    expect(new Set(times).size).toBe(3);
  });

  test('in a replacement is what is required alone', () => {
    const [replaced] = stepsOf('steps', /^replace the visit by what is required alone$/);
    expect(Object.keys(replaced?.body ?? {})).toEqual(['guest', 'startsAt']);
  });

  test('for a search is a word of what it looks in, in either case', () => {
    const words = stepsOf('steps', /^search by q for /).map((step) => (step as { name?: string }).name ?? '');
    expect(words).toHaveLength(3);
    expect(words[1]).toBe(words[0]?.replace(/\w+$/, (word) => word.toUpperCase()));
  });
});

test.each([
  { keeps: (cents: number) => cents, isFound: false },
  { keeps: (cents: number) => Math.trunc((cents / 100) * 100), isFound: true },
])('a service whose cents are read as binary fractions is found: $isFound', async ({ keeps, isFound }) => {
  const fee = object({ ...ID, name: text, feeCents: { type: 'integer', minimum: 1 } }, ['name', 'feeCents']);
  const service = new Service();
  service.create = (name, body) => [201, service.store(name, { ...body, feeCents: keeps(Number(body['feeCents'])) })];
  const { result } = await run(service, collection('fees', fee), ['positive']);
  expect(failed(result).some((line) => /with \d+ as feeCents/.test(line))).toBe(isFound);
});

import { list, object, text, whole } from '../support/small-api';
import { collection, failed, ID, type Item, left, run, Service, type Sketches, told } from './reach-service';

const plan = object({ code: text, name: text, price: text }, ['code', 'name', 'price']);
const contract = object({ ...ID, plan_code: text, seats: whole }, ['plan_code']);
const CONTRACTS: Sketches = collection('contracts', contract);
const { 'DELETE /contracts/{id}': _, ...STAYING } = CONTRACTS;
const PLANS: Sketches = { 'GET /plans': { answers: { 200: list(plan) } } };

/** A service that takes only entries of a list. */
function service(name: string, property: string, entries: readonly Item[], key = 'code'): Service {
  const made = new Service();
  for (const entry of entries) made.store(name, entry, String(entry[key]));
  made.create = (_name, body) =>
    [...made.of(name).values()].some((each) => each[key] === body[property])
      ? undefined
      : [422, { message: `There is no such ${name}` }];
  return made;
}

const plans = (): Service =>
  service('plans', 'plan_code', [
    { code: 'small', name: 'Small', price: '1.00' },
    { code: 'large', name: 'Large', price: '9.00' },
  ]);

test.each([
  ['own', CONTRACTS],
  ['full', STAYING],
] as const)(
  'what names an entry of a list that clients can only read has one of it, in mode %s',
  async (mode, more) => {
    const own = plans();
    const { result, called, learnt } = await run(own, { ...PLANS, ...more }, undefined, mode);
    expect(called).toContain('POST /contracts');
    expect(failed(result)).toEqual([]);
    const made = [...own.of('contracts').values()];
    if (mode === 'full') expect(made.length).toBeGreaterThan(0);
    expect(made.filter(({ plan_code: code }) => code !== 'small')).toEqual([]);
    expect(own.calls.filter((call) => call === 'POST contracts 422').length).toBeLessThanOrEqual(1);
    expect(learnt).toBe('names in plan_code the first that GET /plans lists');
    expect([...own.of('plans').keys()]).toEqual(['small', 'large']);
  },
);

test('entries that can be read one by one are named in what stays as well', async () => {
  const own = plans();
  const one = { 'GET /plans/{code}': { answers: { 200: plan, 404: null } } };
  const { result } = await run(own, { ...PLANS, ...one, ...STAYING }, undefined, 'full');
  expect([...new Set([...own.of('contracts').values()].map(({ plan_code: code }) => code))]).toEqual(['small']);
  expect(failed(result)).toEqual([]);
});

test('an entry that nobody has is asked for as well, and taking it is told', async () => {
  const own = plans();
  own.create = () => undefined;
  const { result } = await run(own, { ...PLANS, ...CONTRACTS });
  expect(told(result)).toContain('add a contract whose plan_code nobody has');
  expect(failed(result)).toEqual([]);
  expect(left(own)).toHaveLength(2);
});

test.each([
  ['by its description', 'tariff', { type: 'string', description: 'The `code` of a plan.' }],
  ['by its name alone, once it is refused', 'plan', text],
])('a property names an entry %s', async (_told, property, schema) => {
  const own = service('plans', property, [{ code: 'small', name: 'Small', price: '1.00' }]);
  const item = object({ ...ID, [property]: schema }, [property]);
  const { result, called } = await run(own, { ...PLANS, ...collection('contracts', item) });
  expect(called).toContain('POST /contracts');
  expect(failed(result)).toEqual([]);
});

test('the entries may be plain words', async () => {
  const own = new Service();
  const item = object({ ...ID, currency_code: text }, ['currency_code']);
  own.of('currencies').set('EUR', 'EUR' as unknown as Item);
  own.create = (_name, body) => (body['currency_code'] === 'EUR' ? undefined : [422, { message: 'unknown currency' }]);
  const sketches = { 'GET /currencies': { answers: { 200: list(text) } }, ...collection('contracts', item) };
  const { called } = await run(own, sketches);
  expect(called).toContain('POST /contracts');
});

test.each([
  ['people', 'users', object({ code: text, name: text }), {}],
  ['what may be sold out', 'sizes', object({ code: text, stock: whole }), {}],
  ['what reaches somebody', 'payment-methods', object({ code: text }), {}],
  ['what can be written', 'sizes', object({ code: text }), { 'POST /sizes': { body: object({ code: text }) } }],
  ['what no kind of choice is', 'boats', object({ code: text }), {}],
] as const)('%s: none of others is named in what stays', async (_what, name, entry, more) => {
  const property = `${name.replaceAll('-', '_').slice(0, -1)}_code`;
  const own = service(name, property, [{ code: 'theirs' }]);
  const item = object({ ...ID, [property]: text }, [property]);
  const { [`DELETE /contracts/{id}`]: __, ...staying } = collection('contracts', item);
  await run(own, { [`GET /${name}`]: { answers: { 200: list(entry) } }, ...staying, ...more }, undefined, 'full');
  expect([...own.of('contracts').values()].filter((each) => each[property] === 'theirs')).toEqual([]);
});

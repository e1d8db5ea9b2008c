import { list, object, text } from '../support/small-api';
import { collection, failed, ID, run, Service } from './reach-service';

const priced = (price: object): object => object({ ...ID, title: text, price }, ['title', 'price']);

test.each([
  ['^[0-9]{1,4}\\.[0-9]{2}$', /^[0-9]{1,4}\.[0-9]{1,2}$/, ['add a book with price without its last character']],
  ['^[0-9]{1,4}\\.[0-9]{2}$', /^[0-9]{1,4}\.[0-9]{2,}$/, ['add a book with price and one character more']],
  ['^[0-9]{1,4}\\.[0-9]{2}$', /^[0-9]{1,4}\.[0-9]{2}$/, []],
  // One that says nothing of the whole text.
  ['[0-9]{2}', /[0-9]/, []],
])('a service for which %s is %s', async (pattern, taken, expected) => {
  const service = new Service();
  // Without a body there is no media type that would be a right one.
  service.before = (_, __, headers) => (headers['content-type'] === undefined ? [415, {}] : undefined);
  service.create = (_, { price, title }) =>
    typeof price === 'string' && taken.test(price) && typeof title === 'string' ? undefined : [400, {}];
  const book = priced({ ...text, pattern });
  const { result } = await run(
    service,
    {
      'GET /books': { answers: { 200: list(book) } },
      'POST /books': { body: book, answers: { 201: book, 400: null } },
      'GET /books/{id}': { answers: { 200: book, 404: null } },
      'DELETE /books/{id}': { answers: { 204: null, 404: null } },
    },
    ['negative'],
  );
  const names = new Set(
    failed(result)
      .filter((line) => /character|without a body/.test(line))
      .map((line) => line.split(':')[0]),
  );
  expect([...names]).toEqual(expected);
});

test('one thing that is named twice is named twice, by its key', async () => {
  const service = new Service();
  const named: unknown[][] = [];
  service.create = (name, { depotIds }) => {
    if (name !== 'lots' || !Array.isArray(depotIds)) return undefined;
    named.push(depotIds);
    return new Set(depotIds).size === depotIds.length ? undefined : [400, {}];
  };
  const depot = object({ ...ID, name: text }, ['name']);
  const lot = object({ ...ID, depotIds: { ...list(text), uniqueItems: true } }, ['depotIds']);
  const { result } = await run(service, { ...collection('depots', depot), ...collection('lots', lot) }, ['negative']);
  expect(failed(result).filter((line) => line.includes('twice'))).toEqual([]);
  expect(named.some(([first, second, ...more]) => first !== undefined && first === second && more.length === 0)).toBe(
    true,
  );
});

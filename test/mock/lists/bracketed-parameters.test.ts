import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument } from '../behaviours/small-mock';

// Objects of the style `deepObject`: `filter[name]=a&sort[by]=name&page[size]=2`.

const id = { ...whole, readOnly: true };
const inBrackets = (name: string, properties: Record<string, object>): object => ({
  name,
  in: 'query',
  style: 'deepObject',
  explode: true,
  schema: { ...object(properties), additionalProperties: false },
});

const BOATS = [
  { name: 'Fram', length: 39, emails: [{ email: 'ole@example.com' }] },
  { name: 'Maud', length: 36, emails: [{ email: 'ada@example.com' }] },
  { name: 'Gjøa', length: 21, emails: [{ email: 'ole@example.com' }] },
];

function boats(...parameters: object[]): ReturnType<typeof mockOfDocument> {
  return mockOfDocument(
    smallApi(
      {
        'GET /boats': { parameters, answers: { 200: list(ref('Boat')) } },
        'POST /boats': { body: ref('Boat'), answers: { 201: ref('Boat') } },
      },
      { Boat: object({ id, name: text, length: whole, emails: list(object({ email: text })) }, ['name']) },
    ),
  );
}

test.each([
  ['filter[name]=Maud', ['Maud']],
  ['filter[email]=ole@example.com', ['Fram', 'Gjøa']],
  ['filter[length]=21', ['Gjøa']],
  ['filter[min_length]=36&filter[email]=ole@example.com', ['Fram']],
  ['filter[colour]=red', ['Fram', 'Maud', 'Gjøa']],
  ['sort[by]=length', ['Gjøa', 'Maud', 'Fram']],
  ['sort[by]=name&sort[direction]=desc', ['Maud', 'Gjøa', 'Fram']],
  ['sort[direction]=desc&sort[by]=length&filter[email]=ole@example.com', ['Fram', 'Gjøa']],
  ['page[size]=2', ['Fram', 'Maud']],
  ['page[size]=2&page[number]=2', ['Gjøa']],
])('%s gives %j', async (query, names) => {
  const { send } = boats(
    inBrackets('filter', { name: text, email: text, length: whole, min_length: whole, colour: text }),
    inBrackets('sort', { by: { ...text, enum: ['name', 'length'] }, direction: { ...text, enum: ['asc', 'desc'] } }),
    inBrackets('page', { size: whole, number: whole }),
  );
  for (const boat of BOATS) await send('POST', '/boats', boat);
  const { body } = await send('GET', `/boats?${query}`);
  expect((body as unknown as { name: string }[]).map(({ name }) => name)).toEqual(names);
});

test('what excludes no item is said', async () => {
  const { send } = boats(inBrackets('filter', { colour: text }));
  const { headers } = await send('GET', '/boats?filter[colour]=red');
  expect(headers['x-standin-problem']).toMatch(/not_filtered: "filter\[colour\]" excludes no item/);
});

test('an object that is a property of the items is compared as a whole, or not at all', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /boats': { parameters: [inBrackets('page', { name: text })], answers: { 200: list(ref('Boat')) } },
        'POST /boats': { body: ref('Boat'), answers: { 201: ref('Boat') } },
      },
      { Boat: object({ id, name: text, page: object({ name: text }) }, ['name']) },
    ),
  );
  await send('POST', '/boats', { name: 'Fram' });
  expect((await send('GET', '/boats?page[name]=Maud')).body).toHaveLength(1);
});

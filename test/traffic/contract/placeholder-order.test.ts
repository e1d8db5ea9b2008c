import { smallApi, text as TEXT } from '../../support/small-api';
import { exchange } from '../recorded';
import { contractOf } from './derived';

const ID = { type: 'integer', readOnly: true };
const CATEGORY = { type: 'object', properties: { id: ID, name: TEXT } };
const PET = { type: 'object', properties: { id: ID, name: TEXT, categoryId: { type: 'integer' } } };
const KEYS = { categoryId: { type: 'integer' }, petId: { type: 'integer' } };
const PETS = smallApi(
  {
    'GET /categories': { answers: { 200: { type: 'array', items: CATEGORY } } },
    'POST /categories': { body: CATEGORY, answers: { 201: CATEGORY } },
    'GET /categories/{categoryId}': { answers: { 200: CATEGORY } },
    'DELETE /categories/{categoryId}': { answers: { 204: null } },
    'POST /pets': { body: PET, answers: { 201: PET } },
    'GET /pets/{petId}': { answers: { 200: PET } },
    'DELETE /pets/{petId}': { answers: { 204: null } },
  },
  {},
  KEYS,
);

test('placeholders are numbered in the order in which the file shows them', () => {
  const [rex, tom] = [
    { name: 'Rex', categoryId: 51 },
    { name: 'Tom', categoryId: 52 },
  ];
  const text = contractOf(
    [
      exchange('GET /categories', { answered: [{ id: 51, name: 'Dogs' }] }),
      exchange('POST /categories', { sent: { name: 'Cats' }, status: 201, answered: { id: 52, name: 'Cats' } }),
      exchange('POST /pets', { sent: rex, status: 201, answered: { id: 61, ...rex } }),
      exchange('POST /pets', { sent: tom, status: 201, answered: { id: 62, ...tom } }),
      exchange('DELETE /categories/52', { status: 204 }),
    ],
    PETS,
  );
  const captured = [...text.matchAll(/capture: \{ (\w*): /g)].map(([, name]) => name);
  expect(captured).toEqual(['categoryId', 'categoryId_2', 'petId', 'petId_2']);
  expect(text).toMatch(/# categoryId_2: .*\n +capture: \{ categoryId_2:/);
  expect(text).toMatch(/body: \{ name: '?Rex.*, categoryId: '\$\{categoryId\}' \}/);
  expect(text).toMatch(/body: \{ name: '?Tom.*, categoryId: '\$\{categoryId_2\}' \}/);
  expect(text).toMatch(/operation: DELETE .*\n +parameters: \{ categoryId: '\$\{categoryId_2\}' \}/);
});

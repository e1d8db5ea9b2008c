import request from 'supertest';
import { documentedOrder } from '../../src/lists/documented-order';
import type { Property } from '../../src/openapi/model/operation';
import { serveText } from '../support/serve-text';

const MEMBERS = new Map<string, Property>(
  ['id', 'created', 'updated_at'].map((name) => [
    name,
    { name, schema: {}, pointer: '', required: false, readOnly: false, writeOnly: false },
  ]),
);
const told = (description: string) => documentedOrder({ summary: '', description }, MEMBERS);

describe('the order that words tell', () => {
  test.each([
    ['The notes are returned sorted by creation date, with the most recent notes appearing first.', 'created', true],
    ['Returns <b>the newest notes first</b>.', 'created', true],
    ['Notes are listed in reverse chronological order.', 'created', true],
    ['Sorted in descending order by creation date.', 'created', true],
    ['Most recently updated notes first.', 'updated_at', true],
    ['Notes appear in chronological order.', 'created', false],
    ['The oldest notes come first.', 'created', false],
    ['Ordered by creation time, ascending.', 'created', false],
  ])('%s', (text, member, descending) => {
    expect(told(text)).toMatchObject({ property: member, descending });
  });

  test.each([
    ['Returns the notes.'],
    ['The notes can be sorted with the newest first.'],
    ['If order is desc, the newest notes come first.'],
    ['The newest notes come first. The oldest notes come first.'],
    ['Sorted in descending order by size.'],
    ['Returns the first page of the latest release notes'],
  ])('nothing certain: %s', (text) => {
    expect(told(text)).toBeUndefined();
  });
});

const NOTE =
  '{ type: object, required: [id], properties: { id: { type: string }, text: { type: string }, created: { type: integer, format: unix-time } } }';
const PAGE = `{ type: object, required: [data, has_more], properties: { data: { type: array, items: ${NOTE} }, has_more: { type: boolean } } }`;
const DOCUMENT = `openapi: 3.0.3
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    get:
      description: The notes are returned in sorted order, with the most recent notes appearing first.
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: starting_after, in: query, description: The id of a note, schema: { type: string } }
      responses: { '200': { description: ok, content: { application/json: { schema: ${PAGE} } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { text: { type: string } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: ${NOTE} } } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: ${NOTE} } } } } }
    delete: { responses: { '204': { description: gone } } }
`;

test('the last made is the first of a list that says so, in pages too, though all were made in one second', async () => {
  const app = await serveText(DOCUMENT, { clock: new Date('2031-01-01T00:00:00Z') });
  for (let index = 1; index <= 12; index++)
    await request(app)
      .post('/notes')
      .send({ text: `n${index}` })
      .expect(201);
  const seen: string[] = [];
  let after = '';
  for (let page = 0; page < 5; page++) {
    const { body } = await request(app).get(`/notes?limit=5${after}`).expect(200);
    const { data, has_more } = body as { data: { id: string; text: string }[]; has_more: boolean };
    seen.push(...data.map(({ text }) => text));
    if (!has_more) break;
    after = `&starting_after=${data.at(-1)?.id ?? ''}`;
  }
  expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => `n${12 - index}`));
});

import type { CleanExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { smallApi, text as TEXT } from '../../support/small-api';
import { exchange } from '../recorded';
import { contractOf } from './derived';

function namesOf(text: string): string[] {
  return [...text.matchAll(/- name: (.*)/g)].map(([, name = '']) => name);
}

test('lists are named by what not every one of them is asked for', () => {
  const pets = [{ id: 1 }];
  const text = contractOf([
    exchange('GET /pets?all=true&deep=false', { answered: pets }),
    exchange('GET /pets?all=true&deep=false&owner=ada', { answered: pets }),
    exchange('GET /pets?all=true&deep=true', { answered: pets }),
    exchange('GET /pets/1', { answered: { id: 1 } }),
  ]);
  expect(namesOf(text)).toEqual([
    'list pets with deep false',
    'list pets with deep false, owner ada',
    'list pets with deep true',
    'read a pet',
  ]);
});

test('lists of other words stay apart', () => {
  const text = contractOf([
    exchange('GET /pets?status=sold', { answered: [{ id: 1 }] }),
    exchange('GET /pets?status=pending', { answered: [{ id: 1 }] }),
    exchange('GET /pets/1', { answered: { id: 1 } }),
  ]);
  expect(namesOf(text).slice(0, 2)).toEqual(['list pets with status sold', 'list pets with status pending']);
});

test('a single list is named by what it is asked for', () => {
  const text = contractOf([
    exchange('GET /pets?status=sold', { answered: [{ id: 1 }] }),
    exchange('GET /pets/1', { answered: { id: 1 } }),
  ]);
  expect(namesOf(text)[0]).toBe('list pets with status sold');
});

const NOTE = {
  type: 'object',
  properties: { id: { type: 'integer', readOnly: true }, title: { type: 'string' }, done: { type: 'boolean' } },
};
const COUNT = { type: 'integer', minimum: 1 };
const NOTES = smallApi({
  'GET /notes': {
    query: { page: COUNT, limit: COUNT, q: TEXT, sort: TEXT, title: TEXT },
    answers: { 200: { type: 'array', items: NOTE } },
  },
  'POST /notes': { body: NOTE, answers: { 201: NOTE } },
  'GET /notes/{noteId}': { answers: { 200: NOTE, 404: null } },
  'PATCH /notes/{noteId}': { body: NOTE, answers: { 200: NOTE } },
  'PUT /notes/{noteId}': { body: NOTE, answers: { 200: NOTE } },
  'DELETE /notes/{noteId}': { answers: { 204: null } },
});
const note = { id: 7, title: 'Tea', done: false };
const stepsOf = (...exchanges: CleanExchange[]): string[] => namesOf(contractOf(exchanges, NOTES));
const list = (query = '', answered: unknown[] = [note]): CleanExchange => exchange(`GET /notes${query}`, { answered });

test('a list is named by its order, its page and what is searched in it', () => {
  const queries = ['', '?sort=title', '?sort=-title', '?limit=5', '?page=2&limit=5', '?q=tea', '?q=tea&page=2'];
  expect(stepsOf(...queries.map((query) => list(query)))).toEqual([
    'list notes',
    'list notes sorted by title',
    'list notes sorted by title, descending',
    'list the first 5 notes',
    'list page 2 of the notes',
    'search notes for tea',
    'search notes for tea, page 2',
  ]);
});

const made = exchange('POST /notes', { sent: { title: 'Tea' }, status: 201, answered: note });
const read = exchange('GET /notes/7', { answered: note });
const renamed = { ...note, title: 'Milk' };
const changed = exchange('PATCH /notes/7', { sent: { title: 'Milk' }, answered: renamed });
const replaced = exchange('PUT /notes/7', { sent: { title: 'Milk', done: false }, answered: renamed });
const removed = exchange('DELETE /notes/7', { status: 204 });

test('what is looked at again is told apart by what the session changed since', () => {
  expect(
    stepsOf(list('', []), made, list(), read, changed, read, list(), replaced, read, removed, list('', []), list('')),
  ).toEqual([
    'list notes',
    'add a note',
    'list notes after the note was added',
    'read the note',
    "'change the note: title'",
    'read the note after the change of title',
    'list notes after the change of title',
    'replace the note',
    'read the note after it was replaced',
    'remove the note',
    'list notes after the note was removed',
    'list notes (2)',
  ]);
});

test('one more look does not rename those behind it', () => {
  const before = stepsOf(list('', []), made, list(), changed, list(), read);
  const after = stepsOf(list('', []), made, list(), changed, list(), list('', [renamed]), read);
  expect(after.filter((name) => !before.includes(name))).toHaveLength(1);
  expect(before.filter((name) => !after.includes(name))).toEqual([]);
});

test('steps of the cleanup have names', () => {
  const second = exchange('POST /notes', { sent: { title: 'Rice' }, status: 201, answered: { ...note, id: 8 } });
  const all = stepsOf(made, second, read);
  expect(all.slice(-2)).toEqual(['remove the note', 'remove the second note']);
});

import { violateSchema } from '../../../src/mock/faults/violate';
import type { JsonObject } from '../../../src/core/json/json-value';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import { parsePointer } from '../../../src/core/json/json-pointer';
import type { Breach } from '../../../src/mock/faults/violate';
import { loadText } from '../../openapi/load-text';

const { api } = loadText(`openapi: 3.0.3
info: { title: Shelf, version: 1.0.0 }
paths: {}
components:
  schemas:
    Shelf:
      type: object
      additionalProperties: false
      required: [id, books]
      properties:
        id: { type: integer, format: int64 }
        level: { type: integer, enum: [1, 2] }
        note: {}
        books:
          type: array
          items:
            type: object
            required: [title]
            properties: { title: { type: string }, 'a/b': { type: string, enum: [x] } }
`);
const validate = api.schemaAt('/components/schemas/Shelf')!.validate('response');
const SHELF = { id: 9007199254740993n, level: 1, note: 'n', books: [{ title: 'T', 'a/b': 'x' }, { title: 'U' }] };

function broken(pointer: string, breach: Breach): string {
  const violated = violateSchema(SHELF, parsePointer(pointer), breach, validate);
  return violated.kind === 'missed' ? violated.reason : stringifyJson(violated.value);
}

test.each<{ pointer: string; breach: Breach; want: string }>([
  { pointer: '', breach: 'extra', want: '"standinExtra":true' },
  { pointer: '/books/0', breach: 'extra', want: 'the schema allows it' },
  { pointer: '/id', breach: 'extra', want: '/id is no object' },
  { pointer: '/books/-/title', breach: 'missing', want: '"books":[{"a/b":"x"},{}]' },
  { pointer: '/books/1/title', breach: 'missing', want: '"books":[{"title":"T","a/b":"x"},{}]' },
  { pointer: '/books/-/a~1b', breach: 'enum', want: '"a/b":"x-not-in-enum"},{"title":"U"}]' },
  { pointer: '/level', breach: 'enum', want: '"level":987654321' },
  { pointer: '/level', breach: 'missing', want: 'the schema allows it' },
  { pointer: '/note', breach: 'type', want: 'the schema allows it' },
  { pointer: '/id', breach: 'type', want: '{"id":"standin"' },
  { pointer: '', breach: 'type', want: '"standin"' },
  { pointer: '', breach: 'missing', want: 'the whole body cannot be left out' },
  { pointer: '/books', breach: 'enum', want: '/books is no string, number or boolean' },
  { pointer: '/books/01/title', breach: 'missing', want: 'not in this response' },
])('$breach at "$pointer" gives $want', ({ pointer, breach, want }) => {
  expect(broken(pointer, breach)).toContain(want);
});

test('digits beyond 2^53 stay', () => {
  expect(broken('/books/0/title', 'missing')).toContain('"id":9007199254740993');
});

test('what was broken before is not claimed once more', () => {
  const without: JsonObject = { level: 1, note: 'n', books: [] };
  expect(violateSchema(without, ['level'], 'missing', validate)).toMatchObject({ kind: 'missed' });
  expect(violateSchema(without, ['books'], 'missing', validate)).toMatchObject({ kind: 'violated' });
});

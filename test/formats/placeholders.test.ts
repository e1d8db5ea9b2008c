import type { JsonValue } from '../../src/core/json/json-value';
import { fillPlaceholders, placeholdersIn } from '../../src/formats/contract/placeholders';

const VALUES = new Map<string, JsonValue>([
  ['id', 9007199254740993n],
  ['zero', 0],
  ['empty', ''],
  ['no', false],
  ['name', 'Zoë'],
  ['item', { a: [1] }],
]);

test.each<{ value: JsonValue; want: JsonValue }>([
  { value: '${id}', want: 9007199254740993n },
  { value: '${zero}', want: 0 },
  { value: '${empty}', want: '' },
  { value: '${no}', want: false },
  { value: '${item}', want: { a: [1] } },
  { value: 'pet ${id} is ${name}', want: 'pet 9007199254740993 is Zoë' },
  { value: '${id}${zero}', want: '90071992547409930' },
  { value: '${no}: ${item}', want: 'false: {"a":[1]}' },
  { value: '$${id}', want: '${id}' },
  { value: 'a $${b} ${zero}', want: 'a ${b} 0' },
  { value: ['${zero}', { a: '${name}' }, null, 1], want: [0, { a: 'Zoë' }, null, 1] },
  { value: { '${name}': '$' }, want: { '${name}': '$' } },
])('$value becomes $want', ({ value, want }) => {
  expect(fillPlaceholders(value, VALUES)).toEqual(want);
});

test('placeholders are found with the pointer of their string; an escaped one is none', () => {
  expect(placeholdersIn({ a: ['${x}', 'y ${z} ${x}'], 'b/c': '$${x}' }, '/body')).toEqual([
    { name: 'x', pointer: '/body/a/0' },
    { name: 'z', pointer: '/body/a/1' },
    { name: 'x', pointer: '/body/a/1' },
  ]);
});

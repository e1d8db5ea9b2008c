import { LazyJsonPositions } from '../../../src/core/json/json-positions';
import { locateJson } from '../../support/locate-json';
import { parseJsonWithPositions } from '../../../src/core/json/parse-json';

const TEXT = `\uFEFF{
  "a": [1, {"b": "}\\"]\\\\"}, [], -2.5e3, true],
  "c/d": { "e~": null , "": {"x": 1}},
  "\\u0066": "text, with { and [",
  "deep": {"er": {"than": {"the": [{"outline": 1}, 2]}}},
  "last": 7
}`;

const POINTERS = [
  '',
  '/a',
  '/a/0',
  '/a/1',
  '/a/1/b',
  '/a/2',
  '/a/3',
  '/a/4',
  '/c~1d',
  '/c~1d/e~0',
  '/c~1d//x',
  '/f',
  '/deep',
  '/deep/er',
  '/deep/er/than',
  '/deep/er/than/the',
  '/deep/er/than/the/0/outline',
  '/deep/er/than/the/1',
  '/last',
];

test.each(POINTERS)('the value at "%s" stands where the scanner of the whole text finds it', (pointer) => {
  expect(new LazyJsonPositions(TEXT).nearest(pointer)).toStrictEqual(locateJson(TEXT, pointer));
});

test('places are the same when the reader has noted the outline of the text', () => {
  const { positions } = parseJsonWithPositions(TEXT);
  expect(POINTERS.map((pointer) => positions.nearest(pointer))).toStrictEqual(
    POINTERS.map((pointer) => locateJson(TEXT, pointer)),
  );
});

test('of a text with more members than are noted, each place is found', () => {
  const members = Array.from({ length: 60_000 }, (_, index) => `"${index}": [{}, ${index}]`);
  const text = `{"few": {"a": 1},\n"many": {${members.join(',\n')}},\n"last": [0, 1]}`;
  const { positions } = parseJsonWithPositions(text);
  const pointers = ['/few/a', '/many/0', '/many/59999/1', '/last/1', '/none'];
  expect(pointers.map((pointer) => positions.nearest(pointer).line)).toStrictEqual([1, 2, 60_001, 60_002, 1]);
});

test.each([
  { pointer: '/a/9', parent: '/a' },
  { pointer: '/none/deep', parent: '' },
  { pointer: '/last/below', parent: '/last' },
])('what is not there, $pointer, stands where $parent does', ({ pointer, parent }) => {
  expect(new LazyJsonPositions(TEXT).nearest(pointer)).toStrictEqual(locateJson(TEXT, parent));
});

test('a scalar is the whole text', () => {
  expect(new LazyJsonPositions(' 12').nearest('/a')).toMatchObject({ line: 1, column: 2 });
});

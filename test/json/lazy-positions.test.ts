import { LazyJsonPositions } from '../../src/json/lazy-positions';
import { locateJson } from '../../src/json/locate-json';

const TEXT = `\uFEFF{
  "a": [1, {"b": "}\\"]\\\\"}, [], -2.5e3, true],
  "c/d": { "e~": null , "": {"x": 1}},
  "\\u0066": "text, with { and [",
  "last": 7
}`;

test.each([
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
  '/last',
])('the value at "%s" stands where the scanner of the whole text finds it', (pointer) => {
  expect(new LazyJsonPositions(TEXT).nearest(pointer)).toStrictEqual(locateJson(TEXT, pointer));
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

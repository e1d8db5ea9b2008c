import { ExactNumber } from '../../../src/core/json/exact-number';
import type { JsonValue } from '../../../src/core/json/json-value';
import { parseJson } from '../../../src/core/json/parse-json';
import { stringifyJson, stringifyJsonPretty } from '../../../src/core/json/stringify-json';

const withUndefined = { a: undefined, b: 1 } as unknown as JsonValue;
const EXACT_ONE = new ExactNumber('1.0');

describe('stringifyJson', () => {
  it.each<[JsonValue]>([
    [null],
    [true],
    [0],
    [-0],
    [1e21],
    [1e-7],
    [''],
    ['"\\/\b\f\n\r\t\u0000\u001f\u007f\u2028é😀'],
    ['\ud800'],
    ['\udc00\ud800'],
    ['x\ud83d\ude00\ud83dx'],
    [[]],
    [{}],
    [[[], {}, [1, [2]]]],
    [{ a: 1, 'b"': [true, { c: null }], '\ud800': '\n' }],
    [NaN],
    [withUndefined],
  ])('writes %j as JSON.stringify does, also next to a number that JSON.stringify cannot write', (value) => {
    const native = JSON.stringify(value);
    expect(stringifyJson(value)).toBe(native);
    expect(stringifyJson([value, EXACT_ONE])).toBe(`[${native},1.0]`);
    expect(stringifyJson({ v: value, n: 1n })).toBe(`{"v":${native},"n":1}`);
    expect(stringifyJsonPretty([value, EXACT_ONE], 2)).toBe(
      JSON.stringify([value, 1], null, 2).replace(/1\n\]$/, '1.0\n]'),
    );
  });

  it.each(['9007199254740993', '9223372036854775807', '-9223372036854775808', '2.50', '1e400', '-0', '1.0'])(
    'writes the digits of %s as they were read',
    (lexeme) => {
      expect(stringifyJson(parseJson(lexeme))).toBe(lexeme);
      expect(stringifyJson(parseJson(`{"a":[{"b":${lexeme}}]}`))).toBe(`{"a":[{"b":${lexeme}}]}`);
    },
  );

  it('writes own members named like inherited ones', () => {
    const text = '{"__proto__":{"constructor":1},"toString":2}';
    expect(stringifyJson(parseJson(text))).toBe(text);
    expect(stringifyJson(parseJson(`[1.0,${text}]`))).toBe(`[1.0,${text}]`);
  });

  it('writes a member called toJSON like any other', () => {
    expect(stringifyJson(parseJson('{"toJSON":1}'))).toBe('{"toJSON":1}');
    expect(stringifyJson(parseJson('{"toJSON":1.0}'))).toBe('{"toJSON":1.0}');
  });
});

describe('stringifyJsonPretty', () => {
  it('puts every member and element on its own line', () => {
    const value = parseJson('{"id":9007199254740993,"lines":[{"price":2.50}],"none":[],"empty":{}}');
    expect(stringifyJsonPretty(value)).toBe(
      [
        '{',
        '  "id": 9007199254740993,',
        '  "lines": [',
        '    {',
        '      "price": 2.50',
        '    }',
        '  ],',
        '  "none": [],',
        '  "empty": {}',
        '}',
      ].join('\n'),
    );
  });

  it.each([1, 2, 10])('indents by %i like JSON.stringify', (indent) => {
    const value = { a: [1, { b: 'c' }], d: {} };
    const native = JSON.stringify({ ...value, z: 7 }, null, indent);
    expect(stringifyJsonPretty({ ...value, z: 7 }, indent)).toBe(native);
    expect(stringifyJsonPretty({ ...value, z: 7n }, indent)).toBe(native);
  });
});

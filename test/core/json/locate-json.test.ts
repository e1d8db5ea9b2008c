import fc from 'fast-check';
import { getAtPointer, joinPointer } from '../../../src/core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../../src/core/json/json-value';
import { documentOrder, JsonPositions, locateJson } from '../../support/locate-json';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import { jsonValue } from './arbitrary-json';

const TEXT = `{
  "id": 9007199254740993,
  "lines": [
    { "sku": "A", "price": 2.50 },
    [ ]
  ],\r
  "a/b": { "~": null, "": true }
}`;

function pointersOf(value: JsonValue, pointer = ''): string[] {
  if (Array.isArray(value)) {
    return [pointer, ...value.flatMap((item, index) => pointersOf(item, joinPointer(pointer, index)))];
  }
  if (!isJsonObject(value)) return [pointer];
  return [pointer, ...Object.keys(value).flatMap((name) => pointersOf(value[name]!, joinPointer(pointer, name)))];
}

describe('locateJson', () => {
  it.each([
    ['', 1, 1],
    ['/id', 2, 9],
    ['/lines', 3, 12],
    ['/lines/0', 4, 5],
    ['/lines/0/price', 4, 28],
    ['/lines/1', 5, 5],
    ['/a~1b/~0', 7, 17],
    ['/a~1b/', 7, 27],
  ])('finds the value at "%s"', (pointer, line, column) => {
    expect(locateJson(TEXT, pointer)).toMatchObject({ line, column });
  });

  it('finds member names', () => {
    expect(locateJson(TEXT, '/lines/0/price', { key: true })).toStrictEqual({ offset: 59, line: 4, column: 19 });
    expect(TEXT.startsWith('"price"', 59)).toBe(true);
    expect(locateJson(TEXT, '/a~1b', { key: true })).toMatchObject({ line: 7, column: 3 });
  });

  it('knows no name for the root and for array elements', () => {
    expect(locateJson(TEXT, '', { key: true })).toBeUndefined();
    expect(locateJson(TEXT, '/lines/0', { key: true })).toBeUndefined();
  });

  it.each(['/nothing', '/lines/2', '/lines/00', '/lines/-', '/id/0', '/lines/0/sku/0', '/toString', '/__proto__'])(
    'finds nothing at %s',
    (pointer) => {
      expect(locateJson(TEXT, pointer)).toBeUndefined();
    },
  );

  it('finds members named like those every object inherits', () => {
    expect(locateJson('{"__proto__":{"constructor":1}}', '/__proto__/constructor')?.offset).toBe(28);
  });

  it('counts a byte order mark in offsets and not in columns', () => {
    expect(locateJson('\uFEFF[1]', '/0')).toStrictEqual({ offset: 2, line: 1, column: 2 });
  });

  it('knows a faulty text up to its first error', () => {
    expect(locateJson('{"a":1,"b":{"c":x}}', '/a')?.offset).toBe(5);
    expect(locateJson('{"a":1,"b":{"c":x}}', '/b')?.offset).toBe(11);
    expect(locateJson('{"a":1,"b":x,"c":1}', '/c')).toBeUndefined();
    expect(locateJson('{"a"', '')?.offset).toBe(0);
    expect(locateJson('{"a":', '/a', { key: true })?.offset).toBe(1);
    expect(locateJson('{"a":1,"a":2}', '/a')?.offset).toBe(5);
  });

  it('refuses what is not a JSON pointer', () => {
    expect(() => locateJson(TEXT, 'id')).toThrow(SyntaxError);
  });

  it('finds every value of any text', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const text = stringifyJson(value);
        const positions = new JsonPositions(text);
        return pointersOf(value).every((pointer) => {
          const member = getAtPointer(value, pointer);
          const offset = positions.locate(pointer)?.offset;
          return member !== undefined && offset !== undefined && text.startsWith(stringifyJson(member), offset);
        });
      }),
    );
  });
});

describe('documentOrder', () => {
  it('sorts pointers by where their values stand', () => {
    expect(documentOrder(TEXT, ['/a~1b/', '/lines/1', '/id', '/lines/0/price', '/lines', ''])).toStrictEqual([
      '',
      '/id',
      '/lines',
      '/lines/0/price',
      '/lines/1',
      '/a~1b/',
    ]);
  });

  it('puts a value the text does not have right after its nearest container', () => {
    expect(
      documentOrder(TEXT, ['/a~1b', '/zip', '/lines/0/tax/rate', '/lines/0', '/lines/1', '/lines/0/sku']),
    ).toStrictEqual(['/zip', '/lines/0', '/lines/0/tax/rate', '/lines/0/sku', '/lines/1', '/a~1b']);
  });

  it('keeps the given order among equals and leaves its argument alone', () => {
    const pointers = ['/y', '/x', '/id'];
    expect(documentOrder(TEXT, pointers)).toStrictEqual(['/y', '/x', '/id']);
    expect(documentOrder('', ['/b', '/a'])).toStrictEqual(['/b', '/a']);
    expect(pointers).toStrictEqual(['/y', '/x', '/id']);
  });

  it('orders members by the text even where objects put integer names first', () => {
    expect(documentOrder('{"b":1,"1":2,"a":3}', ['/a', '/1', '/b'])).toStrictEqual(['/b', '/1', '/a']);
  });
});

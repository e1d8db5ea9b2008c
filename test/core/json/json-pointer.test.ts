import fc from 'fast-check';
import {
  escapeSegment,
  getAtPointer,
  joinPointer,
  parentPointer,
  parsePointer,
  unescapeSegment,
} from '../../../src/core/json/json-pointer';
import { parseJson } from '../../../src/core/json/parse-json';
import { anyCharacter } from '../../support/any-character';

// The document of RFC 6901 section 5.
const DOCUMENT = parseJson(
  String.raw`{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}`,
);

describe('JSON pointers', () => {
  it.each([
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('reach the value at %s', (pointer, value) => {
    expect(getAtPointer(DOCUMENT, pointer)).toStrictEqual(value);
  });

  it('reach the whole document with the empty pointer', () => {
    expect(getAtPointer(DOCUMENT, '')).toBe(DOCUMENT);
  });

  it.each([
    '/bar',
    '/foo/2',
    '/foo/-',
    '/foo/00',
    '/foo/01',
    '/foo/1e0',
    '/foo/length',
    '/foo/0/0',
    '/toString',
    '/__proto__',
  ])('reach nothing at %s', (pointer) => {
    expect(getAtPointer(DOCUMENT, pointer)).toBeUndefined();
  });

  it('reach own members named like inherited ones, and nothing inside numbers', () => {
    expect(getAtPointer(parseJson('{"__proto__":{"a":1}}'), '/__proto__/a')).toBe(1);
    expect(getAtPointer(parseJson('{"n":2.50}'), '/n/lexeme')).toBeUndefined();
    expect(getAtPointer(null, '/a')).toBeUndefined();
  });

  it.each([
    ['a/b', 'a~1b'],
    ['m~n', 'm~0n'],
    ['~1', '~01'],
    ['/~/~', '~1~0~1~0'],
    ['', ''],
    ['plain', 'plain'],
  ])('escape %j as %j', (segment, escaped) => {
    expect(escapeSegment(segment)).toBe(escaped);
    expect(unescapeSegment(escaped)).toBe(segment);
  });

  it('are joined from names and indexes', () => {
    expect(joinPointer(joinPointer(joinPointer('', 'a/b'), 0), '')).toBe('/a~1b/0/');
  });

  it.each([
    ['', undefined],
    ['/a', ''],
    ['/', ''],
    ['/a/b~1c', '/a'],
    ['/a/', '/a'],
  ])('have parents: that of %j is %j', (pointer, parent) => {
    expect(parentPointer(pointer)).toBe(parent);
  });

  it.each([
    ['a', 'JSON pointer "a" does not start with "/": expected "" or "/…"'],
    ['#/a', 'JSON pointer "#/a" does not start with "/": expected "" or "/…"'],
    ['/a~', 'JSON pointer "/a~" has a bare "~": expected "~0" or "~1"'],
    ['/~2', 'JSON pointer "/~2" has a bare "~": expected "~0" or "~1"'],
  ])('are refused when malformed: %s', (pointer, message) => {
    expect(() => parsePointer(pointer)).toThrow(new SyntaxError(message));
    expect(() => getAtPointer(DOCUMENT, pointer)).toThrow(SyntaxError);
  });

  it('come apart into the segments they were joined from', () => {
    const segment = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom('~', '/', '0', '1') }),
    );
    fc.assert(
      fc.property(fc.array(segment), (segments) => {
        const pointer = segments.reduce((parent, name) => joinPointer(parent, name), '');
        expect(parsePointer(pointer)).toStrictEqual(segments);
      }),
    );
  });
});

import fc from 'fast-check';
import { isJsonMediaType, isUtf8MediaType, matchMediaType, parseMediaType } from '../../../src/core/http/media-type';
import { anyCharacter } from '../../support/any-character';

test.each([
  { value: 'application/json', essence: 'application/json', parameters: {} },
  { value: 'Application/JSON', essence: 'application/json', parameters: {} },
  { value: ' application/json\t', essence: 'application/json', parameters: {} },
  { value: 'text/html;charset=UTF-8', essence: 'text/html', parameters: { charset: 'UTF-8' } },
  { value: 'text/html \t; \tCharset=utf-8 ', essence: 'text/html', parameters: { charset: 'utf-8' } },
  { value: 'text/html; charset="utf-8"', essence: 'text/html', parameters: { charset: 'utf-8' } },
  { value: 'a/b; x="1,2;\\"\\\\"; y=z', essence: 'a/b', parameters: { x: '1,2;"\\', y: 'z' } },
  { value: 'a/b; x=""', essence: 'a/b', parameters: { x: '' } },
  { value: 'a/b;', essence: 'a/b', parameters: {} },
  { value: 'a/b;; ;x=1', essence: 'a/b', parameters: { x: '1' } },
  { value: 'a/b;__proto__=1', essence: 'a/b', parameters: Object.fromEntries([['__proto__', '1']]) },
  { value: '*/*', essence: '*/*', parameters: {} },
  { value: 'text/*', essence: 'text/*', parameters: {} },
  { value: 'application/vnd.api+json', essence: 'application/vnd.api+json', parameters: {} },
])('$value parses', ({ value, essence, parameters }) => {
  const parsed = parseMediaType(value);
  expect(parsed?.essence).toBe(essence);
  expect(`${parsed?.type ?? ''}/${parsed?.subtype ?? ''}`).toBe(essence);
  expect([...(parsed?.parameters ?? [])]).toEqual(Object.entries(parameters));
});

test.each([
  '',
  ' ',
  'json',
  '/json',
  'application/',
  'application /json',
  'application/ json',
  'application/json text',
  'application/json, text/html',
  'a/b/c',
  'a/b;x',
  'a/b;x=',
  'a/b;x =1',
  'a/b;x= 1',
  'a/b;=1',
  'a/b;x="1',
  'a/b;x="1"2',
  'a/b;x=1;X=2',
  'a/b;x=\u00e9',
  'a/b\n',
  'a/b;x="\n"',
  '"a"/b',
])('%j is no media type', (value) => {
  expect(parseMediaType(value)).toBeUndefined();
});

test.each([
  { value: 'application/json', isJson: true },
  { value: 'Application/JSON; charset=latin1', isJson: true },
  { value: 'text/json', isJson: true },
  { value: 'application/problem+json', isJson: true },
  { value: 'application/vnd.api+JSON', isJson: true },
  { value: 'application/jsonp', isJson: false },
  { value: 'application/json-seq', isJson: false },
  { value: 'text/plain', isJson: false },
  { value: '*/*', isJson: false },
  { value: 'json', isJson: false },
])('$value is JSON: $isJson', ({ value, isJson }) => {
  expect(isJsonMediaType(value)).toBe(isJson);
});

test.each([
  { value: 'application/json', isUtf8: true },
  { value: 'application/json; charset=UTF-8', isUtf8: true },
  { value: 'application/json; charset="utf8"', isUtf8: true },
  { value: 'application/json; charset=iso-8859-1', isUtf8: false },
  { value: 'application/json; charset=us-ascii', isUtf8: false },
  { value: 'application/json; charset=', isUtf8: false },
])('$value is UTF-8: $isUtf8', ({ value, isUtf8 }) => {
  expect(isUtf8MediaType(value)).toBe(isUtf8);
});

test.each([
  { type: 'application/json', keys: ['application/json'], want: 'application/json' },
  { type: 'application/json', keys: ['*/*', 'application/*', 'application/json'], want: 'application/json' },
  { type: 'application/xml', keys: ['*/*', 'application/*', 'application/json'], want: 'application/*' },
  { type: 'text/plain', keys: ['*/*', 'application/*', 'application/json'], want: '*/*' },
  { type: 'text/plain', keys: ['application/*', 'application/json'], want: undefined },
  { type: 'APPLICATION/json', keys: ['Application/JSON'], want: 'Application/JSON' },
  { type: 'application/json; charset=latin1', keys: ['application/json'], want: 'application/json' },
  { type: 'application/json', keys: ['application/json; charset=utf-8'], want: 'application/json; charset=utf-8' },
  { type: 'text/plain', keys: ['text/plain; charset=utf-8'], want: undefined },
  {
    type: 'text/plain;charset=UTF-8',
    keys: ['text/plain', 'text/plain; charset=utf-8'],
    want: 'text/plain; charset=utf-8',
  },
  { type: 'text/plain;charset=latin1', keys: ['text/plain; charset=utf-8', 'text/*'], want: 'text/*' },
  {
    type: 'application/json;profile=a',
    keys: ['application/json', 'application/json;profile=a'],
    want: 'application/json;profile=a',
  },
  { type: 'application/json;profile="a"', keys: ['application/json; profile=a'], want: 'application/json; profile=a' },
  { type: 'application/json;profile=A', keys: ['application/json;profile=a'], want: undefined },
  { type: 'application/json', keys: ['application/json;profile=a'], want: undefined },
  { type: 'application/json;profile=a', keys: ['*/*;profile=a', 'application/json'], want: 'application/json' },
  { type: 'application/vnd.x+json', keys: ['application/json'], want: undefined },
  {
    type: 'application/vnd.x+json',
    keys: ['application/json', 'application/vnd.x+json'],
    want: 'application/vnd.x+json',
  },
  { type: 'application/vnd.x+json', keys: ['application/*'], want: 'application/*' },
  { type: 'a/b', keys: ['A/b', 'a/B'], want: 'A/b' },
  { type: 'a/b', keys: ['nonsense', ''], want: undefined },
  { type: 'nonsense', keys: ['*/*'], want: undefined },
  { type: 'a/b', keys: [], want: undefined },
])('$type against $keys is described by $want', ({ type, keys, want }) => {
  expect(matchMediaType(type, keys)).toBe(want);
});

test('a list of keys gives the same answer again', () => {
  const keys = ['text/*', 'text/html'];
  const types = ['text/html', 'text/plain', 'text/html', 'image/png'];
  expect(types.map((type) => matchMediaType(type, keys))).toEqual(['text/html', 'text/*', 'text/html', undefined]);
});

test('no text makes the functions throw, and a type that parses matches itself', () => {
  const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.stringMatching(/^[ab*]\/[bc+]{1,3}(; ?x="?[\\ab]*"?)*$/));
  fc.assert(
    fc.property(text, (value) => {
      isJsonMediaType(value);
      isUtf8MediaType(value);
      expect(matchMediaType(value, [value])).toBe(parseMediaType(value) === undefined ? undefined : value);
    }),
  );
});

import fc from 'fast-check';
import {
  decodePathSegment,
  decodeQueryComponent,
  parseQuery,
  parseTarget,
  splitPath,
} from '../../../src/core/http/request-target';
import { anyCharacter } from '../../support/any-character';

test.each([
  { target: '/', path: '/', query: '' },
  { target: '/pets', path: '/pets', query: '' },
  { target: '/pets/', path: '/pets/', query: '' },
  { target: '/pets?limit=1', path: '/pets', query: 'limit=1' },
  { target: '/pets?', path: '/pets', query: '' },
  { target: '/pets?a=?&b=/', path: '/pets', query: 'a=?&b=/' },
  { target: '//pets/1', path: '//pets/1', query: '' },
  { target: '/a/%2e%2e/b/../c', path: '/a/%2e%2e/b/../c', query: '' },
  { target: '/a%2Fb', path: '/a%2Fb', query: '' },
  { target: '/pets/%zz?x=%', path: '/pets/%zz', query: 'x=%' },
  { target: '/pets?filter[name]=a|b', path: '/pets', query: 'filter[name]=a|b' },
  { target: '/http://host/a', path: '/http://host/a', query: '' },
  { target: 'http://host/pets?x=1', path: '/pets', query: 'x=1' },
  { target: 'HTTPS://Host:8080/pets', path: '/pets', query: '' },
  { target: 'http://[::1]:80/pets', path: '/pets', query: '' },
  { target: 'http://host', path: '/', query: '' },
  { target: 'http://host?x=1', path: '/', query: 'x=1' },
  { target: 'http://host//pets', path: '//pets', query: '' },
  { target: '*', path: '*', query: '' },
])('$target is path $path and query "$query"', ({ target, path, query }) => {
  expect(parseTarget(target)).toEqual({ path, query });
});

test.each([
  '',
  'pets',
  '?x=1',
  '**',
  'host:443',
  '/pets#top',
  'http://host/pets#top',
  'http://',
  'http:///pets',
  'http:/pets',
  'http://user@host/pets',
  'http://user:secret@host/pets',
  'http://host:99999/pets',
  'ftp://host/pets',
  '/pets 1',
  '/pets\n',
  '/pets\0',
  '/pets\x7f',
  '/pet\u00e9',
  '/\ud83d\udc36',
])('%j is no target', (target) => {
  expect(parseTarget(target)).toBeUndefined();
});

test.each([
  { path: '/', segments: [''] },
  { path: '/pets', segments: ['pets'] },
  { path: '/pets/', segments: ['pets', ''] },
  { path: '//pets/1', segments: ['', 'pets', '1'] },
  { path: '/a%2Fb/c', segments: ['a%2Fb', 'c'] },
  { path: '*', segments: [] },
])('$path has the segments $segments', ({ path, segments }) => {
  expect(splitPath(path)).toEqual(segments);
});

test.each([
  { raw: '', segment: '', component: '' },
  { raw: 'a', segment: 'a', component: 'a' },
  { raw: 'a+b', segment: 'a+b', component: 'a b' },
  { raw: 'a%2Bb', segment: 'a+b', component: 'a+b' },
  { raw: 'a%20b', segment: 'a b', component: 'a b' },
  { raw: 'a%2Fb', segment: 'a/b', component: 'a/b' },
  { raw: '%2e%2e', segment: '..', component: '..' },
  { raw: '%C3%A9', segment: '\u00e9', component: '\u00e9' },
  { raw: '%F0%9F%90%B6', segment: '\u{1F436}', component: '\u{1F436}' },
  { raw: '%2525', segment: '%25', component: '%25' },
  { raw: '__proto__', segment: '__proto__', component: '__proto__' },
  { raw: '%', segment: undefined, component: undefined },
  { raw: '%2', segment: undefined, component: undefined },
  { raw: '%zz', segment: undefined, component: undefined },
  { raw: '%00', segment: undefined, component: undefined },
  { raw: 'a\0', segment: undefined, component: undefined },
  { raw: '%FF', segment: undefined, component: undefined },
  { raw: '%C0%AF', segment: undefined, component: undefined },
  { raw: '%ED%A0%80', segment: undefined, component: undefined },
])('$raw decodes to $segment in a path and to $component in a query', ({ raw, segment, component }) => {
  expect(decodePathSegment(raw)).toBe(segment);
  expect(decodeQueryComponent(raw)).toBe(component);
});

test('a query keeps order, repeated names and raw values', () => {
  expect(parseQuery('id=3%2C7,8&id=9&q=a+b')).toEqual([
    { rawName: 'id', name: 'id', rawValue: '3%2C7,8', value: '3,7,8' },
    { rawName: 'id', name: 'id', rawValue: '9', value: '9' },
    { rawName: 'q', name: 'q', rawValue: 'a+b', value: 'a b' },
  ]);
});

test.each([
  { query: '', names: [] },
  { query: '&&', names: [] },
  { query: '&a=1&&b', names: ['a', 'b'] },
  { query: '=v', names: [''] },
  { query: 'a[b]=1&a%5Bb%5D=2', names: ['a[b]', 'a[b]'] },
  { query: 'a+b=1', names: ['a b'] },
])('the query "$query" has the names $names', ({ query, names }) => {
  expect(parseQuery(query).map((pair) => pair.name)).toEqual(names);
});

test.each([
  { query: 'x', value: '' },
  { query: 'x=', value: '' },
  { query: 'x==1', value: '=1' },
  { query: 'x=a=b', value: 'a=b' },
])('the query "$query" has the value "$value"', ({ query, value }) => {
  expect(parseQuery(query)[0]?.value).toBe(value);
});

test('a pair that cannot be decoded is marked and keeps its raw text', () => {
  expect(parseQuery('%zz=1&b=%FF')).toEqual([
    { rawName: '%zz', name: undefined, rawValue: '1', value: '1' },
    { rawName: 'b', name: 'b', rawValue: '%FF', value: undefined },
  ]);
});

test('no text makes the parsers throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      parseTarget(text);
      parseTarget(`/${text}`);
      parseQuery(text);
      splitPath(text);
      decodePathSegment(`%${text}`);
      decodeQueryComponent(text);
    }),
  );
});

test('what is percent-encoded comes back', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
      (text) => {
        expect(decodePathSegment(encodeURIComponent(text))).toBe(text);
        const [pair] = parseQuery(new URLSearchParams([['name', text]]).toString());
        expect(pair?.value).toBe(text);
      },
    ),
  );
});

import { countHeader, headerValue, headerValues } from '../../../src/core/http/headers';

const lines = ['Content-Type', 'text/plain', 'LINK', '</a>', 'link', '</b>', 'X-Link', 'content-type'];

test.each([
  { name: 'content-type', first: 'text/plain', all: ['text/plain'] },
  { name: 'CONTENT-TYPE', first: 'text/plain', all: ['text/plain'] },
  { name: 'Link', first: '</a>', all: ['</a>', '</b>'] },
  { name: 'Via', first: undefined, all: [] },
  { name: 'text/plain', first: undefined, all: [] },
])('$name names its lines whatever their case', ({ name, first, all }) => {
  expect(headerValue(lines, name)).toBe(first);
  expect(headerValues(lines, name)).toEqual(all);
  expect(countHeader(lines, name.toLowerCase())).toBe(all.length);
});

test('a value that looks like a name is not taken for one', () => {
  expect(countHeader(['X-Name', 'host', 'Host', 'a'], 'host')).toBe(1);
  expect(headerValues(['x', 'x', 'x', 'y'], 'x')).toEqual(['x', 'y']);
});

test('an empty list of headers has none', () => {
  expect(headerValue([], 'host')).toBeUndefined();
  expect(headerValues([], 'host')).toEqual([]);
  expect(countHeader([], 'host')).toBe(0);
});

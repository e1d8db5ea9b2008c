import { parseCacheControl } from '../../../src/core/http/header-fields';

test.each([
  ['no-store', { 'no-store': '' }],
  ['Public, MAX-AGE=60', { public: '', 'max-age': '60' }],
  ['private="set-cookie, x-a", s-maxage="10"', { private: 'set-cookie, x-a', 's-maxage': '10' }],
  ['max-age=1, max-age=2', { 'max-age': '1' }],
  ['@, public', { public: '' }],
  ['', {}],
])('the directives of %j are %j', (value, directives) => {
  expect(Object.fromEntries(parseCacheControl(value))).toEqual(directives);
});

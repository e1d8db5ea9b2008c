import { normaliseBasePath } from '../../src/openapi/server-url';
import { description, loadText } from './load-text';

test.each([
  ['no servers', '', ''],
  ['an empty list', 'servers: []', ''],
  ['the root', 'servers: [{ url: / }]', ''],
  ['a path', 'servers: [{ url: /v1 }]', '/v1'],
  ['a path with a slash at the end', 'servers: [{ url: /v1/ }]', '/v1'],
  ['an address', 'servers: [{ url: https://example.com }]', ''],
  ['an address with a path', 'servers: [{ url: https://example.com:8443/api/v1/ }]', '/api/v1'],
  ['a query and a fragment', "servers: [{ url: 'https://example.com/v1?a=/b#/c' }]", '/v1'],
  ['a relative address', 'servers: [{ url: v1 }]', '/v1'],
  ['several: the first counts', 'servers: [{ url: /one }, { url: /two }]', '/one'],
  [
    'a variable at its default',
    "servers: [{ url: 'https://{host}/{version}', variables: { host: { default: a.example }, version: { default: v2 } } }]",
    '/v2',
  ],
  [
    'a variable that is the whole',
    "servers: [{ url: '{base}', variables: { base: { default: http://127.0.0.1:4010 } } }]",
    '',
  ],
])('the base path of %s', (_, servers, basePath) => {
  expect(loadText(description({ more: `${servers}\n` })).api.basePath).toBe(basePath);
});

test.each([
  ['', ''],
  ['/', ''],
  ['//', ''],
  ['v1', '/v1'],
  ['/v1', '/v1'],
  ['/v1//', '/v1'],
  ['/a/b/', '/a/b'],
  ['/v1?x', '/v1'],
])('normaliseBasePath(%p) is %p', (text, path) => {
  expect(normaliseBasePath(text)).toBe(path);
});

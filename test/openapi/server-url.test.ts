import request from 'supertest';
import { createMockServer } from '../../src/library/create-mock-server';
import { normaliseBasePath } from '../../src/openapi/model/base-paths';
import { description, loadText } from './load-text';
import { temporaryFolder } from '../support/temporary-folder';

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

const answer = (text: string): string =>
  `responses: { '200': { description: ok, content: { application/json: { schema: { type: string }, example: ${text} } } } }`;

test.each([
  ['none', '', ['']],
  ['several', 'servers: [{ url: /one }, { url: https://a.example/two/ }, { url: //b.example/one }]', ['/one', '/two']],
  [
    'variables with all their values, the default first',
    "servers: [{ url: '/{area}/{v}', variables: { area: { default: eu, enum: [us, eu] }, v: { default: v2, enum: [v1, v2] } } }]",
    ['/eu/v2', '/us/v2', '/eu/v1', '/us/v1'],
  ],
])('the mounts of servers: %s', (_, servers, paths) => {
  const { api } = loadText(description({ more: `${servers}\n` }));
  expect(api.mounts.map(({ basePath }) => basePath)).toStrictEqual(paths);
});

test('every server answers; those of a path item and of an operation replace the ones around them', async () => {
  const text = description({
    paths: `
  /books: { get: { ${answer('books')} } }
  /files:
    servers: [{ url: https://files.example/up }]
    get: { ${answer('files')} }
    post: { servers: [{ url: /in }], ${answer('posted')} }`,
    more: 'servers: [{ url: /v1 }, { url: / }]\n',
  });
  const file = temporaryFolder().write('openapi.yaml', text);
  const app = await createMockServer({ description: file });
  await request(app).get('/v1/books').expect(200, '"books"');
  await request(app).get('/books').expect(200, '"books"');
  await request(app).get('/up/files').expect(200, '"files"');
  await request(app).get('/v1/files').expect(404);
  await request(app).post('/in/files').expect(200, '"posted"');
  const moved = await createMockServer({ description: file, basePath: '/all' });
  await request(moved).post('/all/files').expect(200, '"posted"');
  await request(moved).get('/v1/books').expect(404);
});

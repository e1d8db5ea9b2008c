import { tryLine } from '../../src/cli/actions/banner';
import { buildModel } from '../../src/openapi/model/api-model';
import { readSource } from '../../src/openapi/read/read-source';

const required = (name: string, schema: object, place = 'query'): object => ({
  name,
  in: place,
  required: true,
  schema,
});
const get = (parameters: readonly object[] = [], more: object = {}): object => ({
  get: { parameters, responses: { 200: { description: 'ok' } }, ...more },
});

function lineFor(paths: object, more: object = {}): string {
  const document = { openapi: '3.0.3', info: { title: 'Shelves', version: '1' }, paths, ...more };
  const api = buildModel(readSource(JSON.stringify(document), 'shelves.json'));
  return tryLine(api, `http://h${api.basePath}`, 'test-key', api.mounts[0]?.routes);
}

test('a request that needs no parameter is tried before one that does', () => {
  const paths = { '/search': get([required('q', { type: 'string' })]), '/shelves/{id}': {}, '/shelves': get() };
  expect(lineFor(paths)).toBe('curl -s http://h/shelves');
});

test('what answers below another server is not tried below the first', () => {
  const paths = { '/login': get([], { servers: [{ url: 'https://login.example.com/in' }] }), '/shelves': get() };
  expect(lineFor(paths, { servers: [{ url: 'https://example.com/v1' }] })).toBe('curl -s http://h/v1/shelves');
});

test('where every request needs a parameter, it is made up', () => {
  const parameters = [
    required('ids', { type: 'array', items: { type: 'integer', example: 7 }, maxItems: 1 }),
    required('X-Tenant', { type: 'string', enum: ['acme'] }, 'header'),
  ];
  expect(lineFor({ '/shelves': get(parameters) })).toBe('curl -s -H "x-tenant: acme" "http://h/shelves?ids=7"');
});

test('of an object, the first request has what is required and no page that is not there', () => {
  const pageable = { type: 'object', properties: { page: { type: 'integer', minimum: 5 }, sort: { type: 'string' } } };
  expect(lineFor({ '/shelves': get([required('pageable', pageable)]) })).toBe('curl -s http://h/shelves');
});

test('text that a shell would not take as it is stays out', () => {
  const parameters = [
    required('q', { type: 'string', enum: ['$(rm x)'] }),
    required('h', { type: 'string', enum: ['`x`'] }, 'header'),
  ];
  expect(lineFor({ '/shelves': get(parameters) })).not.toMatch(/[$`]/);
});

test('a key in the query that is declared as a parameter too is sent once', () => {
  const components = { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } };
  const paths = { '/shelves': get([required('key', { type: 'string' })], { security: [{ key: [] }] }) };
  expect(lineFor(paths, { components })).toBe('curl -s "http://h/shelves?key=test-key"');
});

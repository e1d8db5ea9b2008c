import fc from 'fast-check';
import type { Operation } from '../../src/openapi/model/operation';
import { RouteTable, templateVariables } from '../../src/openapi/model/route-table';
import { loadText } from './load-text';

/** Operations on these templates, out of a description as everywhere else. */
function operationsOn(paths: readonly string[], methods = ['get']): readonly Operation[] {
  const items = paths.map((path) => {
    const parameters = templateVariables(path).map((name) => {
      return { name, in: 'path', required: true, schema: { type: 'string' } };
    });
    const operation = { responses: { '200': { description: 'ok' } } };
    return [path, { parameters, ...Object.fromEntries(methods.map((method) => [method, operation])) }];
  });
  const document = { openapi: '3.0.3', info: { title: 'a', version: '1' }, paths: Object.fromEntries(items) };
  return loadText(JSON.stringify(document), 'openapi.json').api.operations;
}

const TEMPLATES = [
  '/',
  '/books',
  '/books/{bookId}',
  '/books/latest',
  '/books/{bookId}/pages/{page}',
  '/books/{bookId}:archive',
  '/{kind}/latest',
  '/reports/report.{format}',
  '/reports/{name}.{format}',
  '/reports/{name}',
  '/a b/ü',
];

describe('RouteTable', () => {
  const table = new RouteTable(operationsOn(TEMPLATES));

  test.each<[string, string, Record<string, string>]>([
    ['/', '/', {}],
    ['/books', '/books', {}],
    ['/books/7', '/books/{bookId}', { bookId: '7' }],
    ['/books/latest', '/books/latest', {}],
    ['/authors/latest', '/{kind}/latest', { kind: 'authors' }],
    ['/books/7/pages/12', '/books/{bookId}/pages/{page}', { bookId: '7', page: '12' }],
    ['/books/latest/pages/1', '/books/{bookId}/pages/{page}', { bookId: 'latest', page: '1' }],
    ['/books/7:archive', '/books/{bookId}:archive', { bookId: '7' }],
    ['/books/a%2Fb', '/books/{bookId}', { bookId: 'a/b' }],
    ['/books/a%20b', '/books/{bookId}', { bookId: 'a b' }],
    ['/books/a+b', '/books/{bookId}', { bookId: 'a+b' }],
    ['/books/%25', '/books/{bookId}', { bookId: '%' }],
    ['/books/..', '/books/{bookId}', { bookId: '..' }],
    ['/books/__proto__', '/books/{bookId}', { bookId: '__proto__' }],
    ['/reports/report.pdf', '/reports/report.{format}', { format: 'pdf' }],
    ['/reports/sales.pdf', '/reports/{name}.{format}', { name: 'sales', format: 'pdf' }],
    ['/reports/sales', '/reports/{name}', { name: 'sales' }],
    ['/%62ooks', '/books', {}],
    ['/a%20b/%C3%BC', '/a b/ü', {}],
  ])('%s is %s', (path, template, pathParameters) => {
    const match = table.match(path);
    expect(match).toMatchObject({ route: { path: template }, isUndecodable: false });
    expect({ ...match?.pathParameters }).toStrictEqual(pathParameters);
  });

  test.each([
    '/nothing',
    '/books/',
    '/books//',
    '/books/7/',
    '/books/7/pages',
    '/Books',
    '',
    'books',
    '/books/7/pages/',
  ])('%p is no path of it', (path) => {
    expect(table.match(path)).toBeUndefined();
  });

  test.each(['/books/%zz', '/books/%', '/books/%ff', '/books/%C3'])('%s cannot be decoded', (path) => {
    expect(table.match(path)).toMatchObject({ route: { path: '/books/{bookId}' }, isUndecodable: true });
  });

  it('allows what the path returns: HEAD where GET is, OPTIONS always', () => {
    const routes = new RouteTable(operationsOn(['/books'], ['get', 'post'])).routes;
    expect(routes.map(({ allow }) => allow)).toStrictEqual(['GET, POST, HEAD, OPTIONS']);
    const write = new RouteTable(operationsOn(['/books'], ['post', 'options'])).routes;
    expect(write.map(({ allow }) => allow.split(', ').toSorted())).toStrictEqual([['OPTIONS', 'POST']]);
  });

  it('gives back every value that was put into a template', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1, unit: 'grapheme' }), (bookId, page) => {
        fc.pre(bookId.isWellFormed() && !bookId.includes('\u0000') && !page.includes('\u0000'));
        const path = `/books/${encodeURIComponent(bookId)}/pages/${encodeURIComponent(page)}`;
        expect(table.match(path)).toMatchObject({ pathParameters: { bookId, page } });
      }),
    );
  });
});

test('a method that the best template lacks is that of another template of the path', () => {
  const both = new RouteTable([
    ...operationsOn(['/books/{bookId}', '/{kind}/{name}/list'], ['delete', 'post']),
    ...operationsOn(['/books/all', '/books/{bookId}/list'], ['get']),
  ]);
  const templateOf = (path: string, method?: string): string | undefined => both.match(path, method)?.route.path;
  expect(templateOf('/books/all')).toBe('/books/all');
  expect(['GET', 'HEAD', 'OPTIONS', 'PUT'].map((method) => templateOf('/books/all', method))).toStrictEqual(
    Array.from({ length: 4 }, () => '/books/all'),
  );
  expect(both.match('/books/all', 'DELETE')).toMatchObject({
    route: { path: '/books/{bookId}' },
    pathParameters: { bookId: 'all' },
  });
  expect(both.match('/books/7/list', 'POST')).toMatchObject({
    route: { path: '/{kind}/{name}/list' },
    pathParameters: { kind: 'books', name: '7' },
  });
});

test.each([
  ['/books', []],
  ['/books/{bookId}', ['bookId']],
  ['/{a}/{b}', ['a', 'b']],
  ['/report.{format}', ['format']],
])('the variables of %s are %p', (path, variables) => {
  expect(templateVariables(path)).toStrictEqual(variables);
});

describe('variables with nothing between them', () => {
  const operation = { responses: { '200': { description: 'ok' } } };
  const variable = (name: string, schema: object): object => ({ name, in: 'path', required: true, schema });
  const document = {
    openapi: '3.0.3',
    info: { title: 'a', version: '1' },
    paths: {
      '/news/{id}{suffix}': {
        parameters: [variable('id', { type: 'string' }), variable('suffix', { enum: ['.json', '.xml'] })],
        get: operation,
      },
      '/codes/{area}{number}': {
        parameters: [variable('area', { enum: ['de', 'deu'] }), variable('number', { type: 'string' })],
        get: operation,
      },
    },
  };
  const table = new RouteTable(loadText(JSON.stringify(document), 'openapi.json').api.operations);

  test.each([
    ['/news/first.json', { id: 'first', suffix: '.json' }],
    ['/news/a.b.xml', { id: 'a.b', suffix: '.xml' }],
    ['/news/a%2Fb.json', { id: 'a/b', suffix: '.json' }],
    ['/codes/de49', { area: 'de', number: '49' }],
  ])('are told apart by the texts that one of them may be: %s', (path, pathParameters) => {
    expect({ ...table.match(path)?.pathParameters }).toStrictEqual(pathParameters);
  });

  test('what has none of these texts is another path', () => {
    expect(table.match('/news/first')).toBeUndefined();
  });
});

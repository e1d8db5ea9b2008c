import { requestFacts } from '../../src/cli/actions/request-log';
import type { HttpResponse, RequestHead } from '../../src/core/http/message';
import { LIBRARY } from '../mock/library';

const tell = requestFacts([{ basePath: '/v1', routes: LIBRARY.routes }]);
const head = (method: string, target: string): RequestHead => ({ method, target, headers: {}, rawHeaders: [] });
const answer = (status: number, body?: string): HttpResponse => ({ status, headers: [], body });

test.each([
  ['GET', '/v1/books?limit=1', 'listBooks'],
  ['HEAD', '/v1/books', 'listBooks'],
  ['GET', 'http://a.example/v1/books/1', 'readBook'],
  ['PUT', '/v1/books', undefined],
  ['GET', '/books', undefined],
  ['GET', '/v1', undefined],
  ['OPTIONS', '*', undefined],
  ['-', '(unreadable)', undefined],
])('%s %s is %s', (method, target, operation) => {
  expect(tell(head(method, target), answer(200)).operation).toBe(operation);
});

test.each([
  ['{"code":"a_code","message":"Why","status":404}', { code: 'a_code', message: 'Why' }],
  ['{"type":"about:blank","title":"a_code","detail":"Why","code":"a_code"}', { code: 'a_code', message: 'Why' }],
  ['{"errorCode":"a_code","error":"Why"}', { code: 'a_code', message: 'Why' }],
  ['{"code":404}', {}],
  ['["a_code"]', {}],
  ['<html>', {}],
  [undefined, {}],
])('a refusal with the body %s tells %j', (body, told) => {
  expect(tell(head('GET', '/nowhere'), answer(404, body))).toStrictEqual(told);
});

test('an answer that is no refusal has no code, whatever its body has', () => {
  expect(tell(head('GET', '/nowhere'), answer(200, '{"code":"a_code"}'))).toStrictEqual({});
});

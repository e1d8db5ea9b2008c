import { checkRun } from '../../src/checks/run/registry';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { object, text } from '../support/small-api';
import { loadText } from '../openapi/load-text';
import { observeRun, type Sent } from './exchanges';

/** Errors of `{ error: { code } }`, where the description of the code says more. */
function apiOf(description: string | undefined, values: readonly string[] = CODES): ApiModel {
  const code = { ...text, ...(values.length === 0 ? {} : { enum: values }), ...(description ? { description } : {}) };
  const error = object({ error: object({ type: text, code, message: text }, ['code']) }, ['error']);
  const refusal = { description: 'No.', content: { 'application/json': { schema: error } } };
  const responses = { 200: { description: 'Fine.' }, 404: refusal, 409: refusal, 422: refusal, default: refusal };
  const paths = {
    '/tools': { get: { operationId: 'listTools', responses }, post: { operationId: 'addTool', responses } },
  };
  return loadText(JSON.stringify({ openapi: '3.0.3', info: { title: 'Tools', version: '1' }, paths })).api;
}

const CODES = ['missing', 'conflict', 'invalid'];
const TOLD = 'By status: 404 `missing`, 409 `conflict`, 422 `invalid`.';

const refused = (status: number, code: string, more: Partial<Sent> = {}): Sent => {
  return { to: 'POST /tools', status, body: JSON.stringify({ error: { type: 'request', code } }), ...more };
};

function found(api: ApiModel, ...sent: readonly Sent[]): string[] {
  const findings = checkRun(observeRun(sent, api), api).findings.filter(({ check }) => check === 'code-distinct');
  return findings.map(({ severity, exchange, message }) => `${severity} ${exchange} ${message}`);
}

test.each([
  ['status first', TOLD],
  ['code first', 'One of missing (404), conflict (409) and invalid (422).'],
  ['a table', '| 404 | missing |\n| 409 | conflict |\n| 422 | invalid |'],
])('a code that is told for another status is an error: %s', (_, words) => {
  const api = apiOf(words);
  const message = 'A 409 has the code invalid, which the description tells for 422';
  expect(found(api, refused(422, 'invalid'), refused(409, 'invalid'), refused(409, 'invalid'))).toEqual([
    `error 1 ${message}`,
  ]);
  expect(found(api, refused(409, 'invalid'))).toEqual([`error 0 ${message}`]);
});

test.each([
  ['as it is told', TOLD, 409, 'conflict'],
  ['a status of which nothing is told', TOLD, 400, 'invalid'],
  ['a code of which nothing is told', '404 `missing`, 409 `conflict`.', 409, 'invalid'],
  ['a code for several statuses', '404 `missing`, 409 `conflict` or 409 `invalid`, 422 `invalid`.', 409, 'invalid'],
  ['no word of statuses', 'What is wrong.', 409, 'invalid'],
  ['no description', undefined, 409, 'invalid'],
] as const)('nothing is said of %s', (_, words, status, code) => {
  expect(found(apiOf(words), refused(status, code))).toEqual([]);
});

test('codes without an enum are not read out of words', () => {
  expect(found(apiOf(TOLD, []), refused(409, 'invalid'))).toEqual([]);
});

test('a contract that asks for the code with the status knows why', () => {
  expect(found(apiOf(TOLD), refused(409, 'invalid', { expects: [409], codes: ['invalid'] }))).toEqual([]);
});

test('a code within an error is compared as one at its top, and its type is none', () => {
  const api = apiOf(undefined);
  expect(found(api, refused(409, 'missing'), refused(404, 'missing'))).toEqual([
    'warning 1 The code missing stands for two statuses',
  ]);
  expect(found(api, refused(401, 'missing'), refused(404, 'conflict'))).toEqual([]);
});

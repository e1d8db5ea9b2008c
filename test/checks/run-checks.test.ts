import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadApi } from '../../src/files/load-api';
import { checkRun, RUN_CHECKS } from '../../src/checks/run/registry';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { loadText } from '../openapi/load-text';
import { ROOT } from '../project/source-files';
import { RUN_CASES } from './cases/run-cases';
import { added, GONE, missing, observeRun, PET, read, removed, runCheck, type Sent } from './exchanges';

const { api } = loadApi();

const TEXT = readFileSync(join(ROOT, 'spec', 'petstore.yaml'), 'utf8');

describe.each(Object.entries(RUN_CASES))('%s', (id, { speaks, silent, describedAs }) => {
  const model = describedAs === undefined ? api : loadText(describedAs(TEXT)).api;

  test.each(speaks.map(([name, sent, ...findings]) => ({ name, sent, findings })))('speaks of $name', (row) => {
    const said = runCheck(id, row.sent, model);
    expect(said.map((text, index) => text.slice(0, row.findings[index]?.length))).toEqual(row.findings);
  });

  test.each(silent)('finds nothing in %s', (_, sent) => {
    expect(runCheck(id, sent, model)).toEqual([]);
  });
});

test.each(Object.entries(RUN_CASES))('%s says nothing that is another one in the next run', (id, { speaks }) => {
  const said = speaks.flatMap(([, sent]) => runCheck(id, sent));
  expect(said.filter((text) => /\/\d|Zo\u00eb|Rex/.test(text))).toEqual([]);
});

test.each([
  [404, 400, 401],
  [401, 404, 400],
  [400, 401, 404],
  [401, 400, 404],
])('which codes stand for two statuses does not depend on the order: %d, %d, %d', (...statuses) => {
  const said = runCheck(
    'code-distinct',
    statuses.map((status): Sent => {
      return {
        to: status === 404 ? 'GET /pets/9' : 'POST /pets',
        status,
        body: `{"code":"a","message":"no","status":${status}}`,
      };
    }),
  );
  expect(said.map((text) => text.replace(/\d<\d /, ''))).toEqual([
    'warning /response/body: The code a stands for two statuses',
    'error /response/body: The code a stands for two statuses',
  ]);
});

test('every check over a run has its cases', () => {
  expect(Object.keys(RUN_CASES).sort()).toEqual(RUN_CHECKS.map(({ id }) => id).sort());
});

test.each(RUN_CHECKS.map(({ id, source }) => ({ id, source })))('$id says where it comes from', ({ source }) => {
  expect(source).toMatch(/^(?:RFC \d+|the description)/);
});

const category: Sent = { to: 'POST /categories', send: '{"name":"Owls"}', status: 201, body: '{"id":5,"name":"Owls"}' };

const OTHER = PET.replace('"id":1', '"id":2');

/** Runs at servers that are right, each in its own way. */
const RIGHT: Readonly<Record<string, readonly Sent[]>> = {
  'members in another order': [added, { ...read, body: '{"status":"available","categoryId":5,"name":"Zoë","id":1}' }],
  'white space': [added, { ...read, body: PET.replaceAll(',', ' ,\n') }],
  'keys that are given again after a removal': [added, removed, missing, added, read],
  'a replacement that makes what was removed again': [
    added,
    removed,
    { to: 'PUT /pets/1', send: '{"name":"Rex","categoryId":5}', status: 201, body: PET.replace('Zoë', 'Rex') },
    { ...read, body: PET.replace('Zoë', 'Rex') },
  ],
  'a replacement without a body in its answer': [added, { to: 'PUT /pets/1', send: PET, status: 204 }, read],
  'an optional member that is absent or null': [
    { ...category, send: '{"name":"Owls","description":null}' },
    { to: 'GET /categories/5', status: 200, body: '{"id":5,"name":"Owls","description":null}' },
  ],
  'other messages for the same error': [missing, { ...missing, body: GONE.replace('none', 'gone') }],
  'errors with details': [missing, { ...missing, body: GONE.replace('{', '{"details":[1],') }],
  'relative and absolute Location': [
    { ...added, headers: ['Location', '/pets/1'] },
    { ...added, body: PET.replace('"id":1', '"id":2'), headers: ['Location', 'http://localhost/pets/2'] },
    { ...read, to: 'GET /pets/2', body: PET.replace('"id":1', '"id":2') },
  ],
  'weak entity tags, and other ones for the same list': [
    { to: 'GET /pets', status: 200, body: `[${PET}]`, headers: ['ETag', 'W/"a"'] },
    added,
    { to: 'GET /pets', status: 200, body: `[${PET},${OTHER}]`, headers: ['ETag', 'W/"a"'] },
  ],
  'others who add to a list': [
    { to: 'GET /pets', status: 200, body: '[]' },
    { to: 'GET /pets', status: 200, body: `[${PET}]` },
  ],
  'a 429 in the middle': [
    added,
    { to: 'GET /pets/1', status: 429, body: '{"code":"rate_limited","message":"no","status":429}' },
    read,
  ],
  'a connection that broke, and the request again': [
    added,
    { to: 'DELETE /pets/1', status: undefined },
    { to: 'DELETE /pets/1', status: 404, body: GONE },
    missing,
  ],
  'problems of the type about:blank, which is none of their own': [
    { to: 'GET /pets/9', status: 404, body: '{"code":"about:blank","message":"no","status":404}' },
    { to: 'POST /pets', status: 401, body: '{"code":"about:blank","message":"no","status":401}' },
  ],
  'an unknown path': [
    { to: 'GET /nowhere', status: 404, body: GONE },
    { to: 'GET /pets/1/name', status: 404, body: GONE },
  ],
};

test.each(Object.entries(RIGHT))('a run is right with %s', (_, sent) => {
  expect(checkRun(observeRun(sent), api).findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('a run of many exchanges is judged in no time', () => {
  const many = Array.from({ length: 400 }, (_, id): Sent[] => {
    const body = PET.replace('"id":1', `"id":${id + 1000}`);
    const path = `/pets/${id + 1000}`;
    return [
      { ...added, body },
      { ...read, to: `GET ${path}`, body },
      { ...removed, to: `DELETE ${path}` },
    ];
  }).flat();
  expect(checkRun(observeRun(many), api).findings).toEqual([]);
});

test('a list that has grown is looked at anew', () => {
  const exchanges = observeRun([added, missing]);
  const growing = exchanges.slice(0, 1);
  expect(checkRun(growing, api).findings).toEqual([]);
  growing.push(exchanges[1]!);
  expect(checkRun(growing, api).findings.map(({ check }) => check)).toEqual(['created-readable']);
});

/** What is written and read as one and the same schema. @param schemas - `Login`, and others */
function vaultOf(schemas: string): ApiModel {
  return loadText(`openapi: 3.0.3
info: { title: Vault, version: '1' }
paths:
  /logins:
    post:
      operationId: addLogin
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Login' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Login' } } } } }
components:
  schemas:
${schemas}`).api;
}

test('what is sent inside a member and never shown, or for the service to say, is not lost', () => {
  const vault = vaultOf(`    Login:
      type: object
      properties:
        login: { type: object, properties: { user: { type: string }, password: { type: string, writeOnly: true }, uses: { type: integer, readOnly: true } } }
`);
  const sent = (user: string): Sent => ({
    to: 'POST /logins',
    send: '{"login":{"user":"Ada","password":"x","uses":4}}',
    status: 201,
    body: `{"login":{"user":"${user}","uses":0}}`,
  });
  expect(checkRun(observeRun([sent('Ada')], vault), vault).findings).toEqual([]);
  expect(checkRun(observeRun([sent('Eve')], vault), vault).findings).toHaveLength(1);
});

test('echo leaves them out in the items of lists and the values of maps as well', () => {
  const vault = vaultOf(`
    Login:
      type: object
      properties:
        cards: { type: array, items: { $ref: '#/components/schemas/Card' } }
        byName: { type: object, additionalProperties: { $ref: '#/components/schemas/Card' } }
    Card: { type: object, properties: { holder: { type: string }, cvc: { type: string, writeOnly: true }, uses: { type: integer, readOnly: true } } }
`);
  const sent = (holder: string): Sent => ({
    to: 'POST /logins',
    send: '{"cards":[{"holder":"Ada","cvc":"123","uses":4}],"byName":{"a":{"holder":"Ada","cvc":"123"}}}',
    status: 201,
    body: `{"cards":[{"holder":"${holder}","uses":0}],"byName":{"a":{"holder":"${holder}"}}}`,
  });
  expect(checkRun(observeRun([sent('Ada')], vault), vault).findings).toEqual([]);
  expect(checkRun(observeRun([sent('Eve')], vault), vault).findings).toHaveLength(2);
});

test.each([
  ['every GET can be sent as HEAD', 'Every\n    GET can be sent as HEAD.', '', 'error'],
  ['there is a HEAD', 'None.', `head: { operationId: peek, responses: { '200': { description: there } } }`, 'error'],
  ['not every GET can be sent as HEAD', 'Not every GET can be sent as HEAD, and this one not.', '', 'warning'],
  ['GET and HEAD have nothing to do with each other', 'Every GET is cached. HEAD is not.', '', 'warning'],
])('a HEAD that is rejected, where %s', (_, text, head, severity) => {
  const { api: own } = loadText(`openapi: 3.0.3
info:
  title: Notes
  version: '1'
  description: |
    ${text}
paths:
  /notes:
    get: { operationId: list, responses: { '200': { description: all } } }
    ${head}
`);
  const get: Sent = { to: 'GET /notes', status: 200, body: '[]' };
  const said = checkRun(observeRun([get, { to: 'HEAD /notes', status: 405 }, get], own), own).findings;
  expect(said.map((each) => `${each.check} ${each.severity}`)).toEqual([`head-like-get ${severity}`]);
});

test.each([
  ['the mark is missing', '{"id":"a","name":"b","updatedAt":"2030-01-02T00:00:00Z"}', ['error']],
  ['the mark is null', '{"id":"a","name":"b","updatedAt":"2030-01-02T00:00:00Z","deletedAt":null}', ['warning']],
  ['there is the mark', '{"id":"a","name":"b","deletedAt":"2030-01-02T00:00:00Z"}', ['warning']],
  ['it is something else', '{"id":"a","name":"c","updatedAt":"2030-01-02T00:00:00Z"}', ['warning']],
])('of what is removed and can be read, where %s', (_, body, severities) => {
  const time = { type: 'string', format: 'date-time' };
  const note = { type: 'object', properties: { id: { type: 'string' }, name: {}, updatedAt: time, deletedAt: time } };
  const { api: own } = loadText(
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Notes', version: '1' },
      paths: {
        '/notes/{noteId}': {
          parameters: [{ name: 'noteId', in: 'path', required: true, schema: { type: 'string' } }],
          get: {
            operationId: 'getNote',
            responses: { 200: { description: 'Note.', content: { 'application/json': { schema: note } } } },
          },
          delete: { operationId: 'removeNote', responses: { 204: { description: 'Removed.' } } },
        },
      },
    }),
  );
  const get: Sent = {
    to: 'GET /notes/a',
    status: 200,
    body: '{"id":"a","name":"b","updatedAt":"2030-01-01T00:00:00Z"}',
  };
  const { findings } = checkRun(observeRun([get, { to: 'DELETE /notes/a', status: 204 }, { ...get, body }], own), own);
  const said = findings.filter(({ check }) => check === 'deleted-gone');
  expect(said.map(({ severity }) => severity)).toEqual(severities);
});

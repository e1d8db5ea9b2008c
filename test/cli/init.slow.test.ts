import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder';
import { endedHere, endedRun, killAll, serve } from './standin-process';

afterEach(killAll);
const ROOT = join(__dirname, '..', '..');
const PETSTORE = readFileSync(join(ROOT, 'spec', 'petstore.yaml'), 'utf8');

const SHIP = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
};
const SHIP_IN_ENVELOPE = {
  type: 'object',
  required: ['ship', 'links'],
  properties: { ship: SHIP, links: { type: 'object', properties: { self: { type: 'string' } } } },
};

function answers(status: number, schema: object): object {
  return { [status]: { description: 'done', content: { 'application/json': { schema } } } };
}

function operation(operationId: string, gives: object, status: number, properties: object): object {
  const schema = { type: 'object', properties };
  return {
    operationId,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: answers(status, gives),
  };
}

/** Nested things, forms, a required query, an operation that no request can satisfy, and one without an id. */
const TRACKER = `openapi: 3.0.3
info: { title: Tracker, version: '1' }
servers: [{ url: https://tracker.example.com/v2 }]
paths:
  /projects:
    get: { operationId: listProjects, responses: { '200': { description: all, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Project' } } } } } } }
    post:
      operationId: createProject
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewProject' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Project' } } } } }
  /projects/{projectId}:
    parameters: [{ name: projectId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getProject, responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Project' } } } }, '404': { description: none } } }
    delete: { operationId: deleteProject, responses: { '204': { description: gone }, '404': { description: none } } }
  /projects/{projectId}/issues:
    parameters: [{ name: projectId, in: path, required: true, schema: { type: integer } }]
    post:
      operationId: createIssue
      requestBody: { required: true, content: { application/x-www-form-urlencoded: { schema: { type: object, required: [title], properties: { title: { type: string } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { type: object, required: [id, title], properties: { id: { type: integer }, title: { type: string } } } } } } }
  /search:
    get:
      parameters: [{ name: q, in: query, required: true, schema: { type: string, minLength: 2 } }]
      responses: { '200': { description: found, content: { application/json: { schema: { type: array, items: { type: string } } } } } }
components:
  schemas:
    NewProject: { type: object, required: [name], properties: { name: { type: string } } }
    Project: { type: object, required: [id, name], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
`;

/**
 * A body that two schemas of a `oneOf` allow, one that no value satisfies, an object in a path, JSON Patch before JSON,
 * and creations of which no 201 tells: in an envelope with other members, and where nothing shows what is there.
 */
const FLEET = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Fleet', version: '1' },
  paths: {
    '/ships': {
      post: operation('makeShip', SHIP_IN_ENVELOPE, 202, { ships: { type: 'string' }, name: { type: 'string' } }),
      get: { operationId: 'listShips', responses: answers(200, { type: 'array', items: SHIP }) },
    },
    '/ships/{ship_id}': {
      parameters: [{ name: 'ship_id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getShip', responses: { ...answers(200, SHIP_IN_ENVELOPE), 404: { description: 'none' } } },
      patch: {
        operationId: 'changeShip',
        requestBody: {
          content: {
            'application/json-patch+json': { schema: { type: 'object' } },
            'application/json': { schema: SHIP },
          },
        },
        responses: { ...answers(200, SHIP_IN_ENVELOPE), 404: { description: 'none' } },
      },
      delete: { operationId: 'removeShip', responses: { 204: { description: 'gone' }, 404: { description: 'none' } } },
    },
    '/passes': { post: operation('makePass', { type: 'object', properties: { id: { type: 'string' } } }, 200, {}) },
    '/passes/{pass_id}': {
      parameters: [{ name: 'pass_id', in: 'path', required: true, schema: { type: 'string' } }],
      delete: { operationId: 'removePass', responses: { 200: { description: 'gone' } } },
    },
    '/settings/{area}': {
      parameters: [{ name: 'area', in: 'path', required: true, schema: { type: 'object' } }],
      patch: {
        operationId: 'changeSettings',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { oneOf: [{ type: 'object' }, { type: 'object' }] } } },
        },
        responses: { 204: { description: 'changed' } },
      },
      put: {
        operationId: 'replaceSettings',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'string', minLength: 3, maxLength: 1 } } },
        },
        responses: { 204: { description: 'changed' } },
      },
    },
  },
});

interface Written {
  readonly standin: string;
  readonly steps: readonly { readonly operation: string; readonly pending?: string }[];
}

function contractIn(folder: TemporaryFolder): Written {
  return parse(readFileSync(folder.file('contracts/every-operation.yaml'), 'utf8')) as Written;
}

test.each([
  { title: 'the Petstore', text: PETSTORE, operations: 18 },
  { title: 'an API of another kind', text: TRACKER, operations: 6 },
])(
  'what is written for $title conforms at a mock of it, with the configuration beside it',
  async ({ text, operations }) => {
    const folder = temporaryFolder();
    folder.write('openapi.yaml', text);
    const begun = await endedRun(['init'], { cwd: folder.path });
    expect(begun).toMatchObject({ exitCode: 0 });
    expect(begun.stdout).toContain('wrote  contracts/every-operation.yaml\nwrote  standin.config.yaml\n');
    const [, toMock = '', toVerify = ''] =
      /\n( +npx standin mock +)start .*\n( +npx standin verify +)replay /.exec(begun.stdout) ?? [];
    expect(toMock).toHaveLength(toVerify.length);
    expect(toVerify).not.toBe('');
    const { steps } = contractIn(folder);
    expect(steps.length).toBe(operations);
    expect(new Set(steps.map(({ operation }) => operation)).size).toBe(operations);
    expect(steps.filter(({ pending }) => pending !== undefined)).toEqual([]);

    const mock = await serve([], { cwd: folder.path });
    const verified = await endedHere(['verify', '--base-url', mock.url], { cwd: folder.path });
    await mock.stop();
    expect(verified).toMatchObject({ exitCode: 0 });
    expect(verified.stdout).toMatch(/CONFORMS: \d+ passed\n$/);
  },
);

test('what cannot be sent is pending with the reason, and what may stay is left as planned', async () => {
  const folder = temporaryFolder();
  folder.write('openapi.json', FLEET);
  const begun = await endedHere(['init'], { cwd: folder.path });
  expect(begun).toMatchObject({ exitCode: 0 });
  const { steps } = contractIn(folder);
  expect(steps.filter(({ pending }) => pending !== undefined).map((step) => step.operation)).toEqual([
    'replaceSettings',
    'changeSettings',
  ]);
  const mock = await serve([], { cwd: folder.path });
  const verified = await endedHere(['verify', '--base-url', mock.url], { cwd: folder.path });
  await mock.stop();
  expect(verified.stdout).not.toContain('LEFT BEHIND');
  expect(verified).toMatchObject({ exitCode: 0 });
});

test('no file that is there is changed', async () => {
  const folder = temporaryFolder();
  folder.write('openapi.yaml', TRACKER);
  folder.write('standin.config.yaml', 'standin: config/1\n');
  const first = await endedHere(['init'], { cwd: folder.path });
  expect(first.stdout).toContain('kept   standin.config.yaml, which was there');
  expect(readFileSync(folder.file('standin.config.yaml'), 'utf8')).toBe('standin: config/1\n');
  const before = readFileSync(folder.file('contracts/every-operation.yaml'), 'utf8');
  const second = await endedHere(['init'], { cwd: folder.path });
  expect(second.exitCode).toBe(2);
  expect(second.stderr).toContain('contracts/every-operation.yaml is there already; no file is overwritten');
  expect(readFileSync(folder.file('contracts/every-operation.yaml'), 'utf8')).toBe(before);
});

test('without a description nothing is written', async () => {
  const folder = temporaryFolder();
  const { exitCode, stderr } = await endedHere(['init'], { cwd: folder.path });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('standin init path/to/description.yaml');
  expect(readdirSync(folder.path)).toEqual([]);
  expect(existsSync(folder.file('contracts'))).toBe(false);
});

test('verify of a description without contracts, and with nothing generated, asks what can be asked, and says how little that is', async () => {
  const folder = temporaryFolder();
  folder.write('openapi.yaml', PETSTORE);
  const mock = await serve(['openapi.yaml'], { cwd: folder.path });
  const args = ['verify', '--spec', 'openapi.yaml', '--base-url', mock.url, '--generate=off'];
  const { exitCode, stdout, stderr } = await endedHere(args, { cwd: folder.path });
  await mock.stop();
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(stdout).toContain('Availability (no contract was named)');
  expect(stdout).toContain('auth');
  expect(stderr).toMatch(
    /No contracts were named: \d of 18 operations were called.*standin init writes a first contract/,
  );
});

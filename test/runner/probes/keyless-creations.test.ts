import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { runContract } from '../../../src/library/run-contract';
import { allSteps } from '../../../src/runner/result/outcome';
import type { RunResult } from '../../../src/runner/result/run-result';
import { startAppServer } from '../../support/app-server';
import { temporaryFolder } from '../../support/temporary-folder';

const folder = temporaryFolder();
const answer = (status: string, body = ''): string => `'${status}': { description: ok${body} }`;
const NOTE = `, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }`;
const NOTES = `, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } }`;
const BODY = `requestBody: { required: true${NOTE} }`;
const ID = `parameters: [{ name: noteId, in: path, required: true, schema: { type: integer, format: int64 } }]`;
const spec = folder.write(
  'notes.yaml',
  `openapi: 3.0.3
info: { title: Notes, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /notes:
    get: { operationId: listNotes, responses: { ${answer('200', NOTES)}, ${answer('401')} } }
    post: { operationId: addNote, ${BODY}, responses: { ${answer('201', NOTE)}, ${answer('400')}, ${answer('401')} } }
  /notes/{noteId}:
    ${ID}
    get: { operationId: getNote, responses: { ${answer('200', NOTE)}, ${answer('401')}, ${answer('404')} } }
    put: { operationId: setNote, ${BODY}, responses: { ${answer('200', NOTE)}, ${answer('400')}, ${answer('401')}, ${answer('404')} } }
    delete: { operationId: dropNote, responses: { ${answer('204')}, ${answer('401')}, ${answer('404')} } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Note:
      type: object
      required: [text]
      properties: { id: { type: integer, format: int64, readOnly: true }, text: { type: string, maxLength: 80 } }
`,
);
const contract = folder.write(
  'notes.contract.yaml',
  `standin: contract/1
name: Notes
steps:
  - operation: addNote
    body: { text: 'Note \${runId}' }
    expect: { status: 201 }
    capture: { id: $response.body#/id }
  - { operation: setNote, parameters: { noteId: '\${id}' }, body: { text: 'Other \${runId}' }, expect: { status: 200 } }
  - { operation: dropNote, parameters: { noteId: '\${id}' }, expect: { status: 204 } }
`,
);

interface Run {
  readonly result: RunResult;
  readonly rows: ReadonlyMap<number, unknown>;
  readonly keyless: readonly string[];
}

/** A server that parses the body before it asks for the key; `opens` says which requests need none. */
async function runAt(opens: (line: string) => boolean, mode: 'own' | 'observe' = 'own'): Promise<Run> {
  const rows = new Map<number, unknown>([[1, { id: 1, text: 'of somebody else' }]]);
  const keyless: string[] = [];
  let last = 1;
  const server = await startAppServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const send = (status: number, body?: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json', 'WWW-Authenticate': 'ApiKey' });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    const id = Number(/^\/notes\/(\d+)/.exec(url)?.[1] ?? 0);
    const act = (body: object): void => {
      const isLetIn = headers['x-key'] === 'right-key' || opens(`${method} ${id === 0 ? 'notes' : 'note'}`);
      if (headers['x-key'] !== 'right-key' && !['GET', 'HEAD'].includes(method)) keyless.push(`${method} ${url}`);
      if (!isLetIn) send(401, {});
      else if (id === 0 && method === 'GET') send(200, [...rows.values()]);
      else if (id === 0) {
        rows.set(++last, { ...body, id: last });
        send(201, rows.get(last));
      } else if (!rows.has(id)) send(404, {});
      else if (method === 'DELETE') {
        rows.delete(id);
        send(204);
      } else {
        if (method === 'PUT') rows.set(id, { ...body, id });
        send(200, rows.get(id));
      }
    };
    if (method !== 'POST' && method !== 'PUT') act({});
    else
      json(request).then(
        (body) => {
          act(body as object);
        },
        () => {
          send(400, {});
        },
      );
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { contracts: [contract], description: spec, apiKey: 'right-key', mode } as const;
  return { result: await runContract({ ...options, baseUrl }), rows, keyless };
}

const failures = ({ result }: Run): string[] =>
  allSteps(result).flatMap(({ name, verdict }) => (verdict.kind === 'fail' ? [name] : []));

test('a server that parses first passes: it gets valid requests without a key, and refuses them', async () => {
  const run = await runAt(() => false);
  expect(failures(run)).toEqual([]);
  expect(run.keyless).toContain('POST /notes');
  expect([...run.rows.keys()]).toEqual([1]);
});

test('a creation that works without a key is one finding, and what it made is removed', async () => {
  const run = await runAt((line) => line === 'POST notes');
  expect(failures(run)).toEqual(['addNote rejects a missing key in a valid request']);
  expect(run.keyless.filter((line) => line === 'POST /notes')).toHaveLength(1);
  expect([...run.rows.keys()]).toEqual([1]);
  expect(run.result.leftBehind).toEqual([]);
});

test('changes and removals without a key name what the run made or what cannot exist', async () => {
  const run = await runAt(() => true);
  expect(run.rows.get(1)).toEqual({ id: 1, text: 'of somebody else' });
  expect([...run.rows.keys()]).toEqual([1]);
  expect(run.keyless.filter((line) => line.endsWith('/notes/1'))).toEqual([]);
});

test('mode observe sends nothing without a key that could change something', async () => {
  const run = await runAt(() => true, 'observe');
  expect(run.keyless).toEqual([]);
});

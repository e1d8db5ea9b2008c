import { writeFileSync } from 'node:fs';
import { createServerParts } from '../../src/library/create-mock-server';
import { listen } from '../../src/server/listen';
import { RawConnection } from './raw-connection';
import { temporaryFolder } from '../support/temporary-folder';

const content = '{ application/json: { schema: { $ref: "#/components/schemas/Cup" } } }';
const paths = (name: string): string => `  /${name}:
    get:
      responses:
        '200': { description: all, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Cup' } } } } }
    post: { requestBody: { content: ${content} }, responses: { '201': { description: made, content: ${content} } } }
  /${name}/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: one, content: ${content} } } }
`;
const description = (...names: string[]): string => `openapi: 3.0.3
info: { title: Cups, version: '1' }
paths:
${names.map(paths).join('')}components:
  schemas:
    Cup: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
`;

test.each([
  { sandbox: [], next: ['cups', 'mugs'], kept: '[{"id":1,"name":"late"}]' },
  { sandbox: ['X-Standin-Sandbox: a'], next: ['cups', 'mugs'], kept: '[{"id":1,"name":"late"}]' },
  { sandbox: ['X-Standin-Sandbox: a'], next: ['mugs'], kept: undefined },
])('a request that began before a reload ends as it began: $sandbox, $next', async ({ sandbox, next, kept }) => {
  const file = temporaryFolder().write('openapi.yaml', description('cups'));
  const defects: unknown[] = [];
  const hooks = { reportDefect: (error: unknown) => void defects.push(error) };
  const parts = await createServerParts({ description: file, state: 'empty' }, hooks);
  const { app, serverOptions } = parts;
  const toErrorResponse = parts.mock.engine.refuse.bind(parts.mock.engine);
  const server = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    serverOptions,
    toErrorResponse,
    corsOrigin: undefined,
  });
  const connection = await RawConnection.open(Number(new URL(server.url).port));
  const ask = async (line: string, body = ''): Promise<{ status: number; body: string }> => {
    const head = [`${line} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...sandbox];
    connection.send([...head, `Content-Length: ${body.length}`, '', body].join('\r\n'));
    return connection.next();
  };

  const late = '{"name":"late"}';
  const head = ['POST /cups HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', 'Expect: 100-continue'];
  connection.send([...head, ...sandbox, `Content-Length: ${late.length}`, '', ''].join('\r\n'));
  expect((await connection.next()).status).toBe(100);
  writeFileSync(file, description(...next));
  await parts.reload();
  connection.send(late);
  expect(await connection.next()).toMatchObject({ status: 201, body: '{"id":1,"name":"late"}' });

  const now = await ask('GET /cups');
  expect(now).toMatchObject(kept === undefined ? { status: 404 } : { status: 200, body: kept });
  expect(await ask('POST /mugs', '{"name":"new"}')).toMatchObject({ status: 201 });
  expect(await ask('GET /mugs')).toMatchObject({ status: 200, body: '[{"id":1,"name":"new"}]' });
  expect(defects).toEqual([]);
  connection.close();
  await server.close();
});

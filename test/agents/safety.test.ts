import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkingFolder } from '../../src/files/working-folder';
import { startServer, type TestServer } from '../support/server';
import { temporaryFolder } from '../support/temporary-folder';
import { agentOf, connect, startAgent } from './agents';

const CONTRACT = 'standin: contract/1\nname: x\nsteps: []\n';

describe('the endpoint', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    expect(server.defects).toEqual([]);
    await server.close();
  });

  const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const post = async (body: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
    const response = await fetch(`${server.url}/__standin/mcp`, {
      method: 'POST',
      body,
      headers: { ...HEADERS, ...headers },
    });
    return [response.status, await response.text()];
  };
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

  test('answers this machine, and no page of another origin', async () => {
    expect((await post(list))[0]).toBe(200);
    expect((await post(list, { Origin: 'https://evil.example' }))[0]).toBe(403);
    expect((await post(list, { 'Sec-Fetch-Site': 'cross-site' }))[0]).toBe(403);
    expect((await post(list, { 'X-Forwarded-For': '1.2.3.4' }))[0]).toBe(403);
  });

  test('asks for the admin token where there is one', async () => {
    const closed = await startServer({ adminToken: 'of-the-team' });
    const ask = (headers = {}): Promise<Response> =>
      fetch(`${closed.url}/__standin/mcp`, { method: 'POST', body: list, headers: { ...HEADERS, ...headers } });
    expect((await ask()).status).toBe(403);
    expect((await ask({ Authorization: 'Bearer of-the-team' })).status).toBe(200);
    await closed.close();
  });

  test('refuses messages of absurd size, broken ones, and what is no message', async () => {
    const [status, text] = await post(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${'x'.repeat(17 * 1024 * 1024)}"}}`,
    );
    expect([status, text]).toEqual([413, expect.stringContaining('at most 16777216 bytes')]);
    expect((await post('{"jsonrpc":'))[0]).toBe(400);
    expect((await post('{"id":1}'))[0]).toBe(400);
    expect((await post(list, { 'Content-Type': 'text/plain' }))[0]).toBe(415);
    const nowhere = await fetch(`${server.url}/__standin/mcp`);
    expect([nowhere.status, nowhere.headers.get('allow')]).toEqual([405, 'POST']);
    const unknown = await post(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/dance' }));
    expect(JSON.parse(unknown[1])).toMatchObject({ error: { code: -32601 } });
    // Who asks afterwards is answered.
    expect((await post(list))[0]).toBe(200);
  });

  test('shows a part of what is large, and says so', async () => {
    const { call, client } = agentOf(await connect(`${server.url}/__standin/mcp`));
    for (let id = 0; id < 40; id++)
      await fetch(`${server.url}/pets?name=${'y'.repeat(1000)}${id}`, {
        headers: { Authorization: 'Bearer test-key' },
      });
    const text = await call('list_requests');
    expect(text.length).toBeLessThan(24_300);
    expect(text).toMatch(/… cut: these are 24000 of \d+ characters\. Ask for less/);
    await client.close();
  });
});

describe('two agents in one sandbox', () => {
  test('do not undo what the other one did', async () => {
    const first = await startAgent({ allowWrites: true });
    const second = agentOf(await connect(`${first.server.url}/__standin/mcp`));
    const where = { collection: '/categories', sandbox: 'shared' };
    const { rows } = await first.json<{ rows: { key: string; version: string }[] }>('list_items', {
      ...where,
      limit: 1,
    });
    const { key, version } = rows[0]!;
    const change = (name: string): object => ({ ...where, key: key, version, properties: { name } });
    expect(await second.call('patch_item', change('Of the second'))).toContain('Of the second');
    expect(await first.call('patch_item', change('Of the first'))).toMatch(/^refused: .*meanwhile/);
    expect(await first.call('list_items', { ...where, key: key })).toContain('Of the second');
    // Both at once, without a version: each is done whole.
    const made = await Promise.all(
      [first, second].flatMap((agent) =>
        Array.from({ length: 10 }, (_, at) =>
          agent.json<{ status: number }>('call_operation', {
            method: 'POST',
            target: '/categories',
            body: { name: `Kind ${at} of ${agent === first ? 'one' : 'two'}` },
            sandbox: 'shared',
          }),
        ),
      ),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    const main = await first.json<{ total: number }>('list_items', { collection: '/categories' });
    const shared = await first.json<{ total: number }>('list_items', where);
    expect(shared.total - main.total).toBe(20);
    await second.client.close();
    await first.close();
  });
});

describe('the working folder', () => {
  const folder = temporaryFolder();
  const working = new WorkingFolder(folder.path);

  test('has the contracts below it, and no other file', () => {
    folder.write('contracts/a.yaml', CONTRACT);
    folder.write('b.json', '{"standin":"contract/1","name":"y","steps":[]}');
    folder.write('openapi.yaml', 'openapi: 3.1.0\n');
    folder.write('node_modules/x/c.yaml', CONTRACT);
    folder.write('.git/d.yaml', CONTRACT);
    expect(working.contracts()).toEqual(['b.json', 'contracts/a.yaml']);
    expect(working.read('contracts/a.yaml')).toBe(CONTRACT);
    expect(() => working.read('openapi.yaml')).toThrow('openapi.yaml is no contract');
  });

  test.each([
    '../outside.yaml',
    '/etc/hosts.yaml',
    'link/x.yaml',
    '.git/d.yaml',
    'node_modules/x/c.yaml',
    'a/../../b.yaml',
  ])('is not left by %s', (file) => {
    const outside = temporaryFolder();
    writeFileSync(outside.file('x.yaml'), CONTRACT);
    mkdirSync(folder.file('a'), { recursive: true });
    try {
      symlinkSync(outside.path, folder.file('link'));
    } catch {
      // It is there already.
    }
    expect(() => working.read(file)).toThrow('is not below the working folder');
    expect(() => {
      working.write(file, CONTRACT, true);
    }).toThrow('is not below the working folder');
  });

  test('takes contracts alone, and replaces none unless that is said', () => {
    const write =
      (file: string, replaces = false) =>
      (): void => {
        working.write(file, CONTRACT, replaces);
      };
    write('new/deep/c.yaml')();
    expect(working.contracts()).toContain(join('new', 'deep', 'c.yaml'));
    expect(write('new/deep/c.yaml')).toThrow('is there already');
    write('new/deep/c.yaml', true)();
    expect(write('run.sh')).toThrow('is no name of a contract');
    expect(write('openapi.yaml', true)).toThrow('openapi.yaml is no contract');
  });
});

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endedRun, killAll, serve } from '../cli/standin-process';
import { BUILT_COMMAND } from '../support/built-command';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/until';

afterEach(killAll);

const KEY = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };

async function post(url: string, name: string): Promise<Response> {
  const response = await fetch(`${url}/categories`, { method: 'POST', headers: KEY, body: JSON.stringify({ name }) });
  // One that nobody reads keeps its connection.
  return new Response(await response.arrayBuffer(), response);
}

async function names(url: string): Promise<string[]> {
  const state = (await (await fetch(`${url}/__standin/state`)).json()) as {
    collections: { '/categories': { name: string }[] };
  };
  return state.collections['/categories'].map(({ name }) => name);
}

test('a mock that is killed in the middle of its work goes on at once, with all that it had answered', async () => {
  const folder = temporaryFolder();
  const options = ['--store', `file:${folder.path}`, '--store-sync', 'always'];
  const answered: string[] = [];
  for (let round = 0; round < 4; round++) {
    const served = await serve(options);
    const before = await names(served.url);
    expect(answered.filter((name) => !before.includes(name))).toEqual([]);
    let isOver = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let count = 0; !isOver; count++) {
        const name = `${round} ${writer} ${count}`;
        const response = await post(served.url, name).catch(() => undefined);
        if (response?.status === 201) answered.push(name);
      }
    });
    const wanted = answered.length + 6;
    await until(() => answered.length >= wanted, 'answers');
    const stopping = served.stop('SIGKILL');
    isOver = true;
    await stopping;
    await Promise.all(writers);
  }
});

test('a second process is told who uses the folder, and where that is named in a configuration file', async () => {
  const folder = temporaryFolder();
  const config = folder.write(
    'mocks/standin.config.yaml',
    'standin: config/1\nmock:\n  store: file:data\n  storeSync: 200ms\n',
  );
  const first = await serve(['--config', config]);
  expect((await post(first.url, 'one')).status).toBe(201);
  const second = await endedRun(['mock', '--port', '0', '--store', `file:${folder.file('mocks/data')}`]);
  expect(second.exitCode).toBe(2);
  expect(second.stderr).toMatch(/STORE_IN_USE: The store \S+mocks\/data is in use by the process \d+\n/);
  expect((await first.stop()).exitCode).toBe(0);
  const third = await serve(['--store', `file:${folder.file('mocks/data')}`]);
  expect(await names(third.url)).toContain('one');
});

test('a disk that is full: 503, nothing is half done, and what was answered is there again', async () => {
  const folder = temporaryFolder();
  const [args, port] = [['mock', '--port', '4589', '--log', 'silent', '--store', `file:${folder.path}`], 4589];
  const url = `http://127.0.0.1:${port}`;
  // No file of the process may have more than 16 blocks of 1024 bytes.
  const child = spawn('bash', ['-c', 'ulimit -S -f 16; exec "$@"', 'bash', process.execPath, BUILT_COMMAND, ...args]);
  const closed = new Promise((resolve) => child.on('close', resolve));
  let answered = 0;
  try {
    await until(() => fetch(`${url}/__standin/health`).catch(() => undefined), 'the mock answers');
    let response = await post(url, 'first');
    for (; response.status === 201; answered++) response = await post(url, `category ${answered} ${'x'.repeat(20)}`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({
      status: 503,
      message: expect.stringContaining('cannot be written') as string,
    });
    expect(answered).toBeGreaterThan(10);
    expect(await (await fetch(`${url}/__standin/health`)).json()).toMatchObject({ status: 'failing' });
    const ready = async (): Promise<number> => (await fetch(`${url}/__standin/ready`)).status;
    expect(await ready()).toBe(503);
    const reset = (): Promise<Response> => fetch(`${url}/__standin/reset`, { method: 'POST', headers: KEY });
    const tooLarge = { standin: 'fixture/1', collections: { '/categories': [{ id: 1, name: 'x'.repeat(50) }] } };
    const load = { method: 'PUT', headers: KEY, body: JSON.stringify(tooLarge) };
    const loaded = await fetch(`${url}/__standin/state`, load);
    expect([loaded.status, ((await loaded.json()) as { code: string }).code]).toEqual([503, 'store_unavailable']);
    expect(await names(url)).toHaveLength(answered + 2);
    // There is room again.
    spawnSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited']);
    expect((await post(url, 'afterwards')).status).toBe(201);
    answered += 1;
    expect(await ready()).toBe(200);
    expect((await reset()).status).toBe(204);
    expect(await names(url)).toHaveLength(2);
    for (answered = 0; answered < 5;) answered += Number((await post(url, `again ${answered}`)).status === 201);
  } finally {
    child.kill('SIGKILL');
    await closed;
  }
  expect(readFileSync(join(folder.path, 'default.log'), 'utf8').endsWith('}\n')).toBe(true);
  const again = await serve(['--store', `file:${folder.path}`]);
  expect(await names(again.url)).toHaveLength(answered + 2);
});

test('a disk that is full for the snapshot of a long log as well: what was answered is there, what was refused is not', async () => {
  const folder = temporaryFolder();
  const description = folder.write(
    'notes.json',
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Notes', version: '1' },
      paths: {
        '/notes': {
          get: { responses: { 200: jsonOf({ type: 'array', items: { $ref: '#/components/schemas/Note' } }) } },
          post: {
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } } },
            responses: { 201: jsonOf({ $ref: '#/components/schemas/Note' }) },
          },
        },
        '/notes/{id}': { get: { responses: { 200: jsonOf({ $ref: '#/components/schemas/Note' }) } } },
      },
      components: {
        schemas: { Note: { type: 'object', properties: { id: { type: 'integer' }, text: { type: 'string' } } } },
      },
    }),
  );
  const args = ['mock', description, '--port', '4588', '--log', 'silent', '--store', `file:${folder.file('store')}`];
  // A log is long at 4 MB; its first snapshot fits into 5, its second one does not.
  const limited = ['-c', 'ulimit -S -f 5000; exec "$@"', 'bash', process.execPath, BUILT_COMMAND, ...args];
  const child = spawn('bash', limited, { stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (text) => (told += String(text)));
  const closed = new Promise((resolve) => child.on('close', resolve));
  const statuses: number[] = [];
  const send = async (): Promise<void> => {
    const text = `${statuses.length} ${'x'.repeat(100_000)}`;
    const body = JSON.stringify({ text });
    const response = await fetch('http://127.0.0.1:4588/notes', { method: 'POST', headers: KEY, body }).catch(
      () => undefined,
    );
    if (response === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    else statuses.push(response.status);
  };
  try {
    while (statuses.length < 140) await Promise.all([send(), send(), send()]);
  } finally {
    child.kill('SIGKILL');
    await closed;
  }
  const answered = statuses.filter((status) => status === 201).length;
  expect(new Set(statuses)).toEqual(new Set([201, 503]));
  // The log became a snapshot once.
  expect(answered).toBeGreaterThan(60);
  expect(told).toContain('The log of the sandbox default stays long, no snapshot could be written');
  const again = await serve([description, '--store', `file:${folder.file('store')}`]);
  const notes = (await (await fetch(`${again.url}/notes?limit=500`, { headers: KEY })).json()) as { text?: string }[];
  // Beside those that the description gave to begin with.
  expect(notes.filter(({ text = '' }) => text.length > 100_000)).toHaveLength(answered);
});

function jsonOf(schema: object): object {
  return { description: 'as it is', content: { 'application/json': { schema } } };
}

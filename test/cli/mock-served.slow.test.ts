import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { loadDescription } from '../../src/files/load-description';
import { temporaryFolder } from '../support/temporary-folder';
import { LIBRARY_TEXT } from './library';
import { killAll, type RunOptions, serve } from './standin-process';

const KEY = { Authorization: 'Bearer test-key' };
const LIBRARY = temporaryFolder().write('library.yaml', LIBRARY_TEXT);

afterEach(killAll);

describe('keys', () => {
  const status = async (url: string, key: string): Promise<number> => {
    return (await fetch(`${url}/pets`, { headers: { Authorization: `Bearer ${key}` } })).status;
  };

  test.each<[string, string[], RunOptions, string[], string[]]>([
    ['test-key, when nothing else is said', [], {}, ['test-key'], ['other']],
    ['that of STANDIN_API_KEY', [], { env: { STANDIN_API_KEY: 'from-env' } }, ['from-env'], ['test-key']],
    ['test-key, when STANDIN_API_KEY is empty', [], { env: { STANDIN_API_KEY: '' } }, ['test-key'], ['other']],
    ['those of --api-key', ['--api-key', 'a', '--api-key=b'], {}, ['a', 'b'], ['test-key', 'A', 'ab']],
    ['those of --api-key before STANDIN_API_KEY', ['--api-key', 'a'], { env: { STANDIN_API_KEY: 'b' } }, ['a'], ['b']],
    ['every one, with --auth any', ['--auth', 'any'], {}, ['anything', 'test-key'], []],
  ])('are accepted: %s', async (_, args, options, accepted, refused) => {
    const { url, output } = await serve(args, options);
    for (const key of accepted) expect({ key, status: await status(url, key) }).toStrictEqual({ key, status: 200 });
    for (const key of refused) expect({ key, status: await status(url, key) }).toStrictEqual({ key, status: 401 });
    expect((await fetch(`${url}/pets`)).status).toBe(401);
    const shown = args.includes('any') ? 'any-key' : accepted[0]!;
    expect(output().stdout).toMatch(
      new RegExp(`^API key: +${shown}${accepted.length > 1 && shown !== 'any-key' ? ' \\(and 1 more\\)' : ''}$`, 'm'),
    );
  });

  test('none are needed with --auth off, and none is spoken of', async () => {
    const { url, output } = await serve(['--auth', 'off']);
    expect((await fetch(`${url}/pets`)).status).toBe(200);
    expect(output().stdout).not.toMatch(/API key|Authorization|test-key/);
  });
});

describe('what is printed at the start', () => {
  test('where it listens, every operation with its marks, the key, and a call that works', async () => {
    const { url, output } = await serve();
    const { stdout, stderr } = output();
    expect(stderr).toBe('');
    expect(stdout).toContain(`Petstore API 1.0.0 is mocked at ${url}\n`);
    for (const { method, path } of loadDescription().api.operations) {
      expect(stdout).toMatch(new RegExp(`^  ${method} +${path.replace(/[{}]/g, '\\$&')}(?: |$)`, 'm'));
    }
    expect(stdout).toMatch(/^ {2}GET +\/pets\/\{petId\} .*deprecated.*2030/m);
    expect(stdout).toMatch(/^ {2}DELETE +\/store\/orders\/\{orderId\} .*beta/m);
    expect(stdout).toMatch(/^ {2}PATCH +\/inventory\/\{petId\} .*experimental/m);
    expect(stdout).toMatch(/^ {2}GET +\/store\/orders .*try-it/m);
    expect(stdout).toMatch(/^API key: +test-key$/m);
    const health = /^Window: +(\S+)/m.exec(stdout)?.[1] ?? '';
    expect((await fetch(health)).status).toBe(200);
    const command = /^Try: +(.*)$/m.exec(stdout)?.[1] ?? '';
    const answer = await promisify(execFile)('sh', ['-c', command]);
    expect(JSON.parse(answer.stdout)).toMatchObject([{ name: 'Biscuit' }, { name: 'Miso' }, { name: 'Clementine' }]);
  });

  test('the base path of the description is in every address', async () => {
    const { url, output } = await serve([LIBRARY, '--state', 'empty']);
    const { stdout } = output();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2$/);
    expect(stdout).toMatch(/^ {2}POST +\/v2\/books$/m);
    expect(stdout).not.toContain('API key');
    const command = /^Try: +(.*)$/m.exec(stdout)?.[1] ?? '';
    expect((await promisify(execFile)('sh', ['-c', command])).stdout).toBe('[]');
  });

  test('a call that works, whatever characters its key has', async () => {
    const { output } = await serve(['--api-key', 'a-b._~+/c==']);
    const command = /^Try: +(.*)$/m.exec(output().stdout)?.[1] ?? '';
    expect(JSON.parse((await promisify(execFile)('sh', ['-c', command])).stdout)).toHaveLength(3);
  });
});

describe('the log of requests', () => {
  test('pretty: one line for each, with the reason of a refusal and nothing that a terminal would obey', async () => {
    const { url, written, stop } = await serve();
    await fetch(`${url}/pets`, { headers: KEY });
    await fetch(`${url}/pets/99`, { headers: KEY });
    await fetch(`${url}/pets?name=%1b[31m`, { headers: KEY });
    await fetch(`${url}/last`);
    await written(/\/last/);
    const { stdout } = await stop();
    expect(stdout).toMatch(/^[\d:.]+ GET +\/pets 200 [\d.]+ ms$/m);
    expect(stdout).toMatch(/^[\d:.]+ GET +\/pets\/99 404 [\d.]+ ms .*resource_not_found/m);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('Bearer test-key\n');
  });

  test('json: every line is JSON, the first one says where it listens', async () => {
    const { url, written, stop } = await serve(['--log', 'json']);
    await fetch(`${url}/pets`, { headers: KEY });
    await fetch(`${url}/pets/99?a="b"`, { headers: KEY });
    await fetch(`${url}/last`);
    await written(/last/);
    const { stdout, stderr } = await stop();
    expect(stderr).toBe('');
    expect(stdout.endsWith('\n')).toBe(true);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toMatchObject([
      { msg: 'listening', url, title: 'Petstore API' },
      { msg: 'request', method: 'GET', target: '/pets', status: 200, ms: expect.any(Number) },
      { msg: 'request', method: 'GET', target: expect.stringContaining('/pets/99?a='), status: 404 },
      { msg: 'request', method: 'GET', target: '/last', status: 404 },
    ]);
    for (const { time } of lines) expect(new Date(String(time)).toISOString()).toBe(time);
    expect(stdout).not.toContain('test-key');
  });

  test('json: a line names the operation, and why a request was refused', async () => {
    const { url, written, stop } = await serve(['--log', 'json', '--base-path', '/v1']);
    await fetch(`${url}/pets`, { method: 'HEAD', headers: KEY });
    await fetch(`${url}/pets/99`, { headers: KEY });
    await fetch(`${url}/pets`);
    await fetch(`${url.replace('/v1', '')}/__standin/nowhere`);
    await fetch(`${url}/last`);
    await written(/last/);
    const { stdout } = await stop();
    const [, ...lines] = stdout.trimEnd().split('\n');
    const told = lines.map((line) => {
      const { operation, code, message } = JSON.parse(line) as Record<string, unknown>;
      return { operation, code, message };
    });
    const says = (text: string): unknown => expect.stringContaining(text);
    expect(told).toStrictEqual([
      { operation: 'listPets', code: undefined, message: undefined },
      { operation: 'getPet', code: 'resource_not_found', message: says('99') },
      { operation: 'listPets', code: 'missing_api_key', message: says('Authorization is missing') },
      { operation: undefined, code: 'route_not_found', message: says('/nowhere') },
      { operation: undefined, code: 'route_not_found', message: says('no path') },
    ]);
  });

  test('silent: only what is printed at the start', async () => {
    const { url, output, stop } = await serve(['--log', 'silent']);
    const before = output().stdout;
    await fetch(`${url}/pets`, { headers: KEY });
    const { stdout, stderr } = await stop();
    expect(stdout).toBe(before);
    expect(stderr).toBe('');
  });
});

describe('what the options do', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it with 0', async (signal) => {
    const { stop } = await serve();
    expect(await stop(signal)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('--state empty starts with nothing, --id-start says where ids begin', async () => {
    const { url } = await serve(['--state', 'empty', '--id-start', '9007199254740993']);
    const headers = { ...KEY, 'Content-Type': 'application/json' };
    expect(await (await fetch(`${url}/pets`, { headers })).json()).toStrictEqual([]);
    const response = await fetch(`${url}/categories`, { method: 'POST', headers, body: '{ "name": "Dog" }' });
    expect(await response.text()).toContain('"id":9007199254740993');
  });

  test('--base-path replaces the one of the description', async () => {
    const { url } = await serve([LIBRARY, '--base-path', 'api/v9/']);
    expect(url).toMatch(/\/api\/v9$/);
    expect((await fetch(`${url}/books`)).status).toBe(200);
    expect((await fetch(`${url.replace('/api/v9', '/v2')}/books`)).status).toBe(404);
  });

  test('--clock, and --after-sunset', async () => {
    const gone = await serve(['--clock', '2030-12-05']);
    expect((await fetch(`${gone.url}/pets/1`, { headers: KEY })).status).toBe(410);
    const before = await serve(['--clock', '2030-12-04T23:00:00Z']);
    expect((await fetch(`${before.url}/pets/1`, { headers: KEY })).status).toBe(200);
    const served = await serve(['--clock', '2031-01-01T00:00:00+02:00', '--after-sunset', 'serve']);
    expect((await fetch(`${served.url}/pets/1`, { headers: KEY })).status).toBe(200);
  });

  test('--rate-limit and --require-if-match', async () => {
    const { url } = await serve(['--rate-limit', '2/3600', '--require-if-match']);
    const removed = await fetch(`${url}/store/orders/1`, { method: 'DELETE', headers: KEY });
    expect(removed.status).toBe(428);
    expect((await fetch(`${url}/pets`, { headers: KEY })).status).toBe(200);
    const refused = await fetch(`${url}/pets`, { headers: KEY });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('--cors', async () => {
    const from = async (url: string, Origin: string): Promise<string | null> => {
      return (await fetch(`${url}/pets`, { headers: { ...KEY, Origin } })).headers.get('access-control-allow-origin');
    };
    const any = await serve();
    expect(await from(any.url, 'http://a.example')).toBe('*');
    const none = await serve(['--cors', 'off']);
    expect(await from(none.url, 'http://a.example')).toBeNull();
    const two = await serve(['--cors', 'http://a.example', 'http://b.example']);
    expect(await from(two.url, 'http://b.example')).toBe('http://b.example');
    expect(await from(two.url, 'http://c.example')).toBeNull();
  });

  test.each<[string, string[], RunOptions]>([
    ['--admin-token', ['--admin-token', 'secret'], {}],
    ['STANDIN_ADMIN_TOKEN', [], { env: { STANDIN_ADMIN_TOKEN: 'secret' } }],
  ])('%s opens the admin routes to whoever sends it', async (_, args, options) => {
    const { url, output } = await serve(args, options);
    const health = `${url}/__standin/health`;
    expect((await fetch(health)).status).toBe(403);
    expect((await fetch(health, { headers: { Authorization: 'Bearer secret' } })).status).toBe(200);
    expect(output().stdout).not.toContain('secret');
  });

  test('an empty STANDIN_ADMIN_TOKEN is none', async () => {
    const { url } = await serve([], { env: { STANDIN_ADMIN_TOKEN: '' } });
    expect((await fetch(`${url}/__standin/health`)).status).toBe(200);
  });

  test.each([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
    ['::1', '[::1]'],
  ])('--host %s: the URL of the admin routes and of the first call is one that works', async (host, loopback) => {
    const { output } = await serve(['--host', host]);
    const { stdout } = output();
    const [, health = ''] = /^Window: +(\S+)/m.exec(stdout) ?? [];
    expect(new URL(health).hostname).toBe(loopback);
    expect((await fetch(health)).status).toBe(200);
    const [, call = ''] = /^Try: .* (\S+)$/m.exec(stdout) ?? [];
    expect(new URL(call).hostname).toBe(loopback);
    expect((await fetch(call, { headers: KEY })).status).toBe(200);
  });

  test('--host takes an address of IPv6 too', async () => {
    const { url } = await serve(['--host', '::1']);
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${url}/pets`, { headers: KEY })).status).toBe(200);
  });
});

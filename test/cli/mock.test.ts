import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadDescription } from '../../src/adapters/node/load-description';
import { PACKAGE_ROOT } from '../../src/adapters/node/package-root';
import { temporaryFolder } from '../support/temporary-folder';
import { thrownBy } from '../openapi/load-text';
import { endedRun, killAll, runMain, serve, standin, type RunOptions } from './standin-process';

const folder = temporaryFolder();
const KEY = { Authorization: 'Bearer test-key' };

afterEach(killAll);

const LIBRARY = folder.write(
  'library.yaml',
  `openapi: 3.0.3
info: { title: Library, version: 2.1.0 }
servers: [{ url: https://library.example/v2 }]
paths:
  /books:
    get:
      operationId: listBooks
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } }
    post:
      operationId: addBook
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses:
        '201':
          description: ok
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
components:
  schemas:
    Book:
      type: object
      required: [title]
      properties: { id: { type: integer, readOnly: true }, title: { type: string, maxLength: 20 } }
`,
);

async function postBook(url: string): Promise<unknown> {
  const response = await fetch(`${url}/books`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{ "title": "Emma" }',
  });
  return response.json();
}

describe('what can be asked of the command line', () => {
  const { version } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { version: string };

  test.each(['--version', '-V'])('%s', async (flag) => {
    expect(await runMain(flag)).toStrictEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  test.each([['--help'], ['-h'], ['help']])('%s names the commands', async (...args) => {
    const { exitCode, stdout, stderr } = await runMain(...args);
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: standin /);
    expect(stdout).toMatch(/^ {2}mock .*Serve a stateful mock/m);
  });

  test.each([
    ['mock', '--help'],
    ['help', 'mock'],
  ])('%s %s names every option, its default and examples', async (...args) => {
    const { exitCode, stdout } = await runMain(...args);
    expect(exitCode).toBe(0);
    for (const option of [
      ...['port', 'host', 'fixtures', 'rules', 'state', 'auth', 'api-key', 'base-path', 'rate-limit', 'clock'],
      ...['after-sunset', 'require-if-match', 'id-start', 'cors', 'admin-token', 'log'],
    ]) {
      expect(stdout).toMatch(new RegExp(`^ +(?:-\\w, )?--${option}\\b`, 'm'));
    }
    expect(stdout.replace(/\s+/g, ' ')).toContain('(default: 4010)');
    expect(stdout).toContain('STANDIN_API_KEY');
    expect(stdout).toContain('Examples:');
  });

  test('nothing at all: the help, on stderr', async () => {
    const { exitCode, stdout, stderr } = await runMain();
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: standin /);
  });

  test('the built executable answers too', async () => {
    expect(await endedRun(['--version'])).toStrictEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
    expect(await endedRun(['--help'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await endedRun(['mock', '--prot', '1'])).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('a command line that is not right ends with 2 and says why', () => {
  test.each([
    [['mok'], 'Did you mean mock?'],
    [['mock', '--prot', '4010'], 'Did you mean --port?'],
    [['mock', '--api-keys', 'x'], 'Did you mean --api-key?'],
    [['mock', '--whatever'], "unknown option '--whatever'"],
    [['--whatever'], "unknown option '--whatever'"],
    [['whatever'], "unknown command 'whatever'"],
    [['mock', 'one.yaml', 'two.yaml'], 'too many arguments'],
    [['mock', '--port'], 'argument missing'],
    [['mock', '--port', 'http'], '0 to 65535'],
    [['mock', '--port', '65536'], '0 to 65535'],
    [['mock', '--port=-1'], '0 to 65535'],
    [['mock', '--port', '1.5'], '0 to 65535'],
    [['mock', '--port', '0x10'], '0 to 65535'],
    [['mock', '--port', ''], '0 to 65535'],
    [['mock', '--state', 'full'], 'seeded, empty'],
    [['mock', '--auth', 'none'], 'keys, any, off'],
    [['mock', '--after-sunset', 'stay'], 'gone, serve'],
    [['mock', '--log', 'xml'], 'pretty, json, silent'],
    [['mock', '--base-path', '/v1?x=1'], 'a path such as /v1'],
    [['mock', '--base-path', '/a b'], 'a path such as /v1'],
    [['mock', '--base-path', 'http://example.com/v1#'], 'a path such as /v1'],
    [['mock', '--rate-limit', '100'], 'REQUESTS/SECONDS'],
    [['mock', '--rate-limit', '0/60'], 'REQUESTS/SECONDS'],
    [['mock', '--rate-limit', '100/0'], 'REQUESTS/SECONDS'],
    [['mock', '--rate-limit', '1.5/60'], 'REQUESTS/SECONDS'],
    [['mock', '--rate-limit', '1/60/60'], 'REQUESTS/SECONDS'],
    [['mock', '--clock', 'yesterday'], 'date-time such as 2031-01-01T00:00:00Z'],
    [['mock', '--clock', '2031-02-29'], 'date-time such as 2031-01-01T00:00:00Z'],
    [['mock', '--clock', '12:00'], 'date-time such as 2031-01-01T00:00:00Z'],
    [['mock', '--id-start', '0'], '1 to 9223372036854775807'],
    [['mock', '--id-start=-1'], '1 to 9223372036854775807'],
    [['mock', '--id-start', '1.5'], '1 to 9223372036854775807'],
    [['mock', '--id-start', 'one'], '1 to 9223372036854775807'],
    [['mock', '--id-start', '9223372036854775808'], '9223372036854775807'],
  ])('%j', async (args, reason) => {
    const { exitCode, stdout, stderr } = await runMain(...args);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr).toContain('--help');
  });

  test.each([
    ['a day that there is not', ['--clock', '2031-02-29T00:00:00Z'], '--clock'],
    ['a key that no header can carry', ['--api-key', 'two words'], '--api-key'],
    ['an empty key', ['--api-key', ''], '--api-key'],
    ['an empty admin token', ['--admin-token', ''], '--admin-token'],
    ['an origin without a scheme', ['--cors', 'example.com'], '--cors'],
    ['an origin with a path', ['--cors', 'http://example.com/page'], '--cors'],
    ['a host that there is not', ['--host', 'no-such-host.invalid'], 'no-such-host.invalid'],
    ['an address that is not of this machine', ['--host', '203.0.113.1'], '203.0.113.1'],
    ['a description that does not exist', ['nothing.yaml'], 'nothing.yaml does not exist'],
    ['a description that is a folder', [folder.path], 'is a folder'],
    ['fixtures that do not exist', ['--fixtures', 'nothing.json'], 'nothing.json does not exist'],
    ['rules that do not exist', ['--rules', 'nothing.js'], 'nothing.js'],
  ])('%s', async (_, args, reason) => {
    const { exitCode, stdout, stderr } = await runMain('mock', '--port', '0', ...args);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr).not.toMatch(/^\s+at .*\.js:\d+/m);
  });

  test('a description that stands behind --cors is not lost', async () => {
    const result = await standin(['mock', '--port', '0', '--cors', 'off', LIBRARY]);
    if ('stop' in result) expect(result.output().stdout).toContain('Library');
    else expect(result.exitCode).toBe(2);
  });
});

describe('a description that is not valid', () => {
  const several = join(__dirname, '..', 'cases', 'bad-documents', 'several-faults', 'openapi.yaml');

  test('has every finding printed with its place, and nothing is served', async () => {
    const { findings } = thrownBy(() => loadDescription(several));
    const { exitCode, stdout, stderr } = await runMain('mock', '--port', '0', several);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('SPEC_INVALID');
    expect(findings.length).toBeGreaterThan(2);
    for (const { line, column, rule, message, pointer } of findings) {
      expect(stderr).toContain(
        `${several}:${String(line)}:${String(column)} error ${rule}: ${message}\n    at ${pointer}\n`,
      );
    }
    expect(stderr).toContain('hint: Did you mean #/components/schemas/Book?');
  });
});

describe('fixtures that the service could not have come to', () => {
  const bundled = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'fixtures', 'petstore.json'), 'utf8')) as {
    collections: Record<string, Record<string, unknown>[]>;
  };
  const changed = (name: string, change: (collections: typeof bundled.collections) => void): string => {
    const copy = structuredClone(bundled);
    change(copy.collections);
    return folder.write(name, JSON.stringify(copy, null, 1));
  };

  test.each<[string, string, RegExp]>([
    [
      'break a schema',
      changed('schema.json', (collections) => {
        collections['/pets']![0]!['status'] = 'lost';
      }),
      /fixture-schema: .*"available", "pending", "sold"\n {4}at \/collections\/~1pets\/0\/status/,
    ],
    [
      'break a reference',
      changed('reference.json', (collections) => {
        collections['/pets']![0]!['categoryId'] = 9;
      }),
      /fixture-reference: .*names 9, which does not exist in \/categories\n {4}at \/collections\/~1pets\/0\/categoryId/,
    ],
    [
      'break an invariant',
      changed('invariant.json', (collections) => {
        collections['/inventory']![0]!['quantity'] = 0;
      }),
      /fixture-invariant: \/pets 1 is available without stock\n {4}at \/collections\/~1pets\/0/,
    ],
    [
      'have a key twice',
      changed('key.json', (collections) => {
        collections['/pets']![1]!['id'] = 1;
      }),
      /fixture-key: The id 1 is taken/,
    ],
    [
      'name a collection that there is not',
      changed('collection.json', (collections) => {
        collections['/pet'] = [];
      }),
      /fixture-format: The description has no collection \/pet\n[\s\S]*hint: Did you mean \/pets\?/,
    ],
  ])('%s', async (_, file, reason) => {
    const { exitCode, stdout, stderr } = await runMain('mock', '--port', '0', '--fixtures', file);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^FIXTURE_INVALID: /);
    expect(stderr).toMatch(reason);
    expect(stderr).toMatch(new RegExp(`${file}:\\d+:\\d+ error fixture-`));
  });

  test('are served without rules when only rules speak against them', async () => {
    const { url } = await serve(['--rules', 'off', '--fixtures', join(folder.path, 'invariant.json')]);
    const response = await fetch(`${url}/inventory/1`, { headers: KEY });
    expect(await response.json()).toMatchObject({ petId: 1, quantity: 0 });
  });

  test('a file of them replaces the bundled ones', async () => {
    const file = folder.write(
      'two.json',
      '{ "standin": "fixture/1", "collections": { "/books": [{ "id": 5, "title": "Emma" }] } }',
    );
    const { url } = await serve([LIBRARY, '--fixtures', file]);
    expect(await (await fetch(`${url}/books`)).json()).toStrictEqual([{ id: 5, title: 'Emma' }]);
    expect(await postBook(url)).toStrictEqual({ id: 6, title: 'Emma' });
  });
});

describe('a rules file', () => {
  const shout = "{ standin: 'rules/1', operations: { addBook({ item }) { item.title = item.title.toUpperCase(); } } }";

  test.each([
    ['rules.js', `module.exports = ${shout};`],
    ['rules.cjs', `module.exports = ${shout};`],
    ['rules.mjs', `export default ${shout};`],
    [
      'rules.ts',
      `type Item = Record<string, string>;\nconst rules = ${shout.replace('({ item })', '({ item }: { item: Item })')};\nexport default rules;`,
    ],
  ])('%s is followed', async (name, text) => {
    const file = folder.write(name, text);
    const { url } = await serve([LIBRARY, '--rules', file]);
    expect(await postBook(url)).toStrictEqual({ id: 1, title: 'EMMA' });
  });

  test.each([
    ['a collection', "references: [{ collection: '/boks', member: 'title', to: '/books' }]", ['/boks', '/books?']],
    [
      'a collection that is led to',
      "references: [{ collection: '/books', member: 'title', to: '/authors' }]",
      ['/authors'],
    ],
    ['a member', "references: [{ collection: '/books', member: 'titl', to: '/books' }]", ['titl', 'title?']],
    ['an operation', 'operations: { addBok() {} }', ['addBok', 'addBook?']],
    [
      'two of them',
      "references: [{ collection: '/shelves', member: 'x', to: '/books' }], operations: { lend() {} }",
      ['/shelves', 'lend'],
    ],
  ])('that names %s the description does not have is refused', async (_, members, named) => {
    const file = folder.write(`unknown.cjs`, `module.exports = { standin: 'rules/1', ${members} };`);
    const { exitCode, stdout, stderr } = await endedRun(['mock', '--port', '0', LIBRARY, '--rules', file]);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^RULES_INVALID: /);
    for (const name of named) expect(stderr).toContain(name);
  });

  test('off: the Petstore without its rules', async () => {
    const { url } = await serve(['--rules', 'off']);
    const body = '{ "name": "Rex", "categoryId": 99 }';
    const headers = { ...KEY, 'Content-Type': 'application/json' };
    expect((await fetch(`${url}/pets`, { method: 'POST', headers, body })).status).toBe(201);
  });
});

test('a port that is taken: exit code 2, and how to go on', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const { exitCode, stdout, stderr } = await endedRun(['mock', '--port', String(port)]);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^CONFIG_PORT_IN_USE: /);
    expect(stderr).toContain(String(port));
    expect(stderr).toContain('--port 0');
  } finally {
    other.close();
  }
});

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
    const health = /^Admin: +(\S+)/m.exec(stdout)?.[1] ?? '';
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
    const [, health = ''] = /^Admin: +(\S+)/m.exec(stdout) ?? [];
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

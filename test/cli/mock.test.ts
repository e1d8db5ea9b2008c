import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadDescription } from '../../src/files/load-description';
import { PACKAGE_ROOT } from '../../src/files/file-access';
import { temporaryFolder } from '../support/temporary-folder';
import { thrownBy } from '../openapi/load-text';
import { LIBRARY_TEXT } from './library';
import { endedHere, endedRun, killAll, runMain, serve, servedHere, type ServedHere } from './standin-process';

const folder = temporaryFolder();
const KEY = { Authorization: 'Bearer test-key' };

let served: ServedHere | undefined;
afterEach(async () => {
  killAll();
  await served?.stop();
  served = undefined;
});

/** Serves in this process until the test ends. @returns the URL */
async function serveHere(...args: readonly string[]): Promise<string> {
  served = await servedHere(...args);
  return served.url;
}

const LIBRARY = folder.write('library.yaml', LIBRARY_TEXT);

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
    [['openapi.yaml'], 'A description is the argument of a command: standin mock openapi.yaml'],
    [['https://api.example.com/openapi.json'], 'standin mock https://api.example.com/openapi.json'],
    [['mock', 'one.yaml', 'two.yaml'], 'too many arguments'],
    [['mock', '--port'], 'argument missing'],
    [['mock', '--port', 'http'], '0 to 65535'],
    [['mock', '--port', '65536'], '0 to 65535'],
    [['mock', '--port=-1'], '0 to 65535'],
    [['mock', '--port', '1.5'], '0 to 65535'],
    [['mock', '--port', '0x10'], '0 to 65535'],
    [['mock', '--port', ''], '0 to 65535'],
    [['mock', '--state', 'full'], 'seeded, empty'],
    [['mock', '--auth', 'none'], 'keys, open, any, off'],
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
    await serveHere('--cors', 'off', LIBRARY);
    expect(served?.stdout).toContain('Library');
  });
});

describe('a description with errors, with --strict', () => {
  const several = join(__dirname, '..', 'cases', 'bad-documents', 'several-faults', 'openapi.yaml');

  test('has every finding printed with its place, and nothing is served', async () => {
    const { findings } = thrownBy(() => loadDescription(several));
    const { exitCode, stdout, stderr } = await runMain('mock', '--port', '0', '--strict', several);
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
      /fixture-format: The description has no collection \/pet\n[\s\S]*hint: Did you mean "\/pets"\?/,
    ],
  ])('%s', async (_, file, reason) => {
    const { exitCode, stdout, stderr } = await runMain('mock', '--port', '0', '--fixtures', file);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^FIXTURE_INVALID: /);
    expect(stderr).toMatch(reason);
    expect(stderr).toMatch(new RegExp(`${file}:\\d+:\\d+ error fixture-`));
  });

  test('are served without rules when only rules speak against them', async () => {
    const url = await serveHere('--rules', 'off', '--fixtures', join(folder.path, 'invariant.json'));
    const response = await fetch(`${url}/inventory/1`, { headers: KEY });
    expect(await response.json()).toMatchObject({ petId: 1, quantity: 0 });
  });

  test('a file of them replaces the bundled ones', async () => {
    const file = folder.write(
      'two.json',
      '{ "standin": "fixture/1", "collections": { "/books": [{ "id": 5, "title": "Emma" }] } }',
    );
    const url = await serveHere(LIBRARY, '--fixtures', file);
    expect(await (await fetch(`${url}/books`)).json()).toStrictEqual([{ id: 5, title: 'Emma' }]);
    expect(await postBook(url)).toStrictEqual({ id: 6, title: 'Emma' });
  });
});

describe('a rules file', () => {
  const shout = "{ standin: 'rules/1', operations: { addBook({ item }) { item.title = item.title.toUpperCase(); } } }";

  test.each([
    ['rules.js', `module.exports = ${shout};`],
    ['rules.cjs', `module.exports = ${shout};`],
  ])('%s is followed', async (name, text) => {
    const url = await serveHere(LIBRARY, '--rules', folder.write(name, text));
    expect(await postBook(url)).toStrictEqual({ id: 1, title: 'EMMA' });
  });

  // jest loads neither of them as Node does. The bundled description was compiled already: such a server starts sooner.
  const shoutPetstore =
    "{ standin: 'rules/1', operations: { createCategory({ item }) { item.name = item.name.toUpperCase(); } } }";
  test.each([
    ['rules.mjs', `export default ${shoutPetstore};`],
    [
      'rules.ts',
      `type Item = Record<string, string>;\nconst rules = ${shoutPetstore.replace('({ item })', '({ item }: { item: Item })')};\nexport default rules;`,
    ],
  ])('%s is followed by the built command', async (name, text) => {
    const { url } = await serve(['--rules', folder.write(name, text)]);
    const headers = { ...KEY, 'Content-Type': 'application/json' };
    const response = await fetch(`${url}/categories`, { method: 'POST', headers, body: '{ "name": "Newts" }' });
    expect(await response.json()).toMatchObject({ name: 'NEWTS' });
  });

  test.each([
    ['an operation', 'operations: { addBok() {} }', ['addBok', 'addBook?']],
    [
      'collections, members and operations',
      `references: [
        { collection: '/boks', member: 'title', to: '/books' },
        { collection: '/books', member: 'title', to: '/authors' },
        { collection: '/books', member: 'titl', to: '/books' },
        { collection: '/shelves', member: 'x', to: '/books' },
      ], operations: { lend() {} }`,
      [
        ...['/boks (did you mean /books?)', '/authors (there are ', 'titl (did you mean title?)'],
        ...['/shelves (there are ', 'lend (there are '],
      ],
    ],
  ])('that names %s the description does not have is refused', async (what, members, named) => {
    const file = folder.write(
      `${what.replaceAll(' ', '-')}.cjs`,
      `module.exports = { standin: 'rules/1', ${members} };`,
    );
    const { exitCode, stdout, stderr } = await endedHere(['mock', '--port', '0', LIBRARY, '--rules', file]);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^RULES_INVALID: /);
    for (const name of named) expect(stderr).toContain(name);
  });

  test('off: the Petstore without its rules', async () => {
    const url = await serveHere('--rules', 'off');
    // More than there is of any pet.
    const body = '{ "petId": 1, "quantity": 999 }';
    const headers = { ...KEY, 'Content-Type': 'application/json' };
    expect((await fetch(`${url}/store/orders`, { method: 'POST', headers, body })).status).toBe(201);
  });
});

test('a port that is taken: exit code 2, and how to go on', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const { exitCode, stdout, stderr } = await endedHere(['mock', '--port', String(port)]);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^CONFIG_PORT_IN_USE: /);
    expect(stderr).toContain(String(port));
    expect(stderr).toContain('--port 0');
  } finally {
    other.close();
  }
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { endedHere } from './standin-process';

const FIXTURES = join(__dirname, '..', 'traffic', 'fixtures');
const folder = temporaryFolder();
const imported = (...args: readonly string[]): ReturnType<typeof endedHere> =>
  endedHere(['import', ...args], { cwd: folder.path });

const har = (...entries: readonly unknown[]): string => JSON.stringify({ log: { entries } });
const entry = (url: string, response: unknown = { status: 204, headers: [] }): unknown => ({
  startedDateTime: '2026-03-01T10:00:00Z',
  time: 1,
  request: { method: 'GET', url, headers: [{ name: 'Accept', value: 'application/json' }] },
  response,
});

test('a recording of a browser is read, and the origin with most calls is taken', async () => {
  const { exitCode, stdout, stderr } = await endedHere(['import', 'firefox.har'], { cwd: FIXTURES });
  expect(exitCode).toBe(0);
  expect(stdout).toBe(
    [
      'firefox.har: 31 exchanges (HAR)',
      '  http://127.0.0.1:4010  22 exchanges, 11 calls of an API, taken: it has most',
      '  http://127.0.0.1:4011  8 exchanges, 2 calls of an API',
      '  http://127.0.0.1:4012  1 exchange, 1 call of an API',
      'Another one is chosen with --target URL.',
      'Nothing was written: --out contracts/NAME.yaml makes a contract of it.',
      '',
    ].join('\n'),
  );
  expect(stderr).toBe('firefox.har#/log/entries/30: The entry has no response: kept as a request alone\n');
});

test('files of several formats are read one after the other', async () => {
  folder.write('a.har', har(entry('https://api.example/a')));
  folder.write('b.sh', 'curl https://api.example/b\n');
  const { exitCode, stdout, stderr } = await imported(
    'a.har',
    'b.sh',
    join(FIXTURES, 'petstore.postman_collection.json'),
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain('a.har: 1 exchange (HAR)\nb.sh: 1 exchange (curl command lines)\n');
  expect(stdout).toContain('12 exchanges (Postman collections 2.1)');
  expect(stdout).toContain('https://api.example    2 exchanges');
  expect(stderr).toContain('1 script of the collection: not run');
});

test('an environment of Postman gives its values to the collections beside it', async () => {
  const text = readFileSync(join(FIXTURES, 'petstore.postman_collection.json'), 'utf8');
  folder.write('c.json', text.replace('"value": "http://127.0.0.1:4010"', '"value": ""'));
  const values = [{ key: 'baseUrl', value: 'https://staging.example/v2', enabled: true }];
  folder.write('e.json', JSON.stringify({ name: 'Staging', values, _postman_variable_scope: 'environment' }));
  expect((await imported('c.json')).stdout).toContain('http://baseurl.invalid  12 exchanges');
  expect((await imported('c.json', 'e.json')).stdout).toContain('https://staging.example  12 exchanges');
});

test('what Postman calls secret is in no file, and each step is sent with it, or says that it is not', async () => {
  const key = (name: string, value: string, place: string): unknown => ({
    type: 'apikey',
    apikey: Object.entries({ key: name, value, in: place }).map(([key, text]) => ({ key, value: text })),
  });
  const item = (name: string, request: object, body?: string): unknown => ({
    name,
    request: { method: 'GET', url: `{{base}}/accounts/${name.length}`, ...request },
    ...(body === undefined
      ? {}
      : { response: [{ name, code: 200, body, header: [{ key: 'Content-Type', value: 'application/json' }] }] }),
  });
  const post = {
    method: 'POST',
    url: '{{base}}/accounts',
    header: [{ key: 'Content-Type', value: 'application/json' }],
  };
  folder.write(
    'secrets.json',
    JSON.stringify({
      info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      variable: [
        { key: 'base', value: 'http://127.0.0.1:4610' },
        { key: 'own', value: 'SECRET 3/"3"', type: 'secret' },
      ],
      item: [
        item('key in a header', { auth: key('X-Foo', 'SECRET-1', 'header') }),
        item('key in a query', { auth: key('k', 'SECRET-2', 'query') }),
        item('header', { header: [{ key: 'X-Bar', value: '{{vault}}' }] }, '{"note":"the SECRET-4444 of you"}'),
        item('query', { url: '{{base}}/accounts/1?t={{own}}' }),
        item('body', { ...post, body: { mode: 'raw', raw: '{"id":4,"code":"{{vault}}" /* SECRET */}' } }),
        item('form', {
          ...post,
          header: [],
          body: { mode: 'urlencoded', urlencoded: [{ key: 'a', value: '{{own}}' }] },
        }),
        item('unknown', { header: [{ key: 'X-Widget', value: 'q7Zr9vKt3Lw8Xp2Nd6Hb' }] }),
      ],
    }),
  );
  folder.write(
    'vault.json',
    JSON.stringify({
      values: [{ key: 'vault', value: 'SECRET-4444', type: 'secret' }],
      _postman_variable_scope: 'environment',
    }),
  );
  folder.write(
    'accounts.yaml',
    `openapi: 3.0.3
info: { title: Accounts, version: 1.0.0 }
paths:
  /accounts:
    post: { requestBody: { content: { application/json: { schema: {} }, application/x-www-form-urlencoded: { schema: {} } } }, responses: { '201': { description: made } } }
  /accounts/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: {} } } } } }
`,
  );
  const out = 'safe/secrets.yaml';
  const { exitCode, stdout } = await imported('secrets.json', 'vault.json', '--spec', 'accounts.yaml', '--out', out);
  expect(exitCode).toBe(0);
  const text = readFileSync(folder.file(out), 'utf8');
  for (const written of [text, readFileSync(folder.file('safe/secrets.generated'), 'utf8'), stdout])
    expect(written).not.toMatch(/SECRET[ -]|SECRET%20|q7Zr9/);
  expect(stdout).toContain('To be set in the environment: FOO, K, VAULT, OWN');
  for (const line of [
    "headers: { X-Foo: '${env.FOO}' }",
    "headers: { X-Bar: '${env.VAULT}' }",
    "path: '/accounts/14?k=${env.K}'",
    "code: '${env.VAULT}'",
    "form: { a: '${env.OWN}' }",
  ])
    expect(text).toContain(line);
  const reason = 'no response of the recording gave it, and its name says nothing of a key';
  expect(text).toContain(`# Sent without the header X-Widget: ${reason}.\n  - name: unknown\n`);
  expect(stdout).toContain(`${reason}, so that "unknown" is sent without the header X-Widget`);
});

test('--target chooses another origin by an address of it, and one without traffic is an error', async () => {
  const file = folder.write('two.har', har(entry('https://api.example/a'), entry('https://other.example:8443/b')));
  const chosen = await imported(file, '--target', 'https://other.example:8443/v1');
  expect(chosen.stdout).toContain('  https://other.example:8443  1 exchange, 1 call of an API, taken\n');
  const none = await imported(file, '--target', 'https://none.example');
  expect(none).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /^CONFIG_INVALID: No traffic went to https:\/\/none\.example, which --target names\n.*https:\/\/api\.example, https:\/\/other\.example:8443\./,
    ) as string,
  });
});

test('the same problem in many places is one line', async () => {
  const missing = { status: 0 };
  folder.write('many.har', har(entry('https://a.example/1', missing), entry('https://a.example/2', missing)));
  expect((await imported('many.har')).stderr).toBe(
    'many.har#/log/entries/0 (and 1 more place): The entry has no response: kept as a request alone\n',
  );
});

test('a file that is cut gives what was before', async () => {
  const whole = har(entry('https://a.example/1'), entry('https://a.example/2'));
  folder.write('cut.har', whole.slice(0, -20));
  const { exitCode, stdout, stderr } = await imported('cut.har');
  expect([exitCode, stdout]).toStrictEqual([
    0,
    expect.stringMatching(/^cut\.har: 1 exchange \(HAR\)\n {2}https:\/\/a\.example {2}1 exchange, 1 call of an API\n/),
  ]);
  expect(stderr).toBe(
    `cut.har:1:${whole.length - 19}: The file ends here, in the middle of its JSON: expected "," or "}". Is it whole? Export or save it again: 1 entry before that was read\n`,
  );
});

describe('nothing that can be read is exit code 2, with what the file is', () => {
  test.each([
    ['empty.har', '', 'empty.har: It is no recorded traffic. It is empty: record, save or export it again: not read\n'],
    ['blank.curl', '\n', 'blank.curl: It is no recorded traffic. It is empty: '],
    ['empty.postman_collection.json', '', 'It is empty: record, save or export it again: not read\n'],
    [
      'broken.har',
      '{"log":\n{"entries": [}',
      'broken.har:2:14: It is no JSON from here on: expected a value, found "}". Mend it there, or export or save it again: nothing was read\n',
    ],
    [
      'cut.har',
      '{"log":\n{"entries": [',
      'cut.har:2:14: The file ends here, in the middle of its JSON: expected a value. Is it whole? Export or save it again: nothing was read\n',
    ],
    ['cut.postman_collection.json', '{"info":\n', 'cut.postman_collection.json:2:1: The file ends here, '],
    ['list.har', '[]', 'Expected one of: recordings of standin, HAR, '],
    ['saved.har', '<!DOCTYPE html><title>x</title>', 'It is a page of HTML: not read\n'],
    [
      'cut.recording.ndjson',
      '{"standin":"recording/1"',
      'cut.recording.ndjson:1: The file is no recording of this version. ',
    ],
    ['openapi.yaml', 'openapi: 3.0.3\ninfo: {}\n', 'It is an OpenAPI description: give it with --spec: not read\n'],
    ['page.html', '<!DOCTYPE html><title>x</title>', 'It is a page of HTML: not read\n'],
    ['archive.zip', 'PK\u0003\u0004rest', 'It is a zip archive: unpack it'],
    [
      'insomnia.json',
      '{"_type":"export","__export_format":4}',
      'It is an export of Insomnia: export it as HAR: not read\n',
    ],
    ['get.bru', 'meta {\n  name: x\n}\n', 'save the collection as OpenCollection'],
    ['one.json', '{"id":"1","order":[],"requests":[]}', 'It is a Postman collection of version 1'],
    [
      'notes.txt',
      'nothing',
      'Expected one of: recordings of standin, HAR, Postman collections 2.1, OpenCollection, curl command lines: not read\n',
    ],
  ])('%s', async (name, text, message) => {
    folder.write(name, text);
    const { exitCode, stdout, stderr } = await imported(name);
    expect([exitCode, stdout]).toStrictEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toContain(`Nothing could be read from ${name}.\n`);
  });
});

test.each([
  ['a file that is not there', 'none.har', 'none.har does not exist'],
  ['a folder', '.', '. is a folder, not a file of recorded traffic'],
])('%s is an error', async (_, path, message) => {
  expect(await imported(path)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`CONFIG_INVALID: ${message}`) as string,
  });
});

test('names in files do nothing to the terminal', async () => {
  folder.write('x.har', har(entry('data:\u001b[2J'), entry('https://a.example/1', { status: 0, _error: '\u001b[2J' })));
  const { stdout, stderr } = await imported('x.har');
  expect(stdout + stderr).not.toContain('\u001b');
});

test('a recording of a browser becomes a contract without a secret, by the description', async () => {
  const spec = join(__dirname, '..', '..', 'spec', 'petstore.yaml');
  const file = join(FIXTURES, 'firefox.har');
  const { exitCode, stdout } = await imported(file, '--spec', spec, '--out', 'contracts/shop.yaml');
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  expect(stdout).toMatch(/contracts\/shop\.yaml: \d+ steps?, /);
  const text = readFileSync(folder.file('contracts/shop.yaml'), 'utf8');
  expect(text).toMatch(/^standin: contract\/1$/m);
  expect(text).toMatch(/^ {4}operation: /m);
  expect(text).not.toMatch(/Bearer \S{6}|~secret/);
});

test('what the last exchange shows to be a secret is replaced in the first one, and --anonymise holds for files too', async () => {
  const key = 'q7Zr-vault-9f3e-0041';
  const shown = (text: string): unknown => {
    return { status: 200, headers: [], content: { mimeType: 'application/json', size: text.length, text } };
  };
  const used = entry('https://a.example/members/1', shown('{"id":1,"email":"ann.miller@shop.de"}')) as {
    request: { headers: unknown[] };
  };
  used.request.headers.push({ name: 'Authorization', value: `Bearer ${key}` });
  folder.write('late.har', har(entry('https://a.example/welcome', shown(`{"hint":"try ${key} then"}`)), used));
  const { exitCode, stdout } = await imported('late.har', '--out', 'late.yaml', '--anonymise');
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringContaining('Made up in place of personal data: e-mail address 1\n') as string,
  ]);
  for (const name of ['late.yaml', 'late.openapi.yaml', 'late.generated'])
    expect(readFileSync(join(folder.path, name), 'utf8')).not.toMatch(/q7Zr|ann\.miller/);
});

test('a contract is called by the words of its file, and by the API where a description names it', async () => {
  const file = folder.write('one.har', har(entry('http://127.0.0.1:4077/a')));
  const nameOf = async (out: string, ...more: readonly string[]): Promise<string | undefined> => {
    const { exitCode } = await imported(file, '--out', out, ...more);
    expect(exitCode).toBe(0);
    return /^name: (.*)$/m.exec(readFileSync(folder.file(out), 'utf8'))?.[1];
  };
  const responses = { '204': { description: 'Fine' } };
  const description = {
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    paths: { '/a': { get: { responses } } },
  };
  folder.write('shop.json', JSON.stringify(description));
  expect(await nameOf('contracts/first_order-of.today.yaml')).toBe('First order of today');
  expect(await nameOf('contracts/first-order.json.yaml', '--spec', 'shop.json')).toBe('Shop, first order json');
});

test('traffic of a service that failed alone makes no contract', async () => {
  const failed = { status: 503, headers: [], content: { mimeType: 'application/json', text: '{"a":1}' } };
  folder.write('failed.har', har(entry('https://api.example/a', failed)));
  const { exitCode, stderr } = await imported('failed.har', '--out', 'failed.yaml');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('No request of the recording makes a step of a contract');
  expect(stderr).toContain('GET /a had the response 503 (failed.har#/log/entries/0)');
});

describe('odd traffic', () => {
  const shown = (value: unknown, mimeType = 'application/json'): unknown => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return {
      status: 200,
      headers: [{ name: ':status', value: '200' }],
      content: { mimeType, size: text.length, text },
    };
  };
  const at = (time: string, path: string, response: unknown): unknown => ({
    startedDateTime: `2026-03-01T${time}Z`,
    time: 1,
    request: {
      method: 'GET',
      url: `https://api.example${path}`,
      httpVersion: 'h2',
      headers: [':method', ':authority', ':scheme', ':path'].map((name) => ({ name, value: 'x' })),
    },
    response,
  });

  test('of HTTP/2, in one millisecond and by a clock that goes back, makes a contract in the order of the file', async () => {
    const entries = [
      at('10:00:00.000', '/things', shown([{ id: 1 }])),
      at('10:00:00.000', '/things/1', shown({ id: 1 })),
      at('10:00:00.000', '/things/2', shown({ id: 2 })),
      at('10:00:01.000', '/owners', shown([])),
      at('09:00:00.000', '/owners/ann', shown({ name: 'ann' })),
      at('09:00:01.000', '/owners/bob', shown({ name: 'bob' })),
    ];
    folder.write('odd.har', har(...entries));
    const { exitCode, stdout, stderr } = await imported('odd.har', '--out', 'odd.yaml');
    expect({ exitCode, stderr }).toStrictEqual({
      exitCode: 0,
      stderr:
        'odd.har#/log/entries/4: The clock went back by 3601 s before this entry: the order of the file was kept, and the later times moved behind the earlier ones\n',
    });
    expect(stdout).toContain('odd.yaml: 6 steps, ');
    const text = readFileSync(folder.file('odd.yaml'), 'utf8');
    expect(text).not.toContain('authority');
    const [, steps = ''] = text.split('\nsteps:\n');
    expect([...steps.matchAll(/operation: (\w+)/g)].map(([, id]) => id)).toStrictEqual([
      'listThings',
      'getThing',
      'getThing',
      'listOwners',
      'getOwner',
      'getOwner',
    ]);
  });

  test('that is HTML makes no contract, and the message says what was expected', async () => {
    folder.write('pages.har', har(at('10:00:00', '/things', shown('<p>Hello</p>', 'text/html'))));
    expect(await imported('pages.har', '--out', 'pages.yaml')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /Nothing of 1 exchange is traffic of an API at https:\/\/api\.example: HTML page \(1\)\n.*answers HTML\. Expected JSON/,
      ) as string,
    });
  });

  test('that a description does not fit is told, as a whole and in part', async () => {
    const responses = { '200': { description: 'Fine' } };
    const described = (path: string): string =>
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'A', version: '1' },
        paths: { [path]: { get: { responses } } },
      });
    folder.write('other.json', described('/orders'));
    folder.write('part.json', described('/things'));
    folder.write('two.har', har(at('10:00:00', '/things', shown([])), at('10:00:01', '/owners', shown([]))));
    expect(await imported('two.har', '--spec', 'other.json', '--out', 'two.yaml')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /other\.json knows none of 2 recorded requests: .*\n.*Is it the description of this API\?/,
      ) as string,
    });
    expect(existsSync(folder.file('two.yaml'))).toBe(false);
    expect(await imported('two.har', '--spec', 'part.json', '--out', 'two.yaml')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(
        'the description has no operation for it, so that "GET /owners" has method and path\n',
      ) as string,
    });
  });
});

describe('requests without responses', () => {
  const schema = { type: 'object', properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } } };
  const shown = (value: object): object => ({
    description: 'Fine',
    content: { 'application/json': { schema: value } },
  });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const description = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': {
        get: { operationId: 'listThings', responses: { '200': shown({ type: 'array', items: schema }) } },
        post: {
          operationId: 'addThing',
          requestBody: { content: { 'application/json': { schema } } },
          responses: { '202': { description: 'Later' }, '201': shown(schema), '400': { description: 'Wrong' } },
        },
      },
      '/things/{id}': { get: { operationId: 'getThing', parameters: [id], responses: { '200': shown(schema) } } },
      '/odd': { get: { operationId: 'odd', responses: { default: { description: 'Anything' } } } },
    },
  });
  const script = [
    'curl https://api.example/things',
    'curl https://api.example/things -H "Content-Type: application/json" -d \'{"name":"Ann"}\'',
    'curl https://api.example/things',
    'curl https://api.example/odd',
    'curl https://api.example/none',
  ].join('\n');

  test('make steps that expect what the description documents', async () => {
    folder.write('things.json', description);
    folder.write('things.sh', script);
    const { exitCode, stdout } = await imported('things.sh', '--spec', 'things.json', '--out', 'alone.yaml');
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(stdout).toContain(
      [
        'To look at:',
        '  3 requests came without a response: their steps expect the success that the description documents, and nothing is carried on from them',
        '  GET /odd (things.sh:4) has no response, and the description documents no success of it: no step',
        '  GET /none (things.sh:5) has no response, and the description has no operation for it: no step',
      ].join('\n'),
    );
    const text = readFileSync(folder.file('alone.yaml'), 'utf8');
    expect(text).toMatch(/operation: addThing\n(?: {4}.*\n)* {4}expect: \{ status: 201 \}/);
    expect(text.match(/expect: .*/g)).toStrictEqual([
      'expect: { status: 200 }',
      'expect: { status: 201 }',
      'expect: { status: 200 }',
    ]);
  });

  test('do the same in a HAR and beside saved responses of a collection', async () => {
    folder.write('things.json', description);
    const request = (path: string): object => ({ method: 'GET', url: `https://api.example${path}` });
    const saved = { code: 200, header: [{ key: 'Content-Type', value: 'application/json' }], body: '{"id":3}' };
    const item = [
      { name: 'All', request: request('/things') },
      { name: 'The third', request: request('/things/3'), response: [saved] },
    ];
    const info = { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' };
    folder.write('things.postman_collection.json', JSON.stringify({ info, item }));
    folder.write('things.har', har(entry('https://api.example/things', { status: 0 })));
    const mixed = await imported('things.postman_collection.json', '--spec', 'things.json', '--out', 'mixed.yaml');
    expect(mixed).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('  1 request came without a response: its step expects') as string,
    });
    expect(readFileSync(folder.file('mixed.yaml'), 'utf8')).toContain('- name: All');
    const alone = await imported('things.har', '--spec', 'things.json', '--out', 'har.yaml');
    expect(alone).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('  1 request came without a response') as string,
    });
  });

  test('make no contract without a description, and the message says what can be done', async () => {
    folder.write('things.sh', script);
    const { exitCode, stderr } = await imported('things.sh', '--out', 'none.yaml');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/requests without a response, .* \(5\)/);
    expect(stderr).toMatch(
      /Give the description of the API with --spec: .*; or send them through `standin record --target https:\/\/api\.example`/,
    );
  });
});

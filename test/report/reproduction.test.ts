import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { basicAuthorization } from '../../src/core/http/authorization';
import { createRedactor } from '../../src/redaction/key-redactor';
import { reproductionOf } from '../../src/report/text/reproduction';
import { commandsFor, type KeyInShell } from '../../src/report/text/shell-commands';
import { maskCredentials, redactStep } from '../../src/runner/result/step-redaction';
import type { Recipe, StepResult } from '../../src/runner/result/run-result';
import { loadText } from '../openapi/load-text';
import { startPeer } from '../runner/peer';
import { contractOf, PASSED } from './results';

const BASE = 'http://localhost';

function sent(
  name: string,
  method: string,
  path: string,
  more: Partial<Recipe> & { status?: number; body?: string; base?: string } = {},
): StepResult {
  const { base = BASE, body, status = 200, uses = [], expects = [], captures = [] } = more;
  const request = {
    method,
    url: `${base}${path}`,
    headers: ['Accept', 'a/b', ...(body === undefined ? [] : ['Content-Type', 'a/b'])],
    body,
  };
  return { ...PASSED, name, status, request, recipe: { request, uses, expects, captures } };
}

function commands(steps: readonly StepResult[], key: KeyInShell = { kind: 'set' }): readonly string[] {
  return reproductionOf({ step: steps.at(-1)!, contract: contractOf('Books', ...steps) }, key)!.commands;
}

const ADD_SHELF = sent('add a shelf', 'POST', '/shelves', {
  body: '{}',
  captures: [{ name: 'shelfId', text: '$response.body#/id' }],
});
const ADD_BOOK = sent('add a book', 'POST', '/books', {
  body: '{"shelf":${shelfId}}',
  uses: ['shelfId'],
  captures: [{ name: 'bookId', text: '$response.body#/id' }],
});
const READ = sent('read it', 'GET', '/books/${bookId}', { uses: ['bookId'] });

test('a step that uses no captured value is one command', () => {
  const step = sent('read', 'GET', '/books');
  expect(reproductionOf({ step, contract: contractOf('Books', ADD_SHELF, step) }, { kind: 'set' })).toEqual({
    commands: ['curl -i "http://localhost/books" -H "Accept: a/b"'],
    isSequence: false,
  });
});

test('what a step uses is captured first, through every step that it takes', () => {
  expect(commands([ADD_SHELF, sent('other', 'POST', '/others'), ADD_BOOK, READ])).toEqual([
    `shelfId=$(curl -sS -X POST "http://localhost/shelves" -H "Accept: a/b" -H "Content-Type: a/b" --data-binary '{}' | jq -r '.id')`,
    `bookId=$(curl -sS -X POST "http://localhost/books" -H "Accept: a/b" -H "Content-Type: a/b" --data-binary '{"shelf":'"$shelfId"'}' | jq -r '.id')`,
    'curl -i "http://localhost/books/$bookId" -H "Accept: a/b"',
  ]);
});

test('writes to what it looks at come in between, unless they were refused', () => {
  const change = sent('change it', 'PATCH', '/books/${bookId}', { uses: ['bookId'], body: '1' });
  const refused = sent('change it badly', 'PATCH', '/books/${bookId}', { uses: ['bookId'], body: '2', status: 400 });
  const [, , third, fourth] = commands([ADD_SHELF, ADD_BOOK, refused, change, READ]);
  expect(third).toContain(`--data-binary "1" > /dev/null`);
  expect(fourth).toMatch(/^curl -i /);
});

test('refused writes come in between where the read that fails is the first look after them', () => {
  const refused = (body: string): StepResult =>
    sent('change it badly', 'PATCH', '/books/${bookId}', { uses: ['bookId'], body, status: 400 });
  const all = bare([ADD_SHELF, ADD_BOOK, refused('1'), { ...READ }, refused('2'), READ]);
  expect(all.slice(2)).toEqual([
    'curl -sS -X PATCH "http://localhost/books/$bookId" --data-binary "2" > /dev/null',
    'curl -i "http://localhost/books/$bookId"',
  ]);
});

test('what was made of a thing comes in between, and what became of it', () => {
  const lend = sent('lend it', 'POST', '/loans', {
    body: '{"book":${bookId}}',
    uses: ['bookId'],
    captures: [{ name: 'loanId', text: '$response.body#/id' }],
  });
  const giveBack = sent('give it back', 'DELETE', '/loans/${loanId}', { uses: ['loanId'] });
  const look = sent('look', 'GET', '/loans/${loanId}', { uses: ['loanId'] });
  const words = commands([ADD_SHELF, ADD_BOOK, lend, look, giveBack, READ]).map((each) => each.replace(/ -H .*/, ''));
  expect(words).toEqual([
    'shelfId=$(curl -sS -X POST "http://localhost/shelves"',
    'bookId=$(curl -sS -X POST "http://localhost/books"',
    'loanId=$(curl -sS -X POST "http://localhost/loans"',
    'curl -sS -X DELETE "http://localhost/loans/$loanId"',
    'curl -i "http://localhost/books/$bookId"',
  ]);
});

test.each([
  { text: "$response.body#/0/a~1b/it's", want: `jq -r '.[0]["a/b"]["it'\\''s"]'` },
  { text: '$response.body', want: `jq -r '.'` },
  { text: '$response.header.Location', want: `tr -d '\\r' | sed -n '1,/^$/s/^[Ll][Oo][Cc][Aa][Tt][Ii][Oo][Nn]: *//p'` },
])('$text is taken out of the response', ({ text, want }) => {
  const [first] = commands([
    sent('a', 'GET', '/a', { captures: [{ name: 'v', text }] }),
    sent('b', 'GET', '/b/${v}', { uses: ['v'] }),
  ]);
  expect(first).toContain(` | ${want})`);
});

const RUN = ['runId'];
const NAMED_SHELF = sent('add a shelf', 'POST', '/shelves', { body: '{"name":"Top ${runId}"}', uses: RUN });
const OTHER_SHELF = sent('add another', 'POST', '/shelves', { body: '{"name":"Low ${runId}"}', uses: RUN });

/** The commands without their headers. */
const bare = (steps: readonly StepResult[]): string[] =>
  commands(steps).map((each) => each.replace(/ -H "[^"]*"/g, ''));

test('names get a new id, so that what the run left is not in the way', () => {
  const lookUp = sent('look', 'GET', '/shelves/${shelfId}', { uses: ['shelfId'] });
  const captures = [{ name: 'shelfId', text: '$response.body#/id' }];
  const shelf = { ...NAMED_SHELF, recipe: { ...NAMED_SHELF.recipe!, captures } };
  expect(bare([shelf, lookUp])).toEqual([
    'runId=$(date +%s | tail -c 9)',
    `shelfId=$(curl -sS -X POST "http://localhost/shelves" --data-binary '{"name":"Top '"$runId"'"}' | jq -r '.id')`,
    'curl -i "http://localhost/shelves/$shelfId"',
  ]);
});

test('a list that is narrowed to a name comes after what was made with that name', () => {
  const list = sent('list', 'GET', '/shelves?name=Top%20${runId}', { uses: RUN });
  expect(bare([NAMED_SHELF, OTHER_SHELF, list])).toEqual([
    'runId=$(date +%s | tail -c 9)',
    `curl -sS -X POST "http://localhost/shelves" --data-binary '{"name":"Top '"$runId"'"}' > /dev/null`,
    `curl -i 'http://localhost/shelves?name=Top%20'"$runId"`,
  ]);
});

test('the next page of a list comes after what is in the list', () => {
  const list = sent('list', 'GET', '/books?shelf=${shelfId}', {
    uses: ['shelfId'],
    captures: [{ name: 'next', text: '$response.header.Link', pattern: '<([^>]*)>; *rel="?next' }],
  });
  const next = sent('next page', 'GET', '/books${next}', { uses: ['next'] });
  expect(bare([ADD_SHELF, ADD_BOOK, list, next])).toEqual([
    `shelfId=$(curl -sS -X POST "http://localhost/shelves" --data-binary '{}' | jq -r '.id')`,
    expect.stringContaining('http://localhost/books" --data-binary'),
    expect.stringMatching(/^next=.* \| jq -Rr 'match\("<\(\[\^>\]\*\)>; \*rel=\\"\?next"\)\.captures\[0\]\.string'\)$/),
    'curl -i "http://localhost/books$next"',
  ]);
});

test('what became of a thing comes before what was made with it', () => {
  const stock = sent('put it on a shelf', 'PUT', '/stock/${bookId}', { uses: ['bookId'], body: '1' });
  const lend = sent('lend it', 'POST', '/loans', {
    body: '{"book":${bookId}}',
    uses: ['bookId'],
    captures: [{ name: 'loanId', text: '$response.body#/id' }],
  });
  const other = { ...ADD_BOOK, recipe: { ...ADD_BOOK.recipe!, captures: [{ name: 'otherId', text: '$url' }] } };
  const giveBack = sent('give it back', 'DELETE', '/loans/${loanId}', { uses: ['loanId'] });
  const shelf = sent('paint the shelf', 'PUT', '/shelves/${shelfId}', { uses: ['shelfId'], body: '2' });
  expect(
    bare([ADD_SHELF, shelf, ADD_BOOK, other, stock, lend, giveBack]).map((each) => each.replace(/ --data.*/, '')),
  ).toEqual([
    'shelfId=$(curl -sS -X POST "http://localhost/shelves"',
    'bookId=$(curl -sS -X POST "http://localhost/books"',
    'curl -sS -X PUT "http://localhost/stock/$bookId"',
    'loanId=$(curl -sS -X POST "http://localhost/loans"',
    'curl -i -X DELETE "http://localhost/loans/$loanId"',
  ]);
});

test('what a read expects to see is made first', () => {
  const list = sent('list', 'GET', '/books', { expects: ['bookId'] });
  expect(bare([ADD_SHELF, ADD_BOOK, list])).toEqual([
    expect.stringMatching(/^shelfId=/),
    expect.stringMatching(/^bookId=/),
    'curl -i "http://localhost/books"',
  ]);
});

test('a variable that letters follow is put in braces', () => {
  const [, last] = commands([
    sent('a', 'GET', '/a', { captures: [{ name: 'v', text: '$response.body' }] }),
    sent('b', 'GET', '/b/${v}x', { uses: ['v'] }),
  ]);
  expect(last).toContain('"http://localhost/b/${v}x"');
});

test('the key is prepared once, before the first command', () => {
  const keyed = (step: StepResult): StepResult => {
    const request = { ...step.recipe!.request, headers: ['Authorization', 'Bearer $STANDIN_API_KEY'] };
    return { ...step, request, recipe: { ...step.recipe!, request } };
  };
  const steps = [keyed(ADD_SHELF), keyed(ADD_BOOK), keyed(READ)];
  const [first, second] = commands(steps, { kind: 'export', command: 'export STANDIN_API_KEY=…' });
  expect(first).toBe('export STANDIN_API_KEY=…');
  expect(second).toMatch(/^shelfId=.*"Authorization: Bearer \$STANDIN_API_KEY"/);
  expect(commands(steps, { kind: 'well-known', key: 'test-key' }).join('\n')).not.toContain('STANDIN_API_KEY');
});

test('a header without a value is written so that curl sends it, which takes it away otherwise', () => {
  const headers = ['Accept', 'a/b', 'If-Match', ''];
  const request = { method: 'GET', url: 'http://localhost/books', headers, body: undefined };
  expect(commandsFor(request, { kind: 'set' })).toStrictEqual([
    `curl -i "http://localhost/books" -H "Accept: a/b" -H 'If-Match;'`,
  ]);
});

/** The commands are for a shell with these; where one is missing, the test that runs them is left out, and jest says so. */
const isFound = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
const inShell = ['sh', 'curl', 'jq', 'sed', 'tr'].every(isFound) ? test : test.skip;

inShell('the commands, pasted into a shell, send what the run sent', async () => {
  const requests: string[] = [];
  const peer = await startPeer((incoming, outgoing) => {
    let body = '';
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
    incoming.on('end', () => {
      requests.push(`${incoming.method} ${incoming.url} ${body}`);
      outgoing.writeHead(201, { Location: `/shelves/7`, 'Content-Type': 'application/json' });
      outgoing.end('{"id":9007199254740991,"name":"a b"}');
    });
  });
  const base = peer.url;
  const steps = [
    sent('add', 'POST', '/shelves', {
      base,
      body: '{"n":"it\'s $HOME"}',
      captures: [
        { name: 'where', text: '$response.header.location' },
        { name: 'id', text: '$response.body#/id' },
        { name: 'status', text: '$statusCode' },
        { name: 'word', text: '$request.body#/n' },
        { name: 'number', text: '$response.header.Location', pattern: "/shelves/([0-9]+)'?$" },
        { name: 'letter', text: '$response.body#/name', pattern: '\\s(\\w)' },
        { name: 'half', text: '$request.body#/n', pattern: "(.*)'" },
        { name: 'part', text: '$request.path.part', value: "of $HOME's" },
      ],
    }),
    sent('again', 'GET', '${where}?id=${id}&status=${status}', {
      base,
      uses: ['where', 'id', 'status'],
      captures: [{ name: 'place', text: '$response.header.Location' }],
    }),
    sent('parts', 'PUT', '/parts/${number}', {
      base,
      uses: ['number', 'letter', 'half', 'part', 'id'],
      body: '${letter} ${half} ${part}',
    }),
    sent('last', 'PUT', '${place}/${id}x', { base, uses: ['place', 'id', 'word'], body: '{"w":"${word}","id":${id}}' }),
  ];
  await promisify(execFile)('sh', ['-c', commands(steps).join('\n')], { env: { ...process.env, HOME: '/nowhere' } });
  await peer.close();
  expect(requests).toEqual([
    'POST /shelves {"n":"it\'s $HOME"}',
    'GET /shelves/7?id=9007199254740991&status=201 ',
    "PUT /parts/7 b it of $HOME's",
    'PUT /shelves/7/9007199254740991x {"w":"it\'s $HOME","id":9007199254740991}',
  ]);
});

test.each([
  { text: '$STANDIN_API_KEY', want: 'a-secret-1' },
  { text: '${STANDIN_API_KEY%?}', want: 'a-secret-' },
  { text: '${STANDIN_API_KEY^^}', want: 'A-SECRET-1' },
  { text: '${STANDIN_API_KEY:0:5}x${STANDIN_API_KEY:6}', want: 'a-secxet-1' },
  { text: 'xx$STANDIN_API_KEY', want: 'xxa-secret-1' },
  { text: '$STANDIN_API_KEYxx', want: 'a-secret-1xx' },
])('a shell makes the key of a probe out of $text', async ({ text, want }) => {
  const request = { method: 'GET', url: BASE, headers: ['Authorization', `Bearer ${text}`], body: undefined };
  const shown = async (key: KeyInShell): Promise<string> => {
    const script = `curl() { printf '%s\\n' "$@"; }\n${commandsFor(request, key).join('\n')}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { STANDIN_API_KEY: 'a-secret-1' } });
    return stdout;
  };
  expect(await shown({ kind: 'set' })).toContain(`Authorization: Bearer ${want}\n`);
  expect(await shown({ kind: 'well-known', key: 'a-secret-1' })).toContain(`Authorization: Bearer ${want}\n`);
});

const { api: API } = loadText(`openapi: 3.0.3
info: { title: Books, version: '1' }
paths: {}
`);

describe('Basic credentials, which are the key in base64', () => {
  const reproduced = (key: string, how: KeyInShell = { kind: 'set' }): string | undefined => {
    const [step] = withBasic(key);
    return commandsFor(step!.request!, how)[0];
  };

  function withBasic(key: string): StepResult[] {
    const [user = '', password] = key.split(':');
    const value = password === undefined ? basicAuthorization('user', user) : basicAuthorization(user, password);
    const request = {
      method: 'GET',
      url: `${BASE}/books`,
      headers: ['Accept', 'a/b', 'Authorization', value],
      body: undefined,
    };
    const redacted = redactStep({ ...PASSED, request }, createRedactor(key));
    return [maskCredentials(redacted, API, undefined)];
  }

  test.each(['team:secret', 'team:secret1', 'team:secret12'])('%s is given to curl as a variable', (key) => {
    expect(reproduced(key)).toBe(`curl -i "${BASE}/books" -H "Accept: a/b" -u "$STANDIN_API_KEY"`);
  });

  test.each(['test-key', 'test-key1', 'test-key12'])('%s is a password alone', (key) => {
    expect(reproduced(key)).toBe(`curl -i "${BASE}/books" -H "Accept: a/b" -u "user:$STANDIN_API_KEY"`);
  });

  test('a key that everybody knows stands in the command', () => {
    const header = `Authorization: ${basicAuthorization('user', 'test-key')}`;
    expect(reproduced('test-key', { kind: 'well-known', key: 'test-key' })).toContain(`-H "${header}"`);
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { type RecordFlags, record } from '../../src/cli/actions/record';
import { readLines } from '../../src/files/line-file';
import type { EndedRecording, RecordingJudge, RecordTools } from '../../src/library/record-tools';
import { RECORD_TOOLS } from '../../src/library/record-tools';
import { readRecordingLines } from '../../src/traffic/exchange/recording-lines';
import { closeAll, serve } from '../recorder/recorder';
import { temporaryFolder } from '../support/temporary-folder';
import { LIBRARY_TEXT } from './library';
import { endedHere } from './standin-process';
import { until } from '../support/until';

afterEach(closeAll);
const folder = temporaryFolder();

interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly ended: readonly EndedRecording[];
}

/** What the last one wrote, also where it ended with an error. */
let lastWritten = { stdout: '', stderr: '' };

/** Records what a client does, and stops as Ctrl-C does. */
async function recorded(
  flags: Omit<RecordFlags, 'port'>,
  client: (url: string) => Promise<void>,
  tools: Partial<RecordTools> = {},
): Promise<Run> {
  const ended: EndedRecording[] = [];
  const written = { stdout: '', stderr: '' };
  lastWritten = written;
  const writers = {
    stdout: process.stdout.write.bind(process.stdout),
    stderr: process.stderr.write.bind(process.stderr),
  };
  let started: ((url: string) => void) | undefined;
  const url = new Promise<string>((resolve) => (started = resolve));
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array): boolean => {
      written[name] += String(text);
      const [, found] = /recorded at (http:\S+)/.exec(written.stdout) ?? [];
      if (found !== undefined) started?.(found);
      return true;
    };
  }
  const deriveContract: RecordTools['deriveContract'] = (recording) => {
    ended.push(recording);
    return Promise.resolve(['contract made']);
  };
  try {
    const done = record({ ...flags, port: 0 }, { ...RECORD_TOOLS, deriveContract, ...tools });
    await Promise.race([url.then(client), done]);
    process.emit('SIGINT');
    return { exitCode: await done, ...written, ended };
  } finally {
    Object.assign(process.stdout, { write: writers.stdout });
    Object.assign(process.stderr, { write: writers.stderr });
  }
}

const answers = (): ReturnType<typeof serve> =>
  serve((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(request.url === '/v2/books' ? '[{"title":"Emma"}]' : '{"token":"hush-hush"}');
  });

test('each exchange is a line of the file, without its secrets, and what was recorded is handed over in the end', async () => {
  const target = await answers();
  const out = folder.file('a/new.yaml');
  folder.write('a/README', '');
  const { exitCode, stdout, stderr, ended } = await recorded({ target: `${target.url}/v2/`, out }, async (url) => {
    await fetch(`${url}/login?api_key=hidden-1`, {
      headers: { Authorization: 'Bearer hidden-2', 'X-Pin': 'hidden-3' },
    });
    await fetch(`${url}/books`);
  });
  const file = folder.file('a/new.recording.ndjson');
  const text = readFileSync(file, 'utf8');
  expect(text).not.toMatch(/hidden-[12]|hush-hush/);
  const { exchanges, header } = readRecordingLines(readLines(file), file);
  expect(exchanges.map(({ request }) => request.target)).toEqual([
    expect.stringMatching(/^\/v2\/login\?api_key=~secret\.\w+~$/),
    '/v2/books',
  ]);
  expect(header.target).toBe(target.url);
  expect(stdout).toMatch(
    /^http:\S+\/v2 is recorded at http:\S+\/v2\n\nClient: {4}point it at http:\S+\/v2 in place of /,
  );
  expect(stderr).toContain(`2 exchanges in ${file}.\ncontract made\n`);
  expect(exitCode).toBe(0);
  expect(ended).toEqual([expect.objectContaining({ file, basePath: '/v2', earlier: undefined, api: undefined })]);
});

test('the line that replays the contract names the URL that the inferred paths begin at', async () => {
  const target = await answers();
  const out = folder.file('whole/new.yaml');
  const { stderr } = await recorded(
    { target: target.url, out },
    async (url) => {
      for (const path of ['/v2/books', '/v2/books?page=2']) await fetch(url + path);
    },
    RECORD_TOOLS,
  );
  const { url } = target;
  const inContract = /^# npx (standin verify .*)$/m.exec(readFileSync(out, 'utf8'))?.[1];
  expect(stderr).toContain(`Replay it: npx ${String(inContract)}`);
  expect(inContract).toMatch(new RegExp(`--base-url ${url}/v2 --no-auth-probes$`));
});

test.each(['', '/v2'])('the path of the target is kept, for a client that is pointed at "%s"', async (path) => {
  const target = await answers();
  const description = folder.write(
    'bare.yaml',
    `openapi: 3.0.3
info: { title: Bare, version: 1.0.0 }
paths:
  /books: { get: { operationId: listBooks, responses: { '200': { description: ok, content: { application/json: { schema: {} } } } } } }
`,
  );
  const out = folder.file(`path${path}/new.yaml`);
  const { exitCode, stderr } = await recorded(
    { target: `${target.url}/v2`, out, description },
    async (url) => {
      expect(await (await fetch(`${new URL(url).origin}${path}/books`)).text()).toBe('[{"title":"Emma"}]');
    },
    RECORD_TOOLS,
  );
  expect(stderr).toContain(`--base-url ${target.url}/v2`);
  expect(stderr.includes(`NOTE GET /books was sent to ${target.url}/v2/books`)).toBe(path === '');
  expect(readFileSync(out, 'utf8')).toContain('operation: listBooks');
  expect(exitCode).toBe(0);
});

test('headers that are named secret are so', async () => {
  const target = await answers();
  const out = folder.file('pin.yaml');
  await recorded({ target: target.url, out, secretHeaders: ['x-pin'] }, async (url) => {
    await fetch(url, { headers: { 'X-Pin': 'hidden-3' } });
  });
  expect(readFileSync(folder.file('pin.recording.ndjson'), 'utf8')).not.toContain('hidden-3');
});

test.each([true, undefined])(
  'what does not fit the description is told as it comes, once; --fail-on-drift: %p',
  async (failOnDrift) => {
    const target = await answers();
    const description = folder.write('library.yaml', LIBRARY_TEXT);
    const name = `drift-${String(failOnDrift)}`;
    const { exitCode, stderr, stdout } = await recorded(
      {
        target: `${target.url}/v2`,
        out: folder.file(`${name}.yaml`),
        description,
        failOnDrift,
        report: [`json=${folder.file(`${name}.json`)}`],
      },
      async (url) => {
        for (let time = 0; time < 12; time++)
          await fetch(`${url}/books`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: '{"title":"Emma"}',
          });
      },
    );
    const drift = stderr.split('\n').filter((line) => line.includes('DRIFT'));
    expect(drift).toEqual(['DRIFT addBook → 200  status-documented addBook does not document the status 200']);
    expect(stderr).toContain('… 10 times: ');
    expect(stderr).toMatch(/… 12 times: [^\n]*\n/);
    expect(stdout).toContain('Judged by:');
    expect(exitCode).toBe(failOnDrift === true ? 1 : 0);
    expect(existsSync(folder.file(`${name}.json`))).toBe(true);
  },
);

test('a target that does not listen is told at once, and what is answered later is recorded', async () => {
  const closed = await answers();
  const { port } = new URL(closed.url);
  await closeAll();
  const { exitCode, stderr, ended } = await recorded(
    { target: `http://127.0.0.1:${port}`, out: folder.file('early.yaml') },
    async (url) => {
      await until(() => lastWritten.stderr.includes('WARNING'), 'the warning');
      const target = createServer((_, response) => response.end('{}')).listen(Number(port), '127.0.0.1');
      await once(target, 'listening');
      await fetch(`${url}/books`);
      target.close();
      target.closeAllConnections();
    },
  );
  expect(stderr).toContain(
    `WARNING http://127.0.0.1:${port} cannot be reached: ECONNREFUSED. Nothing listens there. Start the service, or correct the base URL. It is recorded as soon as it responds.\n`,
  );
  expect([exitCode, ended.length]).toEqual([0, 1]);
});

test('of a target that listens nothing is told', async () => {
  const target = await answers();
  const { stderr } = await recorded({ target: target.url, out: folder.file('listens.yaml') }, async (url) => {
    await fetch(`${url}/books`);
  });
  expect(stderr).not.toContain('WARNING');
});

test('what is known as a secret late is replaced in what was written before, too', async () => {
  const key = 'q7Zr-vault-9f3e-0041';
  const target = await serve((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(request.headers.authorization === undefined ? `{"hint":"try ${key} then"}` : '{"id":1}');
  });
  const out = folder.file('late.yaml');
  const { exitCode, ended } = await recorded(
    { target: target.url, out },
    async (url) => {
      await fetch(`${url}/welcome`);
      await fetch(`${url}/things/1`, { headers: { Authorization: `Bearer ${key}` } });
    },
    { deriveContract: RECORD_TOOLS.deriveContract },
  );
  expect([exitCode, ended]).toEqual([0, []]);
  for (const name of ['late.yaml', 'late.recording.ndjson', 'late.openapi.yaml', 'late.generated'])
    expect(readFileSync(folder.file(name), 'utf8')).not.toContain(key);
  const { exchanges } = readRecordingLines(readLines(folder.file('late.recording.ndjson')), 'late');
  expect(exchanges.map(({ request }) => request.target)).toEqual(['/welcome', '/things/1']);
});

test('--anonymise: personal data is made up, the same everywhere, and how much is told', async () => {
  const target = await serve((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.statusCode = request.method === 'POST' ? 201 : 200;
    response.end('{"id":41,"email":"ann.miller@shop.de","full_name":"Ann Miller"}');
  });
  const { exitCode, stderr } = await recorded(
    { target: target.url, out: folder.file('persons.yaml'), anonymise: true },
    async (url) => {
      const body = '{"email":"ann.miller@shop.de","full_name":"Ann Miller"}';
      await fetch(`${url}/members`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      await fetch(`${url}/members/41`);
    },
    { deriveContract: RECORD_TOOLS.deriveContract },
  );
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Made up in place of personal data: e-mail address 1, full name 1\n');
  for (const name of ['persons.yaml', 'persons.recording.ndjson', 'persons.openapi.yaml', 'persons.generated'])
    expect(readFileSync(folder.file(name), 'utf8')).not.toMatch(/ann|miller/i);
  expect(readFileSync(folder.file('persons.yaml'), 'utf8')).toContain('person1@example.com');
});

test('a judge that throws costs neither the client nor the recording anything', async () => {
  const target = await answers();
  const description = folder.write('library.yaml', LIBRARY_TEXT);
  const broken: RecordingJudge = {
    judge() {
      throw new Error('oops');
    },
    result: () => undefined as never,
  };
  const { stderr, ended } = await recorded(
    { target: target.url, out: folder.file('broken.yaml'), description },
    async (url) => {
      expect((await fetch(url)).status).toBe(200);
    },
    { createJudge: () => broken },
  );
  expect(stderr).toContain('NOTE Exchange 1 could not be judged, by a defect of standin: oops\n');
  expect(ended).toHaveLength(1);
});

test('a target that is down all the time leaves no contract, and says so', async () => {
  const target = await serve((_, response) => response.end());
  const { port } = target;
  await closeAll();
  const { exitCode, stderr, ended } = await recorded(
    { target: `http://127.0.0.1:${port}`, out: folder.file('down.yaml') },
    async (url) => {
      expect((await fetch(url)).status).toBe(502);
    },
  );
  expect(stderr).toMatch(
    /NOTE GET \/: http:\S+ cannot be reached: ECONNREFUSED\. Nothing listens there\. [^\n.]*; the client got 502/,
  );
  expect(stderr).toMatch(/1 exchange in \S+, 1 of them without a response\.\nNothing was answered/);
  expect([exitCode, ended]).toEqual([3, []]);
});

test('a recording of nothing is not in the way of the next one', async () => {
  const target = await answers();
  const out = folder.file('nothing/new.yaml');
  folder.write('nothing/README', '');
  const { exitCode } = await recorded({ target: target.url, out }, () => Promise.resolve());
  expect([exitCode, existsSync(folder.file('nothing/new.recording.ndjson'))]).toEqual([3, false]);
});

test('where no contract can be made, the recording is kept, and that is said', async () => {
  const target = await answers();
  const out = folder.file('other/new.yaml');
  const description = folder.write('other/spec.yaml', LIBRARY_TEXT);
  const done = recorded(
    { target: target.url, out, description },
    async (url) => {
      await fetch(`${url}/elsewhere`);
    },
    { ...RECORD_TOOLS, createJudge: undefined },
  );
  await expect(done).rejects.toThrow(/knows none of 1 recorded request/);
  const file = folder.file('other/new.recording.ndjson');
  expect(existsSync(file)).toBe(true);
  expect(lastWritten.stderr).toContain(
    `The recording is kept: npx standin import ${file} --out ${out} makes a contract`,
  );
});

test('with --update the earlier recording stays beside the new one', async () => {
  const target = await answers();
  const out = folder.write('kept.yaml', 'standin: contract/1\n');
  const first = folder.write('kept.recording.ndjson', 'the first\n');
  const { ended } = await recorded({ target: target.url, out, update: true }, async (url) => {
    await fetch(url);
  });
  const earlier = folder.file('kept.recording.before.ndjson');
  expect([readFileSync(earlier, 'utf8'), ended[0]?.earlier]).toEqual(['the first\n', earlier]);
  expect(readFileSync(first, 'utf8')).toMatch(/^\{"standin":"recording\/1"/);
});

test.each([
  [['--out', 'x.yaml'], 'The option --target is missing: it says where the service is'],
  [['--target', 'http://127.0.0.1:1'], 'The option --out is missing: it names the contract to write'],
  [['--target', 'localhost:80', '--out', 'x.yaml'], 'The target "localhost:80" is not an http or https URL'],
  [['--target', 'http://u:p@h', '--out', 'x.yaml'], 'The target holds credentials, a query or a fragment'],
  [['--target', 'http://h', '--out', 'x.txt'], '--out names "x.txt", which is no name of a contract'],
  [['--target', 'http://h', '--out', 'there.yaml'], 'The contract there.yaml is there already'],
  [
    ['--target', 'http://h', '--out', 'half.yaml'],
    'The recording half.recording.ndjson is there already, and its contract is not',
  ],
  [
    ['--target', 'http://h', '--out', 'there.yaml', '--force', '--update'],
    '--update keeps the contract that --force writes over',
  ],
  [
    ['--target', 'http://h', '--out', 'x.yaml', '--fail-on-drift'],
    '--fail-on-drift needs a description to judge the traffic by',
  ],
  [
    ['--target', 'http://h', '--out', 'x.yaml', '--report', 'junit=x.xml'],
    '--report needs a description to judge the traffic by',
  ],
  [
    ['--target', 'http://h', '--out', 'there.yaml/x.yaml', '--port', '0'],
    'The recording there.yaml/x.recording.ndjson cannot be written',
  ],
  [
    ['--target', 'https://h', '--out', 'x.yaml', '--insecure'],
    '--insecure alone is for this machine, and h is another one',
  ],
  [['--target', 'https://h', '--out', 'x.yaml', '--ca', 'none.pem'], 'none.pem'],
  [['--target', 'http://h', '--out', 'x.yaml', '--spec', 'none.yaml'], 'none.yaml'],
  [
    ['--target', 'http://h', '--out', 'x.yaml', '--cors', 'app.example'],
    "option '--cors <origin...>' argument 'app.example' is invalid",
  ],
])('%p is rejected before anything is recorded', async (flags, message) => {
  folder.write('there.yaml', '');
  folder.write('half.recording.ndjson', '');
  const { exitCode, stderr } = await endedHere(['record', ...flags], { cwd: folder.path });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(existsSync(folder.file('x.recording.ndjson'))).toBe(false);
});

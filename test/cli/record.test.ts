import { existsSync, readFileSync } from 'node:fs';
import { type RecordFlags, record } from '../../src/cli/actions/record';
import { readLines } from '../../src/files/line-file';
import type { EndedRecording, RecordingJudge, RecordTools } from '../../src/library/record-tools';
import { RECORD_TOOLS } from '../../src/library/record-tools';
import type { RunResult } from '../../src/runner/result/run-result';
import { readRecordingLines } from '../../src/traffic/exchange/recording-lines';
import { closeAll, serve } from '../recorder/recorder';
import { temporaryFolder } from '../support/temporary-folder';
import { LIBRARY_TEXT } from './library';
import { endedHere } from './standin-process';

afterEach(closeAll);
const folder = temporaryFolder();

interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly ended: readonly EndedRecording[];
}

/** Records what a client does, and stops as Ctrl-C does. */
async function recorded(
  flags: Omit<RecordFlags, 'port'>,
  client: (url: string) => Promise<void>,
  tools: Partial<RecordTools> = {},
): Promise<Run> {
  const ended: EndedRecording[] = [];
  const written = { stdout: '', stderr: '' };
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

test('headers that are named secret are so', async () => {
  const target = await answers();
  const out = folder.file('pin.yaml');
  await recorded({ target: target.url, out, secretHeaders: ['x-pin'] }, async (url) => {
    await fetch(url, { headers: { 'X-Pin': 'hidden-3' } });
  });
  expect(readFileSync(folder.file('pin.recording.ndjson'), 'utf8')).not.toContain('hidden-3');
});

test('what does not fit the description is told as it comes, and is the exit code where that is asked for', async () => {
  const target = await answers();
  const description = folder.write('library.yaml', LIBRARY_TEXT);
  const judge: RecordingJudge = {
    judge: ({ request }) =>
      ({
        verdict: {
          kind: 'fail',
          findings: [
            { check: 'response-schema', severity: 'error', at: '/response/body', message: `no ${request.target}` },
          ],
        },
      }) as unknown as ReturnType<RecordingJudge['judge']>,
    result: () =>
      ({
        ...{ format: 'result/1', version: '1', runId: '12345678', startedAt: '2026-01-01T00:00:00Z', durationMs: 1 },
        ...{ api: 'Library 2.1.0', description, baseUrl: target.url, mode: 'observe', shard: undefined },
        ...{ contracts: [], probes: [], coverage: [], created: [], leftBehind: [], outcome: 'violations' },
      }) as unknown as RunResult,
  };
  const made: unknown[] = [];
  const tools: Partial<RecordTools> = {
    createJudge(input) {
      made.push([input.baseUrl, input.api.title]);
      return judge;
    },
  };
  for (const failOnDrift of [true, undefined]) {
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
        await fetch(`${url}/books`);
      },
      tools,
    );
    expect(stderr).toContain('drift GET /v2/books 200 response-schema: no /v2/books (at /response/body)\n');
    expect(stdout).toContain('Judged by:');
    expect(exitCode).toBe(failOnDrift === true ? 1 : 0);
    expect(existsSync(folder.file(`${name}.json`))).toBe(true);
  }
  expect(made[0]).toEqual([`${target.url}/v2`, 'Library']);
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
  expect(stderr).toContain('note Exchange 1 could not be judged, by a defect of standin: oops\n');
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
  expect(stderr).toMatch(/note GET \/: http:\S+ cannot be reached: ECONNREFUSED\. Nothing listens there\./);
  expect(stderr).toMatch(/1 exchange in \S+, 1 of them without a response\.\nNothing was answered/);
  expect([exitCode, ended]).toEqual([3, []]);
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

import { spawn, type ChildProcess } from 'node:child_process';
import { BUILT_COMMAND } from '../support/built-command';
import { openStaging, type Staging } from './staging';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder';

const MAKES = `standin: contract/1
name: makes something
steps:
  - name: add a category
    operation: createCategory
    body: { name: 'Interrupted \${runId}' }
    expect: { status: 201 }
  - name: read them
    operation: listCategories
    expect: { status: 200 }
`;

let staging: Staging;
let folder: TemporaryFolder;
let child: ChildProcess | undefined;
beforeEach(async () => {
  staging = await openStaging();
  folder = temporaryFolder();
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await staging.close();
  folder.remove();
});

interface Ended {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

function start(...more: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const args = ['verify', folder.write('contract.yaml', MAKES), '--base-url', staging.url, '--no-auth-probes', ...more];
  const started = spawn(process.execPath, [BUILT_COMMAND, ...args], {
    env: { ...process.env, BUYER_KEY: 'buyer-key' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  const ended = new Promise<Ended>((resolve) => {
    started.on('exit', (exitCode, signal) => {
      resolve({ exitCode, signal });
    });
  });
  return { child: started, ended };
}

/** Does work when an item was created and the next request is sent, which is never answered. */
function afterMaking(work: () => void): void {
  staging.intercept = ({ method, path }) => {
    const isMade = staging.seen.some((each) => each.method === 'POST');
    if (!isMade || method !== 'GET' || !path.startsWith('/categories')) return false;
    staging.intercept = () => false;
    work();
    // No answer: the run gives the request up when it gets the signal.
    return true;
  };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s removes what was made, also when nobody reads',
  async (name) => {
    const before = await staging.rows();
    const { child: running, ended } = start();
    afterMaking(() => {
      running.stdout?.destroy();
      running.stderr?.destroy();
      running.kill(name);
    });
    const { signal, exitCode } = await ended;
    expect(staging.seen.map(({ method }) => method)).toContain('POST');
    expect(await staging.rows()).toBe(before);
    expect({ signal, isError: exitCode === 2 }).toEqual({ signal: null, isError: false });
  },
);

/** What was written to stderr until the process ended. */
function errorsOf(running: ChildProcess): () => string {
  let written = '';
  running.stderr?.setEncoding('utf8').on('data', (text: string) => (written += text));
  running.stdout?.resume();
  return () => written;
}

test('the last lines of a stopped run tell what was removed, and that nothing is left', async () => {
  const { child: running, ended } = start();
  const written = errorsOf(running);
  afterMaking(() => running.kill('SIGINT'));
  expect(await ended).toEqual({ exitCode: 3, signal: null });
  expect(written()).toContain('A second Ctrl-C ends at once and leaves it there.\n');
  expect(written()).toMatch(/\nThe run was stopped: 1 item removed since, nothing is left\.\n$/);
});

test('where something is left, the last line is the command that removes it', async () => {
  const ledger = folder.file("it's left.ndjson");
  const { child: running, ended } = start('--ledger', ledger, '--identity', 'buyer=BUYER_KEY');
  const written = errorsOf(running);
  afterMaking(() => {
    staging.intercept = ({ method }, _request, response) => {
      if (method === 'DELETE') response.writeHead(500).end();
      return method === 'DELETE';
    };
    running.kill('SIGINT');
  });
  await ended;
  const quoted = `'${ledger.replace("'", `'\\''`)}'`;
  expect(written()).toMatch(
    /The run was stopped: 0 items removed since, 1 item may not have been cleaned up, listed above\./,
  );
  expect(written().trimEnd().split('\n').at(-1)).toBe(`  npx standin cleanup ${quoted} --identity buyer=BUYER_KEY`);
});

test('a second Ctrl-C ends at once, and tells what is left and what to do', async () => {
  const ledger = folder.file('left.ndjson');
  const { child: running, ended } = start('--ledger', ledger, '--api-key', 'test-key');
  const written = errorsOf(running);
  afterMaking(() => {
    // The cleanup is never answered: that is when the second one comes.
    staging.intercept = () => {
      running.kill('SIGINT');
      return true;
    };
    running.kill('SIGINT');
  });
  expect(await ended).toEqual({ exitCode: 130, signal: null });
  expect(written()).toMatch(
    /\nEnded at once: up to 1 item that the run made is left\.\nTo remove it:\n {2}STANDIN_API_KEY=… npx standin cleanup \S+left\.ndjson\n$/,
  );
});

test('a second SIGHUP does not end the cleanup', async () => {
  const before = await staging.rows();
  const { child: running, ended } = start();
  afterMaking(() => {
    // With the first request of the cleanup: later the process may be ending by itself, which a signal may hasten.
    staging.intercept = () => {
      running.kill('SIGHUP');
      staging.intercept = () => false;
      return false;
    };
    running.kill('SIGHUP');
  });
  expect((await ended).signal).toBeNull();
  expect(await staging.rows()).toBe(before);
});

test('a reader that ends early, as `head` does, changes no exit code', async () => {
  const { child: running, ended } = start();
  running.stdout?.destroy();
  running.stderr?.destroy();
  expect(await ended).toEqual({ exitCode: 0, signal: null });
});

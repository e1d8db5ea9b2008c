import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAffectedTests } from '../support/jest/affected.cjs';
import { type FileResult, judgeRun } from '../support/jest/judge-run.cjs';
import { LeftoverWatch } from '../support/jest/leftovers.cjs';

describe('a run of the tests', () => {
  const passes = (file: string): FileResult => ({ file, cpuMs: 100, failed: false });
  const fails = (file: string): FileResult => ({ file, cpuMs: 100, failed: true });
  const alone =
    (passed: boolean, cpuMs = 100) =>
    () => ({ passed, cpuMs });
  const budget = { hasBudget: true, measureSlowness: () => 1 };

  test('passes when every file passes', () => {
    expect(judgeRun([passes('a'), passes('b')], alone(true), budget)).toEqual({ passed: true, lines: [] });
  });

  test('fails for a file that fails again alone', () => {
    expect(judgeRun([fails('a'), passes('b')], alone(false), budget)).toEqual({ passed: false, lines: ['failed: a'] });
  });

  test('passes with a line for one file that passes alone, and fails for two', () => {
    const one = judgeRun([fails('a'), passes('b')], alone(true), budget);
    expect(one).toEqual({ passed: true, lines: [expect.stringMatching(/^unstable: a /)] });
    expect(judgeRun([fails('a'), fails('b')], alone(true), budget).passed).toBe(false);
  });

  test('does not run six failed files again', () => {
    const files = ['a', 'b', 'c', 'd', 'e', 'f'].map(fails);
    const { passed, lines } = judgeRun(files, alone(true), budget);
    expect([passed, lines.length]).toEqual([false, 6]);
  });

  const dear = { file: 'a', cpuMs: 4500, failed: false };

  test('fails for a file far above 3 s of processor time that is above it alone, too', () => {
    expect(judgeRun([dear], alone(true, 2900), budget).passed).toBe(true);
    const { passed, lines } = judgeRun([dear], alone(true, 4000), budget);
    expect([passed, lines]).toEqual([false, ['over budget: a costs 4.0 s instead of 3.0 s of processor time']]);
    expect(judgeRun([dear], alone(true, 4000), { ...budget, hasBudget: false }).passed).toBe(true);
  });

  test('tells a file that is above 3 s by no more than runs differ, and passes', () => {
    const { passed, lines } = judgeRun([dear], alone(true, 3200), budget);
    expect([passed, lines]).toEqual([true, ['near budget: a costs 3.2 s instead of 3.0 s of processor time']]);
  });

  test('takes the lower of both costs, because a file alone has to load what others share', () => {
    expect(judgeRun([dear], alone(true, 4900), budget).lines[0]).toMatch('a costs 4.5 s instead of 3.0 s');
  });

  test('gives a slow machine as much more as it needs for a fixed amount of work, and a fast one no less', () => {
    const judge = (slowness: number): string[] =>
      judgeRun([dear], alone(true, 4500), { hasBudget: true, measureSlowness: () => slowness }).lines;
    expect(judge(1.6)).toEqual([]);
    expect(judge(1.1)).toEqual(['over budget: a costs 4.1 s instead of 3.0 s of processor time']);
    expect(judge(0.5)).toEqual(['over budget: a costs 4.5 s instead of 3.0 s of processor time']);
  });

  test('a machine that becomes slow for a while makes no file dear', () => {
    const slowness = [1, 1, 1, 1, 1.5];
    const costs = [4400, 4400];
    const runAlone = (): { passed: boolean; cpuMs: number } => ({ passed: true, cpuMs: costs.shift() ?? 0 });
    const options = { hasBudget: true, measureSlowness: () => slowness.shift() ?? 0 };
    expect(judgeRun([dear], runAlone, options)).toEqual({ passed: true, lines: [] });
    expect([slowness, costs]).toEqual([[], []]);
  });

  test('a file that is near its bound does not run again', () => {
    const runAlone = (): never => {
      throw new Error('It runs again.');
    };
    const near = { file: 'a', cpuMs: 3600, failed: false };
    expect(judgeRun([near], runAlone, budget).lines).toEqual([
      'near budget: a costs 3.6 s instead of 3.0 s of processor time',
    ]);
  });

  test('fails when all files together cost far more than 330 s', () => {
    const files = Array.from({ length: 300 }, (_, index) => ({ file: `f${index}`, cpuMs: 1700, failed: false }));
    expect(judgeRun(files, alone(true), budget).lines).toEqual([
      'over budget: all test files cost 510.0 s instead of 330.0 s of processor time',
    ]);
  });
});

describe('what a test leaves behind', () => {
  const nothing = (): undefined => undefined;

  interface Result {
    readonly errors: Error[];
  }

  /** Plays the events of jest-circus for two tests, each of which does something, and for what happens between them. */
  async function watchTests(
    first: () => unknown,
    second: () => unknown,
    atEnd: () => unknown = nothing,
    maxPolls = 1,
  ): Promise<{ errors: string[][]; ofFile: Error[] }> {
    const watch = new LeftoverWatch('some.test.ts', { maxPolls });
    const state = { unhandledErrors: [] as Error[] };
    const results: Result[] = [];
    watch.begin();
    try {
      for (const act of [first, second]) {
        const test: Result = { errors: [] };
        results.push(test);
        await watch.handle({ name: 'test_start', test }, state);
        await act();
        await watch.handle({ name: 'test_done', test }, state);
      }
      await atEnd();
      await watch.handle({ name: 'run_finish' }, state);
    } finally {
      watch.end();
    }
    return { errors: results.map(({ errors }) => errors.map(({ message }) => message)), ofFile: state.unhandledErrors };
  }

  test('fails the test that opened a server, and no other', async () => {
    const server = createServer();
    const open = (): Promise<void> => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { errors, ofFile } = await watchTests(nothing, open);
    server.close();
    expect(errors).toEqual([[], ['Left behind: server that listens. End it before the test ends.']]);
    expect(ofFile).toEqual([]);
  });

  test('fails the test that began a timer', async () => {
    let timer: NodeJS.Timeout | undefined;
    const { errors } = await watchTests(() => (timer = setInterval(nothing, 50)), nothing);
    clearInterval(timer);
    expect(errors).toEqual([['Left behind: timer. End it before the test ends.'], []]);
  });

  test('fails the test that made a temporary file', async () => {
    const made: string[] = [];
    const { errors } = await watchTests(nothing, () => made.push(mkdtempSync(join(tmpdir(), 'x-'))));
    expect(errors[0]).toEqual([]);
    expect(errors[1]).toEqual([expect.stringMatching(/^Left behind: temporary file x-/)]);
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });

  test('is nothing where hooks ended it after the last test', async () => {
    const server = createServer();
    const open = (): Promise<void> => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const close = (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    expect(await watchTests(open, nothing, close)).toEqual({ errors: [[], []], ofFile: [] });
  });

  test('is nothing where only garbage holds it: the response of a server that is gone, which nobody read', async () => {
    const script = `require('node:http').createServer((_, response) => response.end('x'.repeat(1_000_000)))
      .listen(0, '127.0.0.1', function () { console.log(this.address().port); })`;
    const server = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const port = String(await new Promise<Buffer>((resolve) => server.stdout.once('data', resolve))).trim();
    const ask = async (): Promise<void> => {
      for (let count = 0; count < 5; count++) await fetch(`http://127.0.0.1:${port}/`);
    };
    const gone = new Promise((resolve) => server.once('close', resolve));
    const end = (): Promise<unknown> => (server.kill('SIGKILL'), gone);
    expect(await watchTests(ask, nothing, end, 50)).toEqual({ errors: [[], []], ofFile: [] });
  });

  test('fails the file where no test began it', async () => {
    const server = createServer();
    const open = (): Promise<void> => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { errors, ofFile } = await watchTests(nothing, nothing, open);
    server.close();
    expect(errors).toEqual([[], []]);
    expect(ofFile.map(({ message }) => message)).toEqual([
      'Left behind: server that listens. End it before the test ends.',
    ]);
  });
});

describe('the tests near a change', () => {
  test('are those that import it, directly or through one file, and those of the folder that mirrors it', () => {
    const near = findAffectedTests(['src/lists/conventions/offset.ts']);
    expect(near.get('test/lists/conventions.test.ts')).toBe(1);
    expect([...near.keys()].length).toBeLessThan(40);
  });

  test('are the test itself, and those that use a helper that changed', () => {
    expect([...findAffectedTests(['test/lists/cursor.test.ts'])]).toEqual([['test/lists/cursor.test.ts', 0]]);
    expect(findAffectedTests(['test/support/petstore.ts']).get('test/http/lists.test.ts')).toBeDefined();
  });
});

import { type Profiler, Session } from 'node:inspector';

/** Code that is not under test: Node, jest, the tests, and their HTTP client. */
const OTHER_CODE =
  /^node:|^evalmachine|\/node_modules\/(?:@jest|@sinonjs|jest[^/]*|expect|pretty-format|chalk|supertest|superagent|fast-check)\/|\/test\//;

/**
 * Counts the calls of JavaScript functions in this thread while an action runs: calls in src/, in libraries, and in
 * generated code such as validators. The number is exact and does not depend on the speed of the machine.
 *
 * It does not see:
 * - loops inside one function;
 * - native code: regular expressions, JSON.parse, sorting, copying, joining texts;
 * - workers and other processes.
 *
 * V8 does not optimize code while it counts, so keep inputs small. Count one action at a time. Run the action once before
 * you count where it compiles or loads something on first use.
 */
export async function countCalls(act: () => unknown): Promise<number> {
  const counter = shared ?? new CallCounter();
  try {
    counter.read();
    await act();
    return counter.read();
  } finally {
    if (counter !== shared) counter.stop();
  }
}

/** Counts the calls of an action that does not wait for anything, see {@link countCalls}. */
export function countCallsSync(act: () => unknown): number {
  const counter = shared ?? new CallCounter();
  try {
    counter.read();
    act();
    return counter.read();
  } finally {
    if (counter !== shared) counter.stop();
  }
}

/**
 * Counts with one counter in all tests of a `describe` block: to start one takes a tenth of a second. Code is not
 * optimized in any of these tests.
 */
export function useOneCallCounter(): void {
  beforeAll(() => {
    shared = new CallCounter();
  });
  afterAll(() => {
    shared?.stop();
    shared = undefined;
  });
}

let shared: CallCounter | undefined;

class CallCounter {
  private readonly session = new Session();

  constructor() {
    this.session.connect();
    this.session.post('Profiler.enable');
    this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** Returns the calls since the last time. */
  read(): number {
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    // A session with its own thread calls back before `post` returns.
    this.session.post('Profiler.takePreciseCoverage', (error, coverage) => {
      if (error !== null) throw error;
      scripts = coverage.result;
    });
    const functions = scripts.filter(({ url }) => !OTHER_CODE.test(url)).flatMap((script) => script.functions);
    return functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  }

  stop(): void {
    this.session.disconnect();
  }
}

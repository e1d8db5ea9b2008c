import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, testSources } from './source-files';

/** A test waits at most this long at a time, and asks again: it never bets that something has happened by then. */
const MAX_WAIT_MS = 50;

/**
 * What tests may do with real time although the speed of the machine changes it. Each line names a file, how many places
 * in it, and why there is nothing else to wait for. Anything else waits for an event, an idle hook of the part under
 * test or the injected clock, and counts work instead of measuring time: see CONTRIBUTING.md.
 */
const EXCEPTIONS: readonly { readonly file: string; readonly places: number; readonly why: string }[] = [
  // Scripts of npm run measure: what hangs there is ended, so that the measurement goes on and reports it.
  { file: 'test/clients/flow.mjs', places: 1, why: 'the limit of a call that hangs' },
  { file: 'test/clients/main.mjs', places: 2, why: 'the limit of a client that hangs, and the poll for its port' },
  { file: 'test/clients/flows/kubernetes.mjs', places: 1, why: 'a watch that is ended when nothing comes' },
  { file: 'test/corpus/main.ts', places: 1, why: 'the limit of a description that hangs' },
  { file: 'test/corpus/served.ts', places: 1, why: 'the limit of a mock that does not start' },
  { file: 'test/laws/main.ts', places: 1, why: 'the limit of a description that hangs' },
  { file: 'test/laws/client.ts', places: 1, why: 'the limit of a mock that does not start' },
  { file: 'test/mutants/peers/peer.ts', places: 1, why: 'the limit of another tool that hangs' },
  { file: 'test/mutants/peers/prism.ts', places: 1, why: 'the limit of another tool that does not start' },
  { file: 'test/servers/plain-http.ts', places: 1, why: 'the poll for a real server that starts' },
  { file: 'test/servers/try-recorded.ts', places: 1, why: 'the limit of a recorder that hangs' },
  { file: 'test/servers/try-server.ts', places: 1, why: 'the limit of a server that does not stop' },
  { file: 'test/traffic/make-fixtures.ts', places: 3, why: 'a script that records real clients, and is not a test' },
  // Doubles whose lateness is what is tested.
  {
    file: 'test/mutants/catalogue/identity.ts',
    places: 2,
    why: 'defects of a server that answers too early or too late',
  },
  { file: 'test/traffic/round-trip/petstore-sdk.ts', places: 1, why: 'the back-off of a client, 20 ms at first' },
  { file: 'test/traffic/round-trip/shop-site.ts', places: 1, why: 'a page that polls, as recorded traffic has it' },
  {
    file: 'test/library/describe-contract/browser-scope.slow.test.ts',
    places: 1,
    why: 'passes on the delay of its caller',
  },
  { file: 'test/mutants/proxy.ts', places: 1, why: 'a defect that answers late; the test ends its pause' },
  { file: 'test/generated/generated.test.ts', places: 2, why: 'answers 2 ms later, when the 1 ms of the run is over' },
  { file: 'test/cli/progress.slow.test.ts', places: 1, why: 'a child process shows its progress by real time: 25 ms' },
  // What waits for others.
  { file: 'test/support/until.ts', places: 1, why: 'polls every 10 ms' },
  {
    file: 'test/support/jest/leftovers.cjs',
    places: 1,
    why: 'polls every 20 ms, only where something was left behind',
  },
];

interface Place {
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

/** The arguments of a call as texts, from its opening parenthesis on. */
function argumentsOf(text: string, open: number): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < text.length; at++) {
    const letter = text[at]!;
    if ('([{'.includes(letter)) depth++;
    if (')]}'.includes(letter)) depth--;
    if ((letter === ',' && depth === 1) || depth === 0) {
      found.push(text.slice(start, at).trim());
      start = at + 1;
    }
    if (depth === 0) break;
  }
  return found.filter((each) => each !== '');
}

const numberIn = (text = ''): number => (/^[\d_]+$/.test(text) ? Number(text.replaceAll('_', '')) : Infinity);

/** Calls that wait for a time that is not a short one, or that nobody can read. */
function* findWaits(text: string): Generator<{ at: number; what: string }> {
  for (const match of text.matchAll(/(?<![\w.'])(setTimeout|setInterval)\(/g)) {
    const [, delay = '0'] = argumentsOf(text, match.index + match[0].length - 1);
    if (numberIn(delay) > MAX_WAIT_MS) yield { at: match.index, what: `${match[1]} waits ${delay}` };
  }
  const waitName = /setTimeout as (\w+) \} from 'node:timers\/promises'/.exec(text)?.[1];
  if (waitName === undefined) return;
  for (const match of text.matchAll(new RegExp(`\\b${waitName}\\(`, 'g'))) {
    const [delay] = argumentsOf(text, match.index + match[0].length - 1);
    if (numberIn(delay) > MAX_WAIT_MS) yield { at: match.index, what: `${waitName} waits ${delay}` };
  }
}

/** Measures of time and memory, and limits of single tests below that of jest.config.cjs. */
function* findMeasures(text: string): Generator<{ at: number; what: string }> {
  const measures = /\b(performance\.now|process\.(?:hrtime|cpuUsage|memoryUsage|resourceUsage)|Date\.now\(\) -)/g;
  for (const { index, 1: what } of text.matchAll(measures)) yield { at: index, what: `${what} measures the machine` };
  for (const { index, 1: limit } of text.matchAll(/^\s*\},\s*([\d_]+)\);?$/gm))
    if (numberIn(limit) >= 1000 && numberIn(limit) <= 120_000)
      yield { at: index, what: `a limit of ${limit} ms is not above that of every test` };
  for (const match of text.matchAll(/\bjest\.setTimeout\(([\w ]+)\)/g))
    if (numberIn(match[1]) <= 120_000)
      yield { at: match.index, what: `${match[0]} is not above the limit of every test` };
}

function places(): Place[] {
  return testSources()
    .filter((file) => file !== 'test/project/machine-speed.test.ts')
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      const found = [...findWaits(text), ...(/\.test\.ts$/.test(file) ? findMeasures(text) : [])];
      return found.map(({ at, what }) => ({ file, line: text.slice(0, at).split('\n').length, what }));
    });
}

test('no test waits for a while or measures the machine, but those that are listed with a reason', () => {
  const found = places();
  const allowed = new Map(EXCEPTIONS.map(({ file, places: count }) => [file, count]));
  const wrong = found.filter(
    ({ file }) => found.filter((each) => each.file === file).length > (allowed.get(file) ?? 0),
  );
  expect(wrong.map(({ file, line, what }) => `${file}:${line}: ${what}`)).toEqual([]);
});

test('every exception is still there', () => {
  const found = places();
  const gone = EXCEPTIONS.filter(
    ({ file, places: count }) => found.filter((each) => each.file === file).length < count,
  );
  expect(gone).toEqual([]);
});

test.each([
  ['setTimeout(resolve, 60)', 1],
  ['setTimeout(() => { a(1, 2); }, 50)', 0],
  ['setTimeout(resolve, DELAY_MS)', 1],
  ['setTimeout(resolve)', 0],
  ["import { setTimeout as wait } from 'node:timers/promises';\nawait wait(300);", 1],
])('%j has %d waits', (text, count) => {
  expect([...findWaits(text)]).toHaveLength(count);
});

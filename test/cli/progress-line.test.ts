import { createProgressLine, type Figures, type ProgressLine } from '../../src/cli/terminal/progress-line';
import { screenOf } from '../support/screen';

/** A terminal whose clock is ours; of what comes to it, `screen` says what is seen, without colours. */
function openTerminal(columns = 60): {
  readonly stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;
  readonly other: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;
  readonly written: string[];
  readonly screen: () => string;
  time: number;
  readonly now: () => number;
} {
  const written: string[] = [];
  const write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
  const terminal = {
    stream: { write, isTTY: true, columns },
    other: { write, isTTY: true, columns },
    written,
    screen: () => screenOf(written.join('')),
    time: 0,
    now: () => terminal.time,
  };
  return terminal;
}

const VARIABLES = ['CI', 'TERM'] as const;
const before = VARIABLES.map((name) => process.env[name]);
let line: ProgressLine | undefined;
beforeEach(() => {
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
});
afterEach(() => {
  line?.end();
  for (const [index, name] of VARIABLES.entries()) {
    const value = before[index];
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
});

type Terminal = ReturnType<typeof openTerminal>;

function begin({ stream, other, now }: Terminal): ProgressLine {
  line = createProgressLine('verify', { stream, others: [other], now });
  if (line === undefined) throw new Error('nobody watches');
  return line;
}

/** Figures after so many milliseconds. */
function showAt(terminal: Terminal, progress: ProgressLine, time: number, figures: Figures): void {
  terminal.time = time;
  progress.show(figures);
}

test('says nothing of what is over in a moment', () => {
  const terminal = openTerminal();
  const progress = begin(terminal);
  showAt(terminal, progress, 400, { doing: '1/2 steps' });
  progress.end();
  expect(terminal.written).toEqual([]);
});

test('what is known to take long is said at once', () => {
  const terminal = openTerminal();
  showAt(terminal, begin(terminal), 10, { doing: 'reading api.json', isLong: true });
  expect(terminal.screen()).toBe('  verify  reading api.json');
});

test('is written over, at most ten times a second, and taken away', () => {
  const terminal = openTerminal();
  const progress = begin(terminal);
  for (let time = 0; time <= 2000; time += 10) showAt(terminal, progress, time, { doing: `${time}/2000 steps` });
  expect(terminal.written.length).toBeLessThanOrEqual(16);
  expect(terminal.screen()).toBe('  verify  2000/2000 steps');
  progress.end();
  expect(terminal.screen()).toBe('');
});

test('says failures, and the time left once it can be told', () => {
  const terminal = openTerminal(100);
  const progress = begin(terminal);
  const figures = (done: number): Figures => {
    return { doing: `${done}/100 steps`, failed: 2, name: 'add a pet', pace: { done, left: 100 - done } };
  };
  showAt(terminal, progress, 1000, figures(0));
  showAt(terminal, progress, 2000, figures(10));
  expect(terminal.screen()).toBe('  verify  10/100 steps  2 failed  add a pet');
  showAt(terminal, progress, 3000, figures(20));
  expect(terminal.screen()).toBe('  verify  20/100 steps  2 failed  about 8 s left  add a pet');
  showAt(terminal, progress, 3200, { ...figures(21), pace: { done: 21, left: 7000 } });
  expect(terminal.screen()).toContain('about 12 min left');
});

test('where something else begins, the time left is measured anew', () => {
  const terminal = openTerminal();
  const progress = begin(terminal);
  for (const [time, done] of [
    [1000, 0],
    [5000, 100],
    [6000, 0],
    [9000, 10],
  ] as const)
    showAt(terminal, progress, time, { doing: `${done}/100`, pace: { done, left: 100 - done } });
  expect(terminal.screen()).toBe('  verify  10/100  about 27 s left');
});

test('nobody waits for what is done: no time is left', () => {
  const terminal = openTerminal();
  const progress = begin(terminal);
  for (const done of [0, 5, 10])
    showAt(terminal, progress, 1000 + done * 500, { doing: `${done}/10`, pace: { done, left: 10 - done } });
  expect(terminal.screen()).toBe('  verify  10/10');
});

test.each([
  ['escape sequences', '\u001b[2J\u001b[31m\u001b]0;title\u0007 red \u009b2J'],
  ['ends of lines', 'one\r\ntwo\u2028three\u0085four'],
  ['marks of direction', 'a\u202eb\u2066c'],
  ['half of a pair', 'a\ud83db'],
])('%s in a name stay text of one line', (_, name) => {
  const terminal = openTerminal();
  showAt(terminal, begin(terminal), 600, { doing: '1/2 steps', name });
  const own = /^\r\u001b\[\?7l(.*)\u001b\[J\u001b\[\?7h\r$/su.exec(terminal.written.join(''))?.[1];
  expect(own?.replace(/\u001b\[\d+m/g, '')).toMatch(
    /^ {2}verify {2}1\/2 steps {2}[^\p{Cc}\p{Cs}\u2028\u2029\u202e\u2066]+$/u,
  );
});

test.each([
  ['letters of two columns', '日本語の名前'.repeat(20)],
  ['pictures', '👩‍👩‍👧‍👦🎉'.repeat(20)],
  ['many letters', 'x'.repeat(500)],
])('a name of %s is cut, so that the line does not wrap', (_, name) => {
  const terminal = openTerminal(40);
  showAt(terminal, begin(terminal), 600, { doing: '1/2 steps', name });
  const screen = terminal.screen();
  expect(screen).toMatch(/^ {2}verify {2}1\/2 steps {2}.+…$/u);
  const widths = Array.from(screen, (character) => (character >= '\u1100' && character !== '…' ? 2 : 1));
  expect(widths.reduce<number>((sum, width) => sum + width, 0)).toBeLessThan(40);
});

test('what has no room is left out, and not begun', () => {
  const terminal = openTerminal(30);
  showAt(terminal, begin(terminal), 600, { doing: '34/120 steps', failed: 12, name: 'add a pet' });
  expect(terminal.screen()).toBe('  verify  34/120 steps');
});

test('what others write stands in lines of its own, with the line below it', () => {
  const terminal = openTerminal();
  const progress = begin(terminal);
  showAt(terminal, progress, 600, { doing: '1/9 steps' });
  terminal.other.write('a warning\n');
  expect(terminal.screen()).toBe('a warning\n');
  showAt(terminal, progress, 800, { doing: '2/9 steps' });
  expect(terminal.screen()).toBe('a warning\n  verify  2/9 steps');
  // In the middle of a line of others there is no room.
  terminal.stream.write('half of');
  showAt(terminal, progress, 1000, { doing: '3/9 steps' });
  expect(terminal.screen()).toBe('a warning\nhalf of');
  terminal.stream.write(Buffer.from(' a line\n'));
  showAt(terminal, progress, 1200, { doing: '4/9 steps' });
  progress.end();
  expect(terminal.screen()).toBe('a warning\nhalf of a line\n');
});

test('once it has ended the streams are as they were, and late figures are not shown', () => {
  const terminal = openTerminal();
  const { write } = terminal.stream;
  const progress = begin(terminal);
  expect(terminal.stream.write).not.toBe(write);
  progress.end();
  showAt(terminal, progress, 5000, { doing: '1/2 steps' });
  expect(terminal.stream.write).toBe(write);
  expect(terminal.written).toEqual([]);
});

test.each([
  ['a file', { isTTY: false }, {}],
  ['CI', { isTTY: true }, { CI: '1' }],
  ['a terminal that cannot write over', { isTTY: true }, { TERM: 'dumb' }],
])('nobody watches in %s', (_, { isTTY }, env) => {
  Object.assign(process.env, env);
  const { stream, other, now } = openTerminal();
  expect(createProgressLine('verify', { stream: { ...stream, isTTY }, others: [other], now })).toBeUndefined();
});

import pc from 'picocolors';
import { printable } from '../../core/text/printable';
import type { Progress, TellProgress } from '../../core/text/progress';
import type { RunProgress } from '../../runner/result/run-result';
import { isCi } from './terminal';

/** What a line of progress says. */
export interface Figures {
  /** `34/120 steps`. */
  readonly doing: string;
  readonly failed?: number | undefined;
  /** What was done last. */
  readonly name?: string | undefined;
  /** Pieces of work that are done and left, of about the same size: from them the time left is estimated. */
  readonly pace?: { readonly done: number; readonly left: number } | undefined;
  /** Is it known to take long? */
  readonly isLong?: boolean | undefined;
}

/** One line that says how far long work is, written over and over. */
export interface ProgressLine {
  show(figures: Figures): void;
  /** Takes the line away, so that what comes next begins at its start. */
  end(): void;
}

type Stream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;

/** Where the line is written, and what else goes to the same terminal. */
interface Terminal {
  readonly stream: Stream;
  readonly others: readonly Stream[];
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
}

const PROCESS: Terminal = { stream: process.stderr, others: [process.stdout], now: () => performance.now() };

/**
 * @param title - what the work is called: the name of the command
 * @returns `undefined` where nobody watches, in CI and in files: results come at the end
 */
export function createProgressLine(title: string, terminal: Terminal = PROCESS): ProgressLine | undefined {
  return isWatched(terminal.stream) ? new LiveLine(title, terminal) : undefined;
}

/** Does work that begins with a description, and shows how far its loading is. */
export async function whileLoading<Result>(
  title: string,
  work: (tell: TellProgress | undefined) => Promise<Result>,
): Promise<Result> {
  const line = createProgressLine(title);
  try {
    return await work(tellOn(line));
  } finally {
    line?.end();
  }
}

/**
 * Shows what is told on a line.
 *
 * @param isWhole - is it all of the work, so that it says when that will be done?
 */
export function tellOn(line: ProgressLine | undefined, isWhole = false): TellProgress | undefined {
  return (
    line &&
    ((progress) => {
      const { done, total, isLong } = progress;
      line.show({ doing: progressText(progress), pace: isWhole ? { done, left: total - done } : undefined, isLong });
    })
  );
}

function progressText({ phase, what, done, total }: Progress): string {
  return total === 0 ? `${phase} ${what}` : `${phase} ${done}/${total} ${what}`;
}

/** Does a person look at the stream as it is written, and can a line of it be written over? */
function isWatched({ isTTY }: Stream): boolean {
  return isTTY && !isCi() && process.env['TERM'] !== 'dumb';
}

const RUN_WORDS: Readonly<Record<RunProgress['phase'], (done: string) => string>> = {
  steps: (done) => `${done} steps`,
  probes: (done) => `probing ${done} operations`,
  checks: () => 'checking all responses together',
  removal: (done) => `cleaning up ${done} items`,
};

/** How far a run is, as a line says it. */
export function runFigures({ phase, done, total, failed, sent, left, name }: RunProgress): Figures {
  return { doing: RUN_WORDS[phase](`${done}/${total}`), failed, name, pace: { done: sent, left } };
}

/** What is done in less time needs no line. */
const PATIENCE_MS = 500;
/** So often the line is written at most; and at least, so that the time left goes on. */
const SHORTEST_MS = 100;
const LONGEST_MS = 1000;

/** Before as much is known, the time left is a guess. */
const LEAST_KNOWN_MS = 2000;
const LEAST_DONE = 3;

// The line is written without wrapping (DECAWM off), with the cursor back at its start: however the terminal is resized,
// and whatever else stands in the line, clearing from there to the end of the screen takes all of it away.
const BEGIN = '\r\u001b[?7l';
const END = '\u001b[J\u001b[?7h\r';
const CLEAR = '\r\u001b[J';
/** The room of `^C`, which a terminal writes where the cursor is. */
const MARGIN = '  ';
const USUAL_COLUMNS = 80;

/** Before what others write, the line goes, and comes back below it. */
class LiveLine implements ProgressLine {
  private readonly title: string;
  private readonly terminal: Terminal;
  private readonly write: (text: string) => void;
  private readonly beganAt: number;
  private readonly release: readonly (() => void)[];
  private readonly timer: NodeJS.Timeout;
  private figures: Figures | undefined;
  private estimate: Estimate | undefined;
  private isDrawn = false;
  private hasEnded = false;
  private isStale = false;
  private drawnAt = -Infinity;
  /** Has what others wrote ended with a line? Else a line of ours would stand in the middle of theirs. */
  private isAtLineStart = true;

  constructor(title: string, terminal: Terminal) {
    const { stream, others, now } = terminal;
    this.title = title;
    this.terminal = terminal;
    this.write = stream.write.bind(stream);
    this.beganAt = now();
    this.release = [stream, ...others.filter(({ isTTY }) => isTTY)].map((each) => this.watch(each));
    this.timer = setInterval(() => {
      this.redraw();
    }, SHORTEST_MS).unref();
    process.on('exit', this.end);
  }

  show(figures: Figures): void {
    if (this.hasEnded) return;
    const now = this.terminal.now();
    if (figures.pace !== undefined) this.estimate = estimateOf(this.estimate, figures.pace, now);
    this.figures = figures;
    this.isStale = true;
    this.redraw();
  }

  readonly end = (): void => {
    clearInterval(this.timer);
    process.off('exit', this.end);
    for (const release of this.release) release();
    this.erase();
    this.hasEnded = true;
  };

  private redraw(): void {
    const now = this.terminal.now();
    const wait = this.isStale ? SHORTEST_MS : LONGEST_MS;
    if (this.figures === undefined || !this.isAtLineStart) return;
    const isEarly = now - this.beganAt < PATIENCE_MS && this.figures.isLong !== true;
    if (isEarly || now - this.drawnAt < wait) return;
    this.drawnAt = now;
    this.isStale = false;
    this.isDrawn = true;
    this.write(`${BEGIN}${MARGIN}${this.text(this.figures, now)}${END}`);
  }

  private text({ doing, failed = 0, name = '', pace }: Figures, now: number): string {
    const left = pace === undefined ? '' : timeLeftText(this.estimate, now);
    const parts: [text: string, paint: (text: string) => string, isCut?: true][] = [
      [this.title, pc.bold],
      [doing, String, true],
      [failed === 0 ? '' : `${failed} failed`, pc.red],
      [left, String],
      [name, pc.dim, true],
    ];
    // The last column stays free: some terminals begin a new line there.
    let room = (this.terminal.stream.columns || USUAL_COLUMNS) - MARGIN.length - 1;
    const shown: string[] = [];
    for (const [text, paint, isCut] of parts.filter(([each]) => each !== '')) {
      const whole = printable(text);
      const fits = columnsOf(whole) <= room;
      const fitting = fits ? whole : isCut === true ? cutTo(room, whole) : '';
      if (fitting !== '') shown.push(paint(fitting));
      if (!fits) break;
      room -= columnsOf(fitting) + SEPARATOR.length;
    }
    return shown.join(SEPARATOR);
  }

  private erase(): void {
    if (this.isDrawn) this.write(CLEAR);
    this.isDrawn = false;
  }

  /** @returns what lets the stream go again */
  private watch(stream: Stream): () => void {
    const { write } = stream;
    const around = ((...args: Parameters<typeof write>) => {
      this.erase();
      this.isStale = true;
      const [chunk] = args;
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1');
      if (text !== '') this.isAtLineStart = text.endsWith('\n');
      return write.apply(stream, args);
    }) as typeof write;
    stream.write = around;
    return () => {
      if (stream.write === around) stream.write = write;
    };
  }
}

const SEPARATOR = '  ';

/** When the work will be done, as far as can be told from how it went. */
interface Estimate {
  /** When the first figures came, and what was done by then. */
  readonly since: number;
  readonly doneBefore: number;
  readonly done: number;
  readonly endsAt: number | undefined;
}

function estimateOf(
  earlier: Estimate | undefined,
  { done, left }: NonNullable<Figures['pace']>,
  now: number,
): Estimate {
  // Where less is done than before, something else has begun.
  const isOther = earlier === undefined || done < earlier.done;
  const { since, doneBefore } = isOther ? { since: now, doneBefore: done } : earlier;
  const [elapsed, measured] = [now - since, done - doneBefore];
  const isKnown = elapsed >= LEAST_KNOWN_MS && measured >= LEAST_DONE;
  return { since, doneBefore, done, endsAt: isKnown ? now + (elapsed / measured) * left : undefined };
}

/** Nothing where it is not known, and where what was estimated is over. */
function timeLeftText(estimate: Estimate | undefined, now: number): string {
  const seconds = Math.ceil(((estimate?.endsAt ?? now) - now) / 1000);
  if (seconds <= 0) return '';
  return seconds < 100 ? `about ${seconds} s left` : `about ${Math.round(seconds / 60)} min left`;
}

/** From here on letters may be two columns wide: those of East Asia, and pictures. */
const FIRST_WIDE = 0x1100;

function columnsOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + ((character.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2), 0);
}

/** As much of a text as fits with a mark that there is more. */
function cutTo(columns: number, text: string): string {
  let cut = '';
  for (const character of Array.from(text)) {
    if (columnsOf(cut + character) > columns - 1) break;
    cut += character;
  }
  return cut === '' ? '' : `${cut}…`;
}

import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import type { EventEmitter } from 'node:events';
import pc from 'picocolors';
import { printableLines, withoutCiCommands } from '../../core/text/printable';

// Those of our own colours (ECMA-48 §8.3.117), and of no other effect: concealed and blinking text are not among them.
const COLOURS = /(\u001b\[(?:1|2|4|22|24|3[0-79]|9[0-7])m)/;

/** A stream that the command line writes to. */
type Output = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean | undefined };

/**
 * Are colours shown on a stream? On a terminal, and where `FORCE_COLOR` asks for them; never because `CI` is set, since
 * files and pipes would keep the escape sequences.
 */
export function usesColours({ isTTY }: Pick<Output, 'isTTY'>): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if ((NO_COLOR ?? '') !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0';
  return isTTY === true && TERM !== 'dumb';
}

/** What the command line writes for people, on a stream; whatever is in it does nothing but be seen. */
export function printText(stream: Output, text: string): void {
  const isColoured = usesColours(stream);
  const quiet = withoutCiCommands(text);
  const parts = isColoured || pc.isColorSupported ? quiet.split(COLOURS) : [quiet];
  const shown = parts.map((part, index) => (index % 2 === 0 ? printableLines(part) : isColoured ? part : ''));
  stream.write(shown.join(''));
}

/** In CI nobody watches and nobody responds, be the output a terminal or not. */
export function isCi(): boolean {
  return (process.env['CI'] ?? '') !== '';
}

/** 0 conforms · 1 violations · 2 usage or document error · 3 unreachable or inconclusive · 4 something left behind. */
export const EXIT = { ok: 0, violations: 1, usage: 2, unreachable: 3, leftBehind: 4 } as const;

/** A pipe whose reader has ended, and a terminal that was closed. */
const CLOSED_OUTPUT_CODES: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/** What became of the output of this process. */
interface OutputWatch {
  /** Why the output was lost although somebody may have wanted it, such as a disk that is full. */
  readonly failure: () => Error | undefined;
  /** From now on called at once with such a failure, the first one. */
  onFailure(tell: (failure: Error) => void): void;
}

/**
 * Goes on when nobody reads the output any more, as behind `| head`: what is to be done is done, and the exit code
 * still says what came of it. Otherwise a run would end there, with all that it made left behind. Output that is lost for
 * another reason is kept in mind, so that the exit code can tell. Where the errors cannot be written nobody can be told.
 */
export function watchOutput(output: EventEmitter, errors: EventEmitter): OutputWatch {
  let failure: Error | undefined;
  let tell: ((failure: Error) => void) | undefined;
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (failure !== undefined || CLOSED_OUTPUT_CODES.has(error.code)) return;
    failure = error;
    tell?.(error);
  });
  errors.on('error', () => undefined);
  return {
    failure: () => failure,
    onFailure(listener) {
      tell = listener;
    },
  };
}

/** The command of each system that shows a file with the program for its kind; elsewhere that of freedesktop.org. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // The first quoted argument of `start` is the title of a window.
  win32: ['cmd', '/c', 'start', '""'],
};

/**
 * Shows a file in the browser, without waiting for it. Where there is none, its address is all that is printed: a run on
 * a server is no worse for it.
 *
 * @param command - in place of that of the system
 */
export function openInBrowser(file: string, command = OPENERS[process.platform] ?? ['xdg-open']): void {
  const address = pathToFileURL(file).href;
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {
    printText(process.stderr, `No browser could be opened; the report is at ${address}\n`);
  });
  child.unref();
}

import { createInterface } from 'node:readline';
import { printableLines, withoutCommands } from '../errors/printable';
import type { Readable, Writable } from 'node:stream';

/** Where a person is asked. */
export interface Dialogue {
  readonly input: Readable;
  readonly output: Writable;
}

/** Asks a person yes or no. @returns false where nobody is there to be asked, and once the signal comes */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY || (process.env['CI'] ?? '') !== '') return false;
  return ask(question, { input: process.stdin, output: process.stderr }, signal);
}

/** @returns false for everything but a yes: Ctrl-C and the end of the input, Ctrl-D, are a no */
export function ask(question: string, { input, output }: Dialogue, signal: AbortSignal): Promise<boolean> {
  const reader = createInterface({ input, output, terminal: true });
  const close = (): void => {
    reader.close();
  };
  return new Promise((resolve) => {
    // Closing answers as well; a yes was there before it.
    reader.once('close', () => {
      signal.removeEventListener('abort', close);
      output.write('\n');
      resolve(false);
    });
    signal.addEventListener('abort', close, { once: true });
    if (signal.aborted) close();
    else {
      reader.question(`${withoutCommands(printableLines(question))} [y/N] `, (answer) => {
        resolve(/^y(?:es)?$/i.test(answer.trim()));
        close();
      });
    }
  });
}

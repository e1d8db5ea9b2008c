import { spawn } from 'node:child_process';
import type { Installed, Tool } from './tools';

/** The key of a server that is asked. */
export const KEY = 'test-key';

/** Where a tool is run. */
export interface Place {
  /** Of the server that is judged, without a slash at the end. */
  readonly url: string;
  /** Of the conforming server behind it: what a tool needs to be there is made with it. */
  readonly direct: string;
  /** A fresh folder for the files of this run. */
  readonly folder: string;
}

/** A tool that is compared. */
export interface Peer {
  readonly id: string;
  readonly title: string;
  /** Absent for what is in this package. */
  readonly tool?: Tool;
  /** How it was set up, for the table. */
  readonly settings: string;
  /** It is run at one in three of the defects and of the variants. */
  readonly isSlow?: true;
  /**
   * Runs it once.
   *
   * @returns what it found, one line for each finding, the same for the same finding of another run
   * @throws Error if it does not come to an end by itself
   */
  readonly run: (place: Place, installed: Installed) => Promise<string[]>;
}

/** What a command printed. */
export interface Printed {
  readonly text: string;
  readonly exitCode: number;
}

const LONGEST_MS = 300_000;

/** Runs a command to its end. @throws Error where it does not end in five minutes */
export function command(
  name: string,
  args: readonly string[],
  { folder, env = {} }: { readonly folder: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Printed> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    const add = (chunk: Buffer): void => {
      text += chunk.toString();
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${name} ${args.slice(0, 2).join(' ')} did not end: ${text.slice(-300)}`));
    }, LONGEST_MS);
    child.on('error', reject);
    child.on('close', (exitCode) => {
      clearTimeout(timer);

      resolve({ text: text.replace(/\u001b\[[0-9;]*m/g, ''), exitCode: exitCode ?? -1 });
    });
  });
}

/** A finding without what differs from run to run: ids, times, addresses. */
export function stable(text: string): string {
  return text
    .replace(/https?:\/\/127\.0\.0\.1:\d+/g, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'TIME')
    .replace(/\b(?!(?:[1-5]\d\d)\b)\d+\b/g, 'N')
    .replace(/"[^"]{40,}"/g, '"…"')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'undici';
import { cut } from './checks';
import type { Request } from './request';

export interface Answer {
  /** 0 when none came in time. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: Buffer;
  /** The body, where it is JSON. */
  readonly json: unknown;
}

export type Send = (request: Request) => Promise<Answer>;

/** Sends requests to a server below `base`, with a limit in time for each. Nothing is sent that the request does not have. */
export function createSend(base: string, limitMs: number): Send {
  return async ({ method, target, headers, body }) => {
    try {
      const response = await request(`${base.replace(/\/$/, '')}${target}`, {
        method,
        headers,
        signal: AbortSignal.timeout(limitMs),
        ...(body === undefined ? {} : { body }),
      });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      const text = bytes.toString();
      return { status: response.statusCode, headers: readHeaders(response.headers), text, bytes, json: readJson(text) };
    } catch (error) {
      return { status: 0, headers: new Headers(), text: String(error), bytes: Buffer.alloc(0), json: undefined };
    }
  };
}

function readHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one] as [string, string]),
  );
  return new Headers(pairs);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A request as one line of the report. */
export function showRequest({ method, target, headers, body }: Request): string {
  const type = headers['content-type'] === undefined ? '' : ` (${headers['content-type']})`;
  return body === undefined ? `${method} ${target}` : `${method} ${target}${type} ${cut(String(body))}`;
}

/** An answer as one line of the report. */
export function showAnswer({ status, headers, text }: Answer): string {
  const location = headers.get('location');
  return `${status === 0 ? 'none' : status}${location === null ? '' : ` Location: ${location}`} ${cut(text)}`;
}

export interface Server {
  readonly base: string;
  readonly stop: () => Promise<void>;
}

/** Starts a mock as a user would; throws with what it printed when it does not listen. */
export async function startServer(command: string, file: string, limitMs: number): Promise<Server> {
  const child = spawn(process.execPath, [command, 'mock', file, '--port', '0', '--auth', 'any', '--log', 'silent'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The address is read from what it prints, which CI may ask to be in colours.
    env: { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1' },
  });
  const stop = (): Promise<void> => end(child);
  try {
    return { base: await waitForAddress(child, limitMs), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function waitForAddress(child: ChildProcess, limitMs: number): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`not started after ${limitMs / 1000} s: ${cut(printed)}`));
    }, limitMs);
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const [, base] = / is mocked at (http:\S+)/.exec(printed) ?? [];
      if (base === undefined) return;
      clearTimeout(timer);
      resolve(base);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`ended with ${code}: ${cut(printed)}`));
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

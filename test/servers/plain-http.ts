import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A port that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Sends JSON, and gives the JSON that came back; `undefined` for an empty answer. @throws Error for a 4xx or a 5xx */
export async function call(
  method: string,
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const own = {
    'content-type': 'application/json',
    // A kept connection may have ended while a run blocked this process.
    connection: 'close',
    // CrowdSec refuses the login of a client without a version.
    'user-agent': 'standin-servers/1',
  };
  const init = { method, headers: { ...own, ...headers } };
  const response = await fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Asks until something answers. @throws Error when nothing does for half a minute */
export async function answering(ask: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await ask();
      return;
    } catch (error) {
      if (attempt === 120) throw error;
      await wait(250);
    }
  }
}

/** A list of objects as rows. */
export function rowsOf(
  kind: string,
  list: unknown,
  keyOf: (row: Record<string, unknown>) => unknown,
): [string, string][] {
  const rows = Array.isArray(list) ? (list as Record<string, unknown>[]) : [];
  return rows.map((row) => [`${kind} ${String(keyOf(row))}`, JSON.stringify(row)]);
}

import type { CleanExchange } from '../../src/traffic/exchange/recorded-exchange';

/** A request of a session; what it needs of earlier responses is taken from them. */
export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<SessionResponse>;

export interface SessionResponse {
  readonly status: number;
  readonly headers: Headers;
  // What a service answers is of any shape.
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any
}

/** Plays a session at a server, and gives what was exchanged; the key stands as a mark. */
export async function recordSession(
  baseUrl: string,
  session: (send: Send) => Promise<void>,
  key = 'test-key',
): Promise<CleanExchange[]> {
  const exchanges: CleanExchange[] = [];
  const { origin, pathname } = new URL(baseUrl);
  let clock = Date.parse('2026-03-01T09:00:00Z');
  const base = pathname.replace(/\/$/, '');
  await session(async (method, path, body, headers = {}) => {
    const all: Record<string, string> = {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      Authorization: `Bearer ${key}`,
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${origin}${base}${path}`, {
      method,
      headers: sent,
      ...(text === undefined ? {} : { body: text }),
    });
    const answer = await response.text();
    const masked = Object.entries(sent).flatMap(([name, value]) => [name, value.replace(key, '~secret.api_key~')]);
    exchanges.push({
      source: `exchange ${exchanges.length + 1}`,
      startedAt: clock,
      endedAt: clock + 5,
      origin,
      request: {
        method,
        target: `${base}${path}`,
        headers: masked,
        body: text === undefined ? undefined : { kind: 'text', text },
      },
      response: {
        status: response.status,
        headers: [...response.headers].flat(),
        body: answer === '' ? undefined : { kind: 'text', text: answer },
      },
      notes: [],
      secrets: 'replaced',
    });
    clock += 1000;
    return {
      status: response.status,
      headers: response.headers,
      body: answer === '' ? undefined : parsed(answer),
    };
  });
  return exchanges;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

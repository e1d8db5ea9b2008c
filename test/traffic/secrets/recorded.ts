import type { RecordedBody, RecordedExchange } from '../../../src/traffic/exchange/recorded-exchange';

interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: readonly string[];
  /** A value is sent as JSON. */
  readonly body?: unknown;
  /** Content-Type; empty for none. */
  readonly type?: string;
}
interface Got {
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly body?: unknown;
  readonly type?: string;
}

/** An exchange in short. */
export function recorded(
  sent: Sent,
  got: Got | undefined = {},
  more: Partial<RecordedExchange> = {},
): RecordedExchange {
  return {
    source: 'shop.har#/log/entries/0',
    startedAt: 1,
    endedAt: 2,
    origin: 'https://shop.example',
    notes: [],
    request: { method: sent.method ?? 'GET', target: sent.target ?? '/things', ...parts(sent) },
    response: { status: got.status ?? 200, ...parts(got) },
    ...more,
  };
}

function parts({ headers = [], body, type }: Sent & Got): {
  headers: readonly string[];
  body: RecordedBody | undefined;
} {
  const mediaType = type ?? (body === undefined ? undefined : 'application/json');
  const typed = mediaType === undefined || mediaType === '' ? headers : ['Content-Type', mediaType, ...headers];
  return { headers: typed, body: bodyOf(body) };
}

function bodyOf(body: unknown): RecordedBody | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return { kind: 'bytes', base64: Buffer.from(body).toString('base64') };
  return { kind: 'text', text: typeof body === 'string' ? body : JSON.stringify(body) };
}

import type { Problem } from '../checks/problem';
import type { HttpResponse, RawHeaders, RequestHead } from '../http/message';
import type { Change } from './state';

/** One answered request, as it is remembered. */
export interface JournalEntry {
  /** Counts from 1 since the start or the last reset. */
  readonly number: number;
  /** RFC 3339, by the mock's clock. */
  readonly at: string;
  readonly method: string;
  readonly target: string;
  /** Credentials are replaced by `[redacted]`. */
  readonly requestHeaders: RawHeaders;
  /** Text of the body; cut when it is long. */
  readonly requestBody: string;
  /** Id of the operation, when one was found. */
  readonly operation: string | undefined;
  readonly status: number;
  readonly responseBody: string;
  /** Machine-readable code of a refusal. */
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly changes: readonly Change[];
}

/** One answered request, as it is kept: only what an entry is made from, because a thousand of them are. */
export class JournalRecord {
  readonly method: string;
  readonly target: string;
  /** Names and values, a line each: one text costs the garbage collector less than an array of ten. */
  readonly headerLines: string;
  readonly requestText: string;
  readonly operation: string | undefined;
  readonly status: number;
  readonly responseText: string;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly changes: readonly Change[];
  readonly nowMs: number;

  constructor(
    { method, target, rawHeaders }: RequestHead,
    body: Uint8Array | undefined,
    operation: string | undefined,
    { status, body: responseBody }: HttpResponse,
    fault: Problem | undefined,
    changes: readonly Change[],
    nowMs: number,
  ) {
    this.method = method;
    this.target = target;
    this.headerLines = rawHeaders.join('\n');
    this.requestText = body === undefined ? '' : excerpt(body);
    this.operation = operation;
    this.status = status;
    this.responseText = responseBody === undefined ? '' : excerpt(responseBody);
    this.code = fault?.code;
    this.message = fault?.message;
    this.changes = changes;
    this.nowMs = nowMs;
  }
}

const MAX_ENTRIES = 1000;
const MAX_BODY_BYTES = 4096;
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);

/**
 * The latest requests, in a ring. Writing an entry costs almost nothing; the work of making it readable, redacted
 * above all, is done when somebody asks.
 */
export class Journal {
  private readonly ring: JournalRecord[] = [];
  private count = 0;

  add(record: JournalRecord): void {
    this.ring[this.count % MAX_ENTRIES] = record;
    this.count += 1;
  }

  /** Oldest first. */
  entries(): JournalEntry[] {
    const oldest = this.count > MAX_ENTRIES ? this.count % MAX_ENTRIES : 0;
    const inOrder = [...this.ring.slice(oldest), ...this.ring.slice(0, oldest)];
    return inOrder.map((record, index) => toEntry(record, this.count - inOrder.length + index + 1));
  }

  clear(): void {
    this.ring.length = 0;
    this.count = 0;
  }
}

function toEntry(record: JournalRecord, number: number): JournalEntry {
  const { method, target, headerLines, requestText, operation, status, responseText, code, message, changes, nowMs } =
    record;
  const rawHeaders = headerLines === '' ? [] : headerLines.split('\n');
  return {
    number,
    at: new Date(nowMs).toISOString(),
    method,
    target,
    requestHeaders: rawHeaders.map((text, index) =>
      index % 2 === 1 && SECRET_HEADERS.has(rawHeaders[index - 1]?.toLowerCase() ?? '') ? '[redacted]' : text,
    ),
    requestBody: requestText,
    operation,
    status,
    responseBody: responseText,
    code,
    message,
    changes,
  };
}

/**
 * The beginning of a body as a text of its own: a view would keep the whole body alive, or the buffer of the socket
 * that it came in.
 */
function excerpt(body: string | Uint8Array): string {
  if (typeof body !== 'string')
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8', 0, MAX_BODY_BYTES);
  return body.length <= MAX_BODY_BYTES ? body : Buffer.from(body.slice(0, MAX_BODY_BYTES)).toString();
}

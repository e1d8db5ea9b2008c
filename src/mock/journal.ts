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

export interface JournalInput {
  readonly head: RequestHead;
  /** Cut by the journal when it is long. */
  body: Uint8Array | undefined;
  readonly operation: string | undefined;
  readonly response: HttpResponse;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly changes: readonly Change[];
  readonly nowMs: number;
}

const MAX_ENTRIES = 1000;
const MAX_BODY_CHARACTERS = 4096;
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);

/**
 * The latest requests, in a ring. Writing an entry costs almost nothing; the work of making it readable, redacted
 * above all, is done when somebody asks.
 */
export class Journal {
  private readonly ring: JournalInput[] = [];
  private count = 0;

  /** Keeps the input itself: the caller makes it for this call. */
  add(input: JournalInput): void {
    if (input.body !== undefined && input.body.length > MAX_BODY_CHARACTERS) {
      input.body = input.body.slice(0, MAX_BODY_CHARACTERS);
    }
    this.ring[this.count % MAX_ENTRIES] = input;
    this.count += 1;
  }

  /** Oldest first. */
  entries(): JournalEntry[] {
    const oldest = this.count > MAX_ENTRIES ? this.count % MAX_ENTRIES : 0;
    const inOrder = [...this.ring.slice(oldest), ...this.ring.slice(0, oldest)];
    return inOrder.map((input, index) => toEntry(input, this.count - inOrder.length + index + 1));
  }

  clear(): void {
    this.ring.length = 0;
    this.count = 0;
  }
}

function toEntry(input: JournalInput, number: number): JournalEntry {
  const { head, body, operation, response, code, message, changes, nowMs } = input;
  return {
    number,
    at: new Date(nowMs).toISOString(),
    method: head.method,
    target: head.target,
    requestHeaders: head.rawHeaders.map((text, index) =>
      index % 2 === 1 && SECRET_HEADERS.has(head.rawHeaders[index - 1]?.toLowerCase() ?? '') ? '[redacted]' : text,
    ),
    requestBody: body === undefined ? '' : Buffer.from(body).toString(),
    operation,
    status: response.status,
    responseBody: bodyText(response.body),
    code,
    message,
    changes,
  };
}

function bodyText(body: HttpResponse['body']): string {
  const text = body === undefined ? '' : typeof body === 'string' ? body : Buffer.from(body).toString();
  return text.slice(0, MAX_BODY_CHARACTERS);
}

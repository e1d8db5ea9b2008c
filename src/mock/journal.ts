import type { Problem } from '../checks/problem';
import type { HttpResponse, RawHeaders, RequestHead } from '../http/message';
import type { Change } from './state';
import { TextRing } from './text-ring';

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

const MAX_ENTRIES = 1000;
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);

/**
 * The latest requests, in a ring. Writing an entry costs almost nothing; the work of making it readable, redacted
 * above all, is done when somebody asks.
 *
 * What is kept stands in columns: numbers and texts of their own memory make no objects that would have to be kept
 * alive for a thousand requests.
 */
export class Journal {
  private readonly texts = new TextRing();
  private count = 0;
  /** Of each entry where its head, its body and the body of its response begin, and where that ends. */
  private readonly places = new Float64Array(MAX_ENTRIES * 4);
  private readonly times = new Float64Array(MAX_ENTRIES);
  private readonly statuses = new Uint16Array(MAX_ENTRIES);
  private readonly operations: (string | undefined)[] = [];
  private readonly faults: (Problem | undefined)[] = [];
  private readonly changes: (readonly Change[])[] = [];

  /** @param nowMs - epoch milliseconds of the mock's clock */
  add(
    { method, target, rawHeaders }: RequestHead,
    body: Uint8Array | undefined,
    operation: string | undefined,
    response: HttpResponse,
    fault: Problem | undefined,
    changes: readonly Change[],
    nowMs: number,
  ): void {
    const row = this.count % MAX_ENTRIES;
    const { texts, places } = this;
    const head = `${method}\n${target}\n${rawHeaders.join('\n')}`;
    places[row * 4] = texts.writeHead(head);
    places[row * 4 + 1] = texts.position;
    texts.writeBody(body);
    places[row * 4 + 2] = texts.position;
    texts.writeBody(response.body);
    places[row * 4 + 3] = texts.position;
    this.times[row] = nowMs;
    this.statuses[row] = response.status;
    this.operations[row] = operation;
    this.faults[row] = fault;
    this.changes[row] = changes;
    this.count += 1;
  }

  /** Oldest first. Those whose texts had to make room for later ones are gone. */
  entries(): JournalEntry[] {
    const entries: JournalEntry[] = [];
    for (let index = Math.max(0, this.count - MAX_ENTRIES); index < this.count; index++) {
      const row = index % MAX_ENTRIES;
      if (this.texts.holds(this.places[row * 4] ?? 0)) entries.push(this.entryAt(row, index + 1));
    }
    return entries;
  }

  clear(): void {
    this.count = 0;
    this.operations.length = 0;
    this.faults.length = 0;
    this.changes.length = 0;
  }

  private entryAt(row: number, number: number): JournalEntry {
    const [head = 0, body = 0, responseBody = 0, end = 0] = this.places.subarray(row * 4, row * 4 + 4);
    const [method = '', target = '', ...headers] = this.texts.read(head, body, 'latin1').split('\n');
    const fault = this.faults[row];
    return {
      number,
      at: new Date(this.times[row] ?? 0).toISOString(),
      method,
      target,
      requestHeaders: redact(headers),
      requestBody: this.texts.read(body, responseBody, 'utf8'),
      operation: this.operations[row],
      status: this.statuses[row] ?? 0,
      responseBody: this.texts.read(responseBody, end, 'utf8'),
      code: fault?.code,
      message: fault?.message,
      changes: this.changes[row] ?? [],
    };
  }
}

function redact(rawHeaders: RawHeaders): RawHeaders {
  return rawHeaders.map((text, index) =>
    index % 2 === 1 && SECRET_HEADERS.has(rawHeaders[index - 1]?.toLowerCase() ?? '') ? '[redacted]' : text,
  );
}

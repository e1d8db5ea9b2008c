import type { Warning } from '../../checks/request/warnings';
import type { Delivery, HttpResponse, RawHeaders, RequestHead } from '../../core/http/message';
import type { Problem } from '../../core/http/problem';
import { type CredentialLocations, redactHeaders, redactTarget } from '../../security/credential-locations';
import type { Change } from '../state/state';
import type {
  JournalEntry,
  JournalSize,
  LastRequest,
  RequestCounter,
  RequestLine,
  StoredBody,
  StoredRequest,
} from './journal-entry';
import { TextRing } from './text-ring';

const USUAL_SECRETS: CredentialLocations = {
  headers: new Set(['authorization', 'proxy-authorization', 'cookie']),
  query: new Set(),
  cookies: new Set(),
};

const NO_WARNINGS: readonly Warning[] = [];
const NO_FAULT = { code: undefined, message: undefined };
const NO_HEADERS: RawHeaders = [];
const NOTHING = new Float64Array(0);

/** Places of the numbers of an entry. Of those of its texts, each ends where the next one begins. */
const [HEAD, BODY, RESPONSE, END, BODY_SIZE, RESPONSE_SIZE, SEQ, TIME, ENDED, DURATION, STATUS, NUMBERS] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
] as const;

/** In place of the size of a body that nobody read. */
const UNREAD = -1;

/**
 * The latest requests, in a ring. Writing an entry costs almost nothing; the work of making it readable, redacted
 * above all, is done when somebody asks.
 *
 * What is stored stands in columns: numbers and texts of their own memory make no objects that would have to be kept
 * alive for a thousand requests.
 */
export class Journal {
  static readonly USUAL_SIZE: JournalSize = { entries: 1000, textBytes: 6 * 1024 * 1024, bodyBytes: 16 * 1024 };
  private readonly texts: TextRing;
  private readonly size: number;
  private readonly secrets: CredentialLocations;
  private readonly counter: RequestCounter;
  private count = 0;
  /** Entries before the last time that it was emptied. */
  private cleared = 0;
  /** Position of the latest request that changed something, of those that are not remembered. */
  private lostChange = 0;
  /** Of each entry as many as {@link NUMBERS}. */
  private numbers: Float64Array = NOTHING;
  private readonly operations: (string | undefined)[] = [];
  private readonly headers: RawHeaders[] = [];
  private readonly faults: (Pick<Problem, 'code' | 'message'> | undefined)[] = [];
  private readonly warnings: (readonly Warning[])[] = [];
  private readonly changes: (readonly Change[])[] = [];
  private readonly injected: (string | undefined)[] = [];
  private readonly deliveries: (Delivery | undefined)[] = [];

  /**
   * @param secrets - where requests carry what the journal does not show
   * @param counter - gives each request its number among those of all sandboxes
   */
  constructor(size: JournalSize = Journal.USUAL_SIZE, secrets = USUAL_SECRETS, counter: RequestCounter = { last: 0 }) {
    this.secrets = secrets;
    this.counter = counter;
    this.size = size.entries;
    this.texts = new TextRing(size.textBytes, size.bodyBytes);
  }

  /**
   * @param nowMs - epoch milliseconds of the mock's clock
   * @param startedMs - when the request came, by `performance.now()`
   */
  add(
    head: RequestHead,
    body: Uint8Array | undefined,
    operation: string | undefined,
    response: HttpResponse,
    fault: Problem | undefined,
    changes: readonly Change[],
    nowMs: number,
    warnings = NO_WARNINGS,
    injected?: string,
    startedMs = NaN,
  ): void {
    const row = this.write(head, body, response);
    const { numbers } = this;
    if ((this.changes[row]?.length ?? 0) > 0) this.lostChange = this.position - this.size;
    numbers[row * NUMBERS + SEQ] = ++this.counter.last;
    numbers[row * NUMBERS + TIME] = nowMs;
    const endedMs = performance.now();
    numbers[row * NUMBERS + ENDED] = endedMs;
    numbers[row * NUMBERS + DURATION] = endedMs - startedMs;
    numbers[row * NUMBERS + STATUS] = response.status;
    this.operations[row] = operation;
    this.headers[row] = response.headers;
    this.faults[row] = fault;
    this.warnings[row] = warnings;
    this.changes[row] = changes;
    this.injected[row] = injected;
    this.deliveries[row] = response.delivery;
  }

  /** Bytes of memory that are reserved for entries. */
  get reservedBytes(): number {
    return this.texts.reservedBytes + this.numbers.byteLength;
  }

  /** Oldest first. Those whose texts had to make room for later ones are gone. */
  entries(): JournalEntry[] {
    return this.remembered().map((number) => this.entryOf(number));
  }

  /** Numbers of the entries that are remembered, oldest first, of requests after one of all sandboxes. */
  remembered(afterSeq = 0): number[] {
    const found: number[] = [];
    for (let number = this.count; number > Math.max(0, this.count - this.size); number--) {
      const row = (number - 1) % this.size;
      if (this.at(row, SEQ) <= afterSeq || !this.texts.holds(this.at(row, HEAD))) break;
      found.push(number);
    }
    return found.reverse();
  }

  /** How many came before the oldest one that is remembered. */
  get forgotten(): number {
    return (this.remembered()[0] ?? this.count + 1) - 1;
  }

  /** @param number - of an entry that is remembered */
  seqOf(number: number): number {
    return this.at((number - 1) % this.size, SEQ);
  }

  /** @param number - of an entry that is remembered */
  lineOf(number: number): RequestLine {
    const row = (number - 1) % this.size;
    const durationMs = this.at(row, DURATION);
    const [method = '', target = ''] = this.headOf(row);
    return {
      seq: this.at(row, SEQ),
      atMs: this.at(row, TIME),
      durationMs: Number.isNaN(durationMs) ? undefined : durationMs,
      method,
      target: redactTarget(target, this.secrets),
      operation: this.operations[row],
      status: this.at(row, STATUS),
      code: this.faults[row]?.code,
      warnings: this.warnings[row]?.length ?? 0,
      changes: this.changes[row]?.length ?? 0,
      injected: this.injected[row],
      delivery: this.deliveries[row],
    };
  }

  /** @param number - of an entry that is remembered */
  requestOf(number: number): StoredRequest {
    const row = (number - 1) % this.size;
    const [, target = '', ...requestHeaders] = this.headOf(row);
    return {
      entry: this.entryOf(number),
      line: this.lineOf(number),
      endedMs: this.at(row, ENDED),
      target,
      requestHeaders,
      requestBody: this.bodyAt(row, BODY, BODY_SIZE),
      responseHeaders: this.headers[row] ?? NO_HEADERS,
      responseBody: this.bodyAt(row, RESPONSE, RESPONSE_SIZE),
    };
  }

  /** How many requests were noted since it was made, whatever became of their entries. */
  get position(): number {
    return this.cleared + this.count;
  }

  /** Is the entry of that position still here? */
  remembers(position: number): boolean {
    return position > this.cleared && position > this.position - this.size;
  }

  /**
   * The latest request that changed something.
   *
   * @param after - position; requests up to there are not looked at
   * @param isLeftOut - those whose changes do not count
   */
  lastChange(after: number, isLeftOut: (position: number) => boolean): LastRequest {
    for (let { position } = this; position > after && this.remembers(position); position--) {
      const row = (position - this.cleared - 1) % this.size;
      const changes = this.changes[row] ?? [];
      if (changes.length === 0 || isLeftOut(position)) continue;
      const isWhole = this.texts.holds(this.at(row, HEAD));
      const entry = isWhole ? this.entryOf(position - this.cleared) : undefined;
      return { kind: 'found', position, entry, changes };
    }
    return { kind: this.lostChange > after ? 'forgotten' : 'none' };
  }

  /** Takes over an entry of another journal as it is there, its number among all included. */
  put(stored: StoredRequest): void {
    const { entry, line, endedMs, target, requestHeaders, requestBody, responseHeaders, responseBody } = stored;
    const head = { method: line.method, target, headers: {}, rawHeaders: requestHeaders };
    const response = { status: line.status, headers: responseHeaders, body: responseBody.bytes };
    const row = this.write(head, requestBody.bytes, response);
    const { numbers } = this;
    const first = row * NUMBERS;
    numbers[first + BODY_SIZE] = requestBody.isUnread ? UNREAD : requestBody.size;
    numbers[first + RESPONSE_SIZE] = responseBody.size;
    numbers[first + SEQ] = line.seq;
    numbers[first + TIME] = line.atMs;
    numbers[first + ENDED] = endedMs;
    numbers[first + DURATION] = line.durationMs ?? NaN;
    numbers[first + STATUS] = line.status;
    this.operations[row] = line.operation;
    this.headers[row] = responseHeaders;
    this.faults[row] = entry.code === undefined ? undefined : { code: entry.code, message: entry.message ?? '' };
    this.warnings[row] = entry.warnings;
    this.changes[row] = entry.changes;
    this.injected[row] = entry.injected;
    this.deliveries[row] = line.delivery;
  }

  clear(): void {
    const last = this.lastChange(0, () => false);
    if (last.kind === 'found') this.lostChange = last.position;
    this.cleared += this.count;
    this.count = 0;
    const { operations, headers, faults, warnings, changes, injected, deliveries } = this;
    for (const column of [operations, headers, faults, warnings, changes, injected, deliveries]) column.length = 0;
  }

  /** The texts of an entry, with the places that they are at. @returns its row */
  private write(
    { method, target, rawHeaders }: RequestHead,
    body: Uint8Array | undefined,
    response: HttpResponse,
  ): number {
    // On the first entry: most sandboxes that there may be are never made.
    if (this.numbers === NOTHING) this.numbers = new Float64Array(this.size * NUMBERS);
    const { texts, numbers } = this;
    const row = this.count % this.size;
    const first = row * NUMBERS;
    numbers[first + HEAD] = texts.writeHead(`${method}\n${target}\n${rawHeaders.join('\n')}`);
    numbers[first + BODY] = texts.position;
    numbers[first + BODY_SIZE] = body === undefined ? UNREAD : texts.writeBody(body);
    numbers[first + RESPONSE] = texts.position;
    numbers[first + RESPONSE_SIZE] = texts.writeBody(response.body);
    numbers[first + END] = texts.position;
    this.count += 1;
    return row;
  }

  private at(row: number, place: number): number {
    return this.numbers[row * NUMBERS + place] ?? 0;
  }

  /** Method, target, and names and values of headers. */
  private headOf(row: number): string[] {
    return this.texts.read(this.at(row, HEAD), this.at(row, BODY), 'latin1').split('\n');
  }

  private bodyAt(row: number, place: typeof BODY | typeof RESPONSE, sizePlace: number): StoredBody {
    const size = this.at(row, sizePlace);
    return { bytes: this.bytesAt(row, place), size: Math.max(0, size), isUnread: size === UNREAD };
  }

  private bytesAt(row: number, place: typeof BODY | typeof RESPONSE): Buffer {
    return this.texts.copy(this.at(row, place), this.at(row, place + 1));
  }

  private entryOf(number: number): JournalEntry {
    const row = (number - 1) % this.size;
    const [method = '', target = '', ...headers] = this.headOf(row);
    return {
      number,
      at: new Date(this.at(row, TIME)).toISOString(),
      method,
      target: redactTarget(target, this.secrets),
      requestHeaders: redactHeaders(headers, this.secrets),
      requestBody: this.texts.read(this.at(row, BODY), this.at(row, RESPONSE), 'utf8'),
      operation: this.operations[row],
      status: this.at(row, STATUS),
      responseBody: this.texts.read(this.at(row, RESPONSE), this.at(row, END), 'utf8'),
      ...this.outcomeAt(row),
    };
  }

  private outcomeAt(row: number): Pick<JournalEntry, 'code' | 'message' | 'warnings' | 'changes' | 'injected'> {
    const { code, message } = this.faults[row] ?? NO_FAULT;
    const warnings = this.warnings[row] ?? NO_WARNINGS;
    return { code, message, warnings, changes: this.changes[row] ?? [], injected: this.injected[row] };
  }
}

import type { Warning } from '../../checks/request/warnings';
import type { HttpResponse, RawHeaders, RequestHead } from '../../core/http/message';
import type { Problem } from '../../core/http/problem';
import { type CredentialLocations, hidesHeader, redactTarget } from '../../security/credential-locations';
import type { Change } from '../state/state';
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
  /** Machine-readable code of a rejection; of a success, how it breaks the description. */
  readonly code: string | undefined;
  readonly message: string | undefined;
  /** What the client should know although it was answered: what was read kindly, what could not be kept. */
  readonly warnings: readonly Warning[];
  readonly changes: readonly Change[];
  /** What went wrong on purpose, as the header of the response says it. */
  readonly injected: string | undefined;
}

/** The latest of the requests that changed something; `forgotten`: one that is not remembered. */
export type LastRequest =
  | {
      readonly kind: 'found';
      readonly position: number;
      /** `undefined` where its text had to make room. */
      readonly entry: JournalEntry | undefined;
      readonly changes: readonly Change[];
    }
  | { readonly kind: 'none' | 'forgotten' };

export interface JournalSize {
  readonly entries: number;
  /** Bytes of heads and bodies together. */
  readonly textBytes: number;
}

const USUAL_SECRETS: CredentialLocations = {
  headers: new Set(['authorization', 'proxy-authorization', 'cookie']),
  query: new Set(),
  cookies: new Set(),
};

const NO_WARNINGS: readonly Warning[] = [];
const NO_FAULT = { code: undefined, message: undefined };
const NOTHING = new Float64Array(0);
const NO_STATUSES = new Uint16Array(0);

/**
 * The latest requests, in a ring. Writing an entry costs almost nothing; the work of making it readable, redacted
 * above all, is done when somebody asks.
 *
 * What is stored stands in columns: numbers and texts of their own memory make no objects that would have to be kept
 * alive for a thousand requests.
 */
export class Journal {
  static readonly USUAL_SIZE: JournalSize = { entries: 1000, textBytes: 4 * 1024 * 1024 };
  private readonly texts: TextRing;
  private readonly size: number;
  private readonly secrets: CredentialLocations;
  private count = 0;
  /** Entries before the last time that it was emptied. */
  private cleared = 0;
  /** Position of the latest request that changed something, of those that are not remembered. */
  private lostChange = 0;
  /** Of each entry where its head, its body and the body of its response begin, and where that ends. */
  private places: Float64Array = NOTHING;
  private times: Float64Array = NOTHING;
  private statuses: Uint16Array = NO_STATUSES;
  private readonly operations: (string | undefined)[] = [];
  private readonly faults: (Problem | undefined)[] = [];
  private readonly warnings: (readonly Warning[])[] = [];
  private readonly changes: (readonly Change[])[] = [];
  private readonly injected: (string | undefined)[] = [];

  /** @param secrets - where requests carry what the journal does not show */
  constructor({ entries, textBytes }: JournalSize = Journal.USUAL_SIZE, secrets = USUAL_SECRETS) {
    this.secrets = secrets;
    this.size = entries;
    this.texts = new TextRing(textBytes);
  }

  /** @param nowMs - epoch milliseconds of the mock's clock */
  add(
    { method, target, rawHeaders }: RequestHead,
    body: Uint8Array | undefined,
    operation: string | undefined,
    response: HttpResponse,
    fault: Problem | undefined,
    changes: readonly Change[],
    nowMs: number,
    warnings = NO_WARNINGS,
    injected?: string,
  ): void {
    if (this.places === NOTHING) this.makeColumns();
    const item = this.count % this.size;
    const { texts, places } = this;
    if ((this.changes[item]?.length ?? 0) > 0) this.lostChange = this.position + 1 - this.size;
    const head = `${method}\n${target}\n${rawHeaders.join('\n')}`;
    places[item * 4] = texts.writeHead(head);
    places[item * 4 + 1] = texts.position;
    texts.writeBody(body);
    places[item * 4 + 2] = texts.position;
    texts.writeBody(response.body);
    places[item * 4 + 3] = texts.position;
    this.times[item] = nowMs;
    this.statuses[item] = response.status;
    this.operations[item] = operation;
    this.faults[item] = fault;
    this.warnings[item] = warnings;
    this.changes[item] = changes;
    this.injected[item] = injected;
    this.count += 1;
  }

  /** Oldest first. Those whose texts had to make room for later ones are gone. */
  entries(): JournalEntry[] {
    const entries: JournalEntry[] = [];
    for (let index = Math.max(0, this.count - this.size); index < this.count; index++) {
      const row = index % this.size;
      if (this.texts.holds(this.places[row * 4] ?? 0)) entries.push(this.entryAt(row, index + 1));
    }
    return entries;
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
      const isWhole = this.texts.holds(this.places[row * 4] ?? 0);
      const entry = isWhole ? this.entryAt(row, position - this.cleared) : undefined;
      return { kind: 'found', position, entry, changes };
    }
    return { kind: this.lostChange > after ? 'forgotten' : 'none' };
  }

  /** Takes over an entry of another journal, if that still has it. */
  take(other: Journal, number: number): void {
    const { texts, places, operations, statuses, faults, warnings, changes, injected, times, size, count } = other;
    const row = (number - 1) % size;
    const [start = 0, body = 0, response = 0, end = 0] = places.subarray(row * 4, row * 4 + 4);
    if (number <= count - size || !texts.holds(start)) return;
    const bytes = (from: number, to: number): Buffer => Buffer.from(texts.read(from, to, 'latin1'), 'latin1');
    const [method = '', target = '', ...rawHeaders] = texts.read(start, body, 'latin1').split('\n');
    const head = { method, target, headers: {}, rawHeaders };
    const answer = { status: Number(statuses[row]), headers: [], body: bytes(response, end) };
    const nowMs = Number(times[row]);
    this.add(
      head,
      bytes(body, response),
      operations[row],
      answer,
      faults[row],
      changes[row] ?? [],
      nowMs,
      warnings[row],
      injected[row],
    );
  }

  clear(): void {
    const last = this.lastChange(0, () => false);
    if (last.kind === 'found') this.lostChange = last.position;
    this.cleared += this.count;
    this.count = 0;
    this.operations.length = 0;
    this.faults.length = 0;
    this.warnings.length = 0;
    this.changes.length = 0;
    this.injected.length = 0;
  }

  /** On the first entry: most sandboxes that there may be are never made. */
  private makeColumns(): void {
    this.places = new Float64Array(this.size * 4);
    this.times = new Float64Array(this.size);
    this.statuses = new Uint16Array(this.size);
  }

  private entryAt(row: number, number: number): JournalEntry {
    const [head = 0, body = 0, responseBody = 0, end = 0] = this.places.subarray(row * 4, row * 4 + 4);
    const [method = '', target = '', ...headers] = this.texts.read(head, body, 'latin1').split('\n');
    return {
      number,
      at: new Date(this.times[row] ?? 0).toISOString(),
      method,
      target: redactTarget(target, this.secrets),
      requestHeaders: redact(headers, this.secrets),
      requestBody: this.texts.read(body, responseBody, 'utf8'),
      operation: this.operations[row],
      status: this.statuses[row] ?? 0,
      responseBody: this.texts.read(responseBody, end, 'utf8'),
      ...this.outcomeAt(row),
    };
  }

  private outcomeAt(row: number): Pick<JournalEntry, 'code' | 'message' | 'warnings' | 'changes' | 'injected'> {
    const { code, message } = this.faults[row] ?? NO_FAULT;
    const warnings = this.warnings[row] ?? NO_WARNINGS;
    return { code, message, warnings, changes: this.changes[row] ?? [], injected: this.injected[row] };
  }
}

function redact(rawHeaders: RawHeaders, places: CredentialLocations): RawHeaders {
  return rawHeaders.map((text, index) => {
    const name = index % 2 === 1 ? rawHeaders[index - 1]?.toLowerCase() : undefined;
    return name !== undefined && hidesHeader(places, name) ? '[redacted]' : text;
  });
}

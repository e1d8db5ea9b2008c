import { headerValue } from '../../core/http/headers';
import type { Delivery } from '../../core/http/message';
import type { JsonObject } from '../../core/json/json-value';
import type { Mock } from '../../mock/create-mock';
import { type StoredBody, type StoredRequest, textOf } from '../../mock/sandbox/journal-entry';
import { MAIN_ID } from '../../mock/sandbox/sandbox-selection';
import type { SharedRequests } from '../../mock/sandbox/shared-requests';
import { redactJournalEntry, StateRedactor } from '../../mock/sandbox/state-export';
import type { ApiModel } from '../../openapi/model/api-model';
import { createRedaction, type Redaction } from '../../redaction/redaction';
import { announcesBody } from '../controls/mock-exchange';
import { type RememberedPlace, rememberedAfter, storedAt } from '../../mock/sandbox/remembered-requests';
import { requestTexts } from './request-texts';
import type {
  Delivery as ShownDelivery,
  ItemChange,
  RecordedBody,
  RequestDetails,
  RequestList,
  RequestSummary,
} from './shapes';

const hide = (): string => '[redacted]';

/** A remembered request with the sandbox that it was for. */
export interface FoundRequest {
  readonly sandbox: string;
  readonly stored: StoredRequest;
}

/** The requests of all sandboxes in one order, as who looks at them may see them. Nothing is done for it until somebody asks. */
export class RequestLog {
  private readonly current: () => Mock;
  private redactions: { readonly api: ApiModel; readonly byOperation: Map<string | undefined, Redaction> } | undefined;

  constructor(current: () => Mock) {
    this.current = current;
  }

  /** Those of all processes, where several serve the same sandboxes. */
  get shared(): SharedRequests | undefined {
    return this.current().engine.sandboxes.store?.rounds?.requests;
  }

  /** `seq` of the latest request. */
  get last(): number {
    return this.shared?.last ?? this.current().engine.sandboxes.counter.last;
  }

  /** Now every request that was answered before is known here. @throws StoreError where other processes are not to be heard of */
  async catchUp(): Promise<void> {
    await this.shared?.catchUp();
  }

  /**
   * @param after - `seq`; those up to there are left out
   * @param sandbox - `undefined` for all of them
   */
  oldest(after: number, most: number, sandbox: string | undefined): RequestList {
    const places = this.placesAfter(after, sandbox);
    if (most === 0) return { requests: [], last: Math.min(after, this.last), dropped: 0 };
    const shown = places.slice(0, most);
    const last = shown.length < places.length ? shown.at(-1)?.seq : undefined;
    return { ...this.listOf(after, shown, sandbox), last: last ?? this.last };
  }

  /** The newest of those between `after` and `before`; `dropped` counts all between these that are not remembered. */
  latest(after: number, before: number, most: number, sandbox: string | undefined): RequestList {
    const places = this.placesAfter(after, sandbox).filter(({ seq }) => seq < before);
    const shown = most === 0 ? [] : places.slice(-most);
    const missing = Math.max(0, Math.min(before - 1, this.last) - after - places.length);
    const { requests } = this.listOf(after, shown, sandbox);
    const dropped = sandbox === undefined ? missing : Math.min(missing, this.forgottenBy(sandbox));
    return { requests, last: this.last, dropped };
  }

  /** For those who listen: the newest after `after`; `dropped` counts those that are left out as well. */
  newest(after: number, most: number, sandbox: string | undefined): RequestList {
    const places = this.placesAfter(after, sandbox);
    const shown = places.slice(-most);
    const list = this.listOf(after, shown, sandbox);
    const cut = sandbox === undefined ? 0 : places.length - shown.length;
    return { ...list, dropped: list.dropped + cut, last: this.last };
  }

  find(seq: number): FoundRequest | undefined {
    const place = this.placesAfter(seq - 1, undefined).find((each) => each.seq === seq);
    return place && { sandbox: place.sandbox, stored: storedAt(place) };
  }

  /** @param address - of the mock, as its client knows it: `http://localhost:4010` */
  details({ sandbox, stored }: FoundRequest, address: string): RequestDetails {
    const mock = this.current();
    const { api } = mock.context;
    const entry = redactJournalEntry(api, new StateRedactor(mock.resources).entry(stored.entry));
    const redaction = this.redactionOf(entry.operation);
    const responseHeaders = redaction.headers(stored.responseHeaders);
    const shown = {
      ...this.summaryOf(stored.line, sandbox),
      target: entry.target,
      requestHeaders: entry.requestHeaders,
      requestBody: {
        ...bodyOf(stored.requestBody, headerValue(entry.requestHeaders, 'Content-Type'), redaction),
        isUnread: stored.requestBody.isUnread && announcesBody(stored.requestHeaders),
      },
      responseHeaders,
      responseBody: bodyOf(stored.responseBody, headerValue(responseHeaders, 'Content-Type'), redaction),
      message: entry.message ?? null,
      problems: entry.warnings.map(({ code, message }) => ({ code, message })),
      changedItems: entry.changes.map(changeOf),
    };
    return { ...shown, ...requestTexts(mock, { ...shown, address, rawHeaders: stored.requestHeaders }) };
  }

  private placesAfter(after: number, sandbox: string | undefined): RememberedPlace[] {
    const journals = this.shared?.journals() ?? this.current().engine.sandboxes.journals();
    return rememberedAfter(journals, after, sandbox);
  }

  private listOf(
    after: number,
    shown: readonly RememberedPlace[],
    sandbox: string | undefined,
  ): Omit<RequestList, 'last'> {
    const until = shown[0]?.seq ?? this.last + 1;
    const between = Math.max(0, until - after - 1);
    return {
      requests: shown.map((place) => this.summaryOf(place.journal.lineOf(place.number), place.sandbox)),
      dropped: sandbox === undefined ? between : Math.min(between, this.forgottenBy(sandbox)),
    };
  }

  /** Requests of a sandbox that its journal does not have any more. */
  private forgottenBy(sandbox: string): number {
    if (this.shared !== undefined) return this.shared.forgotten;
    const { sandboxes } = this.current().engine;
    const kept = sandboxes.all().find(({ id = MAIN_ID }) => id === sandbox);
    return kept?.journal.forgotten ?? 0;
  }

  private summaryOf(line: StoredRequest['line'], sandbox: string): RequestSummary {
    const { seq, atMs, durationMs, method, operation = null, status, code = null, warnings, changes } = line;
    return {
      seq,
      sandbox,
      at: new Date(atMs).toISOString(),
      durationMs: durationMs === undefined ? null : Math.round(durationMs * 1000) / 1000,
      method,
      target: this.redactionOf(line.operation).target(line.target),
      operation,
      status,
      code,
      warnings,
      changes,
      forced: line.injected ?? null,
      delivery: shownDelivery(line.delivery),
    };
  }

  /** Made once for each operation. */
  private redactionOf(id: string | undefined): Redaction {
    const { api } = this.current().context;
    if (this.redactions?.api !== api) this.redactions = { api, byOperation: new Map() };
    const { byOperation } = this.redactions;
    const known = byOperation.get(id);
    if (known !== undefined) return known;
    const operation = id === undefined ? undefined : api.operations.find((each) => each.id === id);
    const made = createRedaction(api, operation, hide);
    byOperation.set(id, made);
    return made;
  }
}

function bodyOf(body: StoredBody, mediaType: string | undefined, redaction: Redaction): RecordedBody {
  const text = textOf(body);
  return {
    text: text === undefined ? null : redaction.body(text, mediaType),
    size: body.size,
    isCut: body.size > body.bytes.length,
    isUnread: false,
  };
}

export function shownDelivery(delivery: Delivery | undefined): ShownDelivery | null {
  if (delivery === undefined) return null;
  const { delayMs = 0, dribble = null, end = null } = delivery;
  return { delayMs: Math.round(delayMs), dribble, end };
}

function changeOf({ collection, key, before, after }: StoredRequest['entry']['changes'][number]): ItemChange {
  const plain = typeof key === 'bigint' ? String(key) : key;
  return { collection, key: plain, before: asJson(before), after: asJson(after) };
}

function asJson(item: JsonObject | undefined): JsonObject | null {
  return item ?? null;
}

import type { JsonObject, JsonValue } from '../../core/json/json-value';
import type { ContractOfRequests } from '../controls/contract-of-journal';

/**
 * What the admin actions give as JSON, for the window and for programs. Properties are never left out: `null` stands for
 * what there is not. Types alone: the window imports them and nothing else of the server.
 */

/** `GET /overview`: what is true of the mock now. */
export interface Overview {
  readonly standin: 'overview/1';
  /** Another one after each start of the mock: what a page shows may be of an earlier one. */
  readonly instance: string;
  readonly title: string;
  readonly version: string;
  /** Path before all operations, `''` for none. */
  readonly basePath: string;
  /** RFC 3339, by the real clock. */
  readonly startedAt: string;
  readonly clock: { readonly kind: 'real' | 'set' | 'fixed'; readonly now: string };
  readonly operations: number;
  readonly items: number;
  readonly sandboxes: readonly SandboxSummary[];
  /** Header by which a request chooses its sandbox; `null` where it is chosen otherwise. */
  readonly sandboxHeader: string | null;
  readonly forced: readonly ForcedResponse[];
  readonly faults: readonly string[];
  readonly snapshots: readonly string[];
  /** What `POST /undo` would take back, in words; `null` for nothing. */
  readonly undo: string | null;
  /** Responses of the mock that broke the description, since the start. */
  readonly violations: number;
  /** Does the description have callbacks or webhooks? */
  readonly hasEvents: boolean;
}

export interface SandboxSummary {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly items: number;
  readonly snapshots: readonly string[];
}

/**
 * `GET /requests?after=0&limit=200` or `?newest=true&before=9`, oldest first: of all sandboxes, or of `?sandbox=` (`default`
 * for the main one).
 */
export interface RequestList {
  readonly requests: readonly RequestSummary[];
  /** `after` of the next page; the same when nothing came. With `newest` the latest request of all. */
  readonly last: number;
  /** So many between `after` and the first of these are not remembered any more; with `newest` up to `before`. */
  readonly dropped: number;
}

/** One request as a line. */
export interface RequestSummary {
  /** Counts all requests of all sandboxes since the start. */
  readonly seq: number;
  /** `default` for the main one. */
  readonly sandbox: string;
  /** RFC 3339 by the mock's clock, with milliseconds. */
  readonly at: string;
  /** In the mock, without the network; `null` where it is not known. */
  readonly durationMs: number | null;
  readonly method: string;
  /** Path and query, secrets masked. */
  readonly target: string;
  readonly operation: string | null;
  readonly status: number;
  /** Machine-readable code of a rejection. */
  readonly code: string | null;
  readonly warnings: number;
  /** Items that it changed. */
  readonly changes: number;
  /** What was not natural: a fault, a forced response. */
  readonly forced: string | null;
  readonly delivery: Delivery | null;
}

/** How a response is sent to a client, where that goes wrong on purpose. */
export interface Delivery {
  /** Before its first byte. */
  readonly delayMs: number;
  /** Its body comes in small pieces. */
  readonly dribble: { readonly bytes: number; readonly everyMs: number } | null;
  /** `reset`: the connection is reset before the first byte; `truncate`: it ends in the middle of the body. */
  readonly end: 'reset' | 'truncate' | null;
}

/** `POST /send`: the request that was made, and how its response would have been sent to a client. Nothing waits for a delay. */
export interface SentRequest {
  readonly seq: number;
  readonly status: number;
  readonly delivery: Delivery | null;
}

/** `GET /request?seq=7`. */
export interface RequestDetails extends RequestSummary {
  /** Names and values by turns, secrets masked. */
  readonly requestHeaders: readonly string[];
  readonly requestBody: RecordedBody;
  readonly responseHeaders: readonly string[];
  readonly responseBody: RecordedBody;
  /** Why it was rejected, for people. */
  readonly message: string | null;
  readonly problems: readonly { readonly code: string; readonly message: string }[];
  readonly changedItems: readonly ItemChange[];
  /** The request as a shell command, as JavaScript, and as a step of a contract. */
  readonly curl: string;
  readonly fetch: string;
  readonly step: string;
}

export interface RecordedBody {
  /** Its beginning; `null` for none, and for one that is no text. */
  readonly text: string | null;
  /** Of the whole body, in bytes. */
  readonly size: number;
  readonly isCut: boolean;
  /** There was one, which the mock did not read: the response did not depend on it. */
  readonly isUnread: boolean;
}

export interface ItemChange {
  readonly collection: string;
  readonly key: string | number;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** `GET /why?seq=7`: why the response is what it is, as paragraphs. */
export interface Why {
  readonly sections: readonly { readonly title: string; readonly lines: readonly string[] }[];
}

/** `GET /collections`. */
export interface CollectionList {
  readonly collections: readonly CollectionSummary[];
  /** False where making all of them takes long: asked again, more are listed and counted. */
  readonly isWhole: boolean;
}

export interface CollectionSummary {
  /** As a fixture names it: `/books`, `/shelves/7/books`. */
  readonly name: string;
  readonly isSingle: boolean;
  /** `null` for one that is not made yet, where the list is not whole. */
  readonly items: number | null;
  /** Items added, changed and removed since the baseline. */
  readonly changed: number;
  readonly key: string;
  readonly columns: readonly Column[];
}

export interface Column {
  readonly name: string;
  /** `string`, `integer`, …, `any`; with the format behind it: `string date-time`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
  readonly values: readonly JsonValue[] | null;
  /** Collection that the property names items of. */
  readonly refersTo: string | null;
  readonly description: string;
}

/** `GET /rows?collection=/books&search=emma&sort=-title&offset=0&limit=50&changed=true`. */
export interface RowPage {
  readonly collection: string;
  /** That match, of `items` in all. */
  readonly total: number;
  readonly items: number;
  readonly offset: number;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly key: string | number;
  /** Of this item as it is: sent with a change as `?version=`, so that nobody overwrites what another one wrote. */
  readonly version: string;
  readonly item: JsonObject;
  readonly change: 'added' | 'changed' | 'removed' | null;
  /** As it was at the start, where it was changed. */
  readonly before: JsonObject | null;
}

/** `GET /operations`. */
export interface OperationList {
  readonly operations: readonly OperationSummary[];
}

export interface OperationSummary {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly isDeprecated: boolean;
  /** RFC 3339. */
  readonly sunset: string | null;
  readonly stability: string;
  /** May a reference offer to send it? The description may say that it must not. */
  readonly isTryItOffered: boolean;
  readonly statuses: readonly DocumentedStatus[];
  /** How often the mock answered with which status since the start; also with those that are not documented. */
  readonly used: Readonly<Record<string, number>>;
}

export interface DocumentedStatus {
  /** `200`, `4XX`, `default`. */
  readonly status: string;
  readonly description: string;
  /** Names of its examples. */
  readonly examples: readonly string[];
  readonly contentType: string | null;
}

/** `GET /credentials`: what a request is let in with. */
export interface Credentials {
  /** `keys`: only accepted ones; `any`: every one that is well formed; `off`: none is asked for. */
  readonly auth: 'keys' | 'open' | 'any' | 'off';
  /**
   * A key that every security scheme takes, for Basic as the password of any user. `null` where none is asked for, and
   * where there are only those of a tokens file, which are somebody's own.
   */
  readonly key: string | null;
}

/** `GET /responses`, and the answer to a `PUT` of one. */
export interface ForcedResponseList {
  readonly responses: readonly ForcedResponse[];
}

/** What an operation answers in place of its natural response: the library's `app.respond(operation, …)`. */
export interface ForcedResponse {
  readonly operation: string;
  /** `default` for the main one. */
  readonly sandbox: string;
  readonly status: number | null;
  readonly example: string | null;
  readonly body: JsonValue | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly delayMs: number;
  /** As `setFaults` takes it, without its filters: `reset`, `truncate`. */
  readonly fault: string | null;
  /** `null` until it is removed. */
  readonly timesLeft: number | null;
  readonly happened: number;
  /** Breaks the description on purpose. */
  readonly isViolation: boolean;
  /** In words: `503 (example "down"), 2 more times`. */
  readonly text: string;
}

/** `GET /sample?operation=listBooks&status=200&example=few`: the body that the operation would answer, to begin an edit with. */
export interface ResponseSample {
  readonly operation: string;
  readonly status: number;
  readonly example: string | null;
  /** `null` for a response without a body. */
  readonly contentType: string | null;
  /** The body as it would be sent; `null` for none, and for one that is no text. */
  readonly text: string | null;
}

/** Events of `GET /events`, by their names. The id of an event is what `Last-Event-ID` takes up again. */
export interface LiveEvents {
  /** First of each connection. */
  readonly hello: { readonly instance: string; readonly last: number };
  readonly requests: RequestList;
  /** Something was changed by others than requests: the state, the journal, forced responses, faults, the clock, sandboxes, the description. */
  readonly change: {
    readonly what: 'state' | 'requests' | 'responses' | 'faults' | 'clock' | 'sandboxes' | 'description' | 'events';
  };
}

/** Every error of an admin action. */
export interface AdminError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** What is wrong where, in the item or body that was sent. */
  readonly findings: readonly {
    readonly pointer: string;
    readonly message: string;
    readonly expected: string | null;
  }[];
  /** Of a conflict: the item as it is now, with its version; `null` where it was removed. */
  readonly current: Row | null;
}

/** `POST /contract`: a contract of requests that are remembered. */
export type SavedContract = ContractOfRequests;

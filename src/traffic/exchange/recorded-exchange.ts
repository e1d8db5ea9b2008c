import type { RawHeaders } from '../../core/http/message';

/** One request that somebody made, and what came back, wherever it was written down. */
export interface RecordedExchange {
  /** Where it was read, for messages: `shop.har#/log/entries/3`, `new.recording.ndjson:7`; of a recorder its number. */
  readonly source: string;
  /** When the request began, in milliseconds since 1970; `undefined` where nobody noted it, as in a collection. */
  readonly startedAt: number | undefined;
  /** When its response was complete, by the same clock; `undefined` where unknown, and where none came. */
  readonly endedAt: number | undefined;
  /** Scheme, host and port of the target: `https://api.example`. */
  readonly origin: string;
  readonly request: RecordedRequest;
  /** `undefined` where none came, and where the file has requests alone. */
  readonly response: RecordedResponse | undefined;
  /** Was it read where nobody writes responses down, as in a command line, so that none got lost? */
  readonly isRequestAlone?: boolean | undefined;
  /** What else is to be told of it, in words: `the client aborted it`, `an upgrade to websocket: what came behind it is not recorded`. */
  readonly notes: readonly string[];
  /** What the one who recorded calls it, as in a collection; a step may be named by it. */
  readonly name?: string | undefined;
  /** What its file calls secret: marks that stand in it already, with their values until it is cleaned. */
  readonly declaredSecrets?: readonly DeclaredSecret[] | undefined;
  /** What a browser asked for it as: `document`, `image`, `script`, `fetch`, `xhr`, …; `undefined` where unknown. */
  readonly resourceType?: string | undefined;
}

/** A secret by the name of its mark. */
export interface DeclaredSecret {
  readonly name: string;
  readonly value: string;
}

export interface RecordedRequest {
  /** Upper case. */
  readonly method: string;
  /** Origin-form: path and query as sent (RFC 9112 §3.2.1). */
  readonly target: string;
  /** As sent, without pseudo headers of HTTP/2. */
  readonly headers: RawHeaders;
  /** `undefined` when there is none. */
  readonly body: RecordedBody | undefined;
}

export interface RecordedResponse {
  readonly status: number;
  readonly headers: RawHeaders;
  /** `undefined` when there is none. */
  readonly body: RecordedBody | undefined;
}

/** A body after transfer and content decoding. */
export type RecordedBody =
  | { readonly kind: 'text'; readonly text: string }
  /** No text: in base64 (RFC 4648 §4). */
  | { readonly kind: 'bytes'; readonly base64: string }
  /** Not kept: why, in words, and how many bytes it had where that is known. */
  | { readonly kind: 'omitted'; readonly reason: string; readonly bytes: number | undefined };

/**
 * An exchange whose secrets stand as {@link secretMark}s: the only kind that is written, judged or made into steps. Only
 * `traffic/secrets` makes one.
 */
export interface CleanExchange extends RecordedExchange {
  readonly secrets: 'replaced';
}

/** What stands in the place of a secret, in every text of a recording: the same secret has the same name everywhere. */
export function secretMark(name: string): string {
  return `~secret.${name}~`;
}

/** Finds marks: its group is the name. */
export const SECRET_MARK = /~secret\.([A-Za-z][A-Za-z0-9_]*)~/g;

/** What a secret is, so that a contract can say where its value comes from. */
export interface SecretUse {
  readonly name: string;
  /**
   * `credential`: the key of a security scheme or an `Authorization`; `cookie`; `property`: of a body; `parameter`: of a
   * query or a header that is no credential; `value`: found by its look alone.
   */
  readonly kind: 'credential' | 'cookie' | 'property' | 'parameter' | 'value';
  /** Where it was met first, in words: `the property password of POST /users`. */
  readonly where: string;
}

/** Header names and values in the order received or to be sent: name, value, name, value… (RFC 9110 §5). */
export type RawHeaders = readonly string[];

/** The part of a request that arrives before its body. */
export interface RequestHead {
  /** Upper-case method token. */
  readonly method: string;
  /** Request target as received, origin-form or absolute-form (RFC 9112 §3.2). */
  readonly target: string;
  /** Lower-case names; repeated lines joined as Node does. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As received, so that repeated lines can be told apart. */
  readonly rawHeaders: RawHeaders;
  /** Where a request of HTTP/1.0 came in, which need not name its host; `undefined` from 1.1 on (RFC 9112 §3.2). */
  readonly usualHost?: string | undefined;
  /** Path that a surrounding server took off the target, to be put before the links of an answer. */
  readonly mountPath?: string | undefined;
}

export interface HttpRequest extends RequestHead {
  /** Body bytes after transfer decoding; empty when there is none. */
  readonly body: Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: RawHeaders;
  /** Text is sent as UTF-8; `undefined` means no body. */
  readonly body: string | Uint8Array | undefined;
  /** What a HEAD does not show: its length is told, and whoever changes the body of a GET changes that too. */
  readonly unshown?: string | undefined;
  /** How it is sent, when that is to go wrong; whoever has no connection ignores it. */
  readonly delivery?: Delivery | undefined;
  /** What the body has no room to tell, such as the cause of a refusal: for logs; a header tells it as well. */
  readonly untold?: { readonly code: string; readonly message: string } | undefined;
  /** What the client should know although it was answered: for logs; a header tells it as well. */
  readonly warnings?: readonly { readonly code: string; readonly message: string }[] | undefined;
}

/** A way to send a response that a client should be able to bear. */
export interface Delivery {
  /** Before the first byte. */
  readonly delayMs?: number;
  /** The body comes in small pieces. */
  readonly dribble?: { readonly bytes: number; readonly everyMs: number };
  /** `reset`: the connection is reset before the first byte; `truncate`: it ends in the middle of the body. */
  readonly end?: 'reset' | 'truncate';
}

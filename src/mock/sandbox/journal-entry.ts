import { isUtf8 } from 'node:buffer';
import type { Warning } from '../../checks/request/warnings';
import type { Delivery, RawHeaders } from '../../core/http/message';
import type { Change } from '../state/state';

export interface JournalSize {
  readonly entries: number;
  /** Bytes of heads and bodies together. */
  readonly textBytes: number;
  /** Of each body so many bytes are remembered. */
  readonly bodyBytes: number;
}

/** The number of the latest request, shared by the journals of a mock. */
export interface RequestCounter {
  last: number;
}

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

/** What tells a request from others in a list of them. */
export interface RequestLine {
  /** Counts the requests of all sandboxes since the start. */
  readonly seq: number;
  /** Epoch milliseconds of the mock's clock. */
  readonly atMs: number;
  /** In the mock, without the network; `undefined` where it was not measured. */
  readonly durationMs: number | undefined;
  readonly method: string;
  readonly target: string;
  readonly operation: string | undefined;
  readonly status: number;
  readonly code: string | undefined;
  readonly warnings: number;
  readonly changes: number;
  readonly injected: string | undefined;
  /** How the response was sent, where that went wrong on purpose. */
  readonly delivery: Delivery | undefined;
}

/** The beginning of a body as it is remembered. */
export interface StoredBody {
  /** Nobody looked whether there is one: the response did not depend on it. */
  readonly isUnread: boolean;
  readonly bytes: Buffer;
  /** Of the whole body, in bytes. */
  readonly size: number;
}

/** A request with all that is remembered of it, credentials and secret properties included. */
export interface StoredRequest {
  readonly entry: JournalEntry;
  readonly line: RequestLine;
  /** When it was answered, by `performance.now()` of the process that did. */
  readonly endedMs: number;
  /** As they were received. */
  readonly target: string;
  readonly requestHeaders: RawHeaders;
  readonly requestBody: StoredBody;
  readonly responseHeaders: RawHeaders;
  readonly responseBody: StoredBody;
}

/** The text of a stored body, without half a character at its end; `undefined` for none, and for one that is no text. */
export function textOf({ bytes, size }: Pick<StoredBody, 'bytes' | 'size'>): string | undefined {
  if (bytes.length === 0) return undefined;
  const isCut = size > bytes.length;
  for (let left = 0; left < (isCut ? 4 : 1); left++) {
    const whole = bytes.subarray(0, bytes.length - left);
    if (isUtf8(whole) && !whole.includes(0)) return whole.toString();
  }
  return undefined;
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

import { createHash } from 'node:crypto';
import { problem, type Problem } from '../../core/http/problem';
import { parseIdempotencyKey } from '../../core/http/header-fields';
import type { HttpResponse, RequestHead } from '../../core/http/message';
import { canonicalKey, type JsonValue } from '../../core/json/json-value';
import type { Call } from '../calls/call';
import { REPLAY_MS, type State } from '../state/state';

export type ReplayLookup =
  | { readonly kind: 'new'; readonly key: string }
  | { readonly kind: 'known'; readonly response: HttpResponse }
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * The Idempotency-Key of a request, whose grammar no schema can state. A fault of it counts among those of the parameters.
 *
 * @returns `undefined` where none was sent
 */
export function readIdempotencyKey({ headers }: RequestHead): string | Problem | undefined {
  const header = headers['idempotency-key'];
  if (typeof header !== 'string') return undefined;
  const parsed = parseIdempotencyKey(header);
  if (parsed.kind !== 'malformed') return parsed.key;
  return problem('invalid_parameter', `The header parameter "Idempotency-Key" ${parsed.reason}`);
}

/**
 * What is remembered for the Idempotency-Key of a call (draft-ietf-httpapi-idempotency-key-header): per API key and
 * operation, for {@link REPLAY_MS}.
 */
export function findReplay(call: Call, sent: string, state: Pick<State, 'replays'>, nowMs: number): ReplayLookup {
  const key = JSON.stringify([call.principal.key, call.operation.id, sent]);
  const replay = state.replays.get(key);
  if (replay === undefined || nowMs - replay.storedAt >= REPLAY_MS) return { kind: 'new', key };
  if (replay.payload === payloadDigest(call.body)) return { kind: 'known', response: replay.response };
  const message = 'The Idempotency-Key was used with another body; use a new key for a new request';
  return { kind: 'refused', problem: problem('idempotency_key_reused', message) };
}

/** The same for two bodies that are the same JSON value. A digest, because ten thousand whole bodies are too much. */
export function payloadDigest(body: JsonValue | undefined): string {
  return createHash('sha256')
    .update(body === undefined ? '' : canonicalKey(body))
    .digest('base64url');
}

import type { HttpResponse } from '../core/http/message';
import type { JsonObject, JsonValue } from '../core/json/json-value';
import { stringifyJson } from '../core/json/stringify-json';
import type { Entry } from '../mock/state/entry';
import type { Replay } from '../mock/state/state';

/** A body of bytes, which JSON has no text for. */
interface Bytes {
  readonly base64: string;
}

type StoredResponse = readonly [status: number, headers: readonly string[], body: string | Bytes | null];

/** JSON of an entry, on one line. */
export function entryText(entry: Entry): string {
  const { replays } = entry;
  const plain = replays === undefined ? entry : { ...entry, replays: replays.map(storedReplay) };
  return stringifyJson(plain as unknown as JsonValue);
}

/** Reads what {@link entryText} wrote; a checksum has told already that it is that. */
export function entryOf(json: JsonObject): Entry {
  const { replays, ...others } = json as Entry;
  return replays === undefined ? others : { ...others, replays: replays.map(restoredReplay) };
}

type Kept = NonNullable<Entry['replays']>[number];

function storedReplay([key, { payload, response, storedAt }]: Kept): JsonValue {
  const { status, headers, body } = response;
  const stored: StoredResponse = [
    status,
    headers,
    body === undefined ? null : typeof body === 'string' ? body : { base64: Buffer.from(body).toString('base64') },
  ];
  return [key, { payload, storedAt, response: stored as unknown as JsonValue }];
}

function restoredReplay([key, stored]: Kept): Kept {
  const { payload, storedAt, response } = stored as unknown as Omit<Replay, 'response'> & { response: StoredResponse };
  const [status, headers, body] = response;
  const restored: HttpResponse = {
    status,
    headers,
    body: body === null ? undefined : typeof body === 'string' ? body : Buffer.from(body.base64, 'base64'),
  };
  return [key, { payload, storedAt, response: restored }];
}

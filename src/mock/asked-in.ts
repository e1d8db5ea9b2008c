import { decodeUtf8 } from '../json/decode-utf8';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { parseJson } from '../json/parse-json';
import { scalarText } from '../json/scalar-text';
import { bodyKind } from '../http/body-kind';
import type { RequestHead } from '../http/message';

/** Members of a form or of JSON as a query, for an operation that takes parameters alone; empty for any other body. */
export function askedIn({ headers }: RequestHead, body: Uint8Array): string {
  const type = headers['content-type'];
  const kind = typeof type === 'string' && body.length > 0 ? bodyKind(type) : undefined;
  if (kind !== 'form' && kind !== 'json') return '';
  try {
    const text = decodeUtf8(body);
    return kind === 'form' ? text.trim() : queryOf(parseJson(text));
  } catch {
    // What cannot be read asks for nothing; parameters that must be there are missed.
    return '';
  }
}

function queryOf(value: JsonValue): string {
  const members = isJsonObject(value) ? Object.entries(value) : [];
  return members
    .flatMap(([name, member]) =>
      Array.isArray(member) ? member.map((each: JsonValue) => [name, each] as const) : [[name, member] as const],
    )
    .filter(([, member]) => member !== null && typeof member !== 'object')
    .map(([name, member]) => `${encodeURIComponent(name)}=${encodeURIComponent(scalarText(member))}`)
    .join('&');
}

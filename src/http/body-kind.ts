import { isJsonMediaType, parseMediaType } from './media-type';

/** How the bytes of a body become a value. */
export type BodyKind = 'json' | 'sequence' | 'form' | 'multipart' | 'text' | 'xml' | 'opaque' | 'binary';

const KINDS: Readonly<Record<string, BodyKind>> = {
  'application/x-www-form-urlencoded': 'form',
  'multipart/form-data': 'multipart',
  'application/xml': 'xml',
  'text/xml': 'xml',
  // OAS 3.2.0 §4.14.2 "Sequential Media Types".
  'application/jsonl': 'sequence',
  'application/x-jsonlines': 'sequence',
  'application/x-ndjson': 'sequence',
  'application/json-seq': 'sequence',
};

/** @param mediaType - the one that was sent, or a key of `content` */
export function bodyKind(mediaType: string): BodyKind {
  const { essence = '', type = '', subtype = '' } = parseMediaType(mediaType) ?? {};
  const known = Object.hasOwn(KINDS, essence) ? KINDS[essence] : undefined;
  if (known !== undefined) return known;
  if (isJsonMediaType(mediaType)) return 'json';
  if (subtype.endsWith('+json-seq')) return 'sequence';
  if (subtype.endsWith('+xml')) return 'xml';
  // Other multiparts have no names that a schema could describe.
  if (type === 'multipart') return 'opaque';
  return type === 'text' ? 'text' : 'binary';
}

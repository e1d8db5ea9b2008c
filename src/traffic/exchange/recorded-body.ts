import { decodeBodyText } from '../../core/http/body-text';
import { decodeContent, type DecodedContent } from '../../core/http/content-coding';
import { headerValue, headerValues } from '../../core/http/headers';
import type { RawHeaders } from '../../core/http/message';
import type { RecordedBody } from './recorded-exchange';

/** What was kept of a body as it came, after transfer decoding. */
export interface BodyBytes {
  /** How many came, kept or not. */
  readonly length: number;
  /** All of them; `undefined` where they were too many. */
  readonly content: Uint8Array | undefined;
}

/** The most bytes of a body that are kept, before and after content decoding. */
export const MOST_BODY_BYTES = 8 * 1024 * 1024;

const UNDECODED: Readonly<Record<Exclude<DecodedContent['kind'], 'decoded'>, (coding: string) => string>> = {
  'unknown-coding': (coding) => `its content coding "${coding}" cannot be read`,
  'too-large': () => `decoded it has more than ${MOST_BODY_BYTES} bytes`,
  corrupt: (coding) => `it is not "${coding}" to its end, as its Content-Encoding says`,
};

/**
 * A body as a recording has it: text where it is one, whatever type it is said to have, so that a person can read it.
 *
 * @param headers - of its message: they say how it is coded (RFC 9110 §8.4) and in which charset its text is
 * @returns `undefined` where no byte came
 */
export function recordedBody({ length, content }: BodyBytes, headers: RawHeaders): RecordedBody | undefined {
  if (length === 0) return undefined;
  if (content === undefined)
    return { kind: 'omitted', reason: `it has more than ${MOST_BODY_BYTES} bytes`, bytes: length };
  const coding = headerValues(headers, 'content-encoding').join(', ');
  // Most bodies have none.
  const decoded = coding === '' ? plain(content) : decodeContent(content, coding, MOST_BODY_BYTES);
  if (decoded.kind !== 'decoded') return { kind: 'omitted', reason: UNDECODED[decoded.kind](coding), bytes: length };
  const text = decodeBodyText(decoded.body, headerValue(headers, 'content-type') ?? '');
  // NUL is in no text that anybody writes, and in most other files.
  if (text !== undefined && !text.includes('\0')) return { kind: 'text', text };
  const { buffer, byteOffset, byteLength } = decoded.body;
  return { kind: 'bytes', base64: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
}

function plain(body: Uint8Array): DecodedContent {
  return { kind: 'decoded', body };
}

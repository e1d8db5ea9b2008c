import { bodyKind } from '../http/body-kind';

/** How much of a body a report shows, in bytes of UTF-8. */
export const MOST_SHOWN = 16 * 1024;

/** A body as a report shows it. */
export interface ShownBody {
  /** `undefined` when there is none, or when it is no text. */
  readonly text: string | undefined;
  /** What is not shown, in words: `binary, image/png, 2048 bytes`; `undefined` when all of it is. */
  readonly omitted: string | undefined;
}

/** The text of a body; `undefined` for what is none, such as an image. */
export function textOf(bytes: Uint8Array, mediaType: string | undefined): string | undefined {
  const isText = mediaType !== undefined && bodyKind(mediaType) !== 'binary' && bodyKind(mediaType) !== 'opaque';
  if (isText) return new TextDecoder().decode(bytes);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Bytes that are text by chance hold what no text does.
    return /[\u0000-\u0008\u000e-\u001a]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** What is said in the place of a body that is no text. */
export function binaryNote(mediaType: string | undefined, size: number): string {
  return `binary, ${mediaType ?? 'no Content-Type'}, ${size} bytes`;
}

/**
 * The beginning of a text that fits into what a report shows.
 *
 * @param size - of the whole, in bytes, where the text is not all of it
 */
export function shorten(text: string, size = Buffer.byteLength(text)): ShownBody {
  const bytes = Buffer.from(text);
  if (bytes.length <= MOST_SHOWN && size <= bytes.length) return { text, omitted: undefined };
  // A character that was cut in two is left out.
  const shown = bytes.length <= MOST_SHOWN ? text : bytes.toString('utf8', 0, MOST_SHOWN).replace(/\ufffd$/, '');
  return { text: shown, omitted: `cut after ${Buffer.byteLength(shown)} of ${size} bytes` };
}

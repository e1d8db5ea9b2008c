import { bodyKind } from '../../core/http/media-type';
import { parseJson } from '../../core/json/parse-json';
import type { RecordedBody } from './recorded-exchange';

/**
 * The media type that a client meant: `curl -d '{ … }'` calls whatever it sends a form, and no form begins as an object or
 * a list of JSON does.
 *
 * @param mediaType - its Content-Type; `undefined` where there is none
 */
export function meantType(body: RecordedBody | undefined, mediaType: string | undefined): string | undefined {
  if (mediaType === undefined || body?.kind !== 'text' || bodyKind(mediaType) !== 'form') return mediaType;
  return isJsonText(body.text) ? 'application/json' : mediaType;
}

/** Is it an object or a list of JSON? */
export function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

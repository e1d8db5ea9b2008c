import { headerValue } from '../../core/http/headers';
import type { RecordedBody } from './recorded-exchange';

/** A part of a form (RFC 7578 §4). */
export interface FormPart {
  readonly name: string;
  readonly isFile: boolean;
  /** As it was sent; `undefined` where it has none. */
  readonly fileName: string | undefined;
  /** Its Content-Type; `undefined` where it says none. */
  readonly mediaType: string | undefined;
  readonly bytes: Uint8Array;
  /** Empty for a file. */
  readonly text: string;
}

/**
 * The parts of a `multipart/form-data` body (RFC 7578 §4.2, RFC 2046 §5.1.1). One without a name is left out.
 *
 * @param boundary - as the Content-Type names it; without one there are no parts
 */
export function multipartParts(body: RecordedBody | undefined, boundary: string): FormPart[] {
  const bytes = bytesText(body);
  if (boundary === '') return [];
  const [, ...parts] = `\r\n${bytes}`.split(`\n--${boundary}`);
  return parts.flatMap((part) => {
    // Two hyphens behind the boundary end the body; what follows is nobody's.
    if (part.startsWith('--')) return [];
    const [, head = '', content = ''] = /^[^\n]*\n([^]*?)\r?\n\r?\n([^]*)$/.exec(part) ?? [];
    const headers = head.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':');
      return colon === -1 ? [] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
    const disposition = headerValue(headers, 'content-disposition') ?? '';
    const name = parameterOf(disposition, 'name');
    if (name === undefined) return [];
    const fileName = parameterOf(disposition, 'filename');
    const isFile = fileName !== undefined || /;\s*filename\*\s*=/i.test(disposition);
    const own = Buffer.from(content.replace(/\r$/, ''), 'latin1');
    return [
      {
        name,
        isFile,
        fileName,
        mediaType: headerValue(headers, 'content-type'),
        bytes: own,
        text: isFile ? '' : own.toString(),
      },
    ];
  });
}

/** A body with a character for each byte; the head of a part is UTF-8 as browsers write it (RFC 7578 §5.1). */
function bytesText(body: RecordedBody | undefined): string {
  if (body === undefined || body.kind === 'omitted') return '';
  return (body.kind === 'text' ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64')).toString('latin1');
}

/** A parameter of a Content-Disposition, quoted or not. */
function parameterOf(disposition: string, name: string): string | undefined {
  const found = new RegExp(String.raw`;\s*${name}\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))`, 'i').exec(disposition);
  const written = found?.[1]?.replace(/\\(.)/g, '$1') ?? found?.[2];
  return written === undefined ? undefined : Buffer.from(written, 'latin1').toString();
}

import { headerValue } from '../../core/http/headers';

/** One field of a form. */
export interface FormPart {
  readonly name: string;
  readonly isFile: boolean;
  /** Empty for a file. */
  readonly text: string;
}

/**
 * The parts of a `multipart/form-data` body as far as a schema speaks of them: names, which of them are files, and the
 * texts of the others (RFC 7578 §4.2, RFC 2046 §5.1.1). A part without a name is left out.
 *
 * @param body - as text, or each byte a character
 * @param boundary - as the Content-Type names it; without one there are no parts
 */
export function multipartParts(body: string, boundary: string): FormPart[] {
  if (boundary === '') return [];
  const [, ...parts] = `\r\n${body}`.split(`\n--${boundary}`);
  return parts.flatMap((part) => {
    // Two hyphens behind the boundary end the body; what follows is nobody's.
    if (part.startsWith('--')) return [];
    const [, head = '', text = ''] = /^[^\n]*\n([^]*?)\r?\n\r?\n([^]*)$/.exec(part) ?? [];
    const headers = head.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':');
      return colon === -1 ? [] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
    const disposition = headerValue(headers, 'content-disposition') ?? '';
    const name = parameterOf(disposition, 'name');
    if (name === undefined) return [];
    const isFile = parameterOf(disposition, 'filename') !== undefined || /;\s*filename\*\s*=/i.test(disposition);
    return [{ name, isFile, text: isFile ? '' : text.replace(/\r$/, '') }];
  });
}

/** A parameter of a Content-Disposition, quoted or not. */
function parameterOf(disposition: string, name: string): string | undefined {
  const found = new RegExp(String.raw`;\s*${name}\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))`, 'i').exec(disposition);
  return found?.[1]?.replace(/\\(.)/g, '$1') ?? found?.[2];
}

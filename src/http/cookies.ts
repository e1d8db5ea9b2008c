/** One cookie as it was received. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
}

/**
 * The pairs of a `Cookie` header, in their order (RFC 6265 §4.2.1, read as servers do: §5.4). What has no name is
 * skipped; nothing is decoded.
 *
 * @param header - its lines joined as Node does, with `; `
 */
export function parseCookies(header: string): readonly Cookie[] {
  return header.split(';').flatMap((piece) => {
    const at = piece.indexOf('=');
    const name = at === -1 ? '' : piece.slice(0, at).trim();
    return name === '' ? [] : [{ name, value: piece.slice(at + 1).trim() }];
  });
}

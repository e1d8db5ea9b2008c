const SHORTEST = 8;

/**
 * A key without its last character, which must not be let in. What fills a key up to a multiple of four goes with it:
 * a service that reads base64 may do without.
 *
 * @returns `undefined` for a key of 8 characters or less, of which too much would be missing
 */
export function truncatedKey(key: string): string | undefined {
  return key.length <= SHORTEST ? undefined : key.slice(0, key.length - lostLength(key));
}

/** The shell's word for such a key: `${NAME%?}`, which is the text of NAME without its last character. */
export function truncatedVariable(name: string, key: string): string {
  return `\${${name}%?${'='.repeat(lostLength(key) - 1)}}`;
}

function lostLength(key: string): number {
  return 1 + (/=*$/.exec(key)?.[0].length ?? 0);
}

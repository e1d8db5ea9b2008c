const TOKEN = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;

/** Can a header have this name? It is a token (RFC 9110 §5.1). */
export function isHeaderName(name: string): boolean {
  return TOKEN.test(name);
}

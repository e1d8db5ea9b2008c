import { quote, readList } from './field-scanner';
import type { FieldScanner } from './field-scanner';

/** One link of a `Link` header (RFC 8288 §3). */
export interface Link {
  /** URI or relative reference as written between `<` and `>`. */
  readonly target: string;
  /** Lower-case names, values without quotes, an empty value for a bare name. Has no prototype. */
  readonly parameters: Readonly<Record<string, string>>;
}

const TARGET = /<([!#-;=?-~]*)>/y;
const NOT_IN_TARGET = /[^!#-;=?-~]/gu;

/**
 * Writes one link, such as `<https://example.com/books>; rel="next"` (RFC 8288 §3). Join several with `, `.
 *
 * @param target - characters that would break the field are percent-encoded as UTF-8
 * @param parameters - written in their order, values quoted; names must be tokens
 */
export function formatLink(target: string, parameters: Readonly<Record<string, string>>): string {
  const pieces = Object.entries(parameters).map(([name, value]) => `; ${name}=${quote(value)}`);
  return `<${encodeTarget(target)}>${pieces.join('')}`;
}

/**
 * The links of a `Link` header in their order (RFC 8288 §3, Appendix B.2). Of a parameter named twice the first counts
 * (§3.3). A link that breaks the grammar is left out, see {@link isLinkHeader}; nothing is thrown.
 *
 * @param value - raw header value, repeated lines joined with a comma
 */
export function parseLinkHeader(value: string): readonly Link[] {
  return readList(value, readLink).elements;
}

/** Tells whether a `Link` value keeps to the grammar of RFC 8288 §3 from end to end. */
export function isLinkHeader(value: string): boolean {
  return readList(value, readLink).isWhole;
}

function readLink(scanner: FieldScanner): Link | undefined {
  const target = scanner.readPattern(TARGET)?.[1];
  if (target === undefined) return undefined;

  // No prototype: a parameter may be called `__proto__`.
  const parameters = Object.create(null) as Record<string, string>;
  scanner.skipWhitespace();
  while (scanner.accept(';')) {
    scanner.skipWhitespace();
    const name = scanner.readToken()?.toLowerCase();
    if (name !== undefined) {
      const value = scanner.readOptionalValue();
      if (value === undefined) return undefined;
      parameters[name] ??= value;
    }
    scanner.skipWhitespace();
  }
  return { target, parameters };
}

function encodeTarget(target: string): string {
  // A lone surrogate has no UTF-8 form, and `encodeURIComponent` throws on it.
  return target.replace(/\p{Surrogate}/gu, '\ufffd').replace(NOT_IN_TARGET, encodeURIComponent);
}

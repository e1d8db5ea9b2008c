import { readList } from './field-scanner';
import type { FieldScanner } from './field-scanner';
import { memoize } from './memo';

const NO_PREFERENCES: ReadonlyMap<string, string> = new Map();

/**
 * The preferences of a `Prefer` header: lower-case name to value, without quotes; an empty value for a bare name. The
 * first occurrence of a name wins, parameters behind `;` are passed over, and so is an element that breaks the grammar
 * (RFC 7240 §2).
 *
 * @param value - raw header value, repeated lines joined with a comma
 */
export function parsePrefer(value: string | undefined): ReadonlyMap<string, string> {
  return value === undefined ? NO_PREFERENCES : readPreferences(value);
}

const readPreferences = memoize((value): ReadonlyMap<string, string> => {
  const preferences = new Map<string, string>();
  for (const [name, text] of readList(value, readPreference).elements) {
    if (!preferences.has(name)) preferences.set(name, text);
  }
  return preferences;
});

/** `token [ BWS "=" BWS word ]` and the parameters behind it */
function readPreference(scanner: FieldScanner): readonly [name: string, value: string] | undefined {
  const name = scanner.readToken()?.toLowerCase();
  if (name === undefined) return undefined;
  const value = scanner.readOptionalValue();
  return value !== undefined && skipParameters(scanner) ? [name, value] : undefined;
}

/** `*( OWS ";" OWS [ parameter ] )`; gives `false` at a parameter that breaks the grammar. */
function skipParameters(scanner: FieldScanner): boolean {
  scanner.skipWhitespace();
  while (scanner.accept(';')) {
    scanner.skipWhitespace();
    if (scanner.readToken() !== undefined && scanner.readOptionalValue() === undefined) return false;
    scanner.skipWhitespace();
  }
  return true;
}

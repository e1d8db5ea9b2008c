import { readList } from './field-scanner';

/**
 * The directives of a `Cache-Control` value (RFC 9111 §5.2): names in lower case, values without quotes, an empty value
 * for a bare name. Of a directive that comes twice the first counts; what breaks the grammar is passed over.
 *
 * @param value - raw header value, repeated lines joined with a comma
 */
export function parseCacheControl(value: string): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  const { elements } = readList(value, (scanner) => {
    const name = scanner.readToken()?.toLowerCase();
    const argument = name === undefined ? undefined : scanner.readOptionalValue();
    return name === undefined || argument === undefined ? undefined : ([name, argument] as const);
  });
  for (const [name, argument] of elements) if (!directives.has(name)) directives.set(name, argument);
  return directives;
}

/**
 * The regular expression of a `pattern`: with Unicode where it has that grammar, as schemas are judged.
 *
 * @returns `undefined` for a text that is no regular expression
 */
export function toRegExp(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Older patterns escape what need not be escaped, which Unicode mode refuses.
    }
  }
  return undefined;
}

const STEP = '  ';

/**
 * The beginning of a JSON text as it would be printed as a whole: blanks apart nothing is added or left out, so that
 * every digit is as it was sent. What is no JSON is not looked for: a text that ends early cannot be read.
 */
export function indentJson(text: string): string {
  let result = '';
  let depth = 0;
  const line = (): string => `\n${STEP.repeat(depth)}`;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      depth += 1;
      result += `${token}${line()}`;
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      // Nothing stands between the two.
      result = /[{[]\s*$/.test(result.slice(-2 * DEEPEST))
        ? `${result.trimEnd()}${token}`
        : `${result}${line()}${token}`;
    } else if (token === ',') result += `${token}${line()}`;
    else result += token === ':' ? ': ' : token;
    if (depth > DEEPEST) return text;
  }
  return result;
}

/** A string, also one that does not end; a mark; or what stands between them. Blanks between them are passed over. */
const TOKEN = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Deeper ones would be mostly blanks. */
const DEEPEST = 100;

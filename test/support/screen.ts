/**
 * What a terminal shows after some output, without colours: the cursor goes back to the begin of a line (CR) and writes
 * over it, and what is behind it is cleared (ED). Other control sequences do nothing here.
 */
export function screenOf(output: string): string {
  const lines = [''];
  let column = 0;
  for (const [token] of output.matchAll(/\u001b\[\??[\d;]*[A-Za-z]|[^]/gu)) {
    const line = lines.at(-1) ?? '';
    if (token === '\r') column = 0;
    else if (token === '\n') {
      lines.push('');
      column = 0;
    } else if (token === '\u001b[J') lines[lines.length - 1] = line.slice(0, column);
    else if (!token.startsWith('\u001b')) {
      lines[lines.length - 1] = line.slice(0, column) + token + line.slice(column + token.length);
      column += token.length;
    }
  }
  return lines.join('\n');
}

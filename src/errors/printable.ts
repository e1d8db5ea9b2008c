/**
 * What a server sent, fit for a terminal: without control characters, which could move the cursor or hide text, and
 * on one line.
 */
export function printable(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '?');
}

import { LineMap } from '../../../src/core/json/json-syntax-error';

test.each([
  ['LF', 'ab\n\ncd\n'],
  ['CR LF', 'ab\r\n\r\ncd\r\n'],
  ['all kinds of line breaks', 'a\rb\n\rc\r\n\n'],
  ['a byte order mark', '\uFEFFab\ncd'],
  ['one line', 'abc'],
  ['nothing', ''],
])('each offset of a text with %s has its line, whichever is asked for first', (_name, text) => {
  const offsets = Array.from({ length: text.length + 1 }, (_, offset) => offset);
  const ascending = new LineMap(text);
  const descending = new LineMap(text);
  const want = offsets.map((offset) => counted(text, offset));
  expect(offsets.map((offset) => ascending.at(offset))).toStrictEqual(want);
  expect(offsets.toReversed().map((offset) => descending.at(offset))).toStrictEqual(want.toReversed());
});

/** The lines before an offset, counted anew. */
function counted(text: string, offset: number): { offset: number; line: number; column: number } {
  const ends = [...text.matchAll(/\r\n|[\r\n]/g)].map(({ 0: lineBreak, index }) => index + lineBreak.length);
  const before = ends.filter((end) => end <= offset);
  const start = before.at(-1) ?? (text.startsWith('\uFEFF') ? 1 : 0);
  return { offset, line: before.length + 1, column: Math.max(0, offset - start) + 1 };
}

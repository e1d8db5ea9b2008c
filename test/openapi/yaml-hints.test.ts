import { readSource } from '../../src/openapi/read/read-source';
import { thrownBy } from './load-text';

test.each([
  { what: 'a value with @', text: 'a: @b\n', place: [1, 4], message: 'begin with @', hint: "Quote it: '@b'" },
  { what: 'a value with %', text: "a: %b's # c\n", place: [1, 4], message: 'begin with %', hint: "Quote it: '%b''s'" },
  { what: 'a value with *', text: 'a: */*\n', place: [1, 4], message: 'no anchor', hint: "quoted: '*/*'" },
  { what: 'no space behind a colon', text: 'a:\n  b:c\n  d: 1\n', place: [2, 3], message: 'space', hint: 'Write b: c' },
  { what: 'a line without a colon', text: 'a: 1\nb\nc: 2\n', place: [2, 1], message: 'no colon', hint: 'key: value' },
  { what: 'a colon in a value', text: 'a: b: c\n', place: [1, 4], message: 'has no quotes', hint: "Quote it: 'b: c'" },
  { what: 'members below a value', text: 'a: b\n  c: d\n', place: [1, 4], message: 'Line 2 is', hint: 'Indent line 2' },
  { what: 'a crooked indent', text: 'a:\n  b: 1\n c: 2\n', place: [3, 1], message: 'column', hint: 'by 1 space' },
  { what: 'a tab', text: 'a:\n\tb: 1\n', place: [2, 1], message: 'Tabs', hint: 'Indent with spaces' },
  {
    what: 'a key twice',
    text: 'a: 1\nb: 2\na: 3\n',
    place: [3, 1],
    message: '"a" is written twice',
    hint: 'on line 1',
  },
  {
    what: 'an open quote',
    text: 'a: 1\nb: "c\nd: 2\n',
    place: [4, 1],
    message: 'Missing closing "',
    hint: 'on line 2',
  },
  { what: 'an open bracket', text: 'a: [1\nb: 2\n', place: [2, 1], message: 'end with a ]', hint: 'is not closed' },
  { what: 'text behind a quote', text: "a: 'b's'\n", place: [1, 7], message: 'Unexpected', hint: 'a closing quote' },
  { what: 'a backslash', text: 'a: "\\d"\n', place: [1, 5], message: 'escape', hint: 'written twice' },
])('$what: the first error has its place, its cause and what mends it', ({ text, place, message, hint }) => {
  const [first] = thrownBy(() => readSource(text, 'openapi.yaml')).findings;
  expect([first?.line, first?.column]).toStrictEqual(place);
  expect(first?.message).toContain(message);
  expect(first?.hint).toContain(hint);
});

test('thousands of keys that are written twice are explained in bounded time: the first ones are', () => {
  const text = 'a: 1\n'.repeat(3000);
  const { findings } = thrownBy(() => readSource(text, 'openapi.yaml'));
  expect(findings.filter(({ hint }) => hint !== undefined)).toHaveLength(20);
});

import fc from 'fast-check';
import { isEntityTag, matchesStrong, matchesWeak, strongTag } from '../../../src/core/http/header-fields';
import { anyCharacter } from '../../support/any-character';

test('the same content has the same tag, other content another', () => {
  expect(strongTag('{"id":1}')).toBe(strongTag('{"id":1}'));
  expect(strongTag('{"id":1}')).not.toBe(strongTag('{"id":2}'));
});

test.each(['', 'a', '\u{1F436}', '\ud800'])('the tag of %j is strong and quoted', (content) => {
  expect(strongTag(content)).toMatch(/^"[A-Za-z0-9_-]{16,}"$/);
});

test.each([
  { list: '"a"', etag: '"a"', strong: true, weak: true },
  { list: '"b"', etag: '"a"', strong: false, weak: false },
  { list: '"A"', etag: '"a"', strong: false, weak: false },
  { list: 'W/"a"', etag: '"a"', strong: false, weak: true },
  { list: '"a"', etag: 'W/"a"', strong: false, weak: true },
  { list: 'W/"a"', etag: 'W/"a"', strong: false, weak: true },
  { list: 'w/"a"', etag: '"a"', strong: false, weak: false },
  { list: '"x", "a"', etag: '"a"', strong: true, weak: true },
  { list: '"x","a","y"', etag: '"a"', strong: true, weak: true },
  { list: ' , "x" ,\t"a" , ', etag: '"a"', strong: true, weak: true },
  { list: 'W/"x", W/"a"', etag: '"a"', strong: false, weak: true },
  { list: '"a,b"', etag: '"a,b"', strong: true, weak: true },
  { list: '"a,b"', etag: '"a"', strong: false, weak: false },
  { list: '"x,", "a"', etag: '"a"', strong: true, weak: true },
  { list: '"a\\"', etag: '"a\\"', strong: true, weak: true },
  { list: '""', etag: '""', strong: true, weak: true },
  { list: '"\u00e9"', etag: '"\u00e9"', strong: true, weak: true },
  { list: '*', etag: '"a"', strong: true, weak: true },
  { list: ' * ', etag: '"a"', strong: true, weak: true },
  { list: '*', etag: 'W/"a"', strong: true, weak: true },
])('$list against the current $etag: strong $strong, weak $weak', ({ list, etag, strong, weak }) => {
  expect(matchesStrong(list, etag)).toBe(strong);
  expect(matchesWeak(list, etag)).toBe(weak);
});

test.each(['*', '"a"', 'W/"a"', '', 'a'])('%j matches nothing when there is no representation', (list) => {
  expect(matchesStrong(list, undefined)).toBe(false);
  expect(matchesWeak(list, undefined)).toBe(false);
});

test.each([
  '',
  ' ',
  ',',
  'a',
  '"a',
  'a"',
  "'a'",
  '"a" "a"',
  '"a"b',
  'W/ "a"',
  'W/a',
  '"a b"',
  '"a"*',
  '*, "b"',
  '**',
  '"*"',
])('%j is no entity tag and matches nothing', (list) => {
  expect(matchesStrong(list, '"a"')).toBe(false);
  expect(matchesWeak(list, '"a"')).toBe(false);
});

test.each(['a, "a"', '"x, "a"', '"x" y, "a"', '"x"y"z", "a"', '*, "a"'])(
  'a broken element, as in %s, does not hide a good one',
  (list) => {
    expect(matchesStrong(list, '"a"')).toBe(true);
  },
);

test('no text makes the functions throw, and a tag is found in any list of tags', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.array(fc.string()), (text, contents) => {
      matchesStrong(text, '"a"');
      matchesWeak(`"${text}`, '"a"');
      const list = [...contents, 'x', ...contents].map(strongTag).join(', ');
      expect(matchesStrong(list, strongTag('x'))).toBe(true);
      expect(matchesWeak(list, strongTag('x'))).toBe(true);
    }),
  );
});

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['""', true],
  ['"a,b"', true],
  ['a', false],
  ['"a", "b"', false],
  ['"a" x', false],
  ['w/"a"', false],
  ['*', false],
  ['', false],
])('%s is one entity tag: %p', (value, want) => {
  expect(isEntityTag(value)).toBe(want);
});

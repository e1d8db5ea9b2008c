import fc from 'fast-check';
import { compilePattern, linearTest } from '../../../src/schema/pattern/compile-pattern';
import { parsePattern } from '../../../src/schema/pattern/parse-pattern';
import { countCallsSync, useOneCallCounter } from '../../support/count-calls';

describe('a pattern that could try endlessly many ways is judged in linear time', () => {
  useOneCallCounter();

  test.each([
    ['a loop in a loop', '^(a+)+$', 'a'],
    ['a loop that may be empty in a loop', '^(a*)*$', 'a'],
    ['branches that are alike', '^(a|a)*$', 'a'],
    ['branches that begin alike', '^(a|ab?)+$', 'ab'],
    ['a part that may be missing, many times', '^(a?){30}a{30}$', 'a'],
    ['a counted loop in a loop', '^([a-z]{1,64})*$', 'a'],
    ['a loop over commas', '^(.*,)*x$', ','],
    ['loops that share a text', '^.*a.*b$', 'a'],
    ['a search for a loop and an end', '\\s+$', ' '],
    ['two loops with something between', '(x+x+)+y', 'x'],
    ['an address', '^[^@]+@[^@]+\\.[^@]+$', '.'],
    ['words and what separates them', '^(\\w+\\s?)*$', 'a'],
  ])('%s: %s', (_, source, piece) => {
    const pattern = compilePattern(source);
    expect(pattern.engine).toBe('linear');
    const search = (pieces: number): number =>
      countCallsSync(() => {
        pattern.test(`${piece.repeat(pieces)}\n!`);
      });
    search(100);
    expect(search(400)).toBeLessThan(2.2 * search(200));
  });
});

test.each([
  '^[a-z]+$',
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '^A-[0-9]{6}$',
  '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$',
  '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$',
  '^(\\d+\\.)*\\d+$',
  '^/?([^/]+/)*[^/]*$',
  '^(?=.*[A-Z])(?=.*\\d).{8,}$',
  '[a-z]+',
  '\\S+',
  '^.*$',
  '',
  '^\\p{Lu}\\p{Ll}+$',
  '^[\\w-.]+$',
  '^(red|green|blue)$',
])('the harmless pattern %s is left to the engine of Node', (source) => {
  expect(compilePattern(source).engine).toBe('native');
});

describe('a careless pattern that only the engine of Node can read', () => {
  test.each(['^(a+)+\\1$', '^(?!(a+)+$).*$', '^(a+)+(?<!b)$'])('%s is given up', (source) => {
    const pattern = compilePattern(source);
    expect(pattern.engine).toBe('timed');
    expect(pattern.match(`${'a'.repeat(50_000)}!`)).toBe('undecided');
  });

  test('a look-around in a loop is matched with a clock', () => {
    expect(compilePattern('^(?:(?=a*b)a)*$').engine).toBe('timed');
  });

  test('texts as long as one that was given up are not tried again, shorter ones are', () => {
    const pattern = compilePattern('^(?:(a+)+\\1|c{60})$');
    expect(pattern.match('c'.repeat(60))).toBe('matches');
    expect(pattern.match(`${'a'.repeat(59)}!`)).toBe('undecided');
    expect(pattern.match('c'.repeat(60))).toBe('undecided');
    expect(pattern.match('c'.repeat(59))).toBe('differs');
  });

  it('judges what it can, and says where it cannot', () => {
    const pattern = compilePattern('^(b+)+c\\1$');
    expect(pattern.match('bcb')).toBe('matches');
    expect(pattern.match('bcd')).toBe('differs');
    expect(pattern.match('bbbbbcbbbbb')).toBe('matches');
    expect(pattern.match('b'.repeat(200))).toBe('undecided');
    expect(pattern.match('bcb')).toBe('matches');
  });
});

describe('in linear time a pattern means what it means in ECMA-262', () => {
  const agree = (source: string, texts: readonly string[]): void => {
    const native = nativeOf(source);
    const linear = linearTest(parsePattern(source, native.unicode));
    expect(linear).toBeDefined();
    const judged = (test: (text: string) => boolean): [string, boolean][] => texts.map((text) => [text, test(text)]);
    expect(judged((text) => linear?.(text) === true)).toStrictEqual(judged((text) => native.test(text)));
  };
  const odd = [
    '',
    'a',
    'b',
    'ab',
    'A',
    '0',
    '٣',
    '_',
    '-',
    ' ',
    '\t',
    '\n',
    '\r',
    '\v',
    '\f',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '\u200b',
    'a\n',
    '\na',
    'a\nb',
    'é',
    'ß',
    'K',
    'ſ',
    '😀',
    '\ud83d',
    '\\',
    '/',
    ']',
    '[',
    '^',
    '$',
    '.',
    '{',
    '}',
    'x{2}',
    '\0',
    '\u0001',
  ];
  test.each([
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '.',
    '^.$',
    '^a$',
    'a$',
    '^',
    '$',
    '^$',
    '[^]',
    '[]',
    '[^a]',
    '[\\s\\S]',
    '\\bа',
    '\\b',
    '\\B',
    '\\ba',
    'a\\b',
    '[\\b]',
    '[\\d-x]',
    '[a-]',
    '[-a]',
    '[\\w.-]',
    '\\x41',
    '\\u0041',
    '\\u{1F600}',
    '\\ud83d\\ude00',
    '\\cA',
    '\\0',
    '\\t\\n?',
    '\\p{L}',
    '\\P{L}',
    '\\p{Lu}',
    '\\p{Script=Greek}',
    '[\\p{L}\\d]',
    '\\/',
    '\\-',
    '\\]',
    '\\{',
    'x{2}',
    '^(?:a|b)+$',
    '(?<name>a)b',
    'a*?b',
    'a{0}b',
    '[^\\W_]',
  ])('%s', (source) => {
    agree(source, odd);
  });

  const letter = fc.constantFrom('a', 'b', '.', '\\d', '[^a]', '[ab]', '\\s', '\\w', '😀');
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      letter,
      fc.constantFrom('^', '$', '\\b'),
      fc.tuple(tie('tree'), tie('tree')).map(([left, right]) => left + right),
      fc.tuple(tie('tree'), tie('tree')).map(([left, right]) => `(${left}|${right})`),
      fc
        .tuple(tie('tree'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?'))
        .map(([part, sign]) => `(?:${part})${sign}`),
    ),
  }));
  const shortText = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '\n', '😀'), maxLength: 6 });

  it('whatever the pattern', () => {
    fc.assert(
      fc.property(tree, fc.array(shortText, { minLength: 1, maxLength: 6 }), (source, texts) => {
        agree(source, texts);
        const [compiled, native] = [compilePattern(source), nativeOf(source)];
        expect(texts.map((text) => compiled.test(text))).toStrictEqual(texts.map((text) => native.test(text)));
      }),
      { numRuns: 500 },
    );
  });
});

function nativeOf(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

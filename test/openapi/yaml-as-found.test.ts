import { readSource } from '../../src/openapi/read/read-source';
import { loadText, thrownBy } from './load-text';

const read = (text: string) => readSource(text, 'openapi.yaml', { isTolerant: true });

test.each([
  {
    what: 'a text in double quotes',
    text: 'a:\n  b: "one\n two\nthree"\n  c: 1\n',
    root: { a: { b: 'one two three', c: 1 } },
  },
  { what: 'a text in single quotes', text: "- b: 'it''s\n  two'\n  c: 1\n", root: [{ b: "it's two", c: 1 }] },
  { what: 'a text that goes on behind a tab', text: 'a: "one\n\ttwo"\n', root: { a: 'one two' } },
  { what: 'a list in brackets', text: 'a:\n  b: [\n1, "]",\n2\n]\n  c: 1\n', root: { a: { b: [1, ']', 2], c: 1 } } },
  {
    what: 'a map in braces',
    text: 'a:\n  - b: {\n    x: "y\nz", # }\n  }\n  - c\n',
    root: { a: [{ b: { x: 'y z' } }, 'c'] },
  },
  { what: 'a comment behind a quote', text: 'a: "x"#c\nb: 1\n', root: { a: 'x', b: 1 } },
  { what: 'a key of many characters', text: `${'k'.repeat(1100)}: 1\n`, root: { ['k'.repeat(1100)]: 1 } },
])('$what: what other readers take is read, and told once', ({ text, root }) => {
  const document = read(text);
  expect(document.root).toStrictEqual(root);
  expect(document.findings?.map(({ rule, severity }) => [rule, severity])).toStrictEqual([['yaml-form', 'warning']]);
  expect(document.findings?.[0]?.line).toBeGreaterThan(0);
});

test('two faults of indentation are told at their own lines, and what follows keeps its lines', () => {
  const document = read('a:\n  b: "one\n two"\n  c: "three\n four"\n  d: 1\n');
  expect(document.findings?.map(({ line }) => line)).toStrictEqual([2, 4]);
  expect(document.locationOf('/a/d')?.line).toBe(6);
});

test('a quote that is never closed is refused, with the line where it opens', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `k${index}: "value"`);
  lines[10] = 'k10: "value';
  const [first] = thrownBy(() => read(`${lines.join('\n')}\n`)).findings;
  expect(first?.hint).toContain('on line 11');
});

test('files of our own formats are held to YAML 1.2', () => {
  expect(thrownBy(() => readSource('a: "one\ntwo"\n', 'contract.yaml')).code).toBe('SPEC_SYNTAX');
});

test('an alias stands for the last node before it that has its anchor', () => {
  expect(read('a: &x 1\nb: *x\nc: &x { d: 2 }\ne: [*x]\n').root).toStrictEqual({
    a: 1,
    b: 1,
    c: { d: 2 },
    e: [{ d: 2 }],
  });
});

describe('merge keys', () => {
  const TEXT = `
base: &base { type: object, title: Base }
more: &more { title: More, nullable: true }
one:
  <<: *base
  title: One
list:
  <<: [*base, *more]
twice:
  <<: *more
  <<: *base
inline:
  <<: { type: string }
`;

  test('bring in the members of a map; own ones count first, then those of the first map', () => {
    expect(read(TEXT).root).toMatchObject({
      one: { type: 'object', title: 'One' },
      list: { type: 'object', title: 'Base', nullable: true },
      twice: { type: 'object', title: 'More', nullable: true },
      inline: { type: 'string' },
    });
  });

  test('are told once, and what they brought in has the place where it was written', () => {
    const document = read(TEXT);
    expect(document.findings).toMatchObject([{ rule: 'yaml-form', severity: 'warning', line: 5 }]);
    expect(document.locationOf('/list/nullable')?.line).toBe(3);
  });

  test('with a text behind them, or in quotes, are ordinary keys', () => {
    expect(read('"<<": { a: 1 }\nx: { <<: text }\n').root).toStrictEqual({ '<<': { a: 1 }, x: { '<<': 'text' } });
  });

  test('unfold no further than aliases may', () => {
    const levels = Array.from(
      { length: 30 },
      (_, index) => `l${index + 1}: &l${index + 1} { <<: *l${index}, a${index}: *l${index}, b${index}: *l${index} }`,
    );
    expect(thrownBy(() => read(`l0: &l0 { x: 1 }\n${levels.join('\n')}\n`)).findings[0]?.message).toContain('aliases');
  });

  test('of a description are a warning of it', () => {
    const { api, warnings } = loadText(`openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
x-ok: &ok { description: fine }
paths:
  /books:
    get:
      responses:
        '200':
          <<: *ok
`);
    expect(api.operations).toHaveLength(1);
    expect(warnings).toMatchObject([{ rule: 'yaml-form', line: 9 }]);
  });
});

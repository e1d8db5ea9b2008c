import { CHANGES, EDITS, TEXT } from './edits-and-changes';
import { merge } from './shop-draft';

/** Pairs that are about the same thing, or after which the lines that she wrote have another form; see the other test. */
const APART: readonly (readonly [edit: string, change: string])[] = [
  ['a comment behind a value', 'a comment that came'],
  ['a matcher', 'a property with a comment that went'],
  ['a step that came first', 'a step before all'],
  ['a step that went', 'a value in braces'],
  ['a step that went', 'a new value in braces'],
  ['a step that went', 'a comment inside of braces'],
];

const PAIRS = Object.keys(EDITS)
  .filter((edit) => edit !== 'another name for a capture')
  .flatMap((edit) => Object.keys(CHANGES).map((change) => [edit, change] as const))
  .filter(([edit, change]) => !APART.some((pair) => pair[0] === edit && pair[1] === change));

const GENERATED = new Set(TEXT.split('\n'));

test.each(PAIRS)('%s stays, and %s is taken', (edit, change) => {
  const { ours, has = '', hasNot } = CHANGES[change]!;
  const theirs = EDITS[edit]!;
  const merged = merge(theirs, ours);
  expect([merged.conflicts, merged.unknown]).toStrictEqual([[], []]);
  expect(merged.text).toContain(has);
  if (hasNot !== undefined) expect(merged.text).not.toContain(hasNot);
  const lines = new Set(merged.text.split('\n'));
  const own = theirs.split('\n').filter((line) => !GENERATED.has(line));
  if (!change.includes('name')) expect(own.filter((line) => !lines.has(line))).toStrictEqual([]);
  expect(merge(merged.text, ours, ours).text).toBe(merged.text);
  expect(merge(merged.text, ours).text).toBe(merged.text);
});

test.each(Object.keys(CHANGES))(
  'another name for a capture stays, and everything follows it, when there is %s',
  (change) => {
    const { ours } = CHANGES[change]!;
    const merged = merge(EDITS['another name for a capture']!, ours);
    expect([merged.conflicts, merged.unknown]).toStrictEqual([[], []]);
    expect(merged.renamed).toStrictEqual([{ from: 'itemId', to: 'id' }]);
    expect(merged.text).not.toMatch(/\$\{itemId/);
    expect(merge(merged.text, ours, ours).text).toBe(merged.text);
    expect(merge(merged.text, ours).text).toBe(merged.text);
  },
);

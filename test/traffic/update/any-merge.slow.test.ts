import fc from 'fast-check';
import { ContractError } from '../../../src/core/errors/standin-error';
import { equalJson } from '../../../src/core/json/json-value';
import { parseJson } from '../../../src/core/json/parse-json';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import { contractText } from '../../../src/traffic/contract/contract-text';
import { readStoredDraft, storeDraft } from '../../../src/traffic/update/stored-draft';
import { anyChange, anyEdit, twoValues } from './any-change';
import { BASE, merge, valueOf, withValue } from './shop-draft';

/** A merge after which no step would be left is rejected, and there is nothing to look at. */
function stepsLeft(...versions: Parameters<typeof merge>): boolean {
  try {
    return merge(...versions).text !== '';
  } catch (error) {
    if (error instanceof ContractError && error.findings[0]?.message.startsWith('No step would be left')) return false;
    throw error;
  }
}

const RUNS = { numRuns: 300 };

test('whatever a person edits, it stays to the last character where nothing else is generated', () => {
  fc.assert(
    fc.property(anyChange(), anyEdit(), (change, edit) => {
      const base = change(BASE);
      const theirs = edit(contractText(base));
      const merged = merge(theirs, base, base);
      expect(merged.text).toBe(theirs);
      expect([merged.conflicts, merged.added, merged.removed, merged.changed]).toStrictEqual([[], [], [], []]);
    }),
    RUNS,
  );
});

test('whatever is generated, a file that nobody edited becomes the text of it', () => {
  fc.assert(
    fc.property(anyChange(), anyChange(), (first, second) => {
      const base = first(BASE);
      const ours = second(base);
      const merged = merge(contractText(base), ours, base);
      expect(merged.text).toBe(contractText(ours));
      expect([merged.conflicts, merged.kept]).toStrictEqual([[], []]);
    }),
    RUNS,
  );
});

test('whatever both change, comments of hers are there afterwards, and merging again changes nothing', () => {
  fc.assert(
    fc.property(anyChange(), anyEdit(), anyChange(), (first, edit, second) => {
      const base = first(BASE);
      const ours = second(base);
      const theirs = edit(contractText(base));
      // Between the two of them they may have removed every step.
      fc.pre(stepsLeft(theirs, ours, base));
      const merged = merge(theirs, ours, base);
      const own = (text: string): number => text.match(/# her own|# behind|# First of all/g)?.length ?? 0;
      expect(own(merged.text)).toBeGreaterThanOrEqual(own(theirs));
      const again = merge(merged.text, ours, ours);
      expect(again.text).toBe(merged.text);
      expect(again.isChanged).toBe(false);
    }),
    RUNS,
  );
});

test('what a person changes and what is generated at another place are both there afterwards', () => {
  fc.assert(
    fc.property(twoValues(), fc.boolean(), ([hers, ours], hasComment) => {
      if (hers === undefined || ours === undefined) return;
      const theirs = contractText(withValue(BASE, hers.pointer, hers.value));
      const text = hasComment ? theirs.replace('    operation: addItem', '    operation: addItem # her own') : theirs;
      const merged = merge(text, withValue(BASE, ours.pointer, ours.value));
      const both = withValue(withValue(BASE, hers.pointer, hers.value), ours.pointer, ours.value);
      expect(equalJson(valueOf(merged.text), both.value)).toBe(true);
      expect(merged.conflicts).toStrictEqual([]);
      expect(merged.text.includes('# her own')).toBe(hasComment);
    }),
    RUNS,
  );
});

test('a draft that is kept as JSON of one line is read as it was', () => {
  fc.assert(
    fc.property(anyChange(), (change) => {
      const draft = change(BASE);
      const line = stringifyJson(storeDraft(draft));
      expect(line).not.toContain('\n');
      const read = readStoredDraft(parseJson(line));
      expect(equalJson(storeDraft(read ?? BASE), storeDraft(draft))).toBe(true);
    }),
  );
  for (const other of [
    undefined,
    null,
    {},
    { value: {}, header: 'x', comments: [] },
    { value: {}, header: [], comments: [{}] },
  ]) {
    expect(readStoredDraft(other)).toBeUndefined();
  }
  expect(valueOf(contractText(BASE))).toStrictEqual(BASE.value);
});

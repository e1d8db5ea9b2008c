import { budgetFor } from '../../src/files/load-api';
import { loadDescriptionText } from '../../src/files/load-description';

const SCHEMAS = Array.from({ length: 40 }, (_, index) => `    S${index}: { type: string, example: text }\n`).join('');
const DOCUMENT = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n${SCHEMAS}`;

test.each([
  { size: 256 * 1024, least: 5000, most: 5000 },
  { size: 256 * 1024 + 1, least: 50, most: 250 },
  { size: 5 * 1024 * 1024, least: 0, most: 0 },
])('a description of $size characters is judged for $least to $most ms', ({ size, least, most }) => {
  const budget = budgetFor('x'.repeat(size));
  expect(budget).toBeGreaterThanOrEqual(least);
  expect(budget).toBeLessThanOrEqual(most);
});

test('what was not judged is told of the whole, at no line', () => {
  const { warnings } = loadDescriptionText(DOCUMENT, 'openapi.yaml', { budgetMs: 0 });
  const inPart = warnings.find(({ rule }) => rule === 'judged-in-part');
  expect(inPart?.message).toContain('40 schemas');
  expect(inPart).toMatchObject({ file: 'openapi.yaml', pointer: '' });
  expect(inPart).not.toHaveProperty('line');
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, SOURCE_FILES } from './source-files';

const [, SECTION = ''] =
  /^## Where things are\n(.*?)^## /ms.exec(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')) ?? [];

/** The files that the last column of each line names. */
const NAMED = [...SECTION.matchAll(/^\|.*\|([^|]*)\|$/gm)].flatMap(([, files = '']) =>
  [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
);

test('every file that ARCHITECTURE.md sends a reader to is there', () => {
  const there = new Set(SOURCE_FILES.map(({ path }) => path));
  expect(NAMED.length).toBeGreaterThan(90);
  expect(NAMED.filter((file) => !there.has(file))).toStrictEqual([]);
});

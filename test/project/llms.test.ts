import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { llmsText } from './llms-text';
import { ROOT } from './source-files';

test('llms.txt is what npm run llms writes, and leads to pages that there are', () => {
  const text = readFileSync(join(ROOT, 'llms.txt'), 'utf8');
  expect(text).toBe(llmsText());
  const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
  expect(targets.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[];
  const wanted = pages.filter(
    (name) => /\.md$/.test(name) && !/^decisions\/|README\.md$|^dependencies\.md$/.test(name),
  );
  expect(wanted.filter((name) => !targets.includes(`docs/${name}`))).toEqual([]);
});

test('each line of it tells what the page is about', () => {
  const lines = llmsText()
    .split('\n')
    .filter((line) => line.startsWith('- ['));
  expect(lines.filter((line) => !/: [A-Z`].{15,400}\.$/.test(line))).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, SOURCE_FILES } from './source-files';

/** Words that were ours alone, and what is said now. Standard terms and the glossary of ARCHITECTURE.md take their place. */
const RETIRED: readonly (readonly [retired: RegExp, now: string])[] = [
  [/\bwish(?:es|ed)?\b|\bWish/, 'response preference'],
  [/born.?right/i, 'express prototypes'],
  [/turnstile/i, 'semaphore'],
  [/house.?error/i, 'default error response'],
  [/modernis/i, 'upgraded dialect'],
  [/careless/i, 'ReDoS-prone'],
  [/endless.?reference/i, 'circular $ref'],
  [/meant.?branch/i, 'matching branches'],
  [/telling.?part/i, 'operation selectors'],
  [/\bonly-?[pP]age\b/, 'single page'],
  [/\bvisitors\b/i, 'pending sandboxes'],
  [/\bconcealer\b/i, 'redactor'],
  [/seeds.?left/i, 'remaining seed'],
  [/held.?form/i, 'coerced to the schema'],
  [/bare.?member/i, 'undeclared required properties'],
  [/succeed.?mock/i, 'reload mock'],
  [/\buntold\b|whenUntold/i, 'diagnostic, unreported'],
  [/\bone-way\b|\boneWay\b/, 'readOnly and writeOnly'],
  [/HarnessError/, 'StandinError'],
  [/\bgood keys?\b/i, 'valid key'],
  [/\blawful/i, 'conforming'],
  [/\bpatience\b/i, 'retrying transport'],
  [/\bfell\b/, 'deleteDescendants, or a plain verb'],
  [/\bstand-in\b|\bauditor\b/i, 'mock server, test runner'],
  [/nothing to say against/i, 'OK: no errors, no warnings'],
];

/** Pages for people; decisions and the changelog tell what was. */
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
    .map((name) => `docs/${name}`),
].map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

const TEXTS = [...SOURCE_FILES.map(({ path, text }) => ({ path: `src/${path}`, text })), ...PAGES];

test.each(RETIRED)('%s is said no more: %s', (retired) => {
  const places = TEXTS.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (retired.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  );
  expect(places).toStrictEqual([]);
});

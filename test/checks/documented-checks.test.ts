import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESPONSE_CHECKS } from '../../src/checks/response/registry';
import { RUN_CHECKS } from '../../src/checks/run/registry';
import { TRAFFIC_CHECKS } from '../../src/checks/traffic-checks';
import { ROOT, SOURCE_FILES } from '../project/source-files';

/** Entries of docs/reference/checks.md: the text of each, by the id at the end of its heading. */
const ENTRIES: ReadonlyMap<string, string> = new Map(
  readFileSync(join(ROOT, 'docs', 'reference', 'checks.md'), 'utf8')
    .split(/^##/m)
    .flatMap((section) => {
      const id = /^# (?:.*: )?`([a-z-]+)`\n/.exec(section)?.[1];
      return id === undefined ? [] : [[id, section] as const];
    }),
);

/** Ids of findings that are made outside a registry, by the runner as it goes: written there, or named by a constant. */
const RUNNER_IDS = SOURCE_FILES.filter(({ path }) => path.startsWith('runner/')).flatMap(({ text }) =>
  [...text.matchAll(/\b(?:check|id): (?:'([a-z-]+)'|([A-Z_]+)\b(?!\.))/g)].map(
    ([, id, constant = '']) => id ?? new RegExp(`const ${constant} = '([a-z-]+)'`).exec(text)?.[1] ?? constant,
  ),
);
const IDS = [
  ...RESPONSE_CHECKS.map(({ id }) => id),
  ...new Set(RUNNER_IDS),
  ...RUN_CHECKS.map(({ id }) => id),
  ...TRAFFIC_CHECKS.map(({ id }) => id),
];

test('each check has its entry in docs/reference/checks.md, and no entry is without a check', () => {
  expect([...ENTRIES.keys()].sort()).toEqual([...IDS].sort());
  expect(new Set(IDS).size).toBe(IDS.length);
});

test('the checks of an answer stand in the order in which their findings are read, and so do those of a run', () => {
  for (const registry of [RESPONSE_CHECKS, RUN_CHECKS, TRAFFIC_CHECKS]) {
    const ids = registry.map(({ id }) => id);
    expect([...ENTRIES.keys()].filter((id) => ids.includes(id))).toEqual(ids);
  }
});

test.each([...ENTRIES])('the entry of %s says where the rule comes from and how grave a breach is', (_, text) => {
  expect(text).toMatch(/\n\nSource: .+\. Severity: (?:error|warning|error or warning)\.\n/);
});

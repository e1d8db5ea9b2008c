import { readFileSync } from 'node:fs';
import { SHOP } from '../issuer/shop';
import { temporaryFolder } from '../support/temporary-folder';
import { endedHere } from './standin-process';

test('init --agents writes what agents read first, with the description in it, and overwrites nothing', async () => {
  const folder = temporaryFolder();
  folder.write('openapi.json', JSON.stringify(SHOP));
  const init = (): ReturnType<typeof endedHere> => endedHere(['init', '--agents'], { cwd: folder.path });
  const { exitCode, stdout } = await init();
  expect([exitCode, stdout.split('\n')[0]]).toEqual([0, 'wrote  AGENTS.md']);
  const text = readFileSync(folder.file('AGENTS.md'), 'utf8');
  expect(text).toMatch(/^# Shop\n/);
  expect(text).toContain('`openapi.json` (OpenAPI, 9 operations)');
  expect(text).toContain('npx standin mcp openapi.json');
  const again = await init();
  expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('AGENTS.md is there already')]);
  expect(readFileSync(folder.file('AGENTS.md'), 'utf8')).toBe(text);
});

test('what AGENTS.md says of tools and commands is true', async () => {
  const folder = temporaryFolder();
  folder.write('openapi.json', JSON.stringify(SHOP));
  await endedHere(['init', '--agents'], { cwd: folder.path });
  const text = readFileSync(folder.file('AGENTS.md'), 'utf8');
  const { stdout: help } = await endedHere(['--help']);
  for (const [, command = ''] of text.matchAll(/npx standin ([a-z]+)/g)) expect(help).toContain(`  ${command} `);
  const tools = readFileSync('docs/agents.md', 'utf8');
  for (const [, tool = ''] of text.matchAll(/`([a-z]+_[a-z_]+)`/g)) expect(tools).toContain(`\`${tool}\``);
});

import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { ROOT } from './source-files';

const NEEDED: Readonly<Record<string, string>> = {
  LICENSE: 'MIT',
  'README.md': '# tried',
  'CHANGELOG.md': '# Changelog\n\n## Next\n\n- A thing that is new.\n\n## 0.1.0\n\n- The first.\n',
  'dist/bin/standin.js': '',
  'dist/man/standin.1': '',
  'dist/vendor/licenses.txt': '',
  'ci/entry.sh': '',
  'scripts/sbom.mjs': `import { readFileSync, writeFileSync } from 'node:fs';
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    writeFileSync('dist/sbom.cdx.json', JSON.stringify({ metadata: { component: { version } } }));`,
  '.gitignore': 'dist/sbom.cdx.json\n',
};

/** A small project with all that a release has, in a repository of its own. */
function project(more: object = { repository: { type: 'git', url: 'git+https://example.com/tried/tried.git' } }): {
  path: string;
  git: (...args: readonly string[]) => string;
  release: (...args: readonly string[]) => SpawnSyncReturns<string>;
} {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(NEEDED)) folder.write(name, text);
  const manifest = {
    name: 'tried',
    version: '0.1.0',
    license: 'MIT',
    scripts: { build: 'node scripts/sbom.mjs' },
    ...more,
  };
  folder.write('package.json', JSON.stringify({ ...manifest, files: ['dist', 'ci', 'CHANGELOG.md'] }));
  folder.write(
    'package-lock.json',
    JSON.stringify({ name: 'tried', version: '0.1.0', packages: { '': { version: '0.1.0' } } }),
  );
  const git = (...args: readonly string[]): string =>
    spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder.path,
      encoding: 'utf8',
    }).stdout.trim();
  git('init', '--quiet');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@example.com');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'feat: all');
  const release = (...args: readonly string[]): SpawnSyncReturns<string> =>
    spawnSync(
      process.execPath,
      [join(ROOT, 'scripts', 'release.mjs'), '--root', folder.path, '--date', '2031-01-01', ...args],
      {
        encoding: 'utf8',
        cwd: folder.path,
      },
    );
  return { path: folder.path, git, release };
}

test('a release sets the version, dates the changelog, commits and tags, and publishes nothing', () => {
  const { path, git, release } = project();
  const { status, stdout, stderr } = release('0.2.0');
  expect([stderr, status]).toEqual(['', 0]);
  expect(stdout).toContain('npm publish --provenance');
  expect(git('log', '--format=%s', '-1')).toBe('chore: release 0.2.0');
  expect(git('describe', '--exact-match')).toBe('v0.2.0');
  expect(git('status', '--porcelain')).toBe('');
  expect(readFileSync(join(path, 'CHANGELOG.md'), 'utf8')).toBe(
    '# Changelog\n\n## Next\n\n## 0.2.0 (2031-01-01)\n\n- A thing that is new.\n\n## 0.1.0\n\n- The first.\n',
  );
  for (const name of ['package.json', 'package-lock.json'])
    expect(JSON.parse(readFileSync(join(path, name), 'utf8'))).toMatchObject({ version: '0.2.0' });
  expect(release('--check').stdout).toContain('It can be published.');
  expect(release('0.2.1').stderr).toContain('CHANGELOG.md says nothing under "## Next"');
});

test.each([
  [['0.1.0'], '0.1.0 does not come after 0.1.0'],
  [['0.0.9'], '0.0.9 does not come after 0.1.0'],
  [['one'], 'expected a version such as 0.2.0, got one'],
  [[], 'expected a version such as 0.2.0, got none'],
])('%j is refused', (args, message) => {
  const { git, release } = project();
  expect(release(...args).stderr).toContain(message);
  expect(git('status', '--porcelain')).toBe('');
});

test('without a repository for its provenance nothing is changed', () => {
  const { git, release } = project({});
  const { status, stderr } = release('0.2.0');
  expect(status).toBe(2);
  expect(stderr).toContain('package.json has no "repository", which provenance needs');
  expect([git('status', '--porcelain'), git('tag')]).toEqual(['', '']);
});

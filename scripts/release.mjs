// Makes a release: version, changelog and tag, and what would be published, looked at before anybody publishes it.
//
//   npm run release -- --check          what would be published now; nothing is changed
//                        --packed FILE  the output of npm pack --json, if the package is packed already
//   npm run release -- 0.2.0            sets the version, dates the changelog, commits and tags
//
// Nothing is pushed or published: the commands for that are printed in the end.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    packed: { type: 'string' },
    root: { type: 'string', default: join(dirname(fileURLToPath(import.meta.url)), '..') },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
  allowPositionals: true,
});
const { root } = values;
const [version] = positionals;

function fail(message, hint) {
  process.stderr.write(`release: ${message}\n${hint === undefined ? '' : `  hint: ${hint}\n`}`);
  process.exit(2);
}

function run(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });
  if (error !== undefined) fail(`${command} cannot be run: ${error.message}`);
  return { status, stdout, stderr };
}

function must(command, ...args) {
  const { status, stdout, stderr } = run(command, ...args);
  if (status !== 0) fail(`${command} ${args.join(' ')} failed:\n${stderr.trim() || stdout.trim()}`);
  return stdout.trim();
}

const readJson = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const writeJson = (name, value) => writeFileSync(join(root, name), `${JSON.stringify(value, null, 2)}\n`);

/** Versions of Semantic Versioning 2.0.0, without build metadata, which npm does not tell apart. */
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?$/;

function isLater(next, now) {
  const [left, right] = [next, now].map((each) => VERSION.exec(each)?.slice(1, 4).map(Number) ?? []);
  for (let index = 0; index < 3; index++) if (left[index] !== right[index]) return left[index] > right[index];
  // 1.0.0 comes after 1.0.0-rc.1.
  return now.includes('-') && next !== now;
}

/** What has to be in a tarball, beside the code. */
const NEEDED = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'dist/bin/standin.js',
  'dist/man/standin.1',
  'dist/sbom.cdx.json',
  'dist/vendor/licenses.txt',
  'ci/entry.sh',
];

/** Asks npm whether it would publish the package. The manifest decides that: without files there is nothing to pack. */
function askNpm(text) {
  const folder = mkdtempSync(join(tmpdir(), 'standin-release-'));
  try {
    writeFileSync(join(folder, 'package.json'), text);
    const parameters = ['publish', '--dry-run', '--provenance', '--ignore-scripts', '--json'];
    return spawnSync('npm', parameters, { cwd: folder, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lists what is wrong with the package that would be published, and prints its size. */
function checkShape(expected) {
  const output =
    values.packed === undefined
      ? must('npm', 'pack', '--dry-run', '--json', '--ignore-scripts')
      : readFileSync(values.packed, 'utf8');
  const [packed] = JSON.parse(output);
  const names = new Set(packed.files.map(({ path }) => path));
  const manifest = readJson('package.json');
  const wrong = NEEDED.filter((name) => !names.has(name)).map(
    (name) => `${name} is missing: npm run build -- --package`,
  );
  if (packed.version !== expected) wrong.push(`its version is ${packed.version}`);
  if (manifest.private === true) wrong.push('package.json says that it is private');
  for (const name of ['preinstall', 'install', 'postinstall'])
    if (manifest.scripts?.[name] !== undefined) wrong.push(`it has an install script: ${name}`);
  const sbom = names.has('dist/sbom.cdx.json') ? readJson('dist/sbom.cdx.json').metadata?.component?.version : expected;
  if (sbom !== expected) wrong.push(`the bill of materials is of ${sbom}: npm run build -- --package`);
  // The statement of provenance names the repository that the build ran in, and npm compares it with this one.
  if (manifest.repository === undefined)
    wrong.push(
      'package.json has no "repository", which provenance needs: npm pkg set repository.type=git repository.url=git+https://HOST/OWNER/NAME.git',
    );
  const { status, stderr } = askNpm(readFileSync(join(root, 'package.json'), 'utf8'));
  if (status !== 0) wrong.push(`npm publish --dry-run --provenance says: ${stderr.trim().slice(-500)}`);
  process.stdout.write(
    `${packed.name} ${packed.version}: ${packed.files.length} files, ${(packed.size / 1e6).toFixed(1)} MB packed, ${(packed.unpackedSize / 1e6).toFixed(1)} MB\n`,
  );
  return wrong;
}

function checkOrFail(expected) {
  const wrong = checkShape(expected);
  if (wrong.length > 0) fail(`it cannot be published:\n  - ${wrong.join('\n  - ')}`);
}

const manifest = readJson('package.json');
if (values.check) {
  checkOrFail(manifest.version);
  process.stdout.write('It can be published.\n');
  process.exit(0);
}

if (version === undefined || !VERSION.test(version))
  fail(`expected a version such as 0.2.0, got ${version ?? 'none'}`, 'npm run release -- 0.2.0');
if (!isLater(version, manifest.version)) fail(`${version} does not come after ${manifest.version}`);
if (must('git', 'status', '--porcelain') !== '')
  fail('there are changes that are not committed', 'git stash, or commit them');
if (run('git', 'rev-parse', '--verify', '--quiet', `refs/tags/v${version}`).status === 0)
  fail(`the tag v${version} is there already`);
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
const [, notes] = /\n## Next\n([\s\S]*?)(?=\n## |$)/.exec(changelog) ?? [];
if (notes === undefined || notes.trim() === '')
  fail('CHANGELOG.md says nothing under "## Next"', 'Write what users get.');

writeJson('package.json', { ...manifest, version });
const lock = readJson('package-lock.json');
lock.version = version;
lock.packages[''].version = version;
writeJson('package-lock.json', lock);
writeFileSync(
  join(root, 'CHANGELOG.md'),
  changelog.replace('\n## Next\n', `\n## Next\n\n## ${version} (${values.date})\n`),
);
must('npm', 'run', '--silent', 'build', '--', '--package');
const wrong = checkShape(version);
if (wrong.length > 0) {
  must('git', 'checkout', '--', 'package.json', 'package-lock.json', 'CHANGELOG.md');
  fail(`it cannot be published, and nothing was changed:\n  - ${wrong.join('\n  - ')}`);
}
must('git', 'add', 'package.json', 'package-lock.json', 'CHANGELOG.md');
must('git', 'commit', '--quiet', '--message', `chore: release ${version}`);
must('git', 'tag', '--annotate', `v${version}`, '--message', `standin ${version}`);
process.stdout.write(`Released ${version} here. To publish it, from a job with the permission id-token: write:

  git push --follow-tags
  npm publish --provenance --access public
`);

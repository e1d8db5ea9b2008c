import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, ROOT, SOURCE_FILES } from './source-files';

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
/** The second compiler is installed under a name of its own: `npm:typescript@7.0.2`. */
const EXACT = /^(?:npm:typescript@)?\d+\.\d+\.\d+$/;

test.each([
  ...Object.entries(manifest.dependencies),
  ...Object.entries(manifest.devDependencies),
  ...Object.values(manifest.overrides).flatMap((override) => Object.entries(override)),
])('%s is wanted in the exact version %s', (_, version) => {
  expect(version).toMatch(EXACT);
});

test.each(Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))(
  '%s %s is what is installed',
  (name, version) => {
    const installed = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as Manifest;
    expect(installed.version).toBe(version.replace(/^npm:.*@/, ''));
  },
);

test('the lock file is the one of package.json, as npm ci wants it', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Partial<Manifest>>>;
  };
  const { version, dependencies, devDependencies } = packages[''] ?? {};
  expect({ version, dependencies, devDependencies }).toEqual({
    version: manifest.version,
    dependencies: manifest.dependencies,
    devDependencies: manifest.devDependencies,
  });
});

test('the build compiles every source, and leaves nothing of sources that were deleted', () => {
  const compiled = readdirSync(join(ROOT, 'dist', 'src'), { recursive: true, encoding: 'utf8' });
  const sources = SOURCE_FILES.map(({ path }) => path).filter((path) => !path.startsWith('window/'));
  expect(compiled.filter((path) => path.endsWith('.js')).sort()).toEqual(
    sources.map((path) => path.replace(/\.ts$/, '.js')).sort(),
  );
});

/** `ajv` for `ajv/dist/core`, `@stoplight/types` for `@stoplight/types/dist`. */
function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
}

test('src imports no package that its users would not have; what the window imports is in its scripts', () => {
  const imported = SOURCE_FILES.flatMap((file) =>
    importsOf(file).filter(
      ({ target, specifier }) => target === undefined && !/^(?:node:|#(?:generated|vendor)\/)/.test(specifier),
    ),
  );
  const values = SOURCE_FILES.filter(({ path }) => !path.startsWith('window/'))
    .flatMap(importsOf)
    .filter(
      ({ target, specifier, isTypeOnly }) =>
        target === undefined && !/^(?:node:|#(?:generated|vendor)\/)/.test(specifier) && !isTypeOnly,
    )
    .map(({ specifier }) => packageOf(specifier));
  const missing = [...new Set(values)].filter((name) => !(name in manifest.dependencies));
  expect(missing).toStrictEqual([]);
  const unknown = imported.map(({ specifier }) => packageOf(specifier));
  const all = { ...manifest.dependencies, ...manifest.devDependencies };
  expect([...new Set(unknown)].filter((name) => !(name in all))).toStrictEqual([]);
});

/** Nothing of ours uses them: they keep a dependency of a dependency in a version that runs on our Node. */
const PINNED = ['@stoplight/prism-core'];

test('every dependency is used', () => {
  const text = SOURCE_FILES.map((file) => file.text).join('\n');
  const unused = Object.keys(manifest.dependencies).filter(
    // Types are used wherever what they describe is.
    (name) => !text.includes(`'${name.replace('@types/', '')}`) && !PINNED.includes(name),
  );
  expect(unused).toStrictEqual([]);
});

const WHY = readFileSync(join(ROOT, 'docs', 'dependencies.md'), 'utf8');

test.each(Object.entries(manifest.dependencies))('docs/dependencies.md says why %s %s is here', (name, version) => {
  expect(WHY).toContain(`| \`${name}\` ${version}`);
});

test.each(Object.keys(manifest.devDependencies).filter((name) => !name.startsWith('@types/')))(
  'docs/dependencies.md says what %s is for',
  (name) => {
    expect(WHY).toMatch(new RegExp(`[|,] \`${name}\`[ ,]`));
  },
);

test('decision notes are numbered without gaps, and each says its own number', () => {
  const folder = join(ROOT, 'docs', 'decisions');
  const files = readdirSync(folder).sort();
  expect(files.map((file) => Number(file.slice(0, 4)))).toStrictEqual(files.map((_, index) => index + 1));
  for (const file of files) {
    const said = /^# 0*(\d+)/.exec(readFileSync(join(folder, file), 'utf8'))?.[1];
    expect({ file, said }).toStrictEqual({ file, said: String(Number(file.slice(0, 4))) });
  }
});

test('each decision note has its status in the third line, and a note that supersedes it exists', () => {
  const folder = join(ROOT, 'docs', 'decisions');
  const files = readdirSync(folder).sort();
  const statuses = files.map((file) => ({
    file,
    status: readFileSync(join(folder, file), 'utf8').split('\n')[2] ?? '',
  }));
  const FORM = /^Status: (?:proposed|accepted(?:, .+)?|superseded by \d{4})$/;
  expect(statuses.filter(({ status }) => !FORM.test(status))).toStrictEqual([]);
  const named = statuses.flatMap(({ status }) => [...status.matchAll(/\d{4}/g)].map(([number]) => number));
  expect(named.filter((number) => !files.some((file) => file.startsWith(number)))).toStrictEqual([]);
});

test.each([
  manifest.bin['standin']!,
  'dist/src/index.js',
  'dist/src/express.js',
  'dist/src/jest.js',
  'dist/window/index.html',
  'dist/window/window.js',
  'dist/window/window.css',
  'dist/window/reference.js',
  'dist/window/reference.css',
  'dist/window/licenses.txt',
])('the build makes %s', (path) => {
  expect(existsSync(join(ROOT, path))).toBe(true);
});

test('the executable says what runs it', () => {
  expect(readFileSync(join(ROOT, manifest.bin['standin']!), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test('what is bundled is listed with its version and its licence', () => {
  for (const folder of ['vendor', 'window']) {
    const list = JSON.parse(readFileSync(join(ROOT, 'dist', folder, 'packages.json'), 'utf8')) as readonly {
      readonly name: string;
      readonly version: string;
      readonly license?: string;
    }[];
    const licences = readFileSync(join(ROOT, 'dist', folder, 'licenses.txt'), 'utf8');
    expect(list.length).toBeGreaterThan(0);
    for (const { name, version, license } of list) {
      expect({ name, license }).toEqual({ name, license: expect.stringMatching(/\w/) as string });
      expect(licences).toContain(`\n${name} ${version}\n`);
    }
  }
});

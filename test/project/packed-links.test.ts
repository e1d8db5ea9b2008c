import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './source-files';

const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: readonly string[] };

/** Is a path, or what is in the folder of that path, in the tarball? npm packs the manifest whatever `files` says. */
function isPacked(path: string): boolean {
  return path === 'package.json' || files.some((entry) => path === entry || path.startsWith(`${entry}/`));
}

function markdownAt(path: string): string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return path.endsWith('.md') ? [path] : [];
  return readdirSync(join(ROOT, path)).flatMap((name) => markdownAt(join(path, name)));
}

/** Targets of the links and pictures of a document that are no URL and no heading of its own, from the root. */
function relativeLinks(document: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8').replace(/^```.*?^```/gms, '');
  return [...text.matchAll(/\]\(([^()\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(target))
    .map((target) => relative(ROOT, join(ROOT, dirname(document), target.replace(/#.*$/, ''))));
}

const DOCUMENTS = files.filter((entry) => existsSync(join(ROOT, entry))).flatMap(markdownAt);

test('the README is packed and has links', () => {
  expect(DOCUMENTS).toContain('README.md');
  expect(relativeLinks('README.md').length).toBeGreaterThan(10);
});

test.each(DOCUMENTS)('every relative link of %s leads to something that is packed', (document) => {
  const targets = relativeLinks(document);
  expect(targets.filter((target) => !existsSync(join(ROOT, target)))).toStrictEqual([]);
  expect(targets.filter((target) => !isPacked(target))).toStrictEqual([]);
});

/** The anchors that a reader of a document can jump to, as GitHub makes them of its headings. */
function anchorsOf(document: string): Set<string> {
  const text = readFileSync(join(ROOT, document), 'utf8').replace(/^```.*?^```/gms, '');
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test.each(DOCUMENTS)('every anchor that %s links to exists', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8').replace(/^```.*?^```/gms, '');
  const links = [...text.matchAll(/\]\(([^()\s#:]*)#([^()\s]+)\)/g)];
  const broken = links.filter(([, target = '', anchor = '']) => {
    const file = target === '' ? document : join(dirname(document), target);
    return file.endsWith('.md') && !anchorsOf(file).has(anchor);
  });
  expect(broken.map(([link]) => link)).toStrictEqual([]);
});

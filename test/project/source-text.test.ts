import { SOURCE_FILES } from './source-files';

/** Lines of src/ that match, as an editor would find them. */
function places(pattern: RegExp, isAllowed: (path: string, line: string) => boolean = () => false): string[] {
  return SOURCE_FILES.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      return pattern.test(line) && !isAllowed(path, line) ? [`src/${path}:${index + 1} ${line.trim()}`] : [];
    }),
  );
}

test('nothing in src knows what a pet is', () => {
  // The bundled default has a name: in the paths of file-access.ts, in help texts, in what a default is said to be.
  const isDefault = (path: string, line: string): boolean => {
    if (path === 'files/file-access.ts') return true;
    const rest = line.replace(/(?:bundled|of the) Petstore\b/g, '');
    const isHelp = /^cli\/commands\/[a-z]+-command\.ts$/.test(path) && /^\s*[A-Z_=… ]*standin /.test(line);
    return isHelp || !NOUNS.test(rest);
  };
  const NOUNS = /\b(?:pets?|Pets?|[Pp]et[A-Z]\w*|[Pp]etstore)\b/;
  expect(places(NOUNS, isDefault)).toStrictEqual([]);
  expect(places(/\b(?:categor(?:y|ies)(?:Id)?|inventor(?:y|ies)|shipDate|orderId)\b/)).toStrictEqual([]);
});

test('everything is exported by name', () => {
  expect(places(/^\s*export default\b|\bas default\b|^\s*export =/)).toStrictEqual([]);
});

test('only the command line writes to the console', () => {
  expect(places(/\bconsole\.\w+\(/, (path) => path.startsWith('cli/'))).toStrictEqual([]);
});

test('nothing is left to be done, and no check is switched off without a reason', () => {
  expect(places(/\b(?:TODO|FIXME|XXX|HACK)\b/)).toStrictEqual([]);
  expect(places(/@ts-(?:ignore|nocheck|expect-error)/)).toStrictEqual([]);
  expect(places(/(?:es|ox)lint-disable(?!.* -- \S)/)).toStrictEqual([]);
});

test('no file is longer than 800 lines', () => {
  expect(SOURCE_FILES.filter(({ text }) => text.split('\n').length > 801).map(({ path }) => path)).toStrictEqual([]);
});

test('files have names of small letters and hyphens', () => {
  expect(
    SOURCE_FILES.map(({ path }) => path).filter((path) => !/^(?:[a-z0-9-]+\/)*[a-z0-9-]+\.tsx?$/.test(path)),
  ).toStrictEqual([]);
});

import type { Progress } from '../../src/core/text/progress';
import { createServerParts } from '../../src/library/create-mock-server';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

const PATHS = Array.from(
  { length: 30 },
  (_, index) => `  /things${index}: { get: { responses: { '200': { description: ok } } } }`,
);

async function toldOf(description: string): Promise<Progress[]> {
  const told: Progress[] = [];
  await createServerParts({ description }, { onLoading: (progress) => told.push(progress) });
  return told;
}

test('what is loaded tells what is done with it, as it is done', async () => {
  const file = folder.write(
    'many.yaml',
    `openapi: 3.0.3\ninfo: { title: Many, version: '1' }\npaths:\n${PATHS.join('\n')}\n`,
  );
  const told = await toldOf(file);
  const phases = told.map(({ phase }) => phase).filter((phase, index, all) => phase !== all[index - 1]);
  expect(phases).toEqual(['reading', 'checking', 'compiling', 'inferring', 'seeding']);
  expect(told[0]).toMatchObject({ what: file });
  const compiled = told.filter(({ phase }) => phase === 'compiling');
  expect(compiled.map(({ done, total }) => `${done}/${total}`)).toEqual(PATHS.map((_, index) => `${index}/30`));
});

test('a long text of YAML tells from within, one of JSON beforehand', async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `    line ${index}`).join('\n');
  const head = `openapi: 3.0.3\ninfo:\n  title: Long\n  version: '1'\n`;
  const yaml = await toldOf(folder.write('long.yaml', `${head}  description: |\n${lines}\npaths: {}\n`));
  expect(yaml.filter(({ phase }) => phase === 'reading').length).toBeGreaterThanOrEqual(5);
  const info = { title: 'Long', version: '1', description: 'x'.repeat(9 * 1024 * 1024) };
  const json = await toldOf(folder.write('long.json', JSON.stringify({ openapi: '3.0.3', info, paths: {} })));
  expect(json[0]).toMatchObject({ phase: 'reading', isLong: true });
});

test('each file of several is told of', async () => {
  folder.write('path.yaml', "get: { responses: { '200': { description: ok } } }\n");
  const told = await toldOf(
    folder.write(
      'several.yaml',
      "openapi: 3.0.3\ninfo: { title: Two, version: '1' }\npaths: { /a: { $ref: path.yaml } }\n",
    ),
  );
  expect(told.flatMap(({ phase, what }) => (phase === 'reading' ? [/[^/]*$/.exec(what)?.[0]] : []))).toEqual(
    expect.arrayContaining(['several.yaml', 'path.yaml']),
  );
});

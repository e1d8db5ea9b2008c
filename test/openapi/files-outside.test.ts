import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkDescription } from '../../src/library/check-description';
import { createMockServer } from '../../src/library/create-mock-server';
import { loadApi } from '../../src/files/load-api';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder';
import { thrownBy } from './load-text';

const SECRET = 'type: string\nexample: hidden\n';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});

const description = (reference: string): string => `openapi: 3.1.0
info: { title: Library, version: 1.0.0 }
paths:
  /books:
    get:
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '${reference}' } } } }
`;

function api(reference: string, file = 'project/api/openapi.yaml'): string {
  return folder.write(file, description(reference));
}

/** Nothing but a repository says what belongs together. */
function repository(): void {
  mkdirSync(join(folder.path, 'project', '.git'), { recursive: true });
}

const STRICT = { isStrict: true };

const refused = { rule: 'ref-resolves', line: 7, hint: expect.stringContaining('--allow-files') as string };

test.each([
  { what: 'a path upwards', reference: '../secret.yaml' },
  { what: 'a path upwards in disguise', reference: 'sub/%2e%2e/%2e%2e/secret.yaml' },
  { what: 'an absolute path', reference: 'ABSOLUTE' },
  { what: 'a file: URI', reference: 'FILE' },
  { what: 'something that is not there', reference: '../nothing.yaml' },
])('$what out of the folder of a description is refused, with its line', ({ reference }) => {
  const secret = folder.write('project/secret.yaml', SECRET);
  const file = api(reference.replace('ABSOLUTE', secret).replace('FILE', pathToFileURL(secret).href));
  const error = thrownBy(() => loadApi(file, STRICT));
  expect(error.findings).toMatchObject([{ ...refused, file }]);
  expect(error.findings[0]!.message).toContain('outside of the folder of the description');
});

test('an $id around a reference is no way out', () => {
  const secret = folder.write('project/secret.yaml', SECRET);
  const file = folder.write(
    'project/api/openapi.yaml',
    description('secret.yaml').replace('{ $ref:', `{ $id: '${pathToFileURL(dirname(secret)).href}/', $ref:`),
  );
  expect(thrownBy(() => loadApi(file, STRICT)).findings).toMatchObject([refused]);
});

test('neither is an example, nor a file that is referred to', () => {
  folder.write('project/secret.yaml', SECRET);
  folder.write('project/api/examples.yaml', 'a: { $ref: "../secret.yaml" }');
  const file = folder.write(
    'project/api/openapi.yaml',
    `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:
  /books:
    get:
      responses:
        '200':
          description: ok
          content: { application/json: { examples: { a: { $ref: 'examples.yaml#/a' }, b: { $ref: '../secret.yaml' } } } }
`,
  );
  const { findings } = thrownBy(() => loadApi(file, STRICT));
  expect(findings.filter(({ hint }) => hint?.includes('--allow-files') === true).map(({ line }) => line)).toStrictEqual(
    expect.arrayContaining([1, 9]),
  );
});

test('a symbolic link counts by where it leads', () => {
  folder.write('outside/secret.yaml', SECRET);
  folder.write('project/api/inside.yaml', SECRET);
  symlinkSync(folder.file('outside'), folder.file('project/api/linked'));
  symlinkSync(folder.file('project/api/inside.yaml'), folder.file('project/api/alias.yaml'));
  expect(loadApi(api('alias.yaml')).warnings).toStrictEqual([]);
  const { findings } = thrownBy(() => loadApi(api('linked/secret.yaml'), STRICT));
  expect(findings).toMatchObject([
    { ...refused, message: expect.stringContaining('is a link that leads out') as string },
  ]);
});

test('a description that is reached by a link may lead to what is beside the link, and beside the file', () => {
  folder.write('real/openapi.yaml', description('book.yaml'));
  folder.write('project/api/book.yaml', SECRET);
  symlinkSync(folder.file('real/openapi.yaml'), folder.file('project/api/openapi.yaml'));
  symlinkSync(folder.file('project'), folder.file('shortcut'));
  expect(loadApi(folder.file('project/api/openapi.yaml')).warnings).toStrictEqual([]);
  expect(loadApi(folder.file('shortcut/api/openapi.yaml')).warnings).toStrictEqual([]);
});

describe('in a repository', () => {
  test.each(['yaml', 'yml', 'json'])('its .%s documents may be referred to', (extension) => {
    repository();
    folder.write(`project/schemas/book.${extension}`, '{ "type": "string" }');
    expect(loadApi(api(`../schemas/book.${extension}`)).warnings).toStrictEqual([]);
  });

  test('that is one package without .git, the outermost package.json counts', () => {
    folder.write('project/package.json', '{}');
    folder.write('project/packages/api/package.json', '{}');
    folder.write('project/packages/schemas/book.yaml', 'type: string');
    expect(loadApi(api('../schemas/book.yaml', 'project/packages/api/openapi.yaml')).warnings).toStrictEqual([]);
  });

  test('other files may not, nor what is around it', () => {
    repository();
    folder.write('project/.env', 'SECRET=1');
    folder.write('outside.yaml', SECRET);
    for (const reference of ['../.env', '../../outside.yaml'])
      expect(thrownBy(() => loadApi(api(reference), STRICT)).findings).toMatchObject([refused]);
  });

  test('absolute paths are for what stands in the own folder', () => {
    repository();
    const book = folder.write('project/schemas/book.yaml', SECRET);
    const own = folder.write('project/api/book.yaml', SECRET);
    expect(thrownBy(() => loadApi(api(book), STRICT)).findings).toMatchObject([refused]);
    expect(loadApi(api(own)).warnings).toStrictEqual([]);
  });

  test('a description that was installed is a project of its own', () => {
    repository();
    folder.write('project/package.json', '{}');
    folder.write('project/node_modules/else/package.json', '{}');
    folder.write('project/secret.json', '{ "type": "string" }');
    const file = api('../../../secret.json', 'project/node_modules/else/api/openapi.yaml');
    expect(thrownBy(() => loadApi(file, STRICT)).findings).toMatchObject([refused]);
  });
});

describe('a folder that is allowed', () => {
  test('lets every way in', () => {
    const shared = folder.write('shared/book', '{ "type": "string" }');
    for (const reference of ['../../shared/book', shared, pathToFileURL(shared).href])
      expect(loadApi(api(reference), { allowFiles: [folder.file('shared')] }).warnings).toStrictEqual([]);
  });

  test('lets in nothing beside it', () => {
    folder.write('shared-not/book.yaml', SECRET);
    folder.write('shared/book.yaml', SECRET);
    expect(
      thrownBy(() => loadApi(api('../../shared-not/book.yaml'), { ...STRICT, allowFiles: [folder.file('shared')] }))
        .findings,
    ).toMatchObject([refused]);
  });

  test('is one of createMockServer and of check as well', async () => {
    folder.write('shared/book.yaml', 'type: string');
    const file = api('../../shared/book.yaml');
    const allowFiles = [folder.file('shared')];
    await expect(createMockServer({ description: file, strict: true })).rejects.toThrow('--allow-files');
    await expect(createMockServer({ description: file, allowFiles })).resolves.toBeDefined();
    expect((await checkDescription({ description: file })).findings).toMatchObject([refused]);
    const { findings } = await checkDescription({ description: file, allowFiles });
    expect(findings.filter(({ rule }) => rule === 'ref-resolves')).toStrictEqual([]);
  });

  test.each([
    { allowFiles: ['no/such/folder'], message: 'does not exist' },
    { allowFiles: 'shared' as unknown as string[], message: 'must be an array of strings' },
  ])('is told when it is none: $allowFiles', async ({ allowFiles, message }) => {
    await expect(createMockServer({ description: api('book.yaml'), allowFiles })).rejects.toThrow(message);
  });
});

import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { compiledPath, loadApi } from '../../../src/adapters/node/load-api';
import { loadDescription } from '../../../src/adapters/node/load-description';
import { BUNDLED } from '../../../src/adapters/node/package-root';
import { SpecError } from '../../../src/errors/harness-error';
import { thrownBy } from '../../openapi/load-text';
import { temporaryFolder } from './temporary-folder';

const folder = temporaryFolder();
const GOOD = "openapi: 3.0.3\ninfo: { title: Library, version: '1' }\npaths: {}\n";

describe('a file that cannot be read', () => {
  test.each([
    ['does not exist', `${folder.path}/nothing.yaml`, 'does not exist'],
    ['has a file where a folder should be', `${folder.write('a-file', 'x')}/openapi.yaml`, 'does not exist'],
    ['is a folder', folder.path, 'is a folder, not a file'],
    [
      'is no UTF-8',
      folder.write('latin1.yaml', Buffer.from(GOOD.replace('Library', 'Bücherei'), 'latin1')),
      'is not UTF-8',
    ],
    ['is UTF-16', folder.write('utf16.yaml', Buffer.from(`\uFEFF${GOOD}`, 'utf16le')), 'is not UTF-8'],
  ])('because it %s', (_, file, reason) => {
    const error = thrownBy(() => loadDescription(file));
    expect(error).toBeInstanceOf(SpecError);
    expect(error.code).toBe('SPEC_UNREADABLE');
    expect(error.message).toContain(file);
    expect(error.message).toContain(reason);
    expect(error.hint).toBeDefined();
    expect(thrownBy(() => loadApi(file))).toMatchObject({ code: 'SPEC_UNREADABLE', message: error.message });
  });

  test('because it is far larger than any description', () => {
    const file = folder.write('large.yaml', GOOD);
    truncateSync(file, 64 * 1024 * 1024 + 1);
    const error = thrownBy(() => loadDescription(file));
    expect(error.code).toBe('SPEC_UNREADABLE');
    expect(error.message).toContain('67108865 bytes');
  });
});

describe('the bundled Petstore as the build compiled it', () => {
  const text = readFileSync(BUNDLED.description, 'utf8');

  it('is there, and an edited description is not taken for it', () => {
    expect(existsSync(compiledPath(text))).toBe(true);
    const edited = folder.write('petstore.yaml', text.replace('title: Petstore API', 'title: Edited API'));
    expect(loadApi(edited).api.title).toBe('Edited API');
  });

  it('is the same as its source', () => {
    const compiled = loadApi().api;
    const source = loadDescription().api;
    expect(compiled.document.root).toStrictEqual(source.document.root);
    expect(compiled.document.file).toBe(source.document.file);
    expect(compiled.operations.map(({ id }) => id)).toStrictEqual(source.operations.map(({ id }) => id));
    for (const { pointer } of source.operations) {
      expect(compiled.document.placeOf(pointer)).toStrictEqual(source.document.placeOf(pointer));
    }
    const pet = { id: 9223372036854775808n, name: 'Rex', categoryId: 1 };
    const judged = [compiled, source].map((api) => api.schemaAt('/components/schemas/Pet')!.validate('response')(pet));
    expect(judged[0]).toStrictEqual(judged[1]);
    expect(judged[0]).toHaveLength(1);
  });
});

test('a description that is not valid is refused by loadApi with the same findings', () => {
  const file = folder.write('invalid.yaml', 'openapi: 3.0.3\npaths: {}\n');
  const { findings } = thrownBy(() => loadDescription(file));
  expect(thrownBy(() => loadApi(file))).toMatchObject({ code: 'SPEC_INVALID', findings });
});

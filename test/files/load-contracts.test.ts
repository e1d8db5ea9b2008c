import { join } from 'node:path';
import { loadApi } from '../../src/files/load-api';
import { loadContracts } from '../../src/files/load-contracts';
import { StandinError } from '../../src/core/errors/standin-error';
import { temporaryFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '..', '..');
const { api } = loadApi();
const folder = temporaryFolder();
const here = process.cwd();
afterEach(() => {
  process.chdir(here);
});

/** As in a project that has the package installed: the bundled contracts are not below the current folder. */
function refusalElsewhere(path: string): StandinError {
  process.chdir(folder.path);
  try {
    loadContracts([path], api);
  } catch (error) {
    if (error instanceof StandinError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test.each(['contracts/core', './contracts/full/', 'contracts', 'contracts/full/pets-read.yaml'])(
  'where %s is not, the bundled one is named',
  (path) => {
    const { code, message, hint } = refusalElsewhere(path);
    expect({ code, message }).toEqual({ code: 'CONTRACT_UNREADABLE', message: `${path} does not exist` });
    expect(hint).toContain(`The bundled one is ${join(ROOT, path).replace(/\/$/, '')}; `);
  },
);

test.each(['contracts/mine.yaml', 'spec/petstore.yaml', '../contracts', '/contracts/core'])(
  'where %s is not, nothing bundled is meant',
  (path) => {
    expect(refusalElsewhere(path).hint).toBe('Name a contract file, or a folder of them.');
  },
);

test('a path below a file, and one that no file can have, are refused', () => {
  const below = `${folder.write('one.yaml', '')}/nothing`;
  expect(refusalElsewhere(below)).toMatchObject({ code: 'CONTRACT_UNREADABLE', message: `${below} does not exist` });
  const long = 'x'.repeat(5000);
  expect(refusalElsewhere(long).message).toBe(`${long} cannot be read (ENAMETOOLONG)`);
});

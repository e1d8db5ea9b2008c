import { join } from 'node:path';
import { loadApi } from '../../src/files/load-api';
import { loadContracts } from '../../src/files/load-contracts';
import { ContractError, StandinError } from '../../src/core/errors/standin-error';
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

describe('a folder of contracts', () => {
  const CONTRACT = 'standin: contract/1\nname: Pets\nsteps:\n  - operation: listPets\n    expect: { status: 200 }\n';
  const DESCRIPTION = 'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: {}\n';

  test('descriptions that stand in it are no contracts', () => {
    folder.write('recorded/pets.yaml', CONTRACT);
    folder.write('recorded/pets.openapi.yaml', DESCRIPTION);
    folder.write('recorded/old.json', '{"swagger":"2.0","info":{"title":"Old","version":"1"},"paths":{}}');

    const contracts = loadContracts([join(folder.path, 'recorded')], api);

    expect(contracts.map(({ name }) => name)).toEqual(['Pets']);
  });

  test('a description that is named is read as the contract that it is not', () => {
    const file = folder.write('named/pets.openapi.yaml', DESCRIPTION);

    expect(() => loadContracts([file], api)).toThrow(ContractError);
  });

  test('one that has nothing else says so', () => {
    folder.write('alone/pets.openapi.yaml', DESCRIPTION);

    const { code, message, hint } = refusalElsewhere('alone');

    expect({ code, message }).toEqual({ code: 'CONTRACT_UNREADABLE', message: 'alone holds no contract' });
    expect(hint).toBe(
      'Contracts are .yaml, .yml or .json files. There is 1 OpenAPI description, which is left out: alone/pets.openapi.yaml.',
    );
  });
});

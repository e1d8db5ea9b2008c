import { join } from 'node:path';
import { loadApi } from '../../../src/files/load-api';
import { loadContracts } from '../../../src/files/load-contracts';
import type { Exported } from '../../../src/traffic/exports/export-kind';
import { EXPORTS, type ExportName } from '../../../src/traffic/exports/registry';
import { temporaryFolder } from '../../support/temporary-folder';

export const PETSTORE = join(__dirname, '../../../spec/petstore.yaml');
export const CONTRACTS = join(__dirname, '../../../contracts');
export const CORE = join(CONTRACTS, 'core');
export const FULL = join(CONTRACTS, 'full');

/** A contract that makes something in the setup, looks at it, and removes it. */
export const SHOP = `
standin: contract/1
name: A pet and its category
setup:
  - name: add a category
    operation: createCategory
    body: { name: 'Dogs \${runId}' }
    expect: { status: 201, body: { name: 'Dogs \${runId}' } }
    capture: { categoryId: $response.body#/id }
steps:
  - name: add a pet
    operation: createPet
    body: { name: "O'Neil #1", categoryId: '\${categoryId}' }
    expect: { status: 201, headers: { Location: { $pattern: '/pets/[0-9]+$' } } }
    capture: { petId: $response.body#/id }
  - name: it is there
    operation: getPet
    parameters: { petId: '\${petId}' }
    expect:
      status: 200
      body: { id: '\${petId}', name: "O'Neil #1", status: { $enum: [available, pending] }, photo: { $absent: true } }
  - name: nobody sees it without a key
    operation: getPet
    auth: none
    parameters: { petId: '\${petId}' }
    expect: { status: 401 }
cleanup:
  - name: remove the category
    operation: deleteCategory
    parameters: { categoryId: '\${categoryId}' }
    expect: { status: [204, 404] }
  - name: remove the pet
    operation: deletePet
    parameters: { petId: '\${petId}' }
    expect: { status: [204, 404] }
`;

interface Where {
  readonly baseUrl?: string | undefined;
  readonly description?: string;
}

/** A contract in another format; it is in a file of its own while it is read. */
export function exported(
  name: ExportName,
  contract: string,
  { baseUrl, description = PETSTORE }: Where = {},
): Exported {
  const folder = temporaryFolder();
  try {
    return exportedFile(name, folder.write('contract.yaml', contract), { baseUrl, description });
  } finally {
    folder.remove();
  }
}

export function exportedFile(
  name: ExportName,
  file: string,
  { baseUrl, description = PETSTORE }: Where = {},
): Exported {
  const { api } = loadApi(description, {});
  const [contract] = loadContracts([file], api, {}, true);
  const context = { baseUrl: baseUrl ?? 'http://127.0.0.1:4010', version: '1.2.3', description };
  return EXPORTS[name].load().write(contract!, api, context);
}

/** What is lost, a line for each. */
export function lostOf({ lost }: Exported): string[] {
  return lost.map(({ step, what }) => `${step ?? 'all'}: ${what}`);
}

import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { loadApi } from '../../src/files/load-api';
import { loadContracts } from '../../src/files/load-contracts';
import type { Contract, Step } from '../../src/formats/contract/contract';
import { operationOfStep } from '../../src/runner/steps/step-request';

export const ROOT = join(__dirname, '..', '..');
export const API = loadApi(join(ROOT, 'spec', 'petstore.yaml')).api;

/** Files of `contracts/core` or `contracts/full`, from the root of the package. */
export function filesOf(folder: 'core' | 'full'): string[] {
  const path = join(ROOT, 'contracts', folder);
  return readdirSync(path)
    .sort()
    .map((name) => relative(ROOT, join(path, name)));
}

export function contractsOf(folder: 'core' | 'full'): Contract[] {
  return loadContracts([join(ROOT, 'contracts', folder)], API);
}

/** Steps of all phases, each with the id of the operation that answers it. */
export function callsOf(contracts: readonly Contract[]): { readonly step: Step; readonly operation: string }[] {
  return contracts
    .flatMap(({ setup, steps, cleanup }) => [...setup, ...steps, ...cleanup])
    .map((step) => ({ step, operation: operationOfStep({ api: API }, step)?.id ?? 'none' }));
}

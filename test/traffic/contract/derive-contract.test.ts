import { loadApi } from '../../../src/files/load-api';
import { runContract } from '../../../src/library/run-contract';
import type { RunResult } from '../../../src/runner/result/run-result';
import { contractText } from '../../../src/traffic/contract/contract-text';
import { type Derivation, deriveContract } from '../../../src/traffic/contract/derive-contract';
import type { CleanExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { createSecondPetstore } from '../../second-petstore/index';
import { recordSession } from '../../support/recorded-traffic';
import { startServer } from '../../support/server';
import { temporaryFolder } from '../../support/temporary-folder';
import { petstoreSession } from '../petstore-session';
import { problemsOf } from '../../support/failure-lines';

const folder = temporaryFolder();
const { api } = loadApi();

function derive(exchanges: readonly CleanExchange[], second?: readonly CleanExchange[]): Derivation {
  return deriveContract({ api, exchanges, second, basePath: '', name: 'Recorded', header: [] });
}

async function replay(file: string, baseUrl: string): Promise<RunResult> {
  return runContract({ contracts: file, baseUrl, mode: 'own', apiKey: 'test-key', probesAuth: false });
}

let exchanges: CleanExchange[];
beforeAll(async () => {
  const recorded = await startServer({});
  exchanges = await recordSession(recorded.url, petstoreSession);
  await recorded.close();
});

test('a recorded session is replayed in mode own at a fresh mock and at a server with other ids, and nothing is left', async () => {
  const file = folder.write('recorded.yaml', contractText(derive(exchanges).draft));
  const mock = await startServer({});
  const first = await replay(file, mock.url);
  await mock.close();
  expect(problemsOf(first)).toEqual([]);
  expect(first.outcome).toBe('conforms');
  const second = createSecondPetstore({ scatteredIds: true });
  const other = await replay(file, await second.listen());
  await second.close();
  expect(problemsOf(other)).toEqual([]);
  expect(other.outcome).toBe('conforms');
});

test('the same recording gives the same bytes', () => {
  expect(contractText(derive(exchanges).draft)).toBe(contractText(derive(structuredClone(exchanges)).draft));
});

test('no recorded id, key or name of a run stands in the contract', () => {
  const text = contractText(derive(exchanges).draft);
  expect(text).not.toMatch(/~secret|test-key/);
  expect(text).toContain('Hazel ${runId}');
  expect(text).toMatch(/petId: '\$\{petId(?:_\d)?\}'/);
});

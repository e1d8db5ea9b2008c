import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadApi } from '../../../src/files/load-api';
import { generateContracts } from '../../../src/generated/generate-contracts';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import type { RecordedContract } from './recorded';

/** What is generated from the description alone, as files. */
export function generatedContracts(): RecordedContract {
  const folder = mkdtempSync(join(tmpdir(), 'standin-generated-'));
  const { api } = loadApi();
  for (const [index, contract] of generateContracts(api, { seed: '1' }).entries())
    writeFileSync(join(folder, `${index}.json`), stringifyJson(contract));
  return {
    file: folder,
    remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

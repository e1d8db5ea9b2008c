import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadApi } from '../../../src/files/load-api';
import { contractText } from '../../../src/traffic/contract/contract-text';
import { deriveContract } from '../../../src/traffic/contract/derive-contract';
import { recordSession } from '../../support/recorded-traffic';
import { petstoreSession } from '../../traffic/petstore-session';
import { TARGETS } from './targets';

/** Makes a contract of one session at the mock, as somebody would click it in two minutes. @returns its file */
export async function recordedContract(): Promise<string> {
  const target = await TARGETS.mock(false);
  try {
    const exchanges = await recordSession(target.url, petstoreSession);
    const { draft } = deriveContract({ api: loadApi().api, exchanges, basePath: '', name: 'Recorded', header: [] });
    const file = join(mkdtempSync(join(tmpdir(), 'standin-recorded-')), 'recorded.yaml');
    writeFileSync(file, contractText(draft));
    return file;
  } finally {
    await target.close();
  }
}

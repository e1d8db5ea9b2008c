import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageVersion } from '../../../src/files/file-access';
import { loadApi } from '../../../src/files/load-api';
import { RECORD_TOOLS } from '../../../src/library/record-tools';
import { recordTraffic } from '../../../src/library/record-traffic';
import { sdkSession } from '../../traffic/round-trip/sdk-session';
import { TARGETS } from './targets';

const DESCRIPTION = join(__dirname, '..', '..', '..', 'spec', 'petstore.yaml');

/** Contracts in a folder of their own. */
export interface MadeContracts {
  /** Of the contract, or the folder. */
  readonly file: string;
  /** Removes the folder. */
  remove(): void;
}

/** Makes a contract of what a client does in one session at the mock, through the proxy, as `standin record` does. */
export async function recordedContract(): Promise<MadeContracts> {
  const folder = mkdtempSync(join(tmpdir(), 'standin-recorded-'));
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  const target = await TARGETS.mock(false);
  try {
    const { api } = loadApi();
    const out = join(folder, 'recorded.yaml');
    const options = { target: target.url, out, description: DESCRIPTION };
    const vault = RECORD_TOOLS.createCleaner(api, options);
    const recorder = await recordTraffic({
      ...{ ...options, host: '127.0.0.1', port: 0, file: join(folder, 'recorded.recording.ndjson') },
      version: packageVersion(),
      cleaner: vault,
      onNotice: (text) => process.stderr.write(`${text}\n`),
    });
    try {
      await sdkSession(recorder.url);
    } finally {
      await recorder.close();
    }
    const {
      file,
      target: { path: basePath },
    } = recorder;
    await RECORD_TOOLS.deriveContract({ options, file, earlier: undefined, api, basePath }, vault);
    return { file: out, remove };
  } catch (error) {
    remove();
    throw error;
  } finally {
    await target.close();
  }
}

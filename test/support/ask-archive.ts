import { runContract } from '../../src/library/run-contract';
import type { RunContractOptions } from '../../src/library/run-options';
import type { RunResult } from '../../src/runner/result/run-result';
import type { Archive } from './archive';
import { ARCHIVE } from './archive';
import { temporaryFolder } from './temporary-folder';
import { failureLines } from './failure-lines';

/** Of the archive; two callers are known, and one of them is the other. */
export const description = temporaryFolder().write('archive.json', ARCHIVE);

/** How an archive is asked, unless told otherwise. */
export const OPTIONS = {
  description,
  generate: ['credentials'],
  probesAuth: false,
  concurrency: 1,
  seed: 1,
  apiKey: 'key-of-owner',
  identities: { other: 'key-of-other' },
} satisfies Partial<RunContractOptions>;

/** Runs at an archive what is generated for several callers. */
export async function ask(archive: Archive, more: Partial<RunContractOptions> = {}): Promise<RunResult> {
  const { url, close } = await archive.listen();
  try {
    return await runContract({ ...OPTIONS, baseUrl: url, ...more });
  } finally {
    await close();
  }
}

/** A line for each: step, check, message. */
export const findings = (result: RunResult): string[] =>
  failureLines(result, ({ name }, { check, message }) => `${name}: ${check}: ${message}`);

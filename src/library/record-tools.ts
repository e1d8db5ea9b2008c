import { readLines } from '../files/line-file';
import type { ApiModel } from '../openapi/model/api-model';
import type { RunResult } from '../runner/result/run-result';
import { pathOfTarget, verifyCommand } from '../traffic/contract/contract-of-traffic';
import { createJudge } from '../traffic/drift/judge';
import { readRecordingLines } from '../traffic/exchange/recording-lines';
import { emptyApi } from '../traffic/secrets/exchange-operation';
import { createSecretVault, type SecretVault } from '../traffic/secrets/secret-vault';
import { cleanRecordingAgain } from './clean-recording';
import { describeWritten, writeContractFromTraffic } from './contract-from-traffic';
import type { RecordOptions } from './record-options';
import type { LiveJudge } from './record-traffic';

/** Judges traffic as it comes, and sums it up. */
export interface RecordingJudge extends LiveJudge {
  /** Everything that was judged so far. */
  result(): RunResult;
}

/** What a judge is made of. */
export interface RecordingJudgeInput {
  readonly api: ApiModel;
  /** Scheme, host, port and the path of the target. */
  readonly baseUrl: string;
  readonly version: string;
  /** Of the result; different in each recording. */
  readonly runId: string;
  /** File of the recording. */
  readonly source: string;
}

/** A recording that has ended. */
export interface EndedRecording {
  readonly options: RecordOptions;
  /** File of the recording; `readRecordingLines(readLines(file), file)` reads it. */
  readonly file: string;
  /** That of the recording before, where what is new is to be brought into its contract. */
  readonly earlier: string | undefined;
  /** `undefined` where none was named. */
  readonly api: ApiModel | undefined;
  /** Path of the target before every path of the description, without a slash at the end. */
  readonly basePath: string;
  /** Where the contract is to be replayed; at the target when left out. */
  readonly baseUrl?: string | undefined;
}

/** What is made of recorded traffic. */
export interface RecordTools {
  readonly createCleaner: (api: ApiModel | undefined, options: RecordOptions) => SecretVault;
  createJudge?: ((input: RecordingJudgeInput) => RecordingJudge) | undefined;
  /** Writes the contract. @returns lines that say what was written, and what to do with it */
  readonly deriveContract: (recording: EndedRecording, vault: SecretVault) => Promise<readonly string[]>;
}

export const RECORD_TOOLS: RecordTools = {
  createCleaner: createVault,
  createJudge,
  async deriveContract({ api, baseUrl, file, options }, vault) {
    cleanRecordingAgain(file, vault);
    const { exchanges } = readRecordingLines(readLines(file), file);
    const { twice } = options;
    const second = twice === undefined ? [] : readRecordingLines(readLines(twice), twice).exchanges;
    const written = await writeContractFromTraffic({ ...options, api, baseUrl, exchanges, second, vault });
    const recordedAt = `${new URL(options.target).origin}${written.basePath}`;
    const command = verifyCommand(written.files[0] ?? options.out, written, baseUrl ?? recordedAt);
    return [...describeWritten(written), ...describeAnonymised(vault), '', `Replay it: ${command}`];
  },
};

/** What knows the secrets, and the personal data where that is asked for, of one recording. */
export function createVault(
  api: ApiModel | undefined,
  options: Pick<RecordOptions, 'secretHeaders' | 'secretPointers' | 'anonymise'> & {
    readonly target?: string | undefined;
  },
): SecretVault {
  const { target, secretHeaders, secretPointers, anonymise } = options;
  const basePath = pathOfTarget(target);
  return createSecretVault({ api: api ?? emptyApi(), basePath, secretHeaders, secretPointers, anonymise });
}

/** How much personal data was replaced, in lines for the terminal. */
export function describeAnonymised(vault: SecretVault): string[] {
  const replaced = vault.anonymised();
  if (replaced.length === 0) return [];
  return [`Made up in place of personal data: ${replaced.map(({ kind, count }) => `${kind} ${count}`).join(', ')}`];
}

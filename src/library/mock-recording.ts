import { rmSync } from 'node:fs';
import { ConfigError } from '../core/errors/standin-error';
import { counted } from '../core/text/printable';
import { packageVersion } from '../files/file-access';
import type { Mock } from '../mock/create-mock';
import type { ApiModel } from '../openapi/model/api-model';
import type { MockRecording, StoppedRecording } from '../server/controls/recording-controls';
import { descriptionName, servedApi } from '../server/controls/served-api';
import { type RecordedExchange, secretMark, type SecretUse } from '../traffic/exchange/recorded-exchange';
import type { SecretVault } from '../traffic/secrets/secret-vault';
import type { CreateMockServerOptions } from './mock-options';
import { RECORD_TOOLS, type RecordTools } from './record-tools';
import {
  makeRoom,
  recordedText,
  RecordingFile,
  recordingFileOf,
  type RecordingFlags,
  requireFree,
} from './recording-file';

/** Where a mock records to. */
export interface RecordingPlace {
  readonly file: string;
  /** `undefined` for a recording alone. */
  readonly contract: string | undefined;
}

const FLAGS: RecordingFlags = { out: '--record', update: '--update', force: '--force' };

/**
 * Looks whether a mock may record, before anything is loaded.
 *
 * @throws ConfigError for a name that cannot be used, and for a file that is in the way
 */
export function recordingPlace(record: string, choice: CreateMockServerOptions): RecordingPlace {
  const isAlone = /[^/\\]\.ndjson$/i.test(record);
  const file = isAlone ? record : recordingFileOf(record);
  if (file === undefined) {
    throw new ConfigError('CONFIG_INVALID', `--record names "${record}", which is no name of a contract`, {
      hint: 'A contract ends in .yaml, .yml or .json: contracts/new.yaml; a recording alone in .ndjson.',
    });
  }
  if (isAlone && choice.update === true) {
    throw new ConfigError('CONFIG_INVALID', `--update brings a recording into a contract, and ${record} is none`, {
      hint: 'Name the contract with --record, or leave --update out.',
    });
  }
  const place = { file, contract: isAlone ? undefined : record };
  requireFree(choice, file, place.contract, FLAGS);
  return place;
}

/** What a recording of a mock is made with. */
export interface MockRecordingInput {
  readonly place: RecordingPlace;
  readonly options: CreateMockServerOptions;
  readonly api: ApiModel;
  /** The mock as it is now. */
  readonly current: () => Mock;
  readonly onNotice: (text: string) => void;
}

/** A recording that can be begun, when nothing else can go wrong any more. */
export interface StartableRecording extends MockRecording {
  /** @throws ConfigError where its file cannot be written */
  start(): void;
}

/** Prepares a recording; nothing is touched before it is started. */
export function createMockRecording(input: MockRecordingInput, tools: RecordTools = RECORD_TOOLS): StartableRecording {
  const { place, options, onNotice } = input;
  const { secretHeaders, secretPointers, anonymise } = options;
  const newVault = (api: ApiModel): SecretVault =>
    tools.createCleaner(api, { target: '', out: '', secretHeaders, secretPointers, anonymise });
  const vault = new VaultChain(newVault(input.api));
  const origins = new Map<string, number>();
  let recording: RecordingFile | undefined;
  let earlier: string | undefined;
  let changes = 0;
  let stopped: Promise<StoppedRecording> | undefined;
  const stop = async (): Promise<StoppedRecording> => {
    recording?.close();
    const { lost = 0, written = 0, unanswered = 0 } = recording ?? {};
    const facts = { recording: place.file, exchanges: written, lost };
    if (recording === undefined || written + lost === 0) {
      rmSync(place.file, { force: true });
      return { ...facts, contract: undefined, lines: ['Nothing was asked of the mock, so that nothing is recorded.'] };
    }
    const lines = [`${recordedText(recording)}.`, ...(changes === 0 ? [] : [changedByHand(changes)])];
    const { contract } = place;
    if (contract === undefined || written === unanswered) return { ...facts, contract: undefined, lines };
    const made = await tools.deriveContract(endedRecording(input, contract, earlier, origins), vault);
    return { ...facts, contract, lines: [...lines, ...made] };
  };
  return {
    start() {
      earlier = makeRoom(options, place.file);
      const header = { version: packageVersion(), description: descriptionName(input.api) };
      recording = new RecordingFile({ file: place.file, cleaner: vault, header, flags: FLAGS, onNotice });
    },
    onExchange(exchange) {
      if (stopped !== undefined) return;
      origins.set(exchange.origin, (origins.get(exchange.origin) ?? 0) + 1);
      recording?.write([exchange]);
    },
    follow(api) {
      vault.add(newVault(api));
    },
    noteChange() {
      if (stopped === undefined && origins.size > 0) changes += 1;
    },
    stop: () => (stopped ??= stop()),
  };
}

function changedByHand(changes: number): string {
  return `The state was changed ${changes === 1 ? 'once' : counted(changes, 'time')} by others than the recorded requests (reset, load, undo, …): steps behind that may rest on it.`;
}

type Ended = Parameters<RecordTools['deriveContract']>[0];

/** Requests in a sandbox are those of another origin: the contract is of the one with most. */
function endedRecording(
  { place, options, current }: MockRecordingInput,
  out: string,
  earlier: string | undefined,
  origins: ReadonlyMap<string, number>,
): Ended {
  const { update, force, secretHeaders, secretPointers, anonymise, twice } = options;
  const api = servedApi(current());
  const { basePath } = api;
  const [origin = ''] = [...origins.keys()].toSorted(
    (one, other) => (origins.get(other) ?? 0) - (origins.get(one) ?? 0),
  );
  const { port } = new URL(origin);
  const target = `${origin}${basePath}`;
  const description = descriptionName(api);
  return {
    ...{ file: place.file, earlier, api, basePath },
    options: { target, out, description, update, force, secretHeaders, secretPointers, anonymise, twice },
    baseUrl: `http://127.0.0.1:${port === '' ? '80' : port}${basePath}`,
  };
}

/** The vaults of all descriptions that the mock had: what one of them knows for a secret, stays one. */
class VaultChain implements SecretVault {
  private readonly vaults: SecretVault[];
  /** In the order in which they were met, whichever vault did. */
  private readonly met = new Map<string, SecretUse>();

  constructor(first: SecretVault) {
    this.vaults = [first];
  }

  add(vault: SecretVault): void {
    for (const { name } of this.uses()) vault.knowMarks(secretMark(name));
    this.vaults.push(vault);
  }

  clean(exchange: RecordedExchange): ReturnType<SecretVault['clean']> {
    const [first, ...others] = this.vaults as [SecretVault, ...SecretVault[]];
    return others.reduce((clean, vault) => vault.clean(clean), first.clean(exchange));
  }

  cleanAll(exchanges: readonly RecordedExchange[]): ReturnType<SecretVault['cleanAll']> {
    const [first, ...others] = this.vaults as [SecretVault, ...SecretVault[]];
    return others.reduce((clean, vault) => vault.cleanAll(clean), first.cleanAll(exchanges));
  }

  knowMarks(text: string): void {
    for (const vault of this.vaults) vault.knowMarks(text);
  }

  uses(): readonly SecretUse[] {
    for (const use of this.vaults.flatMap((vault) => vault.uses()))
      if (!this.met.has(use.name)) this.met.set(use.name, use);
    return [...this.met.values()];
  }

  anonymised(): ReturnType<SecretVault['anonymised']> {
    return this.vaults.flatMap((vault) => vault.anonymised());
  }

  scan(text: string): ReturnType<SecretVault['scan']> {
    return this.vaults.flatMap((vault) => vault.scan(text));
  }

  assertClean(file: string, text: string): void {
    for (const vault of this.vaults) vault.assertClean(file, text);
  }
}

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf, ConfigError, messageOf } from '../core/errors/standin-error';
import { counted, toPaste } from '../core/text/printable';
import { createLineFile, type LineFile } from '../files/line-file';
import type { CleanExchange, RecordedExchange, SecretUse } from '../traffic/exchange/recorded-exchange';
import { exchangeLine, headerLine, type RecordingHeader } from '../traffic/exchange/recording-lines';

/** Replaces the secrets of what is recorded, before anything of it is kept. */
export interface Cleaner {
  clean(exchange: RecordedExchange): CleanExchange;
  /** All secrets so far, in the order in which they were met. */
  uses(): readonly SecretUse[];
}

/** What may be in the way of a recording. */
export interface RecordingChoice {
  /** Is what is recorded to go into the contract that is there? */
  readonly update?: boolean | undefined;
  /** May a contract and a recording that are there be written over? */
  readonly force?: boolean | undefined;
}

/** How options are called where the user gave them: `--out`, `record`. */
export interface RecordingFlags {
  readonly out: string;
  readonly update: string;
  readonly force: string;
}

/** `contracts/new.recording.ndjson` for `contracts/new.yaml`; `undefined` for what no contract is called. */
export function recordingFileOf(contract: string): string | undefined {
  const [, stem = ''] = /^(.*[^/\\])\.(?:ya?ml|json)$/i.exec(contract) ?? [];
  return stem === '' ? undefined : `${stem}.recording.ndjson`;
}

/**
 * Nothing that somebody made goes without a word.
 *
 * @param contract - `undefined` where none is made
 * @throws ConfigError
 */
export function requireFree(
  { update, force }: RecordingChoice,
  file: string,
  contract: string | undefined,
  flags: RecordingFlags,
): void {
  if (update === true && force === true) {
    throw new ConfigError('CONFIG_INVALID', `${flags.update} keeps the contract that ${flags.force} writes over`, {
      hint: 'Give one of them.',
    });
  }
  if (update === true || force === true) return;
  if (contract !== undefined && existsSync(contract)) {
    throw new ConfigError('CONFIG_INVALID', `The contract ${contract} is there already`, {
      hint: `${flags.update} brings what is new into it, ${flags.force} writes over it; or name another one with ${flags.out}.`,
    });
  }
  if (existsSync(file)) throw recordingThere(file, contract, flags);
}

function recordingThere(file: string, contract: string | undefined, { force }: RecordingFlags): ConfigError {
  const [lone, made] = contract === undefined ? ['', 'a contract'] : [', and its contract is not', 'it'];
  return new ConfigError('CONFIG_INVALID', `The recording ${file} is there already${lone}`, {
    hint: `${toPaste(`standin import ${file} --out ${contract ?? 'contracts/NAME.yaml'}`)} makes ${made} of that; ${force} records anew.`,
  });
}

/**
 * Moves away the recording that is there: with it the contract can be told from what people changed in it.
 *
 * @returns where it is now
 */
export function makeRoom({ update }: RecordingChoice, file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  if (update !== true) {
    rmSync(file);
    return undefined;
  }
  const earlier = file.replace(/\.ndjson$/, '.before.ndjson');
  renameSync(file, earlier);
  return earlier;
}

/** What a recording is made with. */
export interface RecordingFileOptions {
  /** There must be none yet. */
  readonly file: string;
  readonly cleaner: Cleaner;
  /** What the first line says, beside the target. */
  readonly header: Omit<RecordingHeader, 'target' | 'startedAt' | 'secrets'>;
  /** How options are called, for the hints of messages. */
  readonly flags: RecordingFlags;
  readonly onNotice: (text: string) => void;
}

/** An exchange without its secrets, and how many of those were known behind it. */
interface CleanedExchange {
  readonly exchange: CleanExchange;
  readonly secrets: number;
}

/** A recording that is being written as exchanges come. */
export class RecordingFile {
  readonly file: string;
  /** How many exchanges are in the file, how many could not be written, and how many have no response. */
  written = 0;
  lost = 0;
  unanswered = 0;
  private readonly lines: LineFile;
  private readonly options: RecordingFileOptions;
  private knownSecrets = 0;
  private hasBegun = false;
  private isFull = false;

  /** @throws ConfigError for a file that cannot be written, or is there already */
  constructor(options: RecordingFileOptions) {
    this.file = options.file;
    this.options = options;
    this.lines = createFile(options.file, options.flags);
  }

  /** Writes the first line, as the first exchange does by itself. @throws what the file system throws */
  begin(target: string): void {
    const { cleaner, header } = this.options;
    const secrets = cleaner.uses();
    this.lines.append(headerLine({ target, startedAt: new Date().toISOString(), ...header, secrets }));
    this.knownSecrets = secrets.length;
    this.hasBegun = true;
  }

  /**
   * Writes exchanges without their secrets, all at once. What cannot be cleaned or written is counted and told of, and
   * nothing is thrown.
   *
   * @returns those that could be cleaned
   */
  write(recorded: readonly RecordedExchange[]): readonly CleanExchange[] {
    const cleaned = recorded.map((each) => this.cleaned(each)).filter((each) => each !== undefined);
    if (!this.append(cleaned)) for (const each of cleaned) if (!this.append([each])) this.lost += 1;
    this.unanswered += cleaned.filter(({ exchange }) => exchange.response === undefined).length;
    return cleaned.map(({ exchange }) => exchange);
  }

  private cleaned(recorded: RecordedExchange): CleanedExchange | undefined {
    const { cleaner, onNotice } = this.options;
    try {
      const exchange = cleaner.clean(recorded);
      return { exchange, secrets: cleaner.uses().length };
    } catch (error) {
      this.lost += 1;
      onNotice(`Exchange ${recorded.source} could not be recorded, by a defect of standin: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** @returns false where nothing could be written: of a disk that is full it is told once, and the client goes on */
  private append(cleaned: readonly CleanedExchange[]): boolean {
    const [first] = cleaned;
    if (first === undefined) return true;
    try {
      if (!this.hasBegun) this.begin(first.exchange.origin);
      const uses = this.options.cleaner.uses();
      let known = this.knownSecrets;
      const lines = cleaned.map(({ exchange, secrets }) => {
        const line = exchangeLine(exchange, uses.slice(known, secrets));
        known = Math.max(known, secrets);
        return line;
      });
      this.lines.append(...lines);
      this.written += lines.length;
      this.knownSecrets = known;
      return true;
    } catch (error) {
      if (!this.isFull)
        this.options.onNotice(`${this.file} cannot be written (${messageOf(error)}): what comes now is not recorded`);
      this.isFull = true;
      return false;
    }
  }

  close(): void {
    this.lines.close();
  }
}

/** How a recording ended: `12 exchanges in FILE, 1 of them without a response`. */
export function recordedText({ written, file, unanswered, lost }: RecordedFigures): string {
  return [
    `${counted(written, 'exchange')} in ${file}`,
    ...(unanswered === 0 ? [] : [`${unanswered} of them without a response`]),
    ...(lost === 0 ? [] : [`${lost} more could not be written`]),
  ].join(', ');
}

/** What became of the exchanges of a recording. */
export type RecordedFigures = Pick<RecordingFile, 'file' | 'written' | 'lost' | 'unanswered'>;

/** @throws ConfigError `CONFIG_INVALID` */
function createFile(file: string, flags: RecordingFlags): LineFile {
  try {
    mkdirSync(dirname(resolve(file)), { recursive: true });
    return createLineFile(file);
  } catch (cause) {
    const isThere = codeOf(cause) === 'EEXIST' && existsSync(file);
    const message = isThere
      ? `The recording ${file} is there already`
      : `The recording ${file} cannot be written: ${messageOf(cause)}`;
    const hint = isThere
      ? `${toPaste(`standin import ${file}`)} makes a contract of it; ${flags.force} writes over it.`
      : `Name another file with ${flags.out}: the recording stands beside it.`;
    throw new ConfigError('CONFIG_INVALID', message, { hint, cause });
  }
}

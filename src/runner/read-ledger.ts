import { ConfigError } from '../errors/harness-error';
import { LEDGER_FORMAT, type LedgerEntry } from './ledger';

type Start = Extract<LedgerEntry, { kind: 'run' }>;

/** A ledger file, read. */
export interface LedgerContent {
  readonly start: Start;
  readonly entries: readonly LedgerEntry[];
}

/**
 * Reads the lines of a ledger. The last line may be cut: a crash in the middle of writing it says that what it
 * announces was never sent.
 *
 * @throws ConfigError `CONFIG_INVALID` when it is no ledger of this version
 */
export function readLedger(text: string, file: string): LedgerContent {
  const lines = text.split('\n').filter((line) => line !== '');
  const entries = lines.map((line, index) => readEntry(line, file, index + 1, lines.length));
  const [start] = entries;
  const format: string | undefined = start?.kind === 'run' ? start.format : undefined;
  if (start?.kind !== 'run' || format !== LEDGER_FORMAT) {
    throw new ConfigError('CONFIG_INVALID', `${file} is no ledger of this version`, {
      hint: `Its first line has "format":"${LEDGER_FORMAT}".`,
    });
  }
  return { start, entries: entries.filter((entry) => entry !== undefined) };
}

function readEntry(line: string, file: string, number: number, count: number): LedgerEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && 'kind' in value) return value as LedgerEntry;
  } catch (error) {
    if (number === count && number > 1) return undefined;
    throw noLine(file, number, error);
  }
  throw noLine(file, number);
}

function noLine(file: string, number: number, cause?: unknown): ConfigError {
  return new ConfigError('CONFIG_INVALID', `${file}:${number} is no line of a ledger`, {
    hint: 'standin verify writes ledgers, one line of JSON for each entry: standin-ledger-RUN.ndjson.',
    cause,
  });
}

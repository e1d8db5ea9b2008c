import { ConfigError } from '../errors/harness-error';
import { MODES } from '../runner/run-result';
import type { RunContractOptions } from './run-contract';

type Checked = Partial<
  Pick<
    RunContractOptions,
    'mode' | 'concurrency' | 'shard' | 'seed' | 'timeoutMs' | 'waitReadyMs' | 'retries' | 'ratePerSecond'
  >
>;

/** What a number may be. */
interface Range {
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
}

const RANGES: Readonly<Record<Exclude<keyof Checked, 'mode' | 'shard'>, Range>> = {
  concurrency: { least: 1, most: 1000, isWhole: true },
  seed: { least: 0, most: Number.MAX_SAFE_INTEGER, isWhole: true },
  timeoutMs: { least: 1, most: 3_600_000, isWhole: false },
  waitReadyMs: { least: 0, most: 3_600_000, isWhole: false },
  retries: { least: 0, most: 1000, isWhole: true },
  ratePerSecond: { least: 0.01, most: 100_000, isWhole: false },
};

/**
 * Looks at the options that are no files: a number that is none would run nothing, or without an end. The command line
 * has the same limits.
 *
 * @throws ConfigError `CONFIG_INVALID`
 */
export function checkOptions(options: Checked): void {
  for (const [name, range] of Object.entries(RANGES) as [keyof typeof RANGES, Range][]) {
    const value = options[name];
    if (value === undefined || isWithin(value, range)) continue;
    const { least, most, isWhole } = range;
    throw refusal(name, `expected a ${isWhole ? 'whole number' : 'number'} from ${least} to ${most}`);
  }
  const { mode, shard } = options;
  if (mode !== undefined && !MODES.includes(mode)) throw refusal('mode', `expected one of ${MODES.join(', ')}`);
  if (shard === undefined) return;
  const { index, count } = shard;
  if (![index, count].every((part) => isWithin(part, { least: 1, most: 9999, isWhole: true })) || index > count) {
    throw refusal('shard', 'expected { index, count }, counted from 1 and index at most count');
  }
}

function isWithin(value: number, { least, most, isWhole }: Range): boolean {
  return value >= least && value <= most && (!isWhole || Number.isInteger(value));
}

function refusal(name: string, expected: string): ConfigError {
  return new ConfigError('CONFIG_INVALID', `The option ${name} cannot be used: ${expected}`);
}

import pc from 'picocolors';
import { runContract } from '../adapters/run-contract';
import { ConfigError, TransportError, type HarnessError } from '../errors/harness-error';
import { formatPlace } from '../errors/source-finding';
import { DEFAULT_API_KEY } from '../mock/options';
import type { KeyInShell } from '../report/shell-command';
import { formatTextReport } from '../report/text-report';
import { allSteps, type Outcome, type RunResult } from '../runner/run-result';
import { EXIT } from './main';
import type { VerifyFlags } from './verify-command';

const EXIT_CODES: Readonly<Record<Outcome, number>> = {
  conforms: EXIT.ok,
  violations: EXIT.violations,
  'cannot-judge': EXIT.usage,
  inconclusive: EXIT.unreachable,
  'left-behind': EXIT.leftBehind,
};

/** Variable that has the key when nothing else is said, and that the commands of the report take it from. */
const KEY_NAME = 'STANDIN_API_KEY';

/**
 * Replays contracts and writes the report to stdout.
 *
 * @returns the exit code
 * @throws HarnessError for what cannot be used, and for a target that never answered
 */
export async function verify(contracts: readonly string[], flags: VerifyFlags): Promise<number> {
  const { baseUrl, spec, timeout, allowWrites } = flags;
  const options = {
    baseUrl,
    contracts,
    description: spec,
    apiKey: readKey(flags),
    allowWrites,
    timeoutMs: timeout * 1000,
  };
  const result = await runContract(options, {
    warn(finding) {
      process.stderr.write(`warning ${formatPlace(finding)} ${finding.rule}: ${finding.message}\n`);
    },
  });
  const silence = neverAnswered(result);
  if (silence !== undefined) throw silence;
  process.stdout.write(formatTextReport(result, pc.isColorSupported && process.stdout.isTTY, keyInShell(flags)));
  return EXIT_CODES[result.outcome];
}

/** @throws ConfigError when the variable that was named has no key */
function readKey({ apiKey, apiKeyEnv }: VerifyFlags): string | undefined {
  if (apiKey !== undefined) return apiKey;
  const value = process.env[apiKeyEnv ?? KEY_NAME];
  if (value !== undefined && value !== '') return value;
  if (apiKeyEnv === undefined) return undefined;
  throw new ConfigError('CONFIG_INVALID', `The variable ${apiKeyEnv} is not set`, {
    hint: '--api-key-env takes the name of a variable that holds the key.',
  });
}

/** Where the shell of the user has the key for the commands of the report; the report itself never shows it. */
function keyInShell(flags: VerifyFlags): KeyInShell {
  if (flags.apiKey !== undefined)
    return { kind: 'export', command: `export ${KEY_NAME}=…  # the key that --api-key gave` };
  if (flags.apiKeyEnv !== undefined && flags.apiKeyEnv !== KEY_NAME)
    return { kind: 'export', command: `export ${KEY_NAME}="$${flags.apiKeyEnv}"` };
  return readKey(flags) === undefined ? { kind: 'well-known', key: DEFAULT_API_KEY } : { kind: 'set' };
}

/** Why nothing at all was answered, when that is so: one cause, told once instead of once for each step. */
function neverAnswered(result: RunResult): HarnessError | undefined {
  const steps = allSteps(result);
  if (steps.some(({ status }) => status !== undefined)) return undefined;
  for (const { verdict } of steps) {
    if (verdict.kind === 'error' && verdict.error.code.startsWith('TRANSPORT_')) return new TransportError(verdict.error.code, verdict.error.message, { hint: verdict.error.hint });
  }
  return undefined;
}

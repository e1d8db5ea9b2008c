import pc from 'picocolors';
import { runContract, type RunContractOptions } from '../adapters/run-contract';
import { ConfigError, TransportError, type HarnessError } from '../errors/harness-error';
import { formatPlace } from '../errors/source-finding';
import { isLoopbackHost } from '../http/host';
import { exitCodeOf } from '../report/exit-code';
import { formatPlan } from '../report/plan-text';
import { formatTextReport } from '../report/text-report';
import type { Plan } from '../runner/plan';
import { allSteps, type RunResult } from '../runner/run-result';
import { keyInShell, readIdentities, readKey } from './api-keys';
import { confirm } from './confirm';
import { stopOnInterrupt } from './interrupt';
import type { VerifyFlags } from './verify-command';

/**
 * Replays contracts and writes the report to stdout.
 *
 * @returns the exit code
 * @throws HarnessError for what cannot be used, and for a target that never answered
 */
export async function verify(contracts: readonly string[], flags: VerifyFlags): Promise<number> {
  const interrupt = stopOnInterrupt();
  try {
    const result = await runContract(toOptions(contracts, flags, interrupt.signal), {
      warn(finding) {
        process.stderr.write(`warning ${formatPlace(finding)} ${finding.rule}: ${finding.message}\n`);
      },
      onPlan: (plan) => agree(plan, flags),
    });
    const silence = neverAnswered(result);
    if (silence !== undefined) throw silence;
    const isColoured = pc.isColorSupported && process.stdout.isTTY;
    process.stdout.write(formatTextReport(result, isColoured, keyInShell(flags)));
    return exitCodeOf(result.outcome);
  } finally {
    interrupt.release();
  }
}

function toOptions(contracts: readonly string[], flags: VerifyFlags, signal: AbortSignal): RunContractOptions {
  const { baseUrl, spec, timeout, waitReady, mode, only, skip, concurrency, shard, seed } = flags;
  return {
    baseUrl,
    contracts,
    description: spec,
    apiKey: readKey(flags),
    identities: readIdentities(flags),
    mode,
    only,
    skip,
    concurrency,
    shard,
    seed,
    probesAuth: flags.authProbes,
    timeoutMs: timeout * 1000,
    waitReadyMs: waitReady === undefined ? undefined : waitReady * 1000,
    retries: flags.retries,
    ratePerSecond: flags.rate,
    proxy: flags.proxy,
    ca: flags.ca,
    ledger: ledgerOf(flags),
    signal,
  };
}

/** What is made on another machine is written down, so that it is found again even after a crash. */
function ledgerOf({ ledger, baseUrl, mode }: VerifyFlags): string | undefined {
  if (ledger !== undefined || mode === 'observe') return ledger;
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  return host === '' || isLoopbackHost(host) ? undefined : `standin-ledger-${Date.now()}.ndjson`;
}

/** Shows the plan; a service on another machine is changed only when somebody said so. */
async function agree(plan: Plan, flags: VerifyFlags): Promise<void> {
  process.stderr.write(`${formatPlan(plan)}\n`);
  const isHarmless = plan.mode === 'observe' || isLoopbackHost(new URL(plan.baseUrl).hostname);
  if (isHarmless || flags.yes === true || (await confirm('Send this?'))) return;
  throw new ConfigError('CONFIG_INVALID', `The plan for ${plan.baseUrl} was not agreed to`, {
    hint: 'Where nobody can be asked, as in CI, --yes agrees; --mode observe changes nothing.',
  });
}

/** Why nothing at all was answered, when that is so: one cause, told once instead of once for each step. */
function neverAnswered(result: RunResult): HarnessError | undefined {
  const steps = allSteps(result);
  if (steps.some(({ status }) => status !== undefined)) return undefined;
  for (const { verdict } of steps) {
    if (verdict.kind !== 'error' || !verdict.error.code.startsWith('TRANSPORT_')) continue;
    const { code, message, hint } = verdict.error;
    return new TransportError(code, message, { hint });
  }
  return undefined;
}

import { join } from 'node:path';
import pc from 'picocolors';
import { isBundled, runContract, type RunContractOptions } from '../adapters/run-contract';
import { ledgerFolder } from '../adapters/node/state-folder';
import { messageOf } from '../errors/error-facts';
import { ConfigError } from '../errors/harness-error';
import { printable } from '../errors/printable';
import { formatPlace } from '../errors/source-finding';
import { isLoopbackHost } from '../http/host';
import type { ApiModel } from '../openapi/model';
import { applyBaseline } from '../report/baseline';
import { formatBaselineEffect } from '../report/baseline-text';
import { exitCodeOf } from '../report/exit-code';
import { formatPlan } from '../report/plan-text';
import { createProgress } from '../report/progress';
import { parseReportOption, type ReportTarget } from '../report/report-kinds';
import { counted } from '../report/wording';
import { formatTextReport } from '../report/text-report';
import type { Plan } from '../runner/plan';
import type { RunResult } from '../runner/run-result';
import { keyInShell, readIdentities, readKey } from './api-keys';
import { confirm } from './confirm';
import { descriptionOptions } from './description-flags';
import { formatEnd, formatSecondStop, Made, type RunEnd } from './end-note';
import { stopOnInterrupt } from './interrupt';
import { loadBaseline, requireOutputs, takesStdout, writeBaseline, writeReports } from './report-files';
import type { VerifyFlags } from './verify-command';
import { say } from './terminal';

/**
 * Replays contracts and writes the reports.
 *
 * @returns the exit code
 * @throws HarnessError for what cannot be used
 */
export async function verify(contracts: readonly string[], flags: VerifyFlags): Promise<number> {
  // What is mistyped is told before anything is sent.
  const targets = reportTargets(flags);
  const baseline = flags.baseline === undefined ? undefined : loadBaseline(flags.baseline);
  requireOutputs(targets, flags.writeBaseline);
  const { result, documented, ...end } = await run(contracts, flags);
  const today = new Date();
  const effect = baseline && applyBaseline(result, baseline, today.toISOString().slice(0, 10));
  const shown = effect?.result ?? result;
  const key = keyInShell(flags);
  const stream = takesStdout(targets) ? process.stderr : process.stdout;
  const options = { isVerbose: flags.verbose === true, documented };
  say(stream, formatTextReport(shown, pc.isColorSupported && stream.isTTY, key, options));
  if (effect !== undefined) say(process.stderr, formatBaselineEffect(effect));
  // The last words, so that nothing scrolls them away.
  say(process.stderr, formatEnd({ ...end, leftBehind: result.leftBehind }, flags));
  if (contracts.length === 0 && !isBundled(flags.spec)) say(process.stderr, littleNote(result));
  writeReports(shown, targets, key);
  if (flags.writeBaseline !== undefined) writeBaseline(flags.writeBaseline, result, today);
  return exitCodeOf(shown.outcome);
}

/** Nobody is to read past it. */
function tellInsecure({ insecure, baseUrl }: VerifyFlags): void {
  if (insecure === undefined || !baseUrl.startsWith('https:')) return;
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
  const text = `INSECURE: the certificate of ${printable(host)} is not checked; whoever is in between sees the key, and can answer in its place.`;
  say(process.stderr, `${pc.isColorSupported ? pc.red(pc.bold(text)) : text}\n`);
}

/** A green run that looked at next to nothing must not be taken for more. */
function littleNote({ coverage }: RunResult): string {
  const called = coverage.filter(({ statuses }) => statuses.length > 0).length;
  return (
    `No contracts were named: ${called} of ${counted(coverage.length, 'operation')} were called, reads that need no parameter, ` +
    'with a key and without. Nothing was made or changed, and nothing is known of the others. standin init writes a first contract.\n'
  );
}

interface Ran extends Omit<RunEnd, 'leftBehind'> {
  readonly result: RunResult;
  /** Statuses that the description documents, by operation. */
  readonly documented: ReadonlyMap<string, readonly string[]>;
}

async function run(contracts: readonly string[], flags: VerifyFlags): Promise<Ran> {
  const made = new Made();
  let ledger: string | undefined;
  tellInsecure(flags);
  const interrupt = stopOnInterrupt({
    onStop: () => {
      made.stop();
    },
    lastWords: () => formatSecondStop(made.remaining, ledger, flags),
  });
  const progress = createProgress(process.stderr, process.stderr.isTTY);
  let documented: Ran['documented'] = new Map();
  let done = 0;
  let total = 0;
  try {
    const result = await runContract(toOptions(contracts, flags, interrupt.signal), {
      ledgerFor: (runId) => ledgerFor(runId, flags),
      warn(finding) {
        say(process.stderr, `warning ${printable(`${formatPlace(finding)} ${finding.rule}: ${finding.message}`)}\n`);
      },
      async onPlan(plan, api) {
        documented = documentedStatuses(api);
        ledger = plan.ledger;
        total = plan.methods.reduce((sum, { steps }) => sum + steps, 0);
        await agree(plan, flags, interrupt.signal);
      },
      onEntry(entry) {
        made.note(entry);
      },
      onStep(step) {
        done += step.phase === 'auth' ? 0 : 1;
        progress.onStep(step, done, Math.max(done, total));
      },
    });
    return { result, documented, ledger, wasStopped: interrupt.signal.aborted, removed: made.removedSinceStop };
  } finally {
    progress.end();
    interrupt.release();
  }
}

function reportTargets({ report = [] }: VerifyFlags): readonly ReportTarget[] {
  return report.reduce<ReportTarget[]>((earlier, text) => [...earlier, parseReportOption(text, earlier)], []);
}

function documentedStatuses({ operations }: ApiModel): Ran['documented'] {
  return new Map(operations.map(({ id, responses }) => [id, [...responses.keys()]]));
}

function toOptions(contracts: readonly string[], flags: VerifyFlags, signal: AbortSignal): RunContractOptions {
  const { baseUrl, spec, remote, timeout, waitReady, variable, mode, only, skip, concurrency, shard, seed } = flags;
  return {
    baseUrl,
    remote,
    contracts: contracts.length === 0 ? undefined : contracts,
    description: spec,
    ...descriptionOptions(flags),
    apiKey: flags.auth ? readKey(flags) : undefined,
    auth: flags.auth ? undefined : 'off',
    insecure: flags.insecure,
    identities: readIdentities(flags),
    variables: variable === undefined ? undefined : Object.fromEntries(variable),
    mode,
    within: withinOf(flags),
    allowSkipped: flags.allowSkipped,
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
    ledger: flags.ledger,
    signal,
  };
}

/** Values by variable: a variable may be named several times. */
function withinOf({ within = [] }: VerifyFlags): RunContractOptions['within'] {
  if (within.length === 0) return undefined;
  const names = [...new Set(within.map(([variable]) => variable))];
  return Object.fromEntries(
    names.map((name) => [name, within.flatMap(([variable, value]) => (variable === name ? [value] : []))]),
  );
}

/**
 * What is made is written down, so that it is found again even after a crash: here, where whoever started the run sees
 * it, or, for a service on this machine, which is run against all day, where it is in nobody's way.
 */
function ledgerFor(runId: string, flags: VerifyFlags): string | undefined {
  const { shard } = flags;
  const part = shard === undefined ? '' : `-${shard.index}-of-${shard.count}`;
  const name = `standin-ledger-${runId}${part}.ndjson`;
  if (isShared(flags)) return name;
  try {
    return join(ledgerFolder(), name);
  } catch (error) {
    say(process.stderr, `warning: No ledger is written: ${printable(messageOf(error))}; --ledger FILE names a place\n`);
    return undefined;
  }
}

/** Do others use the service? */
function isShared({ baseUrl, remote }: Pick<VerifyFlags, 'baseUrl' | 'remote'>): boolean {
  return remote === true || !URL.canParse(baseUrl) || !isLoopbackHost(new URL(baseUrl).hostname);
}

/** Shows the plan; a service on another machine is changed only when somebody said so. */
async function agree(plan: Plan, flags: VerifyFlags, signal: AbortSignal): Promise<void> {
  say(process.stderr, `${formatPlan(plan)}\n`);
  const isHarmless = plan.mode === 'observe' || !isShared(flags);
  if (isHarmless || flags.yes === true || (await confirm('Send this?', signal))) return;
  throw new ConfigError('CONFIG_INVALID', `The plan for ${plan.baseUrl} was not agreed to`, {
    hint: 'Where nobody can be asked, as in CI, --yes agrees; --mode observe changes nothing.',
  });
}

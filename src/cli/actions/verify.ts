import { join } from 'node:path';
import pc from 'picocolors';
import { isBundled } from '../../files/file-access';
import { runContract } from '../../library/run-contract';
import { RUN_OPTIONS, type RunContractOptions } from '../../library/run-options';
import { ledgerFolder } from '../../files/ledger-file';
import { ConfigError, formatSourceLocation, messageOf } from '../../core/errors/standin-error';
import { counted, printable } from '../../core/text/printable';
import { isLoopbackHost } from '../../core/http/request-target';
import { applyBaseline, formatBaselineEffect } from '../../report/causes/baseline';
import { exitCodeOf } from '../../report/causes/run-summary';
import { formatPlan } from '../../report/text/terminal-text';
import { formatTextReport } from '../../report/kinds/text-report';
import type { Plan } from '../../runner/run/plan';
import type { RunResult } from '../../runner/result/run-result';
import {
  confirm,
  CreationTally,
  formatEnd,
  formatSecondStop,
  keyInShell,
  readIdentities,
  readKey,
  readSchemeKeys,
  describeKeySource,
  type RunEnd,
  stopOnInterrupt,
} from './run-dialogue';
import { saveFailures } from './failing-cases';
import type { Contract } from '../../formats/contract/contract';
import { groupBy } from '../../core/text/group-by';
import { optionsIn } from '../../core/options/option-table';
import { allSteps, isKeyRefused } from '../../runner/result/outcome';
import type { TargetFlags } from '../options/flags';
import { loadBaseline, requireOutputs, takesStdout, writeBaseline, writeReports } from './report-files';
import { earlierResult, openReport, type ReportFlags, targetsOf } from './reports';
import { createProgressLine, runFigures, tellOn } from '../terminal/progress-line';
import { printText, usesColours } from '../terminal/terminal';

/**
 * Replays contracts and writes the reports.
 *
 * @returns the exit code
 * @throws StandinError for what cannot be used
 */
export async function verify(contracts: readonly string[], flags: VerifyFlags): Promise<number> {
  // What is mistyped is reported before anything is sent.
  const targets = targetsOf(flags);
  const before = earlierResult(flags);
  const baseline = flags.baseline === undefined ? undefined : loadBaseline(flags.baseline);
  requireOutputs(targets, flags.writeBaseline);
  const { result, ran, further, ...end } = await runAll(contracts, flags);
  const today = new Date();
  const effect = baseline && applyBaseline(result, baseline, today.toISOString().slice(0, 10));
  const shown = effect?.result ?? result;
  const key = keyInShell(flags);
  const stream = takesStdout(targets) ? process.stderr : process.stdout;
  const options = { isVerbose: flags.verbose === true, before };
  printText(stream, formatTextReport(shown, usesColours(stream), key, options));
  if (effect !== undefined) printText(process.stderr, formatBaselineEffect(effect));
  // The last words, so that nothing scrolls them away.
  printText(process.stderr, formatEnd({ ...end, leftBehind: result.leftBehind }, flags));
  if (isKeyRefused(allSteps(result)))
    printText(process.stderr, `The key was refused. It is ${describeKeySource(flags)}.\n`);
  printText(process.stderr, noteOn([result, ...further], contracts, flags));
  if (flags.saveFailures !== undefined) await save(result, ran, flags, flags.saveFailures);
  writeReports(shown, targets, key, before);
  openReport(targets, flags);
  if (flags.writeBaseline !== undefined) writeBaseline(flags.writeBaseline, result, today);
  return exitCodeOf(further.find(({ outcome }) => outcome !== 'conforms')?.outcome ?? shown.outcome);
}

/** What is to be known of the kind of the run: that a case was replayed, or that no contract was named. */
function noteOn(
  results: readonly [RunResult, ...RunResult[]],
  contracts: readonly string[],
  flags: VerifyFlags,
): string {
  if (flags.replay !== undefined) return replayNote(results);
  if (contracts.length > 0 || isBundled(flags.description)) return '';
  return flags.generate === false ? fewCallsNote(results[0]) : generatedNote(results[0]);
}

/** A run; of a case that is replayed the first one, and the further ones. */
async function runAll(
  contracts: readonly string[],
  flags: VerifyFlags,
): Promise<FinishedRun & { readonly further: readonly RunResult[] }> {
  const { replay } = flags;
  if (replay === undefined) return { ...(await run(contracts, flags)), further: [] };
  if (contracts.length > 0) {
    throw new ConfigError('CONFIG_INVALID', 'Contracts are named, and --replay names a case as well', {
      hint: 'Leave one of them out.',
    });
  }
  // The case alone: no probes, and nothing that is generated.
  const alone = { ...flags, probesAuth: false, generate: false };
  const finished = await run([replay], alone);
  const isJudged = finished.result.outcome !== 'inconclusive' && !finished.wasStopped;
  return { ...finished, further: isJudged ? await replayAgain(replay, alone) : [] };
}

/** So often a case is replayed before anybody says what became of it. */
const REPLAYS = 3;

async function replayAgain(file: string, flags: VerifyFlags): Promise<RunResult[]> {
  const results: RunResult[] = [];
  const options = { ...toOptions([file], flags, new AbortController().signal), seed: undefined };
  while (results.length < REPLAYS - 1) results.push(await runContract(options));
  return results;
}

function replayNote(results: readonly RunResult[]): string {
  const failed = results.filter(({ outcome }) => outcome !== 'conforms').length;
  const times = counted(results.length, 'time');
  if (failed === 0) return `Replayed ${times}: fixed, it passed each time.\n`;
  if (failed === results.length) return `Replayed ${times}: still failing, each time.\n`;
  return `Replayed ${times}: flaky, it failed ${counted(failed, 'time')}.\n`;
}

/** Writes each failure as a contract of its own, as short as it can be. */
async function save(
  result: RunResult,
  contracts: readonly Contract[],
  flags: VerifyFlags,
  folder: string,
): Promise<void> {
  if (result.outcome === 'conforms') return;
  const options = toOptions([], flags, new AbortController().signal);
  const { saved, others } = await saveFailures(result, contracts, options, { folder, key: keyInShell(flags) });
  const lines = saved.map(({ file, steps }) => `  ${printable(file)}: ${counted(steps, 'step')}\n`);
  if (lines.length > 0) printText(process.stderr, `Failures, each as short as it still fails:\n${lines.join('')}`);
  if (others === 0) return;
  const why = 'the first 20 are, but for probes and for contracts with files of their own';
  printText(
    process.stderr,
    `${counted(others, 'failure')} ${others === 1 ? 'is' : 'are'} not saved: ${why}. The report has them.\n`,
  );
}

/** Nobody is to read past it. */
function warnInsecure({ insecure, baseUrl }: VerifyFlags): void {
  if (insecure === undefined || !baseUrl.startsWith('https:')) return;
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
  const text = `INSECURE: the certificate of ${printable(host)} is not checked; whoever is in between sees the key, and can respond in its place.`;
  printText(process.stderr, `${pc.isColorSupported ? pc.red(pc.bold(text)) : text}\n`);
}

/** What came of a run without a contract. */
function generatedNote({ coverage, uncalled = [] }: RunResult): string {
  const called = coverage.filter(({ statuses }) => statuses.length > 0).length;
  const reasons = groupBy(uncalled, ({ reason }) => reason);
  const lines = reasons.map((all) => `${all.map(({ operation }) => operation).join(', ')}: ${all[0].reason}`);
  const why = lines.length === 0 ? '' : `Not called:\n${lines.map((line) => `  ${printable(line)}\n`).join('')}`;
  return (
    `No contracts were named: what was asked was made of the description, and called ${called} of ${counted(coverage.length, 'operation')}.\n` +
    `${why}standin init writes a first contract.\n`
  );
}

/** A green run that looked at next to nothing must not be taken for more. */
function fewCallsNote({ coverage }: RunResult): string {
  const called = coverage.filter(({ statuses }) => statuses.length > 0).length;
  return (
    `No contracts were named: ${called} of ${counted(coverage.length, 'operation')} were called, reads that need no parameter, ` +
    'with a key and without. Nothing was made or changed, and nothing is known of the others. standin init writes a first contract.\n'
  );
}

interface FinishedRun extends Omit<RunEnd, 'leftBehind'> {
  readonly result: RunResult;
  readonly ran: readonly Contract[];
}

async function run(contracts: readonly string[], flags: VerifyFlags): Promise<FinishedRun> {
  const made = new CreationTally();
  let ledger: string | undefined;
  let ran: readonly Contract[] = [];
  warnInsecure(flags);
  const interrupt = stopOnInterrupt({
    onStop: () => {
      made.stop();
    },
    lastWords: () => formatSecondStop(made.remaining, ledger, flags),
  });
  // None while somebody is asked.
  let line = createProgressLine('verify');
  const onProgress: RunContractOptions['onProgress'] = line && ((progress) => line?.show(runFigures(progress)));
  try {
    const result = await runContract(
      { ...toOptions(contracts, flags, interrupt.signal), onProgress },
      {
        onLoading: tellOn(line),
        ledgerFor: (runId) => ledgerFor(runId, flags),
        warn(finding) {
          printText(
            process.stderr,
            `warning ${printable(`${formatSourceLocation(finding)} ${finding.rule}: ${finding.message}`)}\n`,
          );
        },
        onContracts(loaded) {
          ran = loaded;
        },
        async onPlan(plan) {
          ledger = plan.ledger;
          line?.end();
          await agree(plan, flags, interrupt.signal);
          line = createProgressLine('verify');
          line?.show({ doing: `waiting for ${plan.baseUrl}` });
        },
        onEntry(entry) {
          made.note(entry);
        },
      },
    );
    return { result, ran, ledger, wasStopped: interrupt.signal.aborted, removed: made.removedSinceStop };
  } finally {
    line?.end();
    interrupt.release();
  }
}

function toOptions(contracts: readonly string[], flags: VerifyFlags, signal: AbortSignal): RunContractOptions {
  return {
    ...optionsIn(RUN_OPTIONS, flags),
    contracts: contracts.length === 0 ? undefined : contracts,
    apiKey: flags.auth === 'off' ? undefined : readKey(flags),
    schemeKeys: readSchemeKeys(flags),
    identities: readIdentities('--identity', flags.identity),
    refusedIdentities: readIdentities('--refused-identity', flags.refusedIdentity),
    signal,
  };
}

/**
 * What is made is written down, so that it is found again even after a crash: here, where who started the run sees
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
    printText(
      process.stderr,
      `warning: No ledger is written: ${printable(messageOf(error))}; --ledger FILE names a place\n`,
    );
    return undefined;
  }
}

/** Do others use the service? */
function isShared({ baseUrl, remote }: Pick<VerifyFlags, 'baseUrl' | 'remote'>): boolean {
  return remote === true || !URL.canParse(baseUrl) || !isLoopbackHost(new URL(baseUrl).hostname);
}

/** Shows the plan; a service on another machine is changed only when somebody said so. */
async function agree(plan: Plan, flags: VerifyFlags, signal: AbortSignal): Promise<void> {
  printText(process.stderr, `${formatPlan(plan)}\n`);
  const isHarmless = plan.mode === 'observe' || !isShared(flags);
  if (isHarmless || flags.yes === true || (await confirm('Send this?', signal))) return;
  throw new ConfigError('CONFIG_INVALID', `The plan for ${plan.baseUrl} was not agreed to`, {
    hint: 'Where nobody can be asked, as in CI, --yes agrees; --mode observe changes nothing.',
  });
}

/** Values of the flags of `standin verify`. */
export interface VerifyFlags
  extends
    TargetFlags,
    ReportFlags,
    Omit<RunContractOptions, 'apiKey' | 'auth' | 'app' | 'transport' | 'signal' | 'onProgress' | 'contracts'> {
  readonly baseUrl: string;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly saveFailures?: string;
  readonly replay?: string;
  readonly verbose?: true;
}

import { ConfigError } from '../../core/errors/standin-error';
import { counted, printable } from '../../core/text/printable';
import type { Baseline, BaselineEntry } from '../../formats/baseline';
import { outcomeOfResult, failuresOf } from '../../runner/result/outcome';
import type { LocatedFinding, RunResult, StepResult } from '../../runner/result/run-result';
import { fingerprintFindings, isRunCheck } from './fingerprint';
import { acceptableCauses } from './root-causes';

/** An entry of a baseline, and how many findings of the run it is about. */
interface UsedEntry {
  readonly entry: BaselineEntry;
  readonly count: number;
}

/** A run seen through a baseline. */
interface BaselineEffect {
  /** With accepted findings as warnings, and the outcome that then is. */
  readonly result: RunResult;
  readonly accepted: readonly UsedEntry[];
  /** Their findings are still there, and fail the run again. */
  readonly expired: readonly UsedEntry[];
  /** Nothing was found that they are about: mended, or not looked at in this run. */
  readonly unused: readonly BaselineEntry[];
}

/**
 * Takes known findings out of the failures: each becomes a warning that says until when. New ones and those whose day
 * is over fail as before. What could not be checked is never accepted, nor is what was never sent because of a failure
 * that is accepted: such a run is inconclusive.
 *
 * @param today - `YYYY-MM-DD`; an entry is good through its last day
 */
export function applyBaseline(result: RunResult, { entries }: Baseline, today: string): BaselineEffect {
  const used = new Map<BaselineEntry, number>();
  const apply = (step: StepResult): StepResult => applyToStep(step, result.runId, entries, today, used);
  const contracts = result.contracts.map((contract) => ({ ...contract, steps: contract.steps.map(apply) }));
  const probes = result.probes.map(apply);
  const outcome = outcomeOfResult({ ...result, contracts, probes });
  const counts = entries.flatMap((entry) => {
    const count = used.get(entry);
    return count === undefined ? [] : [{ entry, count }];
  });
  return {
    result: { ...result, contracts, probes, outcome },
    accepted: counts.filter(({ entry }) => entry.expires >= today),
    expired: counts.filter(({ entry }) => entry.expires < today),
    unused: entries.filter((entry) => !used.has(entry)),
  };
}

function applyToStep(
  step: StepResult,
  runId: string,
  entries: readonly BaselineEntry[],
  today: string,
  used: Map<BaselineEntry, number>,
): StepResult {
  if (step.verdict.kind !== 'fail') return step;
  const failing: LocatedFinding[] = [];
  const accepted: LocatedFinding[] = [];
  for (const { finding, fingerprint } of fingerprintFindings(step, step.verdict.findings, runId)) {
    const matching = entries.filter((entry) => {
      return entry.fingerprint === fingerprint && (entry.operation === undefined || entry.operation === step.operation);
    });
    const entry = matching.find(({ expires }) => expires >= today) ?? matching[0];
    if (entry !== undefined) used.set(entry, (used.get(entry) ?? 0) + 1);
    if (entry === undefined) failing.push(finding);
    else if (entry.expires < today)
      failing.push(withNote(finding, `It was accepted until ${entry.expires} by ${entry.owner}: ${entry.reason}.`));
    else accepted.push(acceptedFinding(finding, entry));
  }
  if (accepted.length === 0 && failing.every((finding, index) => finding === failuresOf(step)[index])) return step;
  const warnings = [...step.warnings, ...accepted];
  // How many checks ran is not known of a step that failed; at least those that spoke did.
  if (failing.length === 0) return { ...step, verdict: { kind: 'pass', checksRun: accepted.length }, warnings };
  return { ...step, verdict: { kind: 'fail', findings: failing }, warnings };
}

function acceptedFinding(finding: LocatedFinding, { expires, owner, reason }: BaselineEntry): LocatedFinding {
  const noted = withNote(finding, `${owner}: ${reason}`);
  return { ...noted, severity: 'warning', message: `${finding.message} (accepted until ${expires})` };
}

function withNote(finding: LocatedFinding, note: string): LocatedFinding {
  return { ...finding, hint: finding.hint === undefined ? note : `${finding.hint} ${note}` };
}

/**
 * A baseline of everything that failed in a run, one entry for each cause.
 *
 * @param about - for new entries
 * @param earlier - entries of it that still apply keep their reason, owner and day; the others are left out
 * @throws ConfigError `CONFIG_INVALID` when one cause explains practically every response, such as a wrong base URL:
 *   nothing is known of the service then, and there is nothing to accept
 */
export function makeBaseline(
  result: RunResult,
  about: Pick<BaselineEntry, 'owner' | 'reason' | 'expires'>,
  earlier: Baseline = { entries: [] },
): Baseline {
  const causes = acceptableCauses(result);
  const whole = causes.find(({ kind }) => kind === 'run');
  if (whole !== undefined) {
    throw new ConfigError('CONFIG_INVALID', `Nothing can be accepted: ${whole.message}`, { hint: whole.hint });
  }
  const entries = causes.flatMap(({ kind, fingerprint, check, message, operations }): BaselineEntry[] => {
    if (kind !== 'finding') return [];
    const stored = earlier.entries.filter((entry) => {
      return entry.fingerprint === fingerprint && operations.some((name) => (entry.operation ?? name) === name);
    });
    // An entry for one of several operations does not do for the others.
    if (stored.some((entry) => entry.operation === undefined) || stored.length >= Math.max(1, operations.length))
      return stored;
    const [operation] = operations;
    const { owner, reason, expires } = about;
    return [
      {
        fingerprint,
        // At which step a check over the whole run speaks differs from run to run.
        operation: operations.length === 1 && !isRunCheck(check) ? operation : undefined,
        check,
        message,
        reason,
        owner,
        expires,
        place: undefined,
      },
    ];
  });
  return { entries };
}

/** What a baseline did, as lines for people: how much it accepted, what has expired, what it is not needed for. */
export function formatBaselineEffect({ accepted, expired, unused }: BaselineEffect): string {
  const findings = accepted.reduce((sum, { count }) => sum + count, 0);
  const lines = [
    `Baseline: ${counted(findings, 'finding')} accepted by ${accepted.length === 1 ? '1 entry' : `${accepted.length} entries`}`,
    ...expired.map(({ entry }) => `  expired on ${entry.expires}, fails again: ${entryText(entry)}`),
    ...unused.map((entry) => `  not found, remove the entry if it is fixed: ${entryText(entry)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function entryText({ fingerprint, check, operation, owner, reason, place }: BaselineEntry): string {
  const about = [check, ...(operation === undefined ? [] : [operation])].join(' ');
  return printable(`${about} (${fingerprint}), ${owner}: ${reason}${place === undefined ? '' : `  ${place}`}`);
}

import { cleanUp, type CleanUpPlan, type CleanUpResult } from '../../library/clean-up';
import { ConfigError } from '../../core/errors/standin-error';
import { counted, printable } from '../../core/text/printable';
import { optionsIn } from '../../core/options/option-table';
import { CLEAN_UP_OPTIONS, type CleanUpOptions } from '../../library/clean-up-options';
import type { TargetFlags } from '../options/flags';
import type { Residue } from '../../runner/result/run-result';
import { confirm, readIdentities, readKey, readSchemeKeys } from './run-dialogue';
import { createProgressLine, runFigures, tellOn } from '../terminal/progress-line';
import { EXIT, printText } from '../terminal/terminal';

/**
 * Removes what an interrupted run left behind, and prints the result. What it would do on another machine it
 * shows first, and does only after consent: the ledger alone says which service that is.
 *
 * @returns the exit code: 4 when something is still there that could have gone
 */
export async function cleanUpLedger(ledger: string, flags: CleanUpFlags): Promise<number> {
  const options = {
    ...optionsIn(CLEAN_UP_OPTIONS, flags),
    ledger,
    apiKey: flags.auth === 'off' ? undefined : readKey(flags),
    schemeKeys: readSchemeKeys(flags),
    identities: readIdentities('--identity', flags.identity),
  };
  const { baseUrl, runId, removed, leftBehind } = await cleanUpWatched(options, flags);
  const isDone = leftBehind.every(({ isAccepted }) => isAccepted);
  const lines = [
    `Run ${runId} at ${baseUrl}`,
    ...removed.map((item) => `  removed      ${printable(item)}`),
    ...leftBehind.map(residueLine),
    lastLine(leftBehind, isDone, ledger),
  ];
  printText(process.stdout, `${lines.join('\n')}\n`);
  return isDone ? EXIT.ok : EXIT.leftBehind;
}

/** With a line that says how far it is, but for while somebody is asked. */
async function cleanUpWatched(options: CleanUpOptions, flags: CleanUpFlags): Promise<CleanUpResult> {
  let line = createProgressLine('cleanup');
  try {
    return await cleanUp(options, {
      onLoading: tellOn(line),
      async onPlan(plan) {
        line?.end();
        await agree(plan, flags);
        line = createProgressLine('cleanup');
      },
      onProgress: line && ((progress) => line?.show(runFigures(progress))),
    });
  } finally {
    line?.end();
  }
}

async function agree(plan: CleanUpPlan, { yes }: CleanUpFlags): Promise<void> {
  // Nothing is done with the ledger of another user before its plan was shown.
  if (plan.isLoopback && !plan.isForeign) return;
  printText(process.stderr, formatPlan(plan));
  if (yes === true || (await confirm('Remove this?', new AbortController().signal))) return;
  throw new ConfigError('CONFIG_INVALID', `The cleanup at ${plan.baseUrl} was not agreed to`, {
    hint: 'Where nobody can be asked, as in CI, --yes agrees. The ledger stays as it is.',
  });
}

function formatPlan({ baseUrl, runId, startedAt, toRemove, toFind }: CleanUpPlan): string {
  const lines = [
    `Cleanup at ${printable(baseUrl)}, of run ${runId}, which started at ${printable(startedAt)}`,
    `  removes    ${counted(toRemove.length, 'item')}`,
    ...toRemove.map((item) => `    ${printable(item)}`),
    `  looks for  ${counted(toFind.length, 'creation')} whose outcome is not known`,
    ...toFind.map((path) => `    ${printable(path)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function residueLine({ url, operation, reason, isAccepted }: Residue): string {
  const state = isAccepted ? 'stays      ' : 'still there';
  return `  ${state}  ${printable(url)} (${printable(operation)}): ${printable(reason)}`;
}

function lastLine(leftBehind: readonly Residue[], isDone: boolean, ledger: string): string {
  if (!isDone) return `The ledger ${ledger} has what is left.`;
  return leftBehind.length === 0 ? 'Nothing is left.' : 'Nothing is left but what was to stay.';
}

/** Values of the flags of `standin cleanup`. */
export interface CleanUpFlags extends TargetFlags {
  readonly description?: string;
  readonly foreignLedger?: true;
}

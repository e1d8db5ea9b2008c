import { cleanUp, type CleanUpPlan } from '../adapters/clean-up';
import { ConfigError } from '../errors/harness-error';
import { printable } from '../errors/printable';
import { counted } from '../report/wording';
import { descriptionOptions } from './description-flags';
import type { Residue } from '../runner/run-result';
import { readIdentities, readKey } from './api-keys';
import { confirm } from './confirm';
import { EXIT } from './main';
import type { CleanUpFlags } from './verify-command';
import { say } from './terminal';

/**
 * Removes what an interrupted run left behind, and tells what became of it. What it would do on another machine it
 * shows first, and does only when somebody agreed: the ledger alone says which service that is.
 *
 * @returns the exit code: 4 when something is still there that could have gone
 */
export async function cleanUpLedger(ledger: string, flags: CleanUpFlags): Promise<number> {
  const { spec, baseUrl: named, foreignLedger, remote, timeout, proxy, ca } = flags;
  const auth = flags.auth ? undefined : ('off' as const);
  const keys = { apiKey: flags.auth ? readKey(flags) : undefined, auth, identities: readIdentities(flags) };
  const options = {
    ledger,
    baseUrl: named,
    foreignLedger,
    remote,
    description: spec,
    ...descriptionOptions(flags),
    ...keys,
    timeoutMs: timeout * 1000,
    proxy,
    ca,
    insecure: flags.insecure,
  };
  const { baseUrl, runId, removed, leftBehind } = await cleanUp(options, {
    onPlan: (plan) => agree(plan, flags),
  });
  const isDone = leftBehind.every(({ isAccepted }) => isAccepted);
  const lines = [
    `Run ${runId} at ${baseUrl}`,
    ...removed.map((item) => `  removed      ${printable(item)}`),
    ...leftBehind.map(residueLine),
    lastLine(leftBehind, isDone, ledger),
  ];
  say(process.stdout, `${lines.join('\n')}\n`);
  return isDone ? EXIT.ok : EXIT.leftBehind;
}

async function agree(plan: CleanUpPlan, { yes }: CleanUpFlags): Promise<void> {
  // A ledger of somebody else's is looked at before anything is done on its word.
  if (plan.isLoopback && !plan.isForeign) return;
  say(process.stderr, formatPlan(plan));
  if (yes === true || (await confirm('Remove this?', new AbortController().signal))) return;
  throw new ConfigError('CONFIG_INVALID', `The cleanup at ${plan.baseUrl} was not agreed to`, {
    hint: 'Where nobody can be asked, as in CI, --yes agrees. The ledger stays as it is.',
  });
}

function formatPlan({ baseUrl, runId, startedAt, toRemove, toFind }: CleanUpPlan): string {
  const lines = [
    `Cleanup at ${printable(baseUrl)}, of run ${runId}, which started at ${printable(startedAt)}`,
    `  removes    ${counted(toRemove.length, 'thing')}`,
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

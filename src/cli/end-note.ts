import type { LedgerEntry } from '../runner/ledger';
import type { Residue } from '../runner/run-result';
import { counted } from '../report/wording';
import type { TargetFlags } from './verify-command';

/** What a run made, and what became of it, for the last words of the command line. */
export class Made {
  private readonly states = new Map<number, LedgerEntry['kind']>();
  private removedAtStop = 0;

  note(entry: LedgerEntry): void {
    if (entry.kind !== 'run') this.states.set(entry.entry, entry.kind);
  }

  /** What is removed from now on the runner removes, and no contract. */
  stop(): void {
    this.removedAtStop = this.count('removed');
  }

  get removedSinceStop(): number {
    return Math.max(0, this.count('removed') - this.removedAtStop);
  }

  /** That is there, or may be. */
  get remaining(): number {
    return this.count('created') + this.count('pending');
  }

  private count(kind: LedgerEntry['kind']): number {
    return [...this.states.values()].filter((state) => state === kind).length;
  }
}

/** What the last words are about. */
export interface RunEnd {
  readonly wasStopped: boolean;
  readonly removed: number;
  readonly leftBehind: readonly Pick<Residue, 'isAccepted'>[];
  /** File of the ledger; `undefined` when none was written. */
  readonly ledger: string | undefined;
}

/** The last lines of a run that was stopped or left something: what was removed, what is left, and what to do. */
export function formatEnd({ wasStopped, removed, leftBehind, ledger }: RunEnd, flags: TargetFlags): string {
  const left = leftBehind.filter(({ isAccepted }) => !isAccepted).length;
  const staying = leftBehind.length - left;
  if (!wasStopped && left === 0) return '';
  const facts = [
    ...(wasStopped ? [`${counted(removed, 'thing')} removed since`] : []),
    ...(staying > 0 ? [`${counted(staying, 'thing')} left as planned`] : []),
    left === 0
      ? staying > 0
        ? 'no other'
        : 'nothing is left'
      : `${counted(left, 'thing')} LEFT BEHIND, or perhaps so, listed above`,
  ];
  const lines = [`${wasStopped ? 'The run was stopped: ' : ''}${facts.join(', ')}.`];
  return `\n${[...lines, ...(left === 0 ? [] : wayOut(ledger, flags))].join('\n')}\n`;
}

/** The words of a process that ends with its cleanup undone. */
export function formatSecondStop(remaining: number, ledger: string | undefined, flags: TargetFlags): string {
  if (remaining === 0) return '\nEnded at once: nothing that the run made is left.\n';
  const what = `Ended at once: up to ${counted(remaining, 'thing')} that the run made ${remaining === 1 ? 'is' : 'are'} left.`;
  return `\n${[what, ...wayOut(ledger, flags)].join('\n')}\n`;
}

function wayOut(ledger: string | undefined, flags: TargetFlags): string[] {
  if (ledger === undefined) {
    return ['No ledger was written: with --ledger FILE standin cleanup can finish it.'];
  }
  return ['To remove it:', `  ${cleanupCommand(ledger, flags)}`];
}

/** `standin cleanup` as it reaches the same service with the same keys; it shows none of them. */
export function cleanupCommand(ledger: string, flags: TargetFlags): string {
  const { apiKey, apiKeyEnv, identity = [], proxy, ca } = flags;
  const words = [
    ...(apiKey === undefined ? [] : ['STANDIN_API_KEY=…']),
    'standin cleanup',
    shellWord(ledger),
    ...(apiKeyEnv === undefined ? [] : [`--api-key-env ${shellWord(apiKeyEnv)}`]),
    ...identity.map(([name, variable]) => `--identity ${name}=${variable}`),
    // A proxy may have a password.
    ...(proxy === undefined ? [] : [`--proxy ${proxy.includes('@') ? '…' : shellWord(proxy)}`]),
    ...(ca === undefined ? [] : [`--ca ${shellWord(ca)}`]),
  ];
  return words.join(' ');
}

function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

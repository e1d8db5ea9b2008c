import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { ConfigError } from '../../core/errors/standin-error';
import { counted, printableLines, toPaste, withoutCiCommands } from '../../core/text/printable';
import { DEFAULT_API_KEY } from '../../mock/context/options';
import { identityVariable, schemeVariable } from '../../redaction/key-redactor';
import type { KeyInShell } from '../../report/text/shell-commands';
import type { LedgerEntry } from '../../runner/ownership/ledger';
import type { Residue } from '../../runner/result/run-result';
import { isCi, printText } from '../terminal/terminal';
import type { TargetFlags } from '../options/flags';

/** Where a person is asked. */
interface Dialogue {
  readonly input: Readable;
  readonly output: Writable;
}

/** Asks a person yes or no. @returns false where nobody is there to be asked, and once the signal comes */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY || isCi()) return false;
  return ask(question, { input: process.stdin, output: process.stderr }, signal);
}

/** @returns false for everything but a yes: Ctrl-C and the end of the input, Ctrl-D, are a no */
export function ask(question: string, { input, output }: Dialogue, signal: AbortSignal): Promise<boolean> {
  const reader = createInterface({ input, output, terminal: true });
  const close = (): void => {
    reader.close();
  };
  return new Promise((resolve) => {
    // Closing answers as well; a yes was there before it.
    reader.once('close', () => {
      signal.removeEventListener('abort', close);
      output.write('\n');
      resolve(false);
    });
    signal.addEventListener('abort', close, { once: true });
    if (signal.aborted) close();
    else {
      reader.question(`${withoutCiCommands(printableLines(question))} [y/N] `, (response) => {
        resolve(/^y(?:es)?$/i.test(response.trim()));
        close();
      });
    }
  });
}

/** What tells a run that it is to end. */
interface Interrupt {
  readonly signal: AbortSignal;
  /** Back to what signals usually do, SIGHUP left out. */
  release(): void;
}

/** What a shell makes of a process that SIGINT ended. */
const EXIT_CODE = 130;

/** What is to be known, and told, when a signal comes. */
interface InterruptHooks {
  /** Called with the first one. */
  readonly onStop?: (() => void) | undefined;
  /** Gives the last words of a process that a second one ends. */
  readonly lastWords?: (() => string) | undefined;
}

/**
 * The first signal lets the run end in order: nothing more is sent but the cleanup. A second one ends the process; the
 * ledger has what is left. SIGHUP, which comes when the terminal is closed, and from some of them twice, never does.
 */
export function stopOnInterrupt({ onStop, lastWords }: InterruptHooks = {}): Interrupt {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) return;
    // Before anything is written: nobody may be there to read it.
    controller.abort();
    onStop?.();
    printText(
      process.stderr,
      '\nStopping: what was made is being removed. A second Ctrl-C ends at once and leaves it there.\n',
    );
  };
  const stopOrExit = (): void => {
    if (controller.signal.aborted) {
      printText(process.stderr, lastWords?.() ?? '');
      process.exit(EXIT_CODE);
    }
    stop();
  };
  const handlers = { SIGINT: stopOrExit, SIGTERM: stopOrExit, SIGHUP: stop } as const;
  for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);
  return {
    signal: controller.signal,
    release() {
      // SIGHUP goes on ending nothing: the reports are still to be written.
      process.off('SIGINT', stopOrExit).off('SIGTERM', stopOrExit);
    },
  };
}

/** Variable that has the key when nothing else is said, and that the commands of the report take it from. */
const DEFAULT_KEY_VARIABLE = 'STANDIN_API_KEY';

type KeyFlags = Pick<TargetFlags, 'apiKey' | 'apiKeyEnv'>;

/** The key that `--api-key` gave itself, and the variables that it named by their security schemes. */
function splitFlag(apiKey: TargetFlags['apiKey'] = []) {
  const given = new Map(apiKey);
  return { key: given.get(''), schemes: [...given].filter(([scheme]) => scheme !== '') };
}

/** @throws ConfigError when the variable that was named has no key, and for two keys */
export function readKey({ apiKey, apiKeyEnv }: KeyFlags): string | undefined {
  const { key } = splitFlag(apiKey);
  if (apiKeyEnv === undefined) return key ?? (process.env[DEFAULT_KEY_VARIABLE] || undefined);
  if (key === undefined) return readVariable(apiKeyEnv, 'that --api-key-env names');
  throw new ConfigError('CONFIG_INVALID', 'A key of --api-key cannot be used together with --api-key-env', {
    hint: 'Leave one of them out; --api-key SCHEME=VARIABLE names the key of one security scheme.',
  });
}

/** The keys of single security schemes by their names. @throws ConfigError when a variable has none */
export function readSchemeKeys({ apiKey }: KeyFlags): Record<string, string> {
  return readIdentities('--api-key', splitFlag(apiKey).schemes);
}

/** The keys of further callers, by the name that contracts give them. @throws ConfigError when a variable has none */
export function readIdentities(flag: string, identities: TargetFlags['identity'] = []): Record<string, string> {
  return Object.fromEntries(
    identities.map(([name, variable]) => [name, readVariable(variable, `that ${flag} names for ${name}`)]),
  );
}

/** Words and small numbers: a key has other parts. */
const VARIABLE_NAME = /^_?[a-z]+\d{0,2}(?:_+[a-z]*\d{0,3})*$/i;

/**
 * @param where - which option named the variable, after `The variable NAME`
 * @throws ConfigError when the variable has no key. Its message does not show what may be a key in the wrong place
 */
function readVariable(variable: string, where: string): string {
  const value = process.env[variable];
  if (value !== undefined && value !== '') return value;
  const isName = VARIABLE_NAME.test(variable) && [variable.toUpperCase(), variable.toLowerCase()].includes(variable);
  const message = `The variable ${isName ? `${variable} ` : ''}${where} is ${value === undefined ? 'not set' : 'empty'}`;
  throw new ConfigError('CONFIG_INVALID', message, {
    hint: 'The option takes the name of a variable that holds the key, not the key. Nothing was sent.',
  });
}

/** Where the key of the run was read from, behind `It is `; never the key. */
export function describeKeySource({ apiKey, apiKeyEnv = DEFAULT_KEY_VARIABLE }: KeyFlags): string {
  const { key, schemes } = splitFlag(apiKey);
  const named = schemes.map(([scheme, variable]) => `that of the variable ${variable} for ${scheme}`);
  const value = process.env[apiKeyEnv];
  const own = key === undefined ? (value ? `that of the variable ${apiKeyEnv}` : undefined) : 'that of --api-key';
  const all = [...(own === undefined ? [] : [own]), ...named];
  if (all.length > 0) return all.join(', ');
  return `${DEFAULT_API_KEY}, because the variable ${apiKeyEnv} is ${value === undefined ? 'not set' : 'empty'}`;
}

/** Where the shell of the user has the keys for the commands of the report; the report itself never shows them. */
export function keyInShell(
  flags: Pick<TargetFlags, 'apiKey' | 'apiKeyEnv' | 'identity' | 'refusedIdentity'>,
): KeyInShell {
  const callers = [...(flags.identity ?? []), ...(flags.refusedIdentity ?? [])];
  const others = [
    ...splitFlag(flags.apiKey).schemes.map(([name, variable]) => [schemeVariable(name), variable] as const),
    ...callers.map(([name, variable]) => [identityVariable(name), variable] as const),
  ];
  const identities = new Map(others.map(([own, variable]) => [own, `export ${own}="$${variable}"`]));
  return { ...ownKeyInShell(flags), identities };
}

function ownKeyInShell(flags: KeyFlags): KeyInShell {
  if (splitFlag(flags.apiKey).key !== undefined)
    return { kind: 'export', command: `export ${DEFAULT_KEY_VARIABLE}=…  # the key that --api-key gave` };
  if (flags.apiKeyEnv !== undefined && flags.apiKeyEnv !== DEFAULT_KEY_VARIABLE)
    return { kind: 'export', command: `export ${DEFAULT_KEY_VARIABLE}="$${flags.apiKeyEnv}"` };
  return readKey(flags) === undefined ? { kind: 'well-known', key: DEFAULT_API_KEY } : { kind: 'set' };
}

/** What a run made, and what became of it, for the last words of the command line. */
export class CreationTally {
  private readonly states = new Map<number, LedgerEntry['kind']>();
  private removedAtStop = 0;

  note(entry: LedgerEntry): void {
    if (entry.kind !== 'run' && entry.kind !== 'before') this.states.set(entry.entry, entry.kind);
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
    ...(wasStopped ? [`${counted(removed, 'item')} removed since`] : []),
    ...(staying > 0 ? [`${counted(staying, 'item')} left as planned`] : []),
    left === 0
      ? staying > 0
        ? 'no other'
        : 'nothing is left'
      : `${counted(left, 'item')} may not have been cleaned up, listed above`,
  ];
  const lines = [`${wasStopped ? 'The run was stopped: ' : ''}${facts.join(', ')}.`];
  return `\n${[...lines, ...(left === 0 ? [] : cleanupHint(ledger, flags))].join('\n')}\n`;
}

/** The words of a process that ends with its cleanup undone. */
export function formatSecondStop(remaining: number, ledger: string | undefined, flags: TargetFlags): string {
  if (remaining === 0) return '\nEnded at once: nothing that the run made is left.\n';
  const what = `Ended at once: up to ${counted(remaining, 'item')} that the run made ${remaining === 1 ? 'is' : 'are'} left.`;
  return `\n${[what, ...cleanupHint(ledger, flags)].join('\n')}\n`;
}

function cleanupHint(ledger: string | undefined, flags: TargetFlags): string[] {
  if (ledger === undefined) {
    return ['No ledger was written: with --ledger FILE standin cleanup can finish it.'];
  }
  return ['To remove it:', `  ${cleanupCommand(ledger, flags)}`];
}

/** `standin cleanup` as it reaches the same service with the same keys; it shows none of them. */
function cleanupCommand(ledger: string, flags: TargetFlags): string {
  const { apiKey, apiKeyEnv, identity = [], proxy, ca } = flags;
  const words = [
    ...(splitFlag(apiKey).key === undefined ? [] : ['STANDIN_API_KEY=…']),
    toPaste('standin cleanup'),
    shellWord(ledger),
    ...(apiKeyEnv === undefined ? [] : [`--api-key-env ${shellWord(apiKeyEnv)}`]),
    ...splitFlag(apiKey).schemes.map(([name, variable]) => `--api-key ${shellWord(`${name}=${variable}`)}`),
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

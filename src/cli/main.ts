import { Command, CommanderError } from 'commander';
import { formatHarnessError, HarnessError } from '../errors/harness-error';
import { packageVersion } from '../adapters/node/package-root';
import { addCheckCommand } from './check-command';
import { applyConfigFile } from './config-file';
import { addExplainCommand } from './explain-command';
import { addInitCommand } from './init-command';
import { addMergeReportsCommand } from './merge-reports-command';
import { addMockCommand } from './mock-command';
import { optionHint } from './option-hint';
import { addCleanUpCommand, addVerifyCommand } from './verify-command';
import { stackOf } from '../errors/error-facts';
import { say } from './terminal';

/** 0 conforms · 1 violations · 2 usage or document error · 3 unreachable or inconclusive · 4 something left behind. */
export const EXIT = { ok: 0, violations: 1, usage: 2, unreachable: 3, leftBehind: 4 } as const;

/** How a command ends: with an exit code, or `undefined` while a server goes on. */
export type Ended = (exitCode: number | undefined) => void;

/**
 * Runs the command line.
 *
 * @param args - without node and the script
 * @returns the exit code; `undefined` when a server was started and runs on
 */
export async function main(args: readonly string[]): Promise<number | undefined> {
  let exitCode: number | undefined = EXIT.ok;
  const program = createProgram(args, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error);
  }
}

/**
 * Every command with its flags.
 *
 * @param args - of the command line, for hints about them
 */
export function createProgram(args: readonly string[], ended: Ended): Command {
  const program = new Command('standin')
    .description('The stand-in for an HTTP API and the auditor of the real one.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showSuggestionAfterError(true)
    .showHelpAfterError('(standin --help, or standin COMMAND --help, shows what there is)')
    .configureOutput({
      outputError(text, write) {
        const option = /^error: unknown option '([^']*)'/.exec(text)?.[1];
        const hint = option === undefined ? undefined : optionHint(option, args);
        // The name that is nearest in its letters would be the wrong one.
        write(hint === undefined ? text : `error: unknown option '${option}'\n(${hint})\n`);
      },
    })
    .exitOverride();
  addMockCommand(program, ended);
  addVerifyCommand(program, ended);
  addCheckCommand(program, ended);
  addCleanUpCommand(program, ended);
  addExplainCommand(program, ended);
  addInitCommand(program, ended);
  addMergeReportsCommand(program, ended);
  for (const command of program.commands)
    command.option(
      '--config <file>',
      'flags in a file; "off" for none (default: standin.config.yaml, if there is one)',
    );
  return program.hook('preAction', applyConfigFile);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof HarnessError) {
    say(process.stderr, `${formatHarnessError(error)}\n`);
    return error.code.startsWith('TRANSPORT_') ? EXIT.unreachable : EXIT.usage;
  }
  say(process.stderr, 'standin met a defect in itself. Please report it with the lines below.\n');
  say(process.stderr, `${stackOf(error)}\n`);
  return EXIT.usage;
}

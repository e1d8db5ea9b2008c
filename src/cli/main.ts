import { Command, CommanderError, Option } from 'commander';
import { formatStandinError, stackOf, StandinError } from '../core/errors/standin-error';
import { packageVersion } from '../files/file-access';
import type { CommandDefinition } from './options/command-definition';
import { applyConfigFile } from './options/config-file';
import { addFlags, CONFIG_OPTION, valuesOf } from './options/flags';
import { COMMANDS } from './registry';
import { EXIT, printText } from './terminal/terminal';

/**
 * Runs the command line.
 *
 * @param args - without node and the script
 * @returns the exit code; `undefined` when a server was started and runs on
 */
export async function main(args: readonly string[]): Promise<number | undefined> {
  if (args.length === 2 && args.includes('--json') && args.some((each) => each === '--version' || each === '-V'))
    return printVersionFacts();
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

/** `standin --version --json`: what a bug report needs to say. */
function printVersionFacts(): number {
  const { platform, arch, version: node } = process;
  const facts = { name: 'standin', version: packageVersion(), node: node.slice(1), platform, arch };
  printText(process.stdout, `${JSON.stringify(facts)}\n`);
  return EXIT.ok;
}

/**
 * Every command with its flags.
 *
 * @param args - of the command line, for hints about them
 */
export function createProgram(args: readonly string[], ended: Ended): Command {
  const program = new Command('standin')
    .description(
      'A stateful mock server from your OpenAPI file, and a test runner that checks the real API against it.',
    )
    .version(packageVersion(), '-V, --version', 'print the version; with --json also those of Node and of the system')
    .addHelpOption(new Option('-h, --help', 'print this help').helpGroup('General:'))
    .showSuggestionAfterError(true)
    .showHelpAfterError('(standin --help, or standin COMMAND --help, shows what there is)')
    .configureOutput({
      outputError(text, write) {
        const [, kind, name = ''] = /^error: unknown (option|command) '([^']*)'/.exec(text) ?? [];
        const hint = kind === 'option' ? optionHint(name, args) : commandHint(name);
        // The name that is nearest in its letters would be the wrong one.
        write(hint === undefined ? text : `error: unknown ${kind} '${name}'\n(${hint})\n`);
      },
    })
    .exitOverride();
  for (const definition of COMMANDS) addCommand(program, definition, ended);
  return program.hook('preAction', (_, command) => {
    applyConfigFile(COMMANDS, command);
  });
}

/** How a command ends: with an exit code, or `undefined` while a server goes on. */
type Ended = (exitCode: number | undefined) => void;

function addCommand(program: Command, definition: CommandDefinition, ended: Ended): void {
  const command = program.command(definition.name).description(definition.about);
  for (const [argument, about] of definition.arguments) command.argument(argument, about);
  addFlags(command, { ...definition.options, ...CONFIG_OPTION });
  command.addHelpText('after', definition.notes).action(async () => {
    const args = command.processedArgs as readonly unknown[];
    ended(await definition.run(args, valuesOf(command, definition.options), command));
  });
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof StandinError) {
    printText(process.stderr, `${formatStandinError(error)}\n`);
    return error.code.startsWith('TRANSPORT_') ? EXIT.unreachable : EXIT.usage;
  }
  printText(process.stderr, 'standin met a defect in itself. Please report it with the lines below.\n');
  printText(process.stderr, `${stackOf(error)}\n`);
  return EXIT.usage;
}

/** Words for the description that other tools have as an option. */
const DESCRIPTION_OPTIONS =
  /^--(?:spec|openapi|open-api|oas|swagger|description|document|api|schema|file|input)(?:=|$)/;

/** Commands that take the description as an option, and not as an argument. */
const WITH_SPEC: readonly string[] = ['verify', 'record', 'import', 'cleanup'];

/**
 * What was meant by an option that a command does not have, where it is the description.
 *
 * @param args - the arguments of the command line, the command first
 */
function optionHint(option: string, [command = '']: readonly string[]): string | undefined {
  if (!DESCRIPTION_OPTIONS.test(option)) return undefined;
  return WITH_SPEC.includes(command)
    ? 'The description is chosen with --spec: --spec openapi.yaml'
    : `The description has no option before it: standin ${command} openapi.yaml`;
}

/** What was meant by a command that does not exist, where it is a description. */
function commandHint(name: string): string | undefined {
  if (!/\.(?:ya?ml|json)$/i.test(name)) return undefined;
  return `A description is the argument of a command: standin mock ${name}`;
}

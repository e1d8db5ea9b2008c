import type { Command } from 'commander';
import type { OptionTable } from '../../core/options/option-table';

/** A command of the command line, as one object. */
export interface CommandDefinition {
  readonly name: string;
  /** What it does, in one sentence. */
  readonly about: string;
  /** Its arguments as commander writes them, `[description]` or `<results...>`, each with what it is. */
  readonly arguments: readonly (readonly [argument: string, about: string])[];
  readonly options: OptionTable;
  /** Exit codes and examples, after the options of `--help`. */
  readonly notes: string;
  /**
   * Loads the action and runs it: loaded here, other commands, `--help` and `--version` need not wait for it.
   *
   * @param args - one for each of `arguments`
   * @param values - of the flags, by the names of `options`
   * @param command - for errors about the command line
   * @returns the exit code; `undefined` while a server runs on
   */
  run(args: readonly unknown[], values: object, command: Command): Promise<number | undefined> | number | undefined;
}

/** What the argument of a description may be. */
export const DESCRIPTION_ARGUMENT = 'OpenAPI 3.x or Swagger 2.0, YAML or JSON: a file or its address';

import { checkCommand } from './commands/check-command';
import { cleanUpCommand } from './commands/clean-up-command';
import type { CommandDefinition } from './options/command-definition';
import { explainCommand } from './commands/explain-command';
import { initCommand } from './commands/init-command';
import { mergeReportsCommand } from './commands/merge-reports-command';
import { mockCommand } from './commands/mock-command';
import { verifyCommand } from './commands/verify-command';

/** Every command, in the order of `--help`. */
export const COMMANDS: readonly CommandDefinition[] = [
  mockCommand,
  verifyCommand,
  checkCommand,
  cleanUpCommand,
  explainCommand,
  initCommand,
  mergeReportsCommand,
];

import type { Command } from 'commander';
import type { Ended } from './main';
import type * as MergeReports from './merge-reports';
import { collect, REPORT_HELP } from './option-values';

export function addMergeReportsCommand(program: Command, ended: Ended): void {
  program
    .command('merge-reports')
    .description('Join the results of all shards of a run, and report them like one.')
    .argument('<results...>', 'what standin verify --shard … --report json=FILE wrote, all shards of one run')
    .option('--report <kind=file>', REPORT_HELP, collect)
    .addHelpText('after', NOTES)
    .action((files: readonly string[], flags: MergeReports.MergeReportsFlags) => {
      // Loaded here, so that other commands, --help and --version need not wait for it.
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
      const { mergeReports } = require('./merge-reports') as typeof MergeReports;
      ended(mergeReports(files, flags));
    });
}

const NOTES = `
Exit codes: those of standin verify, for the run as a whole.

Example:
  standin merge-reports shard-1.json shard-2.json shard-3.json --report junit=junit.xml
`;

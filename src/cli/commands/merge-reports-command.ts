import type * as MergeReports from '../actions/merge-reports';
import { REPORT_OPTION } from '../options/flags';
import type { CommandDefinition } from '../options/command-definition';

export const mergeReportsCommand: CommandDefinition = {
  name: 'merge-reports',
  about: 'Join the results of all shards of a run, and report them like one.',
  arguments: [['<results...>', 'what standin verify --shard … --report json=FILE wrote, all shards of one run']],
  options: REPORT_OPTION,
  notes: `
Exit codes: those of standin verify, for the run as a whole.

Example:
  standin merge-reports shard-1.json shard-2.json shard-3.json --report junit=junit.xml
`,
  run([files]: readonly [readonly string[]], values: MergeReports.MergeReportsFlags) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
    return (require('../actions/merge-reports') as typeof MergeReports).mergeReports(files, values);
  },
};

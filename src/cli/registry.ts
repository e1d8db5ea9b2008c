import type * as Check from './actions/check';
import type * as CleanUp from './actions/clean-up';
import type * as Completion from './actions/completion';
import type * as Explain from './actions/explain';
import type * as Init from './actions/init';
import type * as Reports from './actions/reports';
import { exportCommand } from './commands/export-command';
import { gradeCommand } from './commands/grade-command';
import { importCommand } from './commands/import-command';
import { mcpCommand } from './commands/mcp-command';
import { mockCommand } from './commands/mock-command';
import { recordCommand } from './commands/record-command';
import { verifyCommand } from './commands/verify-command';
import { type CommandDefinition, DESCRIPTION_ARGUMENT } from './options/command-definition';
import { CONSENT_OPTION, JSON_OPTION, KEY_OPTIONS, REPORT_OPTION } from './options/flags';
import { inGroup } from '../core/options/option-table';
import { booleanValue, stringValue } from '../core/options/option-types';
import { DESCRIPTION_OPTIONS, REFERENCE_OPTIONS } from '../library/description-options';
import { MOCK_OPTIONS } from '../library/mock-options';
import { CLEAN_UP_OPTIONS } from '../library/clean-up-options';

/* oxlint-disable typescript/no-require-imports -- jest cannot run `import()` in CommonJS */

export const checkCommand: CommandDefinition = {
  name: 'check',
  about: 'Check an API description: its structure, references, every schema and every example.',
  arguments: [['[description]', `${DESCRIPTION_ARGUMENT} (default: the bundled Petstore)`]],
  options: {
    ...REFERENCE_OPTIONS,
    ...JSON_OPTION,
    ...inGroup('Output', {
      strict: { flag: '--strict', doc: 'exit code 2 for warnings as well', type: booleanValue },
    }),
  },
  notes: `
Exit codes: 0 no errors, 2 errors, or a description that cannot be read.

Examples:
  standin check openapi.yaml
  standin check openapi.yaml --json | jq '.findings[] | .rule'
`,
  run([description]: readonly [string | undefined], values: Check.CheckFlags) {
    return (require('./actions/check') as typeof Check).check(description, values);
  },
};

export const cleanUpCommand: CommandDefinition = {
  name: 'cleanup',
  about: 'Remove what an interrupted run left behind.',
  arguments: [['<ledger>', 'the ledger that the run wrote']],
  options: { ...CLEAN_UP_OPTIONS, ...CONSENT_OPTION, ...KEY_OPTIONS },
  notes: `
Exit codes: 0 nothing is left, or only what was expected to stay; 2 usage, document or ledger error; 3 unreachable;
4 something still exists.

Example:
  standin cleanup standin-ledger-1a2b3c4d.ndjson --api-key-env STAGING_KEY
`,
  run([ledger]: readonly [string], values: CleanUp.CleanUpFlags) {
    return (require('./actions/clean-up') as typeof CleanUp).cleanUpLedger(ledger, values);
  },
};

type Arguments = readonly [first: string | undefined, second: string | undefined, third: string | undefined];

const { overrides, fixtures, rules, seed } = MOCK_OPTIONS;

export const explainCommand: CommandDefinition = {
  name: 'explain',
  about: 'Print what the mock stores and how it responds, and why.',
  arguments: [
    ['[description]', `${DESCRIPTION_ARGUMENT} (default: the bundled Petstore)`],
    ['[method]', 'with a path: explain the response to one request'],
    ['[path]', 'path below the base path, with a query if there is one'],
  ],
  options: {
    ...DESCRIPTION_OPTIONS,
    overrides,
    fixtures,
    rules,
    seed,
    ...inGroup('Request', { body: { flag: '--body <json>', doc: 'body of the request', type: stringValue } }),
    ...inGroup('Output', {
      all: {
        flag: '--all',
        doc: 'every resource and operation, where there are so many that an overview is shown',
        type: booleanValue,
      },
    }),
    ...JSON_OPTION,
  },
  notes: `
Exit codes: 0 explained, 2 for a path that nothing matches and for files that cannot be used.

Examples:
  standin explain openapi.yaml                   every resource and operation
  standin explain openapi.yaml GET /things/1     why that request gets its response
  standin explain GET /things/1                  the same for the bundled description
`,
  run([first, second, third]: Arguments, values: Explain.ExplainFlags) {
    const isRequest = first !== undefined && isMethod(first, second);
    const [description, method, path] = isRequest ? [undefined, first, second] : [first, second, third];
    return (require('./actions/explain') as typeof Explain).explain(description, method, path, values);
  },
};

/** `GET` is not a file name; `get` may be one unless a path follows. */
function isMethod(first: string, second: string | undefined): boolean {
  return /^[A-Z]+$/.test(first) || (/^[A-Za-z]+$/.test(first) && second?.startsWith('/') === true);
}

export const initCommand: CommandDefinition = {
  name: 'init',
  about: 'Write a configuration and a first contract, one step for each operation, that passes at the mock.',
  arguments: [['[description]', `${DESCRIPTION_ARGUMENT} (default: openapi.yaml or the like, here)`]],
  options: {
    ...DESCRIPTION_OPTIONS,
    ...inGroup('Output', {
      agents: { flag: '--agents', doc: 'write AGENTS.md for coding agents, and nothing else', type: booleanValue },
    }),
  },
  notes: `
Writes standin.config.yaml and contracts/every-operation.yaml here, or with --agents AGENTS.md; overwrites no file.

Exit codes: 0 written, 2 a description that cannot be used, or files that exist already.

Example:
  standin init openapi.yaml
  standin init openapi.yaml --agents
`,
  run([description]: readonly [string | undefined], values: Init.InitFlags) {
    return (require('./actions/init') as typeof Init).init(description, values);
  },
};

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
  run([files]: readonly [readonly string[]], values: Reports.ReportFlags) {
    return (require('./actions/reports') as typeof Reports).mergeReports(files, values);
  },
};

export const reportCommand: CommandDefinition = {
  name: 'report',
  about: 'Report the result of a run once more: as a page, in other kinds, beside an earlier run.',
  arguments: [['<result>', 'what standin verify --report json=FILE wrote']],
  options: {
    ...REPORT_OPTION,
    ...inGroup('Output', {
      html: { flag: '--html <file>', doc: 'short for --report html=FILE', type: stringValue, path: 'file' },
    }),
  },
  notes: `
Exit codes: that of the run.

Examples:
  standin report result.json --html report.html
  standin report result.json --compare yesterday.json --open
`,
  run([file]: readonly [string], values: Parameters<typeof Reports.reportAgain>[1]) {
    return (require('./actions/reports') as typeof Reports).reportAgain(file, values);
  },
};

const completionCommand: CommandDefinition = {
  name: 'completion',
  about: 'Print the script with which a shell completes commands and flags.',
  arguments: [['<shell>', 'bash, zsh or fish']],
  options: {},
  notes: `
Exit codes: 0 printed, 2 for another shell.

Examples:
  source <(standin completion bash)                                      in ~/.bashrc; zsh likewise
  standin completion fish > ~/.config/fish/completions/standin.fish
`,
  run([shell]: readonly [string]) {
    return (require('./actions/completion') as typeof Completion).completion(shell, COMMANDS);
  },
};

/** Every command, in the order of `--help`. */
export const COMMANDS: readonly CommandDefinition[] = [
  mockCommand,
  verifyCommand,
  recordCommand,
  checkCommand,
  cleanUpCommand,
  explainCommand,
  gradeCommand,
  importCommand,
  exportCommand,
  initCommand,
  mcpCommand,
  mergeReportsCommand,
  reportCommand,
  completionCommand,
];

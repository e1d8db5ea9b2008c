import type { OptionTable } from '../../src/core/options/option-table';
import { flagDefault, flagName } from '../../src/cli/options/flags';
import { COMMANDS } from '../../src/cli/registry';
import { MOCK_OPTIONS } from '../../src/library/mock-options';
import { CLEAN_UP_OPTIONS } from '../../src/library/clean-up-options';
import { GRADE_OPTIONS } from '../../src/library/grade-options';
import { DESCRIBE_OPTIONS, RUN_OPTIONS } from '../../src/library/run-options';

const FUNCTIONS: Readonly<Record<string, OptionTable>> = {
  createMockServer: MOCK_OPTIONS,
  runContract: RUN_OPTIONS,
  describeContract: DESCRIBE_OPTIONS,
  gradeContracts: GRADE_OPTIONS,
  cleanUp: CLEAN_UP_OPTIONS,
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function functionTable(name: string, table: OptionTable): string {
  const rows = Object.entries(table).map(([option, { doc, type, default: usual, flag }]) => {
    const shown = flag === undefined ? '' : `\`${cell(flag).replaceAll('&lt;', '<')}\``;
    return row(`\`${option}\``, cell(type.expected), cell(String(usual ?? '')), shown, cell(doc));
  });
  const head = [row('option', 'value', 'default', 'flag', 'what it does'), row('-', '-', '-', '-', '-')];
  return [`## ${name}`, '', ...head, ...rows].join('\n');
}

function commandTable({ name, options }: (typeof COMMANDS)[number]): string {
  const rows = Object.values(options).flatMap((option) => {
    const { doc, flag, isConsent, group } = option;
    if (flag === undefined) return [];
    const key = isConsent === true ? '' : `\`${flagName(flag)}\``;
    const usual = String(flagDefault(option) ?? '');
    return [row(`\`${flag.replaceAll('|', '\\|')}\``, key, cell(usual), group, cell(doc))];
  });
  const head = [
    row('flag', 'in the configuration file', 'default', 'group', 'what it does'),
    row('-', '-', '-', '-', '-'),
  ];
  return [`## standin ${name}`, '', ...head, ...rows].join('\n');
}

/** docs/reference/options.md: every option of every entry point. `npm run options` writes it. */
export function optionsDocument(): string {
  return [
    '# All options',
    'The options of the functions of the package, then the flags of the commands. Times are in milliseconds in a program and in seconds as a flag. This page is written by `npm run options` from the tables in `src/`.',
    ...Object.entries(FUNCTIONS).map(([name, table]) => functionTable(name, table)),
    ...COMMANDS.map(commandTable),
    '',
  ].join('\n\n');
}

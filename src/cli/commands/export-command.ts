import { inGroup, type OptionDefinition } from '../../core/options/option-table';
import { booleanValue, stringValue } from '../../core/options/option-types';
import { DESCRIPTION_OPTIONS } from '../../library/description-options';
import { RUN_OPTIONS } from '../../library/run-options';
import { EXPORT_NAMES, EXPORTS } from '../../traffic/exports/registry';
import type * as Export from '../actions/export';
import type { CommandDefinition } from '../options/command-definition';

const { description, variables } = RUN_OPTIONS;

const FORMATS = EXPORT_NAMES.map((name): [string, OptionDefinition] => [
  name,
  { flag: `--${name}`, doc: `write ${EXPORTS[name].about}`, type: booleanValue },
]);

export const exportCommand: CommandDefinition = {
  name: 'export',
  about: 'Write contracts in the formats of other tools, and tell what those cannot say.',
  arguments: [['<contracts...>', 'contract files, or folders of them']],
  options: {
    ...inGroup('Format', Object.fromEntries(FORMATS)),
    ...inGroup('Output', {
      out: {
        flag: '--out <file>',
        doc: 'where to write, - for stdout; one contract and one format alone',
        type: stringValue,
        default: 'beside the contract, such as shop.arazzo.yaml',
        path: 'file',
      },
      baseUrl: {
        flag: '--base-url <url>',
        doc: 'where the service is, as the file names it at first',
        type: stringValue,
        default: 'the first server of the description, else that of the mock',
      },
    }),
    description,
    ...DESCRIPTION_OPTIONS,
    variables,
  },
  notes: `
A key is in no export: the file takes it from outside, as it says at its beginning. What a format cannot say is listed on
stderr, by step. --har replays the contract at a mock of the description, in this process.

Exit codes: 0 written, 2 usage or document error.

Examples:
  standin export contracts/shop.yaml --arazzo --spec openapi.yaml
  standin export contracts/shop.yaml --curl --out - | STANDIN_API_KEY=… bash
`,
  run([contracts]: readonly [readonly string[]], values: Parameters<typeof Export.exportContracts>[1]) {
    // oxlint-disable-next-line typescript/no-require-imports -- jest cannot run `import()` in CommonJS
    return (require('../actions/export') as typeof Export).exportContracts(contracts, values);
  },
};

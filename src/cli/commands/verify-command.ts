import { ConfigError } from '../../core/errors/standin-error';
import { inGroup } from '../../core/options/option-table';
import { booleanValue, stringValue } from '../../core/options/option-types';
import { RUN_OPTIONS } from '../../library/run-options';
import type * as Verify from '../actions/verify';
import { CONSENT_OPTION, KEY_OPTIONS, REFUSED_OPTION, REPORT_OPTION } from '../options/flags';
import type { CommandDefinition } from '../options/command-definition';

export const verifyCommand: CommandDefinition = {
  name: 'verify',
  about: 'Replay contracts at a service, and check every response against its API description.',
  arguments: [['[contracts...]', 'contract files, or folders of them (default: those of the bundled Petstore)']],
  options: {
    ...RUN_OPTIONS,
    ...CONSENT_OPTION,
    ...KEY_OPTIONS,
    ...REFUSED_OPTION,
    ...REPORT_OPTION,
    ...inGroup('Output', {
      baseline: {
        flag: '--baseline <file>',
        doc: 'accept the findings that are known there, until they expire',
        type: stringValue,
        path: 'file',
      },
      writeBaseline: {
        flag: '--write-baseline <file>',
        doc: 'write the findings of this run as a baseline',
        type: stringValue,
        path: 'file',
      },
      saveFailures: {
        flag: '--save-failures <folder>',
        doc: 'write each failure as the shortest contract that still fails, and as curl command lines',
        type: stringValue,
        path: 'file',
      },
      replay: {
        flag: '--replay <file>',
        doc: 'run such a contract three times: fixed, still failing, or flaky',
        type: stringValue,
        path: 'file',
      },
      verbose: { flag: '--verbose', doc: 'list what the run did not cover as well', type: booleanValue },
    }),
  },
  notes: `
Exit codes: 0 conforms, 1 violations, 2 usage or document error, 3 unreachable or inconclusive, 4 something left behind.

Examples:
  standin verify --base-url http://127.0.0.1:4010
  standin verify contracts/core --base-url http://127.0.0.1:3000 --report junit=reports/contract.xml
  STANDIN_API_KEY=… standin verify --base-url https://staging.example.com/v1 --mode observe
`,
  run([contracts]: readonly [readonly string[]], values: Verify.VerifyFlags) {
    requireBaseUrl(contracts, values);
    // oxlint-disable-next-line typescript/no-require-imports -- jest cannot run `import()` in CommonJS
    return (require('../actions/verify') as typeof Verify).verify(contracts, values);
  },
};

/** Here and not by commander, which could not tell where the URL went instead. */
function requireBaseUrl(contracts: readonly string[], { baseUrl }: Partial<Verify.VerifyFlags>): void {
  if (baseUrl !== undefined) return;
  const isMisplaced = contracts.some((each) => /^https?:\/\//i.test(each));
  throw new ConfigError('CONFIG_INVALID', 'The option --base-url is missing: it says where the service is', {
    hint: `${isMisplaced ? 'The URL goes behind it' : 'Such as'}: standin verify --base-url http://127.0.0.1:4010.`,
  });
}

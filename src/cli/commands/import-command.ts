import { IMPORT_OPTIONS } from '../../library/import-options';
import type * as Import from '../actions/import';
import type { CommandDefinition } from '../options/command-definition';

export const importCommand: CommandDefinition = {
  name: 'import',
  about: 'Make a contract of recorded traffic: HAR files, collections, curl command lines, recordings.',
  arguments: [['<files...>', 'files of recorded traffic, in the order in which it was made; - is standard input']],
  options: IMPORT_OPTIONS,
  notes: `
Reads HAR 1.2 of browsers and proxies, Postman collections 2.1 and OpenCollection, the format of Bruno, with their
environments, files of curl command lines and what standin record wrote. What cannot be read is told, and the rest is read. Scripts are not run, and nothing is sent. Requests without a
response, as in curl command lines, make steps with --spec alone: what it documents is expected.

Exit codes: 0 read, 2 nothing that can be used, or a file that is not there.

Examples:
  standin import shop.har --spec openapi.yaml --out contracts/shop.yaml
  standin import shop.postman_collection.json --target https://api.example.com
  pbpaste | standin import -
`,
  run([files]: readonly [readonly string[]], values: Import.ImportFlags) {
    // oxlint-disable-next-line typescript/no-require-imports -- jest cannot run `import()` in CommonJS
    return (require('../actions/import') as typeof Import).importTraffic(files, values);
  },
};

import type { Command } from 'commander';
import { ConfigError } from '../../core/errors/standin-error';
import { RECORD_OPTIONS } from '../../library/record-options';
import type * as Record from '../actions/record';
import type { CommandDefinition } from '../options/command-definition';
import { isOrigin, REPORT_OPTION } from '../options/flags';

export const recordCommand: CommandDefinition = {
  name: 'record',
  about: 'Record what passes between a client and a service, judge it by the description, and make a contract of it.',
  arguments: [],
  options: { ...RECORD_OPTIONS, ...REPORT_OPTION },
  notes: `
A proxy in front of the service: point the client at it, click or run what the contract is to hold, and stop with Ctrl-C.
Each exchange is written to NAME.recording.ndjson as it comes, its secrets replaced.

Exit codes: 0 recorded, 1 violations with --fail-on-drift, 2 usage or document error, 3 nothing was answered.

Examples:
  standin record --target https://staging.example.com --out contracts/shop.yaml
  standin record --target http://localhost:8080 --out contracts/shop.yaml --spec openapi.yaml --fail-on-drift
`,
  run(_arguments, values: Partial<Record.RecordFlags>, command: Command) {
    const { target, out, corsOrigins } = values;
    if (target === undefined) {
      throw new ConfigError('CONFIG_INVALID', 'The option --target is missing: it says where the service is', {
        hint: 'Such as: standin record --target http://127.0.0.1:8080 --out contracts/new.yaml.',
      });
    }
    if (out === undefined) {
      throw new ConfigError('CONFIG_INVALID', 'The option --out is missing: it names the contract to write', {
        hint: `Such as: standin record --target ${target} --out contracts/new.yaml.`,
      });
    }
    const wrong = corsOrigins?.find((text) => !isOrigin(text));
    if (wrong !== undefined) {
      return command.error(
        `error: option '--cors <origin...>' argument '${wrong}' is invalid. Expected an origin such as http://localhost:5173.`,
      );
    }
    const origins = corsOrigins?.includes('off') === true ? [] : corsOrigins;
    // oxlint-disable-next-line typescript/no-require-imports -- jest cannot run `import()` in CommonJS
    return (require('../actions/record') as typeof Record).record({ ...values, target, out, corsOrigins: origins });
  },
};

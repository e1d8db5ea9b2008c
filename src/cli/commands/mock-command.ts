import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { inGroup } from '../../core/options/option-table';
import { booleanValue, oneOf, stringValue, wholeNumberWithin } from '../../core/options/option-types';
import { MOCK_OPTIONS } from '../../library/mock-options';
import type * as Serve from '../actions/serve';
import { type CommandDefinition, DESCRIPTION_ARGUMENT } from '../options/command-definition';
import { isOrigin } from '../options/flags';

export const mockCommand: CommandDefinition = {
  name: 'mock',
  about: 'Serve a stateful mock of an API description.',
  arguments: [['[description]', `${DESCRIPTION_ARGUMENT} (default: the bundled Petstore)`]],
  options: {
    ...inGroup('Server', {
      port: {
        flag: '-p, --port <port>',
        doc: 'port to listen on; 0 takes any free one',
        type: {
          ...wholeNumberWithin(0, 65_535, 'a port'),
          expectedText: 'a port from 0 to 65535; 0 takes any free one',
        },
        default: 4010,
      },
      host: { flag: '--host <address>', doc: 'address to listen on', type: stringValue, default: '127.0.0.1' },
      watch: {
        flag: '--watch',
        doc: 'reload edited files: description, rules, fixtures, tokens; what is stored stays',
        type: booleanValue,
      },
      log: {
        flag: '--log <format>',
        doc: 'one line for each request',
        type: oneOf(['pretty', 'json', 'silent']),
        default: 'pretty',
      },
    }),
    ...MOCK_OPTIONS,
    ...inGroup('Sandboxes and faults', {
      faultSwitch: {
        flag: '--faults <mode>',
        doc: 'off: no faults ever, also where a request asks for one',
        type: oneOf(['on', 'off']),
        default: 'on',
      },
    }),
  },
  notes: `
Examples:
  standin mock                          the bundled Petstore on http://127.0.0.1:4010
  standin mock --port 0 --state empty   on any free port, with nothing in it
  standin mock openapi.yaml --auth any  your own description
  standin mock openapi.yaml --record contracts/new.yaml   and a contract of what it was asked, in the end
`,
  async run([given]: readonly [string | undefined], values: Serve.MockFlags, command: Command) {
    const { description, corsOrigins } = sortOutOrigins(given, values.corsOrigins, command);
    // oxlint-disable-next-line typescript/no-require-imports -- jest cannot run `import()` in CommonJS
    await (require('../actions/serve') as typeof Serve).serve(description, { ...values, corsOrigins });
    return undefined;
  },
};

interface Origins {
  readonly description: string | undefined;
  readonly corsOrigins: readonly string[] | undefined;
}

/** `--cors off openapi.yaml`: a list of values swallows the description behind it, which is not an origin. */
function sortOutOrigins(given: string | undefined, cors: readonly string[] = ['*'], command: Command): Origins {
  const origins = cors.filter(isOrigin);
  const corsOrigins = origins.includes('off') ? [] : origins;
  const [other, ...more] = cors.filter((text) => !isOrigin(text));
  if (other === undefined) return { description: given, corsOrigins };
  const isFile = existsSync(other) || /\.(?:ya?ml|json)$/i.test(other);
  if (given === undefined && isFile && more.length === 0 && origins.length > 0)
    return { description: other, corsOrigins };
  return command.error(
    `error: option '--cors <origin...>' argument '${other}' is invalid. Expected an origin such as http://localhost:5173.`,
  );
}

import { inGroup } from '../../core/options/option-table';
import { booleanValue, stringValue } from '../../core/options/option-types';
import { DESCRIPTION_OPTIONS } from '../../library/description-options';
import { MOCK_OPTIONS } from '../../library/mock-option-table';
import type * as Explain from '../actions/explain';
import { JSON_OPTION } from '../options/flags';
import { type CommandDefinition, DESCRIPTION_ARGUMENT } from '../options/command-definition';

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
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
    return (require('../actions/explain') as typeof Explain).explain(description, method, path, values);
  },
};

/** `GET` is not a file name; `get` may be one unless a path follows. */
function isMethod(first: string, second: string | undefined): boolean {
  return /^[A-Z]+$/.test(first) || (/^[A-Za-z]+$/.test(first) && second?.startsWith('/') === true);
}

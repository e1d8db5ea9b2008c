import type { DescriptionOptions } from '../adapters/description-options';
import { CONTRACT_FORMAT } from '../formats/contract';
import type { ApiModel } from '../openapi/model';
import { writeYaml } from '../openapi/write-yaml';
import { CONFIG_FORMAT } from './config-file';
import { literal, stepValue, type Draft } from './draft';

const PACKAGE = 'node_modules/standin';

/** The contract as a file. */
export function contractText({ title, variables, steps }: Draft): string {
  const contract = {
    standin: CONTRACT_FORMAT,
    name: `Every operation of ${title === '' ? 'the API' : title}`,
    ...(variables.length === 0
      ? {}
      : { variables: Object.fromEntries(variables.map(({ name, value }) => [name, literal(value)])) }),
    steps: steps.map(stepValue),
  };
  return [
    `# yaml-language-server: $schema=../${PACKAGE}/contracts/contract.schema.json`,
    '# Written by standin init: one step for each operation, as it passes at the mock. It is yours to change: say what',
    '# else has to be true of the answers under expect, and add the refusals that matter.',
    ...(variables.length === 0
      ? []
      : ['# Variables name what no step makes; their defaults lead to rows of the mock: --variable name=value.']),
    writeYaml(contract),
  ].join('\n');
}

export interface ConfigFacts {
  readonly description: string;
  /** How it is read. */
  readonly reading: DescriptionOptions;
  /** Do the calls without a key that the runner adds pass at the mock? */
  readonly probesPass: boolean;
}

/** The configuration as a file. */
export function configText({ basePath }: ApiModel, { description, reading, probesPass }: ConfigFacts): string {
  const flags = Object.fromEntries(Object.entries(reading).filter(([, value]) => value !== undefined));
  const config = {
    standin: CONFIG_FORMAT,
    description,
    mock: { port: 4010, ...flags },
    verify: {
      contracts: ['contracts'],
      baseUrl: `http://127.0.0.1:4010${basePath}`,
      ...flags,
      ...(probesPass ? {} : { authProbes: false }),
    },
  };
  return `# yaml-language-server: $schema=./${PACKAGE}/dist/generated/config.schema.json\n${writeYaml(config)}`;
}

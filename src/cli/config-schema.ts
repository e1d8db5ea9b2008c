import type { Command } from 'commander';
import { CONFIG_FORMAT } from './config-file';
import { configKeys, type ConfigKey } from './config-keys';

type SchemaObject = Readonly<Record<string, unknown>>;

/** The JSON Schema of the configuration file, for editors: made of the flags themselves. */
export function configSchema(program: Command): SchemaObject {
  const sections = program.commands.flatMap((command): [string, SchemaObject][] => {
    const keys = configKeys(command);
    if (keys.length === 0) return [];
    const properties = Object.fromEntries(keys.map((key) => [key.name, propertyOf(key)]));
    return [
      [command.name(), { description: command.description(), type: 'object', additionalProperties: false, properties }],
    ];
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of standin: the flags of its commands; those of the command line win',
    type: 'object',
    additionalProperties: false,
    required: ['standin'],
    properties: {
      $schema: { description: 'Where this schema is, for editors.', type: 'string', minLength: 1 },
      standin: { description: 'Version of the format.', const: CONFIG_FORMAT },
      description: {
        description: 'The API description of every command: a file, from the folder of this one, or its address.',
        type: 'string',
        minLength: 1,
      },
      ...Object.fromEntries(sections),
    },
  };
}

const TEXT: SchemaObject = { type: ['string', 'number'] };

function propertyOf({ takes, description, setting }: ConfigKey): SchemaObject {
  if (takes.kind === 'flag') return { description, type: 'boolean' };
  const one = takes.words === undefined ? TEXT : { enum: takes.words };
  const forms = [
    one,
    ...(takes.isRepeated ? [{ type: 'array', items: one }] : []),
    ...(takes.isPair ? [{ type: 'object', additionalProperties: one }] : []),
  ];
  const usual: unknown = setting.kind === 'option' ? setting.option.defaultValue : undefined;
  const fallback = ['string', 'number'].includes(typeof usual) ? { default: usual } : {};
  return { description, ...(forms.length === 1 ? one : { anyOf: forms }), ...fallback };
}

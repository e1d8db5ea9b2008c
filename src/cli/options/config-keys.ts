import { type OptionDefinition } from '../../core/options/option-table';
import type { CommandDefinition } from './command-definition';
import { flagDefault, flagName, isSwitch } from './flags';

/** A property that the section of a command may have in the configuration file. */
export interface ConfigKey {
  /** The name of the flag in camel case, or that of the argument. */
  readonly name: string;
  readonly definition: OptionDefinition;
  readonly isArgument: boolean;
}

/** What the configuration file may say for a command: its flags, and its first argument where that may be left out. */
export function configKeys({ arguments: [first], options }: CommandDefinition): ConfigKey[] {
  const flags = Object.values(options).flatMap((definition): ConfigKey[] =>
    definition.flag === undefined || definition.isConsent === true
      ? []
      : [{ name: flagName(definition.flag), definition, isArgument: false }],
  );
  return first === undefined || first[0].startsWith('<') ? flags : [argumentKey(...first), ...flags];
}

function argumentKey(argument: string, doc: string): ConfigKey {
  const isRepeated = argument.includes('...') ? { isRepeated: true as const } : {};
  const type = { expected: 'a path', accepts: () => true };
  return {
    name: argument.replace(/[^\w-]/g, ''),
    definition: { doc, type, path: 'file', ...isRepeated },
    isArgument: true,
  };
}

/** Flags by which somebody agrees to something for one call; a file must not agree for everybody who works in its folder. */
export function consentKeys({ options }: CommandDefinition): { readonly name: string; readonly flag: string }[] {
  return Object.values(options).flatMap(({ flag, isConsent }) =>
    flag === undefined || isConsent !== true ? [] : [{ name: flagName(flag), flag: flag.replace(/ .*/, '') }],
  );
}

/** Version of the format, written in the file. */
export const CONFIG_FORMAT = 'config/1';

type SchemaObject = Readonly<Record<string, unknown>>;

/** The JSON Schema of the configuration file, for editors. */
export function configSchema(commands: readonly CommandDefinition[]): SchemaObject {
  const sections = commands.map((command): [string, SchemaObject] => {
    const properties = Object.fromEntries(configKeys(command).map((key) => [key.name, propertyOf(key.definition)]));
    return [command.name, { description: command.about, type: 'object', additionalProperties: false, properties }];
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

function propertyOf(definition: OptionDefinition): SchemaObject {
  const { doc: description, type, isRepeated, isPair } = definition;
  if (isSwitch(definition)) return { description, type: 'boolean' };
  const one: SchemaObject = type.choices === undefined ? { type: ['string', 'number'] } : { enum: type.choices };
  const forms = [
    one,
    ...(isRepeated === true ? [{ type: 'array', items: one }] : []),
    ...(isPair === true ? [{ type: 'object', additionalProperties: one }] : []),
  ];
  const usual = flagDefault(definition);
  const isValue = typeof usual === 'number' || type.choices?.includes(usual ?? '') === true;
  return { description, ...(forms.length === 1 ? one : { anyOf: forms }), ...(isValue ? { default: usual } : {}) };
}

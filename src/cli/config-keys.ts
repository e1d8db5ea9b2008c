import type { Argument, Command, Option } from 'commander';

/** A member that the section of a command may have in the configuration file. */
export interface ConfigKey {
  /** The name of the flag in camel case, or that of the argument. */
  readonly name: string;
  readonly description: string;
  readonly takes: ConfigValue;
  readonly setting: { readonly kind: 'option'; readonly option: Option } | { readonly kind: 'argument' };
}

/**
 * What a member holds: yes or no, one of a few words, or a text. `isFile` where the text is a path, `isName` where it may
 * as well be a name, which has no slash; `isPair` where the
 * flag takes `name=value`, so that a map may stand for several of them; `isRepeated` where there may be a list.
 */
export type ConfigValue =
  | { readonly kind: 'flag' }
  | {
      readonly kind: 'text';
      readonly words: readonly string[] | undefined;
      readonly isFile: boolean;
      readonly isName: boolean;
      readonly isPair: boolean;
      readonly isRepeated: boolean;
    };

/** Flags that say what the command line itself does. */
const OWN_FLAGS: ReadonlySet<string> = new Set(['config', 'help', 'version']);

/**
 * Flags by which somebody agrees, for one call, to what is else asked or refused. A file that comes with a folder does
 * not agree for whoever works in it.
 */
export const AGREEMENTS: ReadonlySet<string> = new Set(['yes', 'foreignLedger', 'insecure']);

/**
 * What the configuration file may say for a command: all its flags but agreements, and its first argument where that may be left out.
 * They are taken from the command itself, so that a new flag is known here at once.
 */
export function configKeys(command: Command): ConfigKey[] {
  const [first] = command.registeredArguments;
  const options = command.options.filter((option) => {
    const name = option.attributeName();
    return !OWN_FLAGS.has(name) && !AGREEMENTS.has(name);
  });
  return [
    ...(first === undefined || first.required ? [] : [argumentKey(first)]),
    ...options.map((option): ConfigKey => {
      const setting = { kind: 'option', option } as const;
      return { name: option.attributeName(), description: option.description, takes: valueOf(option), setting };
    }),
  ];
}

function argumentKey(argument: Argument): ConfigKey {
  const { description, variadic } = argument;
  const takes = {
    kind: 'text',
    words: undefined,
    isFile: true,
    isName: false,
    isPair: false,
    isRepeated: variadic,
  } as const;
  return { name: argument.name(), description, takes, setting: { kind: 'argument' } };
}

function valueOf({ required, optional, flags, argChoices, variadic, description }: Option): ConfigValue {
  if (!required && !optional) return { kind: 'flag' };
  const [, placeholder = ''] = /[<[](.*?)[>\]]/.exec(flags) ?? [];
  return {
    kind: 'text',
    words: argChoices,
    isFile: /\b(?:file|folder)\b/.test(placeholder),
    isName: /\bname\|/.test(placeholder),
    isPair: placeholder.includes('='),
    isRepeated: variadic || /may be repeated/.test(description),
  };
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import { ConfigError } from '../../core/errors/standin-error';
import { inGroup, type OptionDefinition, type OptionTable } from '../../core/options/option-table';
import { append, booleanValue, stringList, stringValue } from '../../core/options/option-types';
import type { DescriptionOptions } from '../../files/load-api';
import type { TargetOptions } from '../../network/target';
import { REPORT_KINDS } from '../../report/registry';

/** Adds the flags of a table to a command, in groups of `--help`. */
export function addFlags(command: Command, table: OptionTable): void {
  for (const { group, ...definition } of Object.values(table)) {
    if (definition.flag !== undefined) command.addOption(flagOf(definition.flag, definition).helpGroup(`${group}:`));
  }
}

function flagOf(flag: string, definition: OptionDefinition): Option {
  const option = new Option(flag, helpText(definition)).conflicts([...(definition.conflicts ?? [])]);
  if (isSwitch(definition)) return option;
  return option.argParser((text: string, earlier: unknown) => parseFlag(definition, text, earlier));
}

/**
 * The value of a flag.
 *
 * @param earlier - the value so far, of a flag that may be repeated
 * @throws InvalidArgumentError, which commander shows with the name of the flag
 */
export function parseFlag({ type }: OptionDefinition, text: string, earlier: unknown): unknown {
  const value = type.parse === undefined ? text : type.parse(text, earlier);
  if (value === undefined || !type.accepts(value))
    throw new InvalidArgumentError(`Expected ${type.expectedText ?? type.expected}.`);
  return value;
}

/** Does the flag take no value? */
export function isSwitch({ flag }: Pick<OptionDefinition, 'flag'>): boolean {
  return flag !== undefined && !/[<[]/.test(flag);
}

function helpText({ doc, type, isRepeated, ...definition }: OptionDefinition): string {
  const usual = flagDefault(definition);
  const notes = [
    ...(type.choices === undefined || isSwitch(definition) ? [] : [type.choices.join(' | ')]),
    ...(isRepeated === true ? ['may be repeated'] : []),
    ...(usual === undefined ? [] : [`default: ${usual}`]),
  ];
  return notes.length === 0 ? doc : `${doc} (${notes.join('; ')})`;
}

/** The default in the unit of the flag. */
export function flagDefault({
  default: usual,
  unit,
}: Pick<OptionDefinition, 'default' | 'unit'>): string | number | undefined {
  return unit === 'milliseconds' && typeof usual === 'number' ? usual / 1000 : usual;
}

/** Where commander keeps the value of a flag; in the configuration file it has the same name. */
export function flagName(flag: string): string {
  return new Option(flag).attributeName();
}

/** The values of the flags of a command, by the names of their options. */
export function valuesOf(command: Command, table: OptionTable): Record<string, unknown> {
  const flags = command.opts<Record<string, unknown>>();
  const values = Object.entries(table).flatMap(([name, { flag, off = false }]): [string, unknown][] => {
    const value = flag === undefined ? undefined : flags[flagName(flag)];
    const isNegated = flag?.startsWith('--no-') === true;
    if (value === undefined || (isNegated && value === true)) return [];
    return [[name, isNegated ? off : value]];
  });
  return Object.fromEntries(values);
}

/** The flag of every command that names the configuration file. */
export const CONFIG_OPTION = inGroup('General', {
  config: {
    flag: '--config <file>',
    doc: 'flags in a file; "off" for none',
    type: stringValue,
    default: 'standin.config.yaml, if it exists',
  },
});

/** The flag that prints a result as JSON. */
export const JSON_OPTION = inGroup('Output', {
  json: { flag: '--json', doc: 'print JSON', type: booleanValue },
});

/** Of commands that write reports. */
export const REPORT_OPTION = inGroup('Output', {
  report: {
    flag: '--report <kind=file>',
    doc: `write a report as well, - for stdout: ${REPORT_KINDS.slice(0, -1).join(', ')} or ${REPORT_KINDS.at(-1) ?? ''}`,
    type: stringList,
    isRepeated: true,
    isPair: true,
    path: 'file',
  },
  compare: {
    flag: '--compare <result>',
    doc: 'tell what is new, fixed or the same since the JSON report of an earlier run',
    type: stringValue,
    path: 'file',
  },
  open: { flag: '--open', doc: 'open the HTML report in the browser', type: booleanValue },
});

type Identity = readonly [name: string, variable: string];

/** `buyer=BUYER_KEY`: the key of the caller that is called `buyer` is in that variable. */
function identityType(flag: string): OptionDefinition['type'] {
  return {
    expected: 'NAME=VARIABLE',
    accepts: Array.isArray,
    parse(text, earlier): readonly Identity[] {
      const [, name, variable] = /^([A-Za-z][\w-]*)=([A-Za-z_]\w*)$/.exec(text) ?? [];
      if (name !== undefined && variable !== undefined) return append<Identity>(earlier, [name, variable]);
      // Not an error of commander, which shows the value: it may be a key in the wrong place.
      throw new ConfigError('CONFIG_INVALID', `The value of ${flag} must be NAME=VARIABLE, such as buyer=BUYER_KEY`, {
        hint: 'It takes the name of a variable that holds the key, not the key.',
      });
    },
  };
}

/** No key has a `=` before its end (RFC 6750 §2.1), so that `scheme=VARIABLE` is none; a key has no scheme, `''`. */
const keyFlagType: OptionDefinition['type'] = {
  expected: 'a key, or scheme=VARIABLE',
  accepts: () => true,
  parse(text, earlier): readonly Identity[] {
    const [, scheme = '', variable = text] = /^([^=:\s]+)=([^=\s]+)$/.exec(text) ?? [];
    return append<Identity>(earlier, [scheme, variable]);
  },
};

/** Which keys are sent, and where they come from that are not on the command line. */
export const KEY_OPTIONS = inGroup('Credentials', {
  apiKey: {
    flag: '--api-key <scheme=VARIABLE>',
    doc: 'a security scheme of the description and the variable that holds its key; or the key to send, which other users of the machine may see then',
    type: keyFlagType,
    isRepeated: true,
    isPair: true,
    default: 'test-key, on this machine only',
  },
  apiKeyEnv: {
    flag: '--api-key-env <name>',
    doc: 'the variable that holds the key',
    type: stringValue,
    default: 'STANDIN_API_KEY',
  },
  identity: {
    flag: '--identity <name=VARIABLE>',
    doc: 'a further caller and the variable that holds its key',
    isRepeated: true,
    isPair: true,
    type: identityType('--identity'),
  },
});

/** Of runs alone. */
export const REFUSED_OPTION = inGroup('Credentials', {
  refusedIdentity: {
    flag: '--refused-identity <name=VARIABLE>',
    doc: 'a caller who must be rejected, as with an expired key, and the variable that holds the key',
    isRepeated: true,
    isPair: true,
    type: identityType('--refused-identity'),
  },
});

/** Of commands that change a service. */
export const CONSENT_OPTION = inGroup('What may be sent', {
  yes: {
    flag: '--yes',
    doc: 'do not ask before a service on another machine is changed',
    type: booleanValue,
    isConsent: true,
  },
});

/** Values of the flags that say how a target is reached. */
export interface TargetFlags
  extends DescriptionOptions, Omit<TargetOptions, 'app' | 'basePath' | 'transport' | 'signal'> {
  /** By the name of a security scheme the variable with its key; by `''` a key itself. */
  readonly apiKey?: readonly Identity[];
  readonly apiKeyEnv?: string;
  readonly auth?: 'off';
  readonly identity?: readonly Identity[];
  readonly refusedIdentity?: readonly Identity[];
  readonly yes?: true;
}

/** What a browser sends as Origin: scheme, host and port, nothing behind; `*` is any, `off` none (Fetch §3.1). */
export function isOrigin(text: string): boolean {
  return text === '*' || text === 'off' || /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s@]+$/i.test(text);
}

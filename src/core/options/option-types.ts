import { ConfigError } from '../errors/standin-error';
import { didYouMean } from '../text/similar-name';

/** What the value of an option has to be, in a program and as the text of a flag. */
export interface OptionType {
  /** In words, after "must be". */
  readonly expected: string;
  accepts(value: unknown): boolean;
  /** How to correct a value, where there is more to say than what was expected. */
  hint?(value: unknown): string | undefined;
  /**
   * Reads the text of a flag. Left out: the text itself is the value.
   *
   * @param earlier - the value so far, of a flag that may be repeated
   * @returns `undefined` for a text that is not valid
   */
  parse?(text: string, earlier: unknown): unknown;
  /** What the text of the flag has to be, where that differs from `expected`. */
  readonly expectedText?: string;
  /** The values that there are, where they are few. */
  readonly choices?: readonly string[];
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isStringList = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isString);
const isPathOrObject = (value: unknown): boolean => isString(value) || isObject(value);

/** Adds to what a repeated flag has already. */
export function append<Value>(earlier: unknown, ...values: readonly Value[]): readonly Value[] {
  return [...((earlier as readonly Value[] | undefined) ?? []), ...values];
}

export const stringValue: OptionType = { expected: 'a string', accepts: isString };
export const booleanValue: OptionType = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' };
export const booleanOrString: OptionType = {
  expected: 'true, false or a string',
  accepts: (value) => typeof value === 'boolean' || isString(value),
};
export const stringOrNumber: OptionType = {
  expected: 'a string or a number',
  accepts: (value) => isString(value) || typeof value === 'number',
};
export const stringOrObject: OptionType = { expected: 'a path or an object', accepts: isPathOrObject };
export const stringList: OptionType = {
  expected: 'an array of strings',
  accepts: isStringList,
  hint: (value) => (isString(value) ? `Put it into brackets: [${JSON.stringify(value)}].` : undefined),
  parse: (text, earlier) => append(earlier, text),
};
export const stringListOrOff: OptionType = {
  ...stringList,
  expected: 'an array of strings, or "off"',
  accepts: (value) => value === 'off' || isStringList(value),
  parse: (text, earlier) => (text === 'off' || earlier === 'off' ? 'off' : append(earlier, text)),
};
/** Of which a flag takes several with commas between them. */
export const nameList: OptionType = {
  ...stringList,
  expectedText: 'a name, or several with commas',
  parse(text, earlier) {
    const names = text.split(',').map((name) => name.trim());
    return names.includes('') ? undefined : append(earlier, ...names);
  },
};
export const pathsOrObjects: OptionType = {
  ...stringList,
  expected: 'an array of paths or objects',
  accepts: (value) => Array.isArray(value) && value.every(isPathOrObject),
};
export const paths: OptionType = {
  expected: 'a path, or an array with at least one',
  accepts: (value) => isString(value) || (isStringList(value) && value.length > 0),
};
export const stringMap: OptionType = {
  expected: 'an object whose properties are strings',
  accepts: (value) => isObject(value) && Object.values(value).every(isString),
  hint: (value) => {
    const name = isObject(value) ? Object.keys(value).find((each) => !isString(value[each])) : undefined;
    return name === undefined ? undefined : `The property "${name}" is ${describeType((value as Properties)[name])}.`;
  },
};
/** `tenant=acme`: the value may be empty, and may hold further `=`. */
export const scalarMap: OptionType = {
  expected: 'an object whose properties are strings, numbers, true or false',
  accepts: (value) =>
    isObject(value) && Object.values(value).every((each) => ['string', 'number', 'boolean'].includes(typeof each)),
  parse(text, earlier = {}) {
    const [, name = '', value = ''] = /^([A-Za-z]\w*)=(.*)$/s.exec(text) ?? [];
    // Not an error of commander, which shows the value: it may be a secret.
    if (name === '') {
      throw new ConfigError('CONFIG_INVALID', 'The value of --variable must be NAME=VALUE, such as tenant=acme', {
        hint: 'A name begins with a letter; letters, digits and _ follow.',
      });
    }
    if (Object.hasOwn(earlier as Properties, name))
      throw new ConfigError('CONFIG_INVALID', `The variable "${name}" was given twice`);
    return { ...(earlier as Properties), [name]: value };
  },
};
/** `server_id=localhost`; a name may be given several times. */
export const stringOrListMap: OptionType = {
  expected: 'an object whose properties are strings or arrays of strings',
  accepts: (value) => isObject(value) && Object.values(value).every((each) => isString(each) || isStringList(each)),
  parse(text, earlier = {}) {
    const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (name !== undefined)
      return { ...(earlier as Properties), [name]: append((earlier as Properties)[name], value ?? '') };
    const message = `The value of --within must be VARIABLE=VALUE, got ${JSON.stringify(text)}`;
    throw new ConfigError('CONFIG_INVALID', message, {
      hint: 'It names an existing item by a variable of its path, such as server_id=localhost.',
    });
  },
};
/**
 * `operations=90`: a number from 0 to 100 for each of some names.
 *
 * @param what - a name is, for messages: `dimension`
 */
export function percentages(flag: string, what: string, names: readonly string[]): OptionType {
  const unknown = (name: string): string | undefined =>
    names.includes(name)
      ? undefined
      : [didYouMean(name, names), `There are ${names.join(', ')}.`].filter(Boolean).join(' ');
  const reject = (message: string, hint: string): never => {
    throw new ConfigError('CONFIG_INVALID', message, { hint });
  };
  return {
    expected: `an object with numbers from 0 to 100 by ${what}`,
    accepts: (value) =>
      isObject(value) && Object.entries(value).every(([name, each]) => names.includes(name) && isWithin(each, 0, 100)),
    hint(value) {
      if (!isObject(value)) return `Such as { ${names[0] ?? 'name'}: 90 }.`;
      const stranger = Object.keys(value).find((name) => !names.includes(name));
      if (stranger !== undefined) return `"${stranger}" is no ${what}. ${unknown(stranger) ?? ''}`;
      const [name, given] = Object.entries(value).find(([, each]) => !isWithin(each, 0, 100)) ?? [];
      return name === undefined ? undefined : `${name} is ${typeof given === 'number' ? given : describeType(given)}.`;
    },
    parse(text, earlier = {}) {
      const [, name = text, percent = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
      const hint = unknown(name);
      if (hint !== undefined) return reject(`${flag} knows no ${what} "${name}"`, hint);
      const value = /^\d+(?:\.\d+)?$/.test(percent) ? Number(percent) : undefined;
      if (!isWithin(value, 0, 100))
        return reject(`${flag} ${name} must be a number from 0 to 100, got "${percent}"`, `Such as ${name}=90.`);
      if (Object.hasOwn(earlier as Properties, name))
        return reject(`${flag} ${name} was given twice`, 'Give each once.');
      return { ...(earlier as Properties), [name]: value };
    },
  };
}
export const aFunction: OptionType = { expected: 'a function', accepts: (value) => typeof value === 'function' };
export const listener: OptionType = {
  expected: 'a function of request and response, such as an Express app',
  accepts: (value) => typeof value === 'function',
  hint: () => 'For a server that listens, or one of another kind, give its baseUrl in place of app.',
};
export const stringOrFunction: OptionType = {
  expected: 'a string, or a function that returns one',
  accepts: (value) => isString(value) || typeof value === 'function',
};
export const transport: OptionType = {
  expected: 'an object with a method send',
  accepts: (value) => isObject(value) && typeof value['send'] === 'function',
};
// By its property: an AbortSignal of a test runner's realm is not an instance of ours.
export const abortSignal: OptionType = {
  expected: 'an AbortSignal',
  accepts: (value) => isObject(value) && typeof value['aborted'] === 'boolean',
  hint: (value) => (isObject(value) && 'signal' in value ? 'Give the signal of the AbortController.' : undefined),
};

/** A number from `least` to `most`. */
export function numberWithin(least: number, most: number, what = 'a number'): OptionType {
  return {
    expected: `${what} from ${least} to ${most}`,
    accepts: (value) => isWithin(value, least, most),
    parse: (text) => (/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined),
  };
}

/** Milliseconds; seconds on the command line, from one millisecond. */
export function milliseconds(least: number, most: number): OptionType {
  return {
    ...numberWithin(least, most, 'milliseconds'),
    expectedText: `seconds, from 0.001 to ${most / 1000}`,
    parse(text) {
      const value = /^\d+(?:\.\d+)?$/.test(text) ? Math.round(Number(text) * 1e6) / 1e3 : 0;
      return value < 1 ? undefined : value;
    },
  };
}

/** A whole number from `least` to `most`. */
export function wholeNumberWithin(least: number, most: number, what = 'a whole number'): OptionType {
  return {
    expected: `${what} from ${least} to ${most}`,
    accepts: (value) => Number.isInteger(value) && isWithin(value, least, most),
    parse: (text) => (/^\d+$/.test(text) ? Number(text) : undefined),
  };
}

export function oneOf(choices: readonly string[]): OptionType {
  return {
    expected: `one of ${choices.join(', ')}`,
    choices,
    accepts: (value) => isString(value) && choices.includes(value),
    hint(value) {
      return isString(value) ? didYouMean(value, choices) : undefined;
    },
  };
}

/** All of a few kinds, some of them, or none. */
export function someOf(choices: readonly string[]): OptionType {
  return {
    expected: `true, false or an array of ${choices.join(', ')}`,
    expectedText: `off, or some of ${choices.join(', ')}, with commas`,
    accepts: (value) =>
      typeof value === 'boolean' ||
      (isStringList(value) && value.length > 0 && value.every((each) => choices.includes(each))),
    hint(value) {
      const wrong = isStringList(value) ? value.find((each) => !choices.includes(each)) : undefined;
      return wrong === undefined ? undefined : (didYouMean(wrong, choices) ?? `"${wrong}" is none of them.`);
    },
    parse: (text) => (text === 'off' ? false : text.split(',').map((name) => name.trim())),
  };
}

const MOST_PARTS = 9999;

/** `2/3`: the second of three parts. */
export const shard: OptionType = {
  expected: '{ index, count }, counted from 1 and index at most count',
  expectedText: 'PART/PARTS, such as 1/3 for the first of three',
  accepts(value) {
    if (!isObject(value)) return false;
    const { index, count, ...others } = value;
    if (Object.keys(others).length > 0 || ![index, count].every((part) => Number.isInteger(part))) return false;
    return isWithin(index, 1, MOST_PARTS) && isWithin(count, 1, MOST_PARTS) && (index as number) <= (count as number);
  },
  parse(text) {
    const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
    return { index: Number(index), count: Number(count) };
  },
};

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

type Properties = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The type of a value, without its text, which may be a key. */
export function describeType(value: unknown): string {
  if (value === null || ['undefined', 'boolean', 'number'].includes(typeof value)) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

import { similarName } from '../errors/similar-name';

/** What the value of an option has to be. */
export interface OptionKind {
  /** In words, behind "expected". */
  readonly expected: string;
  fits(value: unknown): boolean;
  /** How to mend a value that does not fit, where there is more to say than what was expected. */
  hint?(value: unknown): string | undefined;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

export const text: OptionKind = { expected: 'a text', fits: isText };
export const flag: OptionKind = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
export const flagOrText: OptionKind = {
  expected: 'true, false or a text',
  fits: (value) => typeof value === 'boolean' || isText(value),
};
export const texts: OptionKind = {
  expected: 'a list of texts',
  fits: isTextList,
  hint: (value) => (isText(value) ? `Put it into brackets: [${JSON.stringify(value)}].` : undefined),
};
export const textsOrOff: OptionKind = {
  expected: 'a list of texts, or off',
  fits: (value) => value === 'off' || isTextList(value),
  hint: (value) => texts.hint?.(value),
};
export const pathsOrObjects: OptionKind = {
  expected: 'a list of paths or objects',
  fits: (value) => Array.isArray(value) && value.every((each) => isText(each) || isObject(each)),
  hint: (value) => texts.hint?.(value),
};
export const paths: OptionKind = {
  expected: 'a path, or a list with at least one',
  fits: (value) => isText(value) || (isTextList(value) && (value as readonly string[]).length > 0),
};
export const textsByName: OptionKind = {
  expected: 'an object whose members are texts',
  fits: (value) => isObject(value) && Object.values(value).every(isText),
  hint: (value) => {
    const name = isObject(value) ? Object.keys(value).find((each) => !isText(value[each])) : undefined;
    return name === undefined ? undefined : `The one of "${name}" is ${inWords((value as Members)[name])}.`;
  },
};
export const scalarsByName: OptionKind = {
  expected: 'an object whose members are texts, numbers, true or false',
  fits: (value) =>
    isObject(value) && Object.values(value).every((each) => ['string', 'number', 'boolean'].includes(typeof each)),
};
export const textsByNameOrList: OptionKind = {
  expected: 'an object whose members are texts, or lists of them',
  fits: (value) => isObject(value) && Object.values(value).every((each) => isText(each) || isTextList(each)),
};
export const aFunction: OptionKind = { expected: 'a function', fits: (value) => typeof value === 'function' };
export const listener: OptionKind = {
  expected: 'a function of request and response, such as an Express app',
  fits: (value) => typeof value === 'function',
  hint: () => 'For a server that listens, or one of another kind, give its baseUrl in place of app.',
};
export const textOrFunction: OptionKind = {
  expected: 'a text, or a function that gives it',
  fits: (value) => isText(value) || typeof value === 'function',
};
export const transport: OptionKind = {
  expected: 'an object with a method send',
  fits: (value) => isObject(value) && typeof value['send'] === 'function',
};
// By what it has: the one of a test runner's realm is no instance of ours.
export const abortSignal: OptionKind = {
  expected: 'an AbortSignal',
  fits: (value) => isObject(value) && typeof value['aborted'] === 'boolean',
  hint: (value) => (isObject(value) && 'signal' in value ? 'Give the signal of the AbortController.' : undefined),
};

/** A number from `least` to `most`. */
export function numberWithin(least: number, most: number): OptionKind {
  return { expected: `a number from ${least} to ${most}`, fits: (value) => isWithin(value, least, most) };
}

/** A whole number from `least` to `most`. */
export function wholeNumberWithin(least: number, most: number): OptionKind {
  return {
    expected: `a whole number from ${least} to ${most}`,
    fits: (value) => Number.isInteger(value) && isWithin(value, least, most),
  };
}

export function oneOf(words: readonly string[]): OptionKind {
  return {
    expected: `one of ${words.join(', ')}`,
    fits: (value) => isText(value) && words.includes(value as string),
    hint(value) {
      const near = isText(value) ? similarName(value as string, words) : undefined;
      return near === undefined ? undefined : `Did you mean "${near}"?`;
    },
  };
}

const MOST_PARTS = 9999;

export const shard: OptionKind = {
  expected: '{ index, count }, counted from 1 and index at most count',
  fits(value) {
    if (!isObject(value)) return false;
    const { index, count, ...others } = value;
    if (Object.keys(others).length > 0 || ![index, count].every((part) => Number.isInteger(part))) return false;
    return isWithin(index, 1, MOST_PARTS) && isWithin(count, 1, MOST_PARTS) && (index as number) <= (count as number);
  },
};

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value without what it says, which may be a key. */
export function inWords(value: unknown): string {
  if (value === null || ['undefined', 'boolean', 'number'].includes(typeof value)) return String(value);
  if (Array.isArray(value)) return 'a list';
  const words: Readonly<Record<string, string>> = { string: 'a text', object: 'an object', function: 'a function' };
  return words[typeof value] ?? `a ${typeof value}`;
}

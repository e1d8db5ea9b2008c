import { STATUS_CODES } from 'node:http';
import { isFields, type Json } from '../json';
import type { Row } from './envelope';

/** What a request is answered with where it cannot be done. */
export class Problem extends Error {
  readonly status: number;
  readonly pointer: string | undefined;
  readonly allow: string | undefined;

  constructor(status: number, message: string, pointer?: string, allow?: string) {
    super(message);
    this.status = status;
    this.pointer = pointer;
    this.allow = allow;
  }

  static titleOf(status: number): string {
    return STATUS_CODES[status] ?? 'Error';
  }
}

/** What is wrong with a value; `undefined` for nothing. */
export type Rule = (value: Json) => string | undefined;

export const text =
  (least: number, most: number, pattern?: RegExp): Rule =>
  (value) => {
    if (typeof value !== 'string') return 'Has to be a string.';
    const length = Array.from(value).length;
    if (length < least || length > most) return `Has to have ${least} to ${most} characters.`;
    return pattern === undefined || pattern.test(value) ? undefined : 'Has another form.';
  };

export const integer =
  (least: number, most: number): Rule =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `Has to be a whole number from ${least} to ${most}.`;

export const word =
  (...words: readonly string[]): Rule =>
  (value) =>
    words.some((each) => each === value) ? undefined : `Has to be one of ${words.join(', ')}.`;

export const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null ? undefined : rule(value);

export const email = text(
  3,
  120,
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i,
);

type Rules = Readonly<Record<string, Rule>>;

/** What is wrong with an object, and where. */
function wrongIn(
  value: Json,
  required: readonly string[],
  rules: Rules,
): readonly [wrong: string, at: string] | undefined {
  if (!isFields(value)) return ['Has to be an object.', ''];
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return [`${missing} is missing.`, ''];
  for (const [name, member] of Object.entries(value)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const wrong = rule === undefined ? 'There is no such member.' : rule(member ?? null);
    if (wrong !== undefined) return [wrong, `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`];
  }
  return undefined;
}

export const object =
  (required: readonly string[], rules: Rules): Rule =>
  (value) =>
    wrongIn(value, required, rules)?.toReversed().join(' ').trim();

/** Returns a function that takes a body with these members, and throws a 422 for another one. */
export const reader =
  (required: readonly string[], rules: Rules) =>
  (body: Json): Row => {
    const wrong = wrongIn(body, required, rules);
    if (wrong !== undefined) throw new Problem(422, ...wrong);
    return body as Row;
  };

/** The value of a parameter that counts from 1. */
export function wholeNumber(query: URLSearchParams, name: string, most: number): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(value) || Number(value) > most)
    throw new Problem(400, `${name} is a number from 1 to ${most}.`);
  return Number(value);
}

export function oneOfQuery(query: URLSearchParams, name: string, words: readonly string[]): string | undefined {
  const value = query.get(name) ?? undefined;
  if (value !== undefined && !words.includes(value)) throw new Problem(400, `${name} is one of ${words.join(', ')}.`);
  return value;
}

import { ConfigError, type SourceFinding } from '../../core/errors/standin-error';
import type { Operation } from '../../openapi/model/operation';

/** What is wrong with one option: the pointer to it, and the rest of a sentence about it. */
export type Wrong = Pick<SourceFinding, 'pointer' | 'message' | 'expected'>;

/** A longer list would bury what was wrong. */
const MAX_LISTED = 10;

/** @param all - everything that is wrong, where that is more than one place */
export function wrongOption(
  operation: Operation,
  first: Wrong,
  hint?: string,
  all: readonly Wrong[] = [first],
): ConfigError {
  const { message, expected } = first;
  const asked = expected === undefined ? '' : `; expected ${expected}`;
  const findings = all.map((each): SourceFinding => ({
    rule: 'forced-response',
    severity: 'error',
    file: 'the response',
    ...each,
  }));
  return new ConfigError('CONFIG_INVALID', `The response of ${operation.id} cannot be forced: ${message}${asked}`, {
    hint,
    findings,
  });
}

/** @throws ConfigError `CONFIG_INVALID` where the value of an option is not what it has to be */
export function demandOption(
  operation: Operation,
  name: string,
  value: unknown,
  holds: boolean,
  expected: string,
): void {
  if (!holds) throw wrongOption(operation, { pointer: `/${name}`, message: `${name} is ${shown(value)}`, expected });
}

/** A value of a program in a message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : `of type ${typeof value}`;
}

/** The first of many. */
export function listed(texts: readonly string[], separator = ', '): string {
  const more = texts.length > MAX_LISTED ? ` and ${texts.length - MAX_LISTED} more` : '';
  return `${texts.slice(0, MAX_LISTED).join(separator)}${more}`;
}

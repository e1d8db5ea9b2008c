import { ConfigError } from '../errors/harness-error';

/**
 * Why a ledger is not acted on: what it names is removed, and a line that nobody wrote so could name anything.
 *
 * @param place - `run.ndjson:3`
 * @param value - `undefined` when the member is missing
 * @param expected - goes on after "Expected"
 */
export function ledgerFault(place: string, name: string, value: unknown, expected: string): ConfigError {
  const found = value === undefined ? 'missing' : JSON.stringify(value);
  return new ConfigError('CONFIG_INVALID', `${place} cannot be used: ${name} is ${found}`, {
    hint: `Expected ${expected}. Nothing was sent. What standin verify wrote is taken as it is: do not edit a ledger.`,
  });
}

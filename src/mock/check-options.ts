import { ConfigError } from '../errors/harness-error';
import { parseBearer } from '../http/authorization';
import type { MockOptions } from './options';

/**
 * Judges the options of a mock, wherever they come from: a mistyped one must not open it, or serve something else.
 *
 * @throws ConfigError `CONFIG_INVALID` that names the option and what it takes
 */
export function checkOptions(options: MockOptions): MockOptions {
  const { auth, apiKeys, afterSunset, idStart, rateLimit } = options;
  demand(['keys', 'any', 'off'].includes(auth), 'auth', auth, 'keys, any or off');
  demand(['gone', 'serve'].includes(afterSunset), 'afterSunset', afterSunset, 'gone or serve');
  demand(isWhole(idStart) && idStart > 0, 'idStart', String(idStart), 'a whole number from 1');
  demand(auth !== 'keys' || apiKeys.length > 0, 'apiKeys', 'empty', 'at least one key');
  for (const key of apiKeys) {
    const isKey = typeof key === 'string' && parseBearer(`Bearer ${key}`).kind === 'bearer';
    // A key is a secret: it is not repeated, not even a wrong one.
    demand(
      isKey,
      'apiKeys',
      'a key that no header can carry',
      'letters, digits and any of - . _ ~ + /, with = at the end only',
    );
  }
  if (rateLimit === undefined) return options;
  const { requests, seconds } = rateLimit;
  const isRate = isWhole(requests) && requests > 0 && isWhole(seconds) && seconds > 0;
  demand(isRate, 'rateLimit', `${requests}/${seconds}`, 'whole numbers of requests and seconds, from 1');
  return options;
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

function demand(holds: boolean, name: string, value: string, expected: string): void {
  if (!holds) throw new ConfigError('CONFIG_INVALID', `The option ${name} is ${value}`, { hint: `Give ${expected}.` });
}

import { ConfigError } from '../errors/harness-error';
import { parseBearer } from '../http/authorization';
import type { MockOptions } from './options';

/**
 * Judges the options of a mock, wherever they come from: a mistyped one must not open it, or serve something else.
 *
 * @throws ConfigError `CONFIG_INVALID` that names the option and what it takes
 */
export function checkOptions(options: MockOptions): MockOptions {
  const { auth, apiKeys, tokens, afterSunset, idStart, rateLimit } = options;
  demand(['keys', 'any', 'off'].includes(auth), 'auth', auth, 'keys, any or off');
  demand(['gone', 'serve'].includes(afterSunset), 'afterSunset', afterSunset, 'gone or serve');
  demand(isWhole(idStart) && idStart > 0, 'idStart', String(idStart), 'a whole number from 1');
  demand(auth !== 'keys' || apiKeys.length + tokens.length > 0, 'apiKeys', 'empty', 'at least one key');
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
  checkSandboxes(options.sandboxes);
  if (rateLimit === undefined) return options;
  const { requests, seconds } = rateLimit;
  const isRate = isWhole(requests) && requests > 0 && isWhole(seconds) && seconds > 0;
  demand(isRate, 'rateLimit', `${requests}/${seconds}`, 'whole numbers of requests and seconds, from 1');
  return options;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function checkSandboxes({ header, cookie, path, count, idleMs }: MockOptions['sandboxes']): void {
  const isName = (name: string | undefined): boolean => name === undefined || TOKEN.test(name);
  demand(isName(header), 'sandboxHeader', String(header), 'the name of a header, or off');
  demand(isName(cookie), 'sandboxCookie', String(cookie), 'the name of a cookie, or off');
  const isPath = path === undefined || /^(?:\/[A-Za-z0-9._~-]+)+$/.test(path);
  demand(isPath, 'sandboxPath', String(path), 'a path such as /_s, or off');
  demand(Number.isSafeInteger(count) && count > 0, 'maxSandboxes', String(count), 'a whole number from 1');
  demand(Number.isFinite(idleMs) && idleMs > 0, 'sandboxIdleMs', String(idleMs), 'milliseconds, more than 0');
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

function demand(holds: boolean, name: string, value: string, expected: string): void {
  if (!holds) throw new ConfigError('CONFIG_INVALID', `The option ${name} is ${value}`, { hint: `Give ${expected}.` });
}

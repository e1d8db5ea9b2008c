import { ConfigError } from '../errors/harness-error';
import { printable } from '../errors/printable';
import type { LedgerContent } from '../runner/read-ledger';
import { continueSeal } from './node/ledger-seal';
import { readBaseUrl } from './open-target';

/** What whoever cleans up says of a ledger. */
interface Said {
  readonly ledger: string;
  readonly baseUrl?: string | undefined;
  readonly description?: string | undefined;
  readonly foreignLedger?: boolean | undefined;
}

/**
 * Whether a ledger is this user's own and unchanged. What a ledger names is removed, with a key that goes where it says:
 * one that somebody else wrote, or changed, is used only when that was said, and then names neither the service nor the
 * description.
 *
 * @param text - the whole file
 * @param key - of this user's ledgers; `undefined` where there is none
 * @throws ConfigError `CONFIG_INVALID` when it may not be used, and when it is of another service than was said
 */
export function isOwnLedger(text: string, content: LedgerContent, key: Uint8Array | undefined, said: Said): boolean {
  const { start } = content;
  const isOwn = key !== undefined && continueSeal(key, text) !== undefined;
  if (!isOwn) requireTrust(start.baseUrl, said);
  const { baseUrl, ledger } = said;
  if (baseUrl !== undefined && readBaseUrl(baseUrl).text !== readBaseUrl(start.baseUrl).text) {
    const message = `The ledger ${ledger} is of a run at ${printable(start.baseUrl)}, not at ${baseUrl}; nothing was sent`;
    throw new ConfigError('CONFIG_INVALID', message, { hint: 'Is it the ledger of another run?' });
  }
  return isOwn;
}

function requireTrust(named: string, { ledger, baseUrl, description, foreignLedger }: Said): void {
  const missing = [
    ...(foreignLedger === true ? [] : ['--foreign-ledger']),
    ...(baseUrl === undefined ? [`--base-url URL (it names ${printable(named)})`] : []),
    ...(description === undefined ? ['--spec FILE'] : []),
  ];
  if (missing.length === 0) return;
  throw new ConfigError(
    'CONFIG_INVALID',
    `The ledger ${ledger} was not written by this user on this machine, or was changed since; nothing was sent`,
    {
      hint: `What it names would be removed. If you know who wrote it, say so, and name service and description yourself: ${missing.join(', ')}.`,
    },
  );
}

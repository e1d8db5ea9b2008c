import { inGroup, type OptionTable } from '../core/options/option-table';
import { oneOf, type OptionType, stringList, stringValue } from '../core/options/option-types';
import { issuerKey } from '../files/issuer-key';
import type { IssuerOptions } from '../issuer/issuer';

/** How people sign in at the mock. */
export interface SignInOptions {
  /**
   * An OAuth 2.0 and OpenID Connect issuer beside the API, whose tokens the mock takes. `page` or `true`: a page asks who
   * signs in; `auto`: the first user, or whom the client names, is signed in at once. Default: none.
   */
  readonly issuer?: boolean | 'page' | 'auto' | undefined;
  /** Hosts that a browser may be led to with a code, beside this machine. Default: none. */
  readonly issuerHosts?: readonly string[] | undefined;
  /** File with the key that signs, as PEM; it is made where there is none. Default: a new key for each start. */
  readonly issuerKey?: string | undefined;
}

const MODES = ['page', 'auto'] as const;
const mode: OptionType = {
  ...oneOf(MODES),
  expected: 'true, false, "page" or "auto"',
  accepts: (value) => typeof value === 'boolean' || MODES.some((each) => each === value),
};

export const ISSUER_OPTIONS: OptionTable<keyof SignInOptions> = inGroup('Sign-in', {
  issuer: {
    flag: '--issuer [mode]',
    doc: 'an OAuth 2.0 and OpenID Connect issuer beside the API; auto signs in without a page',
    type: mode,
    default: 'none; page without a mode',
  },
  issuerHosts: {
    flag: '--issuer-allow <host>',
    doc: 'hosts that a browser may be led to with a code, beside this machine',
    type: stringList,
  },
  issuerKey: {
    flag: '--issuer-key <file>',
    doc: 'the key that signs tokens, as PEM, which is made where there is none: they are good after a restart',
    type: stringValue,
    default: 'a new key for each start',
    path: 'file',
  },
});

/** @returns `undefined` where nobody signs in. @throws ConfigError for a file of a key that cannot be used */
export function issuerOptions(
  { issuer = false, issuerHosts = [], issuerKey: file }: SignInOptions,
  corsOrigins: readonly string[],
): IssuerOptions | undefined {
  if (issuer === false) return undefined;
  const key = file === undefined ? undefined : issuerKey(file);
  return { mode: issuer === true ? 'page' : issuer, hosts: issuerHosts, key, corsOrigins };
}

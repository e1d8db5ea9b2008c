import { AsyncLocalStorage } from 'node:async_hooks';
import type { AdapterPayload } from 'oidc-provider' with { 'resolution-mode': 'import' };
import { parseBasic } from '../core/http/authorization';
import { decodeQueryComponent, isLoopbackHost, stripPort } from '../core/http/request-target';

/** The secret that a client sends with a request; each request has its own. */
const SECRETS = new AsyncLocalStorage<string | undefined>();

/** @param act - what is done with the request of a client that sends this secret */
export function withSecret<Result>(secret: string | undefined, act: () => Result): Result {
  return SECRETS.run(secret, act);
}

/** In the form, or as a password (RFC 6749 §2.3.1). */
export function secretIn(authorization: string | undefined, form: URLSearchParams): string | undefined {
  const posted = form.get('client_secret') ?? '';
  if (posted !== '') return posted;
  const basic = authorization === undefined ? undefined : parseBasic(authorization);
  if (basic?.kind !== 'basic' || basic.password === '') return undefined;
  return decodeQueryComponent(basic.password);
}

export const GRANT_TYPES = {
  code: 'authorization_code',
  refresh: 'refresh_token',
  client: 'client_credentials',
  device: 'urn:ietf:params:oauth:grant-type:device_code',
  password: 'password',
  implicit: 'implicit',
} as const;

export const RESPONSE_TYPES = [
  'code',
  'id_token',
  'id_token token',
  'code id_token',
  'code token',
  'code id_token token',
  'none',
] as const;

/** Addresses of nobody: which are good is said by {@link mayReturnTo}. Two, so that each request names its own. */
const NOWHERE = ['https://client.invalid/one', 'https://client.invalid/two'];

/**
 * A client as the issuer's library knows it, in the request that is being answered. Nobody registers at a mock: each name is
 * a client, and the secret that it sends is right. What it may is bounded by where it may lead a browser.
 */
export function invitedClient(id: string): AdapterPayload | undefined {
  const secret = SECRETS.getStore();
  if (!/^[\x20-\x7e]{1,500}$/.test(id)) return undefined;
  return {
    client_id: id,
    grant_types: Object.values(GRANT_TYPES),
    response_types: [...RESPONSE_TYPES],
    redirect_uris: NOWHERE,
    post_logout_redirect_uris: NOWHERE,
    ...(secret === undefined
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: secret }),
  };
}

/**
 * May a browser be led there with a code or a token? To this machine, to where the mock itself is, to hosts that were named,
 * and to an app by a scheme of its own (RFC 8252 §7).
 *
 * @param ownHost - of the mock, as the browser names it
 */
export function mayReturnTo(address: string, ownHost: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(address) || address.includes('#')) return false;
  const { protocol, hostname, username } = new URL(address);
  if (username !== '') return false;
  if (protocol !== 'http:' && protocol !== 'https:')
    return /^[a-z][a-z\d+-]*(?:\.[a-z\d+.-]*)?:$/.test(protocol) && !ACTIVE.has(protocol);
  return isLoopbackHost(hostname) || hostname === stripPort(ownHost) || hosts.includes(hostname);
}

/** Schemes that a browser itself does something with. */
const ACTIVE: ReadonlySet<string> = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'ftp:',
  'ws:',
  'wss:',
]);

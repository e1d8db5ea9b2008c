import { isIP } from 'node:net';
import { ConfigError } from '../../errors/harness-error';
import { isLoopbackHost } from '../../http/host';

/** A proxy to send requests through. */
export interface Proxy {
  /** Scheme, host and port: all of it that may be shown. */
  readonly origin: string;
  /** Value of Proxy-Authorization (RFC 7617); never to be shown. */
  readonly authorization: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a target: the one that was named, else what the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY say, in
 * lower case first as curl has them. The variables are not asked for this machine, which no proxy could reach as such.
 *
 * NO_PROXY is a list of hosts, with a port or without, divided by commas or spaces. A host stands for those below it
 * too; `*` for all. Ranges of addresses are not known.
 *
 * @param origin - scheme, host and port of the target
 * @param named - value of --proxy
 * @returns `undefined` when requests go straight to the target
 * @throws ConfigError `CONFIG_INVALID`; its message never holds the URL, which may have a password
 */
export function chooseProxy(origin: string, named: string | undefined, environment: Environment): Proxy | undefined {
  if (named !== undefined) return readProxy(named, '--proxy');
  const target = new URL(origin);
  if (isLoopbackHost(target.hostname)) return undefined;
  const variable = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const name = [variable, variable.toUpperCase()].find((candidate) => (environment[candidate] ?? '') !== '');
  if (name === undefined) return undefined;
  const exceptions = environment['no_proxy'] ?? environment['NO_PROXY'] ?? '';
  return isExcepted(target, exceptions) ? undefined : readProxy(environment[name] ?? '', name);
}

function readProxy(text: string, source: string): Proxy {
  // Many write host:port alone into the variables.
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new ConfigError('CONFIG_INVALID', `The proxy of ${source} is no http or https URL`, {
      hint: 'Write it as http://user:password@proxy.example.com:3128; user and password may be left out.',
    });
  }
  return { origin: url.origin, authorization: basicCredentials(url, source) };
}

function basicCredentials({ username, password }: URL, source: string): string | undefined {
  if (username === '' && password === '') return undefined;
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  } catch {
    throw new ConfigError('CONFIG_INVALID', `User or password of the proxy of ${source} is not percent-encoded`, {
      hint: 'Write % as %25, @ as %40 and : as %3A.',
    });
  }
}

function isExcepted({ hostname, port, protocol }: URL, exceptions: string): boolean {
  const actualPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  const host = bare(hostname);
  return exceptions
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = entry, entryPort] = /^(.+?):(\d+)$/.exec(isIP(entry) === 6 ? '' : entry) ?? [];
      if (entryPort !== undefined && entryPort !== actualPort) return false;
      const suffix = bare(name).replace(/^\*?\./, '');
      return host === suffix || (isIP(host) === 0 && host.endsWith(`.${suffix}`));
    });
}

/** Lower case, without the brackets of IPv6. */
function bare(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}

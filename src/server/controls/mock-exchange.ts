import { headerValue } from '../../core/http/headers';
import type { RawHeaders } from '../../core/http/message';
import type { SandboxSelectors } from '../../mock/sandbox/sandbox-selection';
import type { RecordedExchange } from '../../traffic/exchange/recorded-exchange';

/**
 * An exchange as any other deployment would have seen it: without the name of its sandbox, which means something here
 * alone.
 *
 * @param sandbox - `undefined` for the main state
 */
export function withoutSandbox(
  exchange: RecordedExchange,
  { header, cookie, path }: SandboxSelectors,
  sandbox: string | undefined,
): RecordedExchange {
  const { request, response } = exchange;
  const target = request.target.replace(/^https?:\/\/[^/?#]*/i, '');
  const mount = path === undefined || sandbox === undefined ? undefined : `${path}/${sandbox}`;
  return {
    ...exchange,
    request: {
      ...request,
      target: mount === undefined ? rooted(target) : rooted(belowMount(target, mount)),
      headers: pairs(request.headers, (name, value) => {
        if (name === header) return undefined;
        return name === 'cookie' && cookie !== undefined ? withoutCookie(value, cookie) : value;
      }),
    },
    response:
      response === undefined || mount === undefined
        ? response
        : { ...response, headers: pairs(response.headers, (name, value) => outsideMount(name, value, mount)) },
  };
}

function rooted(target: string): string {
  return target.startsWith('/') || target === '*' ? target : `/${target}`;
}

function belowMount(target: string, mount: string): string {
  const isBelow = target.startsWith(mount) && /^(?:$|[/?#])/.test(target.slice(mount.length));
  return isBelow ? target.slice(mount.length) : target;
}

const LINKS: ReadonlySet<string> = new Set(['location', 'content-location', 'link']);

function outsideMount(name: string, value: string, mount: string): string {
  return LINKS.has(name) ? value.replaceAll(`${mount}/`, '/') : value;
}

/** @returns `undefined` where there was no other one */
function withoutCookie(cookies: string, name: string): string | undefined {
  const others = cookies.split(';').filter((pair) => pair.split('=')[0]?.trim() !== name);
  return others.length === 0 ? undefined : others.join(';').trim();
}

/** @param change - gives the value of a header line, `undefined` for none */
function pairs(headers: RawHeaders, change: (name: string, value: string) => string | undefined): RawHeaders {
  const changed: string[] = [];
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]];
    const kept = change(name.toLowerCase(), value);
    if (kept !== undefined) changed.push(name, kept);
  }
  return changed;
}

/** Do the headers of a request say that a body follows (RFC 9112 §6.3)? */
export function announcesBody(headers: RawHeaders): boolean {
  const length = headerValue(headers, 'Content-Length');
  return (length !== undefined && length !== '0') || headerValue(headers, 'Transfer-Encoding') !== undefined;
}

import { timingSafeEqual, createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { problem, type Problem } from '../../checks/problem';
import { parseBearer } from '../../http/authorization';
import { isLoopbackHost, stripPort } from '../../http/host';
import { effectiveHost } from '../../http/request-target';

/**
 * Who may use the admin routes: this machine alone, or whoever has the token. No web page ever: a page that the
 * developer happens to have open must not be able to reset or read the mock.
 *
 * @returns why the request is refused, if it is
 */
export function checkAdminAccess(request: IncomingMessage, token: string | undefined): Problem | undefined {
  if (request.headers.origin !== undefined) return problem('forbidden', 'The admin routes answer no web page');
  if (token !== undefined) {
    const sent = parseBearer(request.headers.authorization ?? '');
    if (sent.kind === 'bearer' && isSame(sent.token, token)) return undefined;
    return problem('forbidden', 'The admin routes ask for the admin token: Authorization: Bearer <TOKEN>');
  }
  // The Host is checked too: a name that an attacker's DNS points to 127.0.0.1 is not this machine's.
  const { originalUrl: target = '/' } = request as { originalUrl?: string };
  const header = request.headers.host ?? '';
  const isLocal = [header, effectiveHost(target, header)].every((host) => isLoopbackHost(stripPort(host)));
  if (isLoopbackAddress(request.socket.remoteAddress) && isLocal) return undefined;
  return problem('forbidden', 'The admin routes answer this machine only; start with --admin-token to open them');
}

function isLoopbackAddress(address: string | undefined): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address ?? '');
}

function isSame(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

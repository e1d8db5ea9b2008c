import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parseBearer } from '../core/http/authorization';
import type { HttpResponse } from '../core/http/message';
import { problem, type Problem } from '../core/http/problem';
import { effectiveHost, isLoopbackHost, stripPort } from '../core/http/request-target';
import type { ApiModel } from '../openapi/model/api-model';
import { ADMIN_PATH } from './actions/action';

/** Set by proxies, gateways and tunnels: who sent such a request may be anywhere. */
const FORWARDED =
  /^(?:.*forwarded.*|via|cdn-loop|.*(?:-|client)ip|x-remote-addr|x-original-(?:for|host|url)|x-rewrite-url|front-end-https|x-(?:url-)?scheme|cf-(?:ray|visitor)|x-envoy-.+)$/;

/**
 * Who may use the admin routes: this machine alone, or who has the token. No page of another origin ever: one that
 * the developer happens to have open must not be able to reset or read the mock.
 *
 * @returns why the request is rejected, if it is
 */
export function checkAdminAccess(request: IncomingMessage, token: string | undefined): Problem | undefined {
  const page = rejectForeignPage(request);
  if (page !== undefined) return page;
  if (token !== undefined) {
    const sent = parseBearer(request.headers.authorization ?? '');
    if (sent.kind === 'bearer' && isSameSecret(sent.token, token)) return undefined;
    return problem('forbidden', 'The admin routes ask for the admin token: Authorization: Bearer <TOKEN>');
  }
  // A proxy on this machine connects from a loopback address, and mostly sends a Host that means one.
  const forwarded = Object.keys(request.headers).find((name) => FORWARDED.test(name));
  if (forwarded !== undefined) {
    return problem(
      'forbidden',
      `The request came through a proxy (its header ${forwarded} says so), and without a token the admin routes respond to this machine only; start the mock with --admin-token to open them, or ask it directly`,
    );
  }
  // The Host is checked too: a name that an attacker's DNS points to 127.0.0.1 is not this machine's.
  const { originalUrl: target = '/' } = request as { originalUrl?: string };
  const header = request.headers.host ?? '';
  const isLocal = [header, effectiveHost(target, header)].every((host) => isLoopbackHost(stripPort(host)));
  if (isLoopbackAddress(request.socket.remoteAddress) && isLocal) return undefined;
  return problem('forbidden', 'The admin routes respond to this machine only; start with --admin-token to open them');
}

/**
 * Who may load the files of the window, which hold no secret: everybody who may ask for a token there, and else this
 * machine alone. No page of another origin.
 *
 * @returns why the request is rejected, if it is
 */
export function checkPageAccess(request: IncomingMessage, token: string | undefined): Problem | undefined {
  return token === undefined ? checkAdminAccess(request, token) : rejectForeignPage(request);
}

/** A page of the mock itself may ask; browsers say of every other one that it is none (Fetch Metadata, RFC 6454). */
export function rejectForeignPage({ headers }: IncomingMessage): Problem | undefined {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  const isOwn = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host.toLowerCase());
  if (isOwn && !/^(?:cross-site|same-site)$/i.test(String(site))) return undefined;
  return problem(
    'forbidden',
    'The admin routes do not respond to web pages of another origin; open their address itself, or ask from a program',
  );
}

function isLoopbackAddress(address: string | undefined): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address ?? '');
}

function isSameSecret(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Does the caller want a page, as a browser does that somebody typed an address into? Programs ask for JSON, or for anything. */
export function acceptsHtml({ headers: { accept = '' } }: IncomingMessage): boolean {
  return /\btext\/html\b/i.test(accept) && !/\bjson\b/i.test(accept);
}

/**
 * Leads somebody who opens the bare address of a mock in a browser of this machine to its own pages. A documented `/` is
 * answered as it is documented, and nobody else is shown that there are such pages.
 *
 * @returns `undefined` for every other request
 */
export function redirectBrowser(
  request: IncomingMessage,
  mounts: ApiModel['mounts'],
  adminToken: string | undefined,
): HttpResponse | undefined {
  const { method, url } = request;
  if (url !== '/' || (method !== 'GET' && method !== 'HEAD') || !acceptsHtml(request)) return undefined;
  const isDocumented = mounts.some(({ basePath, routes }) => basePath === '' && routes.match('/') !== undefined);
  if (isDocumented || checkAdminAccess(request, adminToken) !== undefined) return undefined;
  // Where the app is mounted in another one, Express takes the mount path off `url`.
  const { baseUrl = '' } = request as { baseUrl?: string };
  const headers = ['Location', `${baseUrl}${ADMIN_PATH}/`, 'Cache-Control', 'no-store', 'Vary', 'Accept'];
  return { status: 302, headers, body: undefined };
}

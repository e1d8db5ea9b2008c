import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parseBearer } from '../core/http/authorization';
import { formatHttpDate } from '../core/http/http-date';
import type { HttpResponse } from '../core/http/message';
import { problem, type Problem } from '../core/http/problem';
import { effectiveHost, isLoopbackHost, isValidHost, stripPort } from '../core/http/request-target';
import { stringifyJson } from '../core/json/stringify-json';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation, Parameter, RequestBody } from '../openapi/model/operation';
import { IMAGES } from '../payload/sampler/plausible-values';

/** The path that all admin routes are below. */
export const ADMIN_PATH = '/__standin';

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

/** A page of the mock itself may ask; browsers say of every other one that it is none (Fetch Metadata, RFC 6454). */
function rejectForeignPage({ headers }: IncomingMessage): Problem | undefined {
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

const ADMIN_LINKS = ['state', 'journal', 'diff', 'sandboxes', 'faults', 'health'] as const;

/** One page that shows the operations to people; the links of a deprecated operation lead here. */
export function docsPage(api: ApiModel): string {
  const sections = api.operations.map(section).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(api.title)} ${escape(api.version)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.1rem; border-top: 1px solid #ccc; padding-top: 1rem; }
code { font-size: 1rem; } .mark { background: #fde68a; border-radius: 4px; padding: 0 .4rem; font-size: .8rem; }
p { white-space: pre-line; } pre { white-space: pre-wrap; background: #f4f4f5; padding: .5rem; }
dt { font-size: .9rem; } dd { font-size: .9rem; color: #555; }
</style>
</head>
<body>
<h1>${escape(api.title)} ${escape(api.version)}</h1>
<p>${ADMIN_LINKS.map((name) => `<a href="${name}">${name}</a>`).join(' · ')}</p>
${sections}
</body>
</html>
`;
}

function section(operation: Operation): string {
  const { id, method, path, summary, description, parameters, requestBody, responses } = operation;
  const shown = lifecycleLabels(operation).map((mark) => ` <span class="mark">${escape(mark)}</span>`);
  return `<section id="${escape(encodeURIComponent(id))}">
<h2><code>${escape(method)} ${escape(path)}</code> ${escape(summary)}${shown.join('')}</h2>
<p>${escape(description.trim())}</p>
<dl>
${parameters.map(parameterEntry).join('\n')}
${requestBody === undefined ? '' : bodyEntry(requestBody)}
<dt>Responses</dt><dd>${escape([...responses.keys()].join(', '))}</dd>
</dl>
</section>`;
}

function parameterEntry({ name, in: location, required, description = '', schema }: Parameter): string {
  const about = [`in ${location}`, ...typeText(schema?.value['type']), ...(required ? ['required'] : [])].join(', ');
  return `<dt><code>${escape(name)}</code> ${escape(about)}</dt><dd>${escape(description.trim())}</dd>`;
}

function typeText(type: unknown): string[] {
  return typeof type === 'string' ? [type] : [];
}

function bodyEntry({ required, mediaTypes, content }: RequestBody): string {
  const examples = content.flatMap((entry) => entry.examples.map(({ value }) => stringifyJson(value)));
  const example = examples.find((text) => text.length <= LONGEST_EXAMPLE);
  const sample = example === undefined ? '' : `<pre>${escape(example)}</pre>`;
  return `<dt>Body ${escape(mediaTypes.join(', '))}${required ? ', required' : ''}</dt><dd>${sample}</dd>`;
}

/** A longer one is no help on a page with every operation. */
const LONGEST_EXAMPLE = 2000;

/** What a caller should know before relying on an operation: `deprecated`, `until …`, `beta`. */
export function lifecycleLabels({ lifecycle }: Operation): string[] {
  const { deprecated, sunset, stability, tryIt } = lifecycle;
  const result: string[] = [];
  if (deprecated) result.push('deprecated');
  if (sunset !== undefined) result.push(`until ${formatHttpDate(sunset)}`);
  if (stability !== 'stable') result.push(stability);
  if (!tryIt) result.push('no try-it');
  return result;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Below the admin path; these alone answer pages of any origin, as images of an API do. */
export const IMAGE_PATH = '/images';

/** Pixels of a side. Browsers draw what they are asked to, and a screen has no more. */
const MAX_SIDE = 4096;

const HEADERS = [
  'Content-Type',
  'image/svg+xml',
  'Cache-Control',
  'public, max-age=86400',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'",
];

/**
 * A grey picture of a size, with the size written on it.
 *
 * @param path - below {@link IMAGE_PATH}: `/640x480.svg`
 */
export function placeholderImage(path: string): HttpResponse | Problem {
  const [, width = '', height = ''] = /^\/(\d+)x(\d+)\.svg$/.exec(path) ?? [];
  if (width === '')
    return problem('route_not_found', `There is no image ${path.slice(0, 80)}; images are called 640x480.svg`);
  const sides = [Number(width), Number(height)];
  if (sides.some((side) => side < 1 || side > MAX_SIDE))
    return problem(
      'invalid_parameter',
      `An image has sides of 1 to ${MAX_SIDE} pixels, not ${width.slice(0, 12)}x${height.slice(0, 12)}`,
    );
  const [across = 1, down = 1] = sides;
  const size = Math.max(1, Math.floor(Math.min(across / 6, down / 3)));
  const text = `<text x="50%" y="50%" fill="#555" font-family="sans-serif" font-size="${size}" text-anchor="middle" dominant-baseline="middle">${across} × ${down}</text>`;
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${across}" height="${down}" viewBox="0 0 ${across} ${down}"><rect width="100%" height="100%" fill="#ddd"/>${text}</svg>`;
  return { status: 200, headers: HEADERS, body };
}

/** A response whose made-up images are at the address of the mock, as its client knows it. */
export function withImageAddresses(response: HttpResponse, request: IncomingMessage): HttpResponse {
  const { headers } = response;
  const isHead = response.suppressedBody !== undefined;
  const body = response.suppressedBody ?? response.body;
  if (typeof body !== 'string' || !body.includes(IMAGES)) return response;
  const changed = body.replaceAll(IMAGES, addressOf(request));
  const shown = isHead ? { ...response, suppressedBody: changed } : { ...response, body: changed };
  const at = headers.indexOf('Content-Length');
  if (at === -1) return shown;
  return { ...shown, headers: headers.with(at + 1, String(Buffer.byteLength(changed))) };
}

function addressOf(request: IncomingMessage): string {
  const { host = '' } = request.headers;
  const { socket } = request;
  const scheme = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
  const known = isValidHost(host) ? host : `localhost:${socket.localPort ?? 80}`;
  const mountPath = (request as { baseUrl?: string }).baseUrl ?? '';
  return `${scheme}://${known}${mountPath}${ADMIN_PATH}${IMAGE_PATH}`;
}

import type { IncomingMessage } from 'node:http';
import type { HttpResponse } from '../core/http/message';
import { problem, type Problem } from '../core/http/problem';
import { isValidHost } from '../core/http/request-target';
import { IMAGES } from '../payload/sampler/plausible-values';
import { ADMIN_PATH } from './actions/action';

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
  const changed = body.replaceAll(IMAGES, `${addressOf(request)}${ADMIN_PATH}${IMAGE_PATH}`);
  const shown = isHead ? { ...response, suppressedBody: changed } : { ...response, body: changed };
  const at = headers.indexOf('Content-Length');
  if (at === -1) return shown;
  return { ...shown, headers: headers.with(at + 1, String(Buffer.byteLength(changed))) };
}

/** Of the mock, as the client knows it: `http://localhost:4010`, with the path that it is mounted at. */
export function addressOf(request: IncomingMessage): string {
  const { host = '' } = request.headers;
  const { socket } = request;
  const scheme = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
  const known = isValidHost(host) ? host : `localhost:${socket.localPort ?? 80}`;
  // Within the admin routes, Express counts their path to it.
  const mountPath = ((request as { baseUrl?: string }).baseUrl ?? '').replace(ADMIN_AT_END, '');
  return `${scheme}://${known}${mountPath}`;
}

const ADMIN_AT_END = new RegExp(`${ADMIN_PATH}$`);

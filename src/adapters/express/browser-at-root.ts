import type { IncomingMessage } from 'node:http';
import type { HttpResponse } from '../../http/message';
import type { ApiModel } from '../../openapi/model';
import { checkAdminAccess } from './admin-access';
import { ADMIN_PATH } from './admin-index';

/** Does whoever asks want a page, as a browser does that somebody typed an address into? Programs ask for JSON, or for anything. */
export function wantsPage({ headers: { accept = '' } }: IncomingMessage): boolean {
  return /\btext\/html\b/i.test(accept) && !/\bjson\b/i.test(accept);
}

/**
 * Leads somebody who opens the bare address of a mock in a browser of this machine to its own pages. A documented `/` is
 * answered as it is documented, and nobody else is shown that there are such pages.
 *
 * @returns `undefined` for every other request
 */
export function leadBrowser(
  request: IncomingMessage,
  mounts: ApiModel['mounts'],
  adminToken: string | undefined,
): HttpResponse | undefined {
  const { method, url } = request;
  if (url !== '/' || (method !== 'GET' && method !== 'HEAD') || !wantsPage(request)) return undefined;
  const isDocumented = mounts.some(({ basePath, routes }) => basePath === '' && routes.match('/') !== undefined);
  if (isDocumented || checkAdminAccess(request, adminToken) !== undefined) return undefined;
  // Where the app is mounted in another one, Express takes the mount path off `url`.
  const { baseUrl = '' } = request as { baseUrl?: string };
  const headers = ['Location', `${baseUrl}${ADMIN_PATH}/`, 'Cache-Control', 'no-store', 'Vary', 'Accept'];
  return { status: 302, headers, body: undefined };
}

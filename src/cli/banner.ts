import pc from 'picocolors';
import { ADMIN_PATH } from '../adapters/express/admin-routes';
import { marks } from '../adapters/express/docs-page';
import { isLoopbackHost } from '../http/host';
import type { Mock } from '../mock/create-mock';
import type { ApiModel } from '../openapi/model';

export interface BannerInput {
  readonly api: ApiModel;
  /** Scheme, host and port. */
  readonly url: string;
  readonly basePath: string;
  readonly auth: 'keys' | 'any' | 'off';
  readonly apiKeys: readonly string[];
  readonly mock: Mock;
  /** Without one the admin routes answer at a loopback address only. */
  readonly hasAdminToken: boolean;
}

/** What a newcomer needs to make the first request, and what there is to call. */
export function formatBanner(input: BannerInput): string {
  const { api, url, basePath, auth, apiKeys, mock } = input;
  const width = Math.max(...api.operations.map(({ path }) => path.length + basePath.length));
  const operations = api.operations.map((operation) => {
    const text = marks(operation).join(', ');
    const how = mock.context.plans.get(operation)?.behaviour === undefined ? ['stateless'] : [];
    const notes = [text, ...how].filter((note) => note !== '').join(', ');
    const path = `${basePath}${operation.path}`;
    return `  ${operation.method.padEnd(7)}${notes === '' ? path : path.padEnd(width + 2)}${pc.yellow(notes)}`;
  });
  const isSecured = auth !== 'off' && api.operations.some(({ security }) => security.length > 0);
  const [key = 'any-key'] = auth === 'any' ? [] : apiKeys;
  return `${[
    `${pc.bold(`${api.title} ${api.version}`)} is mocked at ${pc.cyan(`${url}${basePath}`)}`,
    '',
    ...operations,
    '',
    ...(isSecured
      ? [`API key:  ${key}${apiKeys.length > 1 && auth === 'keys' ? ` (and ${apiKeys.length - 1} more)` : ''}`]
      : []),
    `Admin:    ${adminLine(input)}`,
    `Try:      ${exampleCall(api, `${reachableUrl(url)}${basePath}`, isSecured ? key : undefined)}`,
    'Stop with Ctrl-C.',
    '',
  ].join('\n')}\n`;
}

function adminLine({ url, hasAdminToken }: BannerInput): string {
  const reachable = reachableUrl(url);
  const isOpen = hasAdminToken || !URL.canParse(reachable) || isLoopbackHost(new URL(reachable).hostname);
  if (!isOpen) return 'closed, because this is no loopback address; --admin-token opens it';
  return `${reachable}${ADMIN_PATH}/health (reset, state, snapshot, restore, journal, clock, docs)`;
}

/** Addresses that mean every one of the machine: they can be listened on, but not everywhere be called. */
const LOOPBACKS: Readonly<Record<string, string>> = {
  '0.0.0.0': '127.0.0.1',
  '[::]': '[::1]',
  '[::ffff:0:0]': '127.0.0.1',
};

/** The URL to call from this machine. */
function reachableUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const at = new URL(url);
  const loopback = LOOPBACKS[at.hostname];
  if (loopback === undefined) return url;
  at.hostname = loopback;
  return at.origin;
}

/** A GET that needs no id: it works whatever is stored. */
function exampleCall(api: ApiModel, baseUrl: string, key: string | undefined): string {
  const operation =
    api.operations.find(({ method, path }) => method === 'GET' && !path.includes('{')) ?? api.operations[0];
  const header = key === undefined ? '' : ` -H "Authorization: Bearer ${key}"`;
  return `curl -s${header} ${baseUrl}${operation?.path ?? '/'}`;
}

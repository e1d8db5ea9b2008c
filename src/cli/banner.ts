import pc from 'picocolors';
import { ADMIN_PATH } from '../adapters/express/admin-routes';
import { marks } from '../adapters/express/docs-page';
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
}

/** What a newcomer needs to make the first request, and what there is to call. */
export function formatBanner({ api, url, basePath, auth, apiKeys, mock }: BannerInput): string {
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
    `Admin:    ${url}${ADMIN_PATH}/health (reset, state, snapshot, restore, journal, clock, docs)`,
    `Try:      ${exampleCall(api, `${url}${basePath}`, isSecured ? key : undefined)}`,
    'Stop with Ctrl-C.',
    '',
  ].join('\n')}\n`;
}

/** A GET that needs no id: it works whatever is stored. */
function exampleCall(api: ApiModel, baseUrl: string, key: string | undefined): string {
  const operation =
    api.operations.find(({ method, path }) => method === 'GET' && !path.includes('{')) ?? api.operations[0];
  const header = key === undefined ? '' : ` -H "Authorization: Bearer ${key}"`;
  return `curl -s${header} ${baseUrl}${operation?.path ?? '/'}`;
}

import pc from 'picocolors';
import { ADMIN_PATH } from '../adapters/express/admin-index';
import { marks } from '../adapters/express/docs-page';
import type { Pack } from '../adapters/node/load-packs';
import { isLoopbackHost } from '../http/host';
import type { Mock } from '../mock/create-mock';
import type { FilePlace } from '../mock/file-places';
import type { AnswerPlan } from '../mock/operation-plan';
import type { ApiModel } from '../openapi/model';
import { packText } from './pack-text';
import { tryLine } from './try-line';
import { printable } from '../errors/printable';

export interface BannerInput {
  readonly api: ApiModel;
  /** Scheme, host and port. */
  readonly url: string;
  readonly basePath: string;
  readonly auth: 'keys' | 'any' | 'off';
  readonly apiKeys: readonly string[];
  readonly mock: Mock;
  readonly packs: readonly Pack[];
  /** Without one the admin routes answer at a loopback address only. */
  readonly hasAdminToken: boolean;
}

/** More operations than this are counted: the rest of the banner must not scroll away. */
const MOST_SHOWN = 40;

/** What is said of operations by where their answers come from. */
const HOW: Readonly<Record<AnswerPlan['from'], readonly string[]>> = {
  state: [],
  example: ['stateless, from an example'],
  schema: ['stateless, made up'],
  'no-body': ['stateless'],
};

const WITH_FILE: Readonly<Record<FilePlace['does'], readonly string[]>> = {
  download: ['the file that was sent, else stateless'],
  upload: ['keeps the file'],
  remove: ['takes the file away'],
};

/** What a newcomer needs to make the first request, and what there is to call. */
export function formatBanner(input: BannerInput): string {
  const { api, url, basePath, auth, apiKeys, mock } = input;
  const isSecured = auth !== 'off' && api.operations.some(({ security }) => security.length > 0);
  const { tokens } = mock.context.options;
  const routes = mock.context.mounts.find((mount) => mount.basePath === basePath)?.routes;
  // Keys of a tokens file are somebody's own: they are not shown.
  const [key = auth === 'any' ? 'any-key' : 'YOUR-KEY'] = auth === 'any' ? [] : apiKeys;
  return `${[
    `${pc.bold(printable(`${api.title} ${api.version}`))} is mocked at ${pc.cyan(`${url}${basePath}`)}`,
    ...otherMounts(input),
    '',
    ...operationLines(input),
    '',
    ...(isSecured ? [`API key:  ${keyLine(key, auth === 'keys' ? apiKeys.length : 1, tokens.length)}`] : []),
    ...(isSecured && auth === 'keys' ? ['          others are refused; --auth any takes every well-formed one'] : []),
    ...input.packs.map((pack) => `Pack:     ${packText(pack)}`),
    `Admin:    ${adminLine(input)}`,
    `Try:      ${printable(tryLine(api, `${reachableUrl(url)}${basePath}`, isSecured ? key : undefined, routes))}`,
    'Stop with Ctrl-C.',
    '',
  ].join('\n')}\n`;
}

/** The operations, with what is unusual about how they are answered. */
function operationLines({ api, basePath, mock }: BannerInput): string[] {
  const shown = api.operations.length <= MOST_SHOWN + 1 ? api.operations : api.operations.slice(0, MOST_SHOWN);
  const width = Math.max(0, ...shown.map(({ written }) => written.length + basePath.length));
  const rest = api.operations.length - shown.length;
  return [
    ...shown.map((operation) => {
      const { answer, file } = mock.context.plans.get(operation);
      const how = file === undefined || answer.from === 'state' ? HOW[answer.from] : WITH_FILE[file.does];
      const notes = [...marks(operation), ...how].join(', ');
      const path = printable(`${basePath}${operation.written}`);
      return `  ${operation.method.padEnd(6)} ${notes === '' ? path : path.padEnd(width + 2)}${pc.yellow(notes)}`;
    }),
    ...(rest === 0 ? [] : [`  and ${grouped(rest)} more; standin explain lists them`]),
  ];
}

/** `1183` as `1 183`. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ' ');
}

/** @param tokens - how many callers the tokens file names */
function keyLine(key: string, keys: number, tokens: number): string {
  const callers = tokens === 1 ? 'the one of the tokens file' : `the ${tokens} of the tokens file`;
  if (keys === 0) return callers;
  const more = [...(keys > 1 ? [`${keys - 1} more`] : []), ...(tokens > 0 ? [callers] : [])].join(', ');
  return more === '' ? key : `${key} (and ${more})`;
}

/** Where else the operations are, when the description has several servers. */
function otherMounts({ url, basePath, mock }: BannerInput): string[] {
  const others = mock.context.mounts.map((mount) => mount.basePath).filter((path) => path !== basePath);
  return others.length === 0
    ? []
    : [`and, by its other servers, at ${others.map((path) => printable(`${url}${path}`)).join(', ')}`];
}

function adminLine({ url, hasAdminToken }: BannerInput): string {
  const reachable = reachableUrl(url);
  const isOpen = hasAdminToken || !URL.canParse(reachable) || isLoopbackHost(new URL(reachable).hostname);
  if (!isOpen) return 'closed, because this is no loopback address; --admin-token opens it';
  return `${reachable}${ADMIN_PATH}/ (docs, state, journal, diff, health, reset, snapshot, restore, clock, sandboxes, faults)`;
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

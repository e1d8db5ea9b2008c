import pc from 'picocolors';
import { isLoopbackHost } from '../../core/http/request-target';
import { printable } from '../../core/text/printable';
import { type Pack, packText } from '../../files/load-rules-and-packs';
import { peopleOf } from '../../issuer/issuer-users';
import type { MockOptions } from '../../mock/context/options';
import type { Mock } from '../../mock/create-mock';
import type { ResponseSource } from '../../mock/plans/operation-plan';
import type { FileEndpoint } from '../../mock/state/item-paths';
import type { ApiModel } from '../../openapi/model/api-model';
import { eventSigns } from '../../openapi/model/documented-events';
import type { Operation, Parameter, SecurityScheme } from '../../openapi/model/operation';
import type { RouteTable } from '../../openapi/model/route-table';
import { encodeParameter } from '../../openapi/parameters/encode-parameter';
import { samplerOf } from '../../payload/sampler/sampler';
import { kindOf } from '../../security/registry';
import { ADMIN_PATH } from '../../server/actions/action';
import { lifecycleLabels } from '../../server/docs-page';

interface BannerInput {
  readonly api: ApiModel;
  /** Scheme, host and port. */
  readonly url: string;
  readonly basePath: string;
  readonly auth: 'keys' | 'open' | 'any' | 'off';
  readonly apiKeys: readonly string[];
  readonly mock: Mock;
  readonly packs: readonly Pack[];
  readonly tokensFile?: string | undefined;
  /** Without one the admin routes answer at a loopback address only. */
  readonly hasAdminToken: boolean;
  readonly agentsMayWrite?: boolean | undefined;
  /** How people sign in, if they do. */
  readonly issuer?: boolean | 'page' | 'auto' | undefined;
  /** What is recorded, and the contract that is made of it in the end; `undefined` where nothing is. */
  readonly recordingTo?: { readonly file: string; readonly contract: string | undefined } | undefined;
}

/** More operations than this are counted: the rest of the banner must not scroll away. */
const MOST_SHOWN = 40;

/** What is said of operations by where their responses come from. */
const SOURCE_NOTES: Readonly<Record<ResponseSource['from'], readonly string[]>> = {
  state: [],
  example: ['stateless, from an example'],
  schema: ['stateless, made up'],
  'no-body': ['stateless'],
};

const WITH_FILE: Readonly<Record<FileEndpoint['does'], readonly string[]>> = {
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
  const title = `${pc.bold(printable(`${api.title} ${api.version}`))} is mocked at ${pc.cyan(`${url}${basePath}`)}`;
  const window = `Window:   ${windowLine(input)}`;
  return `${[
    // The address to look at comes first; where there is none, that is no news to begin with.
    ...(isOpen(input) ? [window, title] : [title, window]),
    ...otherMounts(input),
    '',
    ...operationLines(input),
    '',
    ...(isSecured ? [keyLine(key, auth === 'keys' ? apiKeys.length : 1, tokens.length, input.tokensFile)] : []),
    ...(isSecured ? [OTHER_KEYS[auth]] : []),
    ...input.packs.map((pack) => `Pack:     ${packText(pack)}`),
    `Try:      ${printable(tryLine(api, `${reachableUrl(url)}${basePath}`, isSecured ? key : undefined, routes))}`,
    ...agentLines(input),
    ...issuerLines(input),
    ...eventLines(api),
    ...storeLines(mock),
    ...recordingLines(input.recordingTo),
    'Stop with Ctrl-C.',
    '',
  ].join('\n')}\n`;
}

function agentLines(input: BannerInput): string[] {
  if (!isOpen(input)) return [];
  const may = input.agentsMayWrite === true ? 'they may change it' : 'they may read';
  return [`Agents:   ${reachableUrl(input.url)}${ADMIN_PATH}/mcp (Model Context Protocol; ${may})`];
}

function issuerLines({ issuer = false, url, mock }: BannerInput): string[] {
  if (issuer === false) return [];
  const people = peopleOf(mock.resources)?.path;
  const page = people === undefined ? 'any name signs in' : `the items of ${printable(people)} sign in`;
  const first = people === undefined ? 'somebody called "user"' : 'the first user';
  const how = issuer === 'auto' ? `${first} is signed in without a page, or whom login_hint names` : page;
  return [`Sign-in:  the issuer is ${reachableUrl(url)}; any client id and secret; ${how}`];
}

/** Where what the service sends by itself goes; when each is sent is worked out only when somebody asks. */
function eventLines({ document }: ApiModel): string[] {
  const { hasWebhooks, registering } = eventSigns(document);
  const sent = [
    ...(registering.size > 0 ? ['callbacks go where a request says'] : []),
    ...(hasWebhooks ? ['webhooks to who subscribes, and to --webhook EVENT=URL'] : []),
  ];
  return sent.length === 0 ? [] : [`Events:   ${sent.join('; ')} (standin explain says when)`];
}

function storeLines({ engine }: Mock): string[] {
  const { store } = engine.sandboxes;
  return store === undefined
    ? []
    : [`Store:    ${printable(store.log.place)} (the mock goes on there after a restart)`];
}

/** The operations, with what is unusual about how they are answered. */
function operationLines({ api, basePath, mock }: BannerInput): string[] {
  const shown = api.operations.length <= MOST_SHOWN + 1 ? api.operations : api.operations.slice(0, MOST_SHOWN);
  const width = Math.max(0, ...shown.map(({ written }) => written.length + basePath.length));
  const rest = api.operations.length - shown.length;
  return [
    ...shown.map((operation) => {
      const notes = [...lifecycleLabels(operation), ...answerNotes(mock, operation)].join(', ');
      const path = printable(`${basePath}${operation.written}`);
      return `  ${operation.method.padEnd(6)} ${notes === '' ? path : path.padEnd(width + 2)}${pc.yellow(notes)}`;
    }),
    ...(rest === 0 ? [] : [`  and ${groupDigits(rest)} more; standin explain lists them`]),
  ];
}

/** Where the responses of an operation come from, where that is not the state. */
function answerNotes({ context }: Mock, operation: Operation): readonly string[] {
  if (operation.disabled !== undefined) return ['disabled: answers 501'];
  const { responseSource, file } = context.plans.get(operation);
  return file === undefined || responseSource.from === 'state'
    ? SOURCE_NOTES[responseSource.from]
    : WITH_FILE[file.does];
}

/** `1183` as `1 183`. */
function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ' ');
}

/** @param tokens - how many callers the tokens file names */
const OTHER_KEYS: Readonly<Record<MockOptions['auth'], string>> = {
  keys: '          any other key gets 401; start with --auth any to accept every key',
  open: '          any other key is good as well; one that begins with "invalid" gets 401',
  any: '          any other key is good as well',
  off: '',
};

function keyLine(key: string, keys: number, tokens: number, file = 'the tokens file'): string {
  if (keys === 0) return `API keys: ${tokens}, from ${printable(file)}`;
  const more = [
    ...(keys > 1 ? [`${keys - 1} more`] : []),
    ...(tokens > 0 ? [`${tokens} from ${printable(file)}`] : []),
  ];
  return `API key:  ${key}${more.length === 0 ? '' : ` (and ${more.join(', ')})`}`;
}

function recordingLines(place: BannerInput['recordingTo']): string[] {
  if (place === undefined) return [];
  const { file, contract } = place;
  return [
    `Record:   ${printable(file)}, each exchange as it is answered; secrets are replaced`,
    ...(contract === undefined ? [] : [`          ${printable(contract)} is made of it when this is stopped`]),
  ];
}

/** Where else the operations are, when the description has several servers. */
function otherMounts({ url, basePath, mock }: BannerInput): string[] {
  const others = mock.context.mounts.map((mount) => mount.basePath).filter((path) => path !== basePath);
  return others.length === 0
    ? []
    : [`and, by its other servers, at ${others.map((path) => printable(`${url}${path}`)).join(', ')}`];
}

/** Where the page of the mock is, with the admin routes below it. */
function windowLine(input: BannerInput): string {
  const { url, hasAdminToken } = input;
  if (!isOpen(input)) return 'closed, because this is not a loopback address; --admin-token opens it';
  return `${reachableUrl(url)}${ADMIN_PATH}/ ${hasAdminToken ? '(asks for the admin token)' : '(requests, state and responses in a browser; as JSON for programs)'}`;
}

function isOpen({ url, hasAdminToken }: BannerInput): boolean {
  const reachable = reachableUrl(url);
  return hasAdminToken || !URL.canParse(reachable) || isLoopbackHost(new URL(reachable).hostname);
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

/** What a `curl` command has beside the URL. */
interface CurlArguments {
  /** Each with its option. */
  readonly options: readonly string[];
  /** Pairs of the query, percent-encoded. */
  readonly query: readonly string[];
}

/** Text that a shell takes as it is, between double quotes as well. */
const PLAIN = /^[\w.,:;@+=%/-]{1,100}$/;

/**
 * A first request to copy: a GET that needs no id, so that it works whatever is stored, with the credentials that its
 * operation asks for. One that needs no parameter goes before one whose parameters have to be generated.
 *
 * @param key - `undefined` when no credentials are asked for at all
 * @param routes - what answers below the URL
 */
export function tryLine(
  api: ApiModel,
  baseUrl: string,
  key: string | undefined,
  routes: RouteTable = api.routes,
): string {
  const responses = ({ path, method, id }: Operation): boolean =>
    routes.match(path)?.route.operations.get(method)?.id === id;
  const plain = api.operations.filter(({ method, written }) => method === 'GET' && !/[{#?]/.test(written));
  const here = plain.filter(responses);
  const operation = here.find((each) => requiredOf(each).length === 0) ?? here[0] ?? plain[0] ?? api.operations[0];
  if (operation === undefined) return `curl -s ${baseUrl}/`;
  const { options, query } = key === undefined ? NONE : credentialsFor(api, operation, key);
  const made = parametersFor(api, operation);
  const url = `${baseUrl}${operation.path}`;
  const pairs = [...new Set([...query, ...made.query])];
  const target = pairs.length === 0 ? url : `"${url}?${pairs.join('&')}"`;
  return ['curl -s', ...options, ...made.options, target].join(' ');
}

function requiredOf({ parameters }: Operation): Parameter[] {
  return parameters.filter(({ required, in: place }) => required && place !== 'path');
}

/** What is required and no credential, with values that are generated. */
function parametersFor(api: ApiModel, operation: Operation): CurlArguments {
  const schemes = operation.security.flat().map(({ name }) => api.securitySchemes.get(name)?.parameterName);
  const options: string[] = [];
  const query: string[] = [];
  for (const parameter of requiredOf(operation)) {
    const { name, key, in: place, schema } = parameter;
    if (schema === undefined || schemes.includes(name)) continue;
    const sampler = samplerOf(api);
    // Of an object only what is required: its page may not be there.
    const rich = sampler.nodeOf(schema, 'request').properties.length === 0;
    const made = sampler.sample(schema, { seed: '0', direction: 'request', rich });
    const texts = made.kind === 'made' ? encodeParameter(parameter, made.value) : [];
    if (!texts.every((text) => PLAIN.test(text))) continue;
    if (place === 'query') query.push(...texts);
    else if (place === 'header') options.push(`-H "${key}: ${texts.join(', ')}"`);
  }
  return { options, query };
}

const NONE: CurlArguments = { options: [], query: [] };

function credentialsFor(api: ApiModel, { security }: Operation, key: string): CurlArguments {
  const [requirement] = [...security].sort((one, other) => one.length - other.length);
  const all = (requirement ?? []).map(({ name }) => {
    const scheme = api.securitySchemes.get(name);
    return scheme === undefined ? NONE : credentialsOf(scheme, key);
  });
  // Two schemes of one kind that are required together ask for the same header, and a header twice is rejected.
  const once = (texts: readonly string[]): string[] => [...new Set(texts)];
  return { options: once(all.flatMap(({ options }) => options)), query: once(all.flatMap(({ query }) => query)) };
}

function credentialsOf(scheme: SecurityScheme, key: string): CurlArguments {
  const kind = kindOf(scheme);
  const option = kind?.curlOption?.(scheme, key);
  if (option !== undefined) return { options: [option], query: [] };
  return {
    options: [],
    query: (kind?.locations(scheme).query ?? []).map(
      (name) => `${encodeURIComponent(name)}=${encodeURIComponent(key)}`,
    ),
  };
}

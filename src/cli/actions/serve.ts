import { createServerParts, type ServerParts } from '../../library/create-mock-server';
import { type CreateMockServerOptions, MOCK_OPTIONS } from '../../library/mock-options';
import { listen, type Listening } from '../../server/listen';
import type { Pack } from '../../files/load-rules-and-packs';
import type { RequestHead } from '../../core/http/message';
import { DEFAULT_API_KEY } from '../../mock/context/options';
import { formatBanner } from './banner';
import { optionsIn } from '../../core/options/option-table';
import { createRequestLog, type LogFormat, logWarnings, requestFacts, type RequestLog } from './request-log';
import type * as Watch from './watch';
import type { TellProgress } from '../../core/text/progress';
import { whileLoading } from '../terminal/progress-line';
import { printText } from '../terminal/terminal';

/** Stands in the log for a request that could not be read. */
const UNREADABLE: RequestHead = { method: '-', target: '(unreadable)', headers: {}, rawHeaders: [] };

/** Starts the mock; it serves until a signal stops it. @throws StandinError when it cannot */
export async function serve(description: string | undefined, flags: MockFlags): Promise<void> {
  const { port = 4010, host = '127.0.0.1', log: format = 'pretty' } = flags;
  const log = createRequestLog(format);
  const options = toOptions(description, flags);
  const { onResponse, reportDefect } = log;
  const hooks = { onResponse, reportDefect, isWatched: flags.watch };
  const load = (onLoading?: TellProgress): Promise<ServerParts> => createServerParts(options, { ...hooks, onLoading });
  const parts = await (format === 'pretty' ? whileLoading('mock', load) : load());
  const { app, api, mock, packs, warnings, serverOptions } = parts;
  const { basePath } = mock.context;
  log.describe(requestFacts(mock.context.mounts));
  const listening = await listen(app, {
    host,
    port,
    serverOptions,
    toErrorResponse(fault) {
      const response = parts.mock.engine.refuse(fault);
      log.onResponse?.(UNREADABLE, response, process.hrtime.bigint());
      return response;
    },
    corsOrigin: options.corsOrigins?.includes('*') === false ? undefined : '*',
  });
  // Before the banner: its reader may send a signal at once.
  stopOnSignal(listening, log.flush);
  if (flags.watch === true) await watch(parts, log);
  logWarnings(warnings, log);
  if (format === 'json') log.listening(listening.url + basePath, api.title, packNames(packs));
  else {
    const { auth = 'keys', apiKeys = [], adminToken } = options;
    const tokensFile = typeof flags.tokens === 'string' ? flags.tokens : undefined;
    const hasAdminToken = adminToken !== undefined;
    const shown = { api, url: listening.url, basePath, auth, apiKeys, mock, packs, tokensFile, hasAdminToken };
    printText(process.stdout, formatBanner(shown));
  }
}

function packNames(packs: readonly Pack[]): readonly string[] {
  return packs.map(({ name }) => name);
}

/** Loaded here, because most mocks watch nothing. */
function watch(parts: ServerParts, log: RequestLog): Promise<void> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
  return (require('./watch') as typeof Watch).watchMock(parts, log).ready;
}

function toOptions(description: string | undefined, flags: MockFlags): CreateMockServerOptions {
  return {
    ...optionsIn(MOCK_OPTIONS, flags),
    description,
    apiKeys: acceptedKeys(flags),
    faults: flags.faultSwitch === 'off' ? 'off' : flags.faults,
    adminToken: flags.adminToken ?? fromEnvironment('STANDIN_ADMIN_TOKEN'),
  };
}

/** From the command line, else from the environment, else the well-known one, where no tokens file has others. */
function acceptedKeys({ apiKeys, tokens }: MockFlags): readonly string[] | undefined {
  if (apiKeys !== undefined) return apiKeys;
  const key = fromEnvironment('STANDIN_API_KEY') ?? (tokens === undefined ? DEFAULT_API_KEY : undefined);
  return key === undefined ? undefined : [key];
}

/** An empty variable is one that is not set. */
function fromEnvironment(name: string): string | undefined {
  const value = process.env[name];
  return value === '' ? undefined : value;
}

/** The first signal lets requests in flight finish; a second one does not wait. */
function stopOnSignal(listening: Listening, flush: () => void): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(0);
    isStopping = true;
    void listening.close().then(() => {
      flush();
      process.exit(0);
    });
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** Values of the flags of `standin mock`. */
export interface MockFlags extends CreateMockServerOptions {
  readonly port?: number;
  readonly host?: string;
  readonly faultSwitch?: 'on' | 'off';
  readonly watch?: true;
  readonly log?: LogFormat;
}

import { createServerParts, type CreateMockServerOptions } from '../adapters/create-mock-server';
import { listen, type Listening } from '../adapters/express/listen';
import type { RequestHead } from '../http/message';
import { DEFAULT_API_KEY } from '../mock/options';
import { formatBanner } from './banner';
import type { MockFlags } from './mock-command';
import { requestFacts } from './request-facts';
import { createRequestLog } from './request-log';

/** Stands in the log for a request that could not be read. */
const UNREADABLE: RequestHead = { method: '-', target: '(unreadable)', headers: {}, rawHeaders: [] };

/** Starts the mock; it serves until a signal stops it. @throws HarnessError when it cannot */
export async function serve(description: string | undefined, flags: MockFlags): Promise<void> {
  const log = createRequestLog(flags.log);
  const apiKeys = acceptedKeys(flags);
  const origins = flags.cors.includes('off') ? [] : flags.cors;
  const options = toOptions(description, flags, apiKeys, origins);
  const { app, api, mock, warnings, serverOptions } = await createServerParts(options, {
    onAnswered: log.onAnswered,
    reportDefect: log.reportDefect,
  });
  const { basePath } = mock.context;
  log.describe(requestFacts(api, basePath));
  const listening = await listen(app, {
    host: flags.host,
    port: flags.port,
    serverOptions,
    refuse(fault) {
      const response = mock.engine.refuse(fault);
      log.onAnswered?.(UNREADABLE, response, process.hrtime.bigint());
      return response;
    },
    corsOrigin: origins.includes('*') ? '*' : undefined,
  });
  // Before the banner: whoever reads it may send a signal at once.
  stopOnSignal(listening, log.flush);
  for (const warning of warnings) log.warn(warning);
  if (flags.log === 'json') log.listening(listening.url + basePath, api.title);
  else {
    const { auth } = flags;
    const hasAdminToken = options.adminToken !== undefined;
    process.stdout.write(formatBanner({ api, url: listening.url, basePath, auth, apiKeys, mock, hasAdminToken }));
  }
}

function toOptions(
  description: string | undefined,
  flags: MockFlags,
  apiKeys: readonly string[],
  corsOrigins: readonly string[],
): CreateMockServerOptions {
  const { fixtures, rules, state, auth, basePath, rateLimit, clock, afterSunset, requireIfMatch, idStart } = flags;
  return {
    description,
    fixtures,
    rules,
    state,
    auth,
    apiKeys,
    basePath,
    rateLimit,
    clock,
    afterSunset,
    requireIfMatch,
    idStart,
    corsOrigins,
    adminToken: flags.adminToken ?? fromEnvironment('STANDIN_ADMIN_TOKEN'),
  };
}

/** From the command line, else from the environment, else the well-known one. */
function acceptedKeys({ apiKey }: MockFlags): readonly string[] {
  return apiKey ?? [fromEnvironment('STANDIN_API_KEY') ?? DEFAULT_API_KEY];
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

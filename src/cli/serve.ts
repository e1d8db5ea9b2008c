import { createServerParts, type CreateMockServerOptions, type ServerParts } from '../adapters/create-mock-server';
import { listen, type Listening } from '../adapters/express/listen';
import type { Pack } from '../adapters/node/load-packs';
import type { RequestHead } from '../http/message';
import { DEFAULT_API_KEY } from '../mock/options';
import { formatBanner } from './banner';
import { descriptionOptions } from './description-flags';
import type { MockFlags } from './mock-command';
import { requestFacts } from './request-facts';
import { createRequestLog, type RequestLog } from './request-log';
import { tellWarnings } from './tell-warnings';
import type * as Watch from './watch';
import { say } from './terminal';

/** Stands in the log for a request that could not be read. */
const UNREADABLE: RequestHead = { method: '-', target: '(unreadable)', headers: {}, rawHeaders: [] };

/** Starts the mock; it serves until a signal stops it. @throws HarnessError when it cannot */
export async function serve(description: string | undefined, flags: MockFlags): Promise<void> {
  const log = createRequestLog(flags.log);
  const apiKeys = acceptedKeys(flags);
  const origins = flags.cors.includes('off') ? [] : flags.cors;
  const options = toOptions(description, flags, apiKeys, origins);
  const { onAnswered, reportDefect } = log;
  const parts = await createServerParts(options, { onAnswered, reportDefect, isWatched: flags.watch });
  const { app, api, mock, packs, warnings, serverOptions } = parts;
  const { basePath } = mock.context;
  log.describe(requestFacts(mock.context.mounts));
  const listening = await listen(app, {
    host: flags.host,
    port: flags.port,
    serverOptions,
    refuse(fault) {
      const response = parts.mock.engine.refuse(fault);
      log.onAnswered?.(UNREADABLE, response, process.hrtime.bigint());
      return response;
    },
    corsOrigin: origins.includes('*') ? '*' : undefined,
  });
  // Before the banner: whoever reads it may send a signal at once.
  stopOnSignal(listening, log.flush);
  if (flags.watch === true) await watch(parts, log);
  tellWarnings(warnings, log);
  if (flags.log === 'json') log.listening(listening.url + basePath, api.title, packNames(packs));
  else {
    const { auth } = flags;
    const hasAdminToken = options.adminToken !== undefined;
    const shown = { api, url: listening.url, basePath, auth, apiKeys: apiKeys ?? [], mock, packs, hasAdminToken };
    say(process.stdout, formatBanner(shown));
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

function toOptions(
  description: string | undefined,
  flags: MockFlags,
  apiKeys: readonly string[] | undefined,
  corsOrigins: readonly string[],
): CreateMockServerOptions {
  const { fixtures, rules, overrides, state, auth, basePath, rateLimit, clock, afterSunset, requireIfMatch, idStart } =
    flags;
  return {
    description,
    ...descriptionOptions(flags),
    fixtures,
    rules,
    overrides,
    state,
    auth,
    apiKeys,
    tokens: flags.tokens,
    basePath,
    rateLimit,
    clock,
    afterSunset,
    requireIfMatch,
    strict: flags.strict,
    strictParents: flags.strictParents,
    maxBody: flags.maxBody,
    idStart,
    corsOrigins,
    sandboxHeader: flags.sandboxHeader,
    sandboxCookie: flags.sandboxCookie,
    sandboxPath: flags.sandboxPath,
    maxSandboxes: flags.maxSandboxes,
    sandboxIdleMs: flags.sandboxIdle === undefined ? undefined : flags.sandboxIdle * 1000,
    faults: flags.faults === 'off' ? 'off' : flags.fault,
    generator: flags.generator,
    seed: flags.seed,
    adminToken: flags.adminToken ?? fromEnvironment('STANDIN_ADMIN_TOKEN'),
  };
}

/** From the command line, else from the environment, else the well-known one, where no tokens file has others. */
function acceptedKeys({ apiKey, tokens }: MockFlags): readonly string[] | undefined {
  if (apiKey !== undefined) return apiKey;
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

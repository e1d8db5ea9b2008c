import { createServerParts, type ServerParts } from '../../library/create-mock-server';
import { type CreateMockServerOptions, MOCK_OPTIONS } from '../../library/mock-options';
import { listen, type Listening } from '../../server/listen';
import type { StoppedRecording } from '../../server/controls/recording-controls';
import { formatStandinError, messageOf, stackOf, StandinError } from '../../core/errors/standin-error';
import { printable, printableLines } from '../../core/text/printable';
import type { Pack } from '../../files/load-rules-and-packs';
import type { RequestHead } from '../../core/http/message';
import { formatBanner } from './banner';
import { optionsIn } from '../../core/options/option-table';
import { createRequestLog, type LogFormat, logWarnings, requestFacts, type RequestLog } from './request-log';
import type * as Watch from './watch';
import type { TellProgress } from '../../core/text/progress';
import { whileLoading } from '../terminal/progress-line';
import { EXIT, printText } from '../terminal/terminal';

/** Stands in the log for a request that could not be read. */
const UNREADABLE: RequestHead = { method: '-', target: '(unreadable)', headers: {}, rawHeaders: [] };

/** Starts the mock; it serves until a signal stops it. @throws StandinError when it cannot */
export async function serve(description: string | undefined, flags: MockFlags): Promise<void> {
  const { port = 4010, host = '127.0.0.1', log: format = 'pretty' } = flags;
  const log = createRequestLog(format);
  const options = toOptions(description, flags);
  const { onResponse, reportDefect } = log;
  const onNotice = (text: string): void => {
    log.alert(printable(text), {});
  };
  const hooks = { onResponse, reportDefect, onNotice, isWatched: flags.watch };
  const load = (onLoading?: TellProgress): Promise<ServerParts> => createServerParts(options, { ...hooks, onLoading });
  const parts = await (format === 'pretty' ? whileLoading('mock', load) : load());
  const { app, api, mock, packs, warnings, serverOptions, recordingTo } = parts;
  const stopRecording = recordingEnd(parts);
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
    whenUnused: () => parts.agentCalls.idle(),
  }).catch(async (error: unknown) => {
    // Its file is empty, and would be in the way of the next try.
    await stopRecording?.();
    await app.closeStore();
    throw error;
  });
  // Before the banner: its reader may send a signal at once.
  stopOnSignal(listening, log, app, stopRecording);
  if (flags.watch === true) await watch(parts, log);
  logWarnings(warnings, log);
  if (format === 'json') log.listening(listening.url + basePath, api.title, packNames(packs));
  else {
    const { adminToken, issuer, allowWrites: agentsMayWrite } = options;
    const { auth, apiKeys } = mock.context.options;
    const tokensFile = typeof flags.tokens === 'string' ? flags.tokens : undefined;
    const hasAdminToken = adminToken !== undefined;
    const shown = {
      api,
      url: listening.url,
      basePath,
      auth,
      apiKeys,
      mock,
      packs,
      tokensFile,
      hasAdminToken,
      recordingTo,
      issuer,
      agentsMayWrite,
    };
    printText(process.stdout, formatBanner(shown));
  }
}

/** Ends what is recorded; `undefined` where nothing is. */
function recordingEnd({ app, recordingTo }: ServerParts): (() => Promise<StoppedRecording>) | undefined {
  return recordingTo && (() => app.stopRecording());
}

function packNames(packs: readonly Pack[]): readonly string[] {
  return packs.map(({ name }) => name);
}

/** Loaded here, because most mocks watch nothing. */
function watch(parts: ServerParts, log: RequestLog): Promise<void> {
  // oxlint-disable-next-line typescript/no-require-imports -- jest cannot run `import()` in CommonJS
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

/** From the command line, else from the environment. */
function acceptedKeys({ apiKeys }: MockFlags): readonly string[] | undefined {
  const key = fromEnvironment('STANDIN_API_KEY');
  return apiKeys ?? (key === undefined ? undefined : [key]);
}

/** An empty variable is one that is not set. */
function fromEnvironment(name: string): string | undefined {
  const value = process.env[name];
  return value === '' ? undefined : value;
}

/** The first signal lets requests in flight finish, and makes the contract of what was recorded; a second one does not wait. */
function stopOnSignal(
  listening: Listening,
  log: RequestLog,
  app: ServerParts['app'],
  stopRecording: (() => Promise<StoppedRecording>) | undefined,
): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(EXIT.ok);
    isStopping = true;
    void listening.close().then(async () => {
      const recorded = stopRecording === undefined ? EXIT.ok : await endRecording(stopRecording, log);
      const stored = await closeStore(app, log);
      log.flush();
      process.exit(Math.max(recorded, stored));
    });
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** @returns the exit code */
async function closeStore(app: ServerParts['app'], log: RequestLog): Promise<number> {
  try {
    await app.closeStore();
    return EXIT.ok;
  } catch (error) {
    const why = messageOf(error);
    log.alert(`The store was not written to its end: ${printableLines(why)}`, { reason: why });
    return EXIT.usage;
  }
}

/** @returns the exit code: that of `standin record` */
async function endRecording(stopRecording: () => Promise<StoppedRecording>, log: RequestLog): Promise<number> {
  try {
    const { lines, lost, ...facts } = await stopRecording();
    log.alert(lines.map(printable).join('\n'), { lost, ...facts });
    return lost > 0 ? EXIT.usage : EXIT.ok;
  } catch (error) {
    const why = error instanceof StandinError ? formatStandinError(error) : stackOf(error);
    log.alert(`No contract was made of the recording: ${printableLines(why)}`, { reason: why });
    return EXIT.usage;
  }
}

/** Values of the flags of `standin mock`. */
export interface MockFlags extends CreateMockServerOptions {
  readonly port?: number;
  readonly host?: string;
  readonly faultSwitch?: 'on' | 'off';
  readonly watch?: true;
  readonly log?: LogFormat;
}

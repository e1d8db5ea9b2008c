import { messageOf } from '../core/errors/standin-error';
import { tryConnection } from '../network/connections';
import { readAuthorities } from '../network/certificates';
import { chooseProxy, proxyRejectedError } from '../network/connections';
import { isInsecure, readBaseUrl } from '../network/target';
import { transportFailure } from '../network/transport-errors';
import { startRecordingProxy } from '../recorder/recording-proxy';
import type { StepResult } from '../runner/result/run-result';
import type { CleanExchange } from '../traffic/exchange/recorded-exchange';
import { type Cleaner, type RecordedFigures, RecordingFile, type RecordingFlags } from './recording-file';

/** Judges what is recorded by the description, as it comes. */
export interface LiveJudge {
  /** @returns `undefined` where there is nothing to say of it */
  judge(exchange: CleanExchange): StepResult | undefined;
}

export interface RecordTrafficOptions {
  /** URL of the target. */
  readonly target: string;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** File of further certificate authorities, PEM. */
  readonly ca?: string | undefined;
  /** Do not check the certificate: `true` for a service of this machine, the name of its host for another one. */
  readonly insecure?: boolean | string | undefined;
  /** Origins of pages, see `RecorderOptions`. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** File that each exchange is written to; there must be none yet. */
  readonly file: string;
  /** Of this package. */
  readonly version: string;
  /** File or address of the description, for the first line. */
  readonly description?: string | undefined;
  readonly cleaner: Cleaner;
  readonly judge?: LiveJudge | undefined;
  /** Called with each exchange, after its response has gone to the client, and with what is to be said of it. */
  readonly onExchange?: ((exchange: CleanExchange, judged: StepResult | undefined) => void) | undefined;
  readonly onNotice: (text: string) => void;
  /** Called once where nothing can be connected to at the target when the recording begins, with the reason. */
  readonly onUnreachable?: ((reason: string) => void) | undefined;
}

/** Traffic that is being recorded. */
export interface TrafficRecorder extends RecordedFigures {
  /** `http://127.0.0.1:4020`: clients are pointed here. */
  readonly url: string;
  /** Scheme, host and port of the target, and the path of its URL, without a slash at the end. */
  readonly target: { readonly origin: string; readonly path: string };
  /** Lets what is on its way come to its end, for a while. Nothing is written to the file behind that. */
  close(): Promise<void>;
}

/** How `standin record` calls what a recording is told. */
export const RECORD_FLAGS: RecordingFlags = { out: '--out', update: '--update', force: '--force' };

/**
 * Starts a proxy before a target and writes each exchange to a file when its response is complete: before the client has
 * the last byte of it, so that nothing that was answered is lost whenever the process ends. Judging comes behind that.
 *
 * @throws ConfigError for a target or a file that cannot be used, and where it cannot listen
 */
export async function recordTraffic(options: RecordTrafficOptions): Promise<TrafficRecorder> {
  const { cleaner, file, judge, onExchange, onNotice, version } = options;
  const base = readBaseUrl(options.target, 'target');
  const { origin } = base;
  const proxy = chooseProxy(origin, undefined, process.env);
  const rejected = (status: number): Error => proxyRejectedError(proxy?.origin ?? '', status);
  const proxyOptions = {
    target: origin,
    basePath: base.text.slice(origin.length),
    host: options.host,
    port: options.port,
    way: proxy && { ...proxy, rejected },
    authorities: options.ca === undefined ? undefined : readAuthorities(options.ca),
    isInsecure: isInsecure(options.insecure, base),
    corsOrigins: options.corsOrigins,
    onNotice,
    describeFailure: (error: unknown, hasResponded: boolean) =>
      failureText(error, { origin, proxy: proxy?.origin, hasResponded }),
  };
  let recording: RecordingFile | undefined;
  const judged = (exchange: CleanExchange): StepResult | undefined => {
    try {
      return judge?.judge(exchange);
    } catch (error) {
      onNotice(`Exchange ${exchange.source} could not be judged, by a defect of standin: ${messageOf(error)}`);
      return undefined;
    }
  };
  // Judging comes behind the responses, whose clients wait.
  let waiting: CleanExchange[] = [];
  const tellAll = (): void => {
    const told = waiting;
    waiting = [];
    for (const exchange of told) onExchange?.(exchange, judged(exchange));
  };
  const recorder = await startRecordingProxy({
    ...proxyOptions,
    onExchanges(recorded) {
      if (waiting.length === 0) setImmediate(tellAll);
      waiting.push(...(recording?.write(recorded) ?? []));
    },
  });
  try {
    const header = { version, description: options.description };
    recording = new RecordingFile({ file, cleaner, header, flags: RECORD_FLAGS, onNotice });
    recording.begin(origin);
  } catch (error) {
    recording?.close();
    await recorder.close();
    throw error;
  }
  const kept = recording;
  const way = { origin, proxy: undefined, hasResponded: false };
  // Behind a proxy the target itself cannot be reached from here.
  const attempt =
    proxy === undefined
      ? tryConnection(origin, (error) => options.onUnreachable?.(failureText(error, way)))
      : undefined;
  return {
    url: recorder.url,
    target: { origin, path: base.text.slice(origin.length) },
    file,
    get written() {
      return kept.written;
    },
    get lost() {
      return kept.lost;
    },
    get unanswered() {
      return kept.unanswered;
    },
    async close() {
      attempt?.destroy();
      await recorder.close();
      tellAll();
      kept.close();
    },
  };
}

/** Why no response came, in the words that `standin verify` has for it. */
function failureText(
  error: unknown,
  way: { readonly origin: string; readonly proxy: string | undefined; readonly hasResponded: boolean },
): string {
  const facts = { ...way, timeoutMs: 0, maxBodyBytes: 0, hasConnected: way.hasResponded };
  const { message, hint } = transportFailure(error, facts);
  return hint === undefined ? message : `${message}. ${hint}`;
}

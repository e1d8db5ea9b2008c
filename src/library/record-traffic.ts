import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf, ConfigError, messageOf } from '../core/errors/standin-error';
import { createLineFile, type LineFile } from '../files/line-file';
import { readAuthorities } from '../network/certificates';
import { isInsecure, readBaseUrl } from '../network/target';
import { transportFailure } from '../network/transport-errors';
import { startRecordingProxy } from '../recorder/recording-proxy';
import type { StepResult } from '../runner/result/run-result';
import type { CleanExchange, RecordedExchange, SecretUse } from '../traffic/exchange/recorded-exchange';
import { exchangeLine, headerLine } from '../traffic/exchange/recording-lines';

/** Replaces the secrets of what is recorded, before anything of it is kept. */
export interface Cleaner {
  clean(exchange: RecordedExchange): CleanExchange;
  /** All secrets so far, in the order in which they were met. */
  uses(): readonly SecretUse[];
}

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
}

/** Traffic that is being recorded. */
export interface TrafficRecorder {
  /** `http://127.0.0.1:4020`: clients are pointed here. */
  readonly url: string;
  /** Scheme, host and port of the target, and the path of its URL, without a slash at the end. */
  readonly target: { readonly origin: string; readonly path: string };
  readonly file: string;
  /** How many exchanges are in the file, and how many could not be written. */
  readonly written: number;
  readonly lost: number;
  /** How many have no response. */
  readonly unanswered: number;
  /** Lets what is on its way come to its end, for a while. Nothing is written to the file behind that. */
  close(): Promise<void>;
}

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
  const proxyOptions = {
    target: origin,
    host: options.host,
    port: options.port,
    authorities: options.ca === undefined ? undefined : readAuthorities(options.ca),
    isInsecure: isInsecure(options.insecure, base),
    corsOrigins: options.corsOrigins,
    onNotice,
    describeFailure: (error: unknown, hasResponded: boolean) => failureText(error, origin, hasResponded),
  };
  const counts = { written: 0, lost: 0, unanswered: 0 };
  let lines: LineFile | undefined;
  let knownSecrets = cleaner.uses().length;
  const write = (exchange: CleanExchange): void => {
    const met = cleaner.uses().slice(knownSecrets);
    try {
      lines?.append(exchangeLine(exchange, met));
      counts.written += 1;
      knownSecrets += met.length;
    } catch (error) {
      counts.lost += 1;
      // Of a disk that is full it is told once; the client goes on.
      if (counts.lost === 1)
        onNotice(`${file} cannot be written (${messageOf(error)}): what comes now is not recorded`);
    }
  };
  const judged = (exchange: CleanExchange): StepResult | undefined => {
    try {
      return judge?.judge(exchange);
    } catch (error) {
      onNotice(`Exchange ${exchange.source} could not be judged, by a defect of standin: ${messageOf(error)}`);
      return undefined;
    }
  };
  // Judging comes behind the responses of the same turn, whose clients wait.
  let waiting: CleanExchange[] = [];
  const tellAll = (): void => {
    const told = waiting;
    waiting = [];
    for (const exchange of told) onExchange?.(exchange, judged(exchange));
  };
  const proxy = await startRecordingProxy({
    ...proxyOptions,
    onExchange(recorded) {
      const exchange = cleaner.clean(recorded);
      write(exchange);
      if (exchange.response === undefined) counts.unanswered += 1;
      if (waiting.length === 0) setImmediate(tellAll);
      waiting.push(exchange);
    },
  });
  try {
    lines = createFile(file);
    const startedAt = new Date().toISOString();
    const { description } = options;
    lines.append(headerLine({ target: origin, startedAt, version, description, secrets: cleaner.uses() }));
  } catch (error) {
    lines?.close();
    await proxy.close();
    throw error;
  }
  return {
    url: proxy.url,
    target: { origin, path: base.text.slice(origin.length) },
    file,
    get written() {
      return counts.written;
    },
    get lost() {
      return counts.lost;
    },
    get unanswered() {
      return counts.unanswered;
    },
    async close() {
      await proxy.close();
      tellAll();
      lines.close();
    },
  };
}

/** @throws ConfigError `CONFIG_INVALID` */
function createFile(file: string): LineFile {
  try {
    mkdirSync(dirname(resolve(file)), { recursive: true });
    return createLineFile(file);
  } catch (cause) {
    const isThere = codeOf(cause) === 'EEXIST' && existsSync(file);
    const message = isThere
      ? `The recording ${file} is there already`
      : `The recording ${file} cannot be written: ${messageOf(cause)}`;
    const hint = isThere
      ? `standin import ${file} makes a contract of it; --force writes over it.`
      : 'Name another file with --out: the recording stands beside it.';
    throw new ConfigError('CONFIG_INVALID', message, { hint, cause });
  }
}

/** Why no response came, in the words that `standin verify` has for it. */
function failureText(error: unknown, origin: string, hasResponded: boolean): string {
  const facts = { origin, proxy: undefined, timeoutMs: 0, maxBodyBytes: 0, hasConnected: hasResponded, hasResponded };
  const { message, hint } = transportFailure(error, facts);
  return hint === undefined ? message : `${message}. ${hint}`;
}

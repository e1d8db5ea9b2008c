import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import pc from 'picocolors';
import { ConfigError, formatSourceLocation } from '../../core/errors/standin-error';
import { counted, printable, toPaste } from '../../core/text/printable';
import { packageVersion } from '../../files/file-access';
import { readDescription } from '../../files/load-api';
import { DEFAULT_RECORD_PORT, RECORD_OPTIONS, type RecordOptions } from '../../library/record-options';
import { type EndedRecording, RECORD_TOOLS, type RecordingJudge, type RecordTools } from '../../library/record-tools';
import { RECORD_FLAGS, recordTraffic, type TrafficRecorder } from '../../library/record-traffic';
import { makeRoom, recordedText, recordingFileOf, requireFree } from '../../library/recording-file';
import { optionsIn } from '../../core/options/option-table';
import { readBaseUrl } from '../../network/target';
import type { ApiModel } from '../../openapi/model/api-model';
import { exitCodeOf } from '../../report/causes/run-summary';
import { formatTextReport } from '../../report/kinds/text-report';
import type { ReportTarget } from '../../report/registry';
import type { StepResult } from '../../runner/result/run-result';
import type { CleanExchange } from '../../traffic/exchange/recorded-exchange';
import type { SecretVault } from '../../traffic/secrets/secret-vault';
import { DriftLines } from '../terminal/drift-lines';
import { createProgressLine, whileLoading } from '../terminal/progress-line';
import { EXIT, printText, usesColours } from '../terminal/terminal';
import { requireOutputs, takesStdout, writeReports } from './report-files';
import { earlierResult, openReport, type ReportFlags, targetsOf } from './reports';

/** Values of the flags of `standin record`. */
export interface RecordFlags extends RecordOptions, ReportFlags {}

/**
 * Records what passes through a proxy until a signal comes, and makes a contract of it.
 *
 * @param tools - what is done with the traffic
 * @returns the exit code
 * @throws StandinError for what cannot be used, before anything is recorded
 */
export async function record(flags: RecordFlags, tools: RecordTools = RECORD_TOOLS): Promise<number> {
  const options: RecordOptions = { ...optionsIn(RECORD_OPTIONS, flags), target: flags.target, out: flags.out };
  const base = readBaseUrl(options.target, 'target');
  const reports = reportsOf(flags);
  const before = earlierResult(flags);
  const file = recordingFile(options.out);
  requireFree(options, file, options.out, RECORD_FLAGS);
  requireOutputs(reports);
  const api = await loadDescription(options);
  const version = packageVersion();
  const judgeInput = { baseUrl: base.text, version, runId: randomUUID().slice(0, 8), source: file };
  const judge = api && tools.createJudge?.({ api, ...judgeInput });
  const vault = tools.createCleaner(api, options);
  const earlier = makeRoom(options, file);
  const line = createProgressLine('record');
  const log = new RecordingLog((figures) => line?.show(figures));
  const stopped = untilStopped();
  let recorder: TrafficRecorder | undefined;
  try {
    const { target, port = DEFAULT_RECORD_PORT, host = '127.0.0.1', description, ca, insecure, corsOrigins } = options;
    recorder = await recordTraffic({
      ...{ target, port, host, description, ca, insecure, corsOrigins, file, version, cleaner: vault, judge },
      onExchange: log.onExchange,
      onNotice: log.onNotice,
      onUnreachable: log.onUnreachable,
    });
    printText(takesStdout(reports) ? process.stderr : process.stdout, formatStart(recorder, options, api, judge));
    await stopped.signal;
    printText(process.stderr, '\nStopping: what is on its way comes to its end. A second Ctrl-C ends at once.\n');
    await recorder.close();
    log.end();
  } finally {
    line?.end();
    stopped.release();
  }
  return finish(
    { recorder, options, api, judge, earlier, basePath: recorder.target.path, vault },
    { reports, flags, before },
    tools,
  );
}

interface Finished {
  readonly recorder: TrafficRecorder;
  readonly options: RecordOptions;
  readonly api: ApiModel | undefined;
  readonly judge: RecordingJudge | undefined;
  readonly earlier: string | undefined;
  readonly basePath: string;
  readonly vault: SecretVault;
}

interface Reporting {
  readonly reports: readonly ReportTarget[];
  readonly flags: RecordFlags;
  readonly before: ReturnType<typeof earlierResult>;
}

async function finish(finished: Finished, { reports, flags, before }: Reporting, tools: RecordTools): Promise<number> {
  const { recorder, judge, vault, ...recording } = finished;
  const { file, written, lost, unanswered } = recorder;
  const result = judge?.result();
  const stream = takesStdout(reports) ? process.stderr : process.stdout;
  if (result !== undefined) {
    printText(stream, formatTextReport(result, usesColours(stream), undefined, { before }));
    writeReports(result, reports, undefined, before);
    openReport(reports, flags);
  }
  printText(process.stderr, `\n${recordedText(recorder)}.\n`);
  const isAnswered = written > unanswered;
  const lines = isAnswered ? await derived(tools, { ...recording, file }, vault) : nothingAnswered(recorder);
  printText(process.stderr, `${lines.join('\n')}\n`);
  if (!isAnswered) return EXIT.unreachable;
  if (lost > 0) return EXIT.usage;
  return result !== undefined && flags.failOnDrift === true ? exitCodeOf(result.outcome) : EXIT.ok;
}

function nothingAnswered({ file, written, url }: TrafficRecorder): string[] {
  // Nothing is lost with it, and it would be in the way of the next one.
  if (written === 0) rmSync(file, { force: true });
  return [`Nothing was answered, so that there is no contract to make. Did the client ask at ${url}?`];
}

/** @throws StandinError where no contract can be made; then who recorded is told that the recording is there */
async function derived(tools: RecordTools, recording: EndedRecording, vault: SecretVault): Promise<readonly string[]> {
  try {
    return await tools.deriveContract(recording, vault);
  } catch (error) {
    const { file, options } = recording;
    const again = toPaste(`standin import ${file} --out ${options.out}`);
    printText(
      process.stderr,
      `The recording is kept: ${again} makes a contract of it, with --spec FILE by a description.\n`,
    );
    throw error;
  }
}

/** @throws ConfigError for what no contract is called */
function recordingFile(out: string): string {
  const file = recordingFileOf(out);
  if (file !== undefined) return file;
  throw new ConfigError('CONFIG_INVALID', `--out names "${out}", which is no name of a contract`, {
    hint: 'It ends in .yaml, .yml or .json: contracts/new.yaml.',
  });
}

/** @throws ConfigError for reports that there is nothing to report in */
function reportsOf(flags: RecordFlags): readonly ReportTarget[] {
  const targets = targetsOf(flags);
  if (flags.description !== undefined || (targets.length === 0 && flags.failOnDrift !== true)) return targets;
  const flag = flags.failOnDrift === true ? '--fail-on-drift' : '--report';
  throw new ConfigError('CONFIG_INVALID', `${flag} needs a description to judge the traffic by, and none was named`, {
    hint: 'Name it: --spec openapi.yaml.',
  });
}

async function loadDescription(options: RecordOptions): Promise<ApiModel | undefined> {
  const { description } = options;
  if (description === undefined) return undefined;
  const { api, warnings } = await whileLoading('record', (onProgress) => {
    return readDescription(description, options, { onProgress });
  });
  for (const warning of warnings) {
    const text = `warning ${formatSourceLocation(warning)} ${warning.rule}: ${warning.message}`;
    printText(process.stderr, `${printable(text)}\n`);
  }
  return api;
}

/** What a person sees while it records: what is wrong with the traffic, as it comes, and how much there is. */
class RecordingLog {
  private readonly show: (figures: { doing: string; failed: number; name: string }) => void;
  private readonly drift = new DriftLines(pc);
  private exchanges = 0;
  private failed = 0;

  constructor(show: RecordingLog['show']) {
    this.show = show;
  }

  readonly onExchange = ({ request, response }: CleanExchange, judged: StepResult | undefined): void => {
    this.exchanges += 1;
    if (judged?.verdict.kind === 'fail' || judged?.verdict.kind === 'error') this.failed += 1;
    if (judged !== undefined) this.print(this.drift.of(judged));
    const name = `${request.method} ${request.target} ${response?.status ?? 'no response'}`;
    this.show({ doing: counted(this.exchanges, 'exchange'), failed: this.failed, name });
  };

  readonly onNotice = (text: string): void => {
    this.print([`${pc.yellow('NOTE')} ${printable(text)}`]);
  };

  /** The recording goes on: a service may be started later. */
  readonly onUnreachable = (reason: string): void => {
    this.print([`${pc.yellow('WARNING')} ${printable(reason)} It is recorded as soon as it responds.`]);
  };

  /** How often everything came that was told once. */
  end(): void {
    this.print(this.drift.ending());
  }

  private print(lines: readonly string[]): void {
    if (lines.length > 0) printText(process.stderr, `${lines.join('\n')}\n`);
  }
}

/** Where to point the client, where everything goes, and how to stop. */
function formatStart(
  { url, target: { origin, path }, file }: TrafficRecorder,
  { out, description }: RecordOptions,
  api: ApiModel | undefined,
  judge: RecordingJudge | undefined,
): string {
  const judged =
    judge === undefined || api === undefined
      ? []
      : [`Judged by: ${description ?? ''} (${api.title} ${api.version}): what does not fit is told as it comes`];
  const lines = [
    `${pc.bold(`${origin}${path}`)} is recorded at ${pc.cyan(`${url}${path}`)}`,
    '',
    `Client:    point it at ${url}${path} in place of ${origin}${path}`,
    `Recording: ${file}, each exchange when its response is complete; secrets are replaced`,
    ...judged,
    `Contract:  ${out}, made when this is stopped`,
    'Stop with Ctrl-C.',
    '',
  ];
  return `${lines.join('\n')}\n`;
}

interface Stop {
  /** Resolves with the first signal. */
  readonly signal: Promise<void>;
  release(): void;
}

const INTERRUPTED = 130;

/** The first signal ends the recording in order, a second one the process; what was answered is in the file by then. */
function untilStopped(): Stop {
  let resolveSignal: () => void;
  const signal = new Promise<void>((resolve) => (resolveSignal = resolve));
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(INTERRUPTED);
    isStopping = true;
    resolveSignal();
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, stop);
  return {
    signal,
    release() {
      for (const name of names) process.off(name, stop);
    },
  };
}

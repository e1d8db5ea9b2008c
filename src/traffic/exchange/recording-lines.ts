import { ConfigError, type SourceFinding } from '../../core/errors/standin-error';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { decode } from '../../formats/decode';
import type { CleanExchange, RecordedExchange, SecretUse } from './recorded-exchange';

/** Version of the file of a recording, written in its first line. */
export const RECORDING_FORMAT = 'recording/1';

/** The first line of a recording: what was recorded, and by whom. */
export interface RecordingHeader {
  /** Scheme, host and port of the target. */
  readonly target: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Of this package. */
  readonly version: string;
  /** File or address of the API description that it was judged by. */
  readonly description?: string | undefined;
  /** Secrets that were known before the first exchange. */
  readonly secrets: readonly SecretUse[];
}

/** What a file of a recording holds. */
export interface Recording {
  readonly header: RecordingHeader;
  /** In the order in which the requests began, each with its line as `source`. */
  readonly exchanges: readonly CleanExchange[];
  /** Those of the header and of all lines, by their names. */
  readonly secrets: readonly SecretUse[];
  /** Lines that cannot be used, such as one that a kill has cut: the others are there all the same. */
  readonly problems: readonly SourceFinding[];
}

/** The first line of a recording, without its end. */
export function headerLine(header: RecordingHeader): string {
  return JSON.stringify({ standin: RECORDING_FORMAT, ...header });
}

/**
 * An exchange as one line of a recording, without its end. Lines stand in the order in which responses were complete, as
 * each is written when that happens; `startedAt` tells the order of the requests.
 *
 * @param secrets - those that were met in this exchange first, so that the file says of each what it is
 */
export function exchangeLine(exchange: CleanExchange, secrets: readonly SecretUse[] = []): string {
  const line = { ...exchange, secrets: secrets.length === 0 ? undefined : secrets };
  return JSON.stringify(line);
}

/**
 * A line of a recording with its exchange cleaned again. The first line, and what is no exchange, stay.
 *
 * @param line - without its end
 */
export function cleanedLine(line: string, clean: (exchange: RecordedExchange) => CleanExchange): string {
  const value = readJson(line);
  if (!isJsonObject(value) || 'standin' in value || whyNoExchange(value, '') !== undefined) return line;
  const { secrets, ...exchange } = value as unknown as ExchangeLine;
  return exchangeLine(clean({ ...EMPTY, source: '', ...exchange }), secrets);
}

/**
 * Reads the lines of a recording. What cannot be used is told and left out: a recording is often all that there is of a
 * test that somebody clicked through.
 *
 * @param lines - without their ends; `readLines` gives those of a file
 * @param file - for messages
 * @throws ConfigError `CONFIG_INVALID` when the first line is not that of a recording of this version
 */
export function readRecordingLines(lines: Iterable<string>, file: string): Recording {
  const problems: SourceFinding[] = [];
  const exchanges: CleanExchange[] = [];
  const secrets = new Map<string, SecretUse>();
  const meet = (uses: readonly SecretUse[] = []): void => {
    for (const each of uses) if (!secrets.has(each.name)) secrets.set(each.name, each);
  };
  let header: RecordingHeader | undefined;
  let number = 0;
  let cut: number | undefined;
  for (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    // Only where nothing comes behind it, it was cut.
    if (cut !== undefined) problems.push(problemAt(file, cut, DAMAGED));
    cut = undefined;
    const value = readJson(line);
    if (header === undefined) {
      header = requireHeader(value, file);
      meet(header.secrets);
    } else if (value === undefined) {
      cut = number;
    } else {
      const wrong = whyNoExchange(value, file);
      if (wrong !== undefined) problems.push(problemAt(file, number, { message: `${NO_EXCHANGE}: ${wrong}` }));
      else {
        const { secrets: met, ...exchange } = value as unknown as ExchangeLine;
        meet(met);
        exchanges.push({ ...EMPTY, ...exchange, source: `${file}:${number}`, secrets: 'replaced' });
      }
    }
  }
  if (header === undefined) throw noRecording(file);
  if (cut !== undefined) problems.push(problemAt(file, cut, CUT));
  return { header, exchanges: inOrder(exchanges), secrets: [...secrets.values()], problems };
}

type ExchangeLine = Pick<CleanExchange, 'origin' | 'request'> &
  Partial<Omit<CleanExchange, 'secrets'>> & { readonly secrets?: readonly SecretUse[] };

/** What a line need not have. */
const EMPTY = { startedAt: undefined, endedAt: undefined, response: undefined, notes: [] };

const NO_EXCHANGE = 'The line is no exchange and was left out';
const CUT = {
  message: 'The last line is cut, as by a process that was killed while it wrote: it was left out',
  hint: 'All exchanges before it are there.',
};
const DAMAGED = {
  message: 'The line is no JSON and was left out',
  hint: 'Was the file changed by hand? All other lines were read.',
};

function problemAt(file: string, line: number, words: Pick<SourceFinding, 'message' | 'hint'>): SourceFinding {
  return { rule: 'recording-line', severity: 'warning', file, line, pointer: '', ...words };
}

function whyNoExchange(value: JsonValue, file: string): string | undefined {
  if (isJsonObject(value) && 'standin' in value) return 'it is the first line of a recording';
  return decode({ file, root: value, isPlain: true, locationOf: () => undefined }, 'recording')[0]?.message;
}

function readJson(line: string): JsonValue | undefined {
  try {
    return JSON.parse(line) as JsonValue;
  } catch {
    return undefined;
  }
}

function requireHeader(value: JsonValue | undefined, file: string): RecordingHeader {
  if (!isJsonObject(value) || value['standin'] !== RECORDING_FORMAT) throw noRecording(file);
  const [finding] = decode({ file, root: value, isPlain: true, locationOf: () => undefined }, 'recording');
  if (finding !== undefined) {
    throw new ConfigError('CONFIG_INVALID', `${file}:1 cannot be used: ${finding.message}`, { hint: finding.hint });
  }
  return value as unknown as RecordingHeader;
}

function noRecording(file: string): ConfigError {
  return new ConfigError('CONFIG_INVALID', `${file} is no recording of this version`, {
    hint: `standin record writes them; their first line has "standin":"${RECORDING_FORMAT}".`,
  });
}

/** By the time at which requests began; where that is not known of all, as they stand. */
function inOrder(exchanges: readonly CleanExchange[]): readonly CleanExchange[] {
  if (exchanges.some(({ startedAt }) => startedAt === undefined)) return exchanges;
  return exchanges.toSorted((left, right) => (left.startedAt ?? 0) - (right.startedAt ?? 0));
}

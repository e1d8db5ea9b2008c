import { statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { counted, printable } from '../../core/text/printable';
import { groupBy } from '../../core/text/group-by';
import type { TellProgress } from '../../core/text/progress';
import { chooseTarget, type ImportOptions, type TargetChoice } from '../../library/import-options';
import { readDescription } from '../../files/load-api';
import { describeWritten, writeContractFromTraffic } from '../../library/contract-from-traffic';
import { createVault, describeAnonymised } from '../../library/record-tools';
import type { RecordedExchange } from '../../traffic/exchange/recorded-exchange';
import { verifyCommand } from '../../traffic/contract/contract-of-traffic';
import { readTraffic, type ReadTrafficFile } from '../../library/read-traffic';
import type { ReadProblem } from '../../traffic/readers/reader';
import { whileLoading } from '../terminal/progress-line';
import { EXIT, printText } from '../terminal/terminal';

/** Values of the flags of `standin import`. */
export type ImportFlags = ImportOptions;

/**
 * Reads recorded traffic, and prints what there is: what could not be read on standard error, the rest on standard
 * output.
 *
 * @returns the exit code: 2 when nothing could be read
 */
export async function importTraffic(files: readonly string[], flags: ImportFlags): Promise<number> {
  const { target, out, twice } = flags;
  saveMemory([...files, ...(twice === undefined ? [] : [twice])]);
  const traffic = await whileLoading('import', (tell) => readTraffic(files, tell));
  printText(process.stderr, formatReadProblems(traffic.problems));
  if (traffic.exchanges.length === 0) {
    printText(process.stderr, `Nothing could be read from ${files.map(printable).join(', ')}.\n`);
    return EXIT.usage;
  }
  const choice = chooseTarget(traffic.exchanges, target);
  printText(process.stdout, formatTraffic(traffic.files, choice, target !== undefined));
  if (out === undefined || choice.chosen === undefined) {
    printText(process.stdout, 'Nothing was written: --out contracts/NAME.yaml makes a contract of it.\n');
    return EXIT.ok;
  }
  const { exchanges } = traffic;
  const { origin } = choice.chosen;
  const lines = await whileLoading('import', async (tell) => {
    const second = twice === undefined ? [] : (await readTraffic([twice], tell)).exchanges;
    return contractOfFiles({ exchanges, second, flags, out, origin }, tell);
  });
  printText(process.stdout, `${lines.map(printable).join('\n')}\n`);
  return EXIT.ok;
}

interface ImportedTraffic {
  readonly exchanges: readonly RecordedExchange[];
  readonly second: readonly RecordedExchange[];
  readonly flags: ImportFlags;
  readonly out: string;
  readonly origin: string;
}

/** @returns lines that say what was written */
async function contractOfFiles(
  { exchanges, second, flags, out, origin }: ImportedTraffic,
  tell: TellProgress | undefined,
): Promise<string[]> {
  const { description, target = origin } = flags;
  const api = description === undefined ? undefined : (await readDescription(description, flags)).api;
  const vault = createVault(api, flags);
  const traffic = { exchanges: vault.cleanAll(exchanges, tell), second: vault.cleanAll(second, tell), vault };
  tell?.({ phase: 'making', what: out, done: 0, total: 0, isLong: exchanges.length >= MANY });
  const written = await writeContractFromTraffic({ ...flags, ...traffic, target, out });
  const replay = verifyCommand(out, written, `${origin}${written.basePath}`);
  return [...describeWritten(written), ...describeAnonymised(vault), '', `Replay it: ${replay}`];
}

/** So many exchanges take a while. */
const MANY = 1000;

/** Files of so many bytes together are large. */
const LARGE_BYTES = 32 * 1024 * 1024;

/**
 * Has V8 collect more often what is no longer used, where there is much to read: left alone it lets the memory grow to
 * several times what is in use before it looks.
 */
function saveMemory(files: readonly string[]): void {
  const bytes = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  if (bytes >= LARGE_BYTES) setFlagsFromString('--optimize-for-size');
}

/** Problems as lines, those that are the same as one with their number. */
function formatReadProblems(problems: readonly ReadProblem[]): string {
  const groups = groupBy(problems, ({ file, problem, done }) => [file, problem, done].join('\n'));
  return groups.map((group) => `${problemLine(group)}\n`).join('');
}

function problemLine(group: readonly [ReadProblem, ...ReadProblem[]]): string {
  const [{ file, at, problem, done }] = group;
  const place = at.startsWith('#') ? at : at === '' ? '' : `:${at.replace(/^line /, '')}`;
  const more = group.length === 1 ? '' : ` (and ${counted(group.length - 1, 'more place')})`;
  return printable(`${file}${at.startsWith('byte') ? '' : place}${more}: ${problem}: ${done}`);
}

function formatTraffic(files: readonly ReadTrafficFile[], { chosen, others }: TargetChoice, isAsked: boolean): string {
  const read = files.map(({ file, format = 'unknown format', count }) => {
    return `${file}: ${counted(count, 'exchange')} (${format})`;
  });
  const origins = [...(chosen === undefined ? [] : [chosen]), ...others];
  const width = Math.max(...origins.map(({ origin }) => origin.length));
  const lines = origins.map(({ origin, exchanges, calls }) => {
    const mark = origin !== chosen?.origin ? '' : isAsked ? ', taken' : others.length > 0 ? ', taken: it has most' : '';
    return `  ${origin.padEnd(width)}  ${counted(exchanges, 'exchange')}, ${counted(calls, 'call')} of an API${mark}`;
  });
  const hint = others.length > 0 && !isAsked ? ['Another one is chosen with --target URL.'] : [];
  return [...read, ...lines, ...hint].map((line) => `${printable(line).trimEnd()}\n`).join('');
}

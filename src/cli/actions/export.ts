import { chmodSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { ConfigError, messageOf } from '../../core/errors/standin-error';
import { isHttpUrl } from '../../core/http/request-target';
import { counted, printable } from '../../core/text/printable';
import { BUNDLED, packageVersion, relativePath } from '../../files/file-access';
import { readDescription } from '../../files/load-api';
import { loadContracts } from '../../files/load-contracts';
import type { Contract } from '../../formats/contract/contract';
import { readBaseUrl } from '../../network/target';
import { firstServerUrl } from '../../openapi/model/base-paths';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Exported, ExportKind } from '../../traffic/exports/export-kind';
import { EXPORT_NAMES, EXPORTS, type ExportName } from '../../traffic/exports/registry';
import { whileLoading } from '../terminal/progress-line';
import { EXIT, printText } from '../terminal/terminal';
import { type ExportFlags, replayAtMock } from './export-replay';
import { writeAtomically } from './report-files';

/**
 * Writes contracts in other formats, each in a file beside it, and tells what they cannot say.
 *
 * @returns the exit code
 * @throws StandinError for files that cannot be used, and when nothing says which format
 */
export async function exportContracts(paths: readonly string[], flags: ExportFlags): Promise<number> {
  const names = EXPORT_NAMES.filter((name) => flags[name] === true);
  if (names.length === 0) {
    throw new ConfigError('CONFIG_INVALID', 'Nothing says which format to export', {
      hint: `Add one or more of ${EXPORT_NAMES.map((name) => `--${name}`).join(', ')}.`,
    });
  }
  const description = flags.description ?? relativePath(BUNDLED.description);
  const { api } = await whileLoading('export', (onProgress) => readDescription(description, flags, { onProgress }));
  const contracts = loadContracts(paths, api, flags.variables, true);
  requireOnePlace(flags.out, contracts.length * names.length);
  const baseUrl =
    flags.baseUrl === undefined
      ? (firstServerUrl(api.document) ?? `http://127.0.0.1:4010${api.basePath}`)
      : readBaseUrl(flags.baseUrl).text;
  for (const name of names) {
    for (const contract of contracts) await exportOne({ name, contract, api, baseUrl, description, flags });
  }
  return EXIT.ok;
}

function requireOnePlace(out: string | undefined, files: number): void {
  if (out === undefined || files === 1) return;
  throw new ConfigError('CONFIG_INVALID', `--out names one file, and ${counted(files, 'file')} would be written`, {
    hint: 'Without it each is written beside its contract; else export one contract in one format.',
  });
}

interface Task {
  readonly name: ExportName;
  readonly contract: Contract;
  readonly api: ApiModel;
  readonly baseUrl: string;
  readonly description: string;
  readonly flags: ExportFlags;
}

async function exportOne({ name, contract, api, baseUrl, description, flags }: Task): Promise<void> {
  const kind = EXPORTS[name].load();
  const source = contract.document.file;
  const out = flags.out ?? `${source.replace(/\.(?:ya?ml|json)$/i, '')}.${kind.extension}`;
  const replay = kind.needsRun ? await replayAtMock({ source, baseUrl, description, flags }) : undefined;
  const context = { baseUrl, version: packageVersion(), description: referenceTo(description, out), replay };
  const exported = kind.write(contract, api, context);
  write(out, exported, kind);
  tellLost(name, source, exported);
}

/** The description as a file at a place refers to it. */
function referenceTo(description: string, out: string): string {
  if (isHttpUrl(description)) return description;
  const folder = out === '-' ? '.' : dirname(out);
  const path = relative(resolve(folder), resolve(description)).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

function write(out: string, { text }: Exported, { isExecutable }: ExportKind): void {
  if (out === '-') {
    process.stdout.write(text);
    return;
  }
  try {
    writeAtomically(out, text);
  } catch (cause) {
    throw new ConfigError('CONFIG_INVALID', `The export ${out} could not be written (${messageOf(cause)})`, {
      hint: 'Is the path a folder, or may this user not write there?',
      cause,
    });
  }
  if (isExecutable) chmodSync(out, 0o755);
  printText(process.stderr, `wrote ${printable(out)}\n`);
}

/** Nobody is to take an export for the whole contract. */
function tellLost(name: ExportName, source: string, { lost }: Exported): void {
  const lines = lost.map(({ step, what }) => `lost in ${name}: ${step === undefined ? source : `"${step}"`}: ${what}`);
  printText(process.stderr, lines.map((line) => `${printable(line)}\n`).join(''));
}

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, ConfigError, type SourceFinding } from '../../core/errors/standin-error';
import { counted, toPaste } from '../../core/text/printable';
import { packageVersion } from '../../files/file-access';
import { readContract } from '../../formats/contract/contract-reader';
import { createServerParts, type ServerParts } from '../../library/create-mock-server';
import type { RunContractOptions } from '../../library/run-options';
import { openTarget } from '../../network/target';
import { readSource } from '../../openapi/read/read-source';
import type { RunResult, StepResult } from '../../runner/result/run-result';
import { runContracts } from '../../runner/run/run-contracts';
import { AGENTS_FILE, agentsText } from './agents-file';
import { CONFIG_FILES } from '../options/config-file';
import { configText, contractText, type Draft, type DraftStep } from './draft';
import { draftContract } from './draft-contract';
import type { DescriptionOptions } from '../../files/load-api';
import { createProgressLine, runFigures, tellOn, whileLoading } from '../terminal/progress-line';
import { EXIT, printText } from '../terminal/terminal';

const CONTRACT = 'contracts/every-operation.yaml';
const [CONFIG = ''] = CONFIG_FILES;

/** What descriptions are mostly called. */
const USUAL = ['openapi', 'swagger', 'api'].flatMap((stem) => [`${stem}.yaml`, `${stem}.yml`, `${stem}.json`]);

/**
 * Writes a configuration and a contract with one step for each operation of a description. Every step was tried at the
 * mock; what does not pass there is marked as pending, with the reason.
 *
 * @returns the exit code
 * @throws SpecError, ConfigError when the description cannot be used, or the contract is there already
 */
export async function init(given: string | undefined, { agents, ...flags }: InitFlags): Promise<number> {
  if (agents === true) return writeAgentsFile(given ?? findDescription(), flags);
  if (existsSync(CONTRACT)) {
    throw new ConfigError('CONFIG_INVALID', `${CONTRACT} is there already; no file is overwritten`, {
      hint: 'Move it away to have it written anew.',
    });
  }
  const description = given ?? findDescription();
  const parts = await whileLoading('init', (onLoading) => createServerParts({ description, ...flags }, { onLoading }));
  printText(process.stderr, `Trying ${counted(parts.api.operations.length, 'operation')} at the mock…\n`);
  const { draft, probesPass } = await tryAll(parts);
  const written = [CONTRACT];
  writeNewFile(CONTRACT, contractText(draft));
  const known = CONFIG_FILES.find((name) => existsSync(name));
  if (known === undefined) {
    writeNewFile(CONFIG, configText(parts.api, { description, reading: flags, probesPass }));
    written.push(CONFIG);
  }
  const pending = draft.steps.filter((step) => step.pending !== undefined).length;
  const lines = [
    ...written.map((file) => `wrote  ${file}`),
    ...(known === undefined ? [] : [`kept   ${known}, which was there`]),
    '',
    `${counted(draft.steps.length, 'step')}, one for each operation; ${draft.steps.length - pending} pass at the mock` +
      (pending === 0 ? '.' : `, ${pending} are pending with the reason beside them.`),
    ...(probesPass ? [] : ['At the mock some calls without a key pass: authProbes is false in the configuration.']),
    '',
    'Next:',
    ...nextCommands(known === undefined, description, parts.api.basePath, draft.variables[0]?.name),
  ];
  printText(process.stdout, `${lines.map((line) => line.trimEnd()).join('\n')}\n`);
  return EXIT.ok;
}

/** Writes what coding agents read first, and nothing else. */
async function writeAgentsFile(description: string, flags: DescriptionOptions): Promise<number> {
  if (existsSync(AGENTS_FILE))
    throw new ConfigError('CONFIG_INVALID', `${AGENTS_FILE} is there already; no file is overwritten`, {
      hint: 'Move it away to have it written anew, and take over what you need.',
    });
  const { api } = await createServerParts({ description, ...flags });
  writeNewFile(AGENTS_FILE, agentsText(api, description));
  printText(
    process.stdout,
    `wrote  ${AGENTS_FILE}\n\nTell your agent of the tools as well: docs/agents.md of the package says how.\n`,
  );
  return EXIT.ok;
}

/** Drafts a step for each operation and replays them, with a line that says how far that is. */
async function tryAll(parts: ServerParts): Promise<VerifiedDraft> {
  const line = createProgressLine('init');
  try {
    const drafted = await draftContract(parts, tellOn(line, true));
    return await verifyDraft(
      parts,
      drafted,
      line &&
        ((progress) => {
          line.show(runFigures(progress));
        }),
    );
  } finally {
    line?.end();
  }
}

/** The commands to go on with and what each does, in two columns; short ones where the configuration was written. */
function nextCommands(
  isConfigured: boolean,
  description: string,
  basePath: string,
  variable: string | undefined,
): string[] {
  const target = ` contracts --spec ${description} --base-url http://127.0.0.1:4010${basePath}`;
  const rows: [command: string, effect: string][] = [
    [toPaste(`standin mock${isConfigured ? '' : ` ${description}`}`), 'start the mock, and in another terminal'],
    [
      toPaste(`standin verify${isConfigured ? '' : target}`),
      'replay the contract; --base-url URL asks your own service',
    ],
  ];
  if (variable !== undefined) {
    const effect = 'names items that exist at your service, where the contract cannot make them';
    rows.push([`  --variable ${variable}=…`, effect]);
  }
  return inColumns(rows);
}

function inColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`);
}

function findDescription(): string {
  const found = USUAL.find((name) => existsSync(name));
  if (found !== undefined) return found;
  throw new ConfigError('CONFIG_INVALID', 'No description was named, and there is none with a usual name here', {
    hint: `Name it: standin init path/to/description.yaml. Usual names are ${USUAL.slice(0, 3).join(', ')}.`,
  });
}

/** Flags of `standin init`, parsed. */
export interface InitFlags extends DescriptionOptions {
  readonly agents?: true;
}

interface VerifiedDraft {
  readonly draft: Draft;
  /** Do the calls without a key that the runner adds pass? */
  readonly probesPass: boolean;
}

const STAYS = 'at the mock the run could not remove it';

/** A step that is pending now may be what a later one needed. */
const MOST_ROUNDS = 5;

/**
 * Replays a draft at the mock as `standin verify` does, and marks what does not pass as pending, until the whole does.
 */
async function verifyDraft(
  parts: ServerParts,
  draft: Draft,
  onProgress: RunContractOptions['onProgress'],
): Promise<VerifiedDraft> {
  let settled = draft;
  let probesPass = true;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const result = await replay(parts, settled, { probesAuth: probesPass, onProgress });
    const steps = result.contracts[0]?.steps ?? [];
    const reasons = steps.map(failureReason);
    probesPass &&= result.probes.every(({ verdict }) => verdict.kind !== 'fail');
    const left = new Set(result.leftBehind.flatMap(({ isAccepted, operation }) => (isAccepted ? [] : [operation])));
    if (reasons.every((reason) => reason === undefined) && left.size === 0) break;
    const marked = settled.steps.map((step, index): DraftStep => {
      const reason = reasons[index];
      const pending = step.pending ?? reason;
      return { ...step, pending, leaves: left.has(step.operation.id) ? STAYS : step.leaves };
    });
    settled = { ...settled, steps: marked };
  }
  return { draft: settled, probesPass };
}

function failureReason({ verdict }: StepResult): string | undefined {
  if (verdict.kind === 'fail') return shortened(verdict.findings[0]?.message ?? 'it does not pass');
  if (verdict.kind === 'error') return shortened(verdict.error.message);
  return verdict.kind === 'skipped' && verdict.cause !== 'pending' ? shortened(verdict.reason) : undefined;
}

function shortened(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

async function replay(
  parts: ServerParts,
  draft: Draft,
  how: Pick<RunContractOptions, 'probesAuth' | 'onProgress'>,
): Promise<RunResult> {
  const { api, app } = parts;
  const findings: SourceFinding[] = [];
  const contract = readContract(readSource(contractText(draft), 'draft.yaml'), api.operations, findings);
  if (contract === undefined) throw new Error(`The draft cannot be read: ${findings[0]?.message ?? ''}`);
  app.reset();
  const version = packageVersion();
  const runId = '1a2b3c4d';
  const target = await openTarget({ app, basePath: api.basePath }, { version, runId });
  try {
    const { transport, baseUrl } = target;
    const run = { version, api, transport, baseUrl, apiKey: 'test-key', runId, mode: 'full', ...how } as const;
    return await runContracts(run, [contract]);
  } finally {
    await target.close();
  }
}

/** Writes a file that is not there yet, and the folders above it. @throws ConfigError when it is there, or cannot be written */
function writeNewFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    const code = codeOf(cause);
    const message = code === 'EEXIST' ? `${path} is there already` : `${path} cannot be written (${code ?? 'unknown'})`;
    throw new ConfigError('CONFIG_INVALID', message, { cause });
  }
}

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Rows, RunningServer, ServerCase, TrueFinding } from './server';

/** What a run at one server gave. */
export interface Trial {
  readonly name: string;
  readonly version: string;
  readonly steps: number;
  readonly sent: number;
  readonly heldBack: number;
  /** Is that no fault, as where nobody chose the requests? */
  readonly mayHoldBack?: true;
  readonly passed: number;
  /** Causes that are right, and why. */
  readonly found: readonly { readonly cause: string; readonly reason: string }[];
  /** Causes that are not. */
  readonly falseAlarms: readonly string[];
  /** Rows that the run added, and rows of others that are not as they were. */
  readonly left: readonly string[];
  readonly harmed: readonly string[];
  /** Operations of the description, where the runner chose what to send. */
  readonly operations?: CalledOperations;
  /** What the run told as left behind. */
  readonly told: readonly string[];
  /** What it told so rightly, since no operation shows or removes it. */
  readonly explained?: { readonly rows: number; readonly told: number; readonly reason: string };
  /** Is there still a ledger, although nothing was left? */
  readonly keptLedger: boolean;
  /** What the run printed: of a trial that went wrong, somebody must be able to say what it was. */
  readonly printed: string;
}

/** Which operations a run called of those that a careful person could call. */
export interface CalledOperations {
  readonly total: number;
  readonly callable: number;
  readonly called: number;
  /** How many of these answered at least once with a success. */
  readonly succeeded: number;
  /** Those that gave no response, and why: `isReachable` where a careful person could have called it. */
  readonly uncalled: readonly { readonly operation: string; readonly reason: string; readonly isReachable: boolean }[];
}

interface Result {
  readonly runId: string;
  readonly causes: readonly { check: string; message: string; operations: readonly string[] }[];
  readonly contracts: readonly { steps: readonly { phase: string; verdict: { kind: string; cause?: string } }[] }[];
  readonly coverage: readonly { operation: string; statuses: readonly number[] }[];
  readonly leftBehind: readonly { url: string; reason: string; isAccepted: boolean }[];
}

export const STANDIN = join(__dirname, '..', '..', 'dist', 'bin', 'standin.js');

/** What is not there of what a server needs. */
export function missingOf({ needs }: Pick<ServerCase, 'needs'>): string[] {
  return needs.filter((file) => !existsSync(file));
}

/** How a server is tried: in mode own, as at a shared server, or with nothing but its description. */
export type Manner = 'own' | 'remote' | 'without a contract' | 'without a contract, mode full';

/** The contract of a server; `undefined` for one without. */
export function contractOf({ name }: Pick<ServerCase, 'name'>): string | undefined {
  const file = join(__dirname, 'contracts', `${name.toLowerCase()}.yaml`);
  return existsSync(file) ? file : undefined;
}

/** Starts a server, runs its contract at it as a tester would, or what is made of its description, looks at its rows before and after, and stops it. */
export async function tryServer(server: ServerCase, manner: Manner, seed = 1): Promise<Trial> {
  const folder = mkdtempSync(join(tmpdir(), 'standin-servers-'));
  const children: ChildProcess[] = [];
  try {
    const running = await server.start(folder, (command, args) => {
      children.push(spawn(command, args, { cwd: folder, stdio: 'ignore' }));
    });
    const { description } = running;
    if (manner === 'without a contract' || manner === 'without a contract, mode full') {
      const { findings, findingsWithoutContract, flagsWithoutContract = [] } = server;
      const all = { ...server, findings: [...findings, ...findingsWithoutContract] };
      const mode = manner === 'without a contract' ? 'own' : 'full';
      const flags = ['--mode', mode, '--seed', String(seed), ...flagsWithoutContract];
      const trial = await replay(all, running, { description, folder, flags });
      return {
        ...trial,
        version: `${running.version}, ${manner}${seed === 1 ? '' : `, seed ${seed}`}`,
        mayHoldBack: true,
      };
    }
    const contract = contractOf(server);
    if (contract === undefined) throw new Error(`${server.name} has no contract`);
    // Of a shared server own is the mode that nobody has to ask for.
    const flags = manner === 'remote' ? ['--remote', '--yes'] : ['--mode', 'own', '--lock-step'];
    const trial = await replay(server, running, { contract, description, folder, flags });
    return { ...trial, version: `${running.version}${manner === 'remote' ? ', --remote' : ''}` };
  } finally {
    await Promise.all(children.map(stop));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is replayed, by which description, and where files may be written. */
interface Replayed {
  /** Left out: what is made of the description. */
  readonly contract?: string;
  readonly description: string;
  readonly folder: string;
  readonly flags: readonly string[];
}

/** Runs a contract at a server as a tester would, and looks at its rows before and after. */
export async function replay(
  server: Pick<ServerCase, 'name' | 'findings' | 'outOfReach' | 'residue'>,
  running: RunningServer,
  { contract, description, folder, flags }: Replayed,
): Promise<Trial> {
  const before = await running.dump();
  const report = join(folder, 'result.json');
  rmSync(report, { force: true });
  const all = ['--base-url', running.baseUrl, '--spec', description, ...running.flags, ...flags];
  const ran = spawnSync(
    'node',
    [STANDIN, 'verify', ...(contract === undefined ? [] : [contract]), ...all, '--report', `json=${report}`],
    {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, ...running.keys },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (!existsSync(report)) throw new Error(`standin verify ended with ${String(ran.status)}: ${ran.stderr}`);
  const result = JSON.parse(readFileSync(report, 'utf8')) as Result;
  return {
    name: server.name,
    version: running.version,
    ...explain(server, { ...judge(server, result), ...compare(before, await running.dump()) }),
    ...(contract === undefined ? { operations: countCalled(server, result, ran.stderr) } : {}),
    keptLedger: readdirSync(folder).some((file) => file.startsWith('standin-ledger-')),
    printed: ran.stdout,
  };
}

function judge(
  { findings }: Pick<ServerCase, 'findings'>,
  { causes, contracts, leftBehind, runId }: Result,
): Omit<Trial, 'name' | 'version' | 'left' | 'harmed' | 'keptLedger' | 'printed'> {
  const steps = contracts.flatMap((contract) => contract.steps);
  const skipped = steps.filter(({ verdict }) => verdict.kind === 'skipped');
  const judged = causes.map((cause) => {
    // The id of the run is another one each time.
    const text = `${cause.check}: ${cause.message}`.replaceAll(runId, 'RUN');
    return { cause: text, reason: findings.find((finding) => isMeant(finding, cause))?.reason };
  });
  return {
    steps: steps.length,
    sent: steps.length - skipped.length,
    heldBack: skipped.filter(({ verdict }) => verdict.cause === 'mode').length,
    passed: steps.filter(({ verdict }) => verdict.kind === 'pass').length,
    found: judged.flatMap(({ cause, reason }) => (reason === undefined ? [] : [{ cause, reason }])),
    falseAlarms: judged.flatMap(({ cause, reason }) => (reason === undefined ? [cause] : [])),
    told: leftBehind.filter(({ isAccepted }) => !isAccepted).map(({ url, reason }) => `${url}: ${reason}`),
  };
}

/** @param summary - of the run: it has the reasons, `  OPERATION, OPERATION: REASON` below `Not called:` */
function countCalled(
  { outOfReach = {} }: Pick<ServerCase, 'outOfReach'>,
  { coverage }: Result,
  summary: string,
): CalledOperations {
  const [, listed = ''] = /^Not called:\n((?: {2}.*\n)*)/m.exec(summary) ?? [];
  const reasons = new Map(
    [...listed.matchAll(/^ {2}(.*?): (.*)$/gm)].flatMap(([, operations = '', reason = '']) =>
      operations.split(', ').map((operation): [string, string] => [operation, reason]),
    ),
  );
  const silent = coverage.filter(({ statuses }) => statuses.length === 0).map(({ operation }) => operation);
  const called = coverage.length - silent.length;
  const reachable = silent.filter((operation) => outOfReach[operation] === undefined);
  return {
    total: coverage.length,
    callable: called + reachable.length,
    called,
    succeeded: coverage.filter(({ statuses }) => statuses.some((status) => status >= 200 && status < 300)).length,
    uncalled: silent.map((operation) => ({
      operation,
      reason: outOfReach[operation] ?? reasons.get(operation) ?? 'no reason was told',
      isReachable: outOfReach[operation] === undefined,
    })),
  };
}

function isMeant({ check, operations, message }: TrueFinding, cause: Result['causes'][number]): boolean {
  const isAbout = operations === 'any' || cause.operations.every((operation) => operations.includes(operation));
  return check === cause.check && isAbout && (message === undefined || message.test(cause.message));
}

function compare(before: Rows, after: Rows): Pick<Trial, 'left' | 'harmed'> {
  return {
    left: [...after.keys()].filter((name) => !before.has(name)),
    harmed: [...before].flatMap(([name, row]) => (after.get(name) === row ? [] : [name])),
  };
}

/** Takes out what the server itself leaves, where the run told of it. */
function explain<Found extends Pick<Trial, 'left' | 'told'>>(
  { residue }: Pick<ServerCase, 'residue'>,
  found: Found,
): Found & Pick<Trial, 'explained'> {
  const told = found.told.filter((text) => residue?.told.test(text) !== true);
  const count = found.told.length - told.length;
  if (residue === undefined || count === 0) return found;
  const left = found.left.filter((row) => !residue.rows.test(row));
  const explained = { rows: found.left.length - left.length, told: count, reason: residue.reason };
  return { ...found, left, told, explained };
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), 5000);
  await ended;
  clearTimeout(forced);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../src/core/errors/standin-error';
import type { FamilyId } from '../../src/generated/generate-contracts';
import { cleanUp } from '../../src/library/clean-up';
import { runContract } from '../../src/library/run-contract';
import type { Residue, RunResult } from '../../src/runner/result/run-result';
import { BUILT_COMMAND } from '../support/built-command';
import { describeShape } from './describe';
import { type Harm, HostileServer, KEY } from './server';
import { drawShape, isRemovable, isUnknowable, type Shape } from './shape';

export interface Trial {
  readonly seed: number;
  readonly shape: Shape;
  readonly mode: 'own' | 'full';
  /** How the run ended: by itself, by a signal, because the service went away, or because its process was killed. */
  readonly ending: 'whole' | 'stopped' | 'lost' | 'killed';
  readonly requests: number;
  /** What was done to rows of somebody else; must be empty. */
  readonly harms: readonly Harm[];
  /** Rows of the run that are left. */
  readonly left: readonly object[];
  /** Were rows left of which the report says nothing? */
  readonly isSilent: boolean;
  /** Were rows left that the API shows and can remove? */
  readonly isRemovableLeft: boolean;
  readonly leftBehind: readonly string[];
  /** Entries of the report about rows that are not there. */
  readonly falseResidue: number;
  /** Did it make anything? */
  readonly created: number;
}

type Ending = Trial['ending'];
const ENDINGS: readonly Ending[] = ['whole', 'stopped', 'lost'];

/**
 * Runs `verify` without contracts at a service of a shape that the seed draws: to its end, until it is stopped, or until
 * the service goes away. After the last the service comes back, and `cleanup` is run with the ledger.
 *
 * @param given - traits that are not drawn
 * @param families - of generated interactions; all when left out
 */
export async function tryServer(
  seed: number,
  given?: Partial<Shape>,
  { ending = endingFor(seed), generate }: { ending?: Ending; generate?: readonly FamilyId[] } = {},
): Promise<Trial> {
  const shape = { ...drawShape(seed), ...given };
  const mode = seed % 2 === 0 ? 'own' : 'full';
  const server = new HostileServer(shape, seed);
  const baseUrl = await server.open();
  const folder = mkdtempSync(join(tmpdir(), 'standin-hostile-'));
  const description = join(folder, 'openapi.json');
  const ledger = join(folder, 'ledger.ndjson');
  const end = endAt(server, ending, 4 + (seed % 60));
  try {
    writeFileSync(description, JSON.stringify(describeShape(shape)));
    const key = keyFor(shape);
    const options = {
      baseUrl,
      description,
      mode,
      seed,
      ledger,
      generate,
      ...key,
      within: withinFor(shape, seed),
      retries: 0,
      concurrency: 1,
    } as const;
    const run = async (): Promise<RunResult | undefined> => {
      if (ending !== 'killed') return runContract({ ...options, signal: end }).catch(undefinedWhereNothingIsMade);
      await runUntilKilled({ baseUrl, description, mode, ledger, seed }, end);
      return undefined;
    };
    const result = await run();
    const needsCleanup = (server.isAway || ending === 'killed') && existsSync(ledger);
    server.isAway = false;
    const told = needsCleanup ? await cleanUp({ ledger, ...key }) : result;
    return {
      seed,
      shape,
      mode,
      ending,
      ...whatBecame(server, shape, told?.leftBehind ?? [], baseUrl),
      created: result?.created?.length ?? 0,
    };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function endingFor(seed: number): Ending {
  return ENDINGS[Math.floor(seed / 2) % ENDINGS.length] ?? 'whole';
}

/** @returns what stops the run, or its process, at a request; where the service goes away nothing does */
function endAt(server: HostileServer, ending: Ending, last: number): AbortSignal {
  const end = new AbortController();
  server.onRequest = (count) => {
    if (count !== last || ending === 'whole') return;
    if (ending === 'lost') server.isAway = true;
    else end.abort();
  };
  return end.signal;
}

function keyFor({ auth }: Shape): { readonly auth: 'off' } | { readonly apiKey: string } {
  return auth === 'none' ? { auth: 'off' } : { apiKey: KEY };
}

/** Half of the time the tester says where something may be made that the run cannot make itself. */
function withinFor({ layout }: Shape, seed: number): Record<string, string> {
  return layout === 'tenants' && seed % 4 > 1 ? { tenant: '1' } : {};
}

type Asked = Readonly<Record<'baseUrl' | 'description' | 'mode' | 'ledger', string>> & { readonly seed: number };

/** The same as a command, whose process ends at once with the signal: it can write nothing more, and remove nothing. */
async function runUntilKilled({ baseUrl, description, mode, ledger, seed }: Asked, signal: AbortSignal): Promise<void> {
  const args = ['verify', '--base-url', baseUrl, '--spec', description, '--mode', mode, '--ledger', ledger];
  const child = spawn(process.execPath, [BUILT_COMMAND, ...args, '--seed', String(seed)], {
    env: { ...process.env, STANDIN_API_KEY: KEY },
    stdio: 'ignore',
  });
  signal.addEventListener('abort', () => child.kill('SIGKILL'));
  await once(child, 'exit');
}

/** Of some descriptions nothing can be made: neither a list nor a creation is there. */
function undefinedWhereNothingIsMade(error: unknown): undefined {
  if (!(error instanceof ConfigError)) throw error;
}

function whatBecame(
  server: HostileServer,
  shape: Shape,
  told: readonly Residue[],
  baseUrl: string,
): Omit<Trial, 'seed' | 'shape' | 'mode' | 'ending' | 'created'> {
  const left = server.left();
  return {
    requests: server.requests.length,
    harms: server.harms,
    left,
    isSilent: left.length > told.length && !isUnknowable(shape),
    isRemovableLeft: left.length > 0 && isRemovable(shape),
    leftBehind: told.map(({ url, reason }) => `${url.slice(baseUrl.length)}: ${reason}`),
    falseResidue: left.length === 0 ? told.length : 0,
  };
}

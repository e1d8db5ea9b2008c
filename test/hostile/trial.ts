import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runContract } from '../../src/library/run-contract';
import { describeShape } from './describe';
import { type Harm, HostileServer } from './server';
import { drawShape, isRemovable, type Shape } from './shape';

export interface Trial {
  readonly seed: number;
  readonly shape: Shape;
  readonly mode: 'own' | 'full';
  readonly requests: readonly string[];
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

/** Runs `verify` without contracts at a service of a shape that the seed draws. */
export async function tryServer(seed: number, given?: Partial<Shape>): Promise<Trial> {
  const shape = { ...drawShape(seed), ...given };
  const mode = seed % 2 === 0 ? 'own' : 'full';
  const server = new HostileServer(shape, seed);
  const baseUrl = await server.open();
  const folder = mkdtempSync(join(tmpdir(), 'standin-hostile-'));
  const description = join(folder, 'openapi.json');
  try {
    writeFileSync(description, JSON.stringify(describeShape(shape)));
    const result = await runContract({
      baseUrl,
      description,
      mode,
      seed,
      auth: 'off',
      retries: 0,
      ledger: join(folder, 'ledger.ndjson'),
    });
    const left = server.left();
    return {
      seed,
      shape,
      mode,
      requests: server.requests,
      harms: server.harms,
      left,
      isSilent: left.length > 0 && result.leftBehind.length === 0,
      isRemovableLeft: left.length > 0 && isRemovable(shape),
      leftBehind: result.leftBehind.map(
        ({ url, reason, isAccepted }) => `${url.slice(baseUrl.length)}: ${reason}${isAccepted ? ' (accepted)' : ''}`,
      ),
      falseResidue: left.length === 0 ? result.leftBehind.length : 0,
      created: result.created?.length ?? 0,
    };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

import type { IncomingMessage } from 'node:http';
import { runContract } from '../../src/library/run-contract';
import { type RunContractOptions } from '../../src/library/run-options';
import { type RunResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
import { describe as sketch, openOther, type OtherService, type Reply, type Sketch } from './other-service';
import { temporaryFolder } from '../support/temporary-folder';

/** A service with a few lines of behaviour, and a contract of a few steps, in mode own. */
export interface OwnSetup {
  readonly sketches: readonly Sketch[];
  /** Of the contract, in JSON. */
  readonly steps: readonly object[];
  readonly answer: (line: string, body: Record<string, unknown>, request: IncomingMessage) => Reply;
  /** Schema of every variable of a path. */
  readonly id?: object;
  readonly options?: Partial<RunContractOptions>;
}

export interface OwnRun {
  readonly result: RunResult;
  /** What came, but for reads: `DELETE /books/7`. */
  readonly writes: readonly string[];
  /** Names of steps that the mode left out. */
  readonly skipped: readonly string[];
  /** Paths of what is told as left, and could have been removed. */
  readonly left: readonly string[];
}

export async function runOwn({ sketches, steps, answer, id, options = {} }: OwnSetup): Promise<OwnRun> {
  const service: OtherService = await openOther(answer);
  const folder = temporaryFolder();
  try {
    const description = folder.write('openapi.json', sketch(sketches, id));
    const contracts = folder.write('contract.json', JSON.stringify({ standin: 'contract/1', name: 'own', steps }));
    const own = { baseUrl: service.url, description, contracts, mode: 'own', retries: 0 } as const;
    const result = await runContract({ ...own, ...options });
    const skipped = allSteps(result).flatMap(({ name, verdict }) =>
      verdict.kind === 'skipped' && verdict.cause === 'mode' ? [name] : [],
    );
    const left = result.leftBehind.flatMap(({ url, isAccepted }) =>
      isAccepted ? [] : [url.slice(service.url.length)],
    );
    return { result, writes: service.seen.filter((line) => !line.startsWith('GET ')), skipped, left };
  } finally {
    await service.close();
    folder.remove();
  }
}

/** Items by path, which are read, removed and listed; everything else the test answers. */
export function shelfOf(items: Map<string, unknown>): (line: string) => Reply {
  return (line) => {
    const [method, path = ''] = line.split(' ');
    const item = items.get(path);
    if (method === 'GET' && item === undefined && [...items.keys()].some((key) => key.startsWith(`${path}/`))) {
      return { status: 200, body: [...items].flatMap(([key, value]) => (key.startsWith(`${path}/`) ? [value] : [])) };
    }
    if (item === undefined) return { status: 404, body: {} };
    if (method !== 'DELETE') return { status: 200, body: item };
    items.delete(path);
    return { status: 204 };
  };
}

import type { SourceFinding } from '../../src/core/errors/standin-error';
import type { JsonObject } from '../../src/core/json/json-value';
import { loadApi } from '../../src/files/load-api';
import { type Contract, type Step, stepsOf } from '../../src/formats/contract/contract';
import { readContract } from '../../src/formats/contract/contract-reader';
import { learningRounds } from '../../src/generated/learning-rounds';
import { runContract } from '../../src/library/run-contract';
import type { RunContractOptions } from '../../src/library/run-options';
import { allSteps } from '../../src/runner/result/outcome';
import type { RunResult } from '../../src/runner/result/run-result';
import { boxesApi, PickyServer, STYLES } from '../support/picky-server';
import { temporaryFolder } from '../support/temporary-folder';
import { failureLines } from '../support/failure-lines';

const description = temporaryFolder().write('boxes.json', boxesApi());

const failed = (result: RunResult): string[] => failureLines(result, ({ name }, { check }) => `${name}: ${check}`);

describe('an operation that never answers with a success', () => {
  // The run also reads created items by itself, to see that they are gone.
  const reads = (result: RunResult): number =>
    allSteps(result).filter(({ operation, status }) => operation === 'GET /boxes/{boxId}' && status !== undefined)
      .length;
  const isRead = (method: string, path: string): boolean => method === 'GET' && path.startsWith('/boxes/');
  const runAt = async (
    broken: (method: string, path: string) => number | undefined,
    options: Partial<RunContractOptions> = {},
  ): Promise<{ server: PickyServer; result: RunResult }> => {
    const server = new PickyServer([], STYLES.rails, broken);
    const all = { description, seed: 1, generate: ['lifecycle', 'http'], probesAuth: false, ...options } as const;
    return { server, result: await runContract({ app: server.app, ...all }) };
  };
  let working: RunResult;
  let broken: Awaited<ReturnType<typeof runAt>>;
  beforeAll(async () => {
    const statuses = [501, 503, 404];
    let count = 0;
    working = (await runAt(() => undefined)).result;
    broken = await runAt((...request) => (isRead(...request) ? statuses[count++ % statuses.length] : undefined));
  });

  test('is not called again, and that is reported once', () => {
    const { server, result } = broken;
    expect(reads(working)).toBeGreaterThan(10);
    expect(reads(result)).toBeLessThanOrEqual(7);
    const told = (result.learnt ?? []).map(({ operation, message }) => `${operation} ${message}`);
    expect(told).toEqual([
      expect.stringMatching(
        /^GET \/boxes\/\{boxId\} answered 501, 503, 404 to each of \d+ requests: it is asked no more/,
      ),
    ]);
    expect(failed(result).join('\n')).toMatch(/status-expected/);
    // No GET shows whose items these are: they are reported and not removed.
    expect(result.leftBehind).toHaveLength(server.boxes.size);
  });

  test('does not exist in a working server: nothing is learnt, and all contracts have different names', () => {
    expect(working.learnt).toBeUndefined();
    expect(failed(working)).toEqual([]);
    const names = working.contracts.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('is still called to remove items', async () => {
    const { server, result } = await runAt((method) => (method === 'DELETE' ? 405 : undefined), {
      generate: ['lifecycle'],
    });
    expect(result.outcome).toBe('violations');
    const removals = server.requests.filter((line) => line.startsWith('DELETE')).length;
    expect(removals).toBeGreaterThanOrEqual(server.boxes.size);
  });
});

describe('contracts for an operation that never answers with a success', () => {
  const { api } = loadApi(description);
  const read = (root: JsonObject): Contract => {
    const findings: SourceFinding[] = [];
    const contract = readContract({ file: description, root, locationOf: () => undefined }, api.operations, findings);
    expect(findings).toEqual([]);
    return contract as Contract;
  };
  const isRead = ({ request }: Step): boolean =>
    request.kind === 'operation' && request.operationId === 'GET /boxes/{boxId}';

  const families = new Set(['lifecycle', 'http', 'positive'] as const);

  /** Generates contracts for answers with the expected statuses, but for reads. */
  function generate(
    statusOfRead: (count: number) => number | undefined,
    room = 1000,
  ): { names: string[]; reads: number; steps: number } {
    const names: string[] = [];
    let [reads, steps] = [0, 0];
    const statusOf = (step: Step): number => {
      const [expected = 200] = step.expect.statuses;
      return isRead(step) ? (statusOfRead((reads += 1)) ?? expected) : expected;
    };
    const rounds = learningRounds(api, { seed: '1', families, first: [], room, read });
    let next = rounds.next();
    while (next.done !== true) {
      const { contracts } = next.value;
      names.push(...contracts.map(({ name }) => name));
      steps += contracts.flatMap(stepsOf).length;
      const answers = contracts.flatMap((contract) =>
        stepsOf(contract).map((step) => ({ contract, step, status: statusOf(step), sent: undefined, body: undefined })),
      );
      next = rounds.next(answers);
    }
    return { names, reads, steps };
  }

  test('leave its requests to other contracts', () => {
    // One request less than the contracts at a working server take.
    const room = generate(() => undefined).steps - 1;
    const [limited, others] = [generate(() => undefined, room), generate(() => 501, room)];
    expect(others.names.length).toBeGreaterThan(limited.names.length);
    expect(others.names.filter((name) => !limited.names.includes(name))).not.toEqual([]);
  });

  test('call it again if it succeeded once', () => {
    const working = generate(() => undefined);
    expect(generate(() => 501).reads).toBeLessThan(working.reads / 2);
    expect(generate((count) => (count === 1 ? undefined : 503)).reads).toBe(working.reads);
  });
});

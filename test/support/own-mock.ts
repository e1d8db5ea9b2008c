import { createMockServer } from '../../src/library/create-mock-server';
import { runContract } from '../../src/library/run-contract';
import type { RunContractOptions } from '../../src/library/run-options';
import { allSteps } from '../../src/runner/result/outcome';
import { list, object, ref, smallApi, type SmallOperation, text } from './small-api';
import { temporaryFolder } from './temporary-folder';

const folder = temporaryFolder();

export const PROBLEM = object({ message: text }, ['message']);
export const REFUSED = { 404: PROBLEM, 422: PROBLEM };

/** All operations of items: create, list, read, change and delete. */
export function itemsOf(
  path: string,
  schema: string,
  written: object,
  { query = {}, changed = written }: { query?: SmallOperation['query']; changed?: object } = {},
): Record<string, SmallOperation> {
  return {
    [`GET ${path}`]: { query, answers: { 200: list(ref(schema)) } },
    [`POST ${path}`]: { body: written, answers: { 201: ref(schema), ...REFUSED } },
    [`GET ${path}/{id}`]: { answers: { 200: ref(schema), 404: PROBLEM } },
    [`PATCH ${path}/{id}`]: { body: changed, answers: { 200: ref(schema), ...REFUSED } },
    [`DELETE ${path}/{id}`]: { answers: { 204: null, 404: PROBLEM } },
  };
}

export interface Part {
  readonly about: string;
  readonly operations: Record<string, SmallOperation>;
  readonly schemas: Record<string, object>;
}

/**
 * Runs generated contracts against the mock of a description with these parts: they find nothing.
 *
 * @returns names of the steps that passed, without a warning
 */
export async function expectNoFindings(
  parts: readonly Part[],
  generate: NonNullable<RunContractOptions['generate']>,
): Promise<string[]> {
  const spec = folder.write(
    `${parts.length}.json`,
    smallApi(
      Object.assign({}, ...parts.map(({ operations }) => operations)) as Part['operations'],
      Object.assign({}, ...parts.map(({ schemas }) => schemas)) as Part['schemas'],
    ),
  );
  const app = await createMockServer({ description: spec });
  const result = await runContract({ app, description: spec, generate, seed: 1 });
  const failed = allSteps(result).flatMap(({ name, request, verdict }) =>
    verdict.kind === 'fail'
      ? verdict.findings.map(
          ({ check, at, expected = '', actual = '' }) =>
            `${name}: ${check} ${at} ${expected.slice(0, 90)} | ${actual.slice(0, 160)} | ${request?.url ?? ''} ${request?.body?.slice(0, 200) ?? ''}`,
        )
      : [],
  );
  expect(failed).toEqual([]);
  expect(result.leftBehind).toEqual([]);
  expect(result.outcome).toBe('conforms');
  const isDone = ({ verdict, warnings }: ReturnType<typeof allSteps>[number]): boolean =>
    verdict.kind === 'pass' && warnings.length === 0;
  return allSteps(result)
    .filter(isDone)
    .map(({ name }) => name);
}

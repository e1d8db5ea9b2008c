import express from 'express';
import { runContract } from '../../src/library/run-contract';
import type { RunContractOptions } from '../../src/library/run-options';
import { allSteps } from '../../src/runner/result/outcome';
import type { RunResult } from '../../src/runner/result/run-result';
import { smallApi } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const thing = { type: 'object', properties: { id: { type: 'string' } } };
// Nothing is said of what is not there.
const description = folder.write('things.json', smallApi({ 'GET /things/{id}': { answers: { 200: thing } } }));

const app = express();
app.get('/things/:id', (request, response) => {
  if (request.params.id === 'none') response.status(404).json({});
  else if (request.params.id === 'gone') response.status(410).json({});
  else response.json({ id: request.params.id });
});

function contract(id: string, status: number, more = ''): string {
  return folder.write(
    `${id}-${status}.yaml`,
    `standin: contract/1\nname: Things\nsteps:\n  - { method: GET, path: /things/one, expect: { status: 200 } }\n` +
      `  - { name: asked for, method: GET, path: /things/${id}, expect: { status: ${status} }${more} }\n`,
  );
}

const run = (file: string, options: Partial<RunContractOptions> = {}): Promise<RunResult> =>
  runContract({ app, description, contracts: file, ...options });

const told = (result: RunResult): unknown => {
  const step = allSteps(result).find(({ name }) => name === 'asked for');
  const failed = step?.verdict.kind === 'fail' ? step.verdict.findings : [];
  const ids = (findings: readonly { readonly check: string }[]): string[] =>
    findings.map(({ check }) => check).filter((check) => check === 'status-documented');
  return { outcome: result.outcome, failed: ids(failed), warned: ids(step?.warnings ?? []) };
};

test('a 404 that was expected and is not documented is a warning', async () => {
  const result = await run(contract('none', 404));
  expect(told(result)).toEqual({ outcome: 'conforms', failed: [], warned: ['status-documented'] });
});

test('another status, and a 404 that nobody expected, are errors', async () => {
  expect(told(await run(contract('gone', 410)))).toMatchObject({
    outcome: 'violations',
    failed: ['status-documented'],
  });
  expect(told(await run(contract('none', 200)))).toMatchObject({
    outcome: 'violations',
    failed: ['status-documented'],
  });
});

test.each([[['status-documented']], [['all']]])(
  'warnings of %j fail the run where that is asked for',
  async (promote) => {
    const result = await run(contract('none', 404), { promote });
    expect(told(result)).toEqual({ outcome: 'violations', failed: ['status-documented'], warned: [] });
  },
);

test('warnings of other checks stay warnings, and what is pending fails nothing', async () => {
  expect(told(await run(contract('none', 404), { promote: ['date'] }))).toMatchObject({ outcome: 'conforms' });
  const pending = contract('none', 404, ', pending: soon');
  expect(told(await run(pending, { promote: ['all'] }))).toMatchObject({ outcome: 'conforms', failed: [] });
});

test('a name that no check has is an error, with the one that was meant', async () => {
  await expect(run(contract('none', 404), { promote: ['status-documentd'] })).rejects.toMatchObject({
    message: 'There is no check "status-documentd" whose warnings could fail the run',
    hint: expect.stringContaining('status-documented') as string,
  });
});

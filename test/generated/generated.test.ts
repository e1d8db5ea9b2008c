import express from 'express';
import { stringifyJson } from '../../src/core/json/stringify-json';
import { loadApi } from '../../src/files/load-api';
import { generateContracts } from '../../src/generated/generate-contracts';
import { createMockServer } from '../../src/library/create-mock-server';
import { runContract } from '../../src/library/run-contract';
import type { RunContractOptions } from '../../src/library/run-options';
import { allSteps } from '../../src/runner/result/outcome';
import type { RunResult } from '../../src/runner/result/run-result';
import { DEFECTS } from '../mutants/catalogue/index';
import { TARGETS } from '../mutants/kill-rate/targets';
import { startMutantProxy } from '../mutants/proxy';
import { smallApi } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();

const failures = (result: RunResult): string[] =>
  allSteps(result).flatMap(({ name, operation = '', verdict }) =>
    verdict.kind === 'fail' ? verdict.findings.map(({ check, at }) => `${operation}, ${name}: ${check} ${at}`) : [],
  );

test.each(['mock', 'second'] as const)(
  'the %s Petstore does what its description says, and nothing is left',
  async (name) => {
    const target = await TARGETS[name](false);
    const result = await runContract({ baseUrl: target.url, generate: true, seed: 1 });
    await target.close();
    expect(failures(result)).toEqual([]);
    expect(result.outcome).toBe('conforms');
    expect(result.leftBehind).toEqual([]);
    expect(allSteps(result).filter(({ verdict }) => verdict.kind === 'pass').length).toBeGreaterThan(300);
  },
);

test('mode own sends it too: it makes all that it changes', async () => {
  const target = await TARGETS.mock(false);
  const result = await runContract({ baseUrl: target.url, generate: true, mode: 'own', seed: 1 });
  await target.close();
  expect(failures(result)).toEqual([]);
  expect(result.outcome).toBe('conforms');
  expect(result.leftBehind).toEqual([]);
});

test('what is refused is asked for again: its code stays the same', async () => {
  const target = await TARGETS.mock(false);
  const defect = DEFECTS.find(({ id }) => id === 'ER-12');
  const proxy = await startMutantProxy({ target: target.url, ...(defect === undefined ? {} : { defect }) });
  const result = await runContract({ baseUrl: proxy.url, generate: ['http'], seed: 1 });
  await proxy.close();
  await target.close();
  expect(failures(result).join()).toContain('code-stable /response/body/code');
});

/** How many requests reached a server. */
async function counted(options: Partial<RunContractOptions>): Promise<{ sent: number; result: RunResult }> {
  const mock = await createMockServer({});
  let sent = 0;
  const app = express();
  app.use((request, response) => {
    sent += 1;
    mock(request, response);
  });
  const result = await runContract({ app, seed: 1, ...options });
  return { sent, result };
}

test.each([60, 300])('no more than %i requests are sent where a run may send no more', async (maxRequests) => {
  const { sent, result } = await counted({ generate: true, maxRequests });
  // What was made is removed nevertheless, and looked at.
  const removals = (result.created ?? []).length;
  expect(sent).toBeLessThanOrEqual(maxRequests + 2 * removals);
  expect(sent).toBeGreaterThan(maxRequests / 2);
  expect(result.outcome).toBe('conforms');
  expect(result.leftBehind).toEqual([]);
});

test('contracts that a run has no requests left for are skipped, which fails nothing', async () => {
  const { result } = await counted({ contracts: 'contracts/core', maxRequests: 20, probesAuth: false });
  const skipped = allSteps(result).filter(({ verdict }) => verdict.kind === 'skipped');
  expect(new Set(skipped.map(({ verdict }) => verdict.kind === 'skipped' && verdict.cause))).toEqual(
    new Set(['budget']),
  );
  expect(result.outcome).toBe('conforms');
});

test('after its time no contract is begun', async () => {
  const { sent, result } = await counted({ generate: true, maxTimeMs: 50 });
  expect(sent).toBeLessThan(300);
  expect(
    allSteps(result).filter(({ verdict }) => verdict.kind === 'skipped' && verdict.cause === 'budget').length,
  ).toBeGreaterThan(300);
  expect(result.leftBehind).toEqual([]);
});

test('kinds that are not wanted are left out', async () => {
  const names = [...generateContracts(loadApi().api, { seed: 'a', families: new Set(['http']) })].map(
    ({ name }) => name,
  );
  expect(names.length).toBeGreaterThan(2);
  expect(names.every((name) => JSON.stringify(name).includes('Generated: HTTP'))).toBe(true);
  await expect(counted({ generate: ['lifecyle'] as never })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    hint: expect.stringContaining('lifecycle'),
  });
});

test('the same description gives the same requests', () => {
  const texts = [1, 2].map(() => [...generateContracts(loadApi().api, { seed: 'a' })].map(stringifyJson));
  expect(texts[0]).toEqual(texts[1]);
});

/** Names of the steps that are generated for a list of tickets with a filter `state`. */
function askedOf(filter: object, state: object): string[] {
  const ticket = {
    type: 'object',
    required: ['id', 'title', 'state'],
    properties: { id: { type: 'string', readOnly: true }, title: { type: 'string' }, state },
  };
  const text = smallApi(
    {
      'GET /tickets': { query: { state: filter }, answers: { 200: { type: 'array', items: ticket } } },
      'POST /tickets': { body: ticket, answers: { 201: ticket } },
      'GET /tickets/{ticketId}': { answers: { 200: ticket, 404: null } },
      'DELETE /tickets/{ticketId}': { answers: { 204: null, 404: null } },
    },
    {},
  );
  const { api } = loadApi(folder.write('tickets.json', text));
  return [...generateContracts(api, { seed: 'a', families: new Set(['lists']) })].flatMap((contract) =>
    (contract['steps'] as { name: string }[]).map(({ name }) => name),
  );
}

test('a word that stands for all values is no value to filter by', () => {
  const names = askedOf({ type: 'string', enum: ['open', 'closed', 'all'] }, { type: 'string' });
  expect(names).toContain('list by state open: nothing else is in the list');
  expect(names.filter((name) => name.includes('state all'))).toEqual([]);
});

test('a list is asked for a value only where the filter takes every value that there may be', () => {
  const words = { type: 'string', enum: ['open', 'closed'] };
  expect(askedOf(words, { type: 'string' }).filter((name) => name.includes('state of a ticket'))).toEqual([]);
  expect(askedOf(words, words).filter((name) => name.includes('state of a ticket'))).not.toEqual([]);
});

/** A mock behind something that changes its requests. */
async function behind(change: (url: string, method: string) => string): Promise<RunResult> {
  const mock = await createMockServer({});
  const app = express();
  app.use((request, response) => {
    request.url = change(request.url, request.method);
    mock(request, response);
  });
  return runContract({ app, generate: true, seed: 1, probesAuth: false });
}

test.each([
  ['ignores a filter', (url: string) => url.replace(/categoryId=\d+/, ''), /^listPets, .*: body-expected/],
  [
    'ignores an impossible limit',
    (url: string) => url.replace(/limit=(?:0|101)\b/, ''),
    /^list\w+, list with limit .*: status-expected/,
  ],
  [
    'has no things behind their removal',
    (url: string, method: string) => (method === 'DELETE' ? url.replace(/^\/pets\/\d+/, '/pets/999999') : url),
    /^\w+, the pet is gone: status-expected|deletePet/,
  ],
  [
    'follows a link to a page without its filter',
    (url: string) => (url.includes('cursor=') ? url.replace(/(?:status|name|categoryId)=[^&]*/g, '') : url),
    /^\S+, (?:follow|the next page).*-expected/,
  ],
  [
    'changes another order',
    (url: string, method: string) =>
      method === 'PATCH' ? url.replace(/^\/store\/orders\/\d+/, '/store/orders/1') : url,
    /^updateOrder, change shipDate/,
  ],
])('a service that %s is told', async (_, change, finding) => {
  const result = await behind(change);
  expect(result.outcome).toBe('violations');
  expect(failures(result).join('\n')).toMatch(new RegExp(finding.source, 'm'));
});

test('a description of which nothing can be generated is told', async () => {
  const description = folder.write(
    'actions.yaml',
    "openapi: 3.0.3\ninfo: { title: Actions, version: '1' }\npaths: { /things: { post: { responses: { '200': { description: Fine } } } } }\n",
  );
  await expect(runContract({ baseUrl: 'http://127.0.0.1:9', description, generate: true })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('nothing can be generated'),
  });
});

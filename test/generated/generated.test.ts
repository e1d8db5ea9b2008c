import express, { type Request, type Response } from 'express';
import { stringifyJson } from '../../src/core/json/stringify-json';
import { loadApi } from '../../src/files/load-api';
import { type FamilyId, generateContracts } from '../../src/generated/generate-contracts';
import type { MockServer } from '../../src/express';
import { createMockServer } from '../../src/library/create-mock-server';
import { runContract } from '../../src/library/run-contract';
import type { RunContractOptions } from '../../src/library/run-options';
import { allSteps } from '../../src/runner/result/outcome';
import type { RunResult } from '../../src/runner/result/run-result';
import { TARGETS } from '../mutants/kill-rate/targets';
import { list, object, smallApi, text, whole } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';
import { failureLines } from '../support/failure-lines';

const folder = temporaryFolder();

const failures = (result: RunResult): string[] =>
  failureLines(result, ({ name, operation = '' }, { check, at }) => `${operation}, ${name}: ${check} ${at}`);

const { api } = loadApi();
/** Operations of the Petstore whose id does not match. */
const operationsBut = (id: RegExp): string[] =>
  api.operations.flatMap((operation) => (id.test(operation.id) ? [] : [operation.id]));

test('the mock Petstore conforms in mode own, and the run removes all items that it created', async () => {
  const target = await TARGETS.mock(false);
  const options = { generate: ['lifecycle'], mode: 'own', seed: 1, probesAuth: false } as const;
  const result = await runContract({ baseUrl: target.url, skip: operationsBut(/Categor/), ...options });
  await target.close();
  expect(failures(result)).toEqual([]);
  expect(result.outcome).toBe('conforms');
  expect(result.created).not.toEqual([]);
  expect(result.leftBehind).toEqual([]);
  const passed = allSteps(result).flatMap(({ operation, verdict }) => (verdict.kind === 'pass' ? operation : []));
  const expected = ['listCategories', 'createCategory', 'getCategory', 'replaceCategory', 'deleteCategory'];
  expect(passed).toEqual(expect.arrayContaining(expected));
});

const note = object({
  id: { type: 'string', readOnly: true },
  title: text,
  state: { type: 'string', enum: ['open', 'closed'] },
});
const PROBLEM = object({ code: text, message: text }, ['code', 'message']);
/** A list with a filter and pages, and all operations of an item. */
const NOTES = folder.write(
  'notes.json',
  smallApi({
    'GET /notes': {
      query: {
        state: { type: 'string', enum: ['open', 'closed'] },
        limit: { ...whole, minimum: 1, maximum: 100 },
        cursor: text,
      },
      headers: ['Link'],
      answers: { 200: list(note), 400: PROBLEM },
    },
    'POST /notes': { body: note, answers: { 201: note, 422: PROBLEM } },
    'GET /notes/{noteId}': { answers: { 200: note, 404: PROBLEM } },
    'PATCH /notes/{noteId}': { body: note, answers: { 200: note, 404: PROBLEM, 422: PROBLEM } },
    'DELETE /notes/{noteId}': { answers: { 204: null, 404: PROBLEM } },
  }),
);

let notes: MockServer;
beforeAll(async () => {
  notes = await createMockServer({ description: NOTES });
});
beforeEach(() => {
  notes.reset();
});

/** Runs generated contracts against the mock behind `listener`, which may change requests or answer them itself. */
async function runBehind(
  listener: (request: Request, response: Response, next: () => void) => void,
  options: Partial<RunContractOptions>,
): Promise<RunResult> {
  const { description = NOTES } = options;
  const app = express();
  app.use(listener);
  app.use(description === NOTES ? notes : await createMockServer({ description }));
  return runContract({ app, description, seed: 1, ...options });
}

test('a rejected request is sent twice, and a second answer with another error code is a finding', async () => {
  let count = 0;
  const result = await runBehind(
    ({ url, method }, response, next) => {
      if (method !== 'GET' || !url.startsWith('/notes/standin-absent-')) next();
      else response.status(404).json({ code: `not_found_${(count += 1)}`, message: 'Not found' });
    },
    { generate: ['http'] },
  );
  expect(failures(result).join()).toContain(
    'GET /notes/{noteId}, read a note that nobody has, again: code-stable /response/body/code',
  );
});

/** Also counts the requests that reach the server. */
async function counted(options: Partial<RunContractOptions>): Promise<{ sent: number; result: RunResult }> {
  let sent = 0;
  const result = await runBehind((_request, _response, next) => {
    sent += 1;
    next();
  }, options);
  return { sent, result };
}

const budgetSkips = (result: RunResult): string[] =>
  allSteps(result).flatMap(({ name, verdict }) =>
    verdict.kind === 'skipped' && verdict.cause === 'budget' ? [name] : [],
  );

test('a run sends at most `maxRequests` requests, and those that remove its items', async () => {
  const maxRequests = 40;
  const { sent, result } = await counted({ generate: true, maxRequests });
  // Each created item is removed, and then read to see that it is gone.
  const removals = (result.created ?? []).length;
  expect(sent).toBeLessThanOrEqual(maxRequests + 2 * removals);
  expect(sent).toBeGreaterThan(maxRequests / 2);
  expect(result.outcome).toBe('conforms');
  expect(result.leftBehind).toEqual([]);
});

test('contracts that exceed `maxRequests` are skipped, and the run still conforms', async () => {
  const { result } = await counted({
    description: 'spec/petstore.yaml',
    contracts: ['contracts/core/categories.yaml', 'contracts/core/orders.yaml'],
    maxRequests: 5,
    concurrency: 1,
    probesAuth: false,
  });
  const skipped = allSteps(result).filter(({ verdict }) => verdict.kind === 'skipped');
  expect(budgetSkips(result)).not.toEqual([]);
  expect(skipped).toHaveLength(budgetSkips(result).length);
  expect(result.outcome).toBe('conforms');
});

test('no contract starts after `maxTimeMs`', async () => {
  const maxTimeMs = 1;
  let sent = 0;
  const result = await runBehind(
    (_request, _response, next) => {
      sent += 1;
      // The first answer arrives when the time of the run is over.
      const end = performance.now() + 2 * maxTimeMs;
      while (sent === 1 && performance.now() < end);
      next();
    },
    { generate: ['lifecycle'], maxTimeMs, concurrency: 1 },
  );
  const started = result.contracts.filter(({ steps }) => steps.some(({ status }) => status !== undefined));
  expect(started.length).toBeLessThanOrEqual(1);
  expect(budgetSkips(result).length).toBeGreaterThan(10);
  expect(result.leftBehind).toEqual([]);
});

test('kinds that are not wanted are left out', async () => {
  const names = [...generateContracts(api, { seed: 'a', families: new Set(['http']) })].map(({ name }) => name);
  expect(names.length).toBeGreaterThan(2);
  expect(names.every((name) => JSON.stringify(name).includes('Generated: HTTP'))).toBe(true);
  await expect(counted({ generate: ['lifecyle'] as never })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    hint: expect.stringContaining('lifecycle'),
  });
});

test('the same seed gives the same contracts', () => {
  const { api: small } = loadApi(NOTES);
  const texts = [1, 2].map(() =>
    [
      ...generateContracts(small, { seed: 'a' }),
      ...generateContracts(api, { seed: 'a', families: new Set(['lifecycle', 'lists']) }),
    ].map(stringifyJson),
  );
  expect(texts[0]?.length).toBeGreaterThan(30);
  expect(texts[0]).toEqual(texts[1]);
});

/** Names of the steps that are generated for a list of tickets with a filter `state`. */
function askedOf(filter: object, state: object): string[] {
  return stepsAt({ state: filter }, state, 'lists');
}

/** Names of the steps of one family for tickets whose list has these parameters. */
function stepsAt(query: Readonly<Record<string, object>>, state: object, family: FamilyId): string[] {
  const ticket = {
    type: 'object',
    required: ['id', 'title', 'state'],
    properties: { id: { type: 'string', readOnly: true }, title: { type: 'string' }, state },
  };
  const description = smallApi(
    {
      'GET /tickets': { query, answers: { 200: { type: 'array', items: ticket } } },
      'POST /tickets': { body: ticket, answers: { 201: ticket } },
      'GET /tickets/{ticketId}': { answers: { 200: ticket, 404: null } },
      'DELETE /tickets/{ticketId}': { answers: { 204: null, 404: null } },
    },
    {},
  );
  const { api: small } = loadApi(folder.write('tickets.json', description));
  return [...generateContracts(small, { seed: 'a', families: new Set([family]) })].flatMap((contract) =>
    (contract['steps'] as { name: string }[]).map(({ name }) => name),
  );
}

test('what a server may cut is not expected whole, though nothing leads on in it', () => {
  const isThere = 'the ticket is in the list';
  const state = { type: 'string' };
  expect(stepsAt({}, state, 'lifecycle')).toContain(isThere);
  expect(stepsAt({ limit: { type: 'integer', maximum: 100 } }, state, 'lifecycle')).toContain(isThere);
  expect(stepsAt({ limit: { type: 'integer' } }, state, 'lifecycle')).not.toContain(isThere);
});

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

/** Faults of a server by the kind of contracts that finds them, and the finding of each. */
const FAULTS: readonly {
  readonly faults: string;
  readonly generate: FamilyId;
  /** Returns the URL that the server acts on; `undefined` if it answers 204 and does nothing. */
  readonly change: (url: string, method: string) => string | undefined;
  readonly found: readonly string[];
}[] = [
  {
    faults: 'ignores a filter, and links to a page without it',
    generate: 'lists',
    change: (url) => url.replace(/state=\w+/, ''),
    found: [
      'GET /notes, list by state open: nothing else is in the list: body-expected',
      'GET /notes, the next page by state open has the same filter: body-expected',
    ],
  },
  {
    faults: 'ignores an invalid limit',
    generate: 'negative',
    change: (url) => url.replace(/limit=(?:0|101)\b/, ''),
    found: ['GET /notes, list with limit below its least: status-expected'],
  },
  {
    faults: 'does not delete an item, and changes another one',
    generate: 'lifecycle',
    change: (url, method) => (method === 'DELETE' ? undefined : method === 'PATCH' ? '/notes/1' : url),
    found: [
      'GET /notes/{noteId}, the note is gone: deleted-gone',
      'GET /notes/{noteId}, read the note as it is now: body-expected',
    ],
  },
];

test.each(FAULTS)('a server is found that $faults', async ({ generate, change, found }) => {
  const result = await runBehind(
    (request, response, next) => {
      const url = change(request.url, request.method);
      if (url === undefined) response.status(204).end();
      else {
        request.url = url;
        next();
      }
    },
    { generate: [generate] },
  );
  expect(result.outcome).toBe('violations');
  for (const finding of found) expect(failures(result).join('\n')).toContain(finding);
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

import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadApi } from '../../src/files/load-api';
import { readSource } from '../../src/openapi/read/read-source';
import { loadText } from '../openapi/load-text';
import { readContract } from '../../src/formats/contract/contract-reader';
import type { Contract, Step } from '../../src/formats/contract/contract';
import { formatPlan } from '../../src/report/text/terminal-text';
import { planRun, type Plan } from '../../src/runner/run/plan';
import { selectSteps, whyNotMade } from '../../src/runner/steps/selection';
import { takeShard } from '../../src/runner/result/outcome';
import { endedHere } from '../cli/standin-process';
import { startAppServer } from '../support/app-server';
import { temporaryFolder } from '../support/temporary-folder';

const { api } = loadApi();

const TEXT = `standin: contract/1
name: plan
tags: [whole]
setup:
  - operation: createCategory
    body: { name: a }
    expect: { status: 201 }
    capture: { categoryId: $response.body#/id }
steps:
  - name: add
    operation: createPet
    body: { name: a, categoryId: '\${categoryId}' }
    expect: { status: 201 }
    capture: { petId: $response.body#/id }
  - name: refuse
    operation: createPet
    body: {}
    expect: { status: 400 }
  - name: read
    tags: [reads]
    operation: getPet
    parameters: { petId: '\${petId}' }
    expect: { status: 200 }
  - name: list
    operation: listOrders
    expect: { status: 200 }
cleanup:
  - operation: deletePet
    parameters: { petId: '\${petId}' }
    expect: { status: 204 }
`;

function contract(): Contract {
  const read = readContract(readSource(TEXT, 'plan.yaml'), api.operations, []);
  if (read === undefined) throw new Error('the contract of the test is none');
  return read;
}

const INPUT = { api, baseUrl: 'https://staging.example.com', runId: 'run1' };

test('a plan tells what is sent, what is made and how it goes away', () => {
  expect(formatPlan(planRun({ ...INPUT, mode: 'own', ledgerFile: 'run.ndjson' }, [contract()]))).toBe(
    `Plan for https://staging.example.com, run run1
  mode        own: changes only what this run creates; steps that would change anything else are skipped
  requests    6 steps of 1 contract: 3 POST, 2 GET, 1 DELETE
  operations  5: createPet, getPet, deletePet, createCategory, listOrders
  probes      5 operations without a valid key, about 65 additional requests: 27 GET, 24 POST, 10 DELETE, 4 HEAD
  creates     createPet 1 time, removed by DELETE /pets/{petId}
              createCategory 1 time, removed by DELETE /categories/{categoryId}
  ledger      run.ndjson
`,
  );
});

test('the first line of a plan says that not all can be removed', () => {
  const lasting = TEXT.replace(/cleanup:[\s\S]*/, '');
  const read = readContract(readSource(lasting, 'plan.yaml'), api.operations, []);
  const plan = planRun({ ...INPUT, mode: 'full' }, read === undefined ? [] : [read]);
  const [first] = plan.creations;
  expect(formatPlan({ ...plan, creations: first === undefined ? [] : [{ ...first, removal: undefined }] })).toMatch(
    /^ {2}mode .* what this run creates; not all of what it creates can be removed, see creates$/m,
  );
});

test('in mode observe nothing is made, and what is left out is counted', () => {
  const plan = planRun({ ...INPUT, mode: 'observe' }, [contract()]);
  const skippedSteps = [
    { reason: 'a value of an earlier step is missing', steps: 3 },
    { reason: 'mode observe changes nothing', steps: 2 },
  ];
  expect(plan).toMatchObject({ skippedSteps, creations: [], operations: ['listOrders'] });
  expect(formatPlan(plan)).toContain(
    'held back   5 steps: 3, because a value of an earlier step is missing; 2, because mode observe changes nothing',
  );
});

test.each([
  { what: 'a tag', selection: { only: ['reads'], skip: [] }, names: ['createCategory', 'add', 'read', 'deletePet'] },
  {
    what: 'an operation',
    selection: { only: ['listOrders'], skip: [] },
    names: ['createCategory', 'add', 'list', 'deletePet'],
  },
  {
    what: 'the tag of the contract',
    selection: { only: ['whole'], skip: ['listOrders'] },
    names: ['createCategory', 'add', 'refuse', 'read', 'deletePet'],
  },
  { what: 'something else', selection: { only: ['getCategory'], skip: [] }, names: [] },
])('choosing $what keeps what the chosen steps need', ({ selection, names }) => {
  const chosen = selectSteps(api, contract(), selection);
  expect([...chosen].map(({ name }) => name)).toEqual(names);
});

test.each([
  { skip: ['createCategory'], names: ['add', 'refuse', 'read', 'list', 'deletePet'] },
  // What cannot be removed is not made, nor what might be made by a request that is to be refused.
  { skip: ['deletePet'], names: ['createCategory', 'read', 'list'] },
  // Nor what no look would show to be the run's own.
  { skip: ['getPet'], names: ['createCategory', 'list', 'deletePet'] },
  { skip: ['listPets'], names: ['createCategory', 'add', 'refuse', 'read', 'list', 'deletePet'] },
])('what is skipped is not sent as setup or cleanup either: $skip', ({ skip, names }) => {
  const chosen = selectSteps(api, contract(), { only: [], skip });
  expect([...chosen].map(({ name }) => name)).toEqual(names);
});

test('a PUT makes something where nothing is: it is not sent where its removal or its look is skipped', () => {
  const replacing = TEXT.replace(
    /steps:[^]*/,
    `steps:
  - name: replace
    operation: replaceCategory
    parameters: { categoryId: 5 }
    body: { name: a }
    expect: { status: 200 }
`,
  );
  const put = readContract(readSource(replacing, 'put.yaml'), api.operations, []) as Contract;
  const [step] = put.steps as [Step];
  const isSent = (skip: readonly string[]): boolean => selectSteps(api, put, { only: [], skip }).has(step);
  expect([[], ['deleteCategory'], ['getCategory'], ['listPets']].map(isSent)).toEqual([true, false, false, true]);
  expect(whyNotMade(api, step, { only: [], skip: ['deleteCategory'] })).toBe(
    'it may make something, and deleteCategory is skipped, which removes it or shows whose it is',
  );
});

const folder = temporaryFolder();
const NOTES = {
  openapi: '3.0.3',
  info: { title: 'Notes', version: '1' },
  paths: {
    '/notes': {
      get: { operationId: 'listNotes', responses: { 200: json({ type: 'array', items: note() }) } },
      post: {
        operationId: 'addNote',
        requestBody: { required: true, content: { 'application/json': { schema: note() } } },
        responses: { 201: json(note()) },
      },
    },
    '/notes/{noteId}': {
      parameters: [{ name: 'noteId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getNote', responses: { 200: json(note()), 404: { description: 'none' } } },
      delete: { operationId: 'removeNote', responses: { 204: { description: 'ok' }, 404: { description: 'none' } } },
    },
  },
};

function note(): object {
  const id = { type: 'integer', readOnly: true };
  return { type: 'object', required: ['title'], properties: { id, title: { type: 'string' } } };
}

function json(schema: object): object {
  return { description: 'ok', content: { 'application/json': { schema } } };
}

test.each([
  { skip: 'listNotes', unsent: /^GET \/notes$/, makes: true },
  { skip: 'getNote', unsent: /^GET \/notes\/./, makes: false },
  { skip: 'removeNote', unsent: /^DELETE/, makes: false },
])('the looks and the cleanup of the runner do not send $skip either', async ({ skip, unsent, makes }) => {
  const sent: string[] = [];
  const notes = new Map<string, object>();
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request;
    sent.push(`${method} ${url}`);
    const answer = (status: number, body?: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const id = url.slice('/notes/'.length);
    if (url === '/notes' && method === 'GET') answer(200, [...notes.values()]);
    else if (url === '/notes') {
      const made = { ...(JSON.parse(Buffer.concat(chunks).toString()) as object), id: notes.size + 1 };
      notes.set(String(made.id), made);
      answer(201, made);
    } else if (!notes.has(id)) answer(404);
    else if (method === 'GET') answer(200, notes.get(id));
    else response.writeHead(notes.delete(id) ? 204 : 404).end();
  };
  const server = await startAppServer((request, response) => void respond(request, response));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const spec = folder.write('notes.json', JSON.stringify(NOTES));
  const args = ['verify', '--base-url', url, '--spec', spec, '--no-auth', '--generate=lifecycle', '--skip', skip];
  await endedHere([...args, '--report', 'json=run.json'], { cwd: folder.path });
  expect(sent.filter((line) => unsent.test(line))).toEqual([]);
  expect(sent.includes('POST /notes')).toBe(makes);
  const report = readFileSync(join(folder.path, 'run.json'), 'utf8');
  expect(report.includes(`it may make something, and ${skip} is skipped`)).toBe(!makes);
  expect(notes.size).toBe(0);
});

test('the cleanup of what an unchosen step would have made is not chosen', () => {
  const { steps, ...others } = contract();
  // Nothing that changes something is before the first step that was chosen.
  const lastFirst = { ...others, steps: steps.toReversed() };
  const chosen = selectSteps(api, lastFirst, { only: ['listOrders'], skip: [] });
  expect([...chosen].map(({ name }) => name)).toEqual(['createCategory', 'list']);
});

test('the shards of a list are all of it, each item once', () => {
  const items = Array.from({ length: 11 }, (_, index) => index);
  const parts = [1, 2, 3].map((index) => takeShard(items, { index, count: 3 }));
  expect(parts.flat().sort((left, right) => left - right)).toEqual(items);
  expect(takeShard(items, undefined)).toEqual(items);
});

test('a plan tells of what goes and of what may stay apart', () => {
  const plan = planRun({ ...INPUT, mode: 'own' }, [contract()]);
  const way = (creation: Partial<Plan['creations'][number]>): string | undefined => {
    const one = { operation: 'createPet', steps: 1, removal: 'DELETE /pets/{petId}', staying: 0, ...creation };
    return /createPet .*/.exec(formatPlan({ ...plan, creations: [one] }))?.[0];
  };
  expect(way({ steps: 3, staying: 1 })).toBe(
    'createPet 3 times: 2 removed by DELETE /pets/{petId}, 1 may stay, as the step says',
  );
  expect(way({ staying: 1 })).toBe('createPet 1 time, may stay, as the step says');
  expect(way({ steps: 2, removal: undefined })).toBe(
    'createPet 2 times, not removed: the description has no way to remove them',
  );
});

test('a plan sends keys in URLs in mode full alone', () => {
  const step = `steps:
  - name: list with the key in the query
    operation: listOrders
    auth: query
    expect: { status: 401 }
`;
  const source = readSource(`standin: contract/1\nname: keys\n${step}`, 'keys.yaml');
  const keys = readContract(source, api.operations, [])!;
  const planned = (mode: 'own' | 'full'): string => formatPlan(planRun({ ...INPUT, mode }, [keys]));
  expect(planned('full')).toContain('requests    1 step of 1 contract: 1 GET');
  expect(planned('own')).toContain(
    'requests    0 steps of 1 contract\n  held back   1 step, because the key would be in the URL',
  );
  const probes = (mode: 'own' | 'full'): number =>
    planRun({ ...INPUT, mode }, [keys]).probes.reduce((sum, { requests }) => sum + requests, 0);
  expect(probes('full') - probes('own')).toBe(2);
});

test('what is made below something of the run goes with it, and what is made below something else stays', () => {
  const answer = { description: 'made', content: { 'application/json': { schema: { type: 'object' } } } };
  const post = (operationId: string): object => ({ operationId, responses: { 201: answer } });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const paths = {
    '/issues': { post: post('open') },
    '/issues/{id}': {
      parameters: [id],
      delete: { operationId: 'remove', responses: { 204: { description: 'gone' } } },
    },
    '/issues/{id}/notes': { parameters: [id], post: post('note') },
  };
  const { api: tracker } = loadText(JSON.stringify({ openapi: '3.0.3', info: { title: 'T', version: '1' }, paths }));
  const planOf = (noted: string): string => {
    const text = `standin: contract/1
name: notes
steps:
  - { operation: open, expect: { status: 201 }, capture: { id: $response.body#/id } }
  - { operation: note, parameters: { id: ${noted} }, expect: { status: 201 } }
`;
    const read = readContract(readSource(text, 'notes.yaml'), tracker.operations, []);
    return formatPlan(planRun({ ...INPUT, api: tracker, mode: 'full' }, [read!]));
  };
  expect(planOf("'${id}'")).toContain('note 1 time, removed by DELETE /issues/{id}, with what it stands below\n');
  expect(planOf('7')).toContain('note 1 time, not removed: the description has no way to remove it\n');
});

describe('in mode full', () => {
  const foreign = (more: Partial<Contract> = {}): Contract => {
    const text = `${TEXT.split('setup:')[0]}steps:
  - { operation: deletePet, parameters: { petId: 1 }, expect: { status: 204 } }
`;
    const read = readContract(readSource(text, 'foreign.yaml'), api.operations, []);
    if (read === undefined) throw new Error('the contract of the test is none');
    return { ...read, ...more };
  };

  test('the plan names what may change rows of others, because a person wrote it', () => {
    const plan = planRun({ ...INPUT, mode: 'full' }, [contract(), foreign()]);
    expect(plan.mayChangeOthers).toEqual(['deletePet']);
    expect(formatPlan(plan)).toContain('  may change  rows of others, by deletePet: the contracts say so\n');
  });

  test('what is generated is held back all the same', () => {
    const plan = planRun({ ...INPUT, mode: 'full' }, [foreign({ isGenerated: true })]);
    expect(plan).toMatchObject({ mayChangeOthers: [], methods: [] });
    expect(plan.skippedSteps).toEqual([{ reason: 'this run does not create what would be changed', steps: 1 }]);
  });
});

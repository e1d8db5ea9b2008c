import { loadApi } from '../../src/files/load-api';
import { readContract } from '../../src/formats/contract/contract-reader';
import { readSource } from '../../src/openapi/read/read-source';
import { planRun } from '../../src/runner/run/plan';
import { describe as describeApi, type Reply, type Sketch } from './other-service';
import { runOwn } from './own-run';
import { temporaryFolder } from '../support/temporary-folder';

const SKETCHES: readonly Sketch[] = [
  { id: 'list', at: 'GET /books', statuses: [200] },
  { id: 'make', at: 'POST /books', statuses: [201], takesBody: true },
  { id: 'get', at: 'GET /books/{bookId}', statuses: [200, 404] },
  { id: 'remove', at: 'DELETE /books/{bookId}', statuses: [204, 404] },
  { id: 'review', at: 'POST /books/{bookId}/reviews', statuses: [201], takesBody: true },
  { id: 'part', at: 'DELETE /books/{bookId}/{part}/{number}', statuses: [204] },
  { id: 'removeMany', at: 'POST /books/delete', statuses: [201], takesBody: true },
  { id: 'log', at: 'POST /events', statuses: [201], takesBody: true },
];
const TEXT = { type: 'string' };
const MADE = { name: 'make', operation: 'make', body: { title: 'B ${runId}' }, expect: { status: 201 } };

const answer = (line: string, body: object): Reply => {
  if (line === 'GET /books') return { status: 200, body: [{ id: '1', ref: '1/' }] };
  if (line.startsWith('POST')) return { status: 201, body: { id: '17', ...body } };
  return line.startsWith('DELETE') ? { status: 204 } : { status: 404, body: {} };
};

test('a POST that makes nothing with a path of its own may be anything: it is not sent', async () => {
  const steps = [
    { name: 'remove many', operation: 'removeMany', body: { ids: [1] }, expect: { status: 201 } },
    { name: 'log', operation: 'log', body: {}, leaves: 'events stay', expect: { status: 201 } },
  ];
  const { writes, skipped, left, result } = await runOwn({ sketches: SKETCHES, steps, answer });
  expect(skipped).toEqual(['remove many']);
  expect(writes).toEqual(['POST /events']);
  expect(left).toEqual([]);
  expect(result.leftBehind).toMatchObject([{ reason: 'events stay', isAccepted: true }]);
});

test.each([
  { what: 'has an empty segment', method: 'POST', path: '/books/${ref}/reviews' },
  { what: 'ends in a slash', method: 'POST', path: '/books/' },
  { what: 'goes up', method: 'DELETE', path: '/books/${id}/../1' },
  { what: 'goes up in other letters', method: 'DELETE', path: '/books/${id}/%2e%2E/1' },
])('a path that $what is not sent with what could change something', async ({ method, path }) => {
  const steps = [
    { name: 'list', operation: 'list', expect: { status: 200 }, capture: { ref: '$response.body#/0/ref' } },
    { ...MADE, capture: { id: '$response.body#/id' } },
    { name: 'other', method, path, body: {}, expect: { status: [201, 204] } },
  ];
  const { writes, skipped } = await runOwn({ sketches: SKETCHES, steps, answer, id: TEXT });
  expect(skipped).toEqual(['other']);
  expect(writes).toEqual(['POST /books', 'DELETE /books/17']);
});

test('a step that names one operation and the path of another is not sent', async () => {
  const sketches: Sketch[] = [...SKETCHES, { id: 'wipe', at: 'DELETE /books/all', statuses: [204] }];
  const parameters = { bookId: 'all' };
  const steps = [{ name: 'remove', operation: 'remove', parameters, expect: { status: 204 } }];
  const { writes, skipped } = await runOwn({ sketches, steps, answer, id: TEXT });
  expect(skipped).toEqual(['remove']);
  expect(writes).toEqual([]);
});

test('the plan counts what is not sent for want of a path of its own', () => {
  const folder = temporaryFolder();
  try {
    const { api } = loadApi(folder.write('openapi.json', describeApi(SKETCHES)));
    const steps = ['removeMany', 'log'].map((operation) => {
      return {
        operation,
        body: {},
        expect: { status: 201 },
        ...(operation === 'log' ? { leaves: 'events stay' } : {}),
      };
    });
    const text = JSON.stringify({ standin: 'contract/1', name: 'plan', steps });
    const contract = readContract(readSource(text, 'plan.json'), api.operations, []);
    const plan = planRun({ api, baseUrl: 'https://staging.example.com', mode: 'own', runId: '1a2b3c4d' }, [contract!]);
    expect(plan).toMatchObject({
      skippedSteps: [{ reason: expect.stringContaining('what would be created has no path') as string, steps: 1 }],
      operations: ['log'],
    });
  } finally {
    folder.remove();
  }
});

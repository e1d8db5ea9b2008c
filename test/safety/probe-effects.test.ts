import { type StepResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
import type { Reply, Sketch } from './other-service';
import { runOwn, shelfOf, type OwnRun } from './own-run';

const KEY = 'test-key-of-this-test';
const PROBE = ' rejects a missing key in a valid request';

const probeOf = ({ result }: OwnRun, operation: string): StepResult | undefined =>
  result.probes.find(({ name }) => name.startsWith(operation + PROBE));
const failedSteps = ({ result }: OwnRun): string[] =>
  result.contracts.flatMap(({ steps }) =>
    steps.flatMap(({ name, verdict }) => (verdict.kind === 'pass' ? [] : [name])),
  );

describe('remote procedures of a server that asks for no key', () => {
  const sketches: readonly Sketch[] = [
    { id: 'grant', at: 'POST /lease/grant', statuses: [200, 400, 401], takesBody: true, isSecured: true },
    { id: 'revoke', at: 'POST /lease/revoke', statuses: [200, 400, 401, 404], takesBody: true, isSecured: true },
  ];
  const steps = [
    {
      name: 'a lease is granted',
      operation: 'grant',
      body: { ttl: 60, note: '${runId}' },
      expect: { status: 200 },
      capture: { lease: '$response.body#/ID' },
    },
    {
      name: 'the lease is revoked',
      operation: 'revoke',
      removes: 'a lease is granted',
      body: { ID: '${lease}' },
      expect: { status: 200 },
    },
  ];

  function leases(): { readonly held: Set<number>; answer: (line: string, body: Record<string, unknown>) => Reply } {
    const held = new Set<number>();
    let last = 0;
    const answer = (line: string, { ttl, ID }: Record<string, unknown>): Reply => {
      if (line.endsWith('/grant') && ttl !== undefined) {
        held.add(++last);
        return { status: 200, body: { ID: last } };
      }
      if (line.endsWith('/revoke') && ID !== undefined)
        return { status: held.delete(Number(ID)) ? 200 : 404, body: {} };
      return { status: 400, body: {} };
    };
    return { held, answer };
  }

  test('the lease of the contract is not revoked by a probe, and none is made by one', async () => {
    const { held, answer } = leases();
    const run = await runOwn({ sketches, steps, answer, options: { apiKey: KEY } });
    expect(failedSteps(run)).toEqual([]);
    expect(held.size).toBe(0);
    for (const operation of ['grant', 'revoke']) {
      expect(probeOf(run, operation)?.verdict).toMatchObject({ kind: 'skipped', cause: 'not-harmless' });
    }
    // That no key is asked for is found all the same.
    const found = allSteps(run.result).filter(({ verdict }) => verdict.kind === 'fail');
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['revoke rejects a missing key']));
    expect(run.left).toEqual([]);
  });

  test('one that judges the key after the form of a body: what was made without a key is told', async () => {
    const { held, answer } = leases();
    const late = (line: string, body: Record<string, unknown>): Reply =>
      Object.keys(body).length === 0 ? { status: 401, body: {} } : answer(line, body);
    const run = await runOwn({ sketches, steps, answer: late, options: { apiKey: KEY } });
    expect(probeOf(run, 'grant')?.verdict).toMatchObject({
      kind: 'fail',
      findings: [{ hint: expect.stringContaining('It made something at /lease/grant') as string }],
    });
    expect(held.size).toBe(1);
    expect(run.result.leftBehind.map(({ operation }) => operation)).toEqual(['grant']);
    // What is known to be open is not tried on what the contract needs.
    expect(failedSteps(run)).toEqual([]);
    expect(probeOf(run, 'revoke')?.verdict).toMatchObject({
      kind: 'skipped',
      reason: 'an earlier write without a key was done',
    });
  });
});

describe('a server that makes what is sent without a key, and refuses what is no JSON', () => {
  const sketches = (canRemove: boolean): Sketch[] => [
    { id: 'list', at: 'GET /books', statuses: [200] },
    { id: 'make', at: 'POST /books', statuses: [201, 401], takesBody: true, isSecured: true },
    { id: 'get', at: 'GET /books/{bookId}', statuses: [200, 404] },
    ...(canRemove ? [{ id: 'remove', at: 'DELETE /books/{bookId}', statuses: [204, 404] }] : []),
  ];
  const steps = [{ name: 'make', operation: 'make', body: { title: 'Test ${runId}' }, expect: { status: 201 } }];

  async function runAt(canRemove: boolean): Promise<{ run: OwnRun; items: Map<string, unknown> }> {
    const items = new Map<string, unknown>();
    const shelf = shelfOf(items);
    let last = 0;
    const answer = (line: string, body: Record<string, unknown>): Reply => {
      if (line === 'GET /books') return { status: 200, body: [...items.values()] };
      if (!line.startsWith('POST')) return shelf(line);
      if (!('title' in body)) return { status: 401, body: {} };
      const item = { bookId: ++last, ...body };
      items.set(`/books/${last}`, item);
      return { status: 201, body: item };
    };
    return { run: await runOwn({ sketches: sketches(canRemove), steps, answer, options: { apiKey: KEY } }), items };
  }

  test('what came of that is a finding that names it, and is removed', async () => {
    const { run, items } = await runAt(true);
    expect(failedSteps(run)).toEqual([]);
    expect(probeOf(run, 'make')?.verdict).toMatchObject({
      kind: 'fail',
      findings: [{ hint: expect.stringContaining('It made /books/1') as string }],
    });
    expect(items.size).toBe(0);
    expect(run.result.leftBehind).toEqual([]);
  });

  test('where nothing removes it, both rows are told', async () => {
    const { run, items } = await runAt(false);
    expect(items.size).toBe(2);
    expect(run.result.leftBehind.map(({ url }) => url.replace(/^.*(?=\/books)/, '')).sort()).toEqual([
      '/books/1',
      '/books/2',
    ]);
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'yaml';
import { loadDescriptionText } from '../../../src/files/load-description';
import { runContract } from '../../../src/library/run-contract';
import { allSteps } from '../../../src/runner/result/outcome';
import { contractText } from '../../../src/traffic/contract/contract-text';
import { deriveContract } from '../../../src/traffic/contract/derive-contract';
import type { CleanExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { draftDescriptionText } from '../../../src/traffic/inferred/draft-text';
import { inferDescription } from '../../../src/traffic/inferred/infer-description';
import { withoutNoise } from '../../../src/traffic/noise/without-noise';
import { recordSession } from '../../support/recorded-traffic';
import { temporaryFolder } from '../../support/temporary-folder';
import { exchange, type Said } from '../recorded';

const folder = temporaryFolder();

/** What the step that reads the job says of waiting; times in milliseconds. */
function waitOf(...responses: readonly (Said & { readonly answered: unknown })[]): unknown {
  const { text } = made([
    exchange('POST /jobs', { sent: { kind: 'export' }, status: 201, answered: { id: 7, kind: 'export' } }),
    ...responses.map((said, index) => exchange('GET /jobs/7', { at: index * 1000, ...said })),
    exchange('DELETE /jobs/7', { status: 204 }),
  ]);
  const { steps } = parse(text) as { steps: { name: string; repeat?: unknown }[] };
  return steps.find(({ name }) => name.startsWith('read'))?.repeat;
}

function made(exchanges: readonly CleanExchange[]): { readonly text: string; readonly description: string } {
  const { kept, waited } = withoutNoise(exchanges);
  const description = draftDescriptionText(inferDescription(kept, { title: 'Recorded' }));
  const { api } = loadDescriptionText(description, 'recorded.yaml');
  const input = { api, exchanges: kept, waited, basePath: '', name: 'Recorded', header: [] };
  return { text: contractText(deriveContract(input).draft), description };
}

const job = (state: string, more: object = {}): { readonly answered: unknown } => ({
  answered: { id: 7, kind: 'export', state, ...more },
});

test.each([
  ['a state', [job('queued'), job('running'), job('done')], { body: { state: 'done' } }],
  [
    'a status',
    [{ status: 404, answered: {} }, { status: 404, answered: {} }, job('done')],
    { status: 200, body: { state: 'done' } },
  ],
  [
    'a state within',
    [{ answered: { job: { id: 7, status: 'open' } } }, { answered: { job: { id: 7, status: 'closed' } } }],
    { body: { job: { status: 'closed' } } },
  ],
])('a session that waits for %s makes a step that does', (_, responses, until) => {
  expect(waitOf(...responses)).toEqual({ until });
});

test('the bounds are steps beside what the session took, so that another recording has the same', () => {
  const running = (ms: number): Said & { readonly answered: unknown } => ({ ...job('running'), at: ms });
  const bounds = (...pauses: readonly number[]): unknown => {
    let at = 0;
    const asked = [running(0), ...pauses.map((pause) => running((at += pause)))];
    return waitOf(...asked.slice(0, -1), { ...job('done'), at });
  };
  const quick = { attempts: 300, intervalMs: 100 };
  expect(bounds(90, 110)).toMatchObject(quick);
  expect(bounds(110, 120, 80)).toMatchObject(quick);
  expect(bounds(20_000, 21_000)).toMatchObject({ timeoutMs: 300_000, intervalMs: 30_000 });
  expect(bounds(900, 1100)).toEqual({ until: { body: { state: 'done' } } });
});

test('what only counts says nothing of what is waited for: the last response is a step', () => {
  const counts = [1, 2, 3, 4].map((progress) => ({ answered: { id: 7, kind: 'export', progress } }));
  expect(waitOf(...counts)).toBeUndefined();
});

test('what comes later elsewhere is waited for there too', async () => {
  const recorded = await serveJobs(2);
  const session = await recordSession(
    recorded.url,
    async (send) => {
      const { body } = await send('POST', '/jobs', { kind: 'export' });
      for (let state = ''; state !== 'done';) {
        const read = await send('GET', `/jobs/${body.id}`);
        ({ state } = read.body as { state: string });
      }
      await send('GET', `/jobs/${body.id}/result`);
      await send('DELETE', `/jobs/${body.id}`);
    },
    'a-key-of-these-tests',
  );
  await recorded.close();
  const exchanges = session.map((each, index) => ({ ...each, startedAt: index * 100, endedAt: index * 100 + 5 }));
  const { text, description } = made(exchanges);
  const contracts = folder.write('jobs.yaml', text);
  const slower = await serveJobs(6);
  const options = {
    contracts,
    description: folder.write('api.yaml', description),
    mode: 'own',
    probesAuth: false,
  } as const;
  const result = await runContract({ ...options, baseUrl: slower.url, apiKey: 'k' });
  await slower.close();
  const failed = allSteps(result).filter(({ verdict }) => verdict.kind !== 'pass');
  expect(failed.map(({ name, verdict }) => [name, verdict])).toEqual([]);
  expect(result.outcome).toBe('conforms');
});

/** A service whose jobs are done when they have been read so often. */
async function serveJobs(reads: number): Promise<{ readonly url: string; close(): Promise<void> }> {
  const jobs = new Map<string, number>();
  const server = createServer((request, response) => {
    const [, , id = '', rest] = (request.url ?? '').split('/');
    const send = (status: number, body?: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    request.resume().on('end', () => {
      const done = (jobs.get(id) ?? 0) >= reads;
      if (request.method === 'POST') {
        const next = String(Math.floor(Math.random() * 1e6) + 1000);
        jobs.set(next, 0);
        send(201, { id: Number(next), kind: 'export', state: 'queued' });
      } else if (!jobs.has(id)) send(404, { error: 'not found' });
      else if (request.method === 'DELETE') {
        jobs.delete(id);
        response.writeHead(204).end();
      } else if (rest === 'result') send(done ? 200 : 409, done ? { rows: 3 } : { error: 'not done' });
      else {
        jobs.set(id, (jobs.get(id) ?? 0) + 1);
        send(200, { id: Number(id), kind: 'export', state: done ? 'done' : 'running' });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { type GenerationJob, PrismThread, type Strategy } from '../../src/prism/prism-generator';
import { responseDocument } from '../../src/prism/response-document';
import { getting, modelOf } from './weather';

const HANGS = { type: 'string', pattern: '^(x+x+)+z$', maxLength: 30 };

function job(schema: object, strategy: Strategy = 'full', seed = 'a'): GenerationJob {
  const api = modelOf({ '/it': getting('it', schema) });
  const root = api.operationById('it')!.responses.get('200')!.content[0]!.schema!;
  return { document: responseDocument(api, root), strategy, seed };
}

/** For what is not about the worker itself: to start one and load Prism takes a second. */
const thread = new PrismThread();

test('the same seed gives the same text, another seed another one', async () => {
  const schema = {
    type: 'object',
    properties: {
      count: { type: 'integer' },
      rate: { type: 'number', multipleOf: 0.01 },
      name: { type: 'string', 'x-faker': 'name.lastName' },
      words: { type: 'array', minItems: 3, items: { type: 'string' } },
    },
  };
  const first = await thread.run(job(schema));
  const other = await thread.run(job(schema, 'full', 'b'));
  const again = await thread.run(job(schema));
  const elsewhere = await new PrismThread().run(job(schema));
  expect(first.kind).toBe('made');
  expect(again).toEqual(first);
  expect(elsewhere).toEqual(first);
  expect(other).not.toEqual(first);
});

test('the strategies differ in what they put into an object', async () => {
  const schema = { type: 'object', required: ['a'], properties: { a: { type: 'boolean' }, b: { type: 'boolean' } } };
  const made = async (strategy: Strategy): Promise<unknown> => {
    const outcome = await thread.run(job(schema, strategy));
    return outcome.kind === 'made' ? (JSON.parse(outcome.text) as unknown) : outcome;
  };
  expect(await made('full')).toEqual({ a: expect.any(Boolean), b: expect.any(Boolean) });
  expect(await made('required-only')).toEqual({ a: expect.any(Boolean) });
  expect(await made('static')).toEqual({ a: true, b: true });
  expect(await made('full')).toEqual({ a: expect.any(Boolean), b: expect.any(Boolean) });
});

test('an object gets no members that its schema does not name', async () => {
  expect(await thread.run(job({ type: 'object', additionalProperties: { type: 'integer' } }))).toEqual({
    kind: 'made',
    text: '{}',
  });
});

test('a job beyond its time is stopped, and those behind it are done by a new worker', async () => {
  const impatient = new PrismThread({ jobMs: 1500 });
  const outcomes = await Promise.all([
    impatient.run(job({ type: 'boolean' })),
    impatient.run(job(HANGS)),
    impatient.run(job({ type: 'boolean' })),
    impatient.run(job(HANGS)),
    impatient.run(job({ type: 'boolean' })),
  ]);
  const stopped = { kind: 'stopped', reason: 'Prism did not finish within 1.5 s' };
  expect(outcomes).toEqual([outcomes[0], stopped, outcomes[0], stopped, outcomes[0]]);
  expect(outcomes[0].kind).toBe('made');
});

test('a worker that does not load in time is given up', async () => {
  const impatient = new PrismThread({ loadMs: 0 });
  expect(await impatient.run(job({ type: 'boolean' }))).toEqual({
    kind: 'stopped',
    reason: 'Prism could not be loaded: Prism did not finish within 0 s',
  });
});

test('a worker with nothing to do is ended, and a new one is started when there is', async () => {
  const brief = new PrismThread({ idleMs: 0 });
  const started: Worker[] = [];
  const onWorker = (worker: Worker): number => started.push(worker);
  process.on('worker', onWorker);
  const first = await brief.run(job({ type: 'boolean' }));
  await once(started[0]!, 'exit');
  expect(await brief.run(job({ type: 'boolean' }))).toEqual(first);
  process.off('worker', onWorker);
  expect(started).toHaveLength(2);
});

test('a document that Prism cannot read is rejected with its reason, and the worker goes on', async () => {
  const broken = { ...job({ type: 'boolean' }), document: { ...job({}).document, openapi: undefined as never } };
  expect(await thread.run(broken)).toEqual({ kind: 'refused', reason: expect.stringMatching(/\w/) });
  expect((await thread.run(job({ type: 'boolean' }))).kind).toBe('made');
});

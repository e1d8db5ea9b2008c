import express from 'express';
import { createMockServer } from '../../src/library/create-mock-server';
import { runContract } from '../../src/library/run-contract';
import { list, object, smallApi, text } from '../support/small-api';
import { folder, Service, run, left, type Item } from './reach-service';

test('what a client puts at a key of its own is made so, and removed', async () => {
  const service = new Service();
  service.store('flags', { id: 'theirs', on: true });
  const flag = object({ id: text, on: { type: 'boolean' }, note: text });
  const { called } = await run(service, {
    'GET /flags': { answers: { 200: list(flag) } },
    'GET /flags/{id}': { answers: { 200: flag, 404: null } },
    'PUT /flags/{id}': { body: object({ on: { type: 'boolean' }, note: text }), answers: { 200: flag, 201: flag } },
    'DELETE /flags/{id}': { answers: { 204: null, 404: null } },
  });
  expect([...called].sort()).toEqual(['DELETE /flags/{id}', 'GET /flags', 'GET /flags/{id}', 'PUT /flags/{id}']);
  expect(left(service)).toEqual([{ id: 'theirs', on: true }]);
});

test.each([undefined, 'uuid'])(
  'the body of a PUT says the key of its path wherever it says a key (%s)',
  async (format) => {
    const service = new Service();
    const bodies = new Map<string, unknown>();
    const id = format === undefined ? text : { type: 'string', format };
    const flag = object({ id, on: { type: 'boolean' } });
    const app = express();
    app.use(express.json(), (request, _, next) => {
      const { id } = (request.body ?? {}) as Item;
      if (request.method === 'PUT') bodies.set(decodeURIComponent(request.path.split('/')[2] ?? ''), id);
      next();
    });
    app.use(service.app);
    const description = folder.write(
      'keyed.json',
      smallApi({
        'GET /flags': { answers: { 200: list(flag) } },
        'GET /flags/{id}': { answers: { 200: flag, 404: null } },
        'PUT /flags/{id}': { body: { ...flag, required: ['id'] }, answers: { 200: flag, 201: flag } },
        'DELETE /flags/{id}': { answers: { 204: null, 404: null } },
      }),
    );
    const { outcome, uncalled = [] } = await runContract({ app, description, seed: 1, generate: ['lifecycle'] });
    expect([outcome, uncalled, left(service)]).toEqual(['conforms', [], []]);
    expect(bodies.size).toBeGreaterThan(2);
    expect([...bodies].filter(([key, id]) => key !== id)).toEqual([]);
  },
);

test.each([true, false])(
  'nothing is wrong at a mock of items that a PUT makes (with the key in the body: %s)',
  async (hasKey) => {
    const flag = object({ id: text, on: { type: 'boolean' }, note: text });
    const body = hasKey ? { ...flag, required: ['id'] } : object({ on: { type: 'boolean' }, note: text });
    const description = folder.write(
      'flags.json',
      smallApi({
        'GET /flags': { answers: { 200: list(flag) } },
        'GET /flags/{id}': { answers: { 200: flag, 404: null } },
        'PUT /flags/{id}': { body, answers: { 200: flag, 201: flag, 400: null } },
        'DELETE /flags/{id}': { answers: { 204: null, 404: null } },
      }),
    );
    const mock = await createMockServer({ description, auth: 'off' });
    const result = await runContract({ app: mock, description, seed: 1, auth: 'off' });
    expect(result.uncalled ?? []).toEqual([]);
    expect(result.contracts.flatMap(({ steps }) => steps).filter(({ verdict }) => verdict.kind === 'fail')).toEqual([]);
    expect(result.leftBehind).toEqual([]);
  },
);

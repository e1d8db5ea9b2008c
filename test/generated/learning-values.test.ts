import express from 'express';
import { runContract } from '../../src/library/run-contract';
import type { RunResult } from '../../src/runner/result/run-result';
import { boxesApi, type Fields, PickyServer, STYLES } from '../support/picky-server';
import { list, object, smallApi, text } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';
import { failureLines } from '../support/failure-lines';

const folder = temporaryFolder();
const description = folder.write('boxes.json', boxesApi());

const failed = (result: RunResult): string[] =>
  failureLines(result, ({ name }, { check, message }) => `${name}: ${check}: ${message}`);

/** A server of boxes that takes one value of a property, and does not say which one. */
const serverThatTakes = (field: string, value: string): PickyServer =>
  new PickyServer([(body) => (body[field] === value ? undefined : { field, message: 'is unknown' })], STYLES.sentence);

test('a value that several existing items have is sent where the server takes no other', async () => {
  const server = serverThatTakes('grade', 'qx-7');
  const others = ['one', 'two'].map((id) => ({ id, label: `Of others, ${id}`, grade: 'qx-7' }));
  for (const other of others) server.boxes.set(other.id, other);
  const result = await runContract({ app: server.app, description, seed: 1, mode: 'own', generate: ['lifecycle'] });
  expect(result.learnt?.map(({ message }) => message).join()).toContain('grade is "qx-7"');
  expect([...server.boxes.values()]).toEqual(others);
});

test('a value that one item alone has may be what tells it from all others, and is not sent', async () => {
  const server = serverThatTakes('grade', 'qx-7');
  server.boxes.set('other', { id: 'other', label: 'Of others', grade: 'qx-7' });
  await runContract({ app: server.app, description, seed: 1, mode: 'own', generate: ['lifecycle'] });
  expect(server.posted.filter(({ grade }) => grade === 'qx-7')).toEqual([]);
});

test('a secret of an existing item is not sent', async () => {
  const server = serverThatTakes('hint', 'qx-7');
  for (const id of ['one', 'two']) server.boxes.set(id, { id, label: 'Of others', hint: 'qx-7' });
  const secret = folder.write('secret.json', boxesApi({ hint: { type: 'string', format: 'password' } }));
  const result = await runContract({ app: server.app, description: secret, seed: 1, generate: ['lifecycle'] });
  expect(server.posted.length).toBeGreaterThan(1);
  expect(server.posted.filter(({ hint }) => hint === 'qx-7')).toEqual([]);
  expect(JSON.stringify(result.learnt)).not.toContain('qx-7');
});

describe('an item of another collection', () => {
  const shelf = object({ id: { type: 'string', readOnly: true }, label: text });
  const crate = object({ id: { type: 'string', readOnly: true }, label: text, place: text });
  const collection = (name: string, schema: object): Parameters<typeof smallApi>[0] => ({
    [`GET /${name}`]: { answers: { 200: list(schema) } },
    [`POST /${name}`]: { body: schema, answers: { 201: schema, 400: null, 422: null } },
    [`GET /${name}/{id}`]: { answers: { 200: schema, 404: null } },
    [`DELETE /${name}/{id}`]: { answers: { 204: null, 404: null } },
  });
  const two = folder.write(
    'crates.json',
    smallApi({ ...collection('shelves', shelf), ...collection('crates', crate) }),
  );

  test('is referred to by an item that the run created, if the server says that it does not exist', async () => {
    const stored = new Map<string, Fields>();
    const app = express();
    app.use(express.json());
    app.get('/:kind', ({ params: { kind } }, response) => {
      response.json([...stored.values()].filter(({ id }) => String(id).startsWith(kind)));
    });
    app.post('/:kind', ({ params: { kind }, body }: { params: { kind: string }; body: Fields }, response) => {
      if (kind === 'crates' && !stored.has(String(body['place']))) {
        response.status(422).json({ errors: { place: ['There is no such shelf'] } });
        return;
      }
      const made = { ...body, id: `${kind}-${stored.size + 1}-${Math.random()}` };
      stored.set(made.id, made);
      response.status(201).json(made);
    });
    app.get('/:kind/:id', ({ params: { kind, id } }, response) => {
      const thing = id.startsWith(kind) ? stored.get(id) : undefined;
      response.status(thing === undefined ? 404 : 200).json(thing ?? {});
    });
    app.delete('/:kind/:id', ({ params: { kind, id } }, response) => {
      if (id.startsWith(kind) && stored.delete(id)) response.status(204).end();
      else response.status(404).json({});
    });
    const result = await runContract({ app, description: two, seed: 1, mode: 'own', generate: ['lifecycle'] });
    expect(result.learnt).toEqual([
      {
        operation: 'POST /crates',
        message: 'refuses what the description allows: place is the key of a shelf, after 422 "There is no such shelf"',
      },
    ]);
    expect(failed(result)).toEqual([]);
    expect((result.created ?? []).filter(({ operation }) => operation === 'POST /crates').length).toBeGreaterThan(4);
    expect(stored.size).toBe(0);
    expect(result.leftBehind).toEqual([]);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { ConfigError } from '../../src/core/errors/standin-error';
import { createServerParts, type ServerHooks } from '../../src/library/create-mock-server';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import type { MockServer } from '../../src/server/mock-server';
import { smallApi } from '../support/small-api';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder';

const NOTE = {
  type: 'object',
  required: ['id', 'text'],
  properties: {
    id: { type: 'integer', readOnly: true },
    text: { type: 'string' },
    pin: { type: 'string', writeOnly: true },
  },
};
const KEY = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };
export const API = smallApi(
  {
    'GET /notes': { answers: { 200: { type: 'array', items: { $ref: '#/components/schemas/Note' } } } },
    'POST /notes': {
      body: { $ref: '#/components/schemas/Note' },
      answers: { 201: { $ref: '#/components/schemas/Note' } },
      parameters: [KEY],
    },
    'GET /notes/{id}': { answers: { 200: { $ref: '#/components/schemas/Note' } } },
    'DELETE /notes/{id}': { answers: { 204: null } },
  },
  { Note: NOTE },
  { id: { type: 'integer' } },
);

export let folder: TemporaryFolder;
export let place: string;
export const open = new Set<MockServer>();
beforeEach(() => {
  folder = temporaryFolder();
  place = folder.file('store');
});
afterEach(async () => {
  for (const app of open) await app.closeStore();
  open.clear();
});

/** A mock that goes on with the folder. */
export async function start(options: CreateMockServerOptions = {}, hooks: ServerHooks = {}): Promise<MockServer> {
  const description: unknown = JSON.parse(API);
  const { app } = await createServerParts(
    { description: description as object, state: 'empty', auth: 'off', store: `file:${place}`, ...options },
    hooks,
  );
  open.add(app);
  return app;
}

export async function stop(app: MockServer): Promise<void> {
  open.delete(app);
  await app.closeStore();
}

/** Ends a mock as a crash does: nothing is written any more, and the lock stays behind. */
export function crash(app: MockServer): void {
  open.delete(app);
  writeFileSync(join(place, 'lock'), JSON.stringify({ ...lockOf(), pid: 1, began: 'long ago' }));
}

const lockOf = (): Record<string, unknown> =>
  JSON.parse(readFileSync(join(place, 'lock'), 'utf8')) as Record<string, unknown>;

export const post = (app: MockServer, text: string, headers: Record<string, string> = {}): request.Test =>
  request(app).post('/notes').set(headers).send({ text });
export const texts = async (app: MockServer, headers: Record<string, string> = {}): Promise<string[]> => {
  const { body } = await request(app).get('/notes').set(headers).expect(200);
  return (body as { text: string }[]).map(({ text }) => text);
};

export async function refusal(options: CreateMockServerOptions = {}): Promise<ConfigError> {
  const error: unknown = await start(options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return error as ConfigError;
}

import express, { type Express } from 'express';
import { runContract } from '../../src/library/run-contract';
import type { RunResult } from '../../src/runner/result/run-result';
import { list, object, smallApi, text } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const note = object({ id: text, title: text });

const API = smallApi({
  'GET /teams': { answers: { 200: list(object({ name: text, size: { type: 'integer' } })) } },
  'GET /teams/{team}/notes': { answers: { 200: list(note) } },
  'POST /teams/{team}/notes': { body: object({ title: text }), answers: { 201: note, 400: null } },
  'GET /teams/{team}/notes/{id}': { answers: { 200: note, 404: null } },
  'DELETE /teams/{team}/notes/{id}': { answers: { 204: null, 404: null } },
  'GET /teams/{team}/summary': { answers: { 200: object({ notes: { type: 'integer' } }), 404: null } },
  'GET /teams/{team}/archive': { answers: { 200: note } },
  'GET /logout': { answers: { 204: null } },
  'GET /search': {
    parameters: [{ name: 'q', in: 'query', required: true, schema: text }],
    answers: { 200: list(note) },
  },
});

/** Teams that no request makes, with a note of somebody else each. */
class Teams {
  readonly calls: string[] = [];
  readonly notes = new Map([
    ['red/1', { id: '1', title: 'of somebody else' }],
    ['blue/2', { id: '2', title: 'of somebody else' }],
  ]);

  get app(): Express {
    const app = express();
    app.use(express.json({ strict: false }));
    app.use((request, _, next) => {
      this.calls.push(`${request.method} ${request.path}`);
      next();
    });
    app.get(
      '/teams',
      (_, response) =>
        void response.json([
          { name: 'red', size: 3 },
          { name: 'blue', size: 2 },
        ]),
    );
    app.get('/search', ({ query }, response) => {
      response.status(query['q'] === undefined ? 400 : 200).json([...this.notes.values()]);
    });
    app.use('/teams/:team', ({ params: { team } }, response, next) => {
      if (team === 'red' || team === 'blue') next();
      else response.status(404).json({});
    });
    app.get('/teams/:team/summary', (_, response) => void response.json({ notes: this.notes.size }));
    app.get('/teams/:team/notes', ({ params: { team } }, response) => {
      response.json([...this.notes].flatMap(([key, each]) => (key.startsWith(`${team}/`) ? [each] : [])));
    });
    app.post('/teams/:team/notes', ({ params: { team }, body }, response) => {
      const { title } = (body ?? {}) as { title?: unknown };
      if (typeof title !== 'string') return void response.status(400).json({});
      const made = { id: String(this.calls.length), title };
      this.notes.set(`${team}/${made.id}`, made);
      response.status(201).json(made);
    });
    app.get('/teams/:team/notes/:id', ({ params: { team, id } }, response) => {
      const found = this.notes.get(`${team}/${id}`);
      response.status(found === undefined ? 404 : 200).json(found ?? {});
    });
    app.delete('/teams/:team/notes/:id', ({ params: { team, id } }, response) => {
      response.status(this.notes.delete(`${team}/${id}`) ? 204 : 404).end();
    });
    return app;
  }
}

async function run(teams: Teams, within?: Record<string, string>): Promise<RunResult> {
  const description = folder.write('teams.json', API);
  return runContract({ app: teams.app, description, seed: 1, auth: 'off', within, generate: ['lifecycle', 'lists'] });
}

test('below what the run cannot make it reads what a list shows, and makes nothing', async () => {
  const teams = new Teams();
  const { uncalled = [], outcome } = await run(teams);
  expect(outcome).not.toBe('violations');
  expect(teams.calls).toEqual(
    expect.arrayContaining(['GET /teams/red/notes', 'GET /teams/red/notes/1', 'GET /teams/red/summary', 'GET /search']),
  );
  expect(teams.calls.filter((call) => !call.startsWith('GET '))).toEqual([]);
  expect(uncalled.map(({ operation }) => operation)).toEqual([
    'POST /teams/{team}/notes',
    'DELETE /teams/{team}/notes/{id}',
    'GET /teams/{team}/archive',
    'GET /logout',
  ]);
  expect(uncalled.at(-1)?.reason).toBe('does something, by the words of its path, though it is a GET');
  expect(uncalled[0]?.reason).toContain('--within team=red allows that');
});

test('below what its user named the run makes something, and removes it', async () => {
  const teams = new Teams();
  const { uncalled = [], created = [] } = await run(teams, { team: 'blue' });
  expect(uncalled.map(({ operation }) => operation)).toEqual(['GET /teams/{team}/archive', 'GET /logout']);
  expect(created.length).toBeGreaterThan(2);
  expect([...teams.notes.keys()]).toEqual(['red/1', 'blue/2']);
  expect(teams.calls.filter((call) => /^(?:POST|DELETE) \/teams\/red/.test(call))).toEqual([]);
});

test('one list without items, a redirect and a text like a placeholder keep no other read from being sent', async () => {
  const calls: string[] = [];
  const app = express();
  app.use(({ path }, response) => {
    calls.push(path);
    if (path === '/files') response.json([{ name: 'f1' }]);
    else if (path === '/empties') response.json([]);
    else if (path.endsWith('/raw')) response.redirect(302, '/elsewhere');
    else response.json({ size: 1 });
  });
  const named = list(object({ name: text, kind: text }));
  const answers = { 200: object({ size: { type: 'integer' } }) };
  const example = { name: 'plan', in: 'path', required: true, schema: text, example: '${fileId}' };
  const description = folder.write(
    'reads.json',
    smallApi({
      'GET /empties': { answers: { 200: named } },
      'GET /empties/{empty}/meta': { answers },
      'GET /files': { answers: { 200: named } },
      'GET /files/{file}/meta': { answers },
      'GET /files/{file}/raw': { answers: { ...answers, 302: null } },
      'GET /plans/{plan}/size': { answers, parameters: [example] },
    }),
  );
  const { outcome } = await runContract({ app, description, seed: 1, auth: 'off', generate: ['lists'] });
  expect(outcome).toBe('conforms');
  expect(calls).toEqual(expect.arrayContaining(['/files/f1/meta', '/files/f1/raw', '/plans/%24%7BfileId%7D/size']));
  expect(calls.filter((path) => path.startsWith('/empties/'))).toEqual([]);
});

import express, { type Express, type Request, type Response } from 'express';
import type { JsonObject } from './checks';

/** What can be wrong with the server, each for the law that it breaks. */
export const BUGS = {
  'refuses what is valid': 'create',
  'does not find what it created': 'read',
  'forgets a property': 'echo',
  'lists nothing new': 'list',
  'repeats the first page': 'pages',
  'ignores the limit': 'page size',
  'cuts a list without a way on': 'not cut',
  'changes another property': 'change',
  'empties what PUT cannot say': 'replace keeps',
  'keeps what was removed': 'remove',
  'answers a number as a time': 'valid',
  'shows days that no calendar has': 'usable values',
  'fails at an empty body': 'no 5xx',
  'never answers a list': 'no hang',
} as const;

export type Bug = keyof typeof BUGS;

const NOTE = {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'integer', readOnly: true },
    title: { type: 'string' },
    stars: { type: 'integer', minimum: 0, maximum: 9 },
    created: { type: 'string', format: 'date-time', readOnly: true },
    day: { type: 'string', example: '2026-02-03', readOnly: true },
  },
};
const SENT = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' }, stars: { type: 'integer', minimum: 0, maximum: 9 } },
};
const json = (schema: object): object => ({ description: 'ok', content: { 'application/json': { schema } } });
const number = (name: string): object => ({ name, in: 'query', schema: { type: 'integer' } });
const id = [{ name: 'noteId', in: 'path', required: true, schema: { type: 'integer' } }];
const requestBody = { required: true, content: { 'application/json': { schema: SENT } } };

/** Notes that are listed in pages, and tags whose list has a limit and no way on. */
export const DESCRIPTION: JsonObject = {
  openapi: '3.0.3',
  info: { title: 'Notes', version: '1' },
  paths: {
    '/notes': {
      get: { parameters: [number('limit'), number('page')], responses: { 200: json({ type: 'array', items: NOTE }) } },
      post: { requestBody, responses: { 201: json(NOTE) } },
    },
    '/notes/{noteId}': {
      parameters: id,
      get: { responses: { 200: json(NOTE), 404: { description: 'not found' } } },
      patch: {
        requestBody: { content: { 'application/json': { schema: { ...SENT, required: [] } } } },
        responses: { 200: json(NOTE) },
      },
      put: { requestBody, responses: { 200: json(NOTE) } },
      delete: { responses: { 204: { description: 'gone' } } },
    },
    '/tags': { get: { parameters: [number('limit')], responses: { 200: json({ type: 'array', items: NOTE }) } } },
    '/tags/{id}': { get: { parameters: [{ ...id[0], name: 'id' }], responses: { 200: json(NOTE) } } },
  },
};

/** An honest server of `DESCRIPTION`, but for one bug. */
export function createNotes(bug?: Bug): Express {
  const has = (one: Bug): boolean => bug === one;
  const app = express();
  const notes = new Map<number, JsonObject>();
  const tags = [1, 2, 3].map((tag) => show({ id: tag, title: `tag ${tag}` }));
  app.use(express.json({ type: () => true }));
  app.post('/notes', (request, response) => {
    const sent = readSent(request, response);
    if (sent === undefined) return;
    if (has('refuses what is valid')) response.sendStatus(400);
    else {
      const note = {
        ...show({ id: notes.size + 1, ...sent }),
        ...(has('forgets a property') ? { title: 'another' } : {}),
      };
      notes.set(note.id, note);
      response.status(201).json(note);
    }
  });
  app.get('/notes', (request, response) => {
    if (has('never answers a list')) return;
    const all = has('lists nothing new') ? [] : [...notes.values()];
    const limit = has('ignores the limit') ? 100 : Number(request.query['limit'] ?? 100);
    const page =
      has('repeats the first page') && request.query['page'] === '2' ? 1 : Number(request.query['page'] ?? 1);
    if (limit < 1) response.sendStatus(400);
    else response.json(all.slice((page - 1) * limit, page * limit));
  });
  app.get('/tags', (request, response) => {
    response.json(has('cuts a list without a way on') ? tags.slice(0, Number(request.query['limit'] ?? 3)) : tags);
  });
  app.get('/tags/:id', (request, response) => {
    answerFound(response, tags[Number(request.params.id) - 1]);
  });
  app.get('/notes/:id', (request, response) => {
    answerFound(response, has('does not find what it created') ? undefined : notes.get(Number(request.params.id)));
  });
  app.patch('/notes/:id', (request, response) => {
    const sent = readSent(request, response);
    if (sent === undefined) return;
    store(request, response, { ...sent, ...(has('changes another property') ? { stars: 9 } : {}) });
  });
  app.put('/notes/:id', (request, response) => {
    const sent = readSent(request, response);
    if (sent === undefined) return;
    store(request, response, {
      ...sent,
      ...(has('empties what PUT cannot say') ? { created: undefined, day: undefined } : {}),
    });
  });
  app.delete('/notes/:id', (request, response) => {
    if (!has('keeps what was removed')) notes.delete(Number(request.params.id));
    response.sendStatus(204);
  });
  app.use((_error: unknown, _request: Request, response: Response, _next: unknown) => void response.sendStatus(400));
  return app;

  function show(note: JsonObject & { readonly id: number }): JsonObject & { readonly id: number } {
    const day = has('shows days that no calendar has') ? '8497-09-83' : '2026-03-04';
    const shown = { created: '2026-03-04T05:06:07Z', day, ...note };
    return has('answers a number as a time') ? { ...shown, created: 4 } : shown;
  }

  function readSent(request: Request, response: Response): JsonObject | undefined {
    const body: unknown = request.body;
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as JsonObject;
    response.sendStatus(has('fails at an empty body') ? 500 : 400);
    return undefined;
  }

  function store(request: Request, response: Response, change: JsonObject): void {
    const found = notes.get(Number(request.params['id']));
    if (found !== undefined) notes.set(Number(request.params['id']), { ...found, ...change });
    answerFound(response, notes.get(Number(request.params['id'])));
  }
}

function answerFound(response: Response, found: JsonObject | undefined): void {
  if (found === undefined) response.sendStatus(404);
  else response.json(found);
}

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
  'ignores a filter': 'filter',
  'counts one too many': 'total',
  'forgets an action': 'act',
  'never ends a job': 'ready',
  'names another parent': 'belongs',
  'forgets what was put to another': 'relate',
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
const JOB = {
  type: 'object',
  required: ['id', 'status'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    status: { type: 'string', enum: ['pending', 'done', 'cancelled'], readOnly: true },
  },
};
const COMMENT = {
  type: 'object',
  properties: {
    id: { type: 'integer', readOnly: true },
    noteId: { type: 'integer', readOnly: true },
    text: { type: 'string' },
  },
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
      get: {
        parameters: [number('limit'), number('page'), number('stars')],
        responses: { 200: json({ type: 'array', items: NOTE }) },
      },
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
    '/notes/{noteId}/tags': { get: { parameters: id, responses: { 200: json({ type: 'array', items: NOTE }) } } },
    '/notes/{noteId}/tags/{tagId}': {
      parameters: [...id, { ...id[0], name: 'tagId' }],
      put: { responses: { 204: { description: 'put' } } },
      delete: { responses: { 204: { description: 'taken off' } } },
    },
    '/notes/{noteId}/comments': {
      parameters: id,
      get: { responses: { 200: json({ type: 'array', items: COMMENT }) } },
      post: {
        requestBody: { content: { 'application/json': { schema: COMMENT } } },
        responses: { 201: json(COMMENT) },
      },
    },
    '/notes/{noteId}/comments/{id}': {
      get: { parameters: [...id, { ...id[0], name: 'id' }], responses: { 200: json(COMMENT) } },
    },
    '/jobs': {
      get: {
        responses: {
          200: json({
            type: 'object',
            properties: { jobs: { type: 'array', items: JOB }, total: { type: 'integer' } },
          }),
        },
      },
      post: { requestBody: { content: { 'application/json': { schema: JOB } } }, responses: { 201: json(JOB) } },
    },
    '/jobs/{id}': { get: { parameters: [{ ...id[0], name: 'id' }], responses: { 200: json(JOB) } } },
    '/jobs/{id}/cancel': { post: { parameters: [{ ...id[0], name: 'id' }], responses: { 200: json(JOB) } } },
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
    if (has('refuses what is valid') || sent['title'] === undefined) response.sendStatus(400);
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
    const stars = has('ignores a filter') ? undefined : request.query['stars'];
    const all = (has('lists nothing new') ? [] : [...notes.values()]).filter(
      (note) => stars === undefined || String(note['stars']) === stars,
    );
    const limit = has('ignores the limit') ? 100 : Number(request.query['limit'] ?? 100);
    const page =
      has('repeats the first page') && request.query['page'] === '2' ? 1 : Number(request.query['page'] ?? 1);
    if (limit < 1) response.sendStatus(400);
    else response.json(all.slice((page - 1) * limit, page * limit));
  });
  app.get('/tags', (request, response) => {
    response.json(has('cuts a list without a way on') ? tags.slice(0, Number(request.query['limit'] ?? 3)) : tags);
  });
  const put = new Map<string, Set<string>>();
  app.get('/notes/:id/tags', (request, response) => {
    response.json(tags.filter((tag) => put.get(request.params.id)?.has(String(tag.id))));
  });
  app.put('/notes/:id/tags/:tag', ({ params }, response) => {
    if (!has('forgets what was put to another')) put.set(params.id, new Set(put.get(params.id)).add(params.tag));
    response.sendStatus(204);
  });
  app.delete('/notes/:id/tags/:tag', ({ params }, response) => {
    put.get(params.id)?.delete(params.tag);
    response.sendStatus(204);
  });
  const comments: (JsonObject & { readonly noteId: number })[] = [];
  app.get('/notes/:id/comments', (request, response) => {
    response.json(comments.filter(({ noteId }) => String(noteId) === request.params.id));
  });
  app.post('/notes/:id/comments', (request, response) => {
    const sent = readSent(request, response);
    if (sent === undefined) return;
    const comment = { ...sent, id: comments.length + 1, noteId: Number(request.params.id) };
    comments.push(comment);
    response.status(201).json(has('names another parent') ? { ...comment, noteId: 99 } : comment);
  });
  app.get('/notes/:id/comments/:comment', (request, response) => {
    answerFound(response, comments[Number(request.params.comment) - 1]);
  });
  const jobs: JsonObject[] = [];
  app.get('/jobs', (_request, response) => {
    response.json({ jobs, total: jobs.length + (has('counts one too many') ? 1 : 0) });
  });
  app.post('/jobs', (request, response) => {
    const sent = readSent(request, response);
    if (sent === undefined) return;
    const job = { ...sent, id: jobs.length + 1, status: 'pending' };
    jobs.push(job);
    response.status(201).json(job);
  });
  app.get('/jobs/:id', (request, response) => {
    const index = Number(request.params.id) - 1;
    if (jobs[index]?.['status'] === 'pending' && !has('never ends a job'))
      jobs[index] = { ...jobs[index], status: 'done' };
    answerFound(response, jobs[index]);
  });
  app.post('/jobs/:id/cancel', (request, response) => {
    const index = Number(request.params.id) - 1;
    if (jobs[index] !== undefined && !has('forgets an action')) jobs[index] = { ...jobs[index], status: 'cancelled' };
    answerFound(response, jobs[index]);
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

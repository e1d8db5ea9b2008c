import express, { type Express, type Request, type Response } from 'express';
import type { JsonObject } from './checks';

/** What can be wrong with the server, each for the law that it breaks. */
export const DESK_BUGS = {
  'forgets one of a batch': 'batch',
  'takes no batch': 'batch',
  'changes all with a batch': 'batch',
  'forgets what a batch changes': 'batch',
  'archives all with a batch': 'batch',
  'keeps what a batch archives': 'batch',
  'removes all by a list of keys': 'batch',
  'forgets an upload': 'content',
  'takes octets for text': 'content',
  'gives back the first content': 'content',
  'forgets a member': 'relate',
  'finds no member that is there': 'relate',
  'keeps a member that was taken off': 'relate',
  'forgets the other end': 'relate',
  'removes a member with its place': 'relate',
} as const;

export type DeskBug = keyof typeof DESK_BUGS;

/** What a description leaves open, each for the law that must allow it. */
export const DESK_VARIANTS = {
  'says nothing after a batch': 'batch',
  'works off a batch later': 'batch',
  'marks what is archived': 'batch',
  'keeps uploads elsewhere': 'content',
  'refuses files of other types': 'content',
  'takes a member twice for a conflict': 'relate',
} as const;

export type DeskVariant = keyof typeof DESK_VARIANTS;

const CARD = {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'integer', readOnly: true },
    title: { type: 'string' },
    archived: { type: 'boolean', readOnly: true },
  },
};
const TITLE = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } };
const FILE = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', readOnly: true }, label: { type: 'string' } },
};
const GROUP = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
};
const READER = { type: 'object', properties: { card_id: { type: 'integer' }, role: { type: 'string' } } };
const LETTER = {
  type: 'object',
  required: ['content'],
  properties: { id: { type: 'integer', readOnly: true }, content: { type: 'string', format: 'byte' } },
};

const json = (schema: object): object => ({ description: 'ok', content: { 'application/json': { schema } } });
const list = (items: object): object => ({ get: { responses: { 200: json({ type: 'array', items }) } } });
const takes = (schema: object, mediaType = 'application/json'): object => {
  return { required: true, content: { [mediaType]: { schema } } };
};
const inputs = (items: object): object => {
  return takes({ type: 'object', required: ['inputs'], properties: { inputs: { type: 'array', items } } });
};
const variable = (name: string): object => ({ name, in: 'path', required: true, schema: { type: 'integer' } });
const done = { 204: { description: 'done' } };
const octets = {
  description: 'ok',
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};
const keys = takes({
  type: 'object',
  required: ['card_ids'],
  properties: { card_ids: { type: 'array', items: { type: 'integer' } } },
});

/** Cards that are made by the dozen, files, and groups that cards and readers are put to. */
export const DESK: JsonObject = {
  openapi: '3.0.3',
  info: { title: 'Desk', version: '1' },
  paths: {
    '/cards': {
      ...list(CARD),
      post: { requestBody: takes(TITLE), responses: { 201: json(CARD) } },
      delete: { requestBody: takes({ type: 'array', items: { type: 'integer' } }), responses: done },
    },
    '/cards/{cardId}': { get: { parameters: [variable('cardId')], responses: { 200: json(CARD) } } },
    '/cards/batch/create': {
      post: {
        requestBody: inputs(TITLE),
        responses: {
          201: json({ type: 'object', properties: { results: { type: 'array', items: CARD } } }),
          202: { description: 'later' },
        },
      },
    },
    '/cards/bulk': {
      patch: {
        requestBody: takes({
          type: 'array',
          items: {
            type: 'object',
            required: ['id'],
            properties: { id: { type: 'integer' }, title: { type: 'string' } },
          },
        }),
        responses: done,
      },
    },
    '/cards/batch/archive': {
      post: { requestBody: inputs({ type: 'object', properties: { id: { type: 'integer' } } }), responses: done },
    },
    '/cards/{cardId}/groups': { get: { parameters: [variable('cardId')], ...(list(GROUP) as { get: object }).get } },
    '/files': {
      ...list(FILE),
      post: {
        requestBody: takes(
          {
            type: 'object',
            required: ['file', 'label'],
            properties: { file: { type: 'string', format: 'binary' }, label: { type: 'string' } },
          },
          'multipart/form-data',
        ),
        responses: { 201: json(FILE) },
      },
    },
    '/files/{fileId}': { get: { parameters: [variable('fileId')], responses: { 200: json(FILE) } } },
    '/files/{fileId}/content': {
      parameters: [variable('fileId')],
      get: { responses: { 200: octets, 302: { description: 'elsewhere' } } },
      put: { requestBody: takes({ type: 'string', format: 'binary' }, 'application/octet-stream'), responses: done },
    },
    '/letters': { ...list(LETTER), post: { requestBody: takes(LETTER), responses: { 201: json(LETTER) } } },
    '/letters/{id}': { get: { parameters: [variable('id')], responses: { 200: json(LETTER) } } },
    '/letters/{id}/download': {
      get: { parameters: [variable('id')], responses: { 200: octets, 302: { description: 'elsewhere' } } },
    },
    '/groups': { ...list(GROUP), post: { requestBody: takes(GROUP), responses: { 201: json(GROUP) } } },
    '/groups/{groupId}': { get: { parameters: [variable('groupId')], responses: { 200: json(GROUP) } } },
    '/groups/{groupId}/cards': {
      parameters: [variable('groupId')],
      ...list(CARD),
      post: { requestBody: keys, responses: done },
      delete: { requestBody: keys, responses: done },
    },
    '/groups/{groupId}/readers': { parameters: [variable('groupId')], ...list(READER) },
    '/groups/{groupId}/readers/add': {
      post: { parameters: [variable('groupId')], requestBody: takes(READER), responses: done },
    },
    '/groups/{groupId}/readers/remove': {
      post: {
        parameters: [variable('groupId')],
        requestBody: takes({ type: 'object', properties: { card_id: { type: 'integer' } } }),
        responses: done,
      },
    },
  },
};

interface Thing extends JsonObject {
  readonly id: number;
}

/** An honest server of `DESK`, but for one bug, or one of several that are honest. */
export function createDesk(way?: DeskBug | DeskVariant): Express {
  const has = (one: DeskBug | DeskVariant): boolean => way === one;
  const app = express();
  app.use(express.raw({ type: ['multipart/form-data', 'application/octet-stream'] }), express.json({ strict: false }));
  const [cards, files, letters, groups] = Array.from({ length: 4 }, () => new Map<number, Thing>());
  const contents = new Map<string, Buffer>();
  const members = new Map<string, Set<number>>();
  let last = 0;
  const make = (into: Map<number, Thing>, sent: JsonObject): Thing => {
    const thing = { ...sent, id: (last += 1) };
    into.set(thing.id, thing);
    return thing;
  };
  const removeOrMark = (key: number): void => {
    const card = cards!.get(key);
    if (has('marks what is archived') && card !== undefined) cards!.set(key, { ...card, archived: true });
    else cards!.delete(key);
  };
  const keep = (key: string, content: Buffer): void => {
    if (has('gives back the first content') && contents.has(key)) return;
    contents.set(key, has('takes octets for text') ? Buffer.from(content.toString()) : content);
  };

  for (const [path, things] of Object.entries({ cards, files, letters, groups }) as [string, Map<number, Thing>][]) {
    app.get(`/${path}`, (_request, response) => void response.json([...things.values()]));
    app.get(`/${path}/:id`, ({ params }, response) => {
      const found = things.get(Number(params.id));
      if (found === undefined) response.sendStatus(404);
      else response.json(found);
    });
  }
  for (const [path, things] of [
    ['cards', cards!],
    ['groups', groups!],
  ] as const) {
    app.post(`/${path}`, ({ body }, response) => {
      const sent = body as JsonObject | undefined;
      const isFit = path === 'groups' ? typeof sent === 'object' : typeof sent?.['title'] === 'string';
      if (isFit) response.status(201).json(make(things, sent!));
      else response.sendStatus(400);
    });
  }
  app.post('/cards/batch/create', (request, response) => {
    if (has('takes no batch')) return void response.sendStatus(404);
    if (has('works off a batch later')) return void response.sendStatus(202);
    const { inputs: sent } = request.body as { inputs: JsonObject[] };
    const results = sent.map((one) => make(cards!, one));
    if (has('forgets one of a batch')) cards!.delete(results[1]!.id);
    if (has('says nothing after a batch')) response.status(201).json({});
    else response.status(201).json({ results });
  });
  app.patch('/cards/bulk', (request, response) => {
    const sent = request.body as Thing[];
    const changes = has('changes all with a batch') ? [...cards!.keys()].map((id) => ({ ...sent[0]!, id })) : sent;
    if (!has('forgets what a batch changes'))
      for (const change of changes) cards!.set(change.id, { ...cards!.get(change.id), ...change });
    response.sendStatus(204);
  });
  app.post('/cards/batch/archive', (request, response) => {
    const { inputs: sent } = request.body as { inputs: Thing[] };
    const gone = has('archives all with a batch') ? [...cards!.keys()] : sent.map(({ id }) => id);
    if (!has('keeps what a batch archives')) for (const key of gone) removeOrMark(key);
    response.sendStatus(204);
  });
  app.delete('/cards', (request, response) => {
    const gone = has('removes all by a list of keys') ? [...cards!.keys()] : (request.body as number[]);
    for (const key of gone) cards!.delete(key);
    response.sendStatus(204);
  });
  app.post('/files', (request, response) => {
    if (has('refuses files of other types') || !Buffer.isBuffer(request.body)) return void response.sendStatus(415);
    const parts = readForm(request.body, String(request.headers['content-type']));
    const file = make(files!, { label: String(parts.get('label')) });
    keep(`files/${file.id}`, parts.get('file')!);
    if (has('forgets an upload')) files!.delete(file.id);
    response.status(201).json(file);
  });
  app.put('/files/:id/content', (request, response) => {
    keep(`files/${request.params.id}`, request.body as Buffer);
    response.sendStatus(204);
  });
  app.post('/letters', (request, response) => {
    const sent = request.body as JsonObject | undefined;
    if (typeof sent?.['content'] !== 'string') return void response.sendStatus(400);
    const letter = make(letters!, sent);
    keep(`letters/${letter.id}`, Buffer.from(String(letter['content']), 'base64'));
    response.status(201).json(letter);
  });
  app.get(['/:kind/:id/content', '/:kind/:id/download'], ({ params }, response) => {
    const content = contents.get(`${String(params['kind'])}/${String(params['id'])}`);
    if (has('keeps uploads elsewhere')) response.redirect('https://files.example.com/1');
    else if (content === undefined) response.sendStatus(404);
    else response.type('application/octet-stream').send(content);
  });

  const change = (place: string, key: number, isThere: boolean): void => {
    const set = members.get(place) ?? new Set();
    if (isThere && !has('forgets a member')) set.add(key);
    else if (!has('keeps a member that was taken off')) set.delete(key);
    if (!isThere && has('removes a member with its place')) cards!.delete(key);
    members.set(place, set);
  };
  const isRefused = (place: string, key: number): boolean =>
    has('finds no member that is there') ||
    (has('takes a member twice for a conflict') && members.get(place)?.has(key) === true);
  app.get('/groups/:id/cards', ({ params }, response) => {
    response.json([...cards!.values()].filter(({ id }) => members.get(`cards ${params.id}`)?.has(id)));
  });
  app.get('/cards/:id/groups', ({ params }, response) => {
    const isIn = (group: Thing): boolean => members.get(`cards ${group.id}`)?.has(Number(params.id)) === true;
    response.json(has('forgets the other end') ? [] : [...groups!.values()].filter(isIn));
  });
  for (const method of ['post', 'delete'] as const) {
    app[method]('/groups/:id/cards', (request, response) => {
      const place = `cards ${request.params.id}`;
      const { card_ids } = request.body as { card_ids: number[] };
      if (method === 'post' && card_ids.some((key) => isRefused(place, key)))
        return void response.status(has('finds no member that is there') ? 404 : 409).end();
      for (const key of card_ids) change(place, key, method === 'post');
      response.sendStatus(204);
    });
  }
  app.get('/groups/:id/readers', ({ params }, response) => {
    response.json([...(members.get(`readers ${params.id}`) ?? [])].map((card_id) => ({ card_id, role: 'any' })));
  });
  app.post('/groups/:id/readers/:verb', (request, response) => {
    const { card_id } = request.body as { card_id: number };
    change(`readers ${request.params.id}`, card_id, request.params.verb === 'add');
    response.sendStatus(204);
  });
  app.use((_error: unknown, _request: Request, response: Response, _next: unknown) => void response.sendStatus(400));
  return app;
}

/** The parts of a form, by their names. */
function readForm(body: Buffer, mediaType: string): Map<string, Buffer> {
  const [, boundary = ''] = /boundary=(.+)$/.exec(mediaType) ?? [];
  const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1);
  return new Map(
    parts.map((part) => {
      const at = part.indexOf('\r\n\r\n');
      const [, name = ''] = /name="([^"]*)"/.exec(part.slice(0, at)) ?? [];
      return [name, Buffer.from(part.slice(at + 4, -2), 'latin1')];
    }),
  );
}

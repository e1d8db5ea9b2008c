import express, { type Request, type Response } from 'express';
import { type Peer, startPeer } from '../runner/peer';
import { json, ref } from './small-api';

/** Whom a service lets do what with the files of others. */
export type Manner =
  | 'shared'
  | 'reader'
  | 'mixed'
  | 'hidden'
  | 'forbidden'
  | 'hidden-no-op'
  | 'spaces'
  | 'writer'
  | 'hidden-writer'
  | 'hidden-changer'
  | 'lister'
  | 'creator'
  | 'nothing'
  | 'late';

/** What a service forgets to judge. */
export type Hole =
  | 'removes'
  | 'changes'
  | 'replaces'
  | 'lists'
  | 'tells'
  | 'replays'
  | 'does-all-the-same'
  | 'lets-in-expired'
  /** Says in its errors with which key it was asked. */
  | 'echoes';

interface Stored {
  readonly id: number;
  readonly owner: string;
  /** How often other callers have read it. */
  otherReads: number;
  title: string;
  note: string;
}

type Answer = readonly [status: number, body?: object];
type Act = (file: Stored) => Answer;
type Action = 'read' | 'list' | 'create' | 'replace' | 'change' | 'remove';

/** Of things of others; what is not said is refused with the first one. */
const RIGHTS: Readonly<Record<Manner, { readonly refusal: number; readonly may: readonly Action[] }>> = {
  shared: { refusal: 403, may: ['read', 'list', 'create', 'replace', 'change', 'remove'] },
  late: { refusal: 404, may: ['read', 'list', 'create', 'replace', 'change', 'remove'] },
  reader: { refusal: 403, may: ['read', 'list'] },
  mixed: { refusal: 403, may: ['read', 'list', 'create', 'replace'] },
  hidden: { refusal: 404, may: ['create'] },
  'hidden-no-op': { refusal: 404, may: ['create'] },
  spaces: { refusal: 404, may: ['create'] },
  forbidden: { refusal: 403, may: ['create'] },
  writer: { refusal: 403, may: ['create', 'replace', 'change', 'remove'] },
  'hidden-writer': { refusal: 404, may: ['create', 'replace', 'change', 'remove'] },
  'hidden-changer': { refusal: 404, may: ['replace', 'change', 'remove'] },
  lister: { refusal: 403, may: ['list'] },
  creator: { refusal: 403, may: ['create'] },
  nothing: { refusal: 403, may: [] },
};

/** Manners that are about what a key may do, whosever the thing is. */
const OF_ROLES: ReadonlySet<Manner> = new Set([
  'reader',
  'mixed',
  'writer',
  'hidden-writer',
  'hidden-changer',
  'lister',
  'creator',
  'nothing',
]);

/** How many reads of another caller miss a new file: his replica gets it later. */
const LATE_READS = 2;

/** A small service of files, each of the caller who made it: the keys are `key-of-NAME`, and `key-of-expired` is none any more. */
export class Archive {
  readonly files = new Map<string, Stored>();
  /** Method, path, caller and status of each request. */
  readonly log: string[] = [];
  private readonly manner: Manner;
  private readonly holes: ReadonlySet<Hole>;
  private readonly counters = new Map<string, number>();
  private readonly answered = new Map<string, { readonly status: number; readonly body: object }>();

  constructor(manner: Manner, ...holes: readonly Hole[]) {
    this.manner = manner;
    this.holes = new Set(holes);
  }

  listen(): Promise<Peer> {
    const app = express();
    app.disable('x-powered-by');
    app.set('etag', false);
    app.use(express.json({ strict: false }));
    app.use((error: Error, request: Request, response: Response, next: () => void) => {
      if (this.callerOf(request) === undefined) this.unknown(response);
      else if (error.name === 'SyntaxError') problem(response, 400, 'malformed');
      else next();
    });
    app.use((request, response, next) => {
      const caller = this.callerOf(request);
      response.on('finish', () =>
        this.log.push(`${caller ?? '-'} ${request.method} ${request.path} ${response.statusCode}`),
      );
      if (caller === undefined) this.unknown(response);
      else {
        response.locals['caller'] = caller;
        next();
      }
    });
    app.get('/files', (_, response) => {
      this.list(response);
    });
    app.post('/files', (request, response) => {
      this.create(request, response);
    });
    app.get('/files/:id', (request, response) => {
      this.at(request, response, 'read', (file) => [200, shown(file)]);
    });
    const change = (request: Request, response: Response): void => {
      if (!isFile(request.body, request.method === 'PATCH')) {
        problem(response, 422, 'invalid');
        return;
      }
      this.at(request, response, request.method === 'PUT' ? 'replace' : 'change', (file) => {
        Object.assign(file, request.method === 'PUT' ? { note: '' } : {}, request.body);
        return [200, shown(file)];
      });
    };
    app.put('/files/:id', change);
    app.patch('/files/:id', change);
    app.delete('/files/:id', (request, response) => {
      this.at(request, response, 'remove', (file) => {
        this.files.delete(this.placeOf(file.owner, String(file.id)));
        return [204];
      });
    });
    app.use((_, response) => {
      problem(response, 404, 'not_found');
    });
    return startPeer(app);
  }

  private callerOf({ headers, rawHeaders, method }: Request): string | undefined {
    const isDoubled = rawHeaders.filter((name) => name.toLowerCase() === 'authorization').length > 1;
    const key = /^bearer +(\S+)$/i.exec(isDoubled ? '' : (headers.authorization ?? ''))?.[1] ?? '';
    const caller = /^key-of-(owner|other|expired)$/.exec(key)?.[1];
    if (caller !== 'expired') return caller;
    return this.holes.has('lets-in-expired') && method !== 'POST' ? 'owner' : undefined;
  }

  private may(caller: string, action: Action, owner: string): boolean {
    if (caller === 'owner' || (caller === owner && !OF_ROLES.has(this.manner))) return true;
    return RIGHTS[this.manner].may.includes(action);
  }

  private placeOf(caller: string, id: string): string {
    return this.manner === 'spaces' ? `${caller} ${id}` : id;
  }

  private list(response: Response): void {
    const caller = response.locals['caller'] as string;
    const isHoled = this.holes.has('lists');
    if (OF_ROLES.has(this.manner) && !isHoled && !this.may(caller, 'list', caller)) {
      problem(response, RIGHTS[this.manner].refusal, 'refused');
      return;
    }
    const own = [...this.files.values()].filter((file) =>
      this.manner === 'spaces' ? file.owner === caller : isHoled || this.may(caller, 'list', file.owner),
    );
    response.json(own.map(shown));
  }

  private create({ body, headers }: Request, response: Response): void {
    const caller = response.locals['caller'] as string;
    const key = headers['idempotency-key'];
    if (!isFile(body, false)) problem(response, 422, 'invalid');
    else if (!this.may(caller, 'create', caller)) problem(response, RIGHTS[this.manner].refusal, 'refused');
    else {
      const place = `${this.holes.has('replays') ? '' : caller} ${String(key)}`;
      const before = key === undefined ? undefined : this.answered.get(place);
      const answer = before ?? { status: 201, body: shown(this.add(caller, body)) };
      if (key !== undefined) this.answered.set(place, answer);
      response.status(answer.status).json(answer.body);
    }
  }

  private add(owner: string, { title, note = '' }: Partial<Stored>): Stored {
    const space = this.manner === 'spaces' ? owner : '';
    let id = (this.counters.get(space) ?? 0) + 1;
    while (this.files.has(this.placeOf(owner, String(id)))) id += 1;
    this.counters.set(space, id);
    const file = { id, owner, title: title ?? '', note, otherReads: 0 };
    this.files.set(this.placeOf(owner, String(id)), file);
    return file;
  }

  private at({ params, body }: Request, response: Response, action: Action, act: Act): void {
    const caller = response.locals['caller'] as string;
    const id = String(params['id']);
    const file = this.files.get(this.placeOf(caller, id));
    const isUpsert = this.manner === 'spaces' && action === 'replace';
    const isNoOp = this.manner === 'hidden-no-op' && action === 'remove';
    if (file === undefined) {
      if (isUpsert && caller === 'other') this.put(response, id, body as Partial<Stored>);
      else if (isNoOp) send(response, [204]);
      else problem(response, 404, 'not_found');
      return;
    }
    if (this.isLate(file, action, caller)) problem(response, 404, 'not_found');
    else if (this.may(caller, action, file.owner) || this.isHoled(action)) send(response, act(file));
    else if (isNoOp) send(response, [204]);
    else this.refuse(response, file, action, act);
  }

  private isLate(file: Stored, action: Action, caller: string): boolean {
    if (this.manner !== 'late' || action !== 'read' || caller === file.owner) return false;
    file.otherReads += 1;
    return file.otherReads <= LATE_READS;
  }

  /** In a space of one's own what is not there may be made under its key. */
  private put(response: Response, id: string, { title = '', note = '' }: Partial<Stored>): void {
    const made = { id: Number(id), owner: 'other', title, note, otherReads: 0 };
    this.files.set(this.placeOf('other', id), made);
    send(response, [200, shown(made)]);
  }

  private unknown(response: Response): void {
    const { authorization = '' } = response.req.headers;
    response.set('WWW-Authenticate', 'Bearer realm="files"');
    problem(response, 401, 'unknown_caller', this.holes.has('echoes') ? `Not known: ${authorization}` : undefined);
  }

  private refuse(response: Response, file: Stored, action: Action, act: Act): void {
    // As where the work is done before it is known whether it may be.
    if (this.holes.has('does-all-the-same') && action !== 'read') act(file);
    const { authorization = '' } = response.req.headers;
    const told = this.holes.has('tells') ? `${file.title} is a file of somebody else` : 'There is nothing for you';
    const about = this.holes.has('echoes') ? `Not for ${authorization}` : told;
    problem(response, RIGHTS[this.manner].refusal, 'refused', about);
  }

  private isHoled(action: Action): boolean {
    const name = { remove: 'removes', change: 'changes', replace: 'replaces' }[action as string];
    return name !== undefined && this.holes.has(name as Hole);
  }
}

function isFile(body: unknown, isPart: boolean): body is Partial<Stored> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const { title, note } = body as Record<string, unknown>;
  const isText = (value: unknown, isOptional: boolean): boolean =>
    value === undefined ? isOptional : typeof value === 'string' && value !== '';
  return isText(title, isPart) && isText(note, true);
}

const shown = ({ id, title, note }: Stored): object => ({ id, title, ...(note === '' ? {} : { note }) });

function send(response: Response, [status, body]: Answer): void {
  response.status(status);
  if (body === undefined) response.end();
  else response.json(body);
}

function problem(response: Response, status: number, code: string, message = 'It cannot be done'): void {
  response.status(status).json({ code, message });
}

const answers = (done: Record<string, object | null>, ...errors: readonly string[]): object =>
  Object.fromEntries([
    ...Object.entries(done).map(([status, schema]) => [
      status,
      { description: 'Done', ...(schema === null ? {} : json(schema)) },
    ]),
    ...['401', ...errors].map((status) => [status, { description: 'Not done', ...json(ref('Error')) }]),
  ]);
const SCOPES = { 'files:read': 'Read files', 'files:write': 'Write files' };
const AT = { name: 'fileId', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
const TEXT = { type: 'string', minLength: 1 };

/** The description; that a caller may be refused (403) it does not say. @param scopes - does it tell reading and writing apart? */
export const archiveDescription = (scopes = false): string => {
  const needs = (scope: string): object => (scopes ? { security: [{ key: [scope] }] } : {});
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Archive', version: '1' },
    security: [{ key: [] }],
    paths: {
      '/files': {
        get: {
          operationId: 'listFiles',
          ...needs('files:read'),
          responses: answers({ 200: { type: 'array', items: ref('File') } }),
        },
        post: {
          operationId: 'addFile',
          ...needs('files:write'),
          parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
          requestBody: { required: true, ...json(ref('NewFile')) },
          responses: answers({ 201: ref('File') }, '400', '422'),
        },
      },
      '/files/{fileId}': {
        parameters: [AT],
        get: { operationId: 'getFile', ...needs('files:read'), responses: answers({ 200: ref('File') }, '404') },
        put: {
          operationId: 'replaceFile',
          ...needs('files:write'),
          requestBody: { required: true, ...json(ref('NewFile')) },
          responses: answers({ 200: ref('File') }, '400', '404', '422'),
        },
        patch: {
          operationId: 'changeFile',
          ...needs('files:write'),
          requestBody: { required: true, ...json(ref('ChangedFile')) },
          responses: answers({ 200: ref('File') }, '400', '404', '422'),
        },
        delete: { operationId: 'removeFile', ...needs('files:write'), responses: answers({ 204: null }, '404') },
      },
    },
    components: {
      securitySchemes: {
        key: scopes
          ? { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/token', scopes: SCOPES } } }
          : { type: 'http', scheme: 'bearer' },
      },
      schemas: {
        NewFile: { type: 'object', required: ['title'], properties: { title: TEXT, note: TEXT } },
        ChangedFile: { type: 'object', minProperties: 1, properties: { title: TEXT, note: TEXT } },
        File: {
          type: 'object',
          required: ['id', 'title'],
          properties: { id: { type: 'integer', readOnly: true }, title: TEXT, note: TEXT },
        },
        Error: {
          type: 'object',
          required: ['code', 'message'],
          properties: { code: { type: 'string' }, message: { type: 'string' } },
        },
      },
    },
  });
};

export const ARCHIVE = archiveDescription();

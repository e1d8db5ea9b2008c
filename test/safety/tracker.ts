import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json/json-value';
import type { Reply } from './other-service';
import { json, ref } from '../support/small-api';

const answer = (schema?: object): object => ({
  description: 'An answer',
  ...(schema === undefined ? {} : json(schema)),
});
const inPath = (...names: string[]): object[] =>
  names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
const text = { type: 'string' };

interface Sketch {
  readonly id: string;
  readonly at: string;
  readonly status: number;
  readonly takes?: string;
  readonly gives?: object;
}

const TRACKER: readonly Sketch[] = [
  {
    id: 'listIssues',
    at: 'GET /projects/{project}/issues',
    status: 200,
    gives: { type: 'array', items: ref('Issue') },
  },
  { id: 'createIssue', at: 'POST /projects/{project}/issues', status: 201, takes: 'NewIssue', gives: ref('Issue') },
  { id: 'getIssue', at: 'GET /issues/{id}', status: 200, gives: ref('Issue') },
  { id: 'changeIssue', at: 'PATCH /issues/{id}', status: 200, takes: 'NewIssue', gives: ref('Issue') },
  { id: 'removeIssue', at: 'DELETE /issues/{id}', status: 204 },
  { id: 'closeIssue', at: 'POST /issues/{id}/close', status: 200, gives: ref('Issue') },
  { id: 'addComment', at: 'POST /issues/{id}/comments', status: 201, takes: 'NewComment', gives: ref('Comment') },
  { id: 'listComments', at: 'GET /issues/{id}/comments', status: 200, gives: { type: 'array', items: ref('Comment') } },
  { id: 'getComment', at: 'GET /comments/{commentId}', status: 200, gives: ref('Comment') },
  { id: 'removeComment', at: 'DELETE /comments/{commentId}', status: 204 },
  { id: 'listLabels', at: 'GET /labels', status: 200, gives: { type: 'array', items: ref('Label') } },
  { id: 'createLabel', at: 'POST /labels', status: 200, takes: 'NewLabel', gives: ref('Label') },
  { id: 'getLabel', at: 'GET /labels/{name}', status: 200, gives: ref('Label') },
  { id: 'renameLabel', at: 'PATCH /labels/{name}', status: 200, takes: 'NewLabel', gives: ref('Label') },
  { id: 'removeLabel', at: 'DELETE /labels/{name}', status: 204 },
  { id: 'grant', at: 'POST /leases/grant', status: 200, takes: 'Lease', gives: ref('Lease') },
  { id: 'leases', at: 'POST /leases/list', status: 200, takes: 'Lease', gives: { type: 'array', items: ref('Lease') } },
  { id: 'revoke', at: 'POST /leases/revoke', status: 200, takes: 'Lease' },
];

const SCHEMAS = {
  Issue: {
    type: 'object',
    required: ['id', 'title'],
    properties: { id: text, title: text, status: text, deletedAt: { type: 'string', nullable: true } },
  },
  NewIssue: { type: 'object', properties: { title: text } },
  Comment: { type: 'object', required: ['id'], properties: { id: text, text } },
  NewComment: { type: 'object', properties: { text } },
  Label: { type: 'object', required: ['name'], properties: { name: text, color: text } },
  NewLabel: { type: 'object', properties: { name: text, color: text } },
  Lease: { type: 'object', properties: { lease: text } },
};

/** A tracker: issues below projects that nobody can make, found at paths of their own; comments below issues. */
export function describeTracker(): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { id: operationId, at, status, takes, gives } of TRACKER) {
    const [method = '', path = ''] = at.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = {
      operationId,
      parameters: inPath(...[...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '')),
      ...(takes === undefined ? {} : { requestBody: json(ref(takes)) }),
      responses: { [status]: answer(gives), '404': answer() },
    };
  }
  const info = { title: 'Tracker', version: '1' };
  return JSON.stringify({ openapi: '3.0.3', info, paths, components: { schemas: SCHEMAS } });
}

/** Keeps issues, comments, labels and leases as few trackers do: ids are scattered. */
export class Tracker {
  readonly rows = new Map<string, JsonObject>([['/issues/old', { id: 'old', title: 'Somebody else’s' }]]);
  /** Does a removal only mark what it removes? */
  readonly isSoft: boolean;
  private made = 0;

  constructor({ isSoft = false } = {}) {
    this.isSoft = isSoft;
  }

  readonly answer = (line: string, body: Record<string, unknown>): Reply => {
    const [method = '', path = ''] = line.split(' ');
    const sent = body as JsonObject;
    if (method === 'POST') return this.post(path, sent);
    if (method === 'GET' && /(?:issues|comments|labels)$/.test(path)) return { status: 200, body: this.below(path) };
    const row = this.rows.get(path);
    if (row === undefined || (row['deletedAt'] !== undefined && method !== 'GET')) return { status: 404 };
    if (method === 'GET') return { status: 200, body: row };
    if (method === 'DELETE') return this.remove(path, row);
    const name = sent['name'];
    const to = typeof name === 'string' ? `/labels/${name}` : path;
    this.rows.delete(path);
    this.rows.set(to, { ...row, ...sent });
    return { status: 200, body: this.rows.get(to) };
  };

  private post(path: string, sent: JsonObject): Reply {
    const key = String((++this.made * 7919) % 997);
    if (path === '/leases/list') return { status: 200, body: this.below('/leases') };
    if (path === '/leases/grant') return this.keep(200, `/leases/${textOf(sent['lease'])}`, sent);
    if (path === '/leases/revoke') {
      const isThere = this.rows.delete(`/leases/${textOf(sent['lease'])}`);
      return isThere ? { status: 200 } : { status: 404 };
    }
    if (path === '/labels') return this.keep(200, `/labels/${textOf(sent['name'])}`, sent);
    if (path.endsWith('/close')) return this.keep(200, path.slice(0, -'/close'.length), { status: 'closed' });
    const kind = path.endsWith('/comments') ? 'comments' : 'issues';
    return this.keep(201, `/${kind}/${key}`, { id: key, ...sent, $of: path });
  }

  private keep(status: number, path: string, row: JsonObject): Reply {
    this.rows.set(path, { ...this.rows.get(path), ...row });
    return { status, body: shown(this.rows.get(path) ?? {}) };
  }

  private remove(path: string, row: JsonObject): Reply {
    if (this.isSoft) this.rows.set(path, { ...row, deletedAt: '2026-01-01T00:00:00Z' });
    else this.rows.delete(path);
    for (const [other, { $of }] of this.rows) if ($of === `${path}/comments`) this.rows.delete(other);
    return { status: 204 };
  }

  private below(path: string): JsonValue[] {
    return [...this.rows].flatMap(([place, row]) => {
      const isHere = row['$of'] === path || place.startsWith(`${path}/`);
      return isHere && isJsonObject(row) && row['deletedAt'] === undefined ? [shown(row)] : [];
    });
  }
}

function shown(row: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('$')));
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : 'nothing';
}

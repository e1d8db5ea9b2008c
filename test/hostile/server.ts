import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEY_HEADER } from './describe';
import { numbersOf, type Shape } from './shape';

type Json = Record<string, unknown>;

interface Row {
  /** Whose it is: somebody else's, or made by a request of the run. */
  readonly owner: 'other' | 'run';
  /** The key of the box or the tenant that it is in; empty where there is none. */
  readonly parent: string;
  readonly values: Json;
  isHidden: boolean;
  isRemoved: boolean;
  /** Lists show it once so many were read. */
  shownAfter: number;
}

/** What a request did to a row that the run did not make. */
export interface Harm {
  readonly request: string;
  readonly before: Json;
  readonly after: Json | undefined;
}

/** A service with rows of somebody else, which notes what is done to them. */
export class HostileServer {
  readonly harms: Harm[] = [];
  readonly requests: string[] = [];
  private readonly rows = new Map<string, Row>();
  /** What rows are in, or name. */
  private readonly boxes = new Map<string, Row>();
  private readonly shape: Shape;
  private readonly random: () => number;
  private counter = 10;
  private lists = 0;
  private server: Server | undefined;
  /** Is it away? Then each connection is ended without an answer. */
  isAway = false;
  /** Called with each request before it is answered. */
  onRequest: (count: number) => void = () => undefined;

  constructor(shape: Shape, seed: number) {
    this.shape = shape;
    this.random = numbersOf(seed + 77);
    if (shape.layout !== 'flat')
      for (const id of [1, 2]) this.boxes.set(String(id), boxOf('other', id, `of others ${id}`));
    for (let index = 1; index <= 4; index += 1) this.addOther(index);
  }

  async open(): Promise<string> {
    const server = createServer((request, response) => void this.handle(request, response));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  /** Rows of the run that are there still. */
  left(): Json[] {
    return [...this.rows.values(), ...this.boxes.values()].flatMap(({ owner, isRemoved, values }) =>
      owner === 'run' && !isRemoved ? [values] : [],
    );
  }

  private addOther(index: number): void {
    const { key, keyName } = this.shape;
    // One that looks like a number, as a client sends it by mistake.
    const chosen = index === 4 ? '12' : `row-${index}`;
    const own = key.startsWith('client') ? chosen : key === 'uuid' ? this.uuid() : this.nextKey();
    const values = {
      [keyName]: own,
      title: `of somebody else ${index}`,
      level: 1 + (index % 3),
      done: false,
      ...this.state(),
      ...(this.shape.layout === 'references' ? { boxId: 1 + (index % 2) } : {}),
    };
    const parent = this.isBelow() ? String(1 + (index % 2)) : '';
    const isHidden = index % 2 === 0;
    this.rows.set(String(own), { owner: 'other', parent, values, isHidden, isRemoved: false, shownAfter: 0 });
  }

  /** Are rows below a box or a tenant? */
  private isBelow(): boolean {
    return this.shape.layout === 'nested' || this.shape.layout === 'tenants';
  }

  private state(): Json {
    return ['soft', 'archived'].includes(this.shape.removal) ? { status: 'active' } : {};
  }

  private uuid(): string {
    const hex = Array.from({ length: 32 }, () => Math.floor(this.random() * 16).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  private nextKey(): number | string {
    const taken = [...this.rows.values()]
      .filter(({ isRemoved }) => !isRemoved)
      .map(({ values }) => Number(values[this.shape.keyName]));
    if (this.shape.key === 'uuid') return this.uuid();
    if (this.shape.key === 'highest-plus-one') return Math.max(0, ...taken) + 1;
    if (this.shape.key === 'lowest-free') for (let free = 1; ; free += 1) if (!taken.includes(free)) return free;
    this.counter += 1;
    return this.counter;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const line = `${request.method ?? ''} ${request.url ?? ''}`;
    this.requests.push(line);
    this.onRequest(this.requests.length);
    if (this.isAway) {
      request.socket.destroy();
      return;
    }
    this.others(line);
    const body = readJson(Buffer.concat(parts).toString());
    const reply = this.isRefused(request) ? REFUSED : this.answer(request.method ?? '', request.url ?? '', body, line);
    const { status, headers = {} } = reply;
    const isEmpty = reply.body === undefined;
    response.writeHead(status, isEmpty ? headers : { 'content-type': 'application/json', ...headers });
    response.end(isEmpty || request.method === 'HEAD' ? undefined : JSON.stringify(reply.body));
  }

  private isRefused({ method = '', headers }: IncomingMessage): boolean {
    const { auth } = this.shape;
    const isAsked = auth === 'checked' || (auth === 'reads-alone' && ['GET', 'HEAD'].includes(method));
    return isAsked && headers[KEY_HEADER.toLowerCase()] !== KEY;
  }

  /** What others do meanwhile. A row that they make may get a key that was free again. */
  private others(line: string): void {
    const { others } = this.shape;
    // Between a look, of which a GET of an id that nothing has is a part, and the write that it was for nothing happens:
    // no client can know more than it sees.
    const isPartOfLook = /standin-absent|9007199254740991|ffffffff-ffff/.test(line);
    if (others === 'still' || !line.startsWith('GET ') || isPartOfLook || this.requests.length % 7 !== 3) return;
    const own = [...this.rows].filter(([, { owner, isRemoved }]) => owner === 'other' && !isRemoved);
    const [chosen] = own.slice(Math.floor(this.random() * own.length));
    if (chosen === undefined) return;
    if (others === 'touched') chosen[1].values['touched'] = this.requests.length;
    else if (own.length > 3) this.rows.delete(chosen[0]);
    else this.addOther(10 + this.requests.length);
  }

  private answer(method: string, url: string, body: unknown, line: string): Reply {
    const [path = '', query = ''] = url.split('?');
    const { slash } = this.shape;
    if (slash && !path.endsWith('/')) return { status: 404, body: { error: 'no such path' } };
    const segments = (slash ? path.slice(0, -1) : path).split('/').slice(1).map(decode);
    const root = { nested: 'boxes', tenants: 'tenants', references: 'boxes', flat: '' }[this.shape.layout];
    if (segments[0] === root && segments.length < 3) return this.box(method, segments[1], body, line);
    const asked = { query, body, line };
    if (!this.isBelow()) return this.rowsAt(method, '', segments, asked);
    const [above, parent = '', ...rows] = segments;
    return above === root && this.boxAt(parent) !== undefined
      ? this.rowsAt(method, parent, rows, asked)
      : this.nothing();
  }

  private rowsAt(method: string, parent: string, segments: readonly string[], { query, body, line }: Asked): Reply {
    const [root, key, more, ...rest] = segments;
    if (root !== 'rows' || rest.length > 0) return this.nothing();
    if (key === undefined) return this.collection(method, parent, { query, body, line });
    return (
      this.beside(`${method} ${key}`, parent, more, line) ??
      (more === undefined ? this.item(method, parent, key, { body, line, query }) : this.nothing())
    );
  }

  private boxAt(key: string): Row | undefined {
    const box = this.boxes.get(key);
    return box?.isRemoved === false ? box : undefined;
  }

  /** What rows are in, or name. Tenants can only be listed. */
  private box(method: string, key: string | undefined, body: unknown, line: string): Reply {
    const isRead = method === 'GET' || method === 'HEAD';
    const shown = [...this.boxes.values()].filter(({ isRemoved }) => !isRemoved).map(({ values }) => values);
    if (this.shape.layout === 'tenants')
      return isRead && key === undefined
        ? { status: 200, body: shown.map(({ id }) => ({ tenant: String(id) })) }
        : this.nothing();
    if (key === undefined) return isRead ? { status: 200, body: shown } : this.addBox(method, body);
    const box = this.boxAt(key);
    if (box === undefined) return this.nothing();
    if (isRead) return { status: 200, body: box.values };
    if (method !== 'DELETE') return { status: 405, body: { error: 'not here' } };
    const rows = [...this.rows.values()].filter(
      (row) => !row.isRemoved && (row.parent === key || String(row.values['boxId']) === key),
    );
    if (this.shape.layout === 'references' && rows.length > 0) return { status: 409, body: { error: 'in use' } };
    this.change(line, [box, ...rows], undefined);
    return { status: 204 };
  }

  private addBox(method: string, body: unknown): Reply {
    if (method !== 'POST') return { status: 405, body: { error: 'not here' } };
    if (!isObject(body) || typeof body['label'] !== 'string' || body['label'] === '') return INVALID;
    const id = this.boxes.size + 1;
    const box = boxOf('run', id, body['label']);
    this.boxes.set(String(id), box);
    return { status: 201, body: box.values };
  }

  private nothing(): Reply {
    const { unknown } = this.shape;
    return unknown === '200' ? { status: 200, body: {} } : { status: Number(unknown), body: { error: 'none' } };
  }

  /** What acts on many rows at a path of its own. */
  private beside(asked: string, parent: string, more: string | undefined, line: string): Reply | undefined {
    const { bulk } = this.shape;
    const all = this.rowsIn(parent);
    if (bulk === 'post-delete' && asked === 'POST delete') return this.change(line, all, undefined);
    if (bulk !== 'by-property' || asked !== 'DELETE level') return undefined;
    return this.change(
      line,
      all.filter(({ values }) => String(values['level']) === more),
      undefined,
    );
  }

  private rowsIn(parent: string): Row[] {
    return [...this.rows.values()].filter((row) => row.parent === parent);
  }

  private collection(method: string, parent: string, { query, body, line }: Asked): Reply {
    const { bulk, list, key } = this.shape;
    if (method === 'GET' && list !== 'none') return this.list(parent, query);
    if (method === 'POST' && key !== 'client-put') return this.create(parent, body, line);
    const all = this.rowsIn(parent);
    const acts = bulk === 'post-delete' || bulk === 'by-property' ? [] : bulk.split('-');
    if (!acts.includes(method.toLowerCase())) return { status: 405, body: { error: 'not here' } };
    if (method === 'DELETE') return this.change(line, all, undefined);
    return isObject(body) ? this.change(line, all, body) : INVALID;
  }

  /** Changes rows, or removes them. */
  private change(line: string, rows: readonly Row[], values: Json | undefined): Reply {
    for (const row of rows) this.write(line, row, values);
    return { status: 200, body: { count: rows.length } };
  }

  private write(line: string, row: Row, values: Json | undefined): void {
    const before = { ...row.values };
    const { keyName } = this.shape;
    if (values === undefined) row.isRemoved = true;
    else for (const [name, value] of Object.entries(values)) if (name !== keyName) row.values[name] = value;
    const isSame = values !== undefined && JSON.stringify(before) === JSON.stringify(row.values);
    if (row.owner === 'other' && !isSame)
      this.harms.push({ request: line, before, after: values === undefined ? undefined : { ...row.values } });
  }

  private list(parent: string, query: string): Reply {
    const { list, removal } = this.shape;
    this.lists += 1;
    const shown = this.rowsIn(parent).filter(
      (row) =>
        !(row.isRemoved && removal !== 'archived') &&
        !(list === 'hides-rows' && row.isHidden) &&
        !(list === 'late' && row.shownAfter > this.lists),
    );
    const rows = shown.filter(({ isRemoved }) => !isRemoved || removal === 'archived').map(({ values }) => values);
    if (list === 'map')
      return { status: 200, body: Object.fromEntries(rows.map((row) => [String(row[this.shape.keyName]), row])) };
    if (list === 'envelope') return { status: 200, body: { results: rows, total: rows.length } };
    if (list !== 'pages' && list !== 'next-link') return { status: 200, body: rows };
    const asked = new URLSearchParams(query);
    const page = Number(asked.get('page') ?? 1);
    const limit = Number(asked.get('limit') ?? 3);
    if (!(page >= 1) || !(limit >= 1)) return INVALID;
    const part = rows.slice((page - 1) * limit, page * limit);
    if (list === 'pages') return { status: 200, body: { items: part, total: rows.length, page } };
    const hasMore = page * limit < rows.length;
    const path = `${this.prefix(parent)}/rows${this.shape.slash ? '/' : ''}`;
    return {
      status: 200,
      body: part,
      headers: hasMore ? { link: `<${path}?page=${page + 1}&limit=${limit}>; rel="next"` } : {},
    };
  }

  private prefix(parent: string): string {
    return this.isBelow() ? `/${this.shape.layout === 'nested' ? 'boxes' : 'tenants'}/${parent}` : '';
  }

  private create(path: string, body: unknown, line: string): Reply {
    const { key, keyName, merges } = this.shape;
    const values = this.accepted(body);
    const parent = this.parentOf(values, path);
    const chosen = key === 'client' ? values?.[keyName] : this.nextKey();
    if (values === undefined || parent === undefined || !isKey(chosen)) return INVALID;
    const there = this.rows.get(String(chosen));
    const isTaken = key === 'client' && there !== undefined && !there.isRemoved;
    if (isTaken && !merges) return { status: 409, body: { error: 'is there' } };
    const changed = isTaken ? there : this.rowLike(values);
    if (changed === undefined) return this.made(parent, this.store(parent, chosen, values));
    this.write(line, changed, values);
    return this.made(changed.parent, changed.values);
  }

  /** The row that a creation is taken for a change of. */
  private rowLike({ level }: Json): Row | undefined {
    if (this.shape.natural !== true || level === undefined) return undefined;
    return [...this.rows.values()].find((row) => !row.isRemoved && row.values['level'] === level);
  }

  /** What a row is put in: what the path says, or the body; `undefined` where they may not differ. */
  private parentOf(values: Json | undefined, path: string): string | undefined {
    const { parentInBody, layout, coerces } = this.shape;
    const named = values?.[layout === 'nested' ? 'boxId' : 'tenant'];
    if (!parentInBody || !this.isBelow() || !isKey(named) || String(named) === path) return path;
    return coerces && this.boxAt(String(named)) !== undefined ? String(named) : undefined;
  }

  private store(parent: string, key: string | number, values: Json): Json {
    const { keyName, stamp } = this.shape;
    const level = stamp ? { level: 1 } : {};
    const row: Json = { [keyName]: key, done: false, ...level, ...values, ...this.state() };
    row[keyName] = key;
    this.rows.set(String(key), {
      owner: 'run',
      parent,
      values: row,
      isHidden: true,
      isRemoved: false,
      shownAfter: this.lists + 2,
    });
    return row;
  }

  private made(parent: string, row: Json): Reply {
    const { keyName, answer, slash } = this.shape;
    const location = `${this.prefix(parent)}/rows/${encodeURIComponent(String(row[keyName]))}${slash ? '/' : ''}`;
    if (answer === '422-stored') return { status: 422, body: { error: 'after it was stored' } };
    if (answer === 'other-id') {
      const [other] = [...this.rows.values()].filter(({ owner }) => owner === 'other');
      return { status: 201, body: { ...row, [keyName]: other?.values[keyName] ?? row[keyName] } };
    }
    if (answer === '500') return { status: 500, body: { error: 'after it was stored' } };
    if (answer === '303') return { status: 303, headers: { location } };
    if (answer === '201-location') return { status: 201, headers: { location } };
    if (answer.endsWith('-empty')) return { status: Number(answer.slice(0, 3)) };
    if (answer === 'envelope') return { status: 201, body: { metadata: row } };
    if (answer === 'no-key')
      return { status: 201, body: Object.fromEntries(Object.entries(row).filter(([name]) => name !== keyName)) };
    return { status: Number(answer), body: row };
  }

  /** @returns the values of a body that is accepted */
  private accepted(body: unknown): Json | undefined {
    if (!isObject(body)) return undefined;
    const { title, level, done } = body;
    if ((title ?? '') === '' || !this.isInBox(body)) return undefined;
    if (this.shape.coerces)
      return { ...body, title: typeof title === 'object' ? 'an object' : JSON.stringify(title).replaceAll('"', '') };
    const isValid =
      typeof title === 'string' &&
      (level === undefined || typeof level === 'number') &&
      (done === undefined || typeof done === 'boolean');
    return isValid ? { ...body } : undefined;
  }

  /** Rows that have to name a box: is it there? */
  private isInBox({ boxId }: Json): boolean {
    return this.shape.layout !== 'references' || this.boxAt(String(boxId)) !== undefined;
  }

  private item(method: string, parent: string, key: string, { body, line }: Asked): Reply {
    const row = this.rowAt(parent, key);
    const there = row?.isRemoved === false ? row : undefined;
    if (method === 'GET' || method === 'HEAD') {
      const shown = this.shape.removal === 'archived' ? row : there;
      return shown === undefined ? this.nothing() : { status: 200, body: shown.values };
    }
    if (method === 'DELETE' && this.shape.removal !== 'none')
      return there === undefined ? this.nothing() : this.remove(line, there);
    if (!this.changesBy(method)) return { status: 405, body: { error: 'not here' } };
    return this.changeItem(method, parent, key, there, body, line);
  }

  private rowAt(parent: string, key: string): Row | undefined {
    const row = this.rows.get(key);
    return row?.parent === parent ? row : undefined;
  }

  private changesBy(method: string): boolean {
    const { update, key } = this.shape;
    const methods = update === 'both' ? ['PUT', 'PATCH'] : [update.toUpperCase()];
    return methods.includes(method) || (method === 'PUT' && key === 'client-put');
  }

  private changeItem(
    method: string,
    parent: string,
    key: string,
    there: Row | undefined,
    body: unknown,
    line: string,
  ): Reply {
    const values = method === 'PUT' ? this.accepted(body) : isObject(body) ? body : undefined;
    if (values === undefined) return INVALID;
    const named = this.keyIn(values) ?? key;
    if (named !== key) {
      const meant = this.rowAt(parent, named);
      const other = meant?.isRemoved === false ? meant : undefined;
      return this.shape.coerces ? this.changeItem(method, parent, named, other, body, line) : INVALID;
    }
    if (there === undefined) return method === 'PUT' ? this.put(parent, key, values) : this.nothing();
    this.write(line, there, values);
    return { status: 200, body: this.shape.joins ? this.join(there) : there.values };
  }

  /** The key that the body of a PUT says once more. */
  private keyIn(values: Json): string | undefined {
    const { key, keyName, bodyKey } = this.shape;
    const named = values[keyName];
    return key === 'client-put' && bodyKey && isKey(named) ? String(named) : undefined;
  }

  /** Makes a row at a path where nothing is. */
  private put(parent: string, key: string, values: Json): Reply {
    const { upsert, key: keys } = this.shape;
    const isMade = keys === 'client-put' || (upsert && keys === 'client');
    const isFree = this.rows.get(key)?.isRemoved ?? true;
    return isMade && isFree ? { status: 201, body: this.store(parent, key, values) } : this.nothing();
  }

  /** The row is gone, and another one is answered in its place. */
  private join(row: Row): Json {
    const [other] = [...this.rows.values()].filter(({ owner, isRemoved }) => owner === 'other' && !isRemoved);
    if (other === undefined) return row.values;
    row.isRemoved = true;
    return other.values;
  }

  private remove(line: string, row: Row): Reply {
    const { removal } = this.shape;
    this.write(line, row, undefined);
    if (removal === 'soft' || removal === 'archived')
      row.values['status'] = removal === 'soft' ? 'deleted' : 'archived';
    return { status: /^\d+$/.test(removal) ? Number(removal) : 200 };
  }
}

interface Asked {
  readonly query: string;
  readonly body: unknown;
  readonly line: string;
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** What a client must send in the header. */
export const KEY = 'the-key-of-the-run';
const REFUSED: Reply = { status: 401, body: { error: 'no key' } };
const INVALID: Reply = { status: 400, body: { error: 'invalid' } };

function boxOf(owner: Row['owner'], id: number, label: string): Row {
  return { owner, parent: '', values: { id, label }, isHidden: false, isRemoved: false, shownAfter: 0 };
}

function isKey(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

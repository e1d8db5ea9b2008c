import { request } from 'node:http';
import { connect } from 'node:net';
import { fieldsOf, headerOf, jsonOf, type Header } from './message';
import { PETSTORE } from './petstore';
import type { MutantProxy } from './proxy';
import { isFields, textOf, writeJson, type Fields, type Json } from './json';

export interface Sending {
  readonly body?: Json;
  /** The body as it is, JSON or not. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another value of the header of the key, or none. */
  readonly auth?: string | false;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly json: Json | undefined;
  /** The members of the body, if it is an object. */
  readonly fields: Fields;
  /** The objects of the body, if it is a list. */
  readonly items: readonly Fields[];
  readonly header: (name: string) => string | undefined;
}

/** A resource that was made, with the address to read it at. */
export interface Made {
  readonly id: Json;
  readonly path: string;
  readonly stock: string;
  readonly reply: Reply;
}

/** Just enough of a client to show that a server is not as it should be. */
export class Sender {
  readonly url: string;
  /** Lets every answer go that is slow on purpose. */
  readonly endPauses: () => void;
  private readonly credential: Header;

  constructor({ url, endPauses }: Pick<MutantProxy, 'url' | 'endPauses'>, credential: Header) {
    this.url = url;
    this.endPauses = endPauses;
    this.credential = credential;
  }

  send(method: string, path: string, sending: Sending = {}): Promise<Reply> {
    const [name, key] = this.credential;
    const { auth = key, body } = sending;
    const text = sending.text ?? (body === undefined ? undefined : writeJson(body));
    const headers = {
      ...(auth === false ? {} : { [name]: auth }),
      ...(text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
      ...sending.headers,
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.url}${path}`, { method, headers, agent: false }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          resolve(replyOf(incoming.statusCode ?? 0, incoming.rawHeaders, Buffer.concat(chunks)));
        });
      });
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  }

  get = (path: string, sending?: Sending): Promise<Reply> => this.send('GET', path, sending);
  delete = (path: string, sending?: Sending): Promise<Reply> => this.send('DELETE', path, sending);
  post = (path: string, body: Json, sending?: Sending): Promise<Reply> => this.send('POST', path, { body, ...sending });
  put = (path: string, body: Json, sending?: Sending): Promise<Reply> => this.send('PUT', path, { body, ...sending });
  patch = (path: string, body: Json, sending?: Sending): Promise<Reply> =>
    this.send('PATCH', path, { body, ...sending });

  /** Everything that comes back over a connection of its own. */
  raw(text: string): Promise<string> {
    const { port, hostname } = new URL(this.url);
    return new Promise((resolve) => {
      let received = '';
      const socket = connect(Number(port), hostname, () => socket.write(text));
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      socket.on('error', () => {
        resolve(received);
      });
      socket.on('close', () => {
        resolve(received);
      });
    });
  }
}

/** A client of the Petstore. */
export class Client extends Sender {
  constructor(proxy: Pick<MutantProxy, 'url' | 'endPauses'>, key = 'test-key') {
    super(proxy, PETSTORE.credential(key));
  }

  async category(values: Fields = {}): Promise<Made> {
    return made('/categories', await this.post('/categories', { name: 'Rodent', ...values }));
  }

  /** A pet of a category of its own, unless one is given. */
  async pet(values: Fields = {}): Promise<Made> {
    const categoryId = values.categoryId ?? (await this.category()).id;
    return made('/pets', await this.post('/pets', { name: 'Hamlet', categoryId, ...values }));
  }

  async order(values: Fields = {}): Promise<Made> {
    return made('/store/orders', await this.post('/store/orders', values));
  }

  async stockOf(pet: Made): Promise<Json | undefined> {
    return (await this.get(pet.stock)).fields.quantity;
  }

  /** The ids of all pages of a list. */
  async idsOf(path: string): Promise<string[]> {
    const ids: string[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const page: Reply = await this.get(next);
      ids.push(...page.items.map(({ id }) => textOf(id)));
      const link = /<([^>]*)>; *rel="?next"?/.exec(page.header('link') ?? '')?.[1];
      next = link === undefined || page.status !== 200 ? undefined : pathOfLink(link, this.url);
    }
    return ids;
  }
}

function pathOfLink(link: string, base: string): string {
  const { pathname, search } = new URL(link, base);
  return `${pathname}${search}`;
}

function made(collection: string, reply: Reply): Made {
  const id = reply.fields.id ?? null;
  const digits = textOf(id) || (reply.header('location')?.split('/').at(-1) ?? '');
  return { id, path: `${collection}/${digits}`, stock: `/inventory/${digits}`, reply };
}

function replyOf(status: number, raw: readonly string[], body: Buffer): Reply {
  const headers: Header[] = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
  const json = jsonOf({ body });
  return {
    status,
    text: body.toString(),
    json,
    fields: fieldsOf({ body }),
    items: Array.isArray(json) ? json.filter(isFields) : [],
    header: (name) => headerOf({ headers }, name),
  };
}

/** Whether a body is an Error of the contract that belongs to its response. */
export function isError({ status, fields, json }: Reply): boolean {
  const { code, message } = fields;
  const known = typeof code === 'string' && /^[a-z][a-z0-9_]*$/.test(code) && typeof message === 'string';
  return isFields(json) && known && message !== '' && fields.status === status;
}

export const UNKNOWN = '9223372036854775807';

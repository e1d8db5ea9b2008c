import { randomUUID } from 'node:crypto';

// A client as generators of them write it: resources with typed methods, pages that can be walked, keys that make a
// retry safe, retries with a pause, entity tags, errors with the code and the id of the request.

export type PetStatus = 'available' | 'pending' | 'sold';
export interface PetFields {
  readonly name: string;
  readonly categoryId: number;
  readonly status?: PetStatus;
}
export interface Pet extends PetFields {
  readonly id: number;
  readonly status: PetStatus;
}
export interface CategoryFields {
  readonly name: string;
  readonly description?: string;
}
export interface Category extends CategoryFields {
  readonly id: number;
}
export interface OrderFields {
  readonly petId?: number;
  readonly quantity?: number;
  readonly shipDate?: string;
  readonly complete?: boolean;
}
export interface Order extends OrderFields {
  readonly id: number;
}
export interface InventoryItem {
  readonly petId: number;
  readonly quantity: number;
  readonly status: PetStatus;
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly maxRetries?: number;
}

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

interface Asked {
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a service said, with what a later call needs of it. */
export interface Reply<Value> {
  readonly data: Value;
  readonly etag: string | undefined;
  readonly total: number | undefined;
  readonly link: string;
}

export class PetstoreError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string;

  constructor(status: number, code: string | undefined, requestId: string) {
    super(`${status} ${code ?? ''}`);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

const RETRIED: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

export class Petstore {
  readonly pets = new Pets(this);
  readonly categories = new Categories(this);
  readonly orders = new Orders(this);
  readonly inventory = new Inventory(this);
  private readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = options;
  }

  async send<Value>(
    method: string,
    path: string,
    { query = {}, body, headers = {} }: Asked = {},
  ): Promise<Reply<Value>> {
    const { baseUrl, maxRetries = 2 } = this.options;
    const text = body === undefined ? undefined : JSON.stringify(body);
    // One key for all attempts: the service does once what is sent twice.
    const key = method === 'POST' ? { 'Idempotency-Key': `retry-${randomUUID()}` } : {};
    const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
    for (let attempt = 0; ; attempt++) {
      const requestId = randomUUID();
      const own = { 'X-Petstore-Retry-Count': String(attempt), 'X-Request-Id': requestId };
      const response = await fetch(`${baseUrl}${path}${queryText(query)}`, {
        method,
        headers: { ...this.headers(), ...own, ...type, ...key, ...headers },
        ...(text === undefined ? {} : { body: text }),
      });
      if (!RETRIED.has(response.status) || attempt >= maxRetries) return replyOf<Value>(response, requestId);
      await response.arrayBuffer();
      await new Promise((resolve) => setTimeout(resolve, 20 * 2 ** attempt));
    }
  }

  private headers(): Record<string, string> {
    const { apiKey } = this.options;
    return {
      Accept: 'application/json',
      'User-Agent': 'petstore-node/1.4.2',
      'X-Petstore-Lang': 'js',
      'X-Petstore-Package-Version': '1.4.2',
      'X-Petstore-Runtime': `node ${process.version}`,
      ...(apiKey === '' ? {} : { Authorization: `Bearer ${apiKey}` }),
    };
  }

  /** All pages of a list, one after the other, by the address of the next one. */
  async *pages<Value>(path: string, query: Query): AsyncGenerator<Reply<readonly Value[]>> {
    let next: string | undefined = `${path}${queryText(query)}`;
    while (next !== undefined) {
      const page: Reply<readonly Value[]> = await this.send<readonly Value[]>('GET', next);
      yield page;
      next = /<([^>]+)>\s*;\s*rel="next"/.exec(page.link)?.[1]?.replace(/^https?:\/\/[^/]+/, '');
    }
  }
}

class Items {
  protected readonly client: Petstore;
  constructor(client: Petstore) {
    this.client = client;
  }
}

class Pets extends Items {
  list(query: Query = {}): Promise<Reply<readonly Pet[]>> {
    return this.client.send('GET', '/pets', { query });
  }
  pages(query: Query = {}): AsyncGenerator<Reply<readonly Pet[]>> {
    return this.client.pages('/pets', query);
  }
  create(body: PetFields): Promise<Reply<Pet>> {
    return this.client.send('POST', '/pets', { body });
  }
  retrieve(id: number, ifNoneMatch?: string): Promise<Reply<Pet>> {
    return this.client.send('GET', `/pets/${id}`, conditions('If-None-Match', ifNoneMatch));
  }
  replace(id: number, body: PetFields, ifMatch?: string): Promise<Reply<Pet>> {
    return this.client.send('PUT', `/pets/${id}`, { body, ...conditions('If-Match', ifMatch) });
  }
  remove(id: number): Promise<Reply<undefined>> {
    return this.client.send('DELETE', `/pets/${id}`);
  }
}

class Categories extends Items {
  list(query: Query = {}): Promise<Reply<readonly Category[]>> {
    return this.client.send('GET', '/categories', { query });
  }
  create(body: CategoryFields): Promise<Reply<Category>> {
    return this.client.send('POST', '/categories', { body });
  }
  retrieve(id: number): Promise<Reply<Category>> {
    return this.client.send('GET', `/categories/${id}`);
  }
  replace(id: number, body: CategoryFields): Promise<Reply<Category>> {
    return this.client.send('PUT', `/categories/${id}`, { body });
  }
  remove(id: number): Promise<Reply<undefined>> {
    return this.client.send('DELETE', `/categories/${id}`);
  }
}

class Orders extends Items {
  list(query: Query = {}): Promise<Reply<readonly Order[]>> {
    return this.client.send('GET', '/store/orders', { query });
  }
  place(body: OrderFields): Promise<Reply<Order>> {
    return this.client.send('POST', '/store/orders', { body });
  }
  retrieve(id: number): Promise<Reply<Order>> {
    return this.client.send('GET', `/store/orders/${id}`);
  }
  update(id: number, body: OrderFields): Promise<Reply<Order>> {
    return this.client.send('PATCH', `/store/orders/${id}`, { body });
  }
  cancel(id: number): Promise<Reply<undefined>> {
    return this.client.send('DELETE', `/store/orders/${id}`);
  }
}

class Inventory extends Items {
  list(query: Query = {}): Promise<Reply<readonly InventoryItem[]>> {
    return this.client.send('GET', '/inventory', { query });
  }
  retrieve(petId: number): Promise<Reply<InventoryItem>> {
    return this.client.send('GET', `/inventory/${petId}`);
  }
  update(petId: number, quantity: number): Promise<Reply<InventoryItem>> {
    return this.client.send('PATCH', `/inventory/${petId}`, { body: { quantity } });
  }
}

async function replyOf<Value>(response: Response, requestId: string): Promise<Reply<Value>> {
  const data = parsed(await response.text());
  if (!response.ok && response.status !== 304)
    throw new PetstoreError(response.status, (data as { readonly code?: string } | undefined)?.code, requestId);
  const total = response.headers.get('x-total-count');
  return {
    data: data as Value,
    etag: response.headers.get('etag') ?? undefined,
    total: total === null ? undefined : Number(total),
    link: response.headers.get('link') ?? '',
  };
}

function conditions(name: string, tag: string | undefined): Asked {
  return tag === undefined ? {} : { headers: { [name]: tag } };
}

function queryText(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly string[]) : value === undefined ? [] : [String(value)]).map(
      (each) => `${encodeURIComponent(name)}=${encodeURIComponent(each)}`,
    ),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function parsed(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}

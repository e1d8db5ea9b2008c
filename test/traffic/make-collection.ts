/** A request of the collection: where it goes, and what of its response later ones name. */
interface Call {
  readonly folder: string;
  readonly name: string;
  readonly method: string;
  /** Below `{{baseUrl}}`; `:id` is a variable of the path. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Keeps the `id` of the response for later ones, by this name. */
  readonly keeps?: string;
}

const CALLS: readonly Call[] = [
  {
    folder: 'Categories',
    name: 'Create a category',
    method: 'POST',
    path: '/categories',
    body: { name: '{{categoryName}}' },
    keeps: 'categoryId',
  },
  { folder: 'Categories', name: 'List categories', method: 'GET', path: '/categories', query: { limit: '10' } },
  { folder: 'Categories', name: 'Get a category', method: 'GET', path: '/categories/:categoryId' },
  {
    folder: 'Pets',
    name: 'Add a pet',
    method: 'POST',
    path: '/pets',
    body: { name: 'Pip', categoryId: ':categoryId' },
    keeps: 'petId',
  },
  { folder: 'Pets', name: 'List pets', method: 'GET', path: '/pets', query: { status: 'available', limit: '2' } },
  { folder: 'Pets', name: 'Get a pet', method: 'GET', path: '/pets/:petId' },
  {
    folder: 'Pets',
    name: 'Replace a pet',
    method: 'PUT',
    path: '/pets/:petId',
    body: { name: 'Pip', categoryId: ':categoryId', status: 'pending' },
  },
  { folder: 'Store', name: 'Place an order', method: 'POST', path: '/store/orders', body: {}, keeps: 'orderId' },
  { folder: 'Store', name: 'Get an order', method: 'GET', path: '/store/orders/:orderId' },
  { folder: 'Store', name: 'Cancel an order', method: 'DELETE', path: '/store/orders/:orderId' },
  { folder: 'Clean up', name: 'Delete a pet', method: 'DELETE', path: '/pets/:petId' },
  { folder: 'Clean up', name: 'Delete a category', method: 'DELETE', path: '/categories/:categoryId' },
];

const CATEGORY = 'Parrots';

/**
 * A collection of Postman 2.1 with a saved response for each request, as the mock at an address gives it: twelve requests
 * in four folders, and the variables `baseUrl`, `apiKey`, which is secret, and `categoryName`.
 */
export async function makeCollection(baseUrl: string, key: string): Promise<unknown> {
  const ids = new Map<string, unknown>();
  const folders = new Map<string, unknown[]>();
  for (const call of CALLS)
    folders.set(call.folder, [...(folders.get(call.folder) ?? []), await itemOf(call, baseUrl, key, ids)]);
  return {
    info: {
      _postman_id: '0b0f6d5e-6d0a-4b6e-9d3e-2f7c9a1b4c5d',
      name: 'Petstore',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: [...folders].map(([name, item]) => ({ name, item })),
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    event: [
      {
        listen: 'prerequest',
        script: { type: 'text/javascript', exec: ['// nothing yet', "pm.variables.set('run', '1');"] },
      },
    ],
    variable: [
      { key: 'baseUrl', value: baseUrl, type: 'string' },
      { key: 'apiKey', value: key, type: 'secret' },
      { key: 'categoryName', value: CATEGORY, type: 'string' },
    ],
  };
}

async function itemOf(call: Call, baseUrl: string, key: string, ids: Map<string, unknown>): Promise<unknown> {
  const { name, method, path, query = {}, body, keeps } = call;
  const sentBody = body === undefined ? undefined : withIds(body, ids);
  const search = new URLSearchParams(query).toString();
  const filledPath = path.replace(/:(\w+)/g, (_, id: string) => String(ids.get(id)));
  const response = await fetch(`${baseUrl}${filledPath}${search === '' ? '' : `?${search}`}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(sentBody === undefined ? {} : { body: sentBody.replace('{{categoryName}}', CATEGORY) }),
  });
  const text = await response.text();
  if (keeps !== undefined) ids.set(keeps, (JSON.parse(text) as { id: unknown }).id);
  const request = requestOf(call, sentBody, ids);
  const saved = {
    name: `${response.status}`,
    originalRequest: request,
    status: response.statusText,
    code: response.status,
    _postman_previewlanguage: 'json',
    header: [...response.headers]
      .filter(([header]) => !/^(?:date|connection|keep-alive)$/.test(header))
      .map(([header, value]) => ({ key: header, value })),
    cookie: [],
    body: text === '' ? null : text,
  };
  return { name, request, response: [saved] };
}

function requestOf(
  { method, path, query = {}, body }: Call,
  sentBody: string | undefined,
  ids: ReadonlyMap<string, unknown>,
): unknown {
  const search = new URLSearchParams(query).toString();
  const variables = [...path.matchAll(/:(\w+)/g)].map(([, key = '']) => ({ key, value: String(ids.get(key)) }));
  return {
    method,
    header: [
      ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      { key: 'X-Debug', value: '1', disabled: true },
    ],
    ...(sentBody === undefined ? {} : { body: { mode: 'raw', raw: sentBody, options: { raw: { language: 'json' } } } }),
    url: {
      raw: `{{baseUrl}}${path}${search === '' ? '' : `?${search}`}`,
      host: ['{{baseUrl}}'],
      path: path.slice(1).split('/'),
      ...(search === '' ? {} : { query: Object.entries(query).map(([key, value]) => ({ key, value })) }),
      ...(variables.length === 0 ? {} : { variable: variables }),
    },
  };
}

/** `":petId"` becomes the id, which may have more digits than a double. */
function withIds(body: unknown, ids: ReadonlyMap<string, unknown>): string {
  return JSON.stringify(body).replace(/":(\w+)"/g, (_, name: string) => String(ids.get(name)));
}

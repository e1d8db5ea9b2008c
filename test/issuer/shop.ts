type Part = Record<string, unknown>;

const json = (schema: Part): Part => ({ description: 'as it is', content: { 'application/json': { schema } } });
const schema = (name: string): Part => ({ $ref: `#/components/schemas/${name}` });
const list = (name: string): Part => ({ responses: { 200: json({ type: 'array', items: schema(name) }) } });
const needs = (...scopes: string[]): Part => ({ security: [{ oauth: scopes }] });

/** An API of orders with users, scopes, a login of its own, and an issuer that it names. */
export const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://api.shop.example' }],
  paths: {
    '/users': { get: { ...list('User'), security: [] }, post: { ...add('User'), security: [] } },
    '/users/{userId}': {
      parameters: [{ name: 'userId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: json(schema('User')), 404: { description: 'none' } }, security: [] },
    },
    '/users/me': { get: { responses: { 200: json(schema('User')) }, ...needs() } },
    '/orders': {
      get: { ...list('Order'), ...needs('orders:read') },
      post: { ...add('Order'), ...needs('orders:write') },
    },
    '/orders/{orderId}': {
      parameters: [{ name: 'orderId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: json(schema('Order')), 404: { description: 'none' } }, ...needs('orders:read') },
    },
    '/login': {
      post: {
        security: [],
        requestBody: json({ type: 'object', properties: { email: { type: 'string' }, password: { type: 'string' } } }),
        responses: { 200: json(schema('Session')), 401: { description: 'no' } },
      },
    },
    '/logout': { post: { responses: { 204: { description: 'gone' } }, ...needs() } },
  },
  components: {
    securitySchemes: {
      oauth: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://auth.shop.example/oauth/authorize',
            tokenUrl: 'https://auth.shop.example/oauth/token',
            scopes: { 'orders:read': 'see orders', 'orders:write': 'make orders' },
          },
        },
      },
      connect: {
        type: 'openIdConnect',
        openIdConnectUrl: 'https://auth.shop.example/realms/shop/.well-known/openid-configuration',
      },
    },
    schemas: {
      User: {
        type: 'object',
        required: ['id', 'email'],
        properties: {
          id: { type: 'integer', readOnly: true },
          email: { type: 'string', format: 'email' },
          name: { type: 'string' },
          roles: { type: 'array', items: { type: 'string' } },
        },
      },
      Order: {
        type: 'object',
        required: ['id', 'total'],
        properties: { id: { type: 'integer', readOnly: true }, total: { type: 'integer' } },
      },
      Session: {
        type: 'object',
        required: ['accessToken', 'refreshToken', 'expiresIn'],
        properties: {
          accessToken: { type: 'string' },
          refreshToken: { type: 'string' },
          expiresIn: { type: 'integer', const: 900 },
        },
      },
    },
  },
} as const satisfies Part;

function add(name: string): Part {
  return { requestBody: json(schema(name)), responses: { 201: json(schema(name)), 400: { description: 'wrong' } } };
}

/** Two users and an order. */
export const SHOP_DATA = {
  standin: 'fixture/1' as const,
  collections: {
    '/users': [
      { id: 1, email: 'ann@shop.example', name: 'Ann', roles: ['admin'] },
      { id: 2, email: 'bob@shop.example', name: 'Bob <b>' },
    ],
    '/orders': [{ id: 1, total: 5 }],
  },
};

/** What a token says, unverified. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>;
}

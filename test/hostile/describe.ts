import type { Shape } from './shape';
import { json, ref } from '../support/small-api';

const response = (schema?: object): object => ({ description: 'done', ...(schema === undefined ? {} : json(schema)) });

/** The description of a service of a shape: honest, as far as descriptions are. */
export function describeShape(shape: Shape): object {
  const { slash, keyName } = shape;
  const end = slash ? '/' : '';
  const rows = {
    [`/rows${end}`]: collectionOf(shape),
    [`/rows/{${keyName}}${end}`]: itemOf(shape),
    ...besideOf(shape, end),
  };
  return {
    openapi: '3.0.3',
    info: { title: 'Rows', version: '1' },
    ...(shape.auth === 'none' ? {} : { security: [{ key: [] }] }),
    paths: { ...parentsOf(shape, end), ...belowParent(shape, rows) },
    components: {
      schemas: schemasOf(shape),
      ...(shape.auth === 'none'
        ? {}
        : { securitySchemes: { key: { type: 'apiKey', in: 'header', name: KEY_HEADER } } }),
    },
  };
}

export const KEY_HEADER = 'X-Key';

/** The paths of the rows, below what has them. */
function belowParent({ layout }: Shape, rows: Record<string, object>): Record<string, object> {
  const parent = layout === 'nested' ? 'boxId' : layout === 'tenants' ? 'tenant' : undefined;
  if (parent === undefined) return rows;
  const own = { name: parent, in: 'path', required: true, schema: parent === 'boxId' ? BOX_ID : { type: 'string' } };
  return Object.fromEntries(
    Object.entries(rows).map(([path, item]) => {
      const { parameters = [] } = item as { parameters?: readonly object[] };
      const prefix = parent === 'boxId' ? '/boxes/{boxId}' : '/tenants/{tenant}';
      return [`${prefix}${path}`, { ...item, parameters: [own, ...parameters] }];
    }),
  );
}

const BOX_ID = { type: 'integer' };

/** What rows are in, or name: boxes, which can be made and removed, or tenants, which cannot. */
function parentsOf({ layout }: Shape, end: string): Record<string, object> {
  const all = (name: string): object => response({ type: 'array', items: ref(name) });
  if (layout === 'tenants')
    return { [`/tenants${end}`]: { get: { operationId: 'listTenants', responses: { '200': all('Tenant') } } } };
  if (layout === 'flat') return {};
  const none = { '404': { description: 'none' } };
  return {
    [`/boxes${end}`]: {
      get: { operationId: 'listBoxes', responses: { '200': all('Box') } },
      post: {
        operationId: 'addBox',
        requestBody: { required: true, ...json(ref('NewBox')) },
        responses: { '201': response(ref('Box')), '400': { description: 'invalid' } },
      },
    },
    [`/boxes/{boxId}${end}`]: {
      parameters: [{ name: 'boxId', in: 'path', required: true, schema: BOX_ID }],
      get: { operationId: 'getBox', responses: { '200': response(ref('Box')), ...none } },
      delete: {
        operationId: 'removeBox',
        responses: { '204': { description: 'gone' }, '409': { description: 'in use' }, ...none },
      },
    },
  };
}

function collectionOf(shape: Shape): object {
  const { list, bulk, key } = shape;
  const replaced = response({ type: 'object', properties: { count: { type: 'integer' } } });
  const bulkBody = json(bulk.endsWith('with-key') ? ref('Row') : ref('RowChange'));
  const paging = ['page', 'limit'].map((name) => ({ name, in: 'query', schema: { type: 'integer', minimum: 1 } }));
  return {
    ...(list === 'none'
      ? {}
      : {
          get: {
            operationId: 'listRows',
            ...(list === 'pages' || list === 'next-link' ? { parameters: paging } : {}),
            responses: { '200': response(listSchema(shape)) },
          },
        }),
    ...(key === 'client-put' ? {} : { post: creationOf(shape) }),
    ...(bulk.startsWith('patch')
      ? { patch: { operationId: 'changeRows', requestBody: bulkBody, responses: { '200': replaced } } }
      : {}),
    ...(bulk.startsWith('put')
      ? { put: { operationId: 'putRows', requestBody: bulkBody, responses: { '200': replaced } } }
      : {}),
    ...(bulk.includes('delete') && bulk !== 'post-delete'
      ? { delete: { operationId: 'clearRows', responses: { '200': replaced } } }
      : {}),
  };
}

function listSchema({ list }: Shape): object {
  const rows = { type: 'array', items: ref('Row') };
  if (list === 'map') return { type: 'object', additionalProperties: ref('Row') };
  if (list === 'envelope')
    return { type: 'object', required: ['results'], properties: { results: rows, total: { type: 'integer' } } };
  if (list === 'pages')
    return { type: 'object', properties: { items: rows, total: { type: 'integer' }, page: { type: 'integer' } } };
  return rows;
}

function creationOf(shape: Shape): object {
  const { answer } = shape;
  const body =
    answer === 'envelope'
      ? { type: 'object', properties: { metadata: ref('Row') } }
      : answer === 'no-key'
        ? ref('RowChange')
        : ref('Row');
  const isEmpty = ['200-empty', '201-empty', '201-location', '303'].includes(answer);
  const status = answer.startsWith('200') ? '200' : answer === '202' ? '202' : answer === '303' ? '303' : '201';
  return {
    operationId: 'addRow',
    requestBody: { required: true, ...json(ref('NewRow')) },
    responses: {
      [status]: response(isEmpty ? undefined : body),
      '400': { description: 'invalid' },
      '422': { description: 'invalid' },
    },
  };
}

function itemOf(shape: Shape): object {
  const { keyName, update, removal, key } = shape;
  const schema = keySchema(shape);
  const change = (operationId: string, body: string): object => ({
    operationId,
    requestBody: { required: true, ...json(ref(body)) },
    responses: {
      '200': response(ref('Row')),
      ...(key === 'client-put' ? { '201': response(ref('Row')), '400': { description: 'invalid' } } : {}),
      '404': { description: 'none' },
    },
  });
  const hasPut = update === 'put' || update === 'both' || key === 'client-put';
  return {
    parameters: [{ name: keyName, in: 'path', required: true, schema }],
    get: { operationId: 'getRow', responses: { '200': response(ref('Row')), '404': { description: 'none' } } },
    ...(hasPut ? { put: change('putRow', 'NewRow') } : {}),
    ...(update === 'patch' || update === 'both' ? { patch: change('changeRow', 'RowChange') } : {}),
    ...(removal === 'none'
      ? {}
      : {
          delete: {
            operationId: 'removeRow',
            responses: {
              [/^\d+$/.test(removal) ? removal : '200']: { description: 'gone' },
              '404': { description: 'none' },
            },
          },
        }),
  };
}

/** What acts on many rows at a path of its own. */
function besideOf({ bulk }: Shape, end: string): object {
  const count = { '200': response({ type: 'object', properties: { count: { type: 'integer' } } }) };
  if (bulk === 'post-delete') {
    const body = json({
      type: 'object',
      properties: { title: { type: 'string' }, ids: { type: 'array', items: { type: 'string' } } },
    });
    return {
      [`/rows/delete${end}`]: {
        post: { operationId: 'deleteRows', requestBody: body, responses: { ...count, '201': { description: 'done' } } },
      },
    };
  }
  if (bulk !== 'by-property') return {};
  const parameters = [{ name: 'level', in: 'path', required: true, schema: { type: 'integer' } }];
  return { [`/rows/level/{level}${end}`]: { parameters, delete: { operationId: 'deleteLevel', responses: count } } };
}

function keySchema({ key }: Shape): object {
  if (key === 'uuid') return { type: 'string', format: 'uuid' };
  return key.startsWith('client') ? { type: 'string' } : { type: 'integer' };
}

function schemasOf(shape: Shape): object {
  const { keyName, key, removal, layout } = shape;
  const parent = shape.parentInBody && layout === 'nested' ? { boxId: BOX_ID } : {};
  const tenant = shape.parentInBody && layout === 'tenants' ? { tenant: { type: 'string', example: '2' } } : {};
  const reference = layout === 'references' ? { boxId: BOX_ID } : { ...parent, ...tenant };
  const own = {
    title: { type: 'string', minLength: 1, maxLength: 60 },
    level: { type: 'integer', minimum: 1, maximum: 9 },
    done: { type: 'boolean' },
    ...reference,
  };
  const isChosen = key === 'client' || (key === 'client-put' && shape.bodyKey);
  const state =
    removal === 'soft' || removal === 'archived'
      ? { status: { type: 'string', enum: ['active', 'archived', 'deleted'] } }
      : {};
  const box = { label: { type: 'string', minLength: 1, maxLength: 60 } };
  return {
    Tenant: { type: 'object', required: ['tenant'], properties: { tenant: { type: 'string' } } },
    NewBox: { type: 'object', required: ['label'], properties: box },
    Box: { type: 'object', required: ['id', 'label'], properties: { id: BOX_ID, ...box } },
    NewRow: {
      type: 'object',
      required: ['title', ...(isChosen ? [keyName] : []), ...Object.keys(reference)],
      properties: { ...(isChosen ? { [keyName]: { type: 'string', example: 'row-1' } } : {}), ...own },
    },
    RowChange: { type: 'object', properties: own },
    Row: {
      type: 'object',
      required: [keyName, 'title'],
      properties: { [keyName]: keySchema(shape), ...own, ...state, touched: { type: 'integer' } },
    },
  };
}

// Writes descriptions with any number of operations: collections of the same shape under names of their own.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { jsonHeaders } from './commands.mjs';

/** List, create, read, replace and remove. */
const PER_COLLECTION = 5;

/**
 * Writes a description of `count` operations with a fixture of one item.
 *
 * @returns both files, the request for that item, which stands in the last collection, and the item
 */
export function writeDescription(folder, count) {
  const names = Array.from({ length: count / PER_COLLECTION }, (_, index) => `things${index}`);
  const paths = Object.fromEntries(names.flatMap((name) => pathsOf(`/${name}`)));
  const schemas = { Thing: thing, Error: error };
  const securitySchemes = { key: { type: 'http', scheme: 'bearer' } };
  const description = {
    openapi: '3.0.3',
    info: { title: `${count} operations`, version: '1' },
    security: [{ key: [] }],
    paths,
    components: { schemas, securitySchemes },
  };
  const file = path.join(folder, `operations-${count}.json`);
  writeFileSync(file, JSON.stringify(description));
  const item = { id: 1, name: 'Thing 1', size: 7 };
  const last = `/${names.at(-1)}`;
  const fixtures = path.join(folder, `operations-${count}-fixture.json`);
  writeFileSync(fixtures, JSON.stringify({ standin: 'fixture/1', collections: { [last]: [item] } }));
  return { file, fixtures, item, request: { path: `${last}/1`, headers: jsonHeaders } };
}

const thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', format: 'int64', readOnly: true },
    name: { type: 'string', minLength: 1 },
    size: { type: 'integer', minimum: 0 },
  },
};

const error = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
};

function pathsOf(collection) {
  const schema = { $ref: '#/components/schemas/Thing' };
  const answer = (description, of) => ({ description, content: { 'application/json': { schema: of } } });
  const failed = answer('Failed', { $ref: '#/components/schemas/Error' });
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }];
  return [
    [
      collection,
      {
        get: { responses: { 200: answer('Things', { type: 'array', items: schema }), default: failed } },
        post: { requestBody, responses: { 201: answer('The thing', schema), default: failed } },
      },
    ],
    [
      `${collection}/{id}`,
      {
        parameters,
        get: { responses: { 200: answer('The thing', schema), default: failed } },
        put: { requestBody, responses: { 200: answer('The thing', schema), default: failed } },
        delete: { responses: { 204: { description: 'Gone' }, default: failed } },
      },
    ],
  ];
}

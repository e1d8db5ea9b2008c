import { buildModel } from '../../../src/openapi/model/api-model';
import { readSource } from '../../../src/openapi/read/read-source';
import { absentPath, isAbsentKey, isKnownAbsent, isLikelyAbsent } from '../../../src/runner/ownership/absent-values';

const RUN_ID = '0a1b2c3d';
const LARGEST = '9007199254740991';
const LARGEST_INT32 = '2147483647';
const LARGEST_INT64 = '9223372036854775807';

/** @param schema - of the path parameter `id`, as JSON text, so that no digit is lost */
function apiWith(version: string, schema: string): ReturnType<typeof buildModel> {
  const parameters = `[{ "name": "id", "in": "path", "required": true, "schema": ${schema} }]`;
  const get = `{ "operationId": "getItem", "parameters": ${parameters}, "responses": { "200": { "description": "ok" } } }`;
  const text = `{ "openapi": "${version}", "info": { "title": "T", "version": "1" }, "paths": { "/items/{id}": { "get": ${get} } } }`;
  return buildModel(readSource(text, 'openapi.json'));
}

function absentId(version: string, schema: string): string | undefined {
  const text = absentPath(apiWith(version, schema).operationById('getItem')!, RUN_ID)?.text;
  return text?.slice('/items/'.length);
}

describe.each(['3.0.3', '3.1.0'])('in OpenAPI %s', (version) => {
  test.each([
    { schema: '{ "type": "integer" }', id: LARGEST },
    { schema: '{ "type": "number" }', id: LARGEST },
    { schema: '{ "type": "integer", "format": "int32" }', id: LARGEST_INT32 },
    { schema: '{ "type": "integer", "format": "int64" }', id: LARGEST_INT64 },
    { schema: '{ "type": "integer", "maximum": 3000000000 }', id: '3000000000' },
    { schema: '{ "type": "integer", "maximum": 2147483647 }', id: LARGEST_INT32 },
    { schema: '{ "type": "integer", "maximum": 2147483646 }', id: undefined },
    { schema: '{ "type": "integer", "format": "int32", "maximum": 5 }', id: undefined },
    { schema: '{ "type": "integer", "minimum": 9007199254740991 }', id: LARGEST },
    { schema: '{ "type": "integer", "minimum": 9007199254740992 }', id: undefined },
    { schema: '{ "type": "integer", "multipleOf": 7 }', id: undefined },
    { schema: '{ "type": "integer", "maximum": 7000000000, "multipleOf": 7 }', id: '7000000000' },
    { schema: `{ "type": "integer", "enum": [1, ${LARGEST}] }`, id: undefined },
    { schema: '{ "type": "string" }', id: `standin-absent-${RUN_ID}` },
    { schema: '{ "type": "string", "minLength": 23 }', id: `standin-absent-${RUN_ID}` },
    { schema: '{ "type": "string", "minLength": 24 }', id: expect.stringMatching(`^[a-z0-9]{16,28}${RUN_ID}$`) },
    { schema: '{ "type": "string", "maxLength": 23 }', id: `standin-absent-${RUN_ID}` },
    { schema: '{ "type": "string", "maxLength": 22 }', id: `absent-${RUN_ID}` },
    { schema: '{ "type": "string", "maxLength": 14 }', id: 'standin-absent' },
    { schema: '{ "type": "string", "maxLength": 13 }', id: expect.stringMatching(`^[a-z0-9]{4,5}${RUN_ID}$`) },
    { schema: '{ "type": "string", "maxLength": 7 }', id: expect.stringMatching('^[a-z0-9]{7}$') },
    { schema: '{ "type": "string", "pattern": "^absent" }', id: `absent-${RUN_ID}` },
    { schema: '{ "type": "string", "pattern": "^[a-z]+-[a-z]+$" }', id: 'standin-absent' },
    { schema: '{ "type": "string", "pattern": "^[A-Z]" }', id: expect.stringMatching(`^[A-Z].*${RUN_ID}$`) },
    { schema: '{ "type": "string", "pattern": "^cus_[a-z0-9]{8}$" }', id: `cus_${RUN_ID}` },
    {
      schema: '{ "type": "string", "pattern": "^[A-Z]{3}[0-9]{2}$" }',
      id: expect.stringMatching('^[A-Z]{3}[0-9]{2}$'),
    },
    { schema: '{ "type": "string", "pattern": "^[A-Z]{2}$" }', id: expect.stringMatching('^[A-Z]{2}$') },
    { schema: '{ "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }', id: undefined },
    { schema: '{ "type": "string", "enum": ["a", "standin-absent"] }', id: undefined },
    { schema: '{ "type": "string", "format": "uuid" }', id: `ffffffff-ffff-4fff-bfff-ffff${RUN_ID}` },
    { schema: '{ "type": "string", "format": "uuid", "maxLength": 35 }', id: undefined },
  ])('the absent id for $schema is $id', ({ schema, id }) => {
    expect(absentId(version, schema)).toEqual(id);
  });
});

describe('an exclusive bound is respected', () => {
  test.each([
    { schema: '{ "type": "integer", "maximum": 9007199254740992, "exclusiveMaximum": true }', id: LARGEST },
    { schema: '{ "type": "integer", "maximum": 9007199254740991, "exclusiveMaximum": true }', id: undefined },
    { schema: '{ "type": "integer", "maximum": 9007199254740991, "exclusiveMaximum": false }', id: LARGEST },
    {
      schema: '{ "type": "integer", "format": "int32", "maximum": 2147483648, "exclusiveMaximum": true }',
      id: LARGEST_INT32,
    },
    {
      schema: '{ "type": "integer", "format": "int64", "maximum": 9223372036854775808, "exclusiveMaximum": true }',
      id: LARGEST_INT64,
    },
    { schema: '{ "type": "integer", "minimum": 9007199254740990, "exclusiveMinimum": true }', id: LARGEST },
    { schema: '{ "type": "integer", "minimum": 9007199254740991, "exclusiveMinimum": true }', id: undefined },
  ])('in OpenAPI 3.0 the absent id for $schema is $id', ({ schema, id }) => {
    expect(absentId('3.0.3', schema)).toBe(id);
  });

  test.each([
    { schema: '{ "type": "integer", "exclusiveMaximum": 9007199254740992 }', id: LARGEST },
    { schema: '{ "type": "integer", "exclusiveMaximum": 9007199254740991 }', id: undefined },
    { schema: '{ "type": "integer", "maximum": 3000000000, "exclusiveMaximum": 3000000001 }', id: '3000000000' },
    { schema: '{ "type": "integer", "maximum": 3000000000, "exclusiveMaximum": 3000000000 }', id: undefined },
    { schema: '{ "type": "integer", "format": "int32", "exclusiveMaximum": 2147483648 }', id: LARGEST_INT32 },
    { schema: '{ "type": "integer", "exclusiveMinimum": 9007199254740990 }', id: LARGEST },
    { schema: '{ "type": "integer", "exclusiveMinimum": 9007199254740991 }', id: undefined },
  ])('in OpenAPI 3.1 the absent id for $schema is $id', ({ schema, id }) => {
    expect(absentId('3.1.0', schema)).toBe(id);
  });
});

test('an id by its pattern is another one in another run', () => {
  const [one, other] = ['00000000', 'ffffffff'].map((runId) => {
    const api = apiWith('3.0.3', '{ "type": "string", "pattern": "^[A-Z]{3}[0-9]{2}$" }');
    return absentPath(api.operationById('getItem')!, runId)?.text;
  });
  expect(one).not.toBe(other);
});

test('of few ids none is named by what could change something, and none is surely absent', () => {
  const api = apiWith('3.0.3', '{ "type": "string", "pattern": "^[A-Z]{2}$" }');
  const operation = api.operationById('getItem')!;
  const { text = '' } = absentPath(operation, RUN_ID) ?? {};
  expect(absentPath({ ...operation, method: 'DELETE' }, RUN_ID)).toBeUndefined();
  expect(isKnownAbsent({ api, runId: RUN_ID }, text, 'id', text.slice('/items/'.length))).toBe(false);
});

test('a path without parameters names nothing that can be absent', () => {
  const text = `{ "openapi": "3.0.3", "info": { "title": "T", "version": "1" }, "paths": { "/items": { "get": {
    "operationId": "listItems", "responses": { "200": { "description": "ok" } } } } } }`;
  const operation = buildModel(readSource(text, 'openapi.json')).operationById('listItems')!;
  expect(absentPath(operation, RUN_ID)).toEqual({ text: '/items', isAbsent: false });
});

test('a known value is not replaced by an absent one', () => {
  const operation = apiWith('3.0.3', '{ "type": "integer" }').operationById('getItem')!;
  expect(absentPath(operation, RUN_ID, new Map([['id', 'a%20b']]))).toEqual({ text: '/items/a%20b', isAbsent: false });
});

test.each([
  { schema: '{ "type": "integer" }', value: LARGEST, isSure: true, isLikely: false },
  { schema: '{ "type": "integer" }', value: '5', isSure: false, isLikely: false },
  { schema: `{ "type": "integer", "maximum": ${LARGEST_INT64} }`, value: LARGEST, isSure: false, isLikely: false },
  { schema: '{ "type": "string" }', value: `absent-${RUN_ID}`, isSure: true, isLikely: false },
  { schema: '{ "type": "string" }', value: `any-${RUN_ID}`, isSure: true, isLikely: false },
  { schema: '{ "type": "string" }', value: 'standin-absent', isSure: false, isLikely: true },
  { schema: '{ "type": "string", "maxLength": 13 }', value: 'standin-absent', isSure: false, isLikely: false },
])('$value is absent for sure ($isSure) or likely ($isLikely) where the schema is $schema', (row) => {
  const run = { api: apiWith('3.0.3', row.schema), runId: RUN_ID };
  expect(isKnownAbsent(run, `/items/${row.value}`, 'id', row.value)).toBe(row.isSure);
  expect(isLikelyAbsent(run, `/items/${row.value}`)).toBe(row.isLikely);
});

test.each([
  [LARGEST, true],
  [LARGEST_INT32, true],
  [LARGEST_INT64, true],
  ['5', false],
  [`x-${RUN_ID}`, true],
  ['x-ffffffff', false],
])('the key %s is absent from any collection: %s', (key, isAbsent) => {
  expect(isAbsentKey(key, RUN_ID)).toBe(isAbsent);
});

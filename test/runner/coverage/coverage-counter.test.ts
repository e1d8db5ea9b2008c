import type { JsonValue } from '../../../src/core/json/json-value';
import { CoverageCounter } from '../../../src/runner/coverage/coverage-counter';
import { DIMENSION_IDS, type Dimension, type DimensionCoverage } from '../../../src/runner/coverage/dimensions';
import { loadText } from '../../openapi/load-text';
import { loadApi } from '../../../src/files/load-api';

const { api: KENNEL } = loadText(`openapi: 3.0.3
info: { title: Kennel, version: 1.0.0 }
paths:
  /animals/{kind}:
    parameters: [{ name: kind, in: path, required: true, schema: { type: string, enum: [cat, dog] } }]
    get:
      operationId: listAnimals
      parameters:
        - { name: sort, in: query, schema: { type: array, items: { $ref: '#/components/schemas/Order' } } }
        - { name: limit, in: query, schema: { type: integer, enum: [10, 100] } }
        - { name: X-Door, in: header, schema: { type: string } }
        - { name: Accept, in: header, schema: { type: string } }
        - { name: theme, in: cookie, schema: { type: string } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Animal' } } } } }
        '404': { description: none }
        4XX: { description: wrong, content: { application/json: { schema: { $ref: '#/components/schemas/Problem' } } } }
        default: { description: else }
    post:
      operationId: addAnimal
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/Animal' } }
      responses:
        '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Animal' } } } }
  /kennel:
    get:
      operationId: getKennel
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Box' } } } }
components:
  schemas:
    Order: { type: string, enum: [name, -name] }
    Problem: { type: object, properties: { code: { type: string, enum: [bad, worse] } } }
    Base:
      type: object
      properties:
        id: { type: integer, readOnly: true }
        pin: { type: string, writeOnly: true }
        name: { type: string }
    Animal:
      allOf:
        - { $ref: '#/components/schemas/Base' }
        - type: object
          properties:
            state: { type: string, nullable: true, enum: [well, ill, null] }
            kin:
              oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
    Cat: { type: object, properties: { kind: { type: string, enum: [cat] }, lives: { type: integer } } }
    Dog: { type: object, properties: { kind: { type: string, enum: [dog] }, tricks: { type: array, items: { type: object, properties: { title: { type: string } } } } } }
    Box:
      type: object
      properties:
        size: { type: string }
        inside: { type: array, items: { $ref: '#/components/schemas/Box' } }
        labels: { type: object, additionalProperties: { type: object, properties: { colour: { type: string, enum: [red] } } } }
`);

const NO_EXCHANGE = {
  path: '',
  query: '',
  requestHeaders: [],
  requestText: '',
  requestBody: undefined,
  body: undefined,
};
type Exchange = Partial<Parameters<CoverageCounter['add']>[0]>;

const counted = (api: typeof KENNEL, ...exchanges: Exchange[]): DimensionCoverage[] => {
  const counter = new CoverageCounter(api, '/v1');
  for (const each of exchanges) counter.add({ ...NO_EXCHANGE, operation: undefined, status: 200, ...each });
  return counter.result();
};
const of = (coverage: readonly DimensionCoverage[], dimension: Dimension): DimensionCoverage =>
  coverage.find((each) => each.dimension === dimension)!;
/** Names of what was not seen of one operation. */
const unseen = (coverage: readonly DimensionCoverage[], dimension: Dimension, operation: string): string[] =>
  of(coverage, dimension)
    .unseen.filter((each) => each.operation === operation)
    .map(({ name }) => name);

const list = (more: Exchange = {}): Exchange => ({
  operation: 'listAnimals',
  path: '/v1/animals/cat',
  body: [],
  ...more,
});

test('without a request nothing is seen, and an operation stands for all that it has', () => {
  const coverage = counted(KENNEL);
  expect(coverage.map(({ dimension }) => dimension)).toEqual(DIMENSION_IDS);
  expect(coverage.map(({ seen }) => seen)).toEqual([0, 0, 0, 0, 0]);
  for (const { total, unseen: missing } of coverage)
    expect(missing.reduce((sum, { units = 1 }) => sum + units, 0)).toBe(total);
  expect(of(coverage, 'statuses').unseen).toContainEqual({
    operation: 'listAnimals',
    pointer: '/paths/~1animals~1{kind}/get',
    name: 'all: not called',
    units: 4,
  });
});

test('an operation is seen by a documented status alone', () => {
  const { api } = loadText(`openapi: 3.0.3
info: { title: One, version: 1.0.0 }
paths: { /a: { get: { operationId: a, responses: { '200': { description: ok } } } } }
`);
  expect(of(counted(api, { operation: 'a', status: 500 }), 'operations').seen).toBe(0);
  expect(of(counted(api, { operation: 'a', status: undefined }), 'operations').seen).toBe(0);
  expect(of(counted(api, { operation: 'a', status: 200 }), 'operations').seen).toBe(1);
});

test.each([
  { status: 200, sees: '200' },
  { status: 404, sees: '404' },
  { status: 422, sees: '4XX' },
  { status: 503, sees: 'default' },
])('a $status is the one of $sees', ({ status, sees }) => {
  const all = ['200', '404', '4XX', 'default'];
  expect(unseen(counted(KENNEL, list({ status })), 'statuses', 'listAnimals')).toEqual(
    all.filter((key) => key !== sees),
  );
});

test('parameters are seen where they are sent, whatever their value; their words by their value', () => {
  const bare = counted(KENNEL, list());
  expect(unseen(bare, 'parameters', 'listAnimals')).toEqual([
    'query parameter sort',
    'query parameter limit',
    'header parameter X-Door',
    'cookie parameter theme',
  ]);
  const sent = list({ query: 'sort=name&limit=7', requestHeaders: ['x-door', 'left', 'Cookie', 'theme=dark'] });
  const coverage = counted(KENNEL, sent);
  expect(unseen(coverage, 'parameters', 'listAnimals')).toEqual([]);
  expect(unseen(coverage, 'words', 'listAnimals').filter((name) => name.includes('parameter'))).toEqual([
    'path parameter kind: "dog"',
    'query parameter sort /*: "-name"',
    'query parameter limit: 10',
    'query parameter limit: 100',
  ]);
});

test('properties are seen through allOf, oneOf and lists; what one side never has is no unit of it', () => {
  const nothing = counted(KENNEL, { operation: 'addAnimal', path: '/v1/animals/dog', status: 400 });
  // An object that is missing stands for what is below it.
  expect(unseen(nothing, 'properties', 'addAnimal')).toEqual([
    ...['/pin', '/name', '/state', '/kin'].map((at) => `request ${at}`),
    ...['/id', '/name', '/state', '/kin'].map((at) => `response 201 ${at}`),
  ]);
  expect(of(nothing, 'properties').unseen).toContainEqual({
    operation: 'addAnimal',
    pointer: '/components/schemas/Animal/allOf/1/properties/kin',
    name: 'request /kin',
    units: 5,
  });
  const dog: JsonValue = { name: 'Rex', state: null, kin: { kind: 'dog', tricks: [{ title: 'roll' }] } };
  const body: JsonValue = { id: 1, ...dog };
  const made = { operation: 'addAnimal', path: '/v1/animals/dog', status: 201, requestBody: dog, body };
  const coverage = counted(KENNEL, made);
  expect(unseen(coverage, 'properties', 'addAnimal').sort()).toEqual([
    'request /kin/lives',
    'request /pin',
    'response 201 /kin/lives',
  ]);
  expect(unseen(coverage, 'words', 'addAnimal')).toEqual([
    'path parameter kind: "cat"',
    ...['request', 'response 201'].flatMap((side) => [
      `${side} /state: "well"`,
      `${side} /state: "ill"`,
      `${side} /kin/kind: "cat"`,
    ]),
  ]);
  const [first] = of(coverage, 'words').unseen.filter(({ name }) => name === 'request /state: "ill"');
  expect(first?.pointer).toBe('/components/schemas/Animal/allOf/1/properties/state/enum/1');
});

test('a schema that holds itself counts once, and maps are looked through', () => {
  const box: JsonValue = { inside: [{ inside: [{ size: 'S' }] }] };
  const coverage = counted(KENNEL, { operation: 'getKennel', path: '/v1/kennel', body: box });
  expect(unseen(coverage, 'properties', 'getKennel')).toEqual(['response 200 /labels']);
  const red = counted(KENNEL, {
    operation: 'getKennel',
    path: '/v1/kennel',
    body: { labels: { a: { colour: 'red' } } },
  });
  expect(unseen(red, 'words', 'getKennel')).toEqual([]);
});

test('a value that is nested without an end is looked at to a depth', () => {
  let box: JsonValue = { size: 'deep' };
  for (let level = 0; level < 5000; level++) box = { inside: [box] };
  const coverage = counted(KENNEL, { operation: 'getKennel', path: '/v1/kennel', body: box });
  expect(unseen(coverage, 'properties', 'getKennel')).toContain('response 200 /size');
});

test('a form is read as JSON is', () => {
  const { api } = loadText(`openapi: 3.0.3
info: { title: Form, version: 1.0.0 }
paths:
  /login:
    post:
      operationId: login
      requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object, properties: { grant_type: { type: string, enum: [password, code] }, user: { type: string } } } } } }
      responses: { '204': { description: ok } }
`);
  const requestHeaders = ['Content-Type', 'application/x-www-form-urlencoded'];
  const coverage = counted(api, { operation: 'login', status: 204, requestHeaders, requestText: 'grant_type=code' });
  expect(unseen(coverage, 'properties', 'login')).toEqual(['request /user']);
  expect(unseen(coverage, 'words', 'login')).toEqual(['request /grant_type: "password"']);
});

test('a description without parameters, bodies and words has nothing of them to be seen', () => {
  const { api } = loadText(`openapi: 3.0.3
info: { title: One, version: 1.0.0 }
paths: { /a: { get: { operationId: a, responses: { '200': { description: ok } } } } }
`);
  expect(counted(api).map(({ total }) => total)).toEqual([1, 1, 0, 0, 0]);
});

test('the bundled description: as many operations, statuses and parameters as are written there', () => {
  const { api } = loadApi();
  const sum = (count: (operation: (typeof api.operations)[number]) => number): number =>
    api.operations.reduce((total, operation) => total + count(operation), 0);
  const [operations, statuses, parameters] = counted(api);
  expect(operations!.total).toBe(api.operations.length);
  expect(statuses!.total).toBe(sum(({ responses }) => responses.size));
  expect(parameters!.total).toBe(sum((operation) => operation.parameters.length));
});

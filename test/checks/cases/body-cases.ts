import { describeApi, JSON_TYPE, NOT_FOUND, pet, PET, refusal, type Answer, type CheckCases } from '../answer';

const api = describeApi(`openapi: 3.0.3
info: { title: Shop, version: '1' }
paths:
  /books:
    get:
      operationId: listBooks
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } }
        '404': { description: none, content: { application/json: { schema: { $ref: '#/components/schemas/Failure' } } } }
  /jobs:
    get:
      operationId: listJobs
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Failure' } } } }
  /map:
    get:
      operationId: getMap
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Map' } } } }
components:
  schemas:
    Failure:
      type: object
      required: [error, code]
      properties: { error: { type: string }, code: { type: string }, token: { type: string, writeOnly: true } }
    Author:
      type: object
      properties: { name: { type: string }, books: { type: array, items: { $ref: '#/components/schemas/Book' } } }
    Book:
      allOf:
        - type: object
          properties: { title: { type: string }, author: { $ref: '#/components/schemas/Author' } }
        - oneOf:
            - { type: object, properties: { pages: { type: integer } } }
            - { type: object, properties: { minutes: { type: integer } } }
        - { type: object, properties: { secret: { type: string, writeOnly: true }, free: { type: object } } }
    Map:
      type: object
      properties: { a: { type: integer }, closed: { type: object, properties: {}, additionalProperties: false } }
      additionalProperties: { $ref: '#/components/schemas/Author' }
`);
/** What stands beside references counts here, where it is ignored in OpenAPI 3.0. */
const besideReferences = describeApi(`openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /books:
    get:
      operationId: listBooks
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Books', items: { $ref: '#/components/schemas/Book', properties: { secret: { writeOnly: true } } } } } } }
components:
  schemas:
    Books: { type: array, items: { type: object } }
    Text: { type: string }
    Author: { type: object, properties: { name: { type: string } } }
    Book:
      type: object
      properties:
        title: { $ref: '#/components/schemas/Text' }
        code: { $ref: '#/components/schemas/Text', writeOnly: true }
        author: { $ref: '#/components/schemas/Author', properties: { key: { type: string, writeOnly: true } } }
`);
const besides = (body: unknown): Answer => ({ ...books(body), api: besideReferences });
const books = (body: unknown): Answer => {
  return { api, of: 'listBooks', status: 200, headers: JSON_TYPE, body: JSON.stringify(body) };
};
const ofMap = (body: unknown): Answer => ({ ...books(body), of: 'getMap' });

export const BODY_CASES: Readonly<Record<string, CheckCases>> = {
  'write-only': {
    speaks: [
      [
        'a secret in an item',
        books([{ title: 'a' }, { secret: 's' }]),
        'error /response/body/*/secret: The property "secret"',
      ],
      [
        'one deep inside',
        books([{ author: { books: [{ secret: 's' }] } }]),
        'error /response/body/*/author/books/*/secret: ',
      ],
      ['one beside a reference', besides([{ code: 's' }]), 'error /response/body/*/code: The property "code"'],
      ['one of items beside a reference', besides([{ secret: 's' }]), 'error /response/body/*/secret: '],
      [
        'one of an object beside a reference',
        besides([{ author: { key: 's' } }]),
        'error /response/body/*/author/key: ',
      ],
      [
        'one in an error',
        { ...books({ error: 'a', code: 'b', token: 'c' }), status: 404 },
        'error /response/body/token: The property "token"',
      ],
    ],
    silent: [
      ['other members', books([{ title: 'a', pages: 1 }])],
      ['other members beside a reference', besides([{ title: 'a', author: { name: 'b' } }])],
      ['the same name where nothing is documented', books([{ free: { secret: 's' } }])],
    ],
    idle: [
      ['no body', { api, of: 'listBooks', status: 200 }],
      ['no schema', { api, status: 200, body: '{}' }],
    ],
  },
  'undocumented-members': {
    speaks: [
      [
        'a member more',
        pet({ body: '{"id":1,"name":"a","categoryId":1,"age":3}' }),
        'warning /response/body/age: The property "age"',
      ],
      [
        'the same one in many items, once',
        books([{ a: 1 }, { title: 'x', a: 2 }, { a: 3, b: 4 }]),
        'warning /response/body/*/a: ',
        'warning /response/body/*/b: ',
      ],
      [
        'one deep inside',
        books([{ author: { age: 3, books: [{ a: 1 }] } }]),
        'warning /response/body/*/author/age: ',
        'warning /response/body/*/author/books/*/a: ',
      ],
      ['one in the value of a map', ofMap({ x: { age: 3 } }), 'warning /response/body/x/age: '],
    ],
    silent: [
      ['a pet', pet()],
      ['members beside a reference', besides([{ title: 'a', author: { name: 'b', key: 'c' }, secret: 'd' }])],
      ['members of either alternative', books([{ pages: 1 }, { minutes: 2 }])],
      ['members of an object of which nothing is named', books([{ free: { a: 1 } }])],
      ['members that the description allows', ofMap({ x: { name: 'a' }, y: {} })],
      ['members that it forbids, which is said already', ofMap({ closed: { a: 1 } })],
    ],
    idle: [
      [
        'an error, which may say more',
        refusal(404, 'no', { body: '{"code":"a","message":"b","status":404,"details":[]}' }),
      ],
      ['an error in place of a success', pet({ body: NOT_FOUND })],
      ['no JSON', pet({ body: '<p>' })],
      ['an undocumented status', pet({ status: 206 })],
    ],
  },
  'error-status': {
    speaks: [
      [
        'an error object',
        pet({ body: NOT_FOUND }),
        'error /response/body: An error object was sent with the status 200',
      ],
      [
        'one where every property of the resource is optional',
        { of: 'getOrder', status: 200, headers: JSON_TYPE, body: NOT_FOUND },
        'error /response/body: ',
      ],
      [
        'one with more members',
        { of: 'createPet', status: 201, body: NOT_FOUND.replace('{', '{"path":"/pets",') },
        'error /response/body: ',
      ],
      ['one without a status', ofMap({ error: 'a', code: 'b' }), 'error /response/body: '],
    ],
    silent: [
      ['a pet', pet()],
      ['a pet whose status is text', pet({ body: '{"code":"a","message":"b","status":"sold"}' })],
      ['a code and a status below 400', pet({ body: '{"code":"a","message":"b","status":200}' })],
      ['a list', books([{ error: 'a', code: 'b' }])],
      ['a resource that has such members itself', { ...ofMap({ error: 'a', code: 'b' }), of: 'listJobs' }],
      ['more than an error has', ofMap({ error: 'a', code: 'b', done: true })],
    ],
    idle: [
      ['an error', refusal(404)],
      ['no JSON', pet({ body: `${PET}.` })],
    ],
  },
};

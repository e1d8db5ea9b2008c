import { readFileSync } from 'node:fs';
import { explanationOf, type Explanation } from '../../src/explain/explain-api';
import { explanationText } from '../../src/explain/api-text';
import { explainRequest } from '../../src/explain/explain-request';
import { requestText } from '../../src/explain/request-text';
import { createServerParts, type ServerParts } from '../../src/library/create-mock-server';
import { StandinError } from '../../src/core/errors/standin-error';
import { partsOfText } from '../support/serve-text';

let parts: ServerParts;
let explanation: Explanation;
beforeAll(async () => {
  parts = await createServerParts({}, { keepsOrigins: true });
  explanation = await explanationOf(parts);
});

/** Without colours. */
function plain(text: string): string[] {
  return text.replaceAll(/\u001b\[\d+m/g, '').split('\n');
}

function operationNamed(name: string): Explanation['operations'][0] {
  return explanation.operations.find(({ operation }) => operation === name)!;
}

describe('the report', () => {
  test('counts how the operations are answered', () => {
    expect(explanation.summary).toStrictEqual({
      operations: 18,
      stateful: 18,
      examples: 0,
      madeUp: 0,
      withoutBody: 0,
      impossible: 0,
      resources: 4,
    });
  });

  test('says of each resource what speaks for it, with file and line', () => {
    const pets = explanation.resources.find(({ path }) => path === '/pets')!;
    expect(pets).toMatchObject({
      key: 'id',
      schema: 'Pet',
      confidence: 'high',
      references: ['categoryId → /categories'],
      beginning: { collection: '/pets', rows: 3, from: { fixture: 3 }, text: '3 items at the start: 3 from fixtures' },
    });
    for (const { place } of pets.reasons) expect(place).toMatch(/petstore\.yaml:\d+$/);
  });

  test('says of each parameter of a list what it does', () => {
    const roles = operationNamed('listPets').parameters.map(({ name, role, effect }) => [name, role, effect]);
    expect(roles).toContainEqual(['limit', 'page-size', 'items of a page; 20 where it is left out']);
    expect(roles).toContainEqual(['cursor', 'cursor', 'where the page begins; the response before says where']);
    expect(roles).toContainEqual(['status', 'filter', 'only items whose status is the value']);
  });

  test('says what is needed, and what a request without it is rejected with', () => {
    expect(operationNamed('createPet').needs).toMatchObject({
      credentials: {
        anyOf: ['apiKeyBearer (header Authorization: Bearer …)'],
        without: { status: 401, code: 'missing_api_key' },
      },
      parameters: undefined,
      body: { mediaTypes: ['application/json'], without: { status: 400, code: 'missing_body' } },
      ended: undefined,
    });
  });

  test('says how the other statuses are reached', () => {
    expect(operationNamed('getPet').otherAnswers).toContainEqual({
      status: '404',
      prefer: 'Prefer: code=404',
      examples: ['resource_not_found'],
      when: ['{petId} that no item has'],
      place: expect.stringMatching(/petstore\.yaml:\d+$/) as string,
    });
  });

  test('says of an action what it makes of the item', async () => {
    const answers =
      "responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } } } }";
    const text = `openapi: 3.0.3
info: { title: Jobs, version: '1' }
paths:
  /jobs/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${answers} }
    delete: { responses: { '204': { description: gone } } }
  /jobs/{id}/close:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    post: { ${answers} }
components:
  schemas:
    Job: { type: object, properties: { id: { type: integer }, state: { type: string, enum: [open, closed] } } }
`;
    const report = plain(explanationText(await explanationOf(await partsOfText(text)))).join('\n');
    expect(report.replaceAll(/\s+/g, ' ')).toContain(
      'act of /jobs - POST /jobs/{id}/close acts on one Job: "state" becomes "closed"',
    );
  });

  test('says of a collection that is empty why no row was made up', async () => {
    const shipment = "content: { application/json: { schema: { $ref: '#/components/schemas/Shipment' } } }";
    const parts = await partsOfText(
      `openapi: 3.0.3
info: { title: Parcels, version: '1' }
paths:
  /shipments:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Shipment' } } } } } } }
    post: { requestBody: { ${shipment} }, responses: { '201': { description: made, ${shipment} } } }
  /shipments/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, ${shipment} } } }
components:
  schemas:
    Shipment:
      allOf:
        - { type: object, additionalProperties: false, properties: { to: { type: string } } }
        - { type: object, required: [id], properties: { id: { type: integer } } }
`,
      { state: 'seeded' },
    );
    const text = plain(requestText(await explainRequest(parts, 'GET', '/shipments', undefined))).join('\n');
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'rows /shipments is empty at the start: no valid item can be made of its schema',
    );
  });

  test('fits in 80 columns, but for words that are longer', () => {
    const lines = plain(explanationText(explanation));
    expect(lines.filter((line) => line.length > 80 && line.trim().includes(' ', 12))).toStrictEqual([]);
  });

  test('is an overview where there are many operations, and whole when that is asked for', async () => {
    const path = (index: number): string =>
      `  /reports/${index}: { get: { responses: { '200': { description: ok, content: { text/plain: {} } } } } }`;
    const many = await partsOfText(
      `openapi: 3.0.3\ninfo: { title: Many, version: 1.0.0 }\npaths:\n${Array.from({ length: 70 }, (_, index) => path(index)).join('\n')}\n`,
    );
    const explained = await explanationOf(many);
    const overview = plain(explanationText(explained));
    expect(overview.length).toBeLessThan(20);
    expect(overview.join(' ')).toContain('67 more');
    expect(plain(explanationText(explained, true)).filter((line) => line.startsWith('GET'))).toHaveLength(70);
  });
});

describe('a request', () => {
  test('is explained by its operation, its row and its answer', async () => {
    const explained = await explainRequest(parts, 'GET', '/pets/1', undefined);
    expect(explained).toMatchObject({
      request: 'GET /pets/1',
      route: { template: 'GET /pets/{petId}', variables: [{ name: 'petId', value: '1' }] },
      operation: { operation: 'getPet', source: { from: 'state', text: 'read of /pets' } },
      answer: { status: 200, from: 'state', rows: [{ collection: '/pets', key: '1', from: 'fixture' }] },
    });
    expect(JSON.parse(explained.answer.body)).toMatchObject({ id: 1, name: 'Biscuit' });
    const [place = ''] = explained.answer.rows[0]?.places ?? [];
    const [file = '', line] = place.split(':');
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain('"Biscuit"');
  });

  test('has a template filled with what there is', async () => {
    const explained = await explainRequest(parts, 'GET', '/pets/{petId}', undefined);
    expect(explained.request).toBe('GET /pets/1');
    expect(explained.filled).toContainEqual({
      in: 'path',
      name: 'petId',
      value: '1',
      why: 'leads to an item that exists',
    });
  });

  test('without a body has one that the description shows, and what the mock adds to it is told', async () => {
    const fresh = await createServerParts({});
    const { filled, answer } = await explainRequest(fresh, 'POST', '/pets', undefined);
    expect(filled).toContainEqual(expect.objectContaining({ in: 'body', name: 'application/json' }));
    expect(answer).toMatchObject({ status: 201, made: ['id', 'status'] });
    expect(answer.rows[0]).toMatchObject({ collection: '/pets', key: '4', from: 'request' });
  });

  test('that is refused says why, in the words of the refusal', async () => {
    const explained = await explainRequest(parts, 'GET', '/pets/999', undefined);
    expect(explained.answer).toMatchObject({
      status: 404,
      from: 'refusal',
      refusal: { status: 404, code: 'resource_not_found', message: 'There is no item with petId 999 in /pets' },
    });
    expect(requestText(explained)).not.toContain('\\"');
    expect(explained.answer.existing).toStrictEqual([{ name: 'petId', value: '1' }]);
    expect(requestText(explained)).toMatch(/instead +use an existing petId such as 1\n/);
  });

  test('that is refused because nothing is there names what is, as far up the path as it has to', async () => {
    const one =
      "{ '200': { description: ok, content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } } } }";
    const many =
      "{ '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: object, properties: { id: { type: integer } } } } } } } }";
    const key = (name: string): string => `{ name: ${name}, in: path, required: true, schema: { type: integer } }`;
    const text = `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:
  /shelves: { get: { responses: ${many} } }
  /shelves/{shelf}: { parameters: [${key('shelf')}], get: { responses: ${one} } }
  /shelves/{shelf}/books: { parameters: [${key('shelf')}], get: { responses: ${many} } }
  /shelves/{shelf}/books/{book}: { parameters: [${key('shelf')}, ${key('book')}], get: { responses: ${one} } }
`;
    const collections = { '/shelves': [{ id: 4 }, { id: 5 }], '/shelves/5/books': [{ id: 7 }] };
    const fixtures = { standin: 'fixture/1', collections } as const;
    const existing = async (path: string, given = collections): Promise<unknown> => {
      const seed = { fixtures: { ...fixtures, collections: given }, state: 'seeded', strictParents: true } as const;
      const { answer } = await explainRequest(await partsOfText(text, seed), 'GET', path, undefined);
      return [answer.status, ...answer.existing];
    };
    const [shelf, book] = [
      { name: 'shelf', value: '5' },
      { name: 'book', value: '7' },
    ];
    expect(await existing('/shelves/5/books/9')).toStrictEqual([404, book]);
    expect(await existing('/shelves/4/books/7')).toStrictEqual([404, shelf]);
    expect(await existing('/shelves/9/books/9')).toStrictEqual([404, shelf, book]);
    expect(await existing('/shelves/9/books')).toStrictEqual([404, expect.objectContaining({ name: 'shelf' })]);
    expect(await existing('/shelves/5/books/7')).toStrictEqual([200]);
    expect(await existing('/shelves/5', { '/shelves': [], '/shelves/5/books': [] })).toStrictEqual([404]);
  });

  test('has each header from somebody', async () => {
    const { headers } = (await explainRequest(parts, 'GET', '/pets', undefined)).answer;
    const givers = Object.fromEntries(headers.map(({ name, from }) => [name, from]));
    // The number of items is that of the example by chance.
    expect(givers).toMatchObject({ 'Content-Type': 'description', 'X-Total-Count': 'standin', Link: 'standin' });
  });

  test('with a parameter that is not declared is told that it has no effect', async () => {
    const { route } = await explainRequest(parts, 'GET', '/pets?limit=2&colour=red', undefined);
    expect(route.unknownQuery).toStrictEqual(['colour']);
  });

  test('is printed in 80 columns, but for words that are longer', async () => {
    const lines = plain(requestText(await explainRequest(parts, 'POST', '/store/orders', undefined)));
    expect(lines.filter((line) => line.length > 80 && line.trim().includes(' '))).toStrictEqual([]);
  });

  test.each([
    { method: 'GET', path: '/pest/1', hint: 'Did you mean /pets/{petId}?' },
    { method: 'PATCH', path: '/pets/1', hint: 'There are GET, PUT, DELETE, HEAD, OPTIONS.' },
    {
      method: 'OPTIONS',
      path: '/pets',
      hint: 'The mock responds by itself: 204 with Allow: GET, POST, HEAD, OPTIONS.',
    },
  ])('$method $path is no operation', async ({ method, path, hint }) => {
    const error: unknown = await explainRequest(parts, method, path, undefined).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StandinError);
    expect((error as StandinError).hint).toBe(hint);
  });
});

describe('where a body comes from', () => {
  const DOCUMENT = `
openapi: 3.1.0
info: { title: Teas, version: 1.0.0 }
servers: [{ url: https://example.com/v1 }]
paths:
  /teas:
    get:
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Tea' } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Tea' } } } }
      responses:
        '201':
          description: ok
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Tea' }
              example: { id: 7, name: Assam }
  /teas/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Tea' } } } }
  /weather:
    get:
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { type: integer }
              examples: { wrong: { value: warm }, right: { value: 21 } }
  /luck:
    get:
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: integer }, example: much } } }
  /ping:
    get: { responses: { '204': { description: ok } } }
components:
  schemas:
    Tea: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
`;
  let teas: ServerParts;
  beforeAll(async () => {
    teas = await partsOfText(DOCUMENT, { state: 'seeded' });
  });

  test('a row that an example shows is told with its line', async () => {
    const { answer } = await explainRequest(teas, 'GET', '/teas/7', undefined);
    expect(answer.rows).toStrictEqual([
      {
        collection: '/teas',
        key: '7',
        from: 'example',
        text: 'began from an example of the description',
        places: [expect.stringMatching(/openapi\.yaml:20$/) as string],
      },
    ]);
  });

  test('a row that is made up is told with its seed', async () => {
    const made = await partsOfText(DOCUMENT.replace('example: { id: 7, name: Assam }', ''), {
      state: 'seeded',
      seed: '9',
    });
    const { answer, request } = await explainRequest(made, 'GET', '/teas/{id}', undefined);
    expect(request).toBe('GET /v1/teas/1');
    expect(answer.rows[0]).toMatchObject({ from: 'made-up', text: 'was made up, with seed 9' });
  });

  test('an example that breaks its schema is passed over, and that is said', async () => {
    const { operation, answer } = await explainRequest(teas, 'GET', '/weather', undefined);
    expect(answer).toMatchObject({ from: 'example', body: '21' });
    expect(operation.source.text).toBe('the example "right" of application/json');
    expect(operation.source.reasons.map(({ text }) => text)).toContain(
      'the example "wrong" breaks its schema and is passed over',
    );
  });

  test('a body is made up where no example is fit', async () => {
    const { operation, answer } = await explainRequest(teas, 'GET', '/luck', undefined);
    expect(answer.from).toBe('generated');
    expect(operation.source).toMatchObject({ from: 'generated', text: 'made up from the schema of application/json' });
  });

  test('a success without a body has none', async () => {
    const { answer } = await explainRequest(teas, 'GET', '/ping', undefined);
    expect(answer).toMatchObject({ status: 204, from: 'no-body', body: '' });
  });
});

import { formatReport, REPORT_KINDS } from '../../../src/report/registry';
import { readResultJson } from '../../../src/report/result/merge-results';
import { rootCauses } from '../../../src/report/causes/root-causes';
import { description, loadText } from '../../openapi/load-text';
import { exchange, judgeOf, ORIGIN, recordedPetstore, resultOf, saidOf } from './traffic';

const { api } = loadText(
  description({
    paths: `
  /books:
    get:
      operationId: listBooks
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 100 } }
      responses: { '200': { description: OK, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } } }
    post:
      operationId: addBook
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewBook' } } } }
      responses:
        '201': { description: Made, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '400': { description: Wrong, content: { application/json: { schema: { type: object } } } }
  /books/{bookId}:
    get:
      operationId: getBook
      parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '404': { description: None }
  /login:
    post:
      operationId: login
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Login' } } } }
      responses:
        '200': { description: OK, content: { application/json: { schema: { type: object, required: [token], properties: { token: { type: string, pattern: '^[A-F0-9]{40}$' }, pin: { type: integer } } } } } }
  /files:
    post:
      operationId: upload
      requestBody: { content: { application/octet-stream: {}, multipart/form-data: {
        encoding: { scan: { contentType: image/png } },
        schema: { type: object, required: [pages], properties: { pages: { type: integer }, scan: { type: string, format: binary } } } } } }
      responses: { '204': { description: Done }, '400': { description: Wrong } }
`,
    schemas: `
    Book: { type: object, required: [id, title], properties: { id: { type: integer }, title: { $ref: '#/components/schemas/Title' }, pages: { type: integer } } }
    NewBook: { type: object, required: [title], properties: { title: { $ref: '#/components/schemas/Title' }, pages: { type: integer } } }
    Title: { type: string, minLength: 1 }
    Login: { type: object, oneOf: [{ required: [user, password], properties: { user: { type: string }, password: { type: string, minLength: 60 } } }, { required: [code], properties: { code: { type: integer } } }] }
`,
  }),
);

const BOOK = '{"id":1,"title":"Momo"}';
const read = exchange('GET /books/1 200', { body: BOOK });

test('traffic that is as described passes, each operation and status once, with how often it was seen', () => {
  const result = resultOf(api, [read, read, exchange('GET /books 200', { body: `[${BOOK}]` }), read]);
  expect(result.outcome).toBe('conforms');
  expect(result.contracts[0]?.steps.map(({ name, times, verdict }) => [name, times, verdict.kind])).toEqual([
    ['getBook → 200', 3, 'pass'],
    ['listBooks → 200', undefined, 'pass'],
  ]);
  expect(result.coverage.find(({ operation }) => operation === 'getBook')).toMatchObject({ steps: 3, statuses: [200] });
});

test('a response that breaks its schema fails, at the line of the description, and one cause counts all times', () => {
  const broken = exchange('GET /books/1 200', { body: '{"id":1,"title":7}' });
  const judge = judgeOf(api);
  expect(saidOf(judge.judge(broken))).toEqual([
    'error body-schema /response/body/title: The field /title must be a string',
  ]);
  for (let times = 1; times < 12; times++) judge.judge(broken);
  const causes = rootCauses(judge.result());
  expect(causes).toMatchObject([{ check: 'body-schema', count: 12, suspect: 'service', operations: ['getBook'] }]);
  expect(causes[0]?.place).toMatch(/openapi\.yaml:\d+:\d+$/);
  expect(formatReport('text', judge.result())).toContain('12 times in 1 step');
});

test('a request that breaks the description and is accepted is drift, which names both sides', () => {
  const accepted = exchange('POST /books 201', { send: '{"title":""}', body: '{"id":1,"title":"x"}' });
  const step = judgeOf(api).judge(accepted);
  expect(saidOf(step)).toEqual([
    'error request-body /request/body/title: The field /title must have at least 1 character',
  ]);
  expect(step?.verdict).toMatchObject({
    findings: [{ hint: expect.stringMatching(/service takes more .* or the client/) }],
  });
  expect(step?.verdict).toMatchObject({ findings: [{ place: expect.stringMatching(/openapi\.yaml:\d+:\d+$/) }] });
});

test('a request that breaks the description and is rejected was rightly rejected: that is told, and fails nothing', () => {
  const rejected = exchange('POST /books 400', { send: '{"pages":"many"}', body: '{}' });
  const result = resultOf(api, [rejected, read]);
  expect(result.outcome).toBe('conforms');
  expect(saidOf(result.contracts[0]?.steps[0])).toEqual([
    'info request-body /request/body/title: The field /title is missing',
    'info request-body /request/body/pages: The field /pages must be an integer',
  ]);
  expect(formatReport('text', result)).toContain('NOTE addBook');
  expect(formatReport('github', result)).not.toContain('request-body');
});

test('a value that breaks two rules and is rejected is one note', () => {
  const rejected = exchange('POST /notes 400', { send: '{"text":""}' });
  const { api: notes } = loadText(
    description({
      paths: `
  /notes:
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: { type: object, properties: { text: { type: string, minLength: 1, pattern: '[a-z]' } } } } } }
      responses: { '201': { description: Added }, '400': { description: Wrong } }
`,
    }),
  );
  expect(saidOf(judgeOf(notes).judge(rejected))).toEqual([
    'info request-body /request/body/text: The field /text must have at least 1 character',
  ]);
});

test.each([
  [
    'GET /books?limit=999 200',
    '[]',
    'error request-parameter /request/query/limit: The query parameter "limit" must be at most 100',
  ],
  [
    'GET /books?limit=9&_=17 200',
    '[]',
    'warning request-undocumented /request/query/_: The query parameter "_" is not documented',
  ],
  [
    'GET /books?limit=%FF 200',
    '[]',
    'error request-parameter /request/query: The query parameter "limit" holds a percent sequence that is not UTF-8 text, or %00',
  ],
  [
    'GET /books/one 200',
    BOOK,
    'error request-parameter /request/path/bookId: The path parameter "bookId" must be an integer',
  ],
])('the parameters of %s are judged', (line, body, said) => {
  expect(saidOf(judgeOf(api).judge(exchange(line, { body })))).toContain(said);
});

test.each([
  [{ send: undefined }, 'error request-body /request/body: The body is missing; send application/json'],
  [{ send: '{"title":' }, 'error request-body /request/body: The body is not valid JSON: Unexpected end of JSON'],
  [
    { send: 'title', requestHeaders: ['Content-Type', 'text/plain'] },
    'error request-body /request/headers/content-type: The Content-Type is not documented',
  ],
  [
    { send: '{"title":"x"}', requestHeaders: [] },
    'error request-body /request/headers/content-type: The header Content-Type is missing',
  ],
  [
    { send: '{"title":"x","isbn":1}' },
    'warning request-undocumented /request/body/isbn: The property "isbn" is not documented',
  ],
])('the body of a request %j is judged', (sent, said) => {
  const step = judgeOf(api).judge(exchange('POST /books 201', { ...(sent as object), body: BOOK }));
  expect(saidOf(step).map((text) => text.slice(0, said.length))).toContain(said);
});

test('an operation that is not described is one finding for all that ask for it, named by its path without keys', () => {
  const judge = judgeOf(api);
  judge.judge(read);
  const first = judge.judge(exchange('GET /shelves/17/rows 200', { body: '[]' }));
  expect(saidOf(first)).toEqual([
    'error request-undocumented /request/path: GET /shelves/{id}/rows is not in the description',
  ]);
  expect(judge.judge(exchange('GET /shelves/18/rows 200', { body: '[]' }))).toBeUndefined();
  judge.judge(exchange('GET /nowhere 404'));
  judge.judge(exchange('DELETE /books/1 204'));
  const { steps } = judge.result().contracts[0]!;
  expect(steps.map((step) => [step.name, step.times, ...saidOf(step)])).toEqual([
    ['getBook → 200', undefined],
    ['GET /shelves/{id}/rows → 200', 2, saidOf(first)[0]],
    [
      'GET /nowhere → 404',
      undefined,
      'info request-undocumented /request/path: GET /nowhere is not in the description',
    ],
    [
      'DELETE /books/{id} → 204',
      undefined,
      'error request-undocumented /request/method: DELETE /books/{id} is not in the description',
    ],
  ]);
});

test('a status that is not described is found', () => {
  expect(saidOf(judgeOf(api).judge(exchange('GET /books/1 409', { body: '{}' })))).toContain(
    'error status-documented /response/status: getBook does not document the status 409',
  );
});

test('nothing is said of the value of a secret: neither its pattern, nor its length, nor its type', () => {
  const login = exchange('POST /login 200', {
    send: '{"user":"kim","password":"~secret.password~"}',
    body: '{"token":"~secret.token~","pin":"~secret.pin~"}',
  });
  expect(saidOf(judgeOf(api).judge(login))).toEqual([]);
  const broken = exchange('POST /login 200', {
    send: '{"user":"kim","password":"~secret.password~"}',
    body: '{"token":"short"}',
  });
  expect(saidOf(judgeOf(api).judge(broken))).toHaveLength(1);
  expect(saidOf(judgeOf(api).judge(exchange('GET /books/~secret.book~ 200', { body: BOOK })))).toEqual([]);
});

test('a secret is a variable of the shell in every report, and its mark in none', () => {
  const { verdict } = judgeOf(api).judge(read)!;
  expect(verdict.kind).toBe('pass');
  const result = resultOf(api, [
    exchange('GET /books/1 200', {
      requestHeaders: ['Authorization', 'Bearer ~secret.token~'],
      body: '{"id":1,"title":7,"note":"~secret.note~"}',
    }),
  ]);
  for (const kind of REPORT_KINDS) expect(formatReport(kind, result)).not.toContain('~secret.');
  expect(formatReport('text', result)).toContain('-H "Authorization: Bearer $token"');
});

test('a body that was not recorded is not judged, and counted', () => {
  const omitted = { kind: 'omitted', reason: 'larger than 1 MB', bytes: 2_000_000 } as const;
  const result = resultOf(api, [
    exchange('POST /books 201', { send: omitted, body: omitted }),
    exchange('POST /books 201', { send: omitted, body: omitted }),
  ]);
  expect(result.outcome).toBe('conforms');
  expect(result.contracts[0]?.steps).toMatchObject([{ times: 2 }]);
  expect(saidOf(result.contracts[0]?.steps[0])).toEqual([
    'info not-recorded /request/body: The body of the request was not recorded, and is not judged',
    'info not-recorded /response/body: The body of the response was not recorded, and is not judged',
  ]);
});

test('bytes are judged as such', () => {
  const bytes = exchange('POST /files 204', {
    send: { kind: 'bytes', base64: 'AAEC/w==' },
    requestHeaders: ['Content-Type', 'application/octet-stream'],
  });
  expect(saidOf(judgeOf(api).judge(bytes))).toEqual([]);
});

describe('the parts of a multipart body', () => {
  const part = (disposition: string, content: string, type?: string): string => {
    const head = [
      `Content-Disposition: form-data; ${disposition}`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ];
    return `--x\r\n${head.join('\r\n')}\r\n\r\n${content}\r\n`;
  };
  const judged = (body: string, status = 204, boundary = 'x'): string[] =>
    saidOf(
      judgeOf(api).judge(
        exchange(`POST /files ${status}`, {
          send: body,
          requestHeaders: ['Content-Type', `multipart/form-data; boundary=${boundary}`],
        }),
      ),
    );
  const pages = (text: string): string => part('name="pages"', text);
  const scan = part('name="scan"; filename="scan.png"', '\x89PNG', 'image/png');
  const end = '--x--\r\n';

  test.each([
    ['that fit', pages('3') + scan + end, []],
    ['that are a mark of a secret', pages('~secret.pages~') + scan + end, []],
    [
      'of another type than the schema has',
      pages('three') + scan + end,
      ['error request-body /request/body/pages: The field /pages must be an integer'],
    ],
    ['that are missing', scan + end, ['error request-body /request/body/pages: The field /pages is missing']],
    [
      'that no schema names',
      pages('3') + scan + part('name="note"', 'x') + end,
      ['warning request-undocumented /request/body/note: The property "note" is not documented'],
    ],
    [
      'of another media type than the encoding has',
      pages('3') + part('name="scan"; filename="scan.txt"', 'x', 'text/css') + end,
      ['error request-body /request/body/scan: The part /scan is of the type "text/css"; it must be image/png'],
    ],
  ])('%s', (_, body, said) => {
    expect(judged(body)).toEqual(said);
  });

  test('that were rightly rejected are a note, and a body without parts is none', () => {
    expect(judged(pages('three') + scan + end, 400)).toEqual([
      'info request-body /request/body/pages: The field /pages must be an integer',
    ]);
    expect(judged(pages('3') + scan + end, 204, 'y')).toEqual([
      'error request-body /request/body: The body has no parts between the boundary that its Content-Type names',
    ]);
  });
});

test('other origins, pages and what they load, preflights, switched protocols and requests without a response are no API', () => {
  const judge = judgeOf(api);
  const page = { body: '<html>', type: 'text/html' };
  for (const each of [
    exchange('GET /collect 200', { more: { origin: 'https://metrics.example' } }),
    exchange('GET / 200', { ...page, requestHeaders: ['Accept', 'text/html,application/xhtml+xml'] }),
    exchange('GET /app.js 200', { body: 'x', type: 'text/javascript' }),
    exchange('GET /logo 200', { more: { resourceType: 'image' } }),
    exchange('OPTIONS /books 204', { requestHeaders: ['Access-Control-Request-Method', 'POST'] }),
    exchange('GET /live 101'),
    exchange('GET /books/1 200', { more: { response: undefined } }),
  ])
    expect(judge.judge(each)).toBeUndefined();
  expect(judge.judge(read)).toBeDefined();
  expect(judge.result().contracts[0]?.steps).toHaveLength(1);
});

test('a page of HTML in place of JSON is one cause, whichever operation met it', () => {
  const page = { body: '<html><title>Sign in</title></html>', type: 'text/html' };
  const result = resultOf(api, [
    read,
    exchange('GET /books 200', page),
    exchange('GET /books/1 200', page),
    exchange('POST /books 502', { ...page, send: '{"title":"x"}' }),
    exchange('GET /books/1 503', page),
  ]);
  expect(rootCauses(result)).toMatchObject([{ check: 'html-page', suspect: 'gateway', count: 4 }]);
});

test('an API that answers nothing but HTML is told so once', () => {
  const page = { body: '<html></html>', type: 'text/html' };
  const result = resultOf(
    api,
    ['GET /books 200', 'GET /books/1 200', 'GET /books/2 200', 'GET /books/3 404'].map((line) => exchange(line, page)),
  );
  expect(rootCauses(result)).toHaveLength(1);
  expect(result.outcome).toBe('violations');
});

test.each([
  ['/api/v2/books', 'https://api.example', '5 of 5 others fit with the base URL https://api.example/api/v2.'],
  ['/books', 'https://api.example/api', '5 of 5 others fit with the base URL https://api.example.'],
])('traffic to %s below %s does not fit, and the base URL that would fit is named', (path, baseUrl, hint) => {
  const lines = [1, 2, 3, 4].map((id) => `GET ${path}/${id} 200`);
  const result = resultOf(
    api,
    [...lines, `GET ${path} 200`].map((line) => exchange(line, { body: BOOK })),
    baseUrl,
  );
  expect(result.outcome).toBe('cannot-judge');
  expect(rootCauses(result)).toMatchObject([
    {
      check: 'TRAFFIC_UNRELATED',
      message: 'None of 5 requests is in the description: it does not fit this traffic',
      hint,
    },
  ]);
});

test('where the description has a path more than the traffic, that is what the hint says', () => {
  const { api: prefixed } = loadText(
    description({
      paths: `{ /api/books: { get: { responses: { '200': { description: OK } } } }, /api/shelves: { get: { responses: { '200': { description: OK } } } } }`,
    }),
  );
  const result = resultOf(
    prefixed,
    ['GET /books 200', 'GET /shelves 200', 'GET /books 200'].map((line) => exchange(line)),
  );
  expect(rootCauses(result)[0]?.hint).toContain(
    '3 of 3 others fit below /api, which the paths of the description begin with',
  );
});

test('a description of another API is told once, with what the traffic asks for, and live once as well', () => {
  const judge = judgeOf(api);
  const told = Array.from({ length: 40 }, (_, id) => judge.judge(exchange(`GET /orders/${id} 200`, { body: '{}' })));
  const told2 = judge.judge(exchange('GET /customers 200', { body: '[]' }));
  expect(told.filter((step) => step !== undefined).map(({ name }) => name)).toEqual([
    'GET /orders/{id} → 200',
    'the description',
  ]);
  expect(told2).toBeUndefined();
  expect(rootCauses(judge.result())).toMatchObject([
    {
      check: 'TRAFFIC_UNRELATED',
      hint: expect.stringContaining('GET /orders/{id} (40 times), GET /customers (1 time)'),
    },
  ]);
});

test('requests of strangers that are rightly answered with 404 do not make a description unfit', () => {
  const scans = Array.from({ length: 50 }, (_, at) =>
    exchange(`GET /wp-admin-${String.fromCharCode(97 + (at % 20))} 404`),
  );
  expect(resultOf(api, [...scans, read]).outcome).toBe('conforms');
});

test('traffic that went elsewhere is told, with where it went', () => {
  const elsewhere = exchange('GET /books/1 200', { body: BOOK, more: { origin: 'http://localhost:3000' } });
  expect(rootCauses(resultOf(api, [elsewhere, elsewhere]))).toMatchObject([
    {
      message: `None of 2 requests went to ${ORIGIN}, where the API is looked for`,
      hint: '2 went to http://localhost:3000: is that the base URL?',
    },
  ]);
});

test('no traffic at all is no proof', () => {
  expect(resultOf(api, []).outcome).toBe('inconclusive');
});

test('a read that returns another item is an error, and a property that changed a warning: others may write as well', () => {
  const made = exchange('POST /books 201', { send: '{"title":"Momo"}', body: BOOK });
  const result = resultOf(api, [
    made,
    exchange('GET /books/1 200', { body: '{"id":1,"title":"Ronja"}' }),
    exchange('GET /books/1 200', { body: '{"id":2,"title":"Momo"}' }),
  ]);
  const said = result.contracts[0]!.steps.flatMap(saidOf);
  expect(said).toContain('error identity /response/body/id: GET /books/{bookId} returned another item');
  expect(said.filter((text) => text.includes(' echo '))).toEqual([expect.stringMatching(/^warning echo /)]);
});

test('the server paths of the description say where its paths begin, unless the base URL does', () => {
  const { api: below } = loadText(
    description({
      paths: `{ /books: { get: { operationId: list, responses: { '200': { description: OK } } } } }`,
      more: 'servers: [{ url: "https://api.example/v1" }, { url: "/{tenant}/v2", variables: { tenant: { default: a } } }]',
    }),
  );
  const named = (target: string, baseUrl?: string): string | undefined =>
    judgeOf(below, baseUrl).judge(exchange(`GET ${target} 200`))?.operation;
  expect(named('/v1/books')).toBe('list');
  expect(named('/other/v2/books')).toBe('list');
  expect(named('/books')).toBe('list');
  expect(named('/proxied/books', `${ORIGIN}/proxied`)).toBe('list');
});

test('the traffic of the Petstore is as described, and every kind of report shows it', async () => {
  const { exchanges, server } = await recordedPetstore([
    { line: 'GET /pets' },
    { line: 'POST /pets', send: '{"name":"Zoë","categoryId":1}' },
    { line: 'GET /pets/4' },
    { line: 'PUT /pets/4', send: '{"name":"Zoe","categoryId":1}' },
    { line: 'GET /pets/4' },
    { line: 'POST /pets', send: '{"name":7}' },
    { line: 'DELETE /pets/4' },
    { line: 'GET /pets/4' },
    { line: 'GET /categories?limit=2' },
  ]);
  try {
    const result = resultOf(server.api, exchanges, server.url);
    expect(result.contracts[0]!.steps.flatMap(saidOf).filter((text) => !text.startsWith('info'))).toEqual([]);
    expect(result.outcome).toBe('conforms');
    for (const kind of REPORT_KINDS) expect(formatReport(kind, result).length).toBeGreaterThan(20);
    expect(readResultJson(formatReport('json', result))).toMatchObject({ mode: 'recorded', outcome: 'conforms' });
    expect(formatReport('text', result)).toContain('Recorded traffic · ');
  } finally {
    await server.close();
  }
});

test('what is kept is bounded, however many kinds of trouble there are', () => {
  const judge = judgeOf(api);
  judge.judge(read);
  for (let at = 0; at < 400; at++) {
    judge.judge(exchange('GET /books/1 200', { body: `{"id":1,"title":7,"extra${at}":1}` }));
    judge.judge(exchange(`GET /a${String.fromCharCode(97 + (at % 26))}${'x'.repeat(at % 40)} 404`));
  }
  const { steps } = judge.result().contracts[0]!;
  expect(steps.length).toBeLessThan(250);
  expect(steps.reduce((sum, { times = 1 }) => sum + times, 0)).toBe(801);
});

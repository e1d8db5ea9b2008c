import { parse } from 'yaml';
import { EXPORT_NAMES } from '../../../src/traffic/exports/registry';
import { object, smallApi, text, whole } from '../../support/small-api';
import { temporaryFolder } from '../../support/temporary-folder';
import { exported, lostOf, SHOP } from './shop';

const WRITTEN = EXPORT_NAMES.filter((name) => name !== 'har');

interface Written {
  readonly description: string;
  readonly onFailure?: [{ readonly stepId: string }];
}

const SECRET = `
standin: contract/1
name: With secrets
variables: { tenant: acme, pin: { secret: true } }
env: [SHOP_PASSWORD]
steps:
  - name: send them
    operation: listPets
    auth: { identity: branch-manager }
    headers: { X-Pin: '\${pin}', X-Tenant: '\${tenant}', X-Password: 'pw \${env.SHOP_PASSWORD}' }
    expect: { status: 200 }
`;

test.each(WRITTEN)('no secret is in %s: a name stands for each, and what is no secret is filled in', (name) => {
  process.env['SHOP_PASSWORD'] = 'correct horse';
  try {
    const { text: written } = exported(name, SECRET);
    expect(written).not.toContain('correct horse');
    for (const variable of ['pin', 'SHOP_PASSWORD', 'STANDIN_KEY_BRANCH_MANAGER', 'acme'])
      expect(written).toContain(variable);
  } finally {
    delete process.env['SHOP_PASSWORD'];
  }
});

test.each(WRITTEN)('a secret that is not given is no obstacle to %s', (name) => {
  expect(exported(name, SECRET).text).toContain('pin');
});

test.each(WRITTEN)(
  'the key of the service is in %s by its name alone, unknown keys of the contract as they are',
  (name) => {
    const contract = `
standin: contract/1
name: Keys
steps:
  - { name: good, operation: listPets, expect: { status: 200 } }
  - { name: none, operation: listPets, auth: none, expect: { status: 401 } }
  - { name: unknown, operation: listPets, auth: invalid, expect: { status: 401 } }
`;
    const { text: written } = exported(name, contract);
    expect(written).toMatch(name === 'arazzo' ? /Bearer \{\$inputs\.apiKey\}/ : /STANDIN_API_KEY/);
    expect(written).toContain('standin-unknown-key-export');
    expect(written).not.toContain('test-key');
  },
);

test.each(WRITTEN)('what %s cannot say is told with its step, and stands in the file as well', (name) => {
  const contract = `
standin: contract/1
name: Much
steps:
  - name: wait for it
    operation: listPets
    repeat: { until: { status: 200 } }
    maxDurationMs: 100
    expect: { status: 200, body: { $each: { at: { $format: date-time } } } }
  - { name: one, together: both, operation: listPets, expect: { status: 200 } }
  - { name: two, together: both, operation: listPets, expect: { status: 200 }, successes: 2 }
`;
  const result = exported(name, contract);
  const lost = lostOf(result);
  expect(lost).toContain('wait for it: repeat: the request is sent once');
  expect(lost).toContain('wait for it: maxDurationMs');
  for (const step of ['one', 'two'])
    expect(lost).toContain(`${step}: together: the request is sent alone, in its turn`);
  expect(lost).toContain('two: successes: how many of the group succeed is not counted');
  expect(lost.some((line) => /expect\.body .*\$(?:format|each)/.test(line))).toBe(true);
  expect(result.text).toContain('repeat: the request is sent once');
});

const NOTES = smallApi({
  'POST /notes': {
    body: object({ text, parent: whole, tags: { type: 'array', items: text } }),
    answers: { 201: object({ id: text }) },
  },
  'GET /notes/{id}': { answers: { 200: object({ id: text }) } },
  'GET /notes': { query: { q: text }, answers: { 200: { type: 'array', items: object({ id: text }) } } },
});

/** A step that uses what an earlier one captured, everywhere. */
const EVERYWHERE = `
standin: contract/1
name: Notes
steps:
  - name: first
    method: POST
    path: /notes
    body: { text: 'a "quoted" \${runId}', parent: 9007199254740993 }
    expect: { status: 201 }
    capture: { id: $response.body#/id, place: { from: $response.header.Location, pattern: '([0-9]+)$' } }
  - name: second
    method: GET
    path: /notes?q=\${id}
    headers: { X-Id: '\${id}', X-Empty: '' }
    expect: { status: 200, body: [{ id: '\${id}' }] }
  - name: third
    method: POST
    path: /notes
    body: { text: '\${id} of \${place}', tags: ['\${id}'] }
    expect: { status: [200, 201] }
`;

function notes(name: (typeof WRITTEN)[number]): ReturnType<typeof exported> {
  const folder = temporaryFolder();
  try {
    return exported(name, EVERYWHERE, {
      description: folder.write('notes.json', NOTES),
      baseUrl: 'http://notes.test/v1',
    });
  } finally {
    folder.remove();
  }
}

test('a script writes each value as its place asks for: text, JSON, percent-encoded', () => {
  const { text: script } = notes('curl');
  expect(script).toContain(': "${BASE_URL:=http://notes.test/v1}"');
  expect(script).toContain(`'{"text":"a \\"quoted\\" '"$runId_text"'","parent":9007199254740993}'`);
  expect(script).toContain(`keep place "$(header_json 'Location')" '([0-9]+)$'`);
  expect(script).toContain(`"$BASE_URL"'/notes?q='"$id"`);
  expect(script).toContain(`-H "X-Id: $id" -H 'X-Empty;'`);
  expect(script).toContain(`'{"text":"'"$id_text"' of '"$place_text"'","tags":['"$id_json"']}'`);
  expect(script).toContain('if has id place; then');
  expect(script).toContain('expect_status 200 201');
});

test('a collection does the same with variables, and skips what it has no value for', () => {
  const { item } = JSON.parse(notes('postman').text);
  const [first, second, third] = item[0].item;
  expect(first.request.body.raw).toBe('{"text":"a \\"quoted\\" {{runId_text}}","parent":9007199254740993}');
  expect(second.request.url).toStrictEqual({
    raw: '{{BASE_URL}}/notes?q={{id}}',
    host: ['{{BASE_URL}}'],
    path: ['notes'],
    query: [{ key: 'q', value: '{{id}}' }],
  });
  expect(third.request.body.raw).toBe('{"text":"{{id_text}} of {{place_text}}","tags":[{{id_json}}]}');
  expect(third.event[0].script.exec).toStrictEqual([
    "if (pm.variables.get('id') === undefined || pm.variables.get('place') === undefined) pm.execution.skipRequest();",
  ]);
});

test('Arazzo leaves out what it cannot send, and what needs a value of that', () => {
  const result = notes('arazzo');
  const { workflows } = parse(result.text) as { workflows: [{ steps: { description: string }[] }] };
  expect(workflows[0].steps.map(({ description }) => description)).toStrictEqual([]);
  expect(lostOf(result)).toStrictEqual([
    'first: left out: a number of its body would be rounded',
    'second: left out: it needs ${id}, which no step here captures',
    'third: left out: it needs ${id}, which no step here captures',
  ]);
});

test('Arazzo leaves out what tools send or judge in another way, and what would show its change', () => {
  const contract = `
standin: contract/1
name: Edges
steps:
  - name: place nothing
    operation: placeOrder
    body: {}
    expect: { status: 201 }
  - name: list orders
    operation: listOrders
    expect: { status: 200 }
  - name: list pets
    operation: listPets
    expect: { status: 200, body: { $length: { $min: 0 } } }
  - name: make
    operation: createCategory
    headers: { Content-Type: 'application/json; charset=utf-8' }
    body: { name: Dogs }
    expect: { status: 201 }
    capture: { id: $response.body#/id }
  - name: rename by a text
    operation: replaceCategory
    parameters: { categoryId: '\${id}' }
    headers: { Content-Type: application/json }
    text: '{"name":"Cats"}'
    expect: { status: 200 }
  - name: read the category
    operation: getCategory
    parameters: { categoryId: '\${id}' }
    expect: { status: 200, body: { name: Cats } }
  - name: nothing at all
    operation: createCategory
    headers: { Content-Type: application/json }
    body: null
    expect: { status: 400 }
  - name: a quiet one
    operation: createCategory
    parameters: { Prefer: 'handling=strict, return=minimal' }
    body: { name: Mice }
    expect: { status: 201 }
  - name: another path
    method: GET
    path: '/pets/..%2Forders'
    expect: { status: [400, 404] }
  - name: a broken code
    method: GET
    path: '/pets?name=%A'
    expect: { status: 400 }
  - name: two in one query
    method: GET
    path: '/pets?status=sold&status=pending'
    expect: { status: 200, body: [{ id: 1 }] }
  - name: the first of all
    operation: listPets
    expect: { status: 200, body: [{ id: { $min: 1 } }] }
  - name: in a type that nobody has
    operation: listPets
    headers: { Accept: text/html }
    expect: { status: 406 }
`;
  const result = exported('arazzo', contract);
  const { steps } = parse(result.text).workflows[0];
  expect(steps.map(({ description }: Written) => description)).toStrictEqual(['list pets', 'make', 'the first of all']);
  expect(steps[1].requestBody.contentType).toBe('application/json');
  // Evaluators are known that find nothing in a comparison of a query with an index.
  expect(steps[2].successCriteria.at(-1).condition).toBe('$[?value(@[0].id) >= 1]');
  expect(lostOf(result)).toStrictEqual([
    'place nothing: left out: tools send nothing in the place of an empty object',
    'list orders: left out: what it shows depends on "place nothing", which is left out',
    'make: headers.Content-Type: sent as application/json',
    'rename by a text: left out: tools would send the text as a JSON string',
    'read the category: left out: what it shows depends on "rename by a text", which is left out',
    'nothing at all: left out: tools send nothing in the place of null',
    'a quiet one: left out: it asks for no body, which tools take for a violation where one is documented',
    'another path: left out: the value of petId would be read as a part of the URL',
    'a broken code: left out: its query is in a broken encoding, which tools would mend',
    'two in one query: left out: a query parameter is sent twice',
    'in a type that nobody has: left out: the description has no response 406, which tools take for a violation',
  ]);
});

test('Arazzo: one workflow, a failed step goes to the next one, the setup to the cleanup, last step first', () => {
  const { text: written } = exported('arazzo', SHOP);
  const document = parse(written);
  expect(document).toMatchObject({ arazzo: '1.0.1', info: { title: 'A pet and its category' } });
  const { steps, inputs } = document.workflows[0];
  expect(inputs).toStrictEqual({
    type: 'object',
    required: ['apiKey', 'runId'],
    properties: { apiKey: { type: 'string', format: 'password' }, runId: { type: 'string' } },
  });
  const course = steps.map(({ description, onFailure }: Written) => [description, onFailure?.[0].stepId]);
  expect(course).toStrictEqual([
    ['add a category', 'cleanup-5'],
    ['add a pet', 'steps-3'],
    ['it is there', 'steps-4'],
    ['nobody sees it without a key', 'cleanup-5'],
    ['remove the pet', 'cleanup-6'],
    ['remove the category', undefined],
  ]);
  expect(steps[0]).toMatchObject({
    operationId: 'createCategory',
    requestBody: { contentType: 'application/json', payload: { name: 'Dogs {$inputs.runId}' } },
    successCriteria: [
      { condition: '$statusCode == 201' },
      { context: '$response.body', type: 'jsonpath', condition: '$[?@.name == {$request.body#/name}]' },
    ],
    outputs: { categoryId: '$response.body#/id' },
  });
  expect(steps[1].requestBody.payload.categoryId).toBe('$steps.setup-1.outputs.categoryId');
  expect(steps[3].parameters).toStrictEqual([{ name: 'petId', in: 'path', value: '$steps.steps-2.outputs.petId' }]);
  expect(steps[5].successCriteria).toStrictEqual([{ condition: '$statusCode == 204 || $statusCode == 404' }]);
});

test('a text that Arazzo cannot put together is taken from the request that sent it', () => {
  const contract = `
standin: contract/1
name: Texts
steps:
  - name: make
    operation: createCategory
    body: { name: 'Dogs \${runId}' }
    expect: { status: 201 }
  - name: find
    operation: listCategories
    expect: { status: 200, body: { $contains: { name: 'Dogs \${runId}' } } }
  - name: miss
    operation: listCategories
    expect: { status: 200, body: { $not: { $contains: { name: 'Cats \${runId}' } } } }
`;
  const result = exported('arazzo', contract);
  const { steps } = parse(result.text).workflows[0];
  expect(steps[0].outputs).toStrictEqual({ sent_name: '$request.body#/name' });
  expect(steps[1].successCriteria[1].condition).toContain('@.name == {$steps.steps-1.outputs.sent_name}');
  expect(steps[2].successCriteria).toHaveLength(1);
  expect(lostOf(result)).toContain('miss: expect.body the whole: $not');
});

test('Basic credentials are made of the key where they are sent', () => {
  const description = JSON.stringify({
    ...(JSON.parse(NOTES) as object),
    components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } },
    security: [{ basic: [] }],
  });
  const folder = temporaryFolder();
  try {
    const where = { description: folder.write('notes.json', description) };
    const contract =
      'standin: contract/1\nname: a\nsteps:\n  - { method: GET, path: /notes, expect: { status: 200 } }\n';
    expect(exported('curl', contract, where).text).toContain('Authorization: Basic $STANDIN_API_KEY_basic');
    expect(exported('postman', contract, where).text).toContain('Basic {{STANDIN_API_KEY_basic}}');
    expect(exported('hurl', contract, where).text).toContain('Authorization: Basic {{STANDIN_API_KEY_basic}}');
  } finally {
    folder.remove();
  }
});

test('a key that a step captures is sent by its name', () => {
  const contract = `
standin: contract/1
name: Sessions
steps:
  - name: log in
    operation: createCategory
    body: { name: Dogs }
    expect: { status: 201 }
    capture: { token: $response.body#/name }
  - name: use it
    operation: listPets
    auth: { key: '\${token}' }
    expect: { status: 200 }
`;
  expect(exported('curl', contract).text).toContain('-H "Authorization: Bearer $token"');
  expect(exported('postman', contract).text).toContain('"value": "Bearer {{token}}"');
  expect(exported('hurl', contract).text).toContain('Authorization: Bearer {{token}}');
  expect(exported('arazzo', contract).text).toContain('value: Bearer {$steps.steps-1.outputs.token}');
});

test('what postman would take for a variable is escaped in JSON, and told where nothing can say it', () => {
  const contract = `
standin: contract/1
name: Braces
steps:
  - { name: json, operation: createPet, body: { name: '{{STANDIN_API_KEY}}', categoryId: 1 }, expect: { status: 201 } }
  - { name: header, operation: listPets, headers: { X-Note: '{{BASE_URL}}' }, expect: { status: 200 } }
`;
  const { text: written, lost } = exported('postman', contract);
  const [, json = ''] = /"raw": ("\{\\"name.*")/.exec(written) ?? [];
  const body = JSON.parse(json) as string;
  expect(body).not.toContain('{{');
  expect(JSON.parse(body)).toMatchObject({ name: '{{STANDIN_API_KEY}}' });
  expect(lost.filter(({ what }) => what.includes('two braces')).map(({ step }) => step)).toEqual(['header']);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { formatSourceLocation, type SourceFinding } from '../../src/core/errors/standin-error';
import type { Contract } from '../../src/formats/contract/contract';
import { readContract } from '../../src/formats/contract/contract-reader';
import { readSource } from '../../src/openapi/read/read-source';

const FILE = 'contracts/shop.yaml';
const OPERATIONS = [
  { id: 'listItems', method: 'GET', parameters: [{ name: 'limit', in: 'query' }] },
  {
    id: 'getItem',
    method: 'GET',
    parameters: [
      { name: 'itemId', in: 'path' },
      { name: 'If-Match', in: 'header' },
    ],
  },
  {
    id: 'moveItem',
    method: 'POST',
    parameters: [
      { name: 'id', in: 'path' },
      { name: 'id', in: 'query' },
    ],
  },
];

function read(text: string): { contract: Contract | undefined; findings: SourceFinding[] } {
  const findings: SourceFinding[] = [];
  return { contract: readContract(readSource(text, FILE), OPERATIONS, findings), findings };
}

/** A contract whose one step has these lines. */
function withStep(...lines: string[]): string {
  const step = lines.map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`);
  return ['standin: contract/1', 'name: Shop', 'steps:', ...step, ''].join('\n');
}

const GOOD: Readonly<Record<string, string>> = {
  'JSON with the schema that editors read': JSON.stringify({
    $schema: '../node_modules/standin/contracts/contract.schema.json',
    standin: 'contract/1',
    name: 'Shop',
    steps: [{ operation: 'listItems', expect: { status: 200 } }],
  }),
  'one step': withStep('operation: listItems', 'expect: { status: 200 }'),
  'every member': [
    'standin: contract/1',
    'name: Shop',
    'tags: [shop]',
    'pending: the shop is closed',
    'setup:',
    '  - name: make one',
    '    tags: [smoke, write]',
    '    pending: not deployed yet',
    '    method: POST',
    '    path: /items?x=%20',
    '    headers: { X-A: b, X-C: [d, 7], Accept: null }',
    '    body: { id: 9007199254740993, name: "${runId}" }',
    '    expect: { status: [200, 201], headers: { ETag: x } }',
    '    capture: { itemId: $response.body#/id, url: $response.header.Location, all: $response.body }',
    '  - operation: getItem',
    '    parameters: { itemId: "${itemId}" }',
    '    auth: { identity: clerk }',
    '    expect: { status: 200 }',
    '    capture:',
    '      lastId: { from: $response.header.Location, pattern: "([0-9]+)$" }',
    '      same: $request.path.itemId',
    '      agent: $request.header.User-Agent',
    '      where: $url',
    '      how: $method',
    '      what: $statusCode',
    'steps:',
    '  - operation: getItem',
    '    parameters: { itemId: "${itemId}", if-match: "${url}" }',
    '    auth: lower-case',
    '    expect: { status: 401, code: [a, b], body: { list: [1, null, false, ""], o: {} } }',
    '  - operation: moveItem',
    '    parameters: { path.id: 1, query.id: [2, 3] }',
    '    text: "{"',
    '    expect: { status: 400, code: a }',
    'cleanup:',
    '  - operation: getItem',
    '    parameters: { itemId: "${itemId}" }',
    '    expect: { status: [204, 404] }',
  ].join('\n'),
};

test('a step has what was written, with exact numbers and typed places to capture from', () => {
  const { contract, findings } = read(GOOD['every member']!);
  expect(findings).toEqual([]);
  expect(contract?.setup[0]).toEqual({
    name: 'make one',
    phase: 'setup',
    mayBeRefused: false,
    tags: ['smoke', 'write'],
    pending: 'not deployed yet',
    pointer: '/setup/0',
    request: { kind: 'raw', method: 'POST', path: '/items?x=%20' },
    headers: [
      { name: 'X-A', value: 'b' },
      { name: 'X-C', value: 'd' },
      { name: 'X-C', value: '7' },
      { name: 'Accept', value: null },
    ],
    body: { kind: 'json', value: { id: 9007199254740993n, name: '${runId}' } },
    auth: 'valid',
    expect: {
      statuses: [200, 201],
      codes: [],
      body: undefined,
      headers: [{ name: 'ETag', matcher: { kind: 'value', value: 'x', pointer: '/setup/0/expect/headers/ETag' } }],
    },
    captures: [
      {
        name: 'itemId',
        text: '$response.body#/id',
        expression: { kind: 'body', pointer: '/id' },
        pattern: undefined,
        pointer: '/setup/0/capture/itemId',
      },
      {
        name: 'url',
        text: '$response.header.Location',
        expression: { kind: 'header', name: 'Location' },
        pattern: undefined,
        pointer: '/setup/0/capture/url',
      },
      {
        name: 'all',
        text: '$response.body',
        expression: { kind: 'body', pointer: '' },
        pattern: undefined,
        pointer: '/setup/0/capture/all',
      },
    ],
    events: [],
  });
});

test('a step may come as somebody with a name, and take a part of a value or of its own request', () => {
  const { contract } = read(GOOD['every member']!);
  const { auth, captures } = contract!.setup[1]!;
  expect(auth).toEqual({ identity: 'clerk' });
  expect(captures.map(({ name, text, pattern }) => ({ name, text, pattern }))).toEqual([
    { name: 'lastId', text: '$response.header.Location', pattern: '([0-9]+)$' },
    { name: 'same', text: '$request.path.itemId', pattern: undefined },
    { name: 'agent', text: '$request.header.User-Agent', pattern: undefined },
    { name: 'where', text: '$url', pattern: undefined },
    { name: 'how', text: '$method', pattern: undefined },
    { name: 'what', text: '$statusCode', pattern: undefined },
  ]);
  expect(contract).toMatchObject({ tags: ['shop'], pending: 'the shop is closed' });
});

test('a parameter is found where the description has it, header names in any case, two of one name by their place', () => {
  const { contract } = read(GOOD['every member']!);
  expect(contract?.steps.map(({ request }) => request)).toEqual([
    {
      kind: 'operation',
      operationId: 'getItem',
      parameters: [
        { name: 'itemId', in: 'path', value: '${itemId}' },
        { name: 'If-Match', in: 'header', value: '${url}' },
      ],
    },
    {
      kind: 'operation',
      operationId: 'moveItem',
      parameters: [
        { name: 'id', in: 'path', value: 1 },
        { name: 'id', in: 'query', value: [2, 3] },
      ],
    },
  ]);
});

/** `schema: false` marks what only the reader can refuse, because it has the description or the steps before. */
const BAD: readonly { name: string; text: string; says: string; at: string; hint?: string; schema?: false }[] = [
  { name: 'no object', text: '- 1', says: 'The document must be an object, got an array', at: '1:1' },
  {
    name: 'another format',
    text: 'standin: contract/2',
    says: '"standin" must be "contract/1", got the string "contract/2"',
    at: '1:1',
  },
  { name: 'no steps', text: 'standin: contract/1\nname: x', says: 'The property "steps" is missing', at: '1:1' },
  {
    name: 'no name',
    text: 'standin: contract/1\nsteps: [{ operation: listItems, expect: { status: 200 } }]',
    says: 'The property "name" is missing',
    at: '1:1',
  },
  {
    name: 'a mistyped property of the contract',
    text: `${GOOD['one step']!}cleanups: []`,
    says: 'Unknown key "cleanups"',
    at: '6:1',
    hint: 'Did you mean "cleanup"?',
  },
  {
    name: 'a mistyped property of a step',
    text: withStep('operation: listItems', 'expects: { status: 200 }'),
    says: 'Unknown key "expects"',
    at: '5:5',
    hint: 'Did you mean "expect"?',
  },
  {
    name: 'a mistyped property of an expectation',
    text: withStep('operation: listItems', 'expect: { status: 200, header: {} }'),
    says: 'Unknown key "header"',
    at: '5:28',
    hint: 'Did you mean "headers"?',
  },
  {
    name: 'a mistyped operation',
    text: withStep('operation: listItem', 'expect: { status: 200 }'),
    says: 'The description has no operation "listItem"',
    at: '4:5',
    hint: 'Did you mean "listItems"? Is it the right description? --spec chooses it.',
    schema: false,
  },
  {
    name: 'an operation of another description',
    text: withStep('operation: launchRocket', 'expect: { status: 200 }'),
    says: 'The description has no operation "launchRocket"',
    at: '4:5',
    hint: 'Is it the right description? --spec chooses it.',
    schema: false,
  },
  {
    name: 'a mistyped parameter',
    text: withStep('operation: listItems', 'parameters: { limt: 1 }', 'expect: { status: 200 }'),
    says: 'listItems has no parameter "limt"',
    at: '5:19',
    hint: 'Did you mean "limit"?',
    schema: false,
  },
  {
    name: 'a path parameter left out',
    text: withStep('operation: getItem', 'expect: { status: 200 }'),
    says: 'getItem needs the path parameter "itemId"',
    at: '4:5',
    schema: false,
  },
  {
    name: 'a parameter that two places have',
    text: withStep('operation: moveItem', 'parameters: { id: 1 }', 'expect: { status: 200 }'),
    says: 'moveItem has several parameters "id"',
    at: '5:19',
    schema: false,
  },
  {
    name: 'a parameter that has no text',
    text: withStep('operation: getItem', 'parameters: { itemId: { a: { b: 1 } } }', 'expect: { status: 200 }'),
    says: '"a" must be a string, a number, a boolean or a list of these, of which a parameter may have one level of properties, got an object',
    at: '5:29',
  },
  {
    name: 'nothing to call',
    text: withStep('name: x', 'expect: { status: 200 }'),
    says: 'The property "operation" is missing',
    at: '4:5',
  },
  {
    name: 'an operation and a path',
    text: withStep('operation: listItems', 'path: /items', 'expect: { status: 200 }'),
    says: 'The step has both an operation and a method or a path',
    at: '4:5',
  },
  {
    name: 'parameters of a path',
    text: withStep('method: GET', 'path: /items', 'parameters: { limit: 1 }', 'expect: { status: 200 }'),
    says: 'Only the parameters of an operation can be named',
    at: '6:5',
  },
  {
    name: 'a method in lower case',
    text: withStep('method: get', 'path: /items', 'expect: { status: 200 }'),
    says: '"method" must be a method in upper case, such as GET, got the string "get"',
    at: '4:5',
  },
  {
    name: 'a path with a space',
    text: withStep('method: GET', 'path: /the items', 'expect: { status: 200 }'),
    says: '"path" must be a path that starts with /, percent-encoded where it has to be, got the string "/the items"',
    at: '5:5',
  },
  {
    name: 'a mistyped way to authenticate',
    text: withStep('operation: listItems', 'auth: invalit', 'expect: { status: 401 }'),
    says: '"auth" must be one of valid, none, invalid, malformed, empty, doubled, lower-case, query, got the string "invalit"',
    at: '5:5',
    hint: 'Did you mean "invalid"?',
  },
  {
    name: 'no expectation',
    text: withStep('operation: listItems'),
    says: 'The property "expect" is missing',
    at: '4:5',
  },
  {
    name: 'an expectation without a status',
    text: withStep('operation: listItems', 'expect: { code: x }'),
    says: 'The property "status" is missing',
    at: '5:5',
  },
  {
    name: 'a status that is none',
    text: withStep('operation: listItems', 'expect: { status: [200, 99] }'),
    says: '"status" must be a number from 200 to 599, got ',
    at: '5:29',
  },
  {
    name: 'a body and a text',
    text: withStep('operation: listItems', 'body: 1', 'text: x', 'expect: { status: 200 }'),
    says: 'The step has both "body" and "text"',
    at: '6:5',
  },
  {
    name: 'a header whose value would write another one',
    text: withStep('operation: listItems', 'headers: { X-A: "b\\r\\nX-C: d" }', 'expect: { status: 200 }'),
    says: '"X-A" must be one line of text, a list of them, or null for no such header, got the string',
    at: '5:16',
  },
  {
    name: 'a name that no header can have',
    text: withStep('operation: listItems', 'headers: { "X A": b }', 'expect: { status: 200 }'),
    says: '"X A" is not a valid header name',
    at: '5:16',
  },
  {
    name: 'a capture from nowhere',
    text: withStep('operation: listItems', 'expect: { status: 200 }', 'capture: { id: $responce.body#/id }'),
    says: '"id" must be a runtime expression such as $response.body#/property or $response.header.Name, got the string',
    at: '6:16',
    hint: 'Did you mean "$response.body"?',
  },
  {
    name: 'a capture from a body that is not sent',
    text: withStep('operation: listItems', 'expect: { status: 200 }', 'capture: { id: $request.body#/id }'),
    says: '"id" captures what the step does not send',
    at: '6:16',
    schema: false,
  },
  {
    name: 'a capture from a parameter that is not sent',
    text: withStep(
      'operation: getItem',
      'parameters: { itemId: 1 }',
      'expect: { status: 200 }',
      'capture: { id: $request.path.itmId }',
    ),
    says: '"id" captures what the step does not send',
    at: '7:16',
    hint: 'Did you mean "itemId"?',
    schema: false,
  },
  {
    name: 'a capture from the path of no operation',
    text: withStep('method: GET', 'path: /items/1', 'expect: { status: 200 }', 'capture: { id: $request.path.itemId }'),
    says: '"id" captures what the step does not send',
    at: '7:16',
    schema: false,
  },
  {
    name: 'a capture by a pattern without a group',
    text: withStep(
      'operation: listItems',
      'expect: { status: 200 }',
      'capture: { id: { from: $url, pattern: "[0-9]+" } }',
    ),
    says: 'The regular expression has 0 groups',
    at: '6:34',
  },
  {
    name: 'a capture by a pattern with two groups',
    text: withStep(
      'operation: listItems',
      'expect: { status: 200 }',
      'capture: { id: { from: $url, pattern: "(a)(b)" } }',
    ),
    says: 'The regular expression has 2 groups',
    at: '6:34',
    schema: false,
  },
  {
    name: 'a capture by a pattern that does not compile',
    text: withStep('operation: listItems', 'expect: { status: 200 }', 'capture: { id: { from: $url, pattern: "(a" } }'),
    says: 'The regular expression does not compile',
    at: '6:34',
    schema: false,
  },
  {
    name: 'a capture with a mistyped member',
    text: withStep(
      'operation: listItems',
      'expect: { status: 200 }',
      'capture: { id: { form: $url, pattern: "(a)" } }',
    ),
    says: 'Unknown key "form"',
    at: '6:22',
    hint: 'Did you mean "from"?',
  },
  {
    name: 'a tag of two words',
    text: withStep('operation: listItems', 'tags: [two words]', 'expect: { status: 200 }'),
    says: 'An item of "tags" must be a word without white space and commas, got the string "two words"',
    at: '5:12',
  },
  {
    name: 'a step that is pending for no reason',
    text: withStep('operation: listItems', 'pending: true', 'expect: { status: 200 }'),
    says: '"pending" must be a non-empty string, got true',
    at: '5:5',
  },
  {
    name: 'an identity without a name',
    text: withStep('operation: listItems', 'auth: { identity: "" }', 'expect: { status: 200 }'),
    says: '"identity" must be the name of an identity: a letter, then letters, digits, _ and -, got the string ""',
    at: '5:13',
  },
  {
    name: 'a mistyped identity',
    text: withStep('operation: listItems', 'auth: { identify: a }', 'expect: { status: 200 }'),
    says: 'Unknown key "identify"',
    at: '5:13',
    hint: 'Did you mean "identity"?',
  },
  {
    name: 'a key that stands in the file',
    text: withStep('operation: listItems', 'auth: { key: abc }', 'expect: { status: 200 }'),
    says: `"key" must be a text with a placeholder, such as '\${token}', got the string "abc"`,
    at: '5:13',
  },
  {
    name: 'a key that nothing captures',
    text: withStep('operation: listItems', "auth: { key: '${token}' }", 'expect: { status: 200 }'),
    says: 'No earlier step captures "token", and no variable has that name',
    at: '5:13',
    schema: false,
  },
  {
    name: 'no way to authenticate',
    text: withStep('operation: listItems', 'auth: {}', 'expect: { status: 200 }'),
    says: `"auth" must be { identity: name }, { key: '\${token}' } or { keys: { scheme: '\${token}' } }, got an object`,
    at: '5:5',
  },
  {
    name: 'a capture in the cleanup',
    text: `${GOOD['one step']!}cleanup:\n  - operation: listItems\n    expect: { status: 200 }\n    capture: { a: $response.body }`,
    says: 'A cleanup step cannot capture',
    at: '9:16',
  },
  {
    name: 'a capture of the name that is taken',
    text: withStep('operation: listItems', 'expect: { status: 200 }', 'capture: { runId: $response.body }'),
    says: '"runId" has a value already',
    at: '6:16',
  },
  {
    name: 'a placeholder that nothing captures',
    text: withStep('operation: getItem', 'parameters: { itemId: "${itmId}" }', 'expect: { status: 200 }'),
    says: 'No earlier step captures "itmId"',
    at: '5:19',
    schema: false,
  },
  {
    name: 'a placeholder that only a later step captures',
    text: withStep(
      'operation: listItems',
      'parameters: { limit: "${later}" }',
      'expect: { status: 200 }',
      'capture: { later: $url }',
    ),
    says: 'No earlier step captures "later"',
    at: '5:19',
    hint: 'A later step captures it: the order of the file is the order of the run.',
    schema: false,
  },
  {
    name: 'a capture of the other name that is taken',
    text: withStep('operation: listItems', 'expect: { status: 200 }', 'capture: { receiverUrl: $response.body }'),
    says: '"receiverUrl" has a value already',
    at: '6:16',
  },
  {
    name: 'an event without a name',
    text: withStep('operation: listItems', 'expect: { status: 200 }', 'expectEvent: { times: 1 }'),
    says: 'event',
    at: '6:5',
  },
  {
    name: 'an event less often than never',
    text: withStep('operation: listItems', 'expect: { status: 200 }', 'expectEvent: { event: a, times: -1 }'),
    says: 'times',
    at: '6:30',
  },
  {
    name: 'an event with a word that there is not',
    text: withStep('operation: listItems', 'expect: { status: 200 }', 'expectEvent: [{ event: a, within: 5 }]'),
    says: 'Unknown key "within"',
    at: '6:31',
    hint: 'Did you mean "withinMs"?',
  },
  {
    name: 'an event at a path that is a whole address',
    text: withStep('operation: listItems', 'expect: { status: 200 }', 'expectEvent: { event: a, path: http://a/b }'),
    says: 'path',
    at: '6:30',
  },
  {
    name: 'an event with a value that nobody captures',
    text: withStep(
      'operation: listItems',
      'expect: { status: 200 }',
      'expectEvent: { event: a, body: { id: "${no}" } }',
    ),
    says: 'No earlier step captures "no"',
    at: '6:38',
    schema: false,
  },
  {
    name: 'a matcher that there is not',
    text: withStep('operation: listItems', 'expect: { status: 200, body: [{ a: { $typ: integer } }] }'),
    says: 'Unknown key "$typ"',
    at: '5:42',
    hint: 'Did you mean "$type"? A property whose name starts with $ is compared inside $equals.',
  },
  {
    name: 'a name in the headers that no header can have',
    text: withStep('operation: listItems', 'expect: { status: 200, headers: { "X A": b } }'),
    says: '"X A" is not a valid header name',
    at: '5:39',
  },
];

test.each(BAD)('$name is rejected with its place', ({ text, says, at, hint }) => {
  const { contract, findings } = read(text);
  expect(contract).toBeUndefined();
  const finding = findings.find(({ message }) => message.includes(says));
  expect(finding && formatSourceLocation(finding)).toBe(`${FILE}:${at}`);
  if (hint !== undefined) expect(finding?.hint).toBe(hint);
});

test.each(['standin: contract/99', 'stadin: contract/1', ''])(
  'of a contract that begins with "%s" only that is told',
  (first) => {
    const { findings } = read(`${first}\nvariables: { a: {}, b: { type: 7 } }\nenv: [NOT_SET_ANYWHERE]\nsteps: 7\n`);
    expect(findings).toMatchObject([{ message: expect.stringContaining('"standin"') as string }]);
  },
);

test('the version of a contract is told, also where a secret stands in it', () => {
  const { findings } = read(
    "standin: contract/99\nname: x\nvariables: { a: { default: '99', secret: true } }\nsteps: []\n",
  );
  expect(findings).toMatchObject([{ message: '"standin" must be "contract/1", got the string "contract/99"' }]);
});

test('a step may use what a step before it captured, and not what a later one will', () => {
  const step = (line: string): string => `  - operation: listItems\n    ${line}\n    expect: { status: 200 }\n`;
  const head = 'standin: contract/1\nname: x\nsteps:\n';
  const giving = step('capture: { limit: $response.header.X-Limit }');
  const taking = step('parameters: { limit: "${limit}" }');
  expect(read(head + giving + taking).findings).toEqual([]);
  expect(read(head + taking + giving).findings).toHaveLength(1);
});

test('what a step that cannot be read would capture is not missed a second time', () => {
  const { findings } = read(
    [
      'standin: contract/1',
      'name: x',
      'steps:',
      '  - { operation: listItem, expect: { status: 200 }, capture: { limit: $url } }',
      "  - { operation: listItems, parameters: { limit: '${limit}' }, expect: { status: 200 } }",
    ].join('\n'),
  );
  expect(findings.map(({ message }) => message)).toEqual(['The description has no operation "listItem"']);
});

test('every fault of a file is told at once', () => {
  const { findings } = read(
    withStep(
      'operation: listItem',
      'tags: ["", a b]',
      'auth: nobody',
      'expect: { status: 99, body: { a: { $pattern: "(" }, b: { $format: uid } }, headers: { A: { $type: string } } }',
      'capture: { b: $nothing }',
    ),
  );
  expect(findings).toHaveLength(9);
});

describe('the published JSON Schema', () => {
  const path = join(__dirname, '..', '..', 'contracts', 'contract.schema.json');
  const validate = new Ajv({ strict: false, allErrors: true }).compile(
    JSON.parse(readFileSync(path, 'utf8')) as object,
  );
  /** The schema is for editors, which have no exact numbers. */
  const judge = (text: string): boolean =>
    validate(
      JSON.parse(
        JSON.stringify(readSource(text, FILE).root, (_, value: unknown) =>
          typeof value === 'bigint' ? Number(value) : value,
        ),
      ),
    );

  test.each(Object.entries(GOOD))('takes a contract with %s, as the reader does', (_, text) => {
    expect(judge(text)).toBe(true);
  });

  test.each(BAD.filter(({ schema }) => schema !== false))('refuses $name, as the reader does', ({ text }) => {
    expect(judge(text)).toBe(false);
  });
});

test('a secret of the environment is not quoted by an error, also where it is escaped or cut', () => {
  for (const secret of ['supersecretvalue\n', 'a long secret '.repeat(9)]) {
    const text = withStep('operation: listItems', 'tags: ["${env.TOKEN}"]', 'expect: { status: 200 }');
    const findings: SourceFinding[] = [];
    const source = readSource(text.replace('steps:', 'env: [TOKEN]\nsteps:'), FILE);
    const given = { variables: {}, environment: { TOKEN: secret } };
    const readFile = (): never => {
      throw new Error('no file is named');
    };
    expect(readContract(source, OPERATIONS, findings, { given, readFile })).toBeUndefined();
    expect(JSON.stringify(findings)).toContain('***');
    expect(JSON.stringify(findings)).not.toMatch(/supersecret|a long secret/);
  }
});

test('a value of the environment that is too short to be told from other text hides nothing of an error', () => {
  const text = withStep('operation: listItmes', 'tags: ["${env.TOKEN}"]', 'expect: { status: 200 }');
  const messages = (token: string): string[] => {
    const findings: SourceFinding[] = [];
    const source = readSource(text.replace('steps:', 'env: [TOKEN]\nsteps:'), FILE);
    const given = { variables: {}, environment: { TOKEN: token } };
    const readFile = (): never => {
      throw new Error('no file is named');
    };
    readContract(source, OPERATIONS, findings, { given, readFile });
    return findings.map(({ message, hint = '' }) => `${message} ${hint}`);
  };
  expect(messages('a')).toEqual(messages('zzzzzz'));
  expect(messages('listI').join('')).toContain('listItmes');
  expect(messages('listItmes').join('')).not.toContain('listItmes');
});

test('numbers of JSON may be written with a fraction or an exponent', () => {
  const repeat = { until: { status: 200 }, attempts: 3, timeoutMs: 7, intervalMs: 8 };
  const step = { operation: 'listItems', expect: { status: 299 }, repeat };
  const text = JSON.stringify({ standin: 'contract/1', name: 'Shop', steps: [step] });
  const written = text.replace('299', '200.0').replace(':7', ':3e3').replace(':8', ':1e1');
  const [read0] = read(written).contract?.steps ?? [];
  expect(read0?.expect.statuses).toEqual([200]);
  expect(read0?.repeat).toMatchObject({ timeoutMs: 3000, intervalMs: 10 });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { formatPlace, type SourceFinding } from '../../src/errors/source-finding';
import type { Contract } from '../../src/formats/contract';
import { readContract } from '../../src/formats/read-contract';
import { readSource } from '../../src/openapi/read-source';

const FILE = 'contracts/shop.yaml';
const OPERATIONS = [
  { id: 'listItems', parameters: [{ name: 'limit', in: 'query' }] },
  {
    id: 'getItem',
    parameters: [
      { name: 'itemId', in: 'path' },
      { name: 'If-Match', in: 'header' },
    ],
  },
  {
    id: 'moveItem',
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
  'one step': withStep('operation: listItems', 'expect: { status: 200 }'),
  'every member': [
    'standin: contract/1',
    'name: Shop',
    'setup:',
    '  - name: make one',
    '    method: POST',
    '    path: /items?x=%20',
    '    headers: { X-A: b, X-C: [d, 7], Accept: null }',
    '    body: { id: 9007199254740993, name: "${runId}" }',
    '    expect: { status: [200, 201], headers: { ETag: x } }',
    '    capture: { itemId: $response.body#/id, url: $response.header.Location, all: $response.body }',
    'steps:',
    '  - operation: getItem',
    '    parameters: { itemId: "${itemId}", if-match: "${url}" }',
    '    auth: none',
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
    expect: { statuses: [200, 201], codes: [], body: undefined, headers: [{ name: 'ETag', value: 'x' }] },
    captures: [
      {
        name: 'itemId',
        text: '$response.body#/id',
        expression: { kind: 'body', pointer: '/id' },
        pointer: '/setup/0/capture/itemId',
      },
      {
        name: 'url',
        text: '$response.header.Location',
        expression: { kind: 'header', name: 'Location' },
        pointer: '/setup/0/capture/url',
      },
      {
        name: 'all',
        text: '$response.body',
        expression: { kind: 'body', pointer: '' },
        pointer: '/setup/0/capture/all',
      },
    ],
  });
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
  { name: 'no object', text: '- 1', says: 'The contract is no object', at: '1:1' },
  { name: 'another format', text: 'standin: contract/2', says: '"standin" cannot be "contract/2"', at: '1:1' },
  { name: 'no steps', text: 'standin: contract/1\nname: x', says: 'The member "steps" is missing', at: '1:1' },
  {
    name: 'no name',
    text: 'standin: contract/1\nsteps: [{ operation: listItems, expect: { status: 200 } }]',
    says: 'The member "name" is missing',
    at: '1:1',
  },
  {
    name: 'a mistyped member of the contract',
    text: `${GOOD['one step']!}cleanups: []`,
    says: 'This contract has no "cleanups"',
    at: '6:1',
    hint: 'Did you mean "cleanup"?',
  },
  {
    name: 'a mistyped member of a step',
    text: withStep('operation: listItems', 'expects: { status: 200 }'),
    says: 'This step has no "expects"',
    at: '5:5',
    hint: 'Did you mean "expect"?',
  },
  {
    name: 'a mistyped member of an expectation',
    text: withStep('operation: listItems', 'expect: { status: 200, header: {} }'),
    says: 'This expectation has no "header"',
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
    text: withStep('operation: getItem', 'parameters: { itemId: { a: 1 } }', 'expect: { status: 200 }'),
    says: 'The parameter "itemId" has no text',
    at: '5:19',
  },
  {
    name: 'nothing to call',
    text: withStep('name: x', 'expect: { status: 200 }'),
    says: 'The member "operation" is missing',
    at: '4:5',
  },
  {
    name: 'an operation and a path',
    text: withStep('operation: listItems', 'path: /items', 'expect: { status: 200 }'),
    says: 'The step has an operation and a method or a path',
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
    says: '"method" cannot be "get"',
    at: '4:5',
  },
  {
    name: 'a path with a space',
    text: withStep('method: GET', 'path: /the items', 'expect: { status: 200 }'),
    says: '"path" cannot be "/the items"',
    at: '5:5',
  },
  {
    name: 'a mistyped way to authenticate',
    text: withStep('operation: listItems', 'auth: invalit', 'expect: { status: 401 }'),
    says: '"auth" cannot be "invalit"',
    at: '5:5',
    hint: 'Did you mean "invalid"?',
  },
  {
    name: 'no expectation',
    text: withStep('operation: listItems'),
    says: 'The member "expect" is missing',
    at: '4:5',
  },
  {
    name: 'an expectation without a status',
    text: withStep('operation: listItems', 'expect: { code: x }'),
    says: 'The member "status" is missing',
    at: '5:5',
  },
  {
    name: 'a status that is none',
    text: withStep('operation: listItems', 'expect: { status: [200, 99] }'),
    says: 'This is no final HTTP status',
    at: '5:29',
  },
  {
    name: 'a body and a text',
    text: withStep('operation: listItems', 'body: 1', 'text: x', 'expect: { status: 200 }'),
    says: '"text" cannot be "x"',
    at: '6:5',
  },
  {
    name: 'a header whose value would write another one',
    text: withStep('operation: listItems', 'headers: { X-A: "b\\r\\nX-C: d" }', 'expect: { status: 200 }'),
    says: 'The header X-A has no text',
    at: '5:16',
  },
  {
    name: 'a name that no header can have',
    text: withStep('operation: listItems', 'headers: { "X A": b }', 'expect: { status: 200 }'),
    says: '"X A" is no name of a header',
    at: '5:16',
  },
  {
    name: 'a capture from nowhere',
    text: withStep('operation: listItems', 'expect: { status: 200 }', 'capture: { id: $request.body#/id }'),
    says: '"id" captures nothing',
    at: '6:16',
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
    name: 'a member kept for matchers',
    text: withStep('operation: listItems', 'expect: { status: 200, body: [{ a: { $type: integer } }] }'),
    says: '"$type" is kept for matchers',
    at: '5:42',
  },
];

test.each(BAD)('$name is refused with its place', ({ text, says, at, hint }) => {
  const { contract, findings } = read(text);
  expect(contract).toBeUndefined();
  const finding = findings.find(({ message }) => message.includes(says));
  expect(finding && formatPlace(finding)).toBe(`${FILE}:${at}`);
  if (hint !== undefined) expect(finding?.hint).toBe(hint);
});

test('a step may use what a step before it captured, and not what a later one will', () => {
  const step = (line: string): string => `  - operation: listItems\n    ${line}\n    expect: { status: 200 }\n`;
  const head = 'standin: contract/1\nname: x\nsteps:\n';
  const giving = step('capture: { limit: $response.header.X-Limit }');
  const taking = step('parameters: { limit: "${limit}" }');
  expect(read(head + giving + taking).findings).toEqual([]);
  expect(read(head + taking + giving).findings).toHaveLength(1);
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

  test('takes the contracts that are shipped', () => {
    const file = join(__dirname, '..', '..', 'contracts', 'petstore.yaml');
    expect(judge(readFileSync(file, 'utf8'))).toBe(true);
  });
});

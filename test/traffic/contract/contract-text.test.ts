import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ExactNumber } from '../../../src/core/json/exact-number';
import { equalJson, type JsonObject, type JsonValue } from '../../../src/core/json/json-value';
import { readSource } from '../../../src/openapi/read/read-source';
import type { ContractDraft } from '../../../src/traffic/contract/contract-draft';
import { contractText } from '../../../src/traffic/contract/contract-text';
import { ROOT } from '../../project/source-files';
import { pickSample } from '../../support/sample';
import { anyJson } from './any-json';
import { anyCharacter } from '../../support/any-character';

const lines = (...all: string[]): string => `${all.join('\n')}\n`;

function textOf(value: JsonObject, more: Partial<ContractDraft> = {}): string {
  return contractText({ value, header: [], comments: [], ...more });
}

/** The text of a step, without the lines around it. */
function stepText(step: JsonObject, comments: ContractDraft['comments'] = []): string {
  return textOf({ steps: [step] }, { comments }).replace('steps:\n', '');
}

const readBack = (text: string): JsonValue => readSource(text, 'shop.contract.yaml').root;

const DRAFT: ContractDraft = {
  value: {
    standin: 'contract/1',
    name: 'Shop',
    tags: ['recorded', 'shop'],
    env: ['SHOP_PASSWORD'],
    setup: [{ operation: 'login', body: { password: '${env.SHOP_PASSWORD}' }, expect: { status: 200 } }],
    steps: [
      {
        name: 'add an item',
        operation: 'addItem',
        body: { name: 'Tea, green', price: new ExactNumber('2.50'), note: 'one\ntwo\n' },
        expect: {
          status: 201,
          body: {
            id: { $type: 'integer' },
            name: 'Tea, green',
            price: new ExactNumber('2.50'),
            code: 'no',
            size: '1e3',
          },
        },
        capture: { itemId: '$response.body#/id' },
      },
      {
        name: 'read the item',
        operation: 'getItem',
        parameters: { itemId: '${itemId}' },
        expect: { status: 200, body: { id: '${itemId}', stock: 9223372036854775807n, tags: [], seller: {} } },
      },
    ],
    cleanup: [
      { operation: 'deleteItem', parameters: { itemId: '${itemId}' }, expect: { status: [204, 404] } },
      { operation: 'logout', expect: { status: 204 } },
    ],
  },
  header: ['Recorded at https://shop.example.', 'yaml-language-server: $schema=../contract.schema.json'],
  comments: [
    { pointer: '/cleanup', text: 'Last step first.' },
    { pointer: '/steps/0/name', text: 'Exchange 3.\n\nIts price has two digits.' },
    { pointer: '/steps/0/expect/body/size', text: 'A text, though it looks like a number.' },
  ],
};

const TEXT = lines(
  '# yaml-language-server: $schema=../contract.schema.json',
  '#',
  '# Recorded at https://shop.example.',
  '',
  'standin: contract/1',
  'name: Shop',
  'tags: [recorded, shop]',
  'env: [SHOP_PASSWORD]',
  '',
  'setup:',
  '  - operation: login',
  "    body: { password: '${env.SHOP_PASSWORD}' }",
  '    expect: { status: 200 }',
  '',
  'steps:',
  '  # Exchange 3.',
  '  #',
  '  # Its price has two digits.',
  '  - name: add an item',
  '    operation: addItem',
  '    body:',
  '      name: Tea, green',
  '      price: 2.50',
  '      note: |',
  '        one',
  '        two',
  '    expect:',
  '      status: 201',
  '      body:',
  '        id: { $type: integer }',
  '        name: Tea, green',
  '        price: 2.50',
  '        code: no',
  '        # A text, though it looks like a number.',
  "        size: '1e3'",
  '    capture: { itemId: $response.body#/id }',
  '',
  '  - name: read the item',
  '    operation: getItem',
  "    parameters: { itemId: '${itemId}' }",
  "    expect: { status: 200, body: { id: '${itemId}', stock: 9223372036854775807, tags: [], seller: {} } }",
  '',
  '# Last step first.',
  'cleanup:',
  "  - { operation: deleteItem, parameters: { itemId: '${itemId}' }, expect: { status: [204, 404] } }",
  '  - { operation: logout, expect: { status: 204 } }',
);

test('a contract is written as a person would have written it', () => {
  expect(contractText(DRAFT)).toBe(TEXT);
  expect(equalJson(readBack(TEXT), DRAFT.value)).toBe(true);
});

test('a line of braces that would be too long becomes a block', () => {
  const body = (length: number): JsonObject => ({ name: 'n'.repeat(length), status: 'new' });
  expect(stepText({ name: 'short', body: body(77) })).toContain(`body: { name: ${'n'.repeat(77)}, status: new }`);
  expect(stepText({ name: 'long', body: body(78) })).toBe(
    lines('  - name: long', '    body:', `      name: ${'n'.repeat(78)}`, '      status: new'),
  );
});

test.each<[what: string, value: JsonValue, text: string]>([
  ['a text that other readers take for a truth value', 'no', 'no'],
  ['a text that looks like a number', '1e3', "'1e3'"],
  ['a text that looks like null', 'null', "'null'"],
  ['no text', '', "''"],
  ['a text that looks like an item', '- a', "'- a'"],
  ['a text that looks like a comment', '# x', "'# x'"],
  ['a text with a comment in it', 'a # x', "'a # x'"],
  ['a placeholder', '${x}', "'${x}'"],
  ['a placeholder in a text', 'a ${x}', "'a ${x}'"],
  ['a placeholder beside an apostrophe', "Zoë's ${x}", '"Zoë\'s ${x}"'],
  ['an expression', '$response.body#/id', '$response.body#/id'],
  ['letters of all kinds', 'Zoë 🐾 東京', 'Zoë 🐾 東京'],
  ['a character that turns the direction', 'a\u202Eb', '"a\\u202eb"'],
  ['a control character', 'a\u0007b', '"a\\ab"'],
  ['a carriage return', 'a\r\nb', '"a\\r\\nb"'],
  ['half of a letter', '\ud83d', '"\\ud83d"'],
  ['lines that end with a space', 'a \nb', '"a\\ \\nb"'],
  ['empty lines at the end', 'a\n\n\n', '"a\\n\\n\\n"'],
  ['an empty object', {}, '{}'],
  ['an empty list', [], '[]'],
  ['a decimal with a zero at its end', new ExactNumber('2.50'), '2.50'],
  ['a number in another form', new ExactNumber('1E+400'), '1E+400'],
  ['more digits than a double has', new ExactNumber('0.1234567890123456789'), '0.1234567890123456789'],
  ['a large integer', -12345678901234567890n, '-12345678901234567890'],
])('%s is written so that it is read back', (_, value, text) => {
  const written = textOf({ standin: 'contract/1', steps: [{ name: 'a', text: value }] });
  expect(written.split('\n')[4]).toBe(`    text: ${text}`);
  expect(equalJson(readBack(written), { standin: 'contract/1', steps: [{ name: 'a', text: value }] })).toBe(true);
});

test('a text of several lines stands in lines of its own, also where the rest would fit in braces', () => {
  expect(stepText({ name: 'send it', body: { a: 1, note: '<a>\n  <b/>\n</a>' } })).toBe(
    lines(
      '  - name: send it',
      '    body:',
      '      a: 1',
      '      note: |-',
      '        <a>',
      '          <b/>',
      '        </a>',
    ),
  );
});

test('the same value twice is written twice', () => {
  const shared = { id: 1, name: 'Tea' };
  const written = stepText({ name: 'twice', body: shared, expect: { status: 200, body: shared } });
  expect(written).not.toMatch(/[&*]/);
});

test('a name of several lines stands on one', () => {
  expect(stepText({ name: 'a', body: { 'a\nb': 'c\nd' } })).toBe(
    lines('  - name: a', '    body:', '      "a\\nb": |-', '        c', '        d'),
  );
});

test('a comment inside of braces makes a block of them', () => {
  const comments = [{ pointer: '/steps/0/expect/body/at', text: 'It differs in each run.' }];
  expect(stepText({ name: 'a', expect: { status: 200, body: { id: 7, at: { $type: 'string' } } } }, comments)).toBe(
    lines(
      '  - name: a',
      '    expect:',
      '      status: 200',
      '      body:',
      '        id: 7',
      '        # It differs in each run.',
      '        at: { $type: string }',
    ),
  );
});

test('a comment says nothing that a terminal or an editor would act on', () => {
  expect(stepText({ name: 'a' }, [{ pointer: '/steps/0', text: 'red \u001b[31m\r\nnext' }])).toBe(
    lines('  # red ?[31m', '  # next', '  - name: a'),
  );
});

test('a comment about nothing is a defect', () => {
  const write = (): string => stepText({ name: 'a' }, [{ pointer: '/steps/0/expect', text: 'why' }]);
  expect(write).toThrow('A comment is about "/steps/0/expect", which the contract does not have');
});

test('the contracts of the package are read back from the text that is written of them', () => {
  const folder = join(ROOT, 'contracts');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  expect(files.length).toBeGreaterThan(5);
  // A third of them, others with each commit.
  for (const file of pickSample(files.sort(), Math.ceil(files.length / 3), process.env['STANDIN_TEST_SEED'] ?? '')) {
    const value = readBack(readFileSync(join(folder, file), 'utf8')) as JsonObject;
    expect(readBack(textOf(value))).toStrictEqual(value);
  }
});

test('whatever a contract holds, it is read back from its text', () => {
  const step = fc.dictionary(fc.constantFrom('name', 'body', 'expect', 'text'), anyJson(), { minKeys: 1 });
  const steps = fc.array(step, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.record({ name: anyJson(), variables: anyJson(), setup: steps, steps }), (all) => {
      const value = all as JsonObject;
      const text = textOf(value);
      expect(equalJson(readBack(text), value)).toBe(true);
      expect(textOf(value)).toBe(text);
    }),
    // Each of them holds dozens of values.
    { numRuns: 60 },
  );
});

test('comments of any text stay comments', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.array(fc.string(), { maxLength: 3 }), (text, header) => {
      const pointers = ['', '/name', '/steps', '/steps/0', '/steps/0/name', '/steps/0/body/a', '/steps/0/tags/0'];
      const value = { name: 'Shop', steps: [{ name: 'a', body: { a: 1 }, tags: ['x'] }] };
      const written = textOf(value, { header, comments: pointers.map((pointer) => ({ pointer, text })) });
      expect(readBack(written)).toStrictEqual(value);
    }),
  );
});

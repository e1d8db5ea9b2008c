import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import fc from 'fast-check';
import { loadApi } from '../../src/files/load-api';
import type { SourceFinding } from '../../src/core/errors/standin-error';
import { AUTH_MODES } from '../../src/formats/contract/contract';
import { JSON_TYPES, MATCHER_NAMES } from '../../src/formats/contract/matcher';
import { readContract, type ContractInputs } from '../../src/formats/contract/contract-reader';
import type { JsonValue } from '../../src/core/json/json-value';
import { stringifyJson } from '../../src/core/json/stringify-json';
import { checkedFormats } from '../../src/schema/formats';
import { readSource } from '../../src/openapi/read/read-source';
import type { SourceDocument } from '../../src/openapi/read/source-document';

const ROOT = join(__dirname, '..', '..');
const SCHEMA = JSON.parse(readFileSync(join(ROOT, 'contracts', 'contract.schema.json'), 'utf8')) as SchemaPart;
const OPERATIONS = loadApi().api.operations.map(({ id, method, parameters }) => ({ id, method, parameters }));
const validate = new Ajv({ strict: false }).compile(SCHEMA);

interface SchemaPart {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly definitions?: Readonly<Record<string, SchemaPart>>;
  readonly enum?: readonly unknown[];
  readonly else?: SchemaPart;
  readonly anyOf?: readonly (SchemaPart & { readonly const?: unknown })[];
}

/** What the schema says; it is for editors, which have no exact numbers. */
function schemaTakes(value: JsonValue): boolean {
  const plain = (_: string, part: unknown): unknown => (typeof part === 'bigint' ? Number(part) : part);
  return validate(JSON.parse(JSON.stringify(value, plain)));
}

/** What the samples of the documents need from outside. */
const BESIDE: ContractInputs = {
  given: { variables: { region: 'eu', pin: '1234' }, environment: { SHOP_USER: 'ada', SHOP_PASSWORD: 'secret' } },
  readFile: () => ({ kind: 'read', bytes: new Uint8Array() }),
};

function messagesAbout(document: SourceDocument): string[] {
  const findings: SourceFinding[] = [];
  readContract(document, OPERATIONS, findings, BESIDE);
  return findings.map(({ message }) => message);
}

const SHIPPED = readdirSync(join(ROOT, 'contracts'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.ya?ml$/.test(name),
);

test.each(SHIPPED)('the schema and the reader take contracts/%s', (name) => {
  const document = readSource(readFileSync(join(ROOT, 'contracts', name), 'utf8'), name);
  expect(messagesAbout(document)).toEqual([]);
  expect(schemaTakes(document.root)).toBe(true);
});

test('the schema is where the documents tell editors to look, when the package is installed', () => {
  const text = readFileSync(join(ROOT, 'docs', 'reference', 'contract-format.md'), 'utf8');
  const named = [...text.matchAll(/\.\.\/node_modules\/standin\/([\w./-]+\.json)/g)].map(([, path]) => path);
  expect(named).toEqual(['contracts/contract.schema.json', 'contracts/contract.schema.json']);
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: readonly string[] };
  expect(files).toContain('contracts');
});

describe('the samples of docs/reference/contract-format.md', () => {
  const text = readFileSync(join(ROOT, 'docs', 'reference', 'contract-format.md'), 'utf8');
  const head = 'standin: contract/1\nname: Sample\nsteps:\n';
  const given = [
    '  - { operation: listCategories, expect: { status: 200 }, capture: { petId: $url, categoryId: $url, quantity: $url } }',
    '',
  ].join('\n');
  const blocks = [...text.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, block = '']) => block);
  const samples = blocks.map((block) => {
    if (block.includes('standin: contract/1')) return block;
    const lines = block.trimEnd().split('\n');
    if (lines[0]?.startsWith('- ') === true) return `${head}${given}${lines.map((line) => `  ${line}\n`).join('')}`;
    const step = ['- operation: getPet', "  parameters: { petId: '${petId}' }", ...lines.map((line) => `  ${line}`)];
    if (!block.startsWith('expect:')) step.push('  expect: { status: 200 }');
    return `${head}${given}${step.map((line) => `  ${line}\n`).join('')}`;
  });
  const rows = [...text.matchAll(/^\| `\$\w+`.*\| `([^|]*)` +\|$/gm)].map(([, line = '']) => line);
  const lines = rows.map((line) => {
    const body = `  - operation: listPets\n    expect:\n      status: 200\n      body:\n        ${line}\n`;
    return `${head}${given}${body}`;
  });

  test('there are samples, and a line for every matcher', () => {
    expect(samples.length).toBeGreaterThanOrEqual(3);
    expect(MATCHER_NAMES.filter((name) => !rows.some((line) => line.includes(`${name}:`)))).toEqual([]);
  });

  test.each([
    ...samples.map((sample, index) => [`sample ${index + 1}`, sample] as const),
    ...rows.map((line, index) => [line, lines[index] ?? ''] as const),
  ])('%s is taken by the reader and by the schema', (_, sample) => {
    const document = readSource(sample, 'c.yaml');
    expect(messagesAbout(document)).toEqual([]);
    expect(schemaTakes(document.root)).toBe(true);
  });
});

function membersOf(definition: string): Readonly<Record<string, SchemaPart>> {
  return SCHEMA.definitions?.[definition]?.properties ?? {};
}

test('the schema knows every matcher, type, format and way to authenticate', () => {
  const matchers = membersOf('matcher');
  expect(Object.keys(matchers)).toEqual([...MATCHER_NAMES]);
  expect(SCHEMA.definitions?.['jsonType']?.enum).toEqual([...JSON_TYPES]);
  expect(SCHEMA.definitions?.['format']?.enum).toEqual(checkedFormats());
  for (const name of ['matcher', 'headerMatcher'])
    expect(membersOf(name)['$format']).toMatchObject({ $ref: '#/definitions/format' });
  const ways = membersOf('step')['auth']?.else?.anyOf ?? [];
  expect(ways.flatMap((way) => (way.const === undefined ? [] : [way.const]))).toEqual([...AUTH_MODES]);
});

test('every member has a description', () => {
  const without: string[] = [];
  const visit = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [name, member] of Object.entries((part as SchemaPart).properties ?? {})) {
      const isNamed = Object.hasOwn(member, '$ref');
      if (member.description === undefined && !isNamed) without.push(`${path}/${name}`);
    }
    for (const [name, member] of Object.entries(part)) visit(member, `${path}/${name}`);
  };
  visit(SCHEMA, '');
  expect(without).toEqual([]);
});

const scalar = fc.constantFrom<JsonValue>(
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  '',
  'a',
  'string',
  '${runId}',
  'a ${runId}',
);
const names = fc.constantFrom(...MATCHER_NAMES, '$typ', 'a', 'id', '');
const { expected } = fc.letrec<{ expected: JsonValue; matcher: JsonValue }>((tie) => ({
  matcher: fc.oneof(
    fc.record({ $type: fc.oneof(scalar, fc.constantFrom(...JSON_TYPES), fc.subarray([...JSON_TYPES])) }),
    fc.record({ $pattern: fc.constantFrom<JsonValue>('', 'a+', '^[0-9]$', '^${runId}$', 1, null) }),
    fc.record({ $format: fc.oneof(scalar, fc.constantFrom('uuid', 'int64', 'password', 'uid')) }),
    fc.record({ $min: scalar, $below: scalar }, { requiredKeys: [] }),
    fc.record({ $enum: fc.oneof(scalar, fc.array(tie('expected'), { maxLength: 2 })) }),
    fc.record({ $length: fc.oneof(scalar, tie('matcher')) }),
    fc.record({ $contains: tie('expected'), $unlessItems: scalar }, { requiredKeys: [] }),
    fc.record({ $each: tie('expected'), $minItems: scalar }, { requiredKeys: [] }),
    fc.record({
      $unordered: fc.record(
        {
          by: fc.constantFrom<JsonValue>('id', '', 1),
          items: fc.constantFrom<JsonValue>(1, [], [{ id: 1 }], [{ id: 1, a: { $min: 'a' } }, { id: 2 }]),
        },
        { requiredKeys: [] },
      ),
    }),
    ...(['$equals', '$optional', '$nullable', '$contains', '$not', '$present', '$absent'] as const).map((name) =>
      tie('expected').map((value): JsonValue => ({ [name]: value })),
    ),
    fc.dictionary(names, tie('expected'), { maxKeys: 2 }),
  ),
  expected: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    fc.array(tie('expected'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'id'), tie('expected'), { maxKeys: 2 }),
    tie('matcher'),
  ),
}));

/** Written as JSON, which is YAML. */
function contractWith(step: Readonly<Record<string, JsonValue>>): string {
  return stringifyJson({ standin: 'contract/1', name: 'x', steps: [{ method: 'GET', path: '/', ...step }] });
}

/** @returns whether both take the contract */
function agree(text: string): boolean {
  const document = readSource(text, 'c.json');
  const findings = messagesAbout(document);
  const isTaken = schemaTakes(document.root);
  if (isTaken !== (findings.length === 0)) expect({ text, findings, isTaken }).toBe('taken by both or by none');
  return isTaken;
}

test('the schema and the reader agree on what may be expected of a body and of a header', () => {
  const seen = { good: 0, bad: 0 };
  fc.assert(
    fc.property(expected, fc.boolean(), (value, isHeader) => {
      const text = contractWith({
        expect: { status: 200, ...(isHeader ? { headers: { 'X-A': value } } : { body: value }) },
      });
      seen[agree(text) ? 'good' : 'bad'] += 1;
    }),
    { numRuns: 300 },
  );
  expect(Math.min(seen.good, seen.bad)).toBeGreaterThan(20);
});

const word = fc.constantFrom<JsonValue>('a', 'a b', '', 'a,b', 1, null, true);

/** Members of a step. A step has few of them: of many, one is nearly always wrong, and hides what is said of the others. */
const MEMBERS: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
  tags: fc.oneof(word, fc.array(word, { maxLength: 2 })),
  pending: word,
  auth: fc.oneof(word, fc.constantFrom<JsonValue>(...AUTH_MODES, { identity: 'a' }, { identity: 'a b' }, {})),
  headers: fc.dictionary(fc.constantFrom('X-A', 'X A'), fc.oneof(word, fc.array(word)), { maxKeys: 1 }),
  capture: fc.dictionary(
    fc.constantFrom('a', 'a1', '1', 'a-b'),
    fc.constantFrom<JsonValue>(
      '$url',
      '$method',
      '$statusCode',
      '$statuscode',
      '$request.query.a',
      '$request.header.A',
      '$response.body',
      '$response.body#/a~1b',
      '$response.body#/a~2b',
      '$response.query.a',
      { from: '$url', pattern: '(a)' },
      { from: '$url', pattern: '(?<name>a)' },
      { from: '$url', pattern: '(?:a)' },
      { from: '$url' },
      { from: 'url', pattern: '(a)' },
      { pattern: '(a)' },
      { from: '$url', pattern: '(${runId})' },
      1,
    ),
    { maxKeys: 1 },
  ),
  body: word,
  text: word,
  form: fc.oneof(word, fc.constantFrom<JsonValue>({}, { a: [1, 'x'], b: null })),
  multipart: fc.oneof(
    word,
    fc.constantFrom<JsonValue>(
      {},
      { a: 1, b: ['x', { file: 'a.png' }] },
      { a: { file: 'a.png', type: 'image/png', filename: 'b.png' } },
      { a: { file: '${runId}.png' } },
      { a: { file: 'a', type: 'png' } },
      { a: { file: 'a', filename: 'a\nb' } },
      { a: { value: { b: 1 }, type: 'application/json; charset=utf-8' } },
      { a: { value: null } },
      { a: { value: 1, filename: 'a' } },
      { a: { b: 1 } },
      { a: null },
      { 'a\nb': 1 },
    ),
  ),
  file: fc.oneof(word, fc.constantFrom<JsonValue>('a.png', '${runId}')),
  repeat: fc.constantFrom<JsonValue>(
    { until: { status: 200 } },
    { until: { body: { state: 'done' } }, attempts: 1, timeoutMs: 1, intervalMs: 0 },
    { until: {} },
    { until: { state: 200 } },
    { until: { status: 20 } },
    {},
    { until: { code: 'a' }, attempts: 0 },
    { until: { code: 'a' }, timeoutMs: 1.5 },
    { until: { code: 'a' }, intervalMs: -1 },
    1,
  ),
  maxDurationMs: fc.constantFrom<JsonValue>(1, 3_600_000, 0, 1.5, '1', null),
};
const stepExpectation = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<JsonValue>({ status: 200 }, { status: [200, 404] }) },
  { weight: 1, arbitrary: fc.constantFrom<JsonValue>({ status: 20 }, {}, 1) },
);
const anyStep = fc
  .uniqueArray(fc.constantFrom(...Object.keys(MEMBERS)), { maxLength: 3 })
  .chain((chosen) =>
    fc.record({ ...Object.fromEntries(chosen.map((member) => [member, MEMBERS[member]!])), expect: stepExpectation }),
  );

test('the schema and the reader agree on the other members of a step', () => {
  fc.assert(
    fc.property(anyStep, (step) => {
      agree(contractWith(step));
    }),
    { numRuns: 400 },
  );
});

test('the schema and the reader agree on variables', () => {
  const declared = fc.oneof(
    word,
    fc.constantFrom<JsonValue>(
      { default: 1 },
      { default: 'a', type: 'string', secret: true, description: 'x' },
      { default: null },
      { default: 1, type: 'int' },
      { default: 1, secret: 'yes' },
      { defalt: 1 },
      [1],
    ),
  );
  const names = fc.constantFrom('tenant', 'Tenant_1', '1st', 'a-b', 'runId', '_a');
  fc.assert(
    fc.property(
      fc.record(
        {
          variables: fc.oneof(word, fc.dictionary(names, declared, { maxKeys: 2 })),
          env: fc.oneof(
            word,
            fc.constantFrom<JsonValue>(['SHOP_USER'], ['SHOP_USER', 'a-b'], [1]),
            fc.dictionary(fc.constantFrom('OTHER_USER', 'OTHER-USER'), declared, { maxKeys: 1 }),
          ),
        },
        { requiredKeys: [] },
      ),
      (outside) => {
        const steps = [{ method: 'GET', path: '/', expect: { status: 200 } }];
        agree(stringifyJson({ standin: 'contract/1', name: 'x', ...outside, steps }));
      },
    ),
    { numRuns: 150 },
  );
});

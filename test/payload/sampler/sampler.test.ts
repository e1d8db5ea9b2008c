import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
import type { Validator } from '../../../src/schema/validator';
import type { JsonValue } from '../../../src/core/json/json-value';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import { type ApiModel, buildModel } from '../../../src/openapi/model/api-model';
import type { Schema } from '../../../src/openapi/model/operation';
import { readSource } from '../../../src/openapi/read/read-source';
import { samplerOf, type Sample, type SampleOptions } from '../../../src/payload/sampler/sampler';
import { COMMON, ONLY_30, ONLY_31, type AwkwardCase } from './awkward-schemas';
import { countCallsSync, useOneCallCounter } from '../../support/count-calls';

function modelOf(version: string, schema: unknown, schemas: object = {}): { api: ApiModel; root: Schema } {
  const document = {
    openapi: version,
    info: { title: 'Awkward', version: '1' },
    paths: {},
    components: { schemas: { ...schemas, Root: schema } },
  };
  const api = buildModel(readSource(JSON.stringify(document), 'awkward.json'));
  return { api, root: api.schemaAt('/components/schemas/Root')! };
}

const sampleOf = (api: ApiModel, root: Schema, options: Partial<SampleOptions> = {}): Sample =>
  samplerOf(api).sample(root, { seed: 'test', direction: 'response', ...options });

const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false, multipleOfPrecision: 9 });
addFormats(ajv);

/** An independent judge for OpenAPI 3.1, which is JSON Schema 2020-12. */
function oracle({ schema, schemas = {} }: AwkwardCase): (value: unknown) => boolean {
  const root = JSON.parse(JSON.stringify({ ...schemas, Root: schema }).replaceAll('#/components/schemas/', '#/$defs/'));
  return ajv.compile({ $defs: root, $ref: '#/$defs/Root' });
}

const CASES = [
  ...[...COMMON, ...ONLY_30].map((each) => ({ version: '3.0.3', ...each })),
  ...[...COMMON, ...ONLY_31].map((each) => ({ version: '3.1.0', ...each })),
];

describe('a value is made that its schema allows, or none, and it is said why', () => {
  test.each(CASES)('$version: $name', (each) => {
    const { version, schema, schemas, refused, direction = 'response', holds } = each;
    const { api, root } = modelOf(version, schema, schemas);
    const isOneWay = /only (?:read|written)/.test(each.name);
    const judge = version === '3.1.0' && !isOneWay ? oracle(each) : undefined;
    const asked = judge === undefined ? root : { ...root, validate: () => violationsOf(judge) };
    for (const ordinal of [undefined, 0, 7]) {
      const sample = sampleOf(api, asked, { direction, ordinal });
      if (refused !== undefined) {
        expect(sample).toEqual({ kind: 'failed', reason: expect.stringMatching(refused) });
        continue;
      }
      expect(sample).toMatchObject({ kind: 'made' });
      if (sample.kind !== 'made') continue;
      expect(asked.validate(direction)(sample.value)).toEqual([]);
      if (ordinal === undefined && holds !== undefined) expect(holds(plain(sample) as never)).toBe(true);
    }
  });
});

const plain = (sample: Sample): unknown =>
  sample.kind === 'made' ? JSON.parse(stringifyJson(sample.value)) : sample.reason;

function violationsOf(isValid: (value: unknown) => boolean): Validator {
  return (value) =>
    isValid(JSON.parse(stringifyJson(value as JsonValue)))
      ? []
      : [{ pointer: '', keyword: 'schema', message: 'is not valid' }];
}

const PERSON = {
  type: 'object',
  required: ['id', 'firstName', 'email'],
  properties: {
    id: { type: 'integer' },
    firstName: { type: 'string' },
    email: { type: 'string', format: 'email' },
    city: { type: 'string' },
    price: { type: 'number' },
    createdAt: { type: 'string', format: 'date-time' },
    status: { type: 'string', enum: ['new', 'old'], default: 'old' },
    number: { type: 'string', example: 'KX-1734' },
    tags: { type: 'array', items: { type: 'string' } },
    address: { type: 'object', properties: { street: { type: 'string' }, country: { type: 'string' } } },
  },
};

const people = modelOf('3.0.3', PERSON);
const rows = (seed: string, count: number): unknown[] =>
  Array.from({ length: count }, (_, ordinal) => plain(sampleOf(people.api, people.root, { seed, ordinal })));

describe('what is made', () => {
  test('a text that is told to be encoded can be decoded', () => {
    const description = 'The base64-url-safe-encoded raw bytes of the subject';
    const { api, root } = modelOf('3.0.3', { type: 'string', description });
    const sample = plain(sampleOf(api, root));
    expect(sample).toMatch(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
    expect(Buffer.from(String(sample), 'base64').length).toBeGreaterThan(0);
  });

  test('is the same for the same seed and ordinal, in any order and any model', () => {
    const again = modelOf('3.0.3', PERSON);
    const backwards = [2, 1, 0].map((ordinal) => plain(sampleOf(again.api, again.root, { seed: 'a', ordinal })));
    expect(backwards.reverse()).toEqual(rows('a', 3));
    expect(rows('b', 3)).not.toEqual(rows('a', 3));
  });

  test('differs from row to row, and reads like what its name says', () => {
    const made = rows('a', 50) as { firstName: string; number: string; createdAt: string; status: string }[];
    expect(new Set(made.map((row) => JSON.stringify(row))).size).toBe(50);
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['new', 'old']));
    for (const row of made) {
      expect(row.firstName).toMatch(/^[A-Z][a-z]+$/);
      expect(row.number).toMatch(/^KX-[1-9]\d{3}$/);
      expect(row.createdAt).toMatch(/^2025-/);
    }
  });

  test('alone is what the description shows', () => {
    expect(plain(sampleOf(people.api, people.root))).toMatchObject({ status: 'old', number: 'KX-1734' });
  });

  test('of a member stays when another member is added', () => {
    const more = modelOf('3.0.3', {
      ...PERSON,
      properties: { nickname: { type: 'string' }, ...PERSON.properties },
    });
    expect(plain(sampleOf(more.api, more.root, { ordinal: 3 }))).toMatchObject(
      plain(sampleOf(people.api, people.root, { ordinal: 3 })) as object,
    );
  });

  test('has the required members alone when no more is asked for', () => {
    expect(Object.keys(plain(sampleOf(people.api, people.root, { rich: false })) as object)).toEqual([
      'id',
      'firstName',
      'email',
    ]);
  });

  test('keeps integers that a double cannot hold', () => {
    const document = `{"openapi":"3.0.3","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{"Big":
      {"type":"integer","format":"int64","minimum":9007199254740993,"maximum":9007199254740993}}}}`;
    const api = buildModel(readSource(document, 'big.json'));
    const sample = sampleOf(api, api.schemaAt('/components/schemas/Big')!);
    expect(sample).toEqual({ kind: 'made', value: 9007199254740993n });
  });
});

// Behind all others: code is not optimized while calls are counted.
test.each([
  ['"maximum":-9223372036854775807', -9223372036854775807n],
  ['"minimum":9223372036854775807', 9223372036854775807n],
  ['"minimum":-9223372036854775808,"exclusiveMaximum":-9223372036854775807', -9223372036854775808n],
])('an integer of 64 bits keeps the bounds %s', (bounds, limit) => {
  const document = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{"Big":
    {"type":"integer","format":"int64",${bounds}}}}}`;
  const api = buildModel(readSource(document, 'big.json'));
  const sample = sampleOf(api, api.schemaAt('/components/schemas/Big')!);
  expect(sample.kind).toBe('made');
  if (sample.kind === 'made') expect([limit, limit - 1n]).toContain(sample.value);
});

describe('the number of calls is bounded', () => {
  useOneCallCounter();

  test('for samples of all awkward schemas', () => {
    // Each once: of the cases that stand under both versions, one half under either.
    const cases = CASES.filter(({ version, name }) => {
      const index = COMMON.findIndex((each) => each.name === name);
      return index < 0 || (index % 2 === 0) === (version === '3.0.3');
    });
    const models = cases.map(({ version, schema, schemas, direction = 'response' }) => ({
      ...modelOf(version, schema, schemas),
      direction,
    }));
    const calls = countCallsSync(() => {
      for (const { api, root, direction } of models)
        for (const ordinal of [undefined, 1]) sampleOf(api, root, { direction, ordinal });
    });
    expect(calls).toBeLessThan(1_000_000);
  });

  test('for each row', () => {
    rows('warm', 10);
    const calls = countCallsSync(() => rows('counted', 30));
    // A generator that plans anew for each row takes ten times as many.
    expect(calls / 30).toBeLessThan(1500);
  });

  test('for a wide circle of schemas, whose sample stays small', () => {
    const work = (count: number): number => {
      const names = Array.from({ length: count }, (_, index) => `S${index}`);
      const member = (name: string): [string, object] => [name, { $ref: `#/components/schemas/${name}` }];
      const properties = Object.fromEntries(names.map(member));
      const schemas = Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]));
      const { api, root } = modelOf('3.0.3', { $ref: '#/components/schemas/S0' }, schemas);
      let sample: Sample | undefined;
      const calls = countCallsSync(() => (sample = sampleOf(api, root)));
      expect(JSON.stringify(plain(sample!)).length).toBeLessThan(100_000);
      return calls;
    };
    // Twice the schemas have four times the properties.
    expect(work(16)).toBeLessThan(4.4 * work(8));
  });
});

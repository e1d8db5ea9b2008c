import fc from 'fast-check';
import { ExactNumber } from '../../src/core/json/exact-number';
import type { JsonValue } from '../../src/core/json/json-value';
import { stringifyJson } from '../../src/core/json/stringify-json';
import type { SchemaObject } from '../../src/schema/schema-object';
import type { Operation, Parameter, Property } from '../../src/openapi/model/operation';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { jsonValue } from '../core/json/arbitrary-json';
import type { PlainRequest } from './fresh-mock';

const HIGHEST = 9223372036854775807n;

/** Keys that fixtures have, that a run may make, and that nobody has. */
const id: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: HIGHEST }) },
  { weight: 1, arbitrary: fc.constantFrom<JsonValue>(9007199254740993n, HIGHEST, 9007199254740991) },
);

const dateTime = fc.oneof(
  fc
    .date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom(
    '2026-02-01T09:00:00+01:00',
    '2026-02-01t09:00:00z',
    '1985-04-12T23:20:50.5212345678Z',
    '1990-12-31T15:59:60-08:00',
    '2024-02-29T00:00:00-00:00',
  ),
);

/** A value that the schema of a scalar allows. */
export function validScalar(schema: SchemaObject): fc.Arbitrary<JsonValue> {
  const { type, format, minimum, maximum, minLength, maxLength } = schema;
  const values = schema['enum'];
  if (Array.isArray(values)) return fc.constantFrom(...values);
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer': {
      if (format === 'int64') return id;
      const [low, high] = [Number(minimum ?? 0), Number(maximum ?? 1_000_000)];
      return fc.oneof(
        fc.integer({ min: low, max: Math.min(high, low + 4) }),
        fc.constantFrom(low, high),
        fc.integer({ min: low, max: high }),
      );
    }
    default:
      return format === 'date-time' ? dateTime : validText(Number(minLength ?? 0), Number(maxLength ?? 40));
  }
}

function validText(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const unit = fc.oneof(
    fc.constantFrom('a', 'B', ' ', '0'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  );
  const text = fc
    .array(unit, { minLength, maxLength: Math.min(maxLength, 30) })
    .map((units) => Array.from(units.join('')).slice(0, maxLength).join(''));
  // All that has a least length asks for a visible character too.
  return minLength === 0 ? text : text.map((some) => (/\S/.test(some) ? some : `x${some.slice(1)}`));
}

/** A value that breaks the schema of a scalar in whatever state the mock is. */
export function invalidScalar({ type, format, minimum, maximum, maxLength }: SchemaObject): fc.Arbitrary<JsonValue> {
  const others: JsonValue[] = [null, [], {}, [1], new ExactNumber('1e400'), new ExactNumber('0.5'), -1];
  if (type !== 'boolean') others.push(true, false);
  if (type !== 'string') others.push('', '1', 'true');
  if (type === 'integer')
    others.push(BigInt(stringifyJson(minimum ?? 0)) - 1n, BigInt(stringifyJson(maximum ?? HIGHEST)) + 1n);
  if (type === 'string') {
    others.push(0);
    if (typeof maxLength === 'number') others.push('x'.repeat(maxLength + 1));
  }
  if (format === 'date-time') others.push('', '2026-02-30T00:00:00Z', '2026-02-01', '2026-02-01T09:00:00', 'now');
  return fc.constantFrom(...others);
}

function queryPairs(parameter: Parameter): fc.Arbitrary<readonly string[]> {
  const { name, explode, schema, items } = parameter;
  const encode = (value: JsonValue): string =>
    encodeURIComponent(typeof value === 'string' ? value : stringifyJson(value));
  if (items === undefined) return validScalar(schema?.value ?? {}).map((value) => [`${name}=${encode(value)}`]);
  const values = fc.array(validScalar(items), { minLength: 1, maxLength: 4 });
  if (explode) return values.map((all) => all.map((value) => `${name}=${encode(value)}`));
  return values.map((all) => [`${name}=${all.map(encode).join(',')}`]);
}

const ETAGS = ['*', '*', '*', '"x"', 'W/"x"', '"a", "b"'];
const HEADER_VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'If-Match': fc.constantFrom(...ETAGS),
  'If-None-Match': fc.constantFrom(...ETAGS),
  'Idempotency-Key': fc.constantFrom('a', 'b', '"a"', 'c'.repeat(255)),
  Prefer: fc.constantFrom('return=minimal', 'return=representation', 'handling=lenient', 'wait=5, respond-async', 'x'),
};

/** A member name that no schema knows. */
const unknownName = fc.constantFrom('colour', '__proto__', 'constructor', 'Name', 'toString', '');

/** A body that the schema allows. */
export function validBody(properties: readonly Property[]): fc.Arbitrary<Readonly<Record<string, JsonValue>>> {
  const members = properties.map(({ name, schema, required }) => {
    const member = validScalar(schema).map((value) => [[name, value] as const]);
    return required ? member : fc.oneof(member, fc.constant([]));
  });
  const unknown = fc.option(fc.tuple(unknownName, jsonValue), { nil: undefined, freq: 8 });
  return fc
    .tuple(fc.tuple(...members), unknown)
    .map(([known, extra]) => Object.fromEntries([...known.flat(), ...(extra === undefined ? [] : [extra])]));
}

export function bodyProperties(api: ApiModel, operation: Operation): readonly Property[] {
  const schema = operation.requestBody?.content[0]?.schema;
  // The id of an order is valid for a POST, and 422 in a PATCH: neither is of interest here.
  return schema === undefined ? [] : [...api.propertiesOf(schema).values()].filter(({ readOnly }) => !readOnly);
}

const START: PlainRequest['headers'] = [
  ['Host', 'mock.example:4010'],
  ['Authorization', 'Bearer test-key'],
];

/** A request in which nothing is wrong; what becomes of it is up to the state. */
export function validRequest(api: ApiModel, operation: Operation): fc.Arbitrary<PlainRequest> {
  const { method, path, parameters } = operation;
  const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
    fc.option(value, { nil: undefined, freq: 2 });
  const target = fc
    .tuple(
      fc.tuple(...parameters.filter((each) => each.in === 'path').map((each) => validScalar(each.schema?.value ?? {}))),
      // A cursor comes from a link only.
      fc.tuple(
        ...parameters
          .filter((each) => each.in === 'query' && each.name !== 'cursor')
          .map((each) => optional(queryPairs(each))),
      ),
    )
    .map(([ids, pairs]) => {
      let index = 0;
      const filled = path.replace(/\{[^{}]*\}/g, () => stringifyJson(ids[index++] ?? null));
      const query = pairs.flatMap((pair) => pair ?? []).join('&');
      return query === '' ? filled : `${filled}?${query}`;
    });
  const headers = fc
    .tuple(
      ...parameters
        .filter((each) => each.in === 'header')
        .map(({ name }) =>
          fc
            .option(HEADER_VALUES[name] ?? fc.constant('x'), { nil: undefined, freq: 3 })
            .map((value): (readonly [string, string])[] => (value === undefined ? [] : [[name, value]])),
        ),
    )
    .map((all) => [...START, ...all.flat()]);
  if (operation.requestBody === undefined)
    return fc.record({ method: fc.constant(method), target, headers, body: fc.constant('') });
  const body = validBody(bodyProperties(api, operation)).map((value) => stringifyJson(value));
  return fc.record({
    method: fc.constant(method),
    target,
    headers: headers.map((all) => [...all, ['Content-Type', 'application/json'] as const]),
    body,
  });
}

export function anyValidRequest(api: ApiModel): fc.Arbitrary<PlainRequest> {
  return fc.constantFrom(...api.operations).chain((operation) => validRequest(api, operation));
}

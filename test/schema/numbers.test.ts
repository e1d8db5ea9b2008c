import fc from 'fast-check';
import { expectVerdict, rows, validatorFor } from './validate';

const INT64_MAX = '9223372036854775807';
const INT64_MIN = '-9223372036854775808';

describe('bounds', () => {
  test.each(
    rows([
      {
        schema: '{ "minimum": 1 }',
        allows: ['1', '1.0', '2', '1e400', '"0"', 'null', '[]'],
        refuses: ['0', '0.999', '-1e400'],
      },
      {
        schema: '{ "maximum": 1 }',
        allows: ['1', '1.0', '0.1e1', '-5'],
        refuses: ['1.0000000000000000000001', '2', '1e400'],
      },
      {
        schema: '{ "minimum": 1, "exclusiveMinimum": true }',
        allows: ['1.0000000000000000000001', '2'],
        refuses: ['1', '1.0', '10e-1', '0'],
      },
      {
        schema: '{ "maximum": 1, "exclusiveMaximum": true }',
        allows: ['0.9999999999999999999999'],
        refuses: ['1', '1.00', '2'],
      },
      { schema: '{ "minimum": 1, "exclusiveMinimum": false }', allows: ['1'], refuses: ['0'] },
      { schema: '{ "exclusiveMinimum": true }', allows: ['-1e400', '0'], refuses: [] },
      {
        schema: '{ "minimum": 0.1, "maximum": 0.3 }',
        allows: ['0.1', '0.30', '0.2'],
        refuses: ['0.30000000000000004', '0.09999999999999999'],
      },
      {
        schema: '{ "minimum": 9007199254740993 }',
        allows: ['9007199254740993', '9007199254740994'],
        refuses: ['9007199254740992'],
      },
      {
        schema: `{ "maximum": ${INT64_MAX} }`,
        allows: [INT64_MAX, `${INT64_MAX}.0`],
        refuses: ['9223372036854775808', '1e19'],
      },
      { schema: `{ "minimum": ${INT64_MIN} }`, allows: [INT64_MIN], refuses: ['-9223372036854775809'] },
      { schema: '{ "minimum": 1.0, "maximum": 1e1 }', allows: ['1', '10'], refuses: ['0', '11'] },
      { schema: '{ "minimum": 0 }', allows: ['0', '-0', '-0.0', '0e5'], refuses: ['-1e-400'] },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('multipleOf', () => {
  test.each(
    rows([
      {
        schema: '{ "multipleOf": 2 }',
        allows: ['4', '0', '-4', '4.0', '1e2', '"x"'],
        refuses: ['3', '4.5', '9007199254740993'],
      },
      {
        schema: '{ "multipleOf": 0.01 }',
        allows: ['0.07', '19.99', '4.35', '1.1', '0', '1e2'],
        refuses: ['0.075', '1e-3'],
      },
      { schema: '{ "multipleOf": 0.1 }', allows: ['0.3', '0.30', '1e400'], refuses: ['0.35', '0.30000000000000004'] },
      { schema: '{ "multipleOf": 1e-7 }', allows: ['0.0000003', '3e-7'], refuses: ['3.5e-7'] },
      { schema: '{ "multipleOf": 2.50 }', allows: ['5', '7.5'], refuses: ['6'] },
      {
        schema: '{ "multipleOf": 3 }',
        allows: ['9007199254740993', '18014398509481986'],
        refuses: ['9007199254740992'],
      },
    ]),
  )('$schema $verdict $value', expectVerdict);

  it('is exact for cents, however they are written', () => {
    const validate = validatorFor('{ "multipleOf": 0.01 }');
    fc.assert(
      fc.property(fc.bigInt(), fc.nat({ max: 999 }), (whole, mills) => {
        const isCents = mills % 10 === 0;
        expect(validate(`${whole}.${String(mills).padStart(3, '0')}`).length === 0).toBe(isCents);
      }),
    );
  });
});

describe('number formats', () => {
  test.each(
    rows([
      {
        schema: '{ "type": "integer", "format": "int32" }',
        allows: ['2147483647', '-2147483648', '1.0', '2.147483647e9'],
        refuses: ['2147483648', '-2147483649', '1e400'],
      },
      {
        schema: '{ "type": "integer", "format": "int64" }',
        allows: [INT64_MAX, INT64_MIN, '9007199254740993', '9.2e18'],
        refuses: ['9223372036854775808', '-9223372036854775809', '9.3e18', '1e400'],
      },
      { schema: '{ "type": "number", "format": "int32" }', allows: ['7'], refuses: ['7.5', '2147483648'] },
      { schema: '{ "type": "number", "format": "int64" }', allows: ['7'], refuses: ['7.5', '1e19'] },
      {
        schema: '{ "type": "number", "format": "float" }',
        allows: ['0.1', '3.4e38', '-3.4e38'],
        refuses: ['3.5e38', '1e400'],
      },
      {
        schema: '{ "type": "number", "format": "double" }',
        allows: ['1.7e308', '5e-324'],
        refuses: ['1.8e308', '1e400', '-1e400'],
      },
      { schema: '{ "type": "string", "format": "int64" }', allows: ['"7"', '"x"'], refuses: ['7'] },
      { schema: '{ "format": "int32" }', allows: ['"x"', 'null', '7'], refuses: ['2147483648'] },
    ]),
  )('$schema $verdict $value', expectVerdict);

  it('int64 begins and ends exactly where 64 bits do', () => {
    const validate = validatorFor('{ "type": "integer", "format": "int64" }');
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }), (value) => {
        expect(validate(String(value)).length === 0).toBe(BigInt.asIntN(64, value) === value);
      }),
    );
  });
});

describe('enum', () => {
  test.each(
    rows([
      {
        schema: '{ "enum": [1, 2.50] }',
        allows: ['1', '1.0', '10e-1', '2.5', '2.500'],
        refuses: ['2', '"1"', 'true', '[1]'],
      },
      {
        schema: '{ "enum": [9007199254740993] }',
        allows: ['9007199254740993'],
        refuses: ['9007199254740992', '9007199254740994'],
      },
      { schema: '{ "enum": [0] }', allows: ['0', '-0', '0.0'], refuses: ['false', 'null', '""'] },
      {
        schema: '{ "enum": [{ "a": 1, "b": [2] }] }',
        allows: ['{ "b": [2.0], "a": 1.0 }'],
        refuses: ['{ "a": 1 }', '{ "a": 1, "b": [3] }'],
      },
      {
        schema: '{ "enum": ["a", "b", null, true] }',
        allows: ['"a"', 'null', 'true'],
        refuses: ['"c"', 'false', '"A"', '1'],
      },
      { schema: '{ "type": "integer", "enum": [1, 2] }', allows: ['2.0'], refuses: ['3'] },
      { schema: '{ "type": "string", "enum": ["1"] }', allows: ['"1"'], refuses: ['1'] },
      { schema: '{ "enum": [[1, 2]] }', allows: ['[1, 2.0]'], refuses: ['[2, 1]', '[1]'] },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('uniqueItems', () => {
  test.each(
    rows([
      {
        schema: '{ "type": "array", "items": {}, "uniqueItems": true }',
        allows: [
          '[]',
          '[1, 2]',
          '[1, "1"]',
          '[1, true]',
          '[0, false, null, ""]',
          '[9007199254740993, 9007199254740992]',
          '[[1], [2]]',
          '["a", "A"]',
          '[{ "a": 1 }, { "a": 2 }]',
          '[[], {}]',
        ],
        refuses: [
          '[1, 1]',
          '[1, 1.0]',
          '[100, 1e2]',
          '[0, -0]',
          '["a", "b", "a"]',
          '[9007199254740993, 9007199254740993]',
          '[null, null]',
          '[{ "a": 1, "b": 2 }, { "b": 2.0, "a": 1 }]',
          '[[1], [1.0]]',
          '[2.50, 2.5]',
        ],
      },
      { schema: '{ "type": "array", "items": {}, "uniqueItems": false }', allows: ['[1, 1]'], refuses: [] },
      { schema: '{ "uniqueItems": true }', allows: ['"aa"', '{}'], refuses: ['[1, 1]'] },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('lengths and counts written as 2.0', () => {
  test.each(
    rows([
      { schema: '{ "type": "string", "maxLength": 2.0 }', allows: ['"ab"'], refuses: ['"abc"'] },
      { schema: '{ "type": "string", "minLength": 2.0 }', allows: ['"ab"'], refuses: ['"a"'] },
      { schema: '{ "type": "array", "items": {}, "maxItems": 2.0 }', allows: ['[1, 2]'], refuses: ['[1, 2, 3]'] },
      { schema: '{ "type": "object", "minProperties": 1e0 }', allows: ['{ "a": 1 }'], refuses: ['{}'] },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

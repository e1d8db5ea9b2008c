import fc from 'fast-check';
import { equalJson, isJsonObject, type JsonValue } from '../../../src/core/json/json-value';
import { parseJson } from '../../../src/core/json/parse-json';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import { jsonValue } from './arbitrary-json';

function membersReversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(membersReversed);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, membersReversed(member)] as const);
  return Object.fromEntries(members.reverse());
}

describe('equalJson', () => {
  it.each([
    ['null', 'null'],
    ['1', '1.0'],
    ['100', '1e2'],
    ['0', '-0'],
    ['2.5', '2.50'],
    ['9007199254740993', '9007199254740993.0'],
    ['[1,{"a":[]}]', '[1.0,{"a":[]}]'],
    ['{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1.0}}'],
    ['"\\u0061"', '"a"'],
  ])('takes %s and %s for the same', (a, b) => {
    expect(equalJson(parseJson(a), parseJson(b))).toBe(true);
    expect(equalJson(parseJson(b), parseJson(a))).toBe(true);
  });

  it.each([
    ['null', 'false'],
    ['null', '{}'],
    ['0', 'false'],
    ['0', 'null'],
    ['0', '""'],
    ['1', '"1"'],
    ['1.0', '"1.0"'],
    ['1.0', '{"lexeme":"1.0"}'],
    ['9007199254740993', '9007199254740992'],
    ['0.1', '0.1000000000000000055'],
    ['[]', '{}'],
    ['[1,2]', '[2,1]'],
    ['[1]', '[1,1]'],
    ['[null]', '[]'],
    ['["a"]', '{"0":"a"}'],
    ['{"a":1}', '{"a":2}'],
    ['{"a":1}', '{"b":1}'],
    ['{"a":1}', '{"a":1,"b":1}'],
    ['{"toString":1}', '{"a":1}'],
    ['{"__proto__":{}}', '{}'],
    ['{"__proto__":{}}', '{"a":{}}'],
    ['"a"', '"A"'],
  ])('tells %s from %s', (a, b) => {
    expect(equalJson(parseJson(a), parseJson(b))).toBe(false);
    expect(equalJson(parseJson(b), parseJson(a))).toBe(false);
  });

  it('finds every value equal to its copy, whatever the order of members', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        return equalJson(value, parseJson(stringifyJson(value))) && equalJson(value, membersReversed(value));
      }),
    );
  });

  it('finds no value equal to one wrapped around it', () => {
    fc.assert(fc.property(jsonValue, (value) => !equalJson(value, [value]) && !equalJson({ a: value }, value)));
  });
});

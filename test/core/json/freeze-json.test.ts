import { freezeJson, type JsonValue } from '../../../src/core/json/json-value';
import { getAtPointer } from '../../../src/core/json/json-pointer';
import { parseJson } from '../../../src/core/json/parse-json';

describe('freezeJson', () => {
  it('freezes the value and everything in it, in place', () => {
    const value = parseJson('{"a":[1,{"b":2.50}],"__proto__":{"c":[]}}');
    expect(freezeJson(value)).toBe(value);
    for (const pointer of ['', '/a', '/a/1', '/a/1/b', '/__proto__', '/__proto__/c']) {
      expect(Object.isFrozen(getAtPointer(value, pointer))).toBe(true);
    }
    expect(() => (getAtPointer(value, '/a') as JsonValue[]).push(1)).toThrow(TypeError);
  });

  it('freezes what is inside an already frozen container', () => {
    const inner: JsonValue[] = [];
    freezeJson(Object.freeze({ inner }));
    expect(Object.isFrozen(inner)).toBe(true);
  });

  it.each([null, 1, 1n, 'a', true])('returns %p as it is', (value) => {
    expect(freezeJson(value)).toBe(value);
  });
});

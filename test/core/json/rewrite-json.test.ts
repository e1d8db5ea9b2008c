import fc from 'fast-check';
import { isJsonObject, type JsonValue } from '../../../src/core/json/json-value';
import { type JsonRewrites, rewriteJson } from '../../../src/core/json/rewrite-json';
import { stringifyJsonPretty } from '../../../src/core/json/stringify-json';
import { jsonValue } from './arbitrary-json';

const keep: JsonRewrites = { scalar: (value) => value };

test('what is not replaced stays as it was written: white space, order, digits, a name that stands there twice', () => {
  const text = '\uFEFF { "b" : 1.50, "1":\t[true, null,"a\\u0041"], "b":-0, "x": 12345678901234567890 }\r\n';
  expect(rewriteJson(text, keep)).toBe(text);
  const changed = rewriteJson(text, {
    scalar: (value, path) => (path.join('/') === '1/2' ? 'new "one"' : path.join('/') === 'x' ? 'text' : value),
    name: (name) => (name === 'b' ? 'c' : name),
  });
  expect(changed).toBe('\uFEFF { "c" : 1.50, "1":\t[true, null,"new \\"one\\""], "c":-0, "x": "text" }\r\n');
});

test.each(['"a"', '12', ' true ', '[]', '{}', '{"a":{}}'])('the whole text is one value: %s', (text) => {
  expect(rewriteJson(text, keep)).toBe(text);
});

test.each(['', '{', '{"a"}', '{"a":1,}', '[1,]', '[1 2]', 'tru', '"a', '{a:1}', '1 2', '\\', '['.repeat(501)])(
  'no JSON is rejected: %.10s',
  (text) => {
    expect(() => rewriteJson(text, keep)).toThrow(expect.objectContaining({ name: 'JsonSyntaxError' }));
  },
);

test('each text of a document is asked for once, and the rest is the same value', () => {
  const shout = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return `${value}!`;
    if (Array.isArray(value)) return value.map(shout);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shout(each)]));
  };
  fc.assert(
    fc.property(jsonValue, (value) => {
      const text = stringifyJsonPretty(value);
      expect(rewriteJson(text, keep)).toBe(text);
      expect(rewriteJson(text, { scalar: (each) => shout(each) })).toBe(stringifyJsonPretty(shout(value)));
    }),
  );
});

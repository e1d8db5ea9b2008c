import { mergePatch } from '../../../src/core/json/json-patches';
import { parseJson } from '../../../src/core/json/parse-json';
import { stringifyJson } from '../../../src/core/json/stringify-json';

/** RFC 7396 Appendix A. */
test.each([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ['{}', '{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
])('%s with %s is %s', (target, patch, want) => {
  const before = parseJson(target);
  expect(stringifyJson(mergePatch(before, parseJson(patch)))).toBe(want);
  expect(stringifyJson(before)).toBe(target);
});

test('a patch that changes nothing gives the target itself', () => {
  const target = { a: { b: 1 }, c: [1] };
  expect(mergePatch(target, { a: { b: 1 }, d: null })).toBe(target);
  expect(mergePatch(target, { a: {} })).toBe(target);
  expect(mergePatch(target, { a: { b: 2 } })).toEqual({ a: { b: 2 }, c: [1] });
  expect(target).toEqual({ a: { b: 1 }, c: [1] });
});

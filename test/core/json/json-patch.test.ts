import { applyJsonPatch } from '../../../src/core/json/json-patches';
import { parseJson } from '../../../src/core/json/parse-json';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import { countCallsSync } from '../../support/count-calls';

/** Examples of RFC 6902 Appendix A, and what the standard leaves to be found out. */
test.each([
  {
    about: 'A.1 adding a member',
    doc: '{"a":1}',
    patch: '[{"op":"add","path":"/b","value":2}]',
    want: '{"a":1,"b":2}',
  },
  { about: 'A.2 adding into a list', doc: '[1,3]', patch: '[{"op":"add","path":"/1","value":2}]', want: '[1,2,3]' },
  { about: 'A.3 removing a member', doc: '{"a":1,"b":2}', patch: '[{"op":"remove","path":"/b"}]', want: '{"a":1}' },
  { about: 'A.4 removing from a list', doc: '[1,2,3]', patch: '[{"op":"remove","path":"/1"}]', want: '[1,3]' },
  { about: 'A.5 replacing', doc: '{"a":1}', patch: '[{"op":"replace","path":"/a","value":[]}]', want: '{"a":[]}' },
  {
    about: 'A.6 moving a member',
    doc: '{"a":{"x":1},"b":{}}',
    patch: '[{"op":"move","from":"/a/x","path":"/b/x"}]',
    want: '{"a":{},"b":{"x":1}}',
  },
  { about: 'A.7 moving in a list', doc: '[1,2,3]', patch: '[{"op":"move","from":"/0","path":"/2"}]', want: '[2,3,1]' },
  {
    about: 'A.8 a test that holds',
    doc: '{"a":[1]}',
    patch: '[{"op":"test","path":"/a","value":[1]}]',
    want: '{"a":[1]}',
  },
  {
    about: 'A.14 an escaped name',
    doc: '{"~1":9}',
    patch: '[{"op":"test","path":"/~01","value":9}]',
    want: '{"~1":9}',
  },
  {
    about: 'A.16 a list in a list',
    doc: '{"a":[1]}',
    patch: '[{"op":"add","path":"/a/-","value":[2]}]',
    want: '{"a":[1,[2]]}',
  },
  { about: 'copying', doc: '{"a":1}', patch: '[{"op":"copy","from":"/a","path":"/b"}]', want: '{"a":1,"b":1}' },
  {
    about: 'replacing everything',
    doc: '{"a":1}',
    patch: '[{"op":"replace","path":"","value":{"b":2}}]',
    want: '{"b":2}',
  },
  {
    about: 'numbers by what they say',
    doc: '{"a":1}',
    patch: '[{"op":"test","path":"/a","value":1.0}]',
    want: '{"a":1}',
  },
  {
    about: 'a number beyond a double',
    doc: '{"a":9007199254740993}',
    patch: '[{"op":"test","path":"/a","value":9007199254740993},{"op":"copy","from":"/a","path":"/b"}]',
    want: '{"a":9007199254740993,"b":9007199254740993}',
  },
  {
    about: '__proto__ is a name',
    doc: '{}',
    patch: '[{"op":"add","path":"/__proto__","value":1}]',
    want: '{"__proto__":1}',
  },
])('$about', ({ doc, patch, want }) => {
  const document = parseJson(doc);
  const outcome = applyJsonPatch(document, parseJson(patch));
  expect(outcome.kind === 'patched' ? stringifyJson(outcome.value) : outcome).toBe(want);
  expect(stringifyJson(document)).toBe(doc);
});

test.each([
  { about: 'A.9 a test that fails', doc: '{"a":1}', patch: '[{"op":"test","path":"/a","value":2}]', kind: 'conflict' },
  {
    about: 'a number next to it',
    doc: '{"a":9007199254740993}',
    patch: '[{"op":"test","path":"/a","value":9007199254740992}]',
    kind: 'conflict',
  },
  { about: 'A.12 no such parent', doc: '{}', patch: '[{"op":"add","path":"/a/b","value":1}]', kind: 'conflict' },
  { about: 'no such place in a list', doc: '[]', patch: '[{"op":"add","path":"/1","value":1}]', kind: 'conflict' },
  { about: 'an index with a zero in front', doc: '[1]', patch: '[{"op":"remove","path":"/00"}]', kind: 'conflict' },
  { about: 'removing what is not there', doc: '{}', patch: '[{"op":"remove","path":"/a"}]', kind: 'conflict' },
  { about: 'what is only inherited', doc: '{}', patch: '[{"op":"remove","path":"/toString"}]', kind: 'conflict' },
  { about: 'no list', doc: '{}', patch: '{"op":"remove","path":"/a"}', kind: 'malformed' },
  { about: 'an unknown operation', doc: '{}', patch: '[{"op":"merge","path":"/a"}]', kind: 'malformed' },
  { about: 'no value', doc: '{}', patch: '[{"op":"add","path":"/a"}]', kind: 'malformed' },
  { about: 'no pointer', doc: '{}', patch: '[{"op":"add","path":"a","value":1}]', kind: 'malformed' },
  { about: 'into itself', doc: '{"a":{}}', patch: '[{"op":"move","from":"/a","path":"/a/b"}]', kind: 'malformed' },
])('$about is $kind', ({ doc, patch, kind }) => {
  expect(applyJsonPatch(parseJson(doc), parseJson(patch))).toMatchObject({ kind, index: 0 });
});

test('the operation that fails is named, and nothing of those before it stays', () => {
  const document = parseJson('{"a":1}');
  const patch = parseJson('[{"op":"add","path":"/b","value":2},{"op":"test","path":"/b","value":3}]');
  expect(applyJsonPatch(document, patch)).toMatchObject({ kind: 'conflict', index: 1 });
  expect(document).toEqual({ a: 1 });
});

describe('a patch that would make a document of any size', () => {
  const most = { length: 100_000, depth: 64 };
  /** Applies a patch, and counts the calls that this takes. */
  const apply = (document: string, patch: readonly object[]): ReturnType<typeof applyJsonPatch> & { calls: number } => {
    const [parsed, sent] = [parseJson(document), parseJson(JSON.stringify(patch))];
    let outcome: ReturnType<typeof applyJsonPatch> | undefined;
    const calls = countCallsSync(() => (outcome = applyJsonPatch(parsed, sent, most)));
    return { ...outcome!, calls };
  };
  const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

  test.each<[string, string, readonly object[]]>([
    [
      'copies that double it',
      '{"any":{"a":"x"}}',
      times(40, (i) => ({ op: 'copy', from: '/any', path: `/any/k${i}` })),
    ],
    [
      'copies that are removed again',
      `{"a":"${'x'.repeat(20_000)}"}`,
      times(3000, (i) => (i % 2 === 0 ? { op: 'copy', from: '/a', path: '/b' } : { op: 'remove', path: '/b' })),
    ],
    ['a copy into the deep', '{"a":{}}', times(100, () => ({ op: 'copy', from: '', path: '/a' }))],
    [
      'moves into the deep',
      JSON.stringify(times(500, () => ({}))),
      times(499, (i) => ({ op: 'move', from: `/${499 - i}`, path: `/${498 - i}/a` })),
    ],
    ['what is added', '{}', [{ op: 'add', path: '/a', value: 'x'.repeat(200_000) }]],
  ])('%s is refused', (_, document, patch) => {
    const outcome = apply(document, patch);
    expect(outcome).toMatchObject({ kind: 'too-large' });
    expect(outcome.calls).toBeLessThan(2 * most.length);
  });

  test('moving an item up and down a long list is refused after 50 million moved items', () => {
    const patch = times(2000, () => ({ op: 'move', from: '/0', path: '/49000' }));
    const outcome = apply(`[${times(49_500, () => 0).join()}]`, patch);
    expect(outcome).toMatchObject({ kind: 'too-large', index: 999 });
  });

  test('many small changes of a long list take work that grows with their number', () => {
    const change = (count: number): number => {
      const patch = times(count, (i) => ({ op: 'replace', path: `/list/${i}`, value: 1 }));
      const { calls, ...outcome } = apply(`{"list":[${times(count, () => 0).join()}]}`, patch);
      expect(outcome).toStrictEqual({ kind: 'patched', value: { list: times(count, () => 1) } });
      return calls;
    };
    // A list that is copied for each change would be too much for the bound on moved items.
    expect(change(10_000)).toBeLessThan(2.2 * change(5000));
  });
});

test('neither the document nor the patch is changed, and a copy is a value of its own', () => {
  const document = parseJson('{"a":{"list":[1]},"b":{}}');
  const patch = parseJson(
    '[{"op":"add","path":"/b/new","value":{"x":[]}},{"op":"add","path":"/b/new/x/-","value":1},{"op":"copy","from":"/a","path":"/c"},{"op":"add","path":"/c/list/-","value":2},{"op":"remove","path":"/a/list/0"}]',
  );
  const before = [stringifyJson(document), stringifyJson(patch)];
  const outcome = applyJsonPatch(document, patch);
  expect(outcome).toStrictEqual({
    kind: 'patched',
    value: { a: { list: [] }, b: { new: { x: [1] } }, c: { list: [1, 2] } },
  });
  expect([stringifyJson(document), stringifyJson(patch)]).toStrictEqual(before);
});

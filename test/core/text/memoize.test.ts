import { memoize, memoizePerList } from '../../../src/core/text/memoize';

function counting<Value>(compute: (text: string) => Value): { compute: (text: string) => Value; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    compute(text) {
      asked.push(text);
      return compute(text);
    },
  };
}

test('a text is computed once, also when the result is undefined', () => {
  const { compute, asked } = counting((text) => (text === 'a' ? 1 : undefined));
  const memo = memoize(compute);
  expect([memo('a'), memo('a'), memo('b'), memo('b')]).toEqual([1, 1, undefined, undefined]);
  expect(asked).toEqual(['a', 'b']);
});

test('a full memo starts afresh and stays right', () => {
  const { compute, asked } = counting((text) => text.length);
  const memo = memoize(compute, 2);
  expect(['a', 'bb', 'ccc', 'a'].map(memo)).toEqual([1, 2, 3, 1]);
  expect(asked).toEqual(['a', 'bb', 'ccc', 'a']);
});

test('a long text is not kept', () => {
  const { compute, asked } = counting((text) => text.length);
  const memo = memoize(compute);
  const long = 'x'.repeat(10_000);
  expect([memo(long), memo(long)]).toEqual([10_000, 10_000]);
  expect(asked).toHaveLength(2);
});

test('each list has a memory of its own', () => {
  const { compute, asked } = counting((text) => text);
  const memo = memoizePerList((text, list) => `${compute(text)}${list.join('')}`);
  const first = ['1'];
  const second = ['2'];
  expect([memo('a', first), memo('a', second), memo('a', first)]).toEqual(['a1', 'a2', 'a1']);
  expect(asked).toEqual(['a', 'a']);
});

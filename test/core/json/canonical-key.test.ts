import fc from 'fast-check';
import { canonicalKey, equalJson } from '../../../src/core/json/json-value';
import { parseJson } from '../../../src/core/json/parse-json';
import { countCallsSync } from '../../support/count-calls';

const key = (text: string): string => canonicalKey(parseJson(text, { maxNumberLength: 2000 }));

test.each([
  ['1', '1.0', '1e0', '100e-2'],
  ['0', '-0', '0.0', '0e9', '-0.00'],
  ['2.5', '2.50', '25e-1', '0.25e1'],
  ['1e400', '10e399', `1${'0'.repeat(400)}`, '1.0e400'],
  ['9007199254740993', '9007199254740993.0', '900719925474099.3e1'],
  ['1e21', '1000000000000000000000', '1000000000000000000000.0'],
  ['{ "a": 1, "b": [2.0] }', '{ "b": [2], "a": 1e0 }'],
])('%s has one key however it is written', (first, ...others) => {
  for (const other of others) expect(key(other)).toBe(key(first));
});

test('the key of a list takes at most 20 calls for each number in it', () => {
  const work = (length: number): number => {
    const numbers = Array.from({ length }, (_, index) => index + 0.5);
    return countCallsSync(() => canonicalKey(numbers));
  };
  expect(work(2000)).toBeLessThan(2.2 * work(1000));
  expect(work(1000)).toBeLessThan(20 * 1000);
});

test('two values have the same key exactly when they are equal', () => {
  const number = fc.constantFrom('0', '-0', '1', '1.0', '10', '1e1', '-1', '0.1', '1e-1', '9007199254740993');
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      number,
      fc.constantFrom('null', 'true', '""', '"1"', '"a"', '"\\",\\""', '"{}"'),
      fc.array(tie('value'), { maxLength: 2 }).map((items) => `[${items.join()}]`),
      fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 2 }).map(
        (members) =>
          `{${Object.entries(members)
            .map(([name, member]) => `"${name}":${member}`)
            .join()}}`,
      ),
    ),
  }));
  fc.assert(
    fc.property(value, value, (left, right) => {
      expect(key(left) === key(right)).toBe(equalJson(parseJson(left), parseJson(right)));
    }),
    { numRuns: 2000 },
  );
});

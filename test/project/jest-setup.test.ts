import { isContext } from 'node:vm';
import fc from 'fast-check';

test('test files run in the main context of Node, where globals are as quick as in production', () => {
  expect(isContext(globalThis)).toBe(false);
  expect(structuredClone(new Error('x'))).toBeInstanceOf(Error);
});

test('property tests begin with the seed that was printed', () => {
  expect(fc.readConfigureGlobal().seed).toBe(Number(process.env['STANDIN_TEST_SEED']));
});

import { PassThrough } from 'node:stream';
import { ask } from '../../src/cli/actions/run-dialogue';

function answered(text: string, signal = new AbortController().signal): Promise<boolean> {
  const input = new PassThrough();
  const answer = ask('Send this?', { input, output: new PassThrough() }, signal);
  input.write(text);
  return answer;
}

test.each([
  { typed: 'y\n', is: true },
  { typed: 'YES\n', is: true },
  { typed: '\n', is: false },
  { typed: 'no\n', is: false },
  { typed: '\u0003', is: false },
  { typed: '\u0004', is: false },
])('$typed is $is', async ({ typed, is }) => {
  expect(await answered(typed)).toBe(is);
});

test('a signal is a no, whenever it comes', async () => {
  const controller = new AbortController();
  const waiting = answered('', controller.signal);
  controller.abort();
  expect(await waiting).toBe(false);
  expect(await answered('y\n', controller.signal)).toBe(false);
});

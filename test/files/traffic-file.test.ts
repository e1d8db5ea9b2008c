import { mkdirSync, symlinkSync } from 'node:fs';
import { openTrafficFile, type TrafficFile } from '../../src/files/traffic-file';
import { temporaryFolder } from '../support/temporary-folder';

async function textOf({ chunks }: TrafficFile): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks()) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

async function* given(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  yield* texts.map((text) => Buffer.from(text));
}

test('a file gives its bytes as often as it is asked', async () => {
  const folder = temporaryFolder();
  const opened = await openTrafficFile(folder.write('a.har', 'text'));
  expect([opened.bytes, await textOf(opened), await textOf(opened)]).toStrictEqual([4, 'text', 'text']);
});

test('so does standard input', async () => {
  const opened = await openTrafficFile('-', given('a', 'bc'));
  expect(opened).toMatchObject({ file: 'standard input', bytes: 3 });
  expect([await textOf(opened), await textOf(opened)]).toStrictEqual(['abc', 'abc']);
});

test('files beside it are read from its folder and below, and from nowhere else', async () => {
  const folder = temporaryFolder();
  folder.write('outside.txt', 'outside');
  folder.write('in/below/b.txt', 'b');
  mkdirSync(folder.file('in/empty'));
  symlinkSync(folder.file('outside.txt'), folder.file('in/link.txt'));
  const { beside } = await openTrafficFile(folder.write('in/a.har', ''));
  const read = (path: string): string | undefined => beside(path)?.toString();
  expect(Buffer.from(beside('below/b.txt')!).toString()).toBe('b');
  for (const path of ['../outside.txt', folder.file('outside.txt'), 'link.txt', 'empty', 'none.txt', 'a\0b'])
    expect(read(path)).toBeUndefined();
});

import { createSecondPetstore, type SecondPetstore } from '../second-petstore/index';
import { DEFECTS } from './catalogue/index';
import { Client } from './client';
import { startMutantProxy, type MutantProxy, type MutantProxyOptions } from './proxy';
import { createTrigger } from './trigger';

const SUBJECTS = ['a', 'b', 'a', 'b', 'c'];

test('after a removal, and one in ten', () => {
  let hasRemoved = false;
  const decide = createTrigger('only-after-removal', 2, () => hasRemoved);
  expect(decide('a')).toBe(false);
  hasRemoved = true;
  expect(decide('a')).toBe(true);
  const times = Array.from({ length: 1000 }, () => 'a').filter(createTrigger('one-in-ten', 2)).length;
  expect(times).toBeGreaterThan(70);
  expect(times).toBeLessThan(130);
});

test.each([
  ['always', [true, true, true, true, true]],
  ['first-call-only', [true, false, false, false, false]],
  ['every-nth', [false, true, false, true, false]],
  ['only-second-resource', [false, true, false, true, false]],
] as const)('%s', (trigger, expected) => {
  expect(SUBJECTS.map(createTrigger(trigger, 2))).toEqual(expected);
});

describe('a proxy', () => {
  let petstore: SecondPetstore;
  let proxy: MutantProxy;
  const defectOf = (id: string): MutantProxyOptions['defect'] => DEFECTS.find((defect) => defect.id === id);

  async function open(options: Partial<MutantProxyOptions>): Promise<Client> {
    petstore = createSecondPetstore();
    proxy = await startMutantProxy({ target: await petstore.listen(), ...options });
    return new Client(proxy);
  }
  afterEach(async () => {
    await proxy.close();
    await petstore.close();
  });

  test('shows a defect of additions with the second resource only', async () => {
    const client = await open({ defect: defectOf('HD-06')!, trigger: 'only-second-resource' });
    const made = [await client.category(), await client.category(), await client.category()];
    expect(made.map(({ reply }) => reply.header('location') === undefined)).toEqual([false, true, false]);
  });

  test('shows a defect of reads every other time', async () => {
    const client = await open({ defect: defectOf('SH-10')!, trigger: 'every-nth', nth: 2 });
    const { path } = await client.category();
    const texts = [await client.get(path), await client.get(path), await client.get(path)].map(
      ({ text }) => text === '',
    );
    expect(texts).toEqual([false, true, false]);
  });

  test('without a defect is transparent, down to what is no HTTP', async () => {
    const client = await open({});
    const category = await client.category({ description: 'é' });
    expect(category.reply.header('location')).toBe(`${client.url}${category.path}`);
    expect((await client.get(category.path)).fields).toEqual(category.reply.fields);
    const head = await client.send('HEAD', category.path);
    expect(head.header('content-length')).toBe(String(Buffer.byteLength(category.reply.text)));
    const twice = 'GET /pets HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n';
    expect(await client.raw(twice)).toMatch(/^HTTP\/1\.1 400 .*"bad_request"/s);
    expect(await client.raw('GET /pets HTTP/9.9\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*"bad_request"/s);
    const expecting = 'GET /pets HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nConnection: close\r\n\r\n';
    expect(await client.raw(expecting)).toMatch(/^HTTP\/1\.1 417 /);
  });
});

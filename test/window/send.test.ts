import { until } from '../support/until';

interface Tried {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly userFetch?: (url: string) => Promise<unknown>;
}

/** The code of a page, whose types have no place beside those of Node. */
const { toThisMock } = jest.requireActual<{
  toThisMock: (request: Tried, sending: { readonly sandboxHeader: undefined }) => Tried;
}>('../../src/window/reference/send');

/** The cookies of a page, as `document.cookie` has them: what is set replaces what had the name. */
class Page {
  readonly cookies = new Map<string, string>();

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  set cookie(text: string) {
    const [pair = '', ...attributes] = text.split('; ');
    const [name = '', value = ''] = pair.split('=');
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

const page = new Page();
const names = ['document', 'location', 'fetch'] as const;
const before = names.map((name) => [name, (globalThis as Record<string, unknown>)[name]] as const);
afterAll(() => {
  Object.assign(globalThis, Object.fromEntries(before));
});

const tried = (key: string): Promise<unknown> => {
  const request = toThisMock({ url: '/pets', headers: { Cookie: `sid=${key}` } }, { sandboxHeader: undefined });
  return request.userFetch?.('/pets') ?? Promise.reject(new Error('it is sent as any other'));
};

test('two tries at once with keys in a cookie are each sent with its own, and leave the cookies as they were', async () => {
  const sent: string[] = [];
  const ends: (() => void)[] = [];
  Object.assign(globalThis, {
    document: page,
    location: { href: 'http://localhost/', origin: 'http://localhost' },
    fetch: () => {
      sent.push(page.cookie);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
  });
  page.cookie = 'theme=dark';
  const both = [tried('one'), tried('two')];
  for (let count = 1; count <= 2; count++) {
    await until(() => sent.length === count, `${count} requests`);
    ends.shift()?.();
  }
  await Promise.all(both);
  expect(sent).toEqual(['theme=dark; sid=one', 'theme=dark; sid=two']);
  expect(page.cookie).toBe('theme=dark');
});

test('a try that fails keeps no other one from being sent', async () => {
  let attempts = 0;
  Object.assign(globalThis, {
    document: page,
    location: { href: 'http://localhost/', origin: 'http://localhost' },
    fetch: () => (++attempts === 1 ? Promise.reject(new TypeError('gone')) : Promise.resolve('fine')),
  });
  const [first, second] = [tried('one'), tried('two')];
  await expect(first).rejects.toThrow('gone');
  await expect(second).resolves.toBe('fine');
  expect(page.cookie).not.toContain('sid');
});

import { FetchBudget } from '../../src/files/load-description';
import type { Fetched } from '../../src/files/description-source';

const uris = Array.from({ length: 1001 }, (_, index) => `https://example.com/${index}`);

async function fetchAll(text: string): Promise<{ count: number; failures: string[]; most: number }> {
  const fetched = new Map<string, Fetched>();
  let now = 0;
  let most = 0;
  await new FetchBudget().spend(uris, fetched, async (uri) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    return { text, uri };
  });
  const failures = [...fetched.values()].flatMap((answer) => ('failure' in answer ? [answer.failure] : []));
  return { count: fetched.size - failures.length, failures: [...new Set(failures)], most };
}

test('asks for a thousand documents, ten at a time', async () => {
  const { count, failures, most } = await fetchAll('x');
  expect(count).toBe(1000);
  expect(failures).toEqual(['the description leads to more than 1000 documents of other machines']);
  expect(most).toBe(10);
});

test('asks for no more when there is enough text', async () => {
  const { count, failures } = await fetchAll('x'.repeat(8 * 1024 * 1024));
  expect(count).toBeLessThan(20);
  expect(failures).toEqual([expect.stringContaining('characters together')]);
});

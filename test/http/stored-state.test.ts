import { createMockServer, type StoredState } from '../../src/express';

test('the state of a mock has a type: its collections hold rows by name, and the keys that come next', async () => {
  const app = await createMockServer();
  const { standin, collections, nextKeys, leftOut }: StoredState = app.state();
  const ids: unknown[] = collections['/categories']?.map(({ id }) => id) ?? [];
  expect(ids.length).toBeGreaterThan(0);
  expect({ standin, leftOut }).toStrictEqual({ standin: 'fixture/1', leftOut: undefined });
  expect(Number(nextKeys['/categories'])).toBeGreaterThan(Math.max(...ids.map(Number)));
  // What it gives is what it takes.
  const other = await createMockServer({ state: 'empty' });
  other.load(app.state({ secrets: true }));
  expect(other.state()).toStrictEqual(app.state());
});

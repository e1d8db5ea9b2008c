import type { CleanExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { exchange } from '../recorded';
import { contractOf } from './derived';

/** What stands above each step, with its name. */
function outlineOf(exchanges: readonly CleanExchange[]): string[] {
  return [...contractOf(exchanges).matchAll(/(?:# — (.*) —|- name: (.*))/g)].map(
    ([, section, name = '']) => section?.toUpperCase() ?? name,
  );
}

const look = (path: string): CleanExchange => exchange(`GET /${path}`, { answered: [{ id: 1, name: 'a' }] });
const read = (path: string): CleanExchange => exchange(`GET /${path}/1`, { answered: { id: 1, name: 'a' } });

test('a section has at least two steps, and a single one in between does not end it', () => {
  expect(
    outlineOf([look('pets'), read('pets'), look('shops'), read('shops'), look('pets'), read('shops')]).map((line) =>
      line.replace(/ .*/, ''),
    ),
  ).toEqual(['PET', 'list', 'read', 'SHOP', 'list', 'read', 'list', 'read']);
});

test('there are no sections where a page asks for many things at once', () => {
  const outline = outlineOf([look('pets'), look('shops'), look('towns'), look('pets'), read('pets'), look('shops')]);
  expect(outline).toHaveLength(6);
});

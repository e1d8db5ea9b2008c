// Writes fixtures with any number of pets, the same ones every time.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const statuses = ['available', 'pending', 'sold'];

/**
 * Writes a fixture of `count` pets, ids from 1, with their stock and two categories.
 *
 * @returns the file and how many pets there are of each status
 */
export function writeFixture(folder, count) {
  const tally = { available: 0, pending: 0, sold: 0 };
  const pets = [];
  const inventory = [];
  let random = 1;
  for (let id = 1; id <= count; id++) {
    // A linear congruential generator mixes the statuses without a pattern that an index could profit from.
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    const status = id === 1 ? 'available' : statuses[(random >>> 16) % statuses.length];
    tally[status]++;
    pets.push({ id, name: `Pet ${id}`, categoryId: 1 + (id % 2), status });
    inventory.push({ petId: id, quantity: status === 'sold' ? 0 : 1 + (id % 5), status });
  }
  const categories = [
    { id: 1, name: 'Dog' },
    { id: 2, name: 'Cat' },
  ];
  const file = path.join(folder, `pets-${count}.json`);
  const collections = { '/categories': categories, '/pets': pets, '/store/orders': [], '/inventory': inventory };
  writeFileSync(file, JSON.stringify({ standin: 'fixture/1', collections }));
  return { file, count, tally };
}

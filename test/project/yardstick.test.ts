import Ajv from 'ajv';
import { parse, stringify } from 'yaml';

// A fixed amount of work: `npm test` measures it where a file is over its budget, to tell a slow machine from a dear
// file (scripts/test.mjs). It uses nothing of src/, so that only the machine changes what it costs.
test('a fixed amount of work is done', () => {
  const ajv = new Ajv();
  const rows = Array.from({ length: 400 }, (_, id) => ({ id, name: `row ${id}`, tags: ['one', 'two'], size: id / 3 }));
  expect(parse(stringify(rows))).toEqual(rows);
  for (let count = 1; count <= 150; count += 1) {
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`p${index}`, { type: 'string', minLength: count, pattern: '^a+b*$' }]),
    );
    expect(ajv.compile({ type: 'object', properties, required: ['p1'] })({ p1: 'b' })).toBe(false);
  }
});

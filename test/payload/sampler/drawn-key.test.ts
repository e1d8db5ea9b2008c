import { drawKey, type KeySchema, WIDE } from '../../../src/payload/sampler/drawn-key';
import { integerBelow } from '../../../src/payload/sampler/chance';

const RUN_ID = '0a1b2c3d';

function schemaOf(value: KeySchema['value']): KeySchema {
  const { pattern = '', minLength = 0, maxLength = 999, minimum = 0, maximum = 2 ** 31 } = value;
  return {
    value,
    accepts: (key) =>
      typeof key === 'number'
        ? Number.isInteger(key) && key >= Number(minimum) && key <= Number(maximum)
        : new RegExp(pattern as string, 'u').test(key) &&
          key.length >= Number(minLength) &&
          key.length <= Number(maxLength),
  };
}

const ofText = (pattern: string, more: object = {}): KeySchema => schemaOf({ type: 'string', pattern, ...more });

const PARTS = ['[A-Z]', '[a-z]', '[0-9]', '[A-HJ-NPR-Z0-9]', '[a-f0-9]', '[A-Za-z0-9_-]', '\\d', '\\w'];

/** A pattern of two or three parts, whose keys are many. */
function patternAt(index: number): string {
  const part = (salt: number): string => {
    const count = 3 + integerBelow(index * 31 + salt, 5);
    return `${PARTS[integerBelow(index * 17 + salt, PARTS.length)]}{${count}}`;
  };
  const prefix = ['', 'cus_', 'X-', '(?:AB|CD)'][index % 4];
  return `^${prefix}${part(1)}${part(2)}${index % 3 === 0 ? `-?${part(3)}` : ''}$`;
}

test.each(Array.from({ length: 120 }, (_, index) => patternAt(index)))('keys of %s fit, and differ', (pattern) => {
  const schema = ofText(pattern);
  const keys = ['0a1b2c3d', 'ffffffff'].flatMap((runId) =>
    ['a', 'b', 'c'].map((words) => String(drawKey(schema, runId, words)?.value)),
  );
  expect(keys.filter((key) => !new RegExp(pattern, 'u').test(key))).toEqual([]);
  // Where the id of the run leaves no room, the things of a run do not differ by themselves.
  const distinct = new Set(keys).size;
  expect(distinct === keys.length || keys.every((key) => key.includes('0a1b2c3d') || key.includes('ffffffff'))).toBe(
    true,
  );
  expect(keys[0]).not.toBe(keys[3]);
});

test.each([
  ['^cus_[a-z0-9]{8}$', `cus_${RUN_ID}`],
  ['^[a-z]{3}_[a-z0-9]{12}$', expect.stringMatching(`^[a-z]{3}_[a-z0-9]{4}${RUN_ID}$`)],
])('a key of %s has the id of the run', (pattern, key) => {
  expect(drawKey(ofText(pattern), RUN_ID, '')).toMatchObject({ value: key, isOfRun: true });
});

test.each([
  ['^[A-HJ-NPR-Z0-9]{11}$', true],
  ['^[A-Z]{3}[0-9]{2}$', true],
  ['^[A-Z]{3}$', false],
  ['^(?:small|large)$', false],
])('of %s there are many: %s', (pattern, isWide) => {
  const { isOfRun, space = 0 } = drawKey(ofText(pattern), RUN_ID, '') ?? {};
  expect({ isOfRun, isWide: space >= WIDE }).toEqual({ isOfRun: false, isWide });
});

test('a whole number is drawn out of the upper half', () => {
  const value = Number(drawKey(schemaOf({ type: 'integer', minimum: 1, maximum: 9_000_000 }), RUN_ID, '')?.value);
  expect(value).toBeGreaterThan(4_500_000 - 1);
  expect(value).toBeLessThan(9_000_001);
});

test.each<KeySchema['value']>([
  { type: 'string', enum: ['a', 'b'] },
  { type: 'string', format: 'date' },
  { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  { type: 'string', pattern: '^[A-Z]{2}\\d{2}[A-Z0-9]{16}$' },
  { type: 'boolean' },
  { type: 'integer', minimum: 1, maximum: 2 },
])('of %j none is drawn', (value) => {
  expect(drawKey(schemaOf(value), RUN_ID, '')).toBeUndefined();
});

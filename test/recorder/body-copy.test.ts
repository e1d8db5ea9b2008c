import { BodyCopy, CopyBudget } from '../../src/recorder/body-copy';

const bytes = (length: number): Buffer => Buffer.alloc(length, 'x');

test('a budget gives out its last byte, and not one more', () => {
  const budget = new CopyBudget(10);
  expect(budget.take(4)).toBe(true);
  expect(budget.take(7)).toBe(false);
  expect(budget.take(6)).toBe(true);
  expect(budget.take(1)).toBe(false);
  budget.giveBack(4);
  expect(budget.take(5)).toBe(false);
  expect(budget.take(4)).toBe(true);
});

test.each([
  { sent: [10], isKept: true },
  { sent: [11], isKept: false },
  { sent: [4, 6], isKept: true },
  { sent: [4, 7], isKept: false },
])('a copy of at most 10 bytes of a body of $sent bytes is kept: $isKept', ({ sent, isKept }) => {
  const copy = new BodyCopy(new CopyBudget(100), 10);
  for (const length of sent) copy.add(bytes(length));
  expect(copy.length).toBe(sent.reduce((sum, length) => sum + length));
  expect(copy.content?.length).toBe(isKept ? copy.length : undefined);
});

test('a body that is too large gives its bytes back to the budget, and takes no more', () => {
  const budget = new CopyBudget(10);
  const large = new BodyCopy(budget, 8);
  large.add(bytes(8));
  large.add(bytes(1));
  for (let count = 0; count < 100; count++) large.add(bytes(1));
  large.release();
  expect(large.length).toBe(109);
  expect([budget.take(10), budget.take(1)]).toEqual([true, false]);
});

test('a body for which the budget has no room keeps its length alone', () => {
  const budget = new CopyBudget(10);
  const first = new BodyCopy(budget, 10);
  first.add(bytes(6));
  const second = new BodyCopy(budget, 10);
  second.add(bytes(3));
  second.add(bytes(2));
  second.add(bytes(1));
  expect([second.length, second.content]).toEqual([6, undefined]);
  first.add(bytes(4));
  expect(first.content?.length).toBe(10);
  first.release();
  expect([first.length, first.content]).toEqual([10, undefined]);
  expect(budget.take(10)).toBe(true);
});

test('an empty body has empty content', () => {
  expect(new BodyCopy(new CopyBudget(0), 0).content).toEqual(new Uint8Array(0));
});

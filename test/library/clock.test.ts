import { createClock } from '../../src/mock/sandbox/clock';

beforeEach(() => {
  jest.useFakeTimers({ now: Date.UTC(2030, 0, 1) });
});
afterEach(() => {
  jest.useRealTimers();
});

test('it shows the real time when it is not set', () => {
  const clock = createClock();
  expect(clock.now()).toBe(Date.UTC(2030, 0, 1));
  jest.advanceTimersByTime(5000);
  expect(clock.now()).toBe(Date.UTC(2030, 0, 1) + 5000);
});

test('it runs on from where it was set', () => {
  const clock = createClock(Date.UTC(2000, 0, 1));
  expect(clock.now()).toBe(Date.UTC(2000, 0, 1));
  jest.advanceTimersByTime(5000);
  expect(clock.now()).toBe(Date.UTC(2000, 0, 1) + 5000);
  clock.set(0);
  expect(clock.now()).toBe(0);
  jest.advanceTimersByTime(1);
  expect(clock.now()).toBe(1);
});

test('it goes back to the real time', () => {
  const clock = createClock(0);
  jest.advanceTimersByTime(5000);
  clock.set(undefined);
  expect(clock.now()).toBe(Date.UTC(2030, 0, 1) + 5000);
});

test('two clocks do not know of each other', () => {
  const [one, two] = [createClock(), createClock()];
  one.set(0);
  expect(two.now()).toBe(Date.UTC(2030, 0, 1));
});

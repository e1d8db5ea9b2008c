/**
 * In the scope of a browser in a test runner, such as jsdom, a timer is a number. Sockets are kept open with timers that
 * are let go by `unref()`, which is Node's: there a number gets one that does nothing. Nothing else in the scope changes,
 * and no list of members shows it.
 */
export function letTimersGo(): void {
  const timer: unknown = setTimeout(() => undefined);
  clearTimeout(timer as NodeJS.Timeout);
  if (typeof timer !== 'number' || 'unref' in Number.prototype) return;
  const value = function (this: unknown): unknown {
    return this;
  };
  Object.defineProperty(Number.prototype, 'unref', { value, configurable: true, writable: true, enumerable: false });
}

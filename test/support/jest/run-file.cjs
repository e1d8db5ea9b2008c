const asyncHooks = require('node:async_hooks');
const { default: runFile } = require('jest-circus/runner');
const { measureSlowness, readProcessorTime } = require('./processor-time.cjs');
const { readLoadingTime } = require('./runtime.cjs');

/** As it was measured behind the file before. */
let slowness;

/**
 * Runs a test file as jest does, and adds to its result the processor time that it took (`cpuMs`): without loading the
 * modules that it shares with other files, and as the processor that the budgets are given for would need it.
 *
 * The parent is told of the results when the file has ended, and not of each test as it begins and ends: these messages
 * told nobody anything, and took a fortieth of the processor time of a worker.
 *
 * For each file, jest-circus makes an `AsyncLocalStorage` and never disables it. Node asks all of them at each promise,
 * so that the two hundredth file of a worker paid for those before it: a seventh of all processor time.
 */
module.exports = async (globalConfig, config, environment, runtime, testPath) => {
  // Measured once between two files of a worker.
  const slowBefore = (slowness ??= measureSlowness());
  const before = readProcessorTime() - readLoadingTime();
  const storages = [];
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
    constructor(...values) {
      super(...values);
      storages.push(this);
    }
  };
  // jest-circus loads its parts before it waits for anything.
  const running = runFile(globalConfig, config, environment, runtime, testPath);
  asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  try {
    const result = await running;
    const spentMs = readProcessorTime() - readLoadingTime() - before;
    slowness = measureSlowness();
    result.cpuMs = Math.round((2 * spentMs) / (slowBefore + slowness));
    return result;
  } finally {
    for (const storage of storages) storage.disable();
  }
};

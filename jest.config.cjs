const { availableParallelism } = require('node:os');

// picocolors colours its output wherever CI is set; tests compare plain text.
process.env.NO_COLOR = '1';

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/jest/environment.cjs',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
  testRunner: '<rootDir>/test/support/jest/run-file.cjs',
  // Sources too: `npm run test:changed` finds the tests of a file only where it knows the file.
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/examples'],
  testMatch: ['**/*.test.ts', '**/*.test.cjs'],
  // Clients of other APIs are installed there: see npm run clients. The window is for browsers, and tested in one.
  modulePathIgnorePatterns: ['<rootDir>/test/clients/node_modules', '<rootDir>/src/window'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        sourceMaps: 'inline',
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs' },
      },
    ],
  },
  setupFiles: ['<rootDir>/test/support/jest/set-up-file.cjs'],
  globalSetup: '<rootDir>/test/support/jest/global-setup.cjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.cjs',
  moduleNameMapper: {
    '^standin$': '<rootDir>/src/index',
    '^standin/express$': '<rootDir>/src/express',
    '^standin/jest$': '<rootDir>/src/jest',
  },
  // No test is about time; this only ends one that waits for ever, on a busy machine too.
  testTimeout: 120_000,
  reporters: ['default', '<rootDir>/test/support/jest/reporter.cjs'],
  testSequencer: '<rootDir>/test/support/jest/sequencer.cjs',
  // A third of the time tests wait, for sockets and browsers: one worker more than processors keeps these busy. Elsewhere
  // than in CI one processor is left to others, unless there are only two.
  maxWorkers: Math.max(3, availableParallelism() + (process.env.CI === undefined ? -1 : 1)),
  workerIdleMemoryLimit: '2GB',
  collectCoverageFrom: ['src/**/*.ts', '!src/window/**'],
  coverageProvider: 'v8',
};

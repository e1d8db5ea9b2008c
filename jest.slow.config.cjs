const config = require('./jest.config.cjs');

/** @type {import('jest').Config} */
module.exports = {
  ...config,
  testMatch: ['**/*.slow.test.ts'],
  // Beside much else one test of the dearest took more than the two minutes of the others.
  testTimeout: 600_000,
};

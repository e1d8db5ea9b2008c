const config = require('./jest.config.cjs');

/** @type {import('jest').Config} */
module.exports = { ...config, testMatch: ['**/*.slow.test.ts'] };

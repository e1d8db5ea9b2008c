const config = require('./jest.config.cjs');

/** @type {import('jest').Config} */
module.exports = { ...config, testPathIgnorePatterns: ['/node_modules/', '\\.slow\\.test\\.ts$'] };

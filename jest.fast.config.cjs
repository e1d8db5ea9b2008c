const { readdirSync } = require('node:fs');
const { join } = require('node:path');
const config = require('./jest.config.cjs');

const SLOW = '\\.slow\\.test\\.ts$';

/** The files that `npm test` leaves to `npm run test:slow`; the last line of its output counts them. */
const leftOut = readdirSync(join(__dirname, 'test'), { recursive: true }).filter((file) => RegExp(SLOW).test(file));

/** @type {import('jest').Config} */
module.exports = {
  ...config,
  testPathIgnorePatterns: ['/node_modules/', SLOW],
  reporters: ['default', ['<rootDir>/test/support/left-out-reporter.cjs', { leftOut: leftOut.length }]],
};

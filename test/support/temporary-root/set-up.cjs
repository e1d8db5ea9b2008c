const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** Gives the tests, and what they start, a folder for temporary files that is theirs alone. */
module.exports = () => {
  const path = mkdtempSync(join(tmpdir(), 'standin-tests-'));
  globalThis.temporaryRoot = { path, before: process.env.TMPDIR };
  process.env.TMPDIR = path;
};

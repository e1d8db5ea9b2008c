const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { choosePropertySeed, PROPERTY_SEED_VARIABLE } = require('./property-seed.cjs');

/** Gives the tests, and the processes that they start, a folder for temporary files and one for state that are theirs. */
module.exports = () => {
  const path = mkdtempSync(join(tmpdir(), 'standin-tests-'));
  const state = mkdtempSync(join(tmpdir(), 'standin-state-'));
  globalThis.temporaryRoot = {
    path,
    state,
    before: {
      TMPDIR: process.env.TMPDIR,
      XDG_STATE_HOME: process.env.XDG_STATE_HOME,
      [PROPERTY_SEED_VARIABLE]: process.env[PROPERTY_SEED_VARIABLE],
    },
  };
  process.env.XDG_STATE_HOME = state;
  process.env.TMPDIR = path;
  const seed = choosePropertySeed();
  process.env[PROPERTY_SEED_VARIABLE] = String(seed);
  process.stderr.write(`Property tests: ${PROPERTY_SEED_VARIABLE}=${seed}\n`);
};

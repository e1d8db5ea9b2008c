const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** Gives the tests, and what they start, a folder for temporary files and one for state that are theirs alone. */
module.exports = () => {
  const path = mkdtempSync(join(tmpdir(), 'standin-tests-'));
  const state = mkdtempSync(join(tmpdir(), 'standin-state-'));
  globalThis.temporaryRoot = {
    path,
    state,
    before: { TMPDIR: process.env.TMPDIR, XDG_STATE_HOME: process.env.XDG_STATE_HOME },
  };
  process.env.XDG_STATE_HOME = state;
  process.env.TMPDIR = path;
};

const { readdirSync, rmSync } = require('node:fs');

/** tsx keeps there what it compiled. */
const KEPT = /^tsx-/;

/** Fails when tests left something in their folder for temporary files, and removes it. */
module.exports = ({ testNamePattern }) => {
  const { path, state, before } = globalThis.temporaryRoot;
  const left = readdirSync(path).filter((name) => !KEPT.test(name));
  rmSync(state, { recursive: true, force: true });
  rmSync(path, { recursive: true, force: true });
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  // Where none of a file's tests is chosen by its name, jest does not run what stands behind them.
  if (left.length === 0 || (testNamePattern ?? '') !== '') return;
  throw new Error(
    `Left behind in the folder for temporary files: ${left.sort().join(', ')}. ` +
      'Make folders with temporaryFolder() of test/support, which removes them.',
  );
};

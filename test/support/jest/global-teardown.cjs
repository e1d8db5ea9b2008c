const { rmSync } = require('node:fs');

/** Removes the folders of the tests. Which test left a file in one of them is reported by leftovers.cjs. */
module.exports = () => {
  const { path, state, before } = globalThis.temporaryRoot;
  rmSync(state, { recursive: true, force: true });
  rmSync(path, { recursive: true, force: true });
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
};

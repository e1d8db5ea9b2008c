const { execFileSync } = require('node:child_process');

const variable = 'STANDIN_TEST_SEED';

/**
 * The seed of property tests: what `STANDIN_TEST_SEED` says (a number, or `random`), or else the commit, so that a change
 * is not rejected for a counterexample that is not its own. `npm run measure -- properties` draws a new one.
 */
exports.choosePropertySeed = () => {
  const given = process.env[variable];
  if (given === 'random') return Math.floor(Math.random() * 2 ** 31);
  if (given !== undefined) return Number(given);
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return parseInt(commit.slice(0, 7), 16);
  } catch {
    return 1;
  }
};

exports.PROPERTY_SEED_VARIABLE = variable;

const { join, relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const { findAffectedTests } = require('./affected.cjs');
const { readCosts } = require('./reporter.cjs');

const ROOT = join(__dirname, '..', '..', '..');
/** A test file that needs less processor time is quick. */
const QUICK_MS = 500;
/** One file that goes through the whole of the product: what breaks much is seen there first. */
const BROADEST = join('test', 'stated-facts.test.ts');

/**
 * The order of the test files, so that a failure is seen early: first those that failed the last time, then the broadest
 * one, then those near the change (the work tree, or else the last commit), then the quick ones, then the others with the
 * dearest first, so that all workers end together.
 *
 * A new clone knows no costs: there the order within a group is that of the sizes of the files, the smallest first.
 */
module.exports = class FailureFirst extends Sequencer {
  sort(tests) {
    const costs = readCosts();
    const affected = findAffectedTests();
    const places = new Map(
      tests.map((test) => {
        const file = relative(ROOT, test.path);
        const cost = costs[file];
        const distance = affected.get(file);
        if (this.hasFailed(test)) return [test, [0, 0]];
        if (file === BROADEST) return [test, [1, -1]];
        if (distance !== undefined) return [test, [1, distance]];
        if (cost === undefined) return [test, [2, this.fileSize(test)]];
        return [test, cost < QUICK_MS ? [2, cost] : [3, -cost]];
      }),
    );
    return [...tests].sort((left, right) => {
      const [one, other] = [places.get(left), places.get(right)];
      return one[0] - other[0] || one[1] - other[1];
    });
  }

  fileSize(test) {
    return test.context.hasteFS.getSize(test.path) ?? 0;
  }
};

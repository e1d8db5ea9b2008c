import { findNodeTests, FEW_NODE_TESTS } from './node-tests';

// Prints the test files that run on other versions of Node, a path in each line: see scripts/test-on-node.sh.
const tests = process.argv.includes('--few') ? FEW_NODE_TESTS : findNodeTests();
process.stdout.write(`${tests.join('\n')}\n`);

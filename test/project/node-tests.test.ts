import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FEW_NODE_TESTS, findNodeTests } from './node-tests';
import { ROOT } from './source-files';

const tests = findNodeTests();

test('sockets, streams, compression, workers, watched files, vm, Intl and processes each have a test on other versions of Node', () => {
  expect(tests).toEqual(
    expect.arrayContaining([
      ...FEW_NODE_TESTS,
      'test/http/aborted-uploads.test.ts',
      'test/schema/pattern/compile-pattern.test.ts',
      'test/runner/lock-step/other-apis.test.ts',
      'test/recorder/way-through.test.ts',
    ]),
  );
});

test('logic that no version of Node changes, slow tests and tests of other programs run on one version', () => {
  const others = [
    'test/core/json/json-patch.test.ts',
    'test/checks/returned-value.test.ts',
    'test/formats/overlay.test.ts',
    'test/project/layers.test.ts',
    'test/browser/window-coverage.test.ts',
  ];
  expect(others.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(tests.filter((path) => others.includes(path) || path.includes('.slow.'))).toEqual([]);
  expect(tests.length).toBeLessThan(60);
});

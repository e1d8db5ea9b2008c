import express from 'express';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import { list, object, smallApi, text } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();

test('a page that a link leads to, and that leads on to nothing, fails nothing where the step allows it', async () => {
  const description = folder.write(
    'api.json',
    smallApi({ 'GET /things': { answers: { 200: list(object({ id: text })) } } }),
  );
  const contract = folder.write(
    'pages.yaml',
    [
      'standin: contract/1',
      'name: Pages',
      'steps:',
      '  - { name: first, operation: GET /things, expect: { status: 200 }, capture: { next: { from: $response.header.Link, pattern: "/things([^>]*)>" } } }',
      '  - { name: second, method: GET, path: "/things${next}", mayBeRefused: true, expect: { status: 200 }, capture: { more: { from: $response.header.Link, pattern: "/things([^>]*)>" } } }',
    ].join('\n'),
  );
  const app = express();
  app.get('/things', ({ query }, response) => {
    if (query['page'] === undefined) response.set('Link', '</things?page=2>; rel="next"');
    response.json([{ id: query['page'] === undefined ? '1' : '2' }]);
  });
  const result = await runContract({ app, description, contracts: contract, probesAuth: false });
  expect(allSteps(result).map(({ name, verdict }) => [name, verdict.kind])).toEqual([
    ['first', 'pass'],
    ['second', 'skipped'],
  ]);
});

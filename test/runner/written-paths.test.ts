import express from 'express';
import { runContract } from '../../src/library/run-contract';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();

test('a captured value with spaces and letters of any language can stand in a path; a link stays as it is', async () => {
  const asked: string[] = [];
  const app = express();
  app.use((request, response) => {
    asked.push(request.url);
    response.json({ name: 'Zoë Holm', next: '?after=a%20b&limit=2' });
  });
  const contracts = folder.write(
    'paths.yaml',
    `standin: contract/1
name: Paths
steps:
  - method: GET
    path: /first
    expect: { status: 200 }
    capture: { name: $response.body#/name, next: $response.body#/next }
  - { method: GET, path: '/people/\${name}', expect: { status: 200 } }
  - { method: GET, path: '/things\${next}', expect: { status: 200 } }
`,
  );
  const { outcome } = await runContract({ app, contracts, probesAuth: false });
  expect(outcome).not.toBe('inconclusive');
  expect(asked).toEqual(['/first', '/people/Zo%C3%AB%20Holm', '/things?after=a%20b&limit=2']);
});

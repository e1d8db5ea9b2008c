import { createMockServer } from '../../../src/library/create-mock-server';
import { runContract } from '../../../src/library/run-contract';
import { temporaryFolder } from '../../support/temporary-folder';

const folder = temporaryFolder();

test('a mock that takes any key rejects what is none behind the word of a scheme', async () => {
  const thing = { type: 'object', properties: { title: { type: 'string' } } };
  const list = { description: 'all', content: { 'application/json': { schema: { type: 'array', items: thing } } } };
  const description = folder.write(
    'word.json',
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Things', version: '1' },
      security: [{ token: [] }],
      paths: { '/things': { get: { responses: { 200: list, 401: { description: 'no key' } } } } },
      components: {
        securitySchemes: {
          token: { type: 'apiKey', in: 'header', name: 'authorization', description: 'Bearer Token authentication' },
        },
      },
    }),
  );
  const app = await createMockServer({ description });
  const { outcome, probes } = await runContract({ app, description, seed: 1, generate: ['lists'] });
  expect(probes.length).toBeGreaterThan(3);
  expect(outcome).toBe('conforms');
});

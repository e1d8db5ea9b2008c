import { explanationOf } from '../../src/cli/explanation';
import { explanationText } from '../../src/cli/explain-text';
import { explainRequest } from '../../src/cli/explain-request';
import { requestText } from '../../src/cli/explain-request-text';
import { createServerParts, type ServerParts } from '../../src/adapters/create-mock-server';
import { HarnessError } from '../../src/errors/harness-error';

let parts: ServerParts;
beforeAll(async () => {
  parts = await createServerParts({ auth: 'off' });
});

test('the summary counts how the operations are answered', () => {
  expect(explanationOf(parts).summary).toStrictEqual({
    operations: 18,
    stateful: 18,
    examples: 0,
    madeUp: 0,
    withoutBody: 0,
    resources: 4,
  });
});

test('each resource says what speaks for it, with file and line', () => {
  const pets = explanationOf(parts).resources.find(({ path }) => path === '/pets')!;
  expect(pets).toMatchObject({
    key: 'id',
    schema: 'Pet',
    confidence: 'high',
    references: ['categoryId → /categories'],
  });
  for (const { place } of pets.reasons) expect(place).toMatch(/petstore\.yaml:\d+$/);
});

test('the report fits in 80 columns, but for paths', () => {
  const lines = explanationText(explanationOf(parts))
    .replace(/\u001b\[\d+m/g, '')
    .split('\n');
  expect(lines.filter((line) => line.length > 80 && line.includes(' ', 12))).toStrictEqual([]);
});

test('a request is explained by its operation, its behaviour and its answer', async () => {
  const explained = await explainRequest(parts, 'GET', '/pets/1', undefined);
  expect(explained).toMatchObject({
    operation: 'getPet',
    behaviour: 'read of /pets',
    collection: '/pets',
    key: '1',
    status: 200,
  });
  expect(JSON.parse(explained.body)).toMatchObject({ id: 1, name: 'Biscuit' });
  expect(requestText(explained)).toContain('petId = 1 (path)');
});

test('a request that is refused says why', async () => {
  const explained = await explainRequest(parts, 'GET', '/pets/999', undefined);
  expect(explained.status).toBe(404);
  expect(explained.refused).not.toBe('the body tells why');
});

test('a parameter that is not declared is said to have no effect', async () => {
  const { parameters } = await explainRequest(parts, 'GET', '/pets?limit=2&colour=red', undefined);
  expect(parameters).toStrictEqual(['limit = 2 (query)', 'colour = red (query, not declared: it has no effect)']);
});

test.each([
  { method: 'GET', path: '/pest/1', hint: 'Did you mean /pets/{petId}?' },
  { method: 'PATCH', path: '/pets/1', hint: 'There are GET, PUT, DELETE, HEAD, OPTIONS.' },
])('$method $path matches nothing', async ({ method, path, hint }) => {
  const error: unknown = await explainRequest(parts, method, path, undefined).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HarnessError);
  expect((error as HarnessError).hint).toBe(hint);
});

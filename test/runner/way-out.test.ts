import { pathTraversal } from '../../src/runner/exchange/request-guard';
import { cannedTransport, replayText, stepNamed } from './peer';

test.each([
  '/pets/..',
  '/pets/.',
  '/pets/..%2Fadmin%2Fusers%2F7',
  '/pets/7%2F..%2F..%2Fadmin',
  '/pets/%2e%2e',
  '/pets/..%5Cadmin',
  '/pets/%252e%252e%252fadmin',
  '/pets/..;a=b/admin',
])('%s leads out', (path) => {
  expect(pathTraversal(path)).toBeDefined();
});

test.each([
  '/pets/a..b',
  '/pets/...',
  '/pets/.hidden',
  '/pets/a%2Fb',
  '/pets/v1.2',
  '/pets/100%',
  '/files/a%2F.b%2Fc',
  '/',
])('%s does not', (path) => {
  expect(pathTraversal(path)).toBeUndefined();
});

const contract = (...use: string[]): string =>
  [
    'standin: contract/1',
    'name: Ids',
    'steps:',
    '  - { name: make, operation: getCategory, parameters: { categoryId: 1 }, expect: { status: 200 }, capture: { id: $response.body#/id } }',
    ...use,
  ].join('\n');
const answer = { status: 200, body: '{"id":"../admin/users/7","name":"x"}' };

test.each([
  ['a parameter', '  - { name: use, operation: deletePet, parameters: { petId: "${id}" }, expect: { status: 204 } }'],
  ['a path', '  - { name: use, method: GET, path: "/pets/${id}", expect: { status: 200 } }'],
])('an id of an answer that leads out is not sent as %s, and named', async (_, step) => {
  const transport = cannedTransport(answer);
  const result = await replayText(contract(step), transport);
  expect(transport.sent.map(({ target }) => target)).toStrictEqual(['/categories/1']);
  expect(stepNamed(result, 'use').verdict).toMatchObject({
    kind: 'fail',
    findings: [{ check: 'id-in-path', actual: expect.stringContaining('..') as string }],
  });
  expect(result.outcome).not.toBe('conforms');
});

test('what a contract writes itself is sent', async () => {
  const transport = cannedTransport({ status: 404, body: '{"code":"route_not_found","message":"x","status":404}' });
  await replayText(
    contract('  - { name: use, method: GET, path: "/pets/..%2Fadmin", expect: { status: 404 } }'),
    transport,
  );
  expect(transport.sent.map(({ target }) => target)).toContain('/pets/..%2Fadmin');
});

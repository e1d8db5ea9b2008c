import { allSteps } from '../../../src/runner/result/outcome';
import { cannedTransport, replayText } from '../peer';

const answer = {
  status: 201,
  headers: ['Content-Type', 'application/json', 'Location', '/categories/7'],
  body: Buffer.from('{"id":7,"name":"A"}'),
};

const CONTRACT = `standin: contract/1
name: recipes
steps:
  - name: add
    operation: createCategory
    body: { name: 'A \${runId}' }
    expect: { status: 201 }
    capture:
      placeId: { from: $response.header.Location, pattern: '([0-9]+)$' }
      bodyId: $response.body#/id
  - name: read
    operation: getCategory
    parameters: { categoryId: '\${placeId}' }
    expect: { status: 201, body: { id: '\${bodyId}' } }
    capture: { pathId: $request.path.categoryId }
`;

test('a recipe has what differs between runs as variables, and how each value is taken out of an exchange', async () => {
  const result = await replayText(CONTRACT, cannedTransport(answer));
  const [add, read] = allSteps(result).map(({ recipe }) => recipe);
  expect(add).toMatchObject({ uses: ['runId'], request: { body: '{"name":"A ${runId}"}' } });
  expect(add?.captures).toEqual([
    { name: 'placeId', text: '$response.header.Location', pattern: '([0-9]+)$' },
    { name: 'bodyId', text: '$response.body#/id' },
  ]);
  expect(read).toMatchObject({ uses: ['placeId'], expects: ['bodyId'] });
  expect(read?.request.url).toMatch(/\/categories\/\$\{placeId\}$/);
  expect(read?.captures).toEqual([{ name: 'pathId', text: '$request.path.categoryId', value: '${placeId}' }]);
});

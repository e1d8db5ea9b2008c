import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text } from '../../support/small-api';

const Plan = object({ name: text, size: text }, ['name']);

// The example shows a key that the variable of the path does not allow.
function described(variable: object, key: string): string {
  const calls = {
    'GET /groups/{group}/plans': { answers: { 200: list(ref('Plan')) } },
    'GET /groups/{group}/plans/{name}': { answers: { 200: ref('Plan'), 400: null, 404: null } },
    'PATCH /groups/{group}/plans/{name}': { body: object({ size: text }), answers: { 200: ref('Plan'), 404: null } },
    'DELETE /groups/{group}/plans/{name}': { answers: { 204: null, 404: null } },
  };
  const api = JSON.parse(smallApi(calls, { Plan }, { name: variable, group: { type: 'string', example: 'my group' } }));
  api.paths['/groups/{group}/plans'].get.responses['200'].content['application/json'].example = [
    { name: key, size: 's' },
  ];
  return JSON.stringify(api);
}

test.each([
  [{ type: 'string', enum: ['firstPlan', 'secondPlan'] }, 'FirstPlan'],
  [{ type: 'string', pattern: '^[a-z]+$' }, '1.0'],
  [{ type: 'string', format: 'uuid' }, 'default'],
  [{ type: 'integer' }, 'default'],
])(
  'what a list shows is at its address, also where the schema of the path rejects its key: %j',
  async (variable, key) => {
    const server = supertest(await serveText(described(variable, key), { state: 'seeded' }));
    await server.get('/groups/my%20group/plans').expect(200, [{ name: key, size: 's' }]);
    const shown = await server.get(`/groups/my%20group/plans/${key}`).expect(200, { name: key, size: 's' });
    expect(shown.headers['x-standin-problem']).toMatch(/stored_key: .*"name" breaks its schema/);
    await server.get(`/groups/my%20group/plans/${key}x.`).expect(400);
    await server.get(`/groups/my%20group/plans/${key}`).set('Prefer', 'handling=strict').expect(400);
    await server.patch(`/groups/my%20group/plans/${key}`).send({ size: 'm' }).expect(200, { name: key, size: 'm' });
    await server.delete(`/groups/my%20group/plans/${key}`).expect(204);
    await server.get('/groups/my%20group/plans').expect(200, []);
    await server.get(`/groups/my%20group/plans/${key}`).expect(404);
  },
);

import { createMockServer } from '../../src/library/create-mock-server';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import { list, object, smallApi, text } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();

test('what is read below a thing is read behind what that thing needs of a list', async () => {
  const image = object({ id: text }, ['id']);
  const box = object({ id: { ...text, readOnly: true }, image: text }, ['image']);
  const description = folder.write(
    'boxes.json',
    smallApi({
      'GET /images': { answers: { 200: list(image) } },
      'GET /images/{id}': { answers: { 200: image, 404: null } },
      'GET /boxes/json': { answers: { 200: list(box) } },
      'POST /boxes/create': { body: box, answers: { 201: box } },
      'GET /boxes/{id}/json': { answers: { 200: box, 404: null } },
      'DELETE /boxes/{id}': { answers: { 204: null, 404: null } },
      'GET /boxes/{id}/load': { answers: { 200: object({ load: text }), 404: null } },
    }),
  );
  const app = await createMockServer({ description, auth: 'any' });
  const result = await runContract({ app, description, seed: 1, mode: 'full', generate: true });
  expect(allSteps(result).filter(({ verdict }) => verdict.kind === 'fail')).toEqual([]);
  expect(allSteps(result).map(({ name }) => name)).toContain('read /boxes/{id}/load');
});

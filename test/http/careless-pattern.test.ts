import request from 'supertest';
import { createMockServer } from '../../src/express';
import { cpuClock } from '../support/cpu-clock';
import { temporaryFolder } from '../support/temporary-folder';

const DESCRIPTION = `
openapi: 3.0.3
info: { title: Words, version: '1' }
paths:
  /words:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                linear: { type: string, pattern: '^(a+)+$' }
                timed: { type: string, pattern: '^(a+)+\\1$' }
      responses:
        '204': { description: taken }
`;

test.each([
  ['linear', 'must match the pattern'],
  ['timed', 'would take too long'],
])('a body that keeps a pattern busy is refused soon: %s', async (member, message) => {
  const file = temporaryFolder().write('openapi.yaml', DESCRIPTION);
  const app = await createMockServer({ description: file });
  await request(app)
    .post('/words')
    .send({ [member]: 'aaaa' })
    .expect(204);
  const spentMs = cpuClock();
  const answer = await request(app)
    .post('/words')
    .send({ [member]: `${'a'.repeat(50_000)}!` })
    .expect(400);
  expect(spentMs()).toBeLessThan(1000);
  expect(answer.text).toContain(message);
  expect(answer.text).toContain(member);
});

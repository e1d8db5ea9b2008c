import request from 'supertest';
import { createMockServer } from '../../src/express';
import { countCalls } from '../support/count-calls';
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

test('a body is matched with a slow pattern in work that grows with its length', async () => {
  const file = temporaryFolder().write('openapi.yaml', DESCRIPTION);
  const app = await createMockServer({ description: file });
  const match = (length: number): Promise<number> =>
    countCalls(async () => {
      const linear = `${'a'.repeat(length)}!`;
      const { text } = await request(app).post('/words').send({ linear }).expect(400);
      expect(text).toContain('linear');
      expect(text).toContain('must match the pattern');
    });
  await request(app).post('/words').send({ linear: 'aaaa' }).expect(204);
  await match(100);
  expect(await match(4000)).toBeLessThan(2.2 * (await match(2000)));
});

test('a body is refused where a pattern would take too long', async () => {
  const file = temporaryFolder().write('openapi.yaml', DESCRIPTION);
  const app = await createMockServer({ description: file });
  await request(app).post('/words').send({ timed: 'aaaa' }).expect(204);
  const timed = `${'a'.repeat(50_000)}!`;
  const { text } = await request(app).post('/words').send({ timed }).expect(400);
  expect(text).toContain('timed');
  expect(text).toContain('would take too long');
});

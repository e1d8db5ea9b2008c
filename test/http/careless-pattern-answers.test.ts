import request from 'supertest';
import { cpuClock } from '../support/cpu-clock';
import { serveText } from '../support/serve-text';

const LONG = `${'a'.repeat(50_000)}!`;
/** Patterns that take for ever on {@link LONG}: one that can be judged in linear time, one that cannot. */
const PATTERNS = ['^(a+)+$', '^(a+)+\\1$'];

const document = (pattern: string): string => `openapi: 3.0.3
info: { title: Words, version: '1' }
paths:
  /shown:
    get:
      responses:
        '200':
          description: shown
          headers:
            X-Word: { required: true, schema: { type: string, pattern: '${pattern}' }, example: ${LONG.slice(-10_000)} }
            X-Made: { required: true, schema: { type: string, pattern: '${pattern}', minLength: 60 } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Word' }, example: { word: ${LONG} } } }
  /made:
    get:
      responses:
        '200': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Word' } } } }
components:
  schemas:
    Word: { type: object, required: [word], properties: { word: { type: string, minLength: 60, pattern: '${pattern}' } } }
`;

test.each(PATTERNS)('a pattern that keeps busy is no trouble in what is answered: %s', async (pattern) => {
  const spentMs = cpuClock();
  const app = await serveText(document(pattern));
  for (const path of ['/shown', '/made']) {
    const { status, headers } = await request(app).get(path);
    expect([200, 501]).toContain(status);
    expect(headers['content-type']).toMatch(/json/);
  }
  expect(spentMs()).toBeLessThan(10_000);
});

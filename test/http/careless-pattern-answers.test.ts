import request from 'supertest';
import { countCalls } from '../support/count-calls';
import { serveText } from '../support/serve-text';

/** The engine of Node takes for ever with both on such an example: one can be matched in linear time, one cannot. */
const PATTERNS = { linear: '^(a+)+$', timed: '^(a+)+\\1$' };

const document = (pattern: string, example: string): string => `openapi: 3.0.3
info: { title: Words, version: '1' }
paths:
  /shown:
    get:
      responses:
        '200':
          description: shown
          headers:
            X-Word: { required: true, schema: { type: string, pattern: '${pattern}' }, example: ${example} }
            X-Made: { required: true, schema: { type: string, pattern: '${pattern}', minLength: 60 } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Word' }, example: { word: ${example} } } }
  /made:
    get:
      responses:
        '200': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Word' } } } }
components:
  schemas:
    Word: { type: object, required: [word], properties: { word: { type: string, minLength: 60, pattern: '${pattern}' } } }
`;

async function answer(pattern: string, length: number): Promise<void> {
  const app = await serveText(document(pattern, `${'a'.repeat(length)}!`));
  for (const path of ['/shown', '/made']) {
    const { status, headers } = await request(app).get(path);
    expect([200, 501]).toContain(status);
    expect(headers['content-type']).toMatch(/json/);
  }
}

test('examples are matched with a slow pattern in work that grows with their length', async () => {
  await answer(PATTERNS.linear, 100);
  const work = (length: number): Promise<number> => countCalls(() => answer(PATTERNS.linear, length));
  expect(await work(8000)).toBeLessThan(2.2 * (await work(4000)));
});

test('a pattern that would take too long does not keep an operation from responding', async () => {
  await answer(PATTERNS.timed, 10_000);
});

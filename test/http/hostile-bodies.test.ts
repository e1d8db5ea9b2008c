import request from 'supertest';
import { createMockServer, type MockServer } from '../../src/express';
import { cpuClock } from '../support/cpu-clock';
import { temporaryFolder } from '../support/temporary-folder';

const DESCRIPTION = `
openapi: 3.0.3
info: { title: Orders, version: '1' }
paths:
  /orders:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [lines]
              properties:
                lines: { type: array, items: { $ref: '#/components/schemas/Line' } }
      responses:
        '204': { description: taken }
        '400':
          description: refused
          content:
            application/json:
              schema:
                type: object
                required: [code, message]
                properties: { code: { type: string }, message: { type: string } }
components:
  schemas:
    Line:
      type: object
      required: [sku, count]
      properties: { sku: { type: string }, count: { type: integer } }
`;

async function server(): Promise<MockServer> {
  return createMockServer({ description: temporaryFolder().write('openapi.yaml', DESCRIPTION) });
}

const list = (item: string, bytes = 1_000_000): string =>
  Array(Math.floor(bytes / (item.length + 1)))
    .fill(item)
    .join();

test.each([
  ['0', 'The field /lines/0 must be an object (and at least 99 more faults)'],
  ['{}', 'The field /lines/0/sku is missing'],
])('a megabyte of nothing but faults is refused soon: %s', async (item, message) => {
  const app = await server();
  const spentMs = cpuClock();
  const { body } = await request(app)
    .post('/orders')
    .type('json')
    .send(`{"lines":[${list(item)}]}`)
    .expect(400);
  expect(spentMs()).toBeLessThan(5000);
  expect(body).toMatchObject({ message: expect.stringContaining(message) as string });
});

test('a body with a few faults is told the first one and nothing else', async () => {
  const { body } = await request(await server())
    .post('/orders')
    .send({ lines: [{ sku: 'a', count: 1 }, 0, 0] })
    .expect(400);
  expect(body).toMatchObject({ message: 'The field /lines/1 must be an object' });
});

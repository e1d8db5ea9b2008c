import request from 'supertest';
import { orderedProperties } from '../../../src/mock/seed/generated-items';
import { serveText } from '../../support/serve-text';

const DOCUMENT = `openapi: 3.1.0
info: { title: Desk, version: 1.0.0 }
paths:
  /tasks:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Task' } } } } } } }
  /tasks/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Task' } } } } }
components:
  schemas:
    Task:
      type: object
      required: [id, created_at, updated_at, startsOn, endsOn, minHours, maxHours, from, to]
      properties:
        id: { type: integer }
        updated_at: { type: string, format: date-time }
        created_at: { type: string, format: date-time }
        startsOn: { type: string, format: date }
        endsOn: { type: string, format: date }
        maxHours: { type: integer, minimum: 1, maximum: 40 }
        minHours: { type: integer, minimum: 1, maximum: 40 }
        from: { type: string }
        to: { type: string }
`;

interface Task {
  readonly created_at: string;
  readonly updated_at: string;
  readonly startsOn: string;
  readonly endsOn: string;
  readonly minHours: number;
  readonly maxHours: number;
}

test.each(['0', '1', '2', '3', '4'])(
  'rows that are made up keep the order that names promise, with seed %s',
  async (seed) => {
    const app = await serveText(DOCUMENT, { state: 'seeded', seed });
    const tasks = (await request(app).get('/tasks').expect(200)).body as Task[];
    expect(tasks.length).toBeGreaterThan(1);
    for (const task of tasks) {
      expect(Date.parse(task.created_at)).toBeLessThanOrEqual(Date.parse(task.updated_at));
      expect(Date.parse(task.startsOn)).toBeLessThanOrEqual(Date.parse(task.endsOn));
      expect(task.minHours).toBeLessThanOrEqual(task.maxHours);
    }
  },
);

test('pairs are found whatever way names are written', () => {
  expect(
    orderedProperties(['updatedAt', 'createdAt', 'validFrom', 'valid_until', 'minimum-price', 'MaximumPrice', 'age']),
  ).toEqual([
    ['createdAt', 'updatedAt'],
    ['validFrom', 'valid_until'],
    ['minimum-price', 'MaximumPrice'],
  ]);
});

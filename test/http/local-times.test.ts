import request from 'supertest';
import { createMockServer } from '../../src/express';
import { temporaryFolder } from '../support/temporary-folder';

const description = temporaryFolder().write(
  'openapi.yaml',
  `openapi: 3.0.3
info: { title: Shifts, version: '1' }
paths:
  /shifts:
    get:
      parameters: [{ name: start, in: query, schema: { type: string, format: time } }]
      responses: { '200': { description: all, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Shift' } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Shift' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Shift' } } } } }
components:
  schemas:
    Shift:
      type: object
      required: [start]
      properties:
        id: { type: integer, readOnly: true }
        start: { type: string, format: time }
        note: { type: string }
        breaks: { type: array, items: { type: string, format: time } }
`,
);

test('a time without an offset is taken as UTC, with a warning', async () => {
  const app = await createMockServer({ description });
  const made = await request(app)
    .post('/shifts')
    .send({ start: '09:00:00', breaks: ['10:30', '12:00:00.5', '14:00:00+02:00'], note: null })
    .expect(201);
  expect(made.body).toMatchObject({
    start: '09:00:00Z',
    breaks: ['10:30:00Z', '12:00:00.5Z', '14:00:00+02:00'],
  });
  expect(made.headers['x-standin-problem']).toContain('local_time');
  const listed = await request(app).get('/shifts?start=09:00:00').expect(200);
  expect(listed.body).toMatchObject([{ start: '09:00:00Z' }]);
  expect(listed.headers['x-standin-problem']).toContain('local_time');
});

test.each(['25:00:00', '9:00', '09:60:00', 'noon'])('%s is no time in any reading', async (start) => {
  await request(await createMockServer({ description }))
    .post('/shifts')
    .send({ start })
    .expect(400);
});

test('nor is one without an offset with strict', async () => {
  const app = await createMockServer({ description, strict: true });
  await request(app).post('/shifts').send({ start: '09:00:00' }).expect(400);
  await request(app).get('/shifts?start=09:00:00').expect(400);
  await request(app).post('/shifts').send({ start: '09:00:00Z' }).expect(201);
});

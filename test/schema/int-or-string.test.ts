import request from 'supertest';
import { serveText } from '../support/serve-text';

test.each(['3.0.3', '3.1.0'])(
  'int-or-string is a whole number or a text, whatever the type beside it (%s)',
  async (version) => {
    const app = await serveText(`openapi: ${version}
info: { title: Desk, version: 1.0.0 }
paths:
  /ports:
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { port: { type: string, format: int-or-string } } } } } }
      responses: { '204': { description: ok } }
`);
    await request(app).post('/ports').send({ port: 80 }).expect(204);
    await request(app).post('/ports').send({ port: 'http' }).expect(204);
    await request(app).post('/ports').send({ port: 1.5 }).expect(400);
  },
);

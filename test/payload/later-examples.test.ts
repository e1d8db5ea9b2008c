import request from 'supertest';
import { partsOfText, serveText } from '../support/serve-text';

const document = (examples: string, version = '3.2.0'): string => `openapi: ${version}
info: { title: Tea, version: '1' }
paths:
  /now:
    get:
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { type: object, required: [cups], properties: { cups: { type: integer } } }
              examples: ${examples}
  /text:
    get:
      responses:
        '200':
          description: ok
          content:
            application/xml:
              schema: { type: object, properties: { cups: { type: integer } } }
              examples: { one: { dataValue: { cups: 3 }, serializedValue: '<tea><cups>3</cups></tea>' } }
`;

test('the value of dataValue is an example body', async () => {
  const app = await serveText(document('{ one: { dataValue: { cups: 41 } }, two: { dataValue: { cups: 42 } } }'));
  await request(app).get('/now').expect(200, { cups: 41 });
  await request(app).get('/now').set('Prefer', 'example=two').expect(200, { cups: 42 });
});

test('the text of serializedValue is sent as it is', async () => {
  const app = await serveText(document(`{ one: { serializedValue: '{ "cups" : 4.0e1 }' } }`));
  const { text, type } = await request(app).get('/now').expect(200);
  expect({ text, type }).toStrictEqual({ text: '{ "cups" : 4.0e1 }', type: 'application/json' });
  const xml = await request(app).get('/text').expect(200);
  expect(xml.text).toBe('<tea><cups>3</cups></tea>');
});

test('an example that is not valid is told and not sent', async () => {
  const text = document(`{ bad: { serializedValue: '{"cups":' }, good: { dataValue: { cups: 7 } } }`);
  const { warnings } = await partsOfText(text);
  expect(warnings.map(({ rule, pointer }) => `${rule} ${pointer.split('/').slice(-2).join('/')}`)).toContain(
    'example-valid bad/serializedValue',
  );
  await request(await serveText(text))
    .get('/now')
    .expect(200, { cups: 7 });
});

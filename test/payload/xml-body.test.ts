import { XMLParser } from 'fast-xml-parser';
import request from 'supertest';
import { writeXml } from '../../src/payload/xml-body';
import { mockOf, modelOf, getting } from '../prism/weather';

const BOOK = {
  type: 'object',
  xml: { name: 'book', namespace: 'urn:books' },
  required: ['id', 'title', 'authors', 'tags'],
  properties: {
    id: { type: 'integer', xml: { attribute: true } },
    title: { type: 'string', enum: ['Salt & <Smoke>'] },
    authors: { type: 'array', xml: { wrapped: true }, items: { type: 'string', xml: { name: 'author' } } },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

const VALUE = { id: 7, title: 'Salt & <Smoke>', authors: ['A', 'B'], tags: ['x', 'y'] };

test('elements, attributes, lists and namespaces are as the XML Objects say', () => {
  const api = modelOf({ '/books': getting('books', { $ref: '#/components/schemas/Book' }) }, { Book: BOOK });
  const text = writeXml(api, api.schemaAt('/components/schemas/Book'), VALUE);
  expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<book xmlns="urn:books" id="7">
  <title>Salt &amp; &lt;Smoke&gt;</title>
  <authors>
    <author>A</author>
    <author>B</author>
  </authors>
  <tags>x</tags>
  <tags>y</tags>
</book>
`);
});

test('a name that no element may have becomes one', () => {
  const schema = { type: 'object', properties: { '2 words': { type: 'string' } } };
  const api = modelOf({ '/odd': getting('odd', { $ref: '#/components/schemas/Odd' }) }, { Odd: schema });
  expect(writeXml(api, api.schemaAt('/components/schemas/Odd'), { '2 words': 'x' })).toContain(
    '<_2_words>x</_2_words>',
  );
});

test('an answer that is documented as XML alone, and has no example, is XML', async () => {
  const paths = {
    '/books': {
      get: {
        operationId: 'book',
        responses: { '200': { description: 'A book', content: { 'text/xml': { schema: BOOK } } } },
      },
    },
  };
  const response = await request(mockOf(modelOf(paths, {})))
    .get('/books')
    .expect(200)
    .expect('Content-Type', /^text\/xml/);
  expect(new XMLParser().parse(response.text)).toMatchObject({ book: { title: 'Salt & <Smoke>' } });
});

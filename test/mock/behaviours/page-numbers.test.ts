import { smallMock, type SmallMock } from './small-mock';

const integer = '{ type: integer }';

async function withFour(next: string, required = 'next'): Promise<SmallMock> {
  const mock = smallMock(
    `
paths:
  /jobs:
    get:
      parameters:
        - { name: page, in: query, schema: ${integer} }
        - { name: limit, in: query, schema: ${integer} }
      responses: { '200': { description: all, content: { application/json: { schema: { $ref: '#/components/schemas/Jobs' } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } } } }
components:
  schemas:
    Job: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
    Jobs:
      type: object
      properties:
        data: { type: array, items: { $ref: '#/components/schemas/Job' } }
        pagination:
          type: object
          required: [${required}]
          properties: { page: ${integer}, next: ${next}, previous: { type: [integer, "null"], example: 7 } }
`,
    { version: '3.1.0' },
  );
  for (const name of ['a', 'b', 'c', 'd']) await mock.send('POST', '/jobs', { name });
  return mock;
}

describe('the numbers of the pages around the one that is answered', () => {
  test.each([
    { how: 'is nullable', schema: '{ type: [integer, "null"], example: 2 }' },
    { how: 'is a choice with null', schema: '{ anyOf: [{ type: integer }, { type: "null" }], example: 2 }' },
  ])('are told, and are null after the last page where the member $how', async ({ schema }) => {
    const { send } = await withFour(schema);
    const first = await send('GET', '/jobs?limit=3');
    expect(first.body).toMatchObject({ pagination: { page: 1, next: 2, previous: null } });
    const last = await send('GET', '/jobs?limit=3&page=2');
    expect(last.body).toMatchObject({ pagination: { page: 2, next: null, previous: 1 } });
  });

  test('are left out after the last page where they need not be there', async () => {
    const { send } = await withFour('{ type: integer, example: 2 }', 'page');
    expect((await send('GET', '/jobs?limit=3')).body).toMatchObject({ pagination: { next: 2 } });
    expect((await send('GET', '/jobs?limit=3&page=2')).body).not.toHaveProperty('pagination.next');
  });
});

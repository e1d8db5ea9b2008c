import { createPayloadSource } from '../../../src/payload/payload-source';
import { smallMock, type SmallMock } from './small-mock';

const integer = '{ type: integer }';
const ROWS = '[{ name: a }, { name: b }]';

/** A search that nothing is kept of. */
function searchOf(members: string, example: string, parameters = ''): SmallMock {
  return smallMock(
    `
paths:
  /things/search:
    post:
      parameters: [${parameters}]
      responses:
        '200':
          description: found
          content:
            application/json:
              schema: { type: object, required: [results], properties: { results: { type: array, items: { type: object, properties: { name: { type: string } } } }, ${members} } }
              ${example}
`,
    {
      payloads: (api) =>
        createPayloadSource({
          api,
          generator: () => {
            throw new Error('Nothing else makes bodies here');
          },
        }),
    },
  );
}

const inQuery = (name: string): string => `{ name: ${name}, in: query, schema: ${integer} }`;

describe('a list that no state stands behind is one page', () => {
  test('of an example: it has as many items as there are, and nothing follows', async () => {
    const { send } = searchOf(
      `total: ${integer}, page: ${integer}, pageSize: ${integer}, hasMore: { type: boolean }, next: { type: string, nullable: true }, cursor: { type: object, properties: { next_cursor: { type: string } } }, note: { type: string }`,
      `example: { results: ${ROWS}, total: 120, page: 3, pageSize: 1, hasMore: true, next: 'http://a.test/?page=4', cursor: { next_cursor: abc }, note: kept }`,
    );
    expect((await send('POST', '/things/search')).body).toEqual({
      results: [{ name: 'a' }, { name: 'b' }],
      total: 2,
      page: 1,
      pageSize: 2,
      hasMore: false,
      next: null,
      cursor: {},
      note: 'kept',
    });
  });

  test('of a made-up body: what is told is what the rows are', async () => {
    const { send } = searchOf(
      `total: { type: integer, minimum: 0, example: 900 }, next: { type: string, example: more }`,
      '',
    );
    const { body } = await send('POST', '/things/search');
    const { results, total } = body as unknown as { results: unknown[]; total: number };
    expect(total).toBe(results.length);
    expect(body).not.toHaveProperty('next', 'more');
  });

  test('the page and the size that were asked for are told', async () => {
    const { send } = searchOf(
      `page: ${integer}, limit: ${integer}`,
      `example: { results: ${ROWS}, page: 7, limit: 1 }`,
      `${inQuery('page')}, ${inQuery('limit')}`,
    );
    expect((await send('POST', '/things/search?page=2&limit=20')).body).toMatchObject({ page: 2, limit: 20 });
    expect((await send('POST', '/things/search?limit=1')).body).toMatchObject({ page: 1, limit: 2 });
  });

  test('an example that is asked for by its name is answered as it is', async () => {
    const { send } = searchOf(`total: ${integer}`, `examples: { many: { value: { results: ${ROWS}, total: 120 } } }`);
    const named = await send('POST', '/things/search', undefined, { prefer: 'example=many' });
    expect(named.body).toMatchObject({ total: 120 });
    expect((await send('POST', '/things/search')).body).toMatchObject({ total: 2 });
  });
});

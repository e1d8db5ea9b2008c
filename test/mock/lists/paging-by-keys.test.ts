import request from 'supertest';
import { getOrCreate } from '../../../src/core/text/memoize';
import { explanationOf } from '../../../src/explain/explain-api';
import { connections, startAppServer } from '../../support/app-server';
import { partsOfText, serveText } from '../../support/serve-text';

const inQuery = (name: string, type = 'string', description = ''): string =>
  `{ name: ${name}, in: query, ${description === '' ? '' : `description: "${description}", `}schema: { type: ${type} } }`;

interface Shape {
  readonly names?: readonly string[];
  readonly parameters?: string;
  readonly beside?: string;
  readonly headers?: string;
  readonly key?: string;
}

const documentOf = ({
  names = ['starting_after', 'ending_before'],
  parameters = names.map((name) => inQuery(name)).join(', '),
  beside = 'has_more: { type: boolean }',
  headers = '{}',
  key = 'string',
}: Shape = {}): string => `openapi: 3.0.3
info: { title: Customers, version: 1.0.0 }
paths:
  /customers:
    get:
      parameters: [${inQuery('limit', 'integer')}, ${inQuery('sort')}, ${inQuery('plan')}, ${parameters}]
      responses:
        '200':
          description: ok
          headers: ${headers}
          content: { application/json: { schema: { type: object, properties: { data: { type: array, items: { $ref: '#/components/schemas/Customer' } }, ${beside} } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Customer' } } } }
      responses: { '201': { description: made } }
  /customers/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: ${key} } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Customer' } } } } }
components:
  schemas:
    Customer: { type: object, required: [id], properties: { id: { type: ${key} }, name: { type: string }, plan: { type: string }, created: { type: integer } } }
`;

interface Page {
  readonly data: readonly { readonly id: string | number }[];
  readonly has_more?: boolean;
  readonly next?: string;
  readonly next_cursor?: string;
}

interface Listed {
  readonly list: (query: string) => Promise<{ ids: string; page: Page; link: string | undefined }>;
  readonly refusal: (query: string) => Promise<{ code: string; message: string }>;
}

const listed = new Map<string, Promise<Listed>>();

/** Five customers, whose names are in the other order than their keys; tests that only read share them. */
function five(shape: Shape = {}): Promise<Listed> {
  return getOrCreate(listed, JSON.stringify(shape), () => serveFive(shape));
}

async function serveFive(shape: Shape): Promise<Listed> {
  const server = await startAppServer(await serveText(documentOf(shape)));
  for (const [index, letter] of ['a', 'b', 'c', 'd', 'e'].entries())
    await request(server)
      .post('/customers')
      .agent(connections)
      .send({
        id: shape.key === 'integer' ? index + 1 : letter,
        name: `n${9 - index}`,
        plan: index < 3 ? 'x' : 'y',
        created: index,
      })
      .expect(201);
  return {
    async list(query) {
      const answer = await request(server).get(`/customers?${query}`).agent(connections).expect(200);
      const page = answer.body as Page;
      return { ids: page.data.map(({ id }) => id).join(''), page, link: answer.headers['link'] };
    },
    async refusal(query) {
      const { body } = (await request(server).get(`/customers?${query}`).agent(connections).expect(400)) as {
        body: { code: string; detail?: string; message?: string };
      };
      return { code: body.code, message: JSON.stringify(body) };
    },
  };
}

describe('where the answer tells no cursor, the parameter is the key of an item', () => {
  test.each([
    ['limit=2', 'ab', true],
    ['limit=2&starting_after=b', 'cd', true],
    ['limit=2&starting_after=d', 'e', false],
    ['limit=2&starting_after=e', '', false],
    ['limit=3&starting_after=b', 'cde', false],
    ['limit=2&ending_before=e', 'cd', true],
    ['limit=2&ending_before=c', 'ab', false],
    ['limit=2&ending_before=b', 'a', false],
    ['limit=2&ending_before=a', '', false],
    ['ending_before=d', 'abc', false],
    ['limit=2&sort=name&starting_after=d', 'cb', true],
    ['limit=2&sort=name&ending_before=a', 'cb', true],
    ['limit=2&sort=-name&ending_before=e', 'cd', true],
    ['limit=1&sort=plan,-name&starting_after=c', 'd', true],
    ['limit=2&sort=plan,-name&ending_before=d', 'bc', true],
    ['limit=1&plan=x&starting_after=a', 'b', true],
    ['limit=1&plan=x&ending_before=c', 'b', true],
    ['limit=1&plan=y&ending_before=e', 'd', false],
    ['limit=2&plan=y&starting_after=a', 'de', false],
  ])('%s gives %s, has_more %s', async (query, ids, hasMore) => {
    const { list } = await five();
    const { ids: got, page } = await list(query);
    expect([got, page.has_more]).toStrictEqual([ids, hasMore]);
  });

  test.each([
    ['after', 'before'],
    ['after_id', 'before_id'],
    ['startingAfter', 'endingBefore'],
  ])('%s begins behind it, and %s ends before it', async (behind, before) => {
    const { list } = await five({ names: [behind, before] });
    expect((await list(`limit=2&${behind}=c`)).ids).toBe('de');
    expect((await list(`limit=2&${before}=d`)).ids).toBe('bc');
  });

  test.each(['since_id', 'before_id'])('%s may stand alone', async (name) => {
    const { list } = await five({ names: [name] });
    expect((await list(`limit=2&${name}=d`)).ids).toBe(name === 'since_id' ? 'e' : 'bc');
  });

  test.each(['string', 'integer'])('a key that is a number is found by a parameter that is a %s', async (type) => {
    const { list } = await five({ key: 'integer', parameters: inQuery('since_id', type) });
    expect((await list('limit=2&since_id=2')).ids).toBe('34');
  });

  test('the key of no item is refused, and the refusal says what belongs there', async () => {
    const { refusal } = await five();
    const { message } = await refusal('starting_after=nobody');
    expect(message).toContain('invalid_cursor');
    expect(message).toMatch(/starting_after.* is the key of an item.*nobody.*last item of the page before/);
    expect((await refusal('ending_before=nobody')).message).toMatch(/ending_before.*first item of the page behind/);
    expect((await refusal('ending_before=a&starting_after=c')).message).toMatch(
      /starting_after.*ending_before.*one of them/,
    );
  });
});

describe('where the answer tells a cursor', () => {
  test.each<Shape>([
    { beside: 'next_cursor: { type: string }' },
    { beside: 'next: { type: string }' },
    {
      beside: 'next: { type: string }',
      parameters: inQuery('starting_after', 'string', 'An opaque token, the key of a page'),
    },
    { headers: '{ Link: { schema: { type: string } } }' },
  ])('the parameter is one, and no key: %j', async (shape) => {
    const { list, refusal } = await five(shape);
    const { page, link } = await list('limit=2');
    const told = page.next_cursor ?? /[?&]starting_after=([^&>]*)/.exec(page.next ?? link ?? '')?.[1] ?? '';
    expect(told).not.toBe('b');
    expect((await list(`limit=2&starting_after=${told}`)).ids).toBe('cd');
    expect((await refusal('starting_after=b')).message).toMatch(/not a cursor of this list/);
  });

  test.each<Shape & { readonly name: string }>([
    { name: 'starting_after', parameters: inQuery('starting_after', 'string', 'A cursor: the ID of an object') },
    { name: 'after_id', parameters: inQuery('after_id') },
  ])(
    'a parameter that says that it is a key is one, and links lead on by it: $name',
    async ({ name, parameters = '' }) => {
      const headers = '{ Link: { schema: { type: string } } }';
      const { list } = await five({ parameters, headers, beside: 'next_cursor: { type: string }' });
      const { page, link } = await list('limit=2');
      expect(page.next_cursor).toBe('b');
      expect(link).toContain(`${name}=b>; rel="next"`);
      expect((await list(`limit=2&${name}=b`)).ids).toBe('cd');
    },
  );
});

test('a number of items that have a time is a time', async () => {
  const { list } = await five({ key: 'integer', parameters: inQuery('before', 'integer') });
  expect((await list('before=2')).ids).toBe('12');
});

test('an explanation says that they are keys', async () => {
  const { operations } = await explanationOf(await partsOfText(documentOf()));
  const said = operations[0]!.parameters.map(({ name, role, effect }) => [name, role, effect]);
  expect(said).toContainEqual([
    'starting_after',
    'cursor',
    'the key of the last item of the page before: the page begins behind it',
  ]);
  expect(said).toContainEqual([
    'ending_before',
    'cursor',
    'the key of the first item of the page behind: the page ends before it',
  ]);
});

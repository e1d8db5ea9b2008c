import { isJsonObject, type JsonValue, ownProperty } from '../../../src/core/json/json-value';
import { type Answer, smallMock } from '../behaviours/small-mock';

const ROWS = '{ type: array, items: { $ref: "#/components/schemas/Kite" } }';

interface KiteList {
  readonly parameters: string;
  readonly description?: string;
  /** Properties beside the list; a bare list without any. */
  readonly beside?: string;
  readonly headers?: string;
  readonly examples?: string;
}

const kites = ({
  parameters,
  description = 'Lists kites',
  beside,
  headers = '{}',
  examples = '{}',
}: KiteList) => `paths:
  /kites:
    get:
      description: ${JSON.stringify(description)}
      parameters: [{ name: limit, in: query, schema: { type: integer } }, ${parameters}]
      responses:
        '200':
          description: all
          headers: ${headers}
          content:
            application/json:
              schema: ${beside === undefined ? ROWS : `{ type: object, properties: { kites: ${ROWS}, ${beside} } }`}
              examples: ${examples}
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Kite' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Kite' } } } } }
  /kites/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Kite' } } } } }
components: { schemas: { Kite: { type: object, properties: { id: { type: string, readOnly: true }, name: { type: string } } } } }
`;
const text = (name: string, description: string, schema = 'type: string'): string =>
  `{ name: "${name}", in: query, description: ${JSON.stringify(description)}, schema: { ${schema} } }`;

async function fiveKites(list: KiteList): Promise<ReturnType<typeof smallMock>['send']> {
  const { send } = smallMock(kites(list));
  for (const name of ['a', 'b', 'c', 'd', 'e']) await send('POST', '/kites', { name });
  return send;
}

function namesIn({ body }: Answer): string {
  const rows = Array.isArray(body) ? body : isJsonObject(body) ? ownProperty(body, 'kites') : [];
  return (rows as { name: string }[]).map(({ name }) => name).join('');
}

const along = (value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((held, name) => (isJsonObject(held) ? ownProperty(held, name) : undefined), value);

function textAt(body: JsonValue | undefined, path: readonly string[]): string {
  const value = along(body, path);
  return typeof value === 'string' ? value : '';
}

test.each([
  [
    'token',
    'pagination: { type: object, properties: { nextPageToken: { type: string } } }',
    ['pagination', 'nextPageToken'],
  ],
  [
    'token',
    'tokenPagination: { type: object, properties: { nextPageToken: { type: string } } }',
    ['tokenPagination', 'nextPageToken'],
  ],
  [
    'key',
    'pageControls: { type: object, properties: { nextCursorKey: { type: string, description: Cursor of the next page } } }',
    ['pageControls', 'nextCursorKey'],
  ],
])('the parameter %s takes the cursor of %s', async (name, beside, path) => {
  const send = await fiveKites({ parameters: text(name, 'Used to get the next set of results'), beside });
  const first = await send('GET', '/kites?limit=3');
  expect(namesIn(first)).toBe('abc');
  const second = await send('GET', `/kites?limit=3&${name}=${textAt(first.body, path)}`);
  expect([namesIn(second), along(second.body, path)]).toEqual(['de', undefined]);
});

test('a token that is no cursor does not take the place of the cursor parameter', async () => {
  const send = await fiveKites({
    parameters: `${text('token', 'Access token')}, ${text('page_token', '')}`,
    beside: 'next_page_token: { type: string }',
  });
  const first = await send('GET', '/kites?limit=3&token=secret');
  const next = textAt(first.body, ['next_page_token']);
  expect(namesIn(await send('GET', `/kites?limit=3&token=secret&page_token=${next}`))).toBe('de');
});

test('a list is not cut if neither a cursor nor a key fits the pattern of its cursor parameter', async () => {
  const pattern = 'type: string, pattern: "^[0-9]+##[^ ]+$"';
  const send = await fiveKites({
    parameters: text('next_token', '', pattern),
    beside: `next_token: { ${pattern} }`,
  });
  expect(namesIn(await send('GET', '/kites?limit=2'))).toBe('abcde');
});

const OPAQUE =
  'The cursor to use for pagination. It is an opaque string that says where you are in the list of objects';

test.each([
  ['the description of the cursor', `${OPAQUE}. Take it from the \`Link\` response header.`, 'Lists kites'],
  ['the description of the operation', 'An opaque cursor', 'Lists kites. See the Link header for the next page.'],
  ['the word pagination beside a bare list', 'A cursor', 'Lists kites, with pagination in most cases.'],
])('the Link header is given where %s speaks of it', async (_, cursor, description) => {
  const send = await fiveKites({ parameters: text('after', cursor), description });
  const seen: string[] = [];
  let target: string | undefined = '/kites?limit=2';
  while (target !== undefined) {
    const answer: Answer = await send('GET', target);
    seen.push(namesIn(answer));
    target = /<[^>]*(\/kites[^>]*)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1];
  }
  expect(seen).toEqual(['ab', 'cd', 'e']);
});

test('an opaque cursor is never the key of an item, and a list that nothing leads through is not cut', async () => {
  const send = await fiveKites({ parameters: text('after', 'An opaque cursor of the last object') });
  const whole = await send('GET', '/kites?limit=2');
  expect(namesIn(whole)).toBe('abcde');
  expect(whole.headers['link']).toBeUndefined();
  expect((await send('GET', '/kites?limit=2&after=1')).status).toBe(400);
});

test.each([
  ['X-Next-Page-Token', 'page_token'],
  ['Next-Cursor', 'cursor'],
  ['X-Kites-Continuation-Token', 'continuation_token'],
])('the cursor is given in the header %s', async (header, name) => {
  const send = await fiveKites({ parameters: text(name, ''), headers: `{ ${header}: { schema: { type: string } } }` });
  const first = await send('GET', '/kites?limit=3');
  expect(namesIn(first)).toBe('abc');
  const next = first.headers[header.toLowerCase()] ?? '';
  const second = await send('GET', `/kites?limit=3&${name}=${next}`);
  expect([namesIn(second), second.headers[header.toLowerCase()]]).toEqual(['de', undefined]);
});

describe('a harmless first cursor starts at the beginning', () => {
  const beside = 'next_cursor: { type: string, example: "MTAw" }';
  const parameter = `{ name: cursor, in: query, example: Zmlyc3Q=, schema: { type: string, default: start, example: "bmV4dA" } }`;

  test.each(['', '0', 'start', 'bmV4dA', 'Zmlyc3Q=', 'MTAw', 'ZXhhbXBsZQ'])('"%s"', async (cursor) => {
    const examples = '{ page: { value: { kites: [], next_cursor: ZXhhbXBsZQ } } }';
    const send = await fiveKites({ parameters: parameter, beside, examples });
    expect(namesIn(await send('GET', `/kites?limit=2&cursor=${encodeURIComponent(cursor)}`))).toBe('ab');
  });

  test.each(['1', '00', 'garbage', 'null'])('but "%s" is rejected', async (cursor) => {
    const send = await fiveKites({ parameters: parameter, beside });
    const { status, body } = await send('GET', `/kites?limit=2&cursor=${cursor}`);
    expect([status, along(body, ['code'])]).toEqual([400, 'invalid_cursor']);
  });

  test.each(['', '0'])('the key "%s" of no item', async (key) => {
    const send = await fiveKites({ parameters: text('since_id', 'ID of the last kite') });
    expect(namesIn(await send('GET', `/kites?limit=2&since_id=${key}`))).toBe('ab');
  });
});

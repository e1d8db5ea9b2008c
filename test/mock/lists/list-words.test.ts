import request from 'supertest';
import { serveText } from '../../support/serve-text';
import { answers, takes } from '../behaviours/posts';
import { smallMock } from '../behaviours/small-mock';

const ITEM = "{ $ref: '#/components/schemas/Issue' }";
const issues = (page: string, more = ''): string => `paths:
  /issues:
    get:
      parameters:
        - { name: state, in: query, schema: { type: string, enum: [open, closed, all], default: open } }
        - { name: label, in: query, description: "A label, or \`any\`", schema: { type: string } }
        - { name: exclude_pinned, in: query, schema: { type: boolean } }
        - { name: include_muted, in: query, schema: { type: boolean, default: false } }
        - { name: trial, in: query, description: 'If true, trial issues are returned as well', schema: { type: boolean } }
        - { name: limit, in: query, schema: { type: integer } }
        - { name: cursor, in: query, schema: { type: string } }
      ${answers(page)}
    post: { ${takes('{ type: object, properties: { label: { type: string }, state: { type: string }, is_pinned: { type: boolean }, muted: { type: boolean }, trial: { type: boolean } } }')}, ${answers(ITEM, 201)} }
  /issues/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${answers(ITEM)} }
${more}components:
  schemas:
    Issue:
      type: object
      required: [id]
      properties: { id: { type: integer, readOnly: true }, label: { type: string }, state: { type: string, enum: [open, closed] }, is_pinned: { type: boolean }, muted: { type: boolean }, trial: { type: boolean } }
`;

const PLAIN = `{ type: array, items: ${ITEM} }`;
const ids = (body: unknown): unknown => (body as { id: number }[]).map(({ id }) => id);

async function withThree(document: string): Promise<ReturnType<typeof smallMock>> {
  const mock = smallMock(document);
  await mock.send('POST', '/issues', { label: 'a' });
  await mock.send('POST', '/issues', { label: 'any', state: 'closed' });
  await mock.send('POST', '/issues', { label: 'b' });
  return mock;
}

test.each([
  ['', [1, 2], 'nothing that is not to be shown by default'],
  ['?include_muted=true', [1, 2, 3], 'all that is to be shown as well'],
  ['?trial=true', [1, 2], 'all that its description says is there as well'],
  ['?exclude_pinned=true', [1], 'nothing that is not wanted'],
  ['?exclude_pinned=false', [1, 2], 'what is left out only on request'],
])('/issues%s of flags gives %j: %s', async (query, want) => {
  const { send } = smallMock(issues(PLAIN));
  for (const flags of [{}, { is_pinned: true }, { muted: true, is_pinned: true }]) await send('POST', '/issues', flags);
  expect(ids((await send('GET', `/issues${query}`)).body)).toEqual(want);
});

test.each([
  ['', [1, 3], 'the declared default of a filter'],
  ['?state=all', [1, 2, 3], 'whatever state'],
  ['?state=closed', [2], 'the word that was sent'],
  ['?state=all&label=any', [1, 2, 3], 'a word that the description quotes'],
  ['?state=all&label=all', [], 'a text that items might have'],
])('/issues%s gives %j: %s', async (query, want) => {
  const { send } = await withThree(issues(PLAIN));
  expect(ids((await send('GET', `/issues${query}`)).body)).toEqual(want);
});

test.each([
  [
    'next_page_uri: { type: string, nullable: true }',
    { next_page_uri: expect.stringContaining('cursor=') as string },
    { next_page_uri: null },
  ],
  [
    'next_page: { type: object, nullable: true, properties: { offset: { type: string }, uri: { type: string } } }',
    { next_page: { offset: expect.any(String) as string, uri: expect.stringContaining('cursor=') as string } },
    { next_page: null },
  ],
  [
    'pages: { type: object, properties: { next: { type: object, properties: { starting_after: { type: string } } } } }',
    { pages: { next: { starting_after: expect.any(String) as string } } },
    { pages: {} },
  ],
  [
    'has_more: { type: boolean }, next_cursor: { type: string }',
    { has_more: true, next_cursor: expect.any(String) as string },
    { has_more: false },
  ],
])('what tells of the next page is there although optional, and ends: %s', async (member, middle, end) => {
  const page = `{ type: object, properties: { data: ${PLAIN}, ${member} } }`;
  const { send } = await withThree(issues(page));
  expect((await send('GET', '/issues?state=all&limit=2')).body).toMatchObject(middle);
  const { data, ...rest } = (await send('GET', '/issues?state=all&limit=9')).body as { data: unknown };
  expect(ids(data)).toEqual([1, 2, 3]);
  expect(rest).toEqual(end);
});

test.each([
  [{ name: 'label_like' }],
  [{ name: 'label', description: 'Issues whose label contains this text' }],
  [{ name: 'filter[label]', description: 'Partial match on the label' }],
])('%j finds texts by a part of them, in any letter case', async (parameter) => {
  const named = { in: 'query', schema: { type: 'string' }, ...parameter };
  const { send } = smallMock(
    issues(PLAIN)
      .replace('parameters:', `parameters:\n        - ${JSON.stringify(named)}`)
      .replace(/ *- \{ name: label,.*\n/, ''),
  );
  for (const label of ['Blue sky', 'red', 'sky']) await send('POST', '/issues', { label });
  const query = (value: string): string => `/issues?${encodeURIComponent(parameter.name)}=${value}`;
  expect(ids((await send('GET', query('SKY'))).body)).toEqual([1, 3]);
  expect(ids((await send('GET', query('green'))).body)).toEqual([]);
});

test('an example of a next page that no state stands behind ends', async () => {
  const names = `  /names:
    get:
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { type: object, properties: { names: { type: array, items: { type: string } }, next_cursor: { type: string }, next_page: { type: object, nullable: true, properties: { offset: { type: string } } } } }
              example: { names: [a], next_cursor: abc, next_page: { offset: abc } }
`;
  const app = await serveText(`openapi: 3.0.3\ninfo: { title: Names, version: 1.0.0 }\n${issues(PLAIN, names)}`);
  await request(app)
    .get('/names')
    .expect(200, { names: ['a'], next_page: null });
});

test('a number of results beside a list is how many there are', async () => {
  const page = `{ type: object, properties: { data: { type: array, items: ${ITEM} }, results: { type: integer } } }`;
  const { send } = await withThree(issues(page));
  expect((await send('GET', '/issues?state=all&limit=2')).body).toMatchObject({ results: 3 });
});

test('what may be null is written as a choice, and is what it is beside that', async () => {
  const orNull = (schema: string): string => `{ anyOf: [${schema}, { type: 'null' }] }`;
  const text = orNull('{ type: string }');
  const page = `{ type: object, required: [issues], properties: { issues: { type: array, items: ${ITEM} }, next_cursor: ${text}, has_more: { type: boolean } } }`;
  const document = issues(page)
    .replace(
      'name: limit, in: query, schema: { type: integer }',
      `name: limit, in: query, schema: ${orNull('{ type: integer }')}`,
    )
    .replace(
      'name: cursor, in: query, schema: { type: string }',
      `name: cursor, in: query, schema: ${text} }
        - { name: states, in: query, schema: ${orNull('{ type: array, items: { type: string } }')} }
        - { name: search, in: query, schema: ${text}`,
    );
  const mock = smallMock(document, { version: '3.1.0' });
  for (const label of ['a', 'b', 'c', 'ab']) await mock.send('POST', '/issues', { label, state: 'open' });
  const found = async (query: string): Promise<{ issues: unknown; next_cursor?: string | null }> =>
    (await mock.send('GET', `/issues?${query}`)).body as unknown as { issues: unknown; next_cursor?: string | null };
  const first = await found('limit=3');
  expect(ids(first.issues)).toEqual([1, 2, 3]);
  expect(ids((await found(`limit=3&cursor=${encodeURIComponent(first.next_cursor ?? '')}`)).issues)).toEqual([4]);
  expect(ids((await found('search=a')).issues)).toEqual([1, 4]);
  await mock.send('POST', '/issues', { label: 'd', state: 'closed' });
  expect(ids((await found('state=all&states=closed')).issues)).toEqual([5]);
});

test('links that stand in a choice of those of the first page and of the last are filled in', async () => {
  const link = (name: string): string => `{ type: object, properties: { ${name}: { type: string } } }`;
  const pages = `{ anyOf: [{ allOf: [${link('last')}, ${link('next')}] }, { allOf: [${link('first')}, ${link('prev')}] }, {}] }`;
  const page = `{ type: object, properties: { issues: { type: array, items: ${ITEM} }, links: { type: object, properties: { pages: ${pages} } } } }`;
  const { send } = smallMock(
    issues(page).replace('cursor', 'page').replace('{ type: string } }\n      re', '{ type: integer } }\n      re'),
  );
  for (const label of ['a', 'b', 'c']) await send('POST', '/issues', { label, state: 'open' });
  const first = await send('GET', '/issues?limit=2&page=1');
  expect(first.body).toMatchObject({ links: { pages: { next: expect.stringContaining('page=2') as string } } });
  const second = await send('GET', '/issues?limit=2&page=2');
  expect(second.body).toMatchObject({ links: { pages: { prev: expect.stringContaining('page=1') as string } } });
  expect(second.body).not.toHaveProperty('links.pages.next');
});

test.each([
  ['tag=red', ['a', 'b']],
  ['tag=blue', ['b']],
  ['createdByID=7', ['a']],
  ['size=2', ['b']],
  ['size=two', []],
  ['first=0&max=1', ['a']],
  ['first=1&max=5', ['b']],
])('%s gives %j', async (query, names) => {
  const { send } = smallMock(
    `paths:
  /boxes:
    get:
      parameters: [{ name: tag, in: query, schema: { type: string } }, { name: createdByID, in: query, schema: { type: integer } }, { name: size, in: query, schema: { type: string } }, { name: first, in: query, schema: { type: integer } }, { name: max, in: query, schema: { type: integer } }]
      ${answers("{ type: array, items: { $ref: '#/components/schemas/Box' } }")}
    post: { ${takes("{ $ref: '#/components/schemas/Box' }")}, ${answers("{ $ref: '#/components/schemas/Box' }", 201)} }
components:
  schemas:
    Box: { type: object, properties: { name: { type: string }, tags: { type: [array, string], items: { type: string } }, CreatedByID: { type: integer }, size: { type: integer }, createdTimestamp: { type: integer } } }
`,
    { version: '3.1.0' },
  );
  await send('POST', '/boxes', { name: 'a', tags: ['red'], CreatedByID: 7, size: 1 });
  await send('POST', '/boxes', { name: 'b', tags: 'red, blue', CreatedByID: 8, size: 2 });
  expect(
    ((await send('GET', `/boxes?${query}`)).body as unknown as { name: string }[]).map(({ name }) => name),
  ).toEqual(names);
});

import fc from 'fast-check';
import { isJsonObject, ownProperty, type JsonValue } from '../../../src/core/json/json-value';
import { smallMock, type Answer } from '../behaviours/small-mock';

/** What leads on from page to page in a description, as parameters, as properties beside the list, and as headers. */
interface Way {
  readonly parameters: string;
  readonly beside?: string;
  readonly headers?: string;
}

const inQuery = (name: string, type: string, description = ''): string =>
  `{ name: "${name}", in: query, description: "${description}", schema: { type: ${type} } }`;
const holding = (path: readonly string[], inner: string): string =>
  path.reduceRight((held, name) => `${name}: { type: object, properties: { ${held} } }`, inner);

const things = ({ parameters, beside, headers = '{}' }: Way): string => `paths:
  /things:
    get:
      parameters: [${parameters}]
      responses:
        '200':
          description: all
          headers: ${headers}
          content: { application/json: { schema: ${beside === undefined ? LIST : `{ type: object, properties: { data: ${LIST}, ${beside} } }`} } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } }
  /things/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } }
components: { schemas: { Thing: { type: object, properties: { id: { type: string, readOnly: true }, name: { type: string } } } } }
`;
const LIST = "{ type: array, items: { $ref: '#/components/schemas/Thing' } }";
const NEXT_LINK = 'next: { type: string, format: uri }';
const COUNT = 7;

async function withThings(way: Way): Promise<ReturnType<typeof smallMock>> {
  const mock = smallMock(things(way));
  for (let number = 0; number < COUNT; number++) await mock.send('POST', '/things', { name: `n${number}` });
  return mock;
}

const idsIn = ({ body }: Answer): string[] => {
  const rows = Array.isArray(body) ? body : isJsonObject(body) ? ownProperty(body, 'data') : [];
  return (rows as { id: string }[]).map(({ id }) => id);
};

const along = (value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((held, name) => (isJsonObject(held) ? ownProperty(held, name) : undefined), value);

const LIMITS = ['limit', 'per_page', 'pageSize', 'max-results', '$top'];

test.each([
  ['nothing', { parameters: '' }],
  ['nothing, in an envelope', { parameters: '', beside: 'note: { type: string }' }],
  ['a cursor that no response tells', { parameters: inQuery('cursor', 'string') }],
  [
    'a cursor, and a place for it that holds no text',
    { parameters: inQuery('cursor', 'string'), beside: 'cursor: { type: string, maxLength: 4 }' },
  ],
  ['a flag that there is more', { parameters: inQuery('cursor', 'string'), beside: 'has_more: { type: boolean }' }],
  ['a link, and no parameter for it', { parameters: '', beside: 'next: { type: string, format: uri }' }],
  ['a Link header, and no parameter for it', { parameters: '', headers: '{ Link: { schema: { type: string } } }' }],
  [
    'a text that has nothing to do with pages',
    { parameters: inQuery('color', 'string'), beside: 'color: { type: string }' },
  ],
])('a list is not cut where %s leads on, whatever limit is asked for', async (_, way: Way) => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...LIMITS), fc.integer({ min: 1, max: COUNT + 1 }), async (name, limit) => {
      const parameters = [way.parameters, inQuery(name, 'integer')].filter((text) => text !== '').join(', ');
      const { send } = await withThings({ ...way, parameters });
      const answer = await send('GET', `/things?${encodeURIComponent(name)}=${limit}`);
      expect(idsIn(answer)).toHaveLength(COUNT);
      expect(JSON.stringify(answer.body)).not.toContain('"has_more":true');
    }),
    { numRuns: 4 },
  );
});

test('a page before an item is cut, and the list itself is not, where nothing leads forwards', async () => {
  const { send } = await withThings({
    parameters: `${inQuery('limit', 'integer')}, ${inQuery('before_id', 'string')}`,
  });
  const all = idsIn(await send('GET', '/things?limit=2'));
  expect(all).toHaveLength(COUNT);
  expect(idsIn(await send('GET', `/things?limit=2&before_id=${all[4]}`))).toEqual(all.slice(2, 4));
});

test.each(['marker', 'start_after', 'lastId'])(
  '%s is the key of the last item where no response tells a cursor',
  async (name) => {
    const { send } = await withThings({ parameters: `${inQuery('limit', 'integer')}, ${inQuery(name, 'string')}` });
    const seen: string[] = [];
    for (let page = idsIn(await send('GET', '/things?limit=3')); page.length > 0;) {
      expect(page.length).toBeLessThanOrEqual(3);
      seen.push(...page);
      page = idsIn(await send('GET', `/things?limit=3&${name}=${seen.at(-1)}`));
    }
    expect(new Set(seen).size).toBe(COUNT);
    expect(seen).toHaveLength(COUNT);
  },
);

/** Names that no list of words has. */
const word = fc.constantFrom('iterator', 'bookmark', 'scrollId', 'resume_at', 'tide', 'after', 'next_token', 'from');

test('a cursor of any name and at any place leads on to each item once, also when the last page is full', async () => {
  await fc.assert(
    fc.asyncProperty(
      word,
      fc.constantFrom([], ['paging', 'next'], ['page_info'], ['meta', 'cursors']),
      fc.constantFrom('', 'next_'),
      fc.integer({ min: 1, max: COUNT }),
      async (name, holders, prefix, limit) => {
        const told = `${prefix}${name}`;
        const { send } = await withThings({
          parameters: `${inQuery('limit', 'integer')}, ${inQuery(name, 'string', 'What the page before told, to continue')}`,
          beside: holding(holders, `"${told}": { type: string, nullable: true }`),
        });
        const seen: string[] = [];
        let at = '';
        for (let pages = 0; pages <= COUNT; pages++) {
          const answer = await send('GET', `/things?limit=${limit}${at}`);
          expect(idsIn(answer).length).toBeLessThanOrEqual(limit);
          seen.push(...idsIn(answer));
          const next = along(answer.body, [...holders, told]);
          if (typeof next !== 'string') break;
          at = `&${name}=${encodeURIComponent(next)}`;
        }
        expect(seen).toHaveLength(COUNT);
        expect(new Set(seen).size).toBe(COUNT);
      },
    ),
    { numRuns: 30 },
  );
});

test('an end is told as such, whatever it is called', async () => {
  const way = {
    parameters: `${inQuery('limit', 'integer')}, ${inQuery('iterator', 'string', 'from the page before')}`,
    beside: 'iterator: { type: string, nullable: true }, done: { type: boolean }',
  };
  const { send } = await withThings(way);
  expect((await send('GET', '/things?limit=3')).body).toMatchObject({ done: false });
  expect((await send('GET', '/things?limit=7')).body).toMatchObject({ done: true });
});

test('a page that begins with the item whose key is given leads on by the key of the next one', async () => {
  const words = 'Provide an ID to start the result set from the item with the given ID and onwards.';
  const way = { parameters: `${inQuery('limit', 'integer')}, ${inQuery('from', 'string', words)}`, beside: NEXT_LINK };
  const { send } = await withThings(way);
  const all: string[] = [];
  let next: JsonValue | undefined = '/things?limit=3';
  for (let page = 0; typeof next === 'string' && page < COUNT; page++) {
    const { pathname, search } = new URL(next, 'http://localhost');
    const answer = await send('GET', pathname + search);
    expect(idsIn(answer).length).toBeLessThanOrEqual(3);
    all.push(...idsIn(answer));
    next = along(answer.body, ['next']);
  }
  expect(all).toEqual(idsIn(await send('GET', '/things')));
  expect(new Set(all).size).toBe(all.length);
  expect(idsIn(await send('GET', `/things?limit=2&from=${all[1] ?? ''}`))).toEqual(all.slice(1, 3));
});

test('of two parameters that do the same, the one that is not to be used no more is meant, and leads on', async () => {
  const old = 'DEPRECATED: Please use `page_token` instead. ';
  const { send } = await withThings({
    parameters: [
      inQuery('per_page', 'integer', `Deprecated Items per Page ${old}`),
      inQuery('page', 'integer', `Pages ${old}`),
      inQuery('page_size', 'integer', 'Items of a page'),
      inQuery('page_token', 'string', 'The token of the next page'),
    ].join(', '),
    headers: '{ Link: { schema: { type: string } } }',
  });
  const first = await send('GET', '/things?page_size=3');
  expect(idsIn(first)).toHaveLength(3);
  const [, next = ''] = /<([^>]*)>; rel="next"/.exec(first.headers['link'] ?? '') ?? [];
  const { pathname, search, searchParams } = new URL(next, 'http://localhost');
  expect([...searchParams.keys()].sort()).toEqual(['page_size', 'page_token']);
  expect(idsIn(await send('GET', pathname + search))).toEqual(idsIn(await send('GET', '/things')).slice(3, 6));
  expect(idsIn(await send('GET', '/things?page=2&page_size=3'))).toEqual(
    idsIn(await send('GET', '/things')).slice(3, 6),
  );
});

test.each(['', ', default: desc'])(
  'a list begins with what was made last where its parameter says so, and turns round%s',
  async (preset) => {
    const words =
      'Sets the direction. Defaults to descending order, meaning the things are ordered from newest to oldest.';
    const direction = `{ name: sort, in: query, description: "${words}", schema: { type: string, enum: [asc, desc]${preset} } }`;
    const { send } = await withThings({
      parameters: `${inQuery('offset', 'integer')}, ${inQuery('limit', 'integer')}, ${direction}`,
    });
    const oldestFirst = idsIn(await send('GET', '/things?sort=asc'));
    expect(oldestFirst).toEqual([...oldestFirst].sort());
    expect(idsIn(await send('GET', '/things'))).toEqual(oldestFirst.toReversed());
    expect(idsIn(await send('GET', '/things?sort=desc&limit=2'))).toEqual(oldestFirst.toReversed().slice(0, 2));
  },
);

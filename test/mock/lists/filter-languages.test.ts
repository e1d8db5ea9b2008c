import { explanationOf } from '../../../src/explain/explain-api';
import { partsOfText } from '../../support/serve-text';
import { smallMock } from '../behaviours/small-mock';

const boats = (parameter: string, responses = ''): string => `paths:
  /boats:
    get:
      parameters: [${parameter}]
      responses:
        '200': { description: all, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Boat' } } } } }
        ${responses}
    delete:
      parameters: [${parameter}]
      responses: { '204': { description: removed } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Boat' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Boat' } } } } }
  /boats/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Boat' } } } } }
components:
  schemas:
    Boat:
      type: object
      properties:
        id: { type: string, readOnly: true }
        name: { type: string }
        length: { type: integer }
        built: { type: string, format: date-time }
        owner: { type: object, properties: { lastName: { type: string } } }
        tags: { type: array, items: { type: string } }
`;
const HEAD = 'openapi: 3.0.3\ninfo: { title: Boats, version: 1.0.0 }\n';
const BAD_REQUEST = "'400': { description: The filter is wrong }";
const query = (name: string, words: string, more = ''): string =>
  `{ name: "${name}", in: query, description: ${JSON.stringify(words)}, schema: { type: string }${more} }`;
const SCIM = query('filter', 'Filters by SCIM expressions, such as name eq "Alma"');
const CALLS = query('filter', 'Filters the boats', `, example: "equals(name,'x')"`);
const ODATA = query('$filter', 'Restricts the boats');

async function withBoats(parameter: string, responses?: string): Promise<ReturnType<typeof smallMock>> {
  const mock = smallMock(boats(parameter, responses));
  const rows = [
    { name: 'Alma', length: 5, built: '2020-01-01T00:00:00Z', owner: { lastName: 'Berg' }, tags: ['red', 'fast'] },
    { name: 'Bora', length: 12, built: '2022-01-01T00:00:00Z', owner: { lastName: 'Dahl' }, tags: ['red'] },
    { name: 'alma ii', length: 30, built: '2024-01-01T00:00:00Z', owner: { lastName: 'Berg' }, tags: [] },
    { name: '*' },
  ];
  for (const row of rows) await mock.send('POST', '/boats', row);
  return mock;
}

interface Listed {
  readonly names: readonly string[];
  readonly told: string;
  readonly status: number;
}

async function list({ send }: ReturnType<typeof smallMock>, name: string, value: string): Promise<Listed> {
  const { body, headers, status } = await send(
    'GET',
    `/boats?${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  const names = Array.isArray(body) ? (body as { name: string }[]).map((each) => each.name) : [];
  return { names, told: headers['x-standin-problem'] ?? '', status };
}

const ALL = ['Alma', 'Bora', 'alma ii', '*'];

test.each([
  ['name eq "Alma"', ['Alma']],
  ['name eq "ALMA"', ['Alma']],
  ['name ne "Alma"', ['Bora', 'alma ii', '*']],
  ['Name sw "alma"', ['Alma', 'alma ii']],
  ['name co "o"', ['Bora']],
  ['name ew "II"', ['alma ii']],
  ['owner.lastName eq "Berg"', ['Alma', 'alma ii']],
  ['owner pr', ['Alma', 'Bora', 'alma ii']],
  ['not (owner pr)', ['*']],
  ['length gt 5 and length le 30', ['Bora', 'alma ii']],
  ['built ge "2022-01-01T01:00:00+01:00" or length lt 6', ['Alma', 'Bora', 'alma ii']],
  ['(name eq "Bora" or tags eq "fast") and length ge 5', ['Alma', 'Bora']],
  ['name eq "nobody"', []],
])('SCIM: %s', async (text, names) => {
  expect(await list(await withBoats(SCIM), 'filter', text)).toEqual({ names, told: '', status: 200 });
});

test.each([
  ["name eq 'Alma'", ['Alma']],
  ["name eq 'ALMA'", []],
  ["owner/lastName eq 'Berg' and length gt 5", ['alma ii']],
  ["contains(name,'lma')", ['Alma', 'alma ii']],
  ["startswith(name,'alma')", ['alma ii']],
  ["not endswith(name,'a')", ['alma ii', '*']],
  ['length eq 12 or built gt 2023-01-01T00:00:00Z', ['Bora', 'alma ii']],
  ["name in ('Bora','*')", ['Bora', '*']],
  ['length eq null', ['*']],
])('OData: %s', async (text, names) => {
  expect(await list(await withBoats(ODATA), '$filter', text)).toEqual({ names, told: '', status: 200 });
});

test.each([
  ["equals(name,'Alma')", ['Alma']],
  ['equals(name,"ALMA")', []],
  ['any(name,["Alma","*"])', ['Alma', '*']],
  ['contains(name,"lma")', ['Alma', 'alma ii']],
  ['ends-with(name,"ii"),starts-with(name,"alma")', ['alma ii']],
  ['greater-than(built,2020-06-01T00:00:00Z)', ['Bora', 'alma ii']],
  ['and(greaterOrEqual(length,12),less-or-equal(length,12))', ['Bora']],
  ['or(equals(owner.lastName,"Dahl"),not(less-than(length,30)))', ['Bora', 'alma ii', '*']],
])('function calls: %s', async (text, names) => {
  expect(await list(await withBoats(CALLS), 'filter', text)).toEqual({ names, told: '', status: 200 });
});

test('function calls that cannot be read refuse nothing', async () => {
  const mock = await withBoats(CALLS, BAD_REQUEST);
  for (const text of ['equals(name', 'name:Alma', "nearby(place,'x')", "equals(weight,'5')"]) {
    const { names, told, status } = await list(mock, 'filter', text);
    expect([text, status, names]).toEqual([text, 200, ALL]);
    expect(told).toContain('not_filtered');
  }
});

test.each([
  ['an example of the parameter', query('search', 'Finds boats', ', example: \'name eq "Bora"\'')],
  ['a named example', query('search', 'Finds boats', ', examples: { one: { value: \'name eq "Bora"\' } }')],
  ['the description', query('search', 'Takes expressions such as `length gt 5 and name eq "x"`.')],
])('the language is known by %s', async (_, parameter) => {
  const mock = await withBoats(parameter);
  expect(await list(mock, 'search', 'name eq "Bora"')).toEqual({ names: ['Bora'], told: '', status: 200 });
  const explained = await explanationOf(await partsOfText(`${HEAD}${boats(parameter)}`));
  expect(explained.operations[0]?.parameters[0]?.effect).toContain('in the language of SCIM');
});

test('a malformed filter is the documented 400', async () => {
  const mock = await withBoats(SCIM, BAD_REQUEST);
  expect((await list(mock, 'filter', 'name eq')).status).toBe(400);
  expect((await list(mock, 'filter', 'emails[type eq "x"]')).names).toEqual(ALL);
});

test.each([
  [SCIM, 'filter', 'name eq'],
  [SCIM, 'filter', 'emails[type eq "work"]'],
  [SCIM, 'filter', 'weight gt 5'],
  [query('filter', 'Filters the boats'), 'filter', 'name:Alma'],
  [query('where', ''), 'where', '{"name":"Alma"}'],
  [query('q', 'A query in Lucene syntax'), 'q', 'name:Alma'],
  [query('q', 'A query in the search syntax'), 'q', '"Alma" OR Bora~'],
  [query('q', 'Words'), 'q', 'name:Alma'],
  [query('harbour', 'Only boats of this harbour'), 'harbour', 'Bergen'],
])('a filter that is not modelled gives everything and says so: %s %s=%s', async (parameter, name, value) => {
  const { names, told, status } = await list(await withBoats(parameter), name, value);
  expect([status, names]).toEqual([200, ALL]);
  expect(told).toContain('not_filtered');
  expect(told).toContain(name);
});

test('a filter that cannot be evaluated removes nothing', async () => {
  const mock = await withBoats(SCIM);
  const remove = async (filter: string): Promise<number> =>
    (await mock.send('DELETE', `/boats?filter=${encodeURIComponent(filter)}`)).status;
  expect(await remove('emails[type eq "x"]')).toBe(400);
  expect((await list(mock, 'filter', 'id pr')).names).toEqual(ALL);
  expect(await remove('name eq "Bora"')).toBe(204);
  expect((await list(mock, 'filter', 'id pr')).names).toEqual(['Alma', 'alma ii', '*']);
});

test.each(['sorts', 'expandOwner', 'apiVersion', 'fieldMask'])(
  '%s is no filter, so that nothing is said',
  async (name) => {
    expect(await list(await withBoats(query(name, '')), name, 'x')).toEqual({ names: ALL, told: '', status: 200 });
  },
);

test('words are still looked for where a search language is not modelled', async () => {
  const mock = await withBoats(query('q', 'A query in Lucene syntax'));
  expect(await list(mock, 'q', 'bora')).toEqual({ names: ['Bora'], told: '', status: 200 });
});

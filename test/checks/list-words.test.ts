import { loadText } from '../openapi/load-text';
import { runCheck, type Sent } from './exchanges';

/** @param said - of the search, and of the property that leads on */
function apiThatSays({ search, next, name = 'total' }: { search: string; next: string; name?: string }) {
  return loadText(`openapi: 3.0.3
info: { title: Lists, version: '1', description: 'Every request has a key. ${next}' }
paths:
  /people:
    get:
      operationId: listPeople
      description: '${search}'
      parameters:
        - { name: q, in: query, schema: { type: string } }
        - { name: sort, in: query, schema: { type: string, enum: [name, -name] } }
        - { name: cursor, in: query, schema: { type: string } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }
      responses:
        '200':
          description: One page
          content:
            application/json:
              schema:
                type: object
                properties:
                  data: { type: array, items: { $ref: '#/components/schemas/Person' } }
                  meta: { type: object, properties: { ${name}: { type: integer }, next: { type: string, format: uri, nullable: true } } }
  /people/{personId}:
    parameters: [{ name: personId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getPerson, responses: { '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Person' } } } } } }
components:
  schemas:
    Person: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }
`).api;
}

const people = (query: string, keys: string, next: string | null = null, total?: number, name = 'total'): Sent => ({
  to: `GET /people?${query}`,
  status: 200,
  body: JSON.stringify({ data: keys.split('').map((id) => ({ id })), meta: { next, [name]: total } }),
});
const named = (query: string, ...names: string[]): Sent => ({
  to: `GET /people?${query}`,
  status: 200,
  body: JSON.stringify({ data: names.map((name, index) => ({ id: String(index), name })) }),
});

const ANY = 'A search by `q` finds a text in the name, in whatever case.';
/** A search that minds the case. */
const MINDS = [people('q=Ada', 'ab'), people('q=ADA', ''), people('q=Ada', 'ab')];
const NULL = '`meta.next` is the address of the next page, and null on the last page.';

test.each([ANY, 'A search by `q` finds a text in the name, in upper or lower case.'])(
  'a search that minds the case is found where words say that it does not: %s',
  (search) => {
    const api = apiThatSays({ search, next: NULL });
    const other = 'GET /people finds other items where "q" is in another case';
    expect(runCheck('lists', MINDS, api)).toEqual([`error 1<0 /response/body/data: ${other}`]);
    expect(runCheck('lists', MINDS.slice(0, 2), api)).toEqual([`warning 1<0 /response/body/data: ${other}`]);
  },
);

test.each<[string, string, readonly Sent[]]>([
  ['words say nothing of it', 'A search by `q`.', MINDS],
  ['words say it of something else', 'Names are shown in any case. A search by `q` is as it is written.', MINDS],
  ['words say that it is not so', 'The search by `q` is not case-insensitive.', MINDS],
  ['words say that the case counts', 'A search by `q` finds words in upper case.', MINDS],
  ['both find the same', ANY, [people('q=Ada', 'ab'), people('q=ADA', 'ab'), people('q=Ada', 'ab')]],
  ['another text is looked for', ANY, [people('q=Ada', 'ab'), people('q=Adam', ''), people('q=Ada', 'ab')]],
  ['others write', ANY, [people('q=Ada', 'ab'), people('q=ADA', 'abc'), people('q=Ada', 'abc')]],
  [
    'an empty first page leads on',
    ANY,
    [people('q=Ada', 'ab'), people('q=ADA', '', '/people?cursor=x'), people('q=Ada', 'ab')],
  ],
])('nothing is found in a search where %s', (_, search, sent) => {
  expect(runCheck('lists', sent, apiThatSays({ search, next: NULL }))).toEqual([]);
});

const last = [people('limit=2', 'ab', '/people?limit=2&cursor=b', 2)];
const beyond = 'error 0<0 /response/body/data: GET /people leads on behind the last item of its total';

test('a last page that leads on is wrong where words say that it does not, and else unusual', () => {
  expect(runCheck('lists', last, apiThatSays({ search: '', next: NULL }))).toEqual([beyond]);
  expect(runCheck('lists', last, apiThatSays({ search: '', next: '`next` leads to the next page.' }))).toEqual([
    beyond.replace('error', 'warning'),
  ]);
  const second = people('limit=1&cursor=a', 'b', '/people?limit=1&cursor=b', 2);
  const sent = [people('limit=1', 'a', '/people?limit=1&cursor=a', 2), second];
  expect(runCheck('lists', sent, apiThatSays({ search: '', next: NULL }))).toEqual([beyond.replace('0<0', '1<1')]);
});

test.each<[string, readonly Sent[]]>([
  ['leads to what is left', [people('limit=1', 'a', '/people?limit=1&cursor=a', 2)]],
  ['ends', [people('limit=2', 'ab', null, 2)]],
  ['tells no total', [people('limit=2', 'ab', '/people?limit=2&cursor=b')]],
  ['is empty', [people('limit=2', '', '/people?limit=2&cursor=b', 0)]],
  ['stands where nobody knows', [people('limit=2&cursor=x', 'ab', '/people?limit=2&cursor=b', 2)]],
])('nothing is found in a page that %s', (_, sent) => {
  expect(runCheck('lists', sent, apiThatSays({ search: '', next: NULL }))).toEqual([]);
});

test('a page that leads to an empty one was the last, where words say that this does not lead on', () => {
  const first = people('limit=2', 'ab', '/people?limit=2&cursor=b');
  const sent = [first, people('limit=2&cursor=b', ''), first];
  expect(runCheck('lists', sent, apiThatSays({ search: '', next: NULL }))).toEqual([
    'error 1<0 /response/body/data: GET /people is empty where a last page leads to',
  ]);
  expect(runCheck('lists', sent, apiThatSays({ search: '', next: '`next` leads to the next page.' }))).toEqual([]);
  const cut = [first, people('limit=2&cursor=b', '', '/people?limit=2&cursor=c'), first];
  expect(runCheck('lists', cut, apiThatSays({ search: '', next: NULL }))).toEqual([]);
});

test('a count without a word about it may be that of the page', () => {
  const sent = [people('limit=2', 'ab', '/people?limit=2&cursor=b', 2, 'count')];
  expect(runCheck('lists', sent, apiThatSays({ search: '', next: NULL, name: 'count' }))).toEqual([]);
});

test('digits are in their order, as long as they stand alone', () => {
  const api = apiThatSays({ search: '', next: '' });
  const found = (...names: string[]): number => runCheck('lists', [named('sort=name', ...names)], api).length;
  expect(found('box 2', 'box 1')).toBe(1);
  expect(found('box 1', 'box 2', 'box 10', 'box 3')).toBe(0);
  expect(found('box 10', 'box 9')).toBe(0);
});

import type { JsonObject } from '../../src/core/json/json-value';
import { stringifyJson } from '../../src/core/json/stringify-json';
import { loadText } from '../openapi/load-text';
import { answers, inPath, ref } from '../support/flow';
import { runCheck, type Sent } from './exchanges';

/** One thing, by the variable of a path. */
const getOne = (key: string, id: string): string => `parameters: [${inPath(key, 'string')}]
    get: { operationId: ${id}, ${answers(ref('Thing'))} }`;

const { api } = loadText(`openapi: 3.0.3
info: { title: Lists, version: '1' }
paths:
  /things:
    get:
      operationId: listThings
      description: All about things.
      parameters:
        - { name: page, in: query, schema: { type: integer, minimum: 1, default: 1 } }
        - { name: perPage, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }
        - { name: kind, in: query, schema: { $ref: '#/components/schemas/Kind' } }
        - { name: state, in: query, schema: { type: string, enum: [open, closed] } }
        - { name: size, in: query, schema: { type: integer } }
        - { name: open, in: query, schema: { type: boolean } }
        - { name: name, in: query, schema: { type: string } }
        - { name: weight, in: query, description: Of at least this weight., schema: { type: integer } }
        - { name: sort, in: query, schema: { type: string, enum: [name, -name, madeAt, -madeAt, size] } }
      responses:
        '200':
          description: One page
          content:
            application/json:
              schema:
                type: object
                properties:
                  data: { type: array, items: { $ref: '#/components/schemas/Thing' } }
                  meta:
                    type: object
                    properties: { total: { type: integer }, pages: { type: integer }, next: { type: string, format: uri, nullable: true } }
    post:
      operationId: addThing
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses: { '201': { description: Made, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } }
  /things/{thingId}:
    parameters: [{ name: thingId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getThing, responses: { '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } } }
    patch:
      operationId: changeThing
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses: { '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } }
    delete: { operationId: deleteThing, responses: { '204': { description: Gone } } }
  /counted:
    get:
      operationId: listCounted
      parameters:
        - { name: page, in: query, schema: { type: integer, minimum: 1, default: 1 } }
        - { name: perPage, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }
      responses:
        '200':
          description: One page
          content:
            application/json:
              schema:
                type: object
                properties:
                  data: { type: array, items: { $ref: '#/components/schemas/Thing' } }
                  total: { type: integer, description: How many there are on this page. }
  /numbered:
    get:
      operationId: listNumbered
      parameters:
        - { name: page, in: query, schema: { type: integer, minimum: 0, default: 0 } }
        - { name: perPage, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }
      responses:
        '200':
          description: One page
          content:
            application/json:
              schema:
                type: object
                properties:
                  data: { type: array, items: { $ref: '#/components/schemas/Thing' } }
                  total: { type: integer }
                  lastPage: { type: integer }
  /many:
    get:
      operationId: listMany
      parameters: [{ name: perPage, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }]
      responses:
        '200':
          description: One page
          content:
            application/json:
              schema:
                type: object
                properties:
                  data: { type: array, items: { $ref: '#/components/schemas/Thing' } }
                  total: { type: integer, description: 'How many there are, up to 3.' }
  /many/{id}:
    ${getOne('id', 'getOfMany')}
  /counted/{id}:
    ${getOne('id', 'getCounted')}
  /logs:
    get:
      operationId: listLogs
      parameters:
        - { name: cursor, in: query, description: The next of the page before., schema: { type: string } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }
        - { name: kind, in: query, schema: { $ref: '#/components/schemas/Kind' } }
        - { name: sort, in: query, schema: { type: string } }
        - { name: order, in: query, schema: { type: string, enum: [asc, desc] } }
      responses:
        '200':
          description: One page
          content:
            application/json:
              schema:
                type: object
                properties:
                  items: { type: array, items: { $ref: '#/components/schemas/Thing' } }
                  nextCursor: { type: string, nullable: true }
  /events:
    get:
      operationId: listEvents
      parameters:
        - { name: starting_after, in: query, description: ID of the item behind which the page begins., schema: { type: string } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }
      responses:
        '200':
          description: One page
          content:
            application/json:
              schema: { type: object, properties: { data: { type: array, items: { $ref: '#/components/schemas/Thing' } }, has_more: { type: boolean } } }
  /events/{eventId}:
    ${getOne('eventId', 'getEvent')}
  /logs/{logId}:
    ${getOne('logId', 'getLog')}
  /rows:
    get:
      operationId: listRows
      parameters:
        - { name: offset, in: query, schema: { type: integer } }
        - { name: limit, in: query, schema: { type: integer } }
      responses:
        '200':
          description: One page
          headers: { X-Total-Count: { schema: { type: integer } } }
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Thing' } } } }
  /rows/{rowId}:
    ${getOne('rowId', 'getRow')}
components:
  schemas:
    Kind: { type: string, enum: [hand, power] }
    Thing:
      type: object
      properties:
        id: { type: string }
        name: { type: string }
        kind: { $ref: '#/components/schemas/Kind' }
        state: { type: string, enum: [open, closing, closed] }
        size: { type: integer }
        open: { type: boolean }
        weight: { type: integer }
        madeAt: { type: string, format: date-time }
`);

type Meta = Readonly<Record<string, string | number | null>>;

const ids = (keys: string): JsonObject[] => keys.split('').map((id) => ({ id }));
/** @param shown - a letter for each item, or the items */
const things = (query: string, shown: string | JsonObject[], meta?: Meta): Sent => ({
  to: `GET /things?${query}`,
  status: 200,
  body: stringifyJson({
    data: typeof shown === 'string' ? ids(shown) : shown,
    ...(meta === undefined ? {} : { meta }),
  }),
});
const logs = (query: string, shown: string | readonly JsonObject[], nextCursor?: string | null): Sent => ({
  to: `GET /logs?${query}`,
  status: 200,
  body: JSON.stringify({ items: typeof shown === 'string' ? ids(shown) : shown, nextCursor }),
});
const rows = (query: string, shown: string, headers: readonly string[] = []): Sent => ({
  to: `GET /rows?${query}`,
  status: 200,
  headers,
  body: JSON.stringify(ids(shown)),
});
const events = (query: string, shown: string, hasMore: boolean): Sent => ({
  to: `GET /events?${query}`,
  status: 200,
  body: JSON.stringify({ data: ids(shown), has_more: hasMore }),
});
const numbered = (lastPage: number): Sent => ({
  to: 'GET /numbered?perPage=2&page=0',
  status: 200,
  body: JSON.stringify({ data: ids('ab'), total: 3, lastPage }),
});
const added: Sent = { to: 'POST /things', send: '{"name":"x"}', status: 201, body: '{"id":"n","name":"x"}' };
const removed: Sent = { to: 'DELETE /things/a', status: 204 };
const changed: Sent = { to: 'PATCH /things/a', send: '{"name":"z"}', status: 200, body: '{"id":"a","name":"z"}' };
const whole = things('perPage=3', 'abc');
const link = (url: string): readonly string[] => ['Link', `<${url}>; rel="next"`];
const named = (...names: string[]): JsonObject[] => names.map((name, index) => ({ id: String(index), name }));

const heard = (sent: readonly Sent[]): string[] => runCheck('lists', sent, api);

test.each<[string, readonly Sent[], string]>([
  // Joined pages.
  [
    'a page that begins with the last item of the one before',
    [whole, things('perPage=1&page=2', 'a'), whole],
    'error 1<0 /response/body/data: GET /things shows one item at two places of the list',
  ],
  [
    'a page that skips an item',
    [whole, things('perPage=2', 'ab'), things('perPage=2&page=2', 'd'), whole],
    'error 2<0 /response/body/data: GET /things shows another item than another page has at the same place',
  ],
  [
    'an empty page where another one has items',
    [whole, things('perPage=1&page=2', ''), whole],
    'error 1<0 /response/body/data: GET /things ends before an item that another page shows',
  ],
  [
    'pages of an offset',
    [rows('limit=3', 'abc'), rows('limit=1&offset=1', 'c'), rows('limit=3', 'abc')],
    'error 1<0 /response/body: GET /rows leaves out an item before one that another page shows',
  ],
  [
    'the page behind a cursor without its first item',
    [
      logs('limit=3', 'abc', 'z'),
      logs('limit=2', 'ab', 'q/='),
      logs('limit=2&cursor=q%2F%3D', 'd', null),
      logs('limit=3', 'abc', 'z'),
    ],
    'error 2<0 /response/body/items: GET /logs shows another item than another page has at the same place',
  ],
  [
    'an empty page behind a cursor, with nothing behind it',
    [
      logs('limit=3', 'abc', 'z'),
      logs('limit=1', 'a', 'q'),
      logs('limit=1&cursor=q', '', null),
      logs('limit=3', 'abc', 'z'),
    ],
    'error 2<0 /response/body/items: GET /logs ends before an item that another page shows',
  ],
  [
    'a last page that leads on to the first',
    [
      logs('limit=3', 'abc', 'z'),
      logs('limit=50', 'abcd', 'q'),
      logs('limit=50&cursor=q', 'abcd', 'r'),
      logs('limit=3', 'abc', 'z'),
    ],
    'error 2<1 /response/body/items: GET /logs leads on to items that it has shown before',
  ],
  [
    'the same although others were added behind it meanwhile',
    [whole, added, things('perPage=1&page=2', 'a'), whole],
    'error 2<0 /response/body/data: GET /things shows one item at two places of the list',
  ],
  [
    'the same where nobody looked again',
    [whole, things('perPage=1&page=2', 'a')],
    'warning 1<0 /response/body/data: GET /things shows one item at two places of the list',
  ],
  [
    'items behind a page that was not full',
    [things('perPage=2', 'a'), things('perPage=2&page=2', 'b'), things('perPage=2', 'a')],
    'warning 1<0 /response/body/data: GET /things goes on behind a page that is the last one',
  ],
  [
    'an item that is twice on a page',
    [things('', 'aba')],
    'error 0<0 /response/body/data: GET /things shows one item twice on a page',
  ],
  [
    'more items than were asked for',
    [things('perPage=2', 'abc')],
    'error 0<0 /response/body/data: GET /things shows more items than its limit',
  ],
  [
    'a page behind the key of the last item that begins with it',
    [
      events('limit=3', 'abc', true),
      events('limit=1', 'a', true),
      events('limit=2&starting_after=a', 'ab', true),
      events('limit=3', 'abc', true),
    ],
    'error 2<1 /response/body/data: GET /events leads on to items that it has shown before',
  ],
  [
    'a list that says it ends before it does',
    [events('limit=3', 'abc', true), events('limit=1', 'a', false), events('limit=3', 'abc', true)],
    'error 1<0 /response/body/data: GET /events ends before an item that another page shows',
  ],
  // Where a page leads.
  [
    'a link to the same page',
    [{ ...things('perPage=2', 'ab'), headers: link('http://x/things?page=1&perPage=2') }],
    'error 0<0 /response/headers/link: GET /things leads on to the same page',
  ],
  [
    'a cursor that is the one that was sent',
    [logs('limit=2&cursor=q', 'ab', 'q')],
    'error 0<0 /response/body: GET /logs leads on to the same page',
  ],
  [
    'a link without the filter',
    [things('perPage=2&kind=hand', 'ab', { next: 'http://x/things?page=2&perPage=2' })],
    'error 0<0 /response/body: GET /things links to a next page with another value of "kind"',
  ],
  [
    'a link with another order',
    [{ ...things('perPage=2&sort=-name', 'ab'), headers: link('/things?page=2&perPage=2&sort=name') }],
    'error 0<0 /response/headers/link: GET /things links to a next page with another value of "sort"',
  ],
  [
    'a link with another limit',
    [things('perPage=2', 'ab', { next: '/things?page=2&perPage=3' })],
    'error 0<0 /response/body: GET /things links to a next page with another value of "perPage"',
  ],
  // Totals.
  [
    'a total of the page alone',
    [things('perPage=1&page=2', 'b', { total: 1 })],
    'error 0<0 /response/body/data: GET /things tells a total that is less than what it shows',
  ],
  [
    'a total that is another one on another page',
    [
      things('perPage=3', 'abc', { total: 9 }),
      things('perPage=1', 'a', { total: 8 }),
      things('perPage=3', 'abc', { total: 9 }),
    ],
    'error 1<0 /response/body/data: GET /things tells another total on another page',
  ],
  [
    'another total in a header',
    [rows('limit=3', 'abc', ['X-Total-Count', '2'])],
    'error 0<0 /response/body: GET /rows tells a total that is less than what it shows',
  ],
  [
    'a total of more than there is, twice',
    [things('perPage=5', 'ab', { total: 3 }), things('perPage=5', 'ab', { total: 3 })],
    'error 1<1 /response/body/data: GET /things tells a total that is more than what its pages show',
  ],
  [
    'a total of more than there is, which others may have written to meanwhile',
    [things('perPage=5', 'ab', { total: 3 })],
    'warning 0<0 /response/body/data: GET /things tells a total that is more than what its pages show',
  ],
  [
    'another number of pages',
    [things('perPage=2', 'ab', { total: 9, pages: 7 })],
    'error 0<0 /response/body/data: GET /things tells another number of pages than its total and limit do',
  ],
  [
    'one page less than there are',
    [things('perPage=2', 'ab', { total: 3, pages: 1 })],
    'error 0<0 /response/body/data: GET /things tells another number of pages than its total and limit do',
  ],
  // Order.
  [
    'names that do not go back',
    [things('sort=-name', named('maple', 'willow'))],
    'error 0<0 /response/body/data/*/name: GET /things is not in the order of "sort"',
  ],
  ['names that do not go on', [things('sort=name', named('Maple', 'Alder'))], 'error 0<0 /response/body/data/*/name: '],
  ['a beginning behind what goes on from it', [things('sort=name', named('oak tree', 'oak'))], 'error '],
  [
    'numbers',
    [
      things('sort=size', [
        { id: 'a', size: 10 },
        { id: 'b', size: 9 },
      ]),
    ],
    'error 0<0 /response/body/data/*/size: ',
  ],
  [
    'moments in other zones',
    [
      things('sort=madeAt', [
        { id: 'a', madeAt: '2026-01-01T10:00:00+00:00' },
        { id: 'b', madeAt: '2026-01-01T10:30:00+01:00' },
      ]),
    ],
    'error 0<0 /response/body/data/*/madeAt: ',
  ],
  [
    'a direction in a parameter of its own',
    [
      logs('sort=size&order=desc', [
        { id: 'a', size: 1 },
        { id: 'b', size: 2 },
      ]),
    ],
    'error 0<0 /response/body/items/*/size: ',
  ],
  [
    'a word for the direction',
    [
      logs('sort=size:desc', [
        { id: 'a', size: 1 },
        { id: 'b', size: 2 },
      ]),
    ],
    'error ',
  ],
  // Filters.
  [
    'a word that was not asked for',
    [things('kind=hand', [{ id: 'a', kind: 'power' }])],
    'error 0<0 /response/body/data/*/kind: GET /things shows an item with another value than it was asked for by "kind"',
  ],
  ['the second of two filters', [things('kind=hand&size=2', [{ id: 'a', kind: 'hand', size: 3 }])], 'error '],
  [
    'a number that differs in a digit beyond those of a double',
    [things('size=9007199254740993', [{ id: 'a', size: 9007199254740992n }])],
    'error 0<0 /response/body/data/*/size: ',
  ],
  ['a flag', [things('open=true', [{ id: 'a', open: false }])], 'error 0<0 /response/body/data/*/open: '],
])('speaks of %s', (_, sent, finding) => {
  const [first, ...more] = heard(sent);
  expect(first?.slice(0, finding.length)).toBe(finding);
  expect(more).toEqual([]);
});

test.each<[string, readonly Sent[]]>([
  [
    'pages that fit together',
    [whole, things('perPage=1&page=2', 'b'), things('perPage=1&page=3', 'c'), things('perPage=1&page=4', ''), whole],
  ],
  [
    'a list to which the run adds at its beginning',
    [things('perPage=3', 'abc'), added, things('perPage=2&page=2', 'bc')],
  ],
  ['a list from which the run takes', [whole, removed, things('perPage=1&page=2', 'c')]],
  ['a list that the run orders anew and back', [whole, changed, things('perPage=1&page=2', 'a'), changed, whole]],
  ['what was put there and taken away again', [whole, added, things('perPage=1&page=2', 'a'), removed, whole]],
  ['a list to which others add', [whole, things('perPage=1&page=2', 'a'), things('perPage=3', 'nab')]],
  ['a list without an order', [things('perPage=2', 'ab'), things('perPage=2', 'ba'), things('perPage=1&page=2', 'c')]],
  ['a limit that is cut', [rows('limit=100', 'ab'), rows('limit=100&offset=2', 'cd'), rows('limit=100', 'ab')]],
  ['a limit that is cut, by the number of the page', [things('perPage=500', 'ab'), things('perPage=500&page=2', 'cd')]],
  ['an empty list of no page', [things('perPage=2', '', { total: 0, pages: 0 })]],
  ['an empty list of one page', [things('perPage=2', '', { total: 0, pages: 1 })]],
  ['pages of which the last one may be shorter', [things('perPage=2', 'ab', { total: 3, pages: 2 })]],
  ['the number of the last page, counted from 0', [numbered(1)]],
  ['a number of pages that are counted from 0', [numbered(2)]],
  ['a limit below the least', [things('perPage=0', 'ab')]],
  ['a word that stands for several', [things('state=open', [{ id: 'a', state: 'closing' }])]],
  ['what should have been refused', [whole, { ...things('perPage=x', ''), expects: [400] }, whole]],
  [
    'words with an order of their own',
    [
      things('sort=kind', [
        { id: 'a', kind: 'power' },
        { id: 'b', kind: 'hand' },
      ]),
    ],
  ],
  [
    'letters that are one in the language of the service',
    [things('sort=name', named('cz', 'chata', 'ding', 'zoo', 'aal'))],
  ],
  [
    'a total that counts up to a number',
    [{ to: 'GET /many?perPage=9', status: 200, body: JSON.stringify({ data: ids('abcde'), total: 3 }) }],
  ],
  ['a page of a size that nobody knows', [things('', 'ab'), things('page=2', 'cd'), things('perPage=1&page=2', 'b')]],
  [
    'pages behind a cursor that are shorter than their limit',
    [
      logs('limit=3', 'abc', 'z'),
      logs('limit=2', 'a', 'q'),
      logs('limit=2&cursor=q', '', 'r'),
      logs('limit=2&cursor=r', 'bc', null),
      logs('limit=3', 'abc', 'z'),
    ],
  ],
  [
    'a cursor of nobody',
    [logs('limit=3', 'abc', 'z'), logs('limit=2&cursor=w', 'ab', null), logs('limit=3', 'abc', 'z')],
  ],
  ['a cursor at the end of what still grows', [logs('cursor=q', '', 'q')]],
  ['a page beyond the end that is refused', [whole, { ...things('perPage=1&page=9', ''), status: 404 }, whole]],
  ['lists of two callers', [whole, { ...things('perPage=1&page=2', 'a'), auth: 'somebody' }, whole]],
  ['lists by two filters', [things('kind=hand&perPage=3', 'abc'), things('kind=power&perPage=1&page=2', 'a')]],
  [
    'a link that asks for the same',
    [{ ...things('perPage=2&kind=hand', 'ab'), headers: link('/things?kind=hand&page=2&perPage=2') }],
  ],
  ['a link whose cursor holds the filter', [{ ...logs('limit=2&kind=hand', 'ab'), headers: link('/logs?cursor=q') }]],
  ['a link with the limit that the service took', [things('perPage=500', 'ab', { next: '/things?page=2&perPage=50' })]],
  [
    'a total of everything beside a filter',
    [things('kind=hand', [{ id: 'a', kind: 'hand' }], { total: 90 }), things('', 'a', { total: 90 })],
  ],
  ['a total beside a page that is full', [things('perPage=2', 'ab', { total: 90 })]],
  [
    'a total that words call an estimate',
    [1, 2].map(() => ({ to: 'GET /many?perPage=9', status: 200, body: JSON.stringify({ data: ids('ab'), total: 3 }) })),
  ],
  ['a total behind the end', [things('perPage=2&page=9', '', { total: 3 })]],
  ['totals of two filters', [things('kind=hand', 'a', { total: 1 }), things('', 'ab', { total: 2 })]],
  [
    'a total that grows with what the run adds',
    [things('perPage=1', 'a', { total: 1 }), added, things('perPage=1', 'a', { total: 2 })],
  ],
  [
    'what was removed and can still be read',
    [
      things('', 'ab', { total: 2 }),
      removed,
      { to: 'GET /things/a', status: 200, body: '{"id":"a"}' },
      things('', 'b', { total: 1 }),
    ],
  ],
  [
    'texts that one collation puts so and another one otherwise',
    [things('sort=name', named('apple', 'Banana', 'a-b', 'ab', 'éclair', 'z', 'Z'))],
  ],
  ['equal values, and one that is not there', [things('sort=-name', [...named('b', 'b', 'a'), { id: 'x' }])]],
  ['titles with an article', [things('sort=name', named('The Hobbit', 'Iliad'))]],
  [
    'an order of which nobody says which way it goes',
    [
      logs('sort=size', [
        { id: 'a', size: 3 },
        { id: 'b', size: 2 },
      ]),
    ],
  ],
  [
    'a name whose direction is that of the next one',
    [
      logs('sort=size,-name', [
        { id: 'a', size: 2 },
        { id: 'b', size: 1 },
      ]),
    ],
  ],
  ['an order that nobody knows', [things('sort=relevance', named('b', 'a'))]],
  ['a text that may be searched for', [things('name=apple', named('Pineapple'))]],
  ['a number that is the least', [things('weight=2', [{ id: 'a', weight: 3 }])]],
  ['a word that stands for all', [things('kind=all', [{ id: 'a', kind: 'hand' }])]],
  [
    'several words',
    [
      things('kind=hand,power', [
        { id: 'a', kind: 'hand' },
        { id: 'b', kind: 'power' },
      ]),
    ],
  ],
  ['a number beyond 53 bits', [things('size=9007199254740993', [{ id: 'a', size: 9007199254740993n }])]],
  ['items that do not show what they were asked for by', [things('kind=hand', 'a')]],
  [
    'rows that share what looks like a key',
    [
      things('', [
        { id: 'a', size: 1 },
        { id: 'a', size: 2 },
      ]),
      things('perPage=1&page=2', 'a'),
    ],
  ],
])('finds nothing in %s', (_, sent) => {
  expect(heard(sent)).toEqual([]);
});

test('what a link with a cursor leads to is judged by what the first page was asked for', () => {
  const first = {
    ...logs('limit=1&kind=hand', [{ id: 'a', kind: 'hand' }]),
    headers: link('http://x/logs?cursor=q%2B'),
  };
  expect(heard([first, logs('cursor=q%2B', [{ id: 'b', kind: 'power' }])])).toEqual([
    'error 1<1 /response/body/items/*/kind: GET /logs shows an item with another value than it was asked for by "kind"',
  ]);
  expect(heard([first, logs('cursor=q%2B', [{ id: 'b', kind: 'hand' }])])).toEqual([]);
});

import { describeApi, JSON_TYPE, pet, PET, refusal, type Answer, type CheckCases } from '../answer';

const with200 = (headers: Readonly<Record<string, string>>): Answer => pet({ headers: { ...JSON_TYPE, ...headers } });
const DATE = 'Thu, 05 Dec 2030 00:00:00 GMT';

const api = describeApi(`openapi: 3.0.3
info: { title: Shop, version: '1' }
paths:
  /books:
    get:
      operationId: listBooks
      responses:
        '200':
          description: ok
          headers:
            X-Total: { required: true, schema: { type: integer, format: int64, maximum: 9007199254740993 } }
            X-Ids: { schema: { type: array, items: { type: integer } } }
            X-Colour: { schema: { type: object, properties: { R: { type: integer } }, required: [R] } }
            X-Range: { explode: true, schema: { type: object, properties: { from: { type: integer } } } }
            X-Flag: { schema: { allOf: [{ type: boolean }] } }
            X-Filter: { content: { application/json: { schema: { type: object, required: [a] } } } }
            X-Text: { content: { text/plain: { schema: { type: string } } } }
            Set-Cookie: { schema: { type: string, pattern: '^[a-z]+=[^,]*(, [^,]*)?$' } }
            Content-Type: { schema: { type: integer } }
            ETag: { schema: { type: string, pattern: '^"[^"]*"$' } }
            Sunset: { schema: { type: string, pattern: 'GMT$' } }
`);
const books = (headers: readonly string[], more: Partial<Answer> = {}): Answer => {
  return { api, of: 'listBooks', status: 200, headers: ['X-Total', '1', ...headers], ...more };
};
const bare = (headers: readonly string[], more: Partial<Answer> = {}): Answer => {
  return { api, of: 'listBooks', status: 200, headers, ...more };
};

const browser = { origin: 'https://app.example', credentials: false };
const forPage = (headers: readonly string[], more: Partial<Answer> = {}): Answer =>
  books(headers, { browser, requestHeaders: ['Origin', browser.origin], ...more });
/** The answer to a preflight for a PATCH with JSON and a key. */
const preflight = (headers: readonly string[], more: Partial<Answer> = {}): Answer => {
  const asked = [
    'Access-Control-Request-Method',
    'PATCH',
    'Access-Control-Request-Headers',
    'authorization,content-type',
  ];
  const requestHeaders = ['Origin', browser.origin, ...asked];
  const sent = ['Access-Control-Allow-Origin', '*', ...headers];
  return { of: undefined, method: 'OPTIONS', status: 204, headers: sent, browser, requestHeaders, ...more };
};
const withCookies = { browser: { ...browser, credentials: true } };

export const HEADER_CASES: Readonly<Record<string, CheckCases>> = {
  cors: {
    speaks: [
      ['no header', forPage([]), 'error /response/headers/access-control-allow-origin: A page of another origin'],
      ['none on an error', forPage([], { status: 500 }), 'error /response/headers/access-control-allow-origin: '],
      [
        'another origin',
        forPage(['Access-Control-Allow-Origin', 'https://app.example.evil']),
        'error /response/headers/access-control-allow-origin: Access-Control-Allow-Origin names another',
      ],
      [
        'two lines',
        forPage(['Access-Control-Allow-Origin', '*', 'access-control-allow-origin', '*']),
        'error /response/headers/access-control-allow-origin: Access-Control-Allow-Origin is there more',
      ],
      [
        'any origin for a page that sends cookies',
        forPage(['Access-Control-Allow-Origin', '*'], withCookies),
        'error /response/headers/access-control-allow-origin: ',
      ],
      [
        'no cookies for a page that sends them',
        forPage(['Access-Control-Allow-Origin', browser.origin], withCookies),
        'error /response/headers/access-control-allow-credentials: ',
      ],
      [
        'a preflight without PATCH',
        preflight([
          'Access-Control-Allow-Methods',
          'GET, POST',
          'Access-Control-Allow-Headers',
          'Authorization, Content-Type',
        ]),
        'error /response/headers/access-control-allow-methods: The preflight does not allow PATCH',
      ],
      [
        'a preflight with any header, which is not Authorization',
        preflight(['Access-Control-Allow-Methods', '*', 'Access-Control-Allow-Headers', '*']),
        'error /response/headers/access-control-allow-headers: The preflight does not allow the header authorization',
      ],
    ],
    silent: [
      ['any origin', forPage(['Access-Control-Allow-Origin', '*'])],
      ['the origin', forPage(['access-control-allow-origin', browser.origin])],
      [
        'the origin of a page that sends cookies',
        forPage(
          ['Access-Control-Allow-Origin', browser.origin, 'Access-Control-Allow-Credentials', 'true'],
          withCookies,
        ),
      ],
      [
        'a preflight that allows it',
        preflight([
          'Access-Control-Allow-Methods',
          'GET,PATCH',
          'Access-Control-Allow-Headers',
          'Content-Type,AUTHORIZATION',
        ]),
      ],
      [
        'a preflight for a method that needs no asking',
        preflight([], { requestHeaders: ['Origin', browser.origin, 'Access-Control-Request-Method', 'GET'] }),
      ],
    ],
    idle: [['what is for no page', books([])]],
  },
  'headers-schema': {
    speaks: [
      ['no required header', bare([]), 'error /response/headers/x-total: The header X-Total is missing'],
      [
        'none to HEAD',
        bare([], { method: 'HEAD' }),
        'warning /response/headers/x-total: The header X-Total is missing',
      ],
      [
        'a number one above the largest, in its last digit',
        bare(['X-Total', '9007199254740994']),
        'error /response/headers/x-total: The header X-Total must be at most 9007199254740993',
      ],
      [
        'text for a number',
        bare(['X-Total', 'many']),
        'error /response/headers/x-total: The header X-Total must be an',
      ],
      [
        'one bad item',
        books(['X-Ids', '1, two']),
        'error /response/headers/x-ids: The header X-Ids must be an integer',
      ],
      ['a bad item on a second line', books(['X-Ids', '1', 'x-ids', 'two']), 'error /response/headers/x-ids: '],
      ['a bad member', books(['X-Colour', 'R,red']), 'error /response/headers/x-colour: '],
      ['a missing member', books(['X-Colour', 'G,1']), 'error /response/headers/x-colour: '],
      ['a bad exploded member', books(['X-Range', 'from=a']), 'error /response/headers/x-range: '],
      ['no boolean', books(['X-Flag', 'yes']), 'error /response/headers/x-flag: '],
      ['no JSON', books(['X-Filter', 'a=1']), 'error /response/headers/x-filter: The header X-Filter must be JSON'],
      ['other JSON', books(['X-Filter', '{}']), 'error /response/headers/x-filter: '],
      [
        'one cookie of two, each judged alone',
        books(['Set-Cookie', 'a=1; Expires=Thu, 05 Dec 2030 00:00:00 GMT', 'Set-Cookie', 'B']),
        'error /response/headers/set-cookie: ',
      ],
      ['a weak tag where a strong one is documented', books(['ETag', 'W/"a"']), 'warning /response/headers/etag: '],
    ],
    silent: [
      ['the largest number', bare(['X-Total', '9007199254740993'])],
      [
        'lists, objects, a boolean and JSON',
        books(['X-Ids', '1,2', 'X-Colour', 'R,1', 'X-Flag', 'true', 'X-Filter', '{"a":1}']),
      ],
      ['an exploded object', books(['X-Range', 'from=1'])],
      ['cookies with commas', books(['Set-Cookie', 'a=1; Expires=Thu, 05 Dec 2030 00:00:00 GMT', 'Set-Cookie', 'b=2'])],
      ['a Content-Type, whose entry is ignored', books(['Content-Type', 'text/plain'])],
      ['a header that another check speaks of', books(['Sunset', '2030-12-05'])],
    ],
    idle: [
      ['documented headers that may be missing', pet()],
      ['a media type that is no JSON', { ...pet(), headers: { 'X-Text': 'a' } }],
      ['an undocumented status', books(['X-Ids', 'a'], { status: 203 })],
    ],
  },
  link: {
    speaks: [
      ['no brackets', with200({ Link: '/books; rel="next"' }), 'error /response/headers/link: Link breaks its grammar'],
      ['no relation', with200({ Link: '</a>; title="x"' }), 'error /response/headers/link: A link has no relation'],
    ],
    silent: [
      ['two links', with200({ Link: '</a?x=1,2>; rel="next", </b>; rel=prev; title="a, b"' })],
      [
        'an absolute link on an error',
        refusal(404, 'no', { headers: { link: '<https://example.com/>; rel="sunset"' } }),
      ],
    ],
    idle: [['no link', pet()]],
  },
  etag: {
    speaks: [
      ['no quotes', with200({ ETag: 'abc' }), 'error /response/headers/etag: ETag must be an entity tag'],
      ['two tags', with200({ ETag: '"a", "b"' }), 'error /response/headers/etag: ETag must be an entity tag'],
      ['a small w', with200({ ETag: 'w/"a"' }), 'error /response/headers/etag: ETag must be an entity tag'],
      [
        'two lines',
        pet({ headers: ['ETag', '"a"', 'ETag', '"b"'] }),
        'error /response/headers/etag: ETag must not be sent twice',
      ],
    ],
    silent: [
      ['a strong tag', with200({ ETag: '"a,b"' })],
      ['a weak tag', with200({ ETag: 'W/"a"' })],
      ['an empty tag', with200({ ETag: '""' })],
    ],
    idle: [['no tag', pet()]],
  },
  'not-modified': {
    speaks: [
      [
        'no tag where one is documented',
        { of: 'getPet', status: 304 },
        'warning /response/headers/etag: The 304 has no ETag',
      ],
      [
        'a tag that nobody named',
        { of: 'getPet', status: 304, headers: { ETag: '"b"' }, requestHeaders: ['If-None-Match', '"a", "c"'] },
        'warning /response/headers/etag: The 304 has a tag that the client did not name',
      ],
    ],
    silent: [
      ['the tag', { of: 'getPet', status: 304, headers: { ETag: '"a"' } }],
      [
        'the tag, weakened on its way',
        { of: 'getPet', status: 304, headers: { ETag: 'W/"a"' }, requestHeaders: ['if-none-match', '"b", "a"'] },
      ],
      ['any tag', { of: 'getPet', status: 304, headers: { ETag: '"a"' }, requestHeaders: ['If-None-Match', '*'] }],
    ],
    idle: [
      ['another status', pet()],
      ['no tag, and nobody knows of one', { of: 'createPet', status: 304, method: 'GET' }],
    ],
  },
  'cache-control': {
    speaks: [
      [
        'public',
        with200({ 'Cache-Control': 'public, max-age=3600' }),
        'error /response/headers/cache-control: public lets shared caches keep',
      ],
      ['public alone', with200({ 'Cache-Control': 'Public' }), 'error /response/headers/cache-control: public lets'],
      [
        's-maxage',
        with200({ 'Cache-Control': 's-maxage="60"' }),
        'error /response/headers/cache-control: s-maxage lets',
      ],
      [
        'private for one field only',
        with200({ 'Cache-Control': 'public, private="set-cookie"' }),
        'error /response/headers/cache-control: public lets',
      ],
      [
        'must-revalidate',
        with200({ 'Cache-Control': 'max-age=60, must-revalidate' }),
        'warning /response/headers/cache-control: must-revalidate lets shared caches keep',
      ],
      [
        'max-age alone',
        with200({ 'Cache-Control': 'max-age=60' }),
        'warning /response/headers/cache-control: max-age without private',
      ],
    ],
    silent: [
      ...[
        'private, max-age=60',
        'no-cache',
        'no-store',
        'public, no-cache',
        'public, max-age=0',
        'must-revalidate',
        '',
      ].map((value): [string, Answer] => [`"${value}"`, with200({ 'Cache-Control': value })]),
      [
        'public, where caches look for the credentials',
        with200({ 'Cache-Control': 'public, max-age=60', Vary: 'Accept, authorization' }),
      ],
    ],
    idle: [
      ['no header', pet()],
      ['an operation that is open to anybody', bare(['Cache-Control', 'public'])],
      ['a refusal', refusal(404, 'no', { headers: { 'Cache-Control': 'public' } })],
      ['an answer to a write', { of: 'createPet', status: 201, headers: { 'Cache-Control': 'public' } }],
      ['a request without credentials', { ...with200({ 'Cache-Control': 'public' }), isAuthenticated: false }],
      ['no operation', { status: 200, headers: { 'Cache-Control': 'public' } }],
    ],
  },
  'retry-after': {
    speaks: [
      [
        'words',
        refusal(429, 'no', { headers: { 'Retry-After': 'soon' } }),
        'error /response/headers/retry-after: Retry-After must be a number',
      ],
      [
        'a fraction',
        refusal(503, 'no', { headers: { 'Retry-After': '1.5' } }),
        'error /response/headers/retry-after: ',
      ],
      [
        'less than nothing',
        refusal(429, 'no', { headers: { 'Retry-After': '-1' } }),
        'error /response/headers/retry-after: ',
      ],
      [
        'two lines',
        refusal(429, 'no', { headers: ['Retry-After', '1', 'Retry-After', '2'] }),
        'error /response/headers/retry-after: Retry-After must not be sent twice',
      ],
    ],
    silent: [
      ['seconds', refusal(429, 'no', { headers: { 'Retry-After': '3' } })],
      ['a date', refusal(503, 'no', { headers: { 'Retry-After': DATE } })],
      ['seconds of a redirect', { status: 301, headers: { 'Retry-After': '120' } }],
    ],
    idle: [['a 429 without it', refusal(429)]],
  },
  deprecation: {
    speaks: [
      ['true', with200({ Deprecation: 'true' }), 'error /response/headers/deprecation: Deprecation must be a date'],
      ['a boolean of Structured Fields', with200({ Deprecation: '?1' }), 'error /response/headers/deprecation: '],
      [
        'an HTTP-date',
        with200({ Deprecation: DATE }),
        'error /response/headers/deprecation: Deprecation must be a date',
      ],
      ['a bare number', with200({ Deprecation: '1767225600' }), 'error /response/headers/deprecation: '],
      ['a fraction', with200({ Deprecation: '@1.5' }), 'error /response/headers/deprecation: '],
      [
        'two lines',
        pet({ headers: ['Deprecation', '@1', 'Deprecation', '@1'] }),
        'error /response/headers/deprecation: Deprecation must not be sent twice',
      ],
    ],
    silent: [
      ['a date', with200({ Deprecation: '@1767225600' })],
      ['a date before 1970', with200({ Deprecation: '@-1' })],
    ],
    idle: [['no header', pet()]],
  },
  sunset: {
    speaks: [
      [
        'a date of RFC 3339',
        with200({ Sunset: '2030-12-05' }),
        'error /response/headers/sunset: Sunset must be an HTTP-date',
      ],
      ['UTC for GMT', with200({ Sunset: 'Thu, 05 Dec 2030 00:00:00 UTC' }), 'error /response/headers/sunset: '],
      [
        'a wrong day of the week',
        with200({ Sunset: 'Fri, 05 Dec 2030 00:00:00 GMT' }),
        'error /response/headers/sunset: ',
      ],
      ['an obsolete form', with200({ Sunset: 'Thursday, 05-Dec-30 00:00:00 GMT' }), 'error /response/headers/sunset: '],
      ['a date of Structured Fields', with200({ Sunset: '@1767225600' }), 'error /response/headers/sunset: '],
      [
        'two lines',
        pet({ headers: ['Sunset', DATE, 'Sunset', DATE] }),
        'error /response/headers/sunset: Sunset must not be sent twice',
      ],
    ],
    silent: [['an HTTP-date', with200({ Sunset: DATE })]],
    idle: [['no header', pet()]],
  },
  'sunset-order': {
    speaks: [
      [
        'an end before the deprecation',
        with200({ Deprecation: '@1922659201', Sunset: DATE }),
        'error /response/headers/sunset: Sunset is before Deprecation',
      ],
    ],
    silent: [
      ['an end after it', with200({ Deprecation: '@1767225600', Sunset: DATE })],
      ['an end at the same moment', with200({ Deprecation: '@1922659200', Sunset: DATE })],
    ],
    idle: [
      ['one of the two', with200({ Sunset: DATE })],
      ['one that cannot be read, which is said already', with200({ Deprecation: 'true', Sunset: DATE })],
    ],
  },
  date: {
    speaks: [
      [
        'another form',
        with200({ Date: '2026-01-01T00:00:00Z' }),
        'warning /response/headers/date: Date must be an HTTP-date',
      ],
    ],
    silent: [['an HTTP-date', with200({ Date: DATE })]],
    idle: [['a server without a clock', pet({ body: PET })]],
  },
};

import { loadApi } from '../../src/files/load-api';
import { checkResponse, findingsByCheck, RESPONSE_CHECKS } from '../../src/checks/response/registry';
import { observeResponse, type ObservedResponse } from '../../src/checks/response-check';
import type { Expectation } from '../../src/formats/contract/contract';
import { literalMatcher } from '../../src/formats/contract/matcher';
import type { JsonValue } from '../../src/core/json/json-value';
import { PROTOCOL_CASES } from './cases/index';
import { countCallsSync } from '../support/count-calls';

const { api } = loadApi();

interface Answer {
  /** `undefined` for a request that no operation describes. */
  readonly of?: string | undefined;
  readonly method?: string;
  readonly target?: string;
  readonly requestHeaders?: readonly string[];
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly expected?: Partial<Pick<Expectation, 'statuses' | 'codes'>> & {
    readonly body?: JsonValue;
    readonly headers?: readonly { readonly name: string; readonly value: string }[];
  };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const PET = '{"id":9007199254740993,"name":"Zoë","categoryId":1,"status":"available"}';
const NOT_FOUND = '{"code":"resource_not_found","message":"no pet has the id 9","status":404}';

function observe({
  of: id,
  method,
  target,
  requestHeaders,
  status,
  headers = {},
  body,
  expected,
}: Answer): ObservedResponse {
  const operation = id === undefined ? undefined : api.operationById(id);
  if (id !== undefined && operation === undefined) throw new Error(`no operation ${id}`);
  return observeResponse(api, {
    operation,
    target,
    requestHeaders,
    method: method ?? operation?.method ?? 'GET',
    response: { status, headers: Object.entries(headers).flat(), body },
    expected: expected === undefined ? undefined : expectation(status, expected),
  });
}

/** An expectation whose body and headers are written as values, and stand for themselves. */
function expectation(status: number, { body, headers = [], ...more }: NonNullable<Answer['expected']>): Expectation {
  return {
    statuses: [status],
    codes: [],
    body: body === undefined ? undefined : literalMatcher(body, ''),
    headers: headers.map(({ name, value }) => ({ name, matcher: literalMatcher(value, '') })),
    ...more,
  };
}

/** What one check says of an answer: `undefined` when it has nothing to judge. */
function run(id: string, answer: Answer): readonly string[] | undefined {
  if (!RESPONSE_CHECKS.some((check) => check.id === id)) throw new Error(`no check ${id}`);
  return findingsByCheck(observe(answer))
    .get(id)
    ?.map(({ severity, at, message }) => `${severity} ${at}: ${message}`);
}

const pet = (body: string, more: Partial<Answer> = {}): Answer => {
  return { of: 'getPet', status: 200, headers: JSON_TYPE, body, ...more };
};
const error = (status: number, body: string | undefined, more: Partial<Answer> = {}): Answer => {
  return { of: 'getPet', status, headers: JSON_TYPE, ...(body === undefined ? {} : { body }), ...more };
};

/** An error that comes as text, for a client that takes neither that nor JSON. */
const FOR_IMAGES: Answer = {
  of: 'getPet',
  status: 406,
  headers: { 'Content-Type': 'text/plain' },
  body: 'Not Acceptable',
  requestHeaders: ['Accept', 'image/png'],
};

interface CheckCases {
  /** Answers that the check finds fault with, and the fault. */
  readonly speaks: readonly (readonly [name: string, answer: Answer, ...findings: string[]])[];
  /** Answers that it judges and finds right. */
  readonly silent: readonly (readonly [name: string, answer: Answer])[];
  /** Answers that it has nothing to say about. */
  readonly idle: readonly (readonly [name: string, answer: Answer])[];
}

const CASES: Readonly<Record<string, CheckCases>> = {
  'status-expected': {
    speaks: [
      [
        'another status',
        pet(PET, { expected: { statuses: [201] } }),
        'error /response/status: Expected status 201, got 200',
      ],
      [
        'none of several',
        error(404, NOT_FOUND, { expected: { statuses: [200, 304] } }),
        'error /response/status: Expected status 200 or 304, got 404',
      ],
      [
        'none of many',
        error(401, undefined, { expected: { statuses: [200, 201, 202, 204, 400, 404, 409, 412, 422] } }),
        'error /response/status: Expected status one of 9 from 200 to 422, got 401',
      ],
    ],
    silent: [
      ['the status', pet(PET, { expected: { statuses: [200] } })],
      ['one of several', pet(PET, { expected: { statuses: [404, 200] } })],
    ],
    idle: [['nobody said', pet(PET)]],
  },
  'code-expected': {
    speaks: [
      [
        'another code',
        error(404, NOT_FOUND, { expected: { codes: ['route_not_found'] } }),
        'error /response/body/code: Expected error code route_not_found, got "resource_not_found"',
      ],
      [
        'no code',
        error(404, '{"message":"a","status":404}', { expected: { codes: ['a', 'b'] } }),
        'error /response/body/code: Expected error code a or b, got nothing',
      ],
      [
        'no body, where no error object is asked for',
        error(404, undefined, { method: 'HEAD', expected: { codes: ['a'] } }),
        'error /response/body/code: Expected error code a, got nothing',
      ],
    ],
    silent: [['the code', error(404, NOT_FOUND, { expected: { codes: ['x', 'resource_not_found'] } })]],
    idle: [
      ['no code wanted', error(404, NOT_FOUND, { expected: {} })],
      ['no error object, which is said already', error(404, '<h1>', { expected: { codes: ['a'] } })],
      ['another status, which says it already', error(404, NOT_FOUND, { expected: { statuses: [400], codes: ['x'] } })],
    ],
  },
  'body-expected': {
    speaks: [
      [
        'another value',
        pet(PET, { expected: { body: { name: 'Zoe' } } }),
        'error /response/body/name: /name: expected "Zoe", got "Zoë"',
      ],
      [
        'an int64 that differs in its last digit',
        pet(PET, { expected: { body: { id: 9007199254740992n } } }),
        'error /response/body/id: /id: expected 9007199254740992, got 9007199254740993',
      ],
      [
        'a missing member',
        pet(PET, { expected: { body: { tags: [] } } }),
        'error /response/body/tags: /tags is missing',
      ],
      [
        'a list that is too short',
        pet('[1]', { expected: { body: [1, 2] } }),
        'error /response/body: The body: expected 2 items, got 1',
      ],
      ['no JSON', pet('<p>', { expected: { body: {} } }), 'error /response/body: The body must be JSON'],
      ['no body', pet('', { expected: { body: {} } }), 'error /response/body: The body is missing'],
      [
        'null for false',
        pet('{"a":null,"b":0,"c":""}', { expected: { body: { a: false, b: false, c: null } } }),
        'error /response/body/a: /a: expected false, got null',
        'error /response/body/b: /b: expected false, got 0',
        'error /response/body/c: /c: expected null, got ""',
      ],
    ],
    silent: [
      ['some members', pet(PET, { expected: { body: { name: 'Zoë', id: 9007199254740993n } } })],
      [
        'falsy values',
        pet('{"a":0,"b":false,"c":"","d":null}', { expected: { body: { a: 0, b: false, c: '', d: null } } }),
      ],
      ['the same number, written in another way', pet('[1.0]', { expected: { body: [1] } })],
    ],
    idle: [['no body wanted', pet(PET, { expected: {} })]],
  },
  'headers-expected': {
    speaks: [
      [
        'another value and a missing one',
        pet(PET, {
          headers: { ETag: '"a"' },
          expected: {
            headers: [
              { name: 'etag', value: '"b"' },
              { name: 'Link', value: 'x' },
            ],
          },
        }),
        'error /response/headers/etag: etag: expected "b", got "a"',
        'error /response/headers/link: The header Link is missing',
      ],
    ],
    silent: [
      [
        'the value, its name in another case',
        pet(PET, { headers: { ETAG: '"a"' }, expected: { headers: [{ name: 'ETag', value: '"a"' }] } }),
      ],
    ],
    idle: [['no header wanted', pet(PET, { expected: {} })]],
  },
  'status-documented': {
    speaks: [
      [
        'a status that the operation does not have',
        pet(PET, { status: 206 }),
        'error /response/status: getPet does not document the status 206',
      ],
      [
        'an error that it does not have',
        error(409, undefined),
        'error /response/status: getPet does not document the status 409',
      ],
      [
        'a conflict that was expected',
        { ...error(409, undefined), expected: { statuses: [200, 409] } },
        'warning /response/status: getPet does not document the status 409',
      ],
    ],
    silent: [
      ['a documented status', pet(PET)],
      ...[405, 406, 408, 413, 414, 415, 417, 428, 429, 431, 503].map((status): [string, Answer] => [
        `the protocol status ${status}`,
        error(status, undefined),
      ]),
    ],
    idle: [['no operation', { status: 404 }]],
  },
  'content-type': {
    speaks: [
      [
        'text for JSON',
        pet(PET, { headers: { 'Content-Type': 'text/plain' } }),
        'error /response/headers/content-type: The Content-Type is not documented',
      ],
      ['no type', pet(PET, { headers: {} }), 'error /response/headers/content-type: The body has no Content-Type'],
      [
        'another charset',
        pet(PET, { headers: { 'Content-Type': 'application/json; charset=latin1' } }),
        'error /response/headers/content-type: JSON is always UTF-8; the charset says otherwise',
      ],
      [
        'an error page where no error is documented',
        { status: 404, headers: { 'Content-Type': 'text/html' }, body: '<h1>' },
        'error /response/headers/content-type: The Content-Type is not documented',
      ],
    ],
    silent: [
      ['the documented type', pet(PET)],
      ['with a charset', pet(PET, { headers: { 'Content-Type': 'Application/JSON;charset=utf-8' } })],
      ['an error that no operation documents', { status: 404, headers: JSON_TYPE, body: NOT_FOUND }],
      ['an error for a client that takes no JSON', FOR_IMAGES],
    ],
    idle: [
      ['no body', { of: 'deletePet', status: 204 }],
      ['no operation and no error', { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<p>' }],
    ],
  },
  'no-body': {
    speaks: [
      ['a body to HEAD', pet(PET, { method: 'HEAD' }), 'error /response/body: A response to HEAD must not have a body'],
      ['a 304 with a body', pet(PET, { status: 304 }), 'error /response/body: A 304 must not have a body'],
      [
        'a 204 that announces one',
        { of: 'deletePet', status: 204, headers: { 'Content-Length': '2' } },
        'error /response/headers/content-length: A 204 must not have Content-Length',
      ],
      [
        'a 204 that announces an empty one',
        { of: 'deletePet', status: 204, headers: { 'Content-Length': '0' } },
        'warning /response/headers/content-length: A 204 must not have Content-Length',
      ],
    ],
    silent: [
      ['a 204 without', { of: 'deletePet', status: 204 }],
      ['a 304 with the length that GET would give', pet('', { status: 304, headers: { 'Content-Length': '72' } })],
      ['HEAD with that length', pet('', { method: 'HEAD', headers: { 'Content-Length': '72' } })],
    ],
    idle: [['a documented body', pet(PET)]],
  },
  'body-present': {
    speaks: [['an empty 200', pet(''), 'error /response/body: The body of the 200 is empty']],
    silent: [
      ['a body', pet(PET)],
      [
        'none, as the client preferred',
        { of: 'createPet', status: 201, headers: { 'Preference-Applied': 'return=minimal' } },
      ],
      [
        'none, among other preferences',
        { of: 'createPet', status: 201, headers: { 'Preference-Applied': 'handling=strict, return="minimal"' } },
      ],
    ],
    idle: [
      ['HEAD', pet('', { method: 'HEAD' })],
      ['none documented', { of: 'deletePet', status: 204 }],
      ['an error, which another check judges', error(404, undefined)],
    ],
  },
  'body-json': {
    speaks: [
      ['half a body', pet('{"id":1'), 'error /response/body: The body is not valid JSON: '],
      ['a member twice', pet('{"id":1,"id":2}'), 'error /response/body: The body is not valid JSON: '],
      ['two values', pet('{} {}'), 'error /response/body: The body is not valid JSON: '],
      ['NaN', pet('{"id":NaN}'), 'error /response/body: The body is not valid JSON: '],
    ],
    silent: [
      ['JSON', pet(PET)],
      ['JSON with white space', pet(` {\n} `)],
    ],
    idle: [
      ['no body', pet('')],
      ['a body that does not call itself JSON', pet('<p>', { headers: { 'Content-Type': 'text/html' } })],
    ],
  },
  'body-schema': {
    speaks: [
      [
        'a string for an id',
        pet('{"id":"1","name":"a","categoryId":1}'),
        'error /response/body/id: The field /id must be an integer',
      ],
      [
        'a missing member',
        pet('{"id":1,"categoryId":1}'),
        'error /response/body/name: The body must have the property "name"',
      ],
      [
        'one bad item of many',
        {
          of: 'listPets',
          status: 200,
          headers: JSON_TYPE,
          body: `[${PET},${PET},{"id":2,"name":"b","categoryId":1,"status":"asleep"}]`,
        },
        'error /response/body/2/status: The field /2/status must be one of',
      ],
      [
        'a date without a zone',
        { of: 'getOrder', status: 200, headers: JSON_TYPE, body: '{"shipDate":"2026-02-01T09:00:00"}' },
        'error /response/body/shipDate: The field /shipDate must be a valid date-time',
      ],
      [
        'JSON that calls itself text',
        pet('{}', { headers: { 'Content-Type': 'text/plain' } }),
        'error /response/body/name: ',
        'error /response/body/categoryId: ',
        'error /response/body/id: ',
      ],
    ],
    silent: [
      ['a pet', pet(PET)],
      ['a pet with more than is documented', pet('{"id":1,"name":"a","categoryId":1,"age":3}')],
      ['an empty list', { of: 'listPets', status: 200, headers: JSON_TYPE, body: '[]' }],
    ],
    idle: [
      ['no JSON', pet('<p>')],
      ['an undocumented status', pet(PET, { status: 206 })],
    ],
  },
  'error-contract': {
    speaks: [
      [
        'text for a client that takes JSON as well',
        { ...FOR_IMAGES, requestHeaders: ['Accept', 'image/png, */*;q=0.1'] },
        'error /response/body: The response must be an error object',
      ],
      ['no body', error(404, undefined), 'error /response/body: The response must be an error object'],
      ['a page', error(404, '<h1>Not Found</h1>'), 'error /response/body: The response must be an error object'],
      ['a list', error(404, '[]'), 'error /response/body: The response must be an error object'],
      [
        'no code',
        error(404, '{"message":"a","status":404}'),
        'error /response/body/code: The body must have the property "code"',
      ],
      [
        'another status inside',
        error(404, '{"code":"a","message":"b","status":400}'),
        'error /response/body/status: The status in the body is not the HTTP status',
      ],
      [
        'a status that is text',
        error(404, '{"code":"a","message":"b","status":"404"}'),
        'error /response/body/status: The field /status must be an integer',
      ],
      [
        'an empty message',
        error(404, '{"code":"a","message":" ","status":404}'),
        'error /response/body/message: The message is empty',
      ],
      [
        'an undocumented status, and no error object',
        error(418, '{"error":"teapot"}'),
        'error /response/body/code: ',
        'error /response/body/message: ',
        'error /response/body/status: ',
      ],
      [
        'no operation, and no error object',
        { status: 404, body: 'Cannot GET /x' },
        'error /response/body: The response must be an error object',
      ],
    ],
    silent: [
      ['an error object', error(404, NOT_FOUND)],
      ['a protocol status', error(405, '{"code":"method_not_allowed","message":"no","status":405}')],
      ['no operation', { status: 404, headers: JSON_TYPE, body: NOT_FOUND }],
      ['more members than documented', error(404, '{"code":"a","message":"b","status":404,"details":[]}')],
    ],
    idle: [
      ['text for a client that takes no JSON', FOR_IMAGES],
      ['a success', pet(PET)],
      ['HEAD', error(404, undefined, { method: 'HEAD' })],
    ],
  },
  'www-authenticate': {
    speaks: [
      ['no header', error(401, undefined), 'error /response/headers/www-authenticate: The 401 has no WWW-Authenticate'],
      [
        'no challenge',
        error(401, undefined, { headers: { 'WWW-Authenticate': '"petstore"' } }),
        'error /response/headers/www-authenticate: WWW-Authenticate holds no challenge',
      ],
      [
        'another scheme',
        error(401, undefined, { headers: { 'WWW-Authenticate': 'Basic realm="a"' } }),
        'warning /response/headers/www-authenticate: WWW-Authenticate does not offer the scheme Bearer',
      ],
    ],
    silent: [
      ['a challenge', error(401, undefined, { headers: { 'WWW-Authenticate': 'Bearer realm="petstore"' } })],
      ['in another case', error(401, undefined, { headers: { 'www-authenticate': 'bearer' } })],
      ['among others', error(401, undefined, { headers: { 'WWW-Authenticate': 'Basic realm="a", Bearer realm="b"' } })],
      ['after one that stands alone', error(401, undefined, { headers: { 'WWW-Authenticate': 'Negotiate, Bearer' } })],
      ['after an empty element', error(401, undefined, { headers: { 'WWW-Authenticate': ', Bearer realm="b"' } })],
    ],
    idle: [['another status', error(403, undefined)]],
  },
  allow: {
    speaks: [
      ['no header', error(405, undefined), 'error /response/headers/allow: The 405 has no Allow'],
      [
        'the refused method among them',
        error(405, undefined, { method: 'PUT', headers: { Allow: 'GET, PUT' } }),
        'error /response/headers/allow: Allow lists PUT, which was rejected',
      ],
      [
        'no method of the description',
        error(405, undefined, { method: 'PATCH', target: '/pets/7?x=1', headers: { Allow: 'GET, HEAD' } }),
        'warning /response/headers/allow: Allow does not list DELETE, PUT, which the description has at this path',
      ],
      [
        'the same after OPTIONS',
        { of: undefined, method: 'OPTIONS', target: '/pets', status: 204, headers: { Allow: 'GET' } },
        'warning /response/headers/allow: Allow does not list POST, which the description has at this path',
      ],
    ],
    silent: [
      [
        'all methods of the description, and more',
        {
          of: undefined,
          method: 'OPTIONS',
          target: '/pets',
          status: 200,
          headers: { Allow: 'POST, GET, HEAD, OPTIONS' },
        },
      ],
      [
        'a path that the description has not',
        { of: undefined, method: 'OPTIONS', target: '/nowhere', status: 204, headers: { Allow: 'GET' } },
      ],
      ['other methods', error(405, undefined, { method: 'PUT', headers: { Allow: 'GET, HEAD' } })],
      ['no method at all', error(405, undefined, { headers: { Allow: '' } })],
    ],
    idle: [['another status', error(404, NOT_FOUND)]],
  },
  location: {
    speaks: [
      [
        'no header',
        { of: 'createPet', status: 201 },
        'warning /response/headers/location: The 201 has no Location, which the description shows',
      ],
      [
        'no URL',
        { of: 'createPet', status: 201, headers: { Location: 'the new pet' } },
        'error /response/headers/location: Location must be a URL or a relative reference',
      ],
    ],
    silent: [
      ['a path', { of: 'createPet', status: 201, headers: { Location: '/pets/1' } }],
      ['a URL', { of: 'createPet', status: 201, headers: { Location: 'https://example.com/pets/1' } }],
    ],
    idle: [['another status', pet(PET)]],
  },
};

test('every check has its cases', () => {
  const cases = [...Object.keys(CASES), ...Object.keys(PROTOCOL_CASES)];
  expect(cases.sort()).toEqual(RESPONSE_CHECKS.map(({ id }) => id).sort());
});

describe.each(Object.entries(CASES))('%s', (id, { speaks, silent, idle }) => {
  test.each(speaks.map(([name, answer, ...findings]) => ({ name, answer, findings })))('speaks of $name', (row) => {
    const { answer, findings } = row;
    const said = run(id, answer);
    expect(said).toHaveLength(findings.length);
    findings.forEach((finding, index) => {
      expect(said?.[index]?.startsWith(finding) ? finding : said?.[index]).toBe(finding);
    });
  });

  test.each(silent)('finds nothing in %s', (_, answer) => {
    expect(run(id, answer)).toEqual([]);
  });

  test.each(idle)('has nothing to judge in %s', (_, answer) => {
    expect(run(id, answer)).toBeUndefined();
  });
});

test('a finding names the place in the description that it is about', () => {
  const observed = observe({ of: 'listPets', status: 200, headers: JSON_TYPE, body: '[{"id":1,"categoryId":1}]' });
  const [finding] = checkResponse(observed).findings;
  expect(finding?.spec).toBe('/components/schemas/NewPet/properties/name');
});

test('every item is judged, and the disagreements that are not listed are counted', () => {
  const body = `[${Array.from({ length: 50 }, () => '{"id":1,"categoryId":1}').join(',')}]`;
  const { findings } = checkResponse(observe({ of: 'listPets', status: 200, headers: JSON_TYPE, body }));
  expect(findings).toHaveLength(11);
  expect(findings.at(-1)?.message).toBe('… and 40 more of these');
  expect(findings.at(-1)?.omitted).toBe(40);
});

test('a list of many wrong items is not checked to its end', () => {
  const checkList = (items: number): number => {
    const body = `[${Array.from({ length: items }, () => '{"id":"1","categoryId":1}').join(',')}]`;
    const observed = observe({ of: 'listPets', status: 200, headers: JSON_TYPE, body });
    return countCallsSync(() => {
      const { findings } = checkResponse(observed);
      expect(findings.at(-1)?.message).toMatch(/^… and at least \d+ more of these$/);
    });
  };
  expect((checkList(4000) - checkList(2000)) / 2000).toBeLessThan(30);
});

test('of findings of one check no more are told than anybody reads, errors before warnings, and the rest is counted', () => {
  const unknown = Array.from({ length: 60_000 }, (_, index) => `"member${index}":0`).join(',');
  const body = `{"id":1,"name":"Rex","categoryId":1,"status":"available",${unknown}}`;
  const { findings } = checkResponse(observe({ of: 'getPet', status: 200, headers: JSON_TYPE, body }));
  const told = findings.filter(({ check }) => check === 'undocumented-members');
  expect(told).toHaveLength(101);
  expect(told.at(-1)).toMatchObject({ severity: 'warning', message: '… and 59900 more of these' });
});

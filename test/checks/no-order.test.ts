import { unexplainedThings } from '../../src/checks/together/no-order';
import { loadApi } from '../../src/files/load-api';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { loadText } from '../openapi/load-text';
import { added, missing, observeRun, read, removed, type Sent } from './exchanges';

const { api: PETSTORE } = loadApi();

/** What no order explains, as `PUT /pets/1: why`. */
function unexplained(sent: readonly Sent[], api: ApiModel = PETSTORE): string[] {
  const steps = observeRun(sent, api).map((exchange, index) => ({ name: `${index}`, exchange }));
  return unexplainedThings(api, steps).map(({ exchange, actual }) => `${exchange.method} ${exchange.path}: ${actual}`);
}

const put = (name: string, categoryId: number, more: Partial<Sent> = {}): Sent => ({
  to: 'PUT /pets/1',
  send: `{"name":"${name}","categoryId":${categoryId}}`,
  status: 200,
  body: `{"id":1,"name":"${name}","categoryId":${categoryId},"status":"available"}`,
  ...more,
});
const both = [put('Rex', 6), put('Ada', 7, { overlaps: true })];
const shows = (name: string, categoryId: number): Sent => ({
  ...read,
  body: `{"id":1,"name":"${name}","categoryId":${categoryId},"status":"available"}`,
});
const torn = shows('Rex', 7);

const tag = (value: string): Sent => ({ ...read, headers: ['ETag', value] });
const ifMatch = (value: string): Partial<Sent> => ({ requestHeaders: ['If-Match', value] });

const SPEAKS: readonly (readonly [name: string, sent: readonly Sent[], said: string])[] = [
  [
    'half of each of two replacements',
    [added, ...both, torn],
    'PUT /pets/1: "1" 200 (name "Rex", categoryId 6), "2" 200 ',
  ],
  ['a replacement that is lost', [added, ...both, read], 'PUT /pets/1: '],
  [
    'two changes with one entity tag',
    [added, tag('"a"'), put('Rex', 6, ifMatch('"a"')), put('Ada', 7, { ...ifMatch('"a"'), overlaps: true })],
    'PUT /pets/1: ',
  ],
  ['two removals', [added, removed, { ...removed, overlaps: true }], 'DELETE /pets/1: '],
  [
    'a change of what was removed at the same time, which is there',
    [added, removed, put('Rex', 6, { overlaps: true }), read],
    'PUT /pets/1: ',
  ],
  ['a read in between of what was not there yet', [added, removed, { ...read, overlaps: true }, read], 'GET /pets/1: '],
];

test.each(SPEAKS)('%s have no order', (_, sent, said) => {
  const [first = '', ...others] = unexplained(sent);
  expect(first.slice(0, said.length)).toBe(said);
  expect(others).toEqual([]);
});

const SILENT: readonly (readonly [name: string, sent: readonly Sent[]])[] = [
  ['the first of two replacements', [added, ...both, shows('Rex', 6)]],
  ['the second of two replacements', [added, ...both, shows('Ada', 7)]],
  ['one after the other', [added, put('Rex', 6), put('Ada', 7), torn]],
  [
    'a replacement that was not answered, and was done later',
    [added, put('Rex', 6), put('Ada', 7, { status: undefined, overlaps: true }), shows('Rex', 6), shows('Ada', 7)],
  ],
  [
    'a replacement that failed, and was done or not',
    [added, put('Rex', 6), put('Ada', 7, { status: 500, overlaps: true }), shows('Ada', 7)],
  ],
  ['values that nobody sent', [added, ...both, shows('REX', 6)]],
  ['a removal, and a read of before or after it', [added, removed, { ...read, overlaps: true }, missing]],
  ['a read of part of it', [added, ...both, { ...torn, to: 'GET /pets/1?fields=name' }]],
  ['a read by somebody else', [added, ...both, { ...torn, auth: 'reader' }]],
  [
    'a weak entity tag',
    [added, tag('W/"a"'), put('Rex', 6, ifMatch('W/"a"')), put('Ada', 7, { ...ifMatch('W/"a"'), overlaps: true })],
  ],
  [
    'any entity tag',
    [added, tag('"a"'), put('Rex', 6, ifMatch('*')), put('Ada', 7, { ...ifMatch('*'), overlaps: true })],
  ],
  [
    'changes with one entity tag that change nothing',
    [added, tag('"a"'), put('Zoë', 5, ifMatch('"a"')), put('Zoë', 5, { ...ifMatch('"a"'), overlaps: true })],
  ],
  [
    'something else that may have touched it',
    [added, ...both, { to: 'POST /store/orders', send: '{"petId":1}', status: 200 }, torn],
  ],
];

test.each(SILENT)('nothing is said of %s', (_, sent) => {
  expect(unexplained(sent)).toEqual([]);
});

test('items stand where the description puts them in a body', () => {
  const { api } = loadText(`
openapi: 3.0.3
info: { title: Wrapped, version: '1' }
paths:
  /notes:
    post:
      operationId: add
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Wrapped' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Wrapped' } } } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: get
      responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Wrapped' } } } } }
    put:
      operationId: put
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Wrapped' } } } }
      responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Wrapped' } } } } }
components:
  schemas:
    Wrapped: { type: object, required: [note], properties: { note: { $ref: '#/components/schemas/Note' } } }
    Note: { type: object, properties: { id: { type: string, readOnly: true }, text: { type: string }, title: { type: string } } }
`);
  const note = (text: string, title: string): string => `{"note":{"id":"1","text":"${text}","title":"${title}"}}`;
  const change = (text: string, title: string): Sent => ({
    to: 'PUT /notes/1',
    send: note(text, title),
    status: 200,
    body: note(text, title),
  });
  const group = [change('a', 'A'), { ...change('b', 'B'), overlaps: true as const }];
  expect(unexplained([...group, { to: 'GET /notes/1', status: 200, body: note('b', 'B') }], api)).toEqual([]);
  expect(unexplained([...group, { to: 'GET /notes/1', status: 200, body: note('b', 'A') }], api)).toHaveLength(1);
});

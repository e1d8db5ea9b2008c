import {
  added,
  GONE,
  missing,
  NEW_PET,
  PET,
  read,
  removed,
  type Sent,
  withPutThatMakes,
  withSoldKept,
} from '../exchanges';

export interface RunCases {
  /** Runs that the check finds fault with, and the beginnings of what it says. */
  readonly speaks: readonly (readonly [name: string, sent: readonly Sent[], ...findings: string[]])[];
  readonly silent: readonly (readonly [name: string, sent: readonly Sent[]])[];
  /** Changes the text of the description before it is read. */
  readonly describedAs?: (text: string) => string;
}

const named = (name: string, more: Partial<Sent> = {}): Sent => ({ ...read, body: PET.replace('Zoë', name), ...more });
const sold: Sent = { ...read, body: PET.replace('available', 'sold') };
const put = (name: string, more: Partial<Sent> = {}): Sent => {
  const send = NEW_PET.replace('Zoë', name);
  return { to: 'PUT /pets/1', send, status: 200, body: PET.replace('Zoë', name), ...more };
};
const madeAt = (time: string, name = 'Zoë'): Sent =>
  named(name, { body: PET.replace('Zoë', name).replace('}', `,"createdAt":"${time}"}`) });
const tagged = (tag: string, body: string): Sent => ({ ...read, headers: ['ETag', tag], body });
const head = (status: number, ...headers: readonly string[]): Sent => ({ to: 'HEAD /pets/1', status, headers });
const typed = (type: string): Sent => ({ ...read, headers: ['Content-Type', type] });
const listed = (name: string, status = '"available"'): Sent => {
  const body = `[${PET.replace('Zoë', name).replace('"available"', status)}]`;
  return { to: 'GET /pets', status: 200, body };
};
const allows = (methods: string): Sent => ({ to: 'OPTIONS /pets/1', status: 204, headers: ['Allow', methods] });
const owlsAs = (description?: string): string =>
  JSON.stringify({ id: 5, name: 'Owls', ...(description === undefined ? {} : { description }) });
const readOwls = (description?: string): Sent => ({ to: 'GET /categories/5', status: 200, body: owlsAs(description) });
const owls = (description?: string): Sent => {
  const body = owlsAs(description);
  return { to: 'PUT /categories/5', send: body.replace('"id":5,', ''), status: 200, body };
};
const stock = (sent: number, quantity: number): Sent => {
  const body = `{"petId":1,"quantity":${quantity},"status":"available"}`;
  return { to: 'PATCH /inventory/1', send: `{"quantity":${sent}}`, status: 200, body };
};
const refused = (to: string, status: number, code: string, more: Partial<Sent> = {}): Sent => {
  return { to, status, body: `{"code":"${code}","message":"no","status":${status}}`, ...more };
};
const otherPet: Sent = {
  to: 'POST /pets',
  send: '{"name":"Rex","categoryId":5}',
  status: 201,
  body: PET.replace('"id":1', '"id":77'),
};
/** With the same key once more: the answer is that of the first time, whatever became of the thing. */
const repeatable: Sent = { ...added, requestHeaders: ['Idempotency-Key', 'a'] };
/** A page of pets, which leads on to the next one by the cursor `b`. */
const pets = (query: string, ...keys: readonly number[]): Sent => ({
  to: `GET /pets?${query}`,
  status: 200,
  headers: query.includes('cursor') ? [] : ['Link', `</pets?${query}&cursor=b>; rel="next"`],
  body: `[${keys.map((key) => PET.replace('1', String(key))).join()}]`,
});
const order: Sent = { to: 'POST /store/orders', send: '{"petId":1}', status: 201, body: '{"id":90,"petId":1}' };

export const RUN_CASES: Readonly<Record<string, RunCases>> = {
  'deleted-gone': {
    speaks: [
      [
        'what is still there as it was',
        [added, removed, read],
        'error 2<1 /response/status: /pets/{petId} was removed, and is still there',
      ],
      ['what nobody had seen before', [removed, read], 'error 1<0 /response/status: '],
      ['what is still there a while later', [added, removed, missing, read], 'error 3<1 /response/status: '],
      [
        'what is gone only later',
        [added, removed, read, missing],
        'warning 2<1 /response/status: /pets/{petId} was removed, and was gone only',
      ],
      [
        'what is gone only after it was removed once more, one time',
        [added, removed, read, removed, read, removed, missing],
        'error 2<1 /response/status: ',
      ],
      [
        'what is there in another form',
        [added, removed, named('Ghost')],
        'warning 2<1 /response/status: /pets/{petId} was removed, and something',
      ],
      ['what is there although an order of another pet was placed', [added, removed, otherPet, read], 'error 3<1 '],
    ],
    silent: [
      ['what is gone', [added, removed, missing]],
      ['what was made again by PUT', [added, removed, put('New', { status: 201 }), named('New')]],
      ['a key that was given again', [added, removed, added, read]],
      ['an error under a 200, which is said already', [added, removed, { ...read, body: GONE }]],
      ['a refusal under a 200, which is said already', [added, { ...removed, status: 200, body: GONE }, read]],
      ['null, which is said already', [added, removed, { ...read, body: 'null' }]],
      [
        'a creation that was never answered',
        [added, removed, { to: 'POST /pets', send: NEW_PET, status: undefined }, read],
      ],
      ['a removal that was refused', [added, { ...removed, status: 409, body: GONE }, read]],
      ['a removal that was only accepted', [added, { ...removed, status: 202 }, read]],
      ['a read that overlaps the removal', [added, removed, { ...read, overlaps: true }]],
      ['a read that the contract expects', [added, removed, { ...read, expects: [200] }]],
      ['a read of something else', [added, removed, { ...read, to: 'GET /pets/2', body: PET.replace('1', '2') }]],
    ],
  },
  'created-readable': {
    speaks: [
      [
        'what cannot be read',
        [added, missing],
        'error 1<0 /response/status: /pets/{petId} was created, and cannot be read',
      ],
      ['what cannot be read after a while', [added, read, otherPet, missing], 'error 3<0 /response/status: '],
      [
        'what can be read only later',
        [added, missing, read],
        'warning 1<0 /response/status: /pets/{petId} was created, and could be read only',
      ],
      [
        'what Location leads to',
        [
          { to: 'POST /inventory', status: 201, headers: ['Location', '/x'] },
          { ...added, body: '{}', headers: ['Location', 'pets/1'] },
          missing,
        ],
        'error 2<1 ',
      ],
    ],
    silent: [
      ['what can be read', [added, read]],
      ['what was removed', [added, removed, missing]],
      ['what a removal without an answer may have taken', [added, { ...removed, status: undefined }, missing]],
      ['what went with its category', [added, { to: 'DELETE /categories/5', status: 204 }, missing]],
      [
        'what went with a category that it names by that word',
        [
          { ...added, send: '{"name":"Zoë","category":5}', body: '{"id":1,"name":"Zoë","category":5}' },
          { to: 'DELETE /categories/5', status: 204 },
          missing,
        ],
      ],
      ['what another caller cannot see', [added, { ...missing, auth: 'somebody' }]],
      ['a read that was under way', [added, { ...missing, overlaps: true }]],
      ['a read that the contract expects to fail', [added, { ...missing, expects: [404] }]],
      ['an operation that has ended', [added, { ...missing, status: 410 }]],
      ['a creation that was repeated by its key after the removal', [repeatable, removed, repeatable, missing]],
    ],
  },
  echo: {
    speaks: [
      [
        'another value in the answer',
        [{ ...added, body: PET.replace('ë', '?') }],
        'error 0<0 /response/body/name: The property "name" that createPet sent does not come back as it was',
      ],
      [
        'another value in the next read',
        [added, named('ZOË')],
        'error 1<0 /response/body/name: The property "name" that createPet sent does not come back as it was',
      ],
      [
        'a dropped member that other answers show',
        [
          { to: 'POST /categories', send: '{"name":"a","description":"b"}', status: 201, body: '{"id":5,"name":"a"}' },
          { to: 'GET /categories/5', status: 200, body: '{"id":5,"name":"a"}' },
          { to: 'GET /categories', status: 200, body: '[{"id":1,"name":"c","description":"d"}]' },
        ],
        'error 1<0 /response/body/description: The property "description" that createCategory sent does not come back as it was',
      ],
      [
        'a member that no response ever shows',
        [
          { to: 'POST /categories', send: '{"name":"a","description":"b"}', status: 201, body: '{"id":5,"name":"a"}' },
          { to: 'GET /categories/5', status: 200, body: '{"id":5,"name":"a"}' },
          { to: 'GET /categories', status: 200, body: '[{"id":1,"name":"c"}]' },
        ],
        'warning 1<0 /response/body/description: The property "description" that createCategory sent does not come back as it was',
      ],
      [
        'a member that the answer leaves out, when nobody read',
        [{ to: 'POST /categories', send: '{"name":"a","description":"b"}', status: 201, body: '{"id":5,"name":"a"}' }],
        'warning 0<0 /response/body/description: ',
      ],
      ['a replacement that is not kept', [added, put('New'), read], 'error 2<1 /response/body/name: '],
      ['an answer that is stale', [added, put('New', { body: PET })], 'error 1<1 /response/body/name: '],
      ['a replacement that shows only later', [put('New'), read, named('New')], 'warning 1<0 /response/body/name: '],
      [
        'an int64 that lost its last digit',
        [
          {
            ...added,
            send: '{"name":"Zoë","categoryId":9007199254740993}',
            body: PET.replace('5', '9007199254740992'),
          },
        ],
        'error 0<0 /response/body/categoryId: ',
      ],
      [
        'a member of the same name, of which nobody knows whether it is the same',
        [
          {
            to: 'PATCH /inventory/1',
            send: '{"quantity":3}',
            status: 200,
            body: '{"petId":1,"quantity":2,"status":"available"}',
          },
        ],
        'warning 0<0 /response/body/quantity: ',
      ],
      [
        'a member of the same name that came back before',
        [
          { ...stock(0, 2), to: 'GET /inventory/1', send: '' },
          stock(3, 3),
          { to: 'GET /inventory/1', status: 200, body: '{"petId":1,"quantity":3,"status":"available"}' },
          stock(5, 4),
        ],
        'error 3<3 /response/body/quantity: ',
      ],
      [
        'an answer that shows the item of before',
        [read, put('New', { body: PET }), named('New')],
        'error 1<0 /response/body: The response to replacePet shows the item as it was before',
      ],
      [
        'another moment',
        [
          {
            to: 'POST /store/orders',
            send: '{"shipDate":"2026-01-15T10:30:00Z"}',
            status: 201,
            body: '{"id":9,"shipDate":"2026-01-15T10:30:00+01:00"}',
          },
        ],
        'error 0<0 /response/body/shipDate: ',
      ],
    ],
    silent: [
      ['a creation that was repeated by its key after a change', [repeatable, put('New'), repeatable, named('New')]],
      ['what comes back', [added, read]],
      [
        'what comes back one level deeper',
        [
          {
            to: 'POST /categories',
            send: '{"name":"a","description":"b"}',
            status: 201,
            body: '{"id":5,"name":"a","details":{"description":"b"}}',
          },
        ],
      ],
      [
        'a moment that is written differently',
        [
          {
            to: 'POST /store/orders',
            send: '{"shipDate":"2026-01-15T10:30:00Z"}',
            status: 201,
            body: '{"id":9,"shipDate":"2026-01-15T11:30:00.000+01:00"}',
          },
        ],
      ],
      ['a number that is written differently', [{ ...added, body: PET.replace('5', '5.0') }]],
      [
        'null that comes back as nothing',
        [
          {
            ...added,
            send: '{"name":"Zoë","categoryId":5,"status":null}',
            body: '{"id":1,"name":"Zoë","categoryId":5}',
          },
        ],
      ],
      [
        'a value that breaks its schema, which is said already',
        [
          { ...added, body: PET.replace('5', '"5"') },
          { ...read, body: '{"id":1,"categoryId":5}' },
        ],
      ],
      ['a refusal under a 200, which is said already', [added, put('New', { body: GONE })]],
      ['what the server chose', [{ ...added, send: '{"id":7,"name":"Zoë","categoryId":5}' }]],
      ['an answer without a body', [{ ...added, body: undefined }]],
      [
        'a short answer, when a read shows the rest',
        [
          { to: 'POST /categories', send: '{"name":"a","description":"b"}', status: 201, body: '{"id":5,"name":"a"}' },
          { to: 'GET /categories/5', status: 200, body: '{"id":5,"name":"a","description":"b"}' },
        ],
      ],
      ['a read after another write of it', [added, put('New'), named('New')]],
      [
        'a status that an order changed',
        [
          { ...added, send: NEW_PET.replace('}', ',"status":"available"}') },
          order,
          { ...read, body: PET.replace('available', 'pending') },
        ],
      ],
      [
        'a status that the removal of an order changed',
        [
          order,
          put('Zoë', { send: NEW_PET.replace('}', ',"status":"available"}') }),
          { to: 'DELETE /store/orders/90', status: 204 },
          { ...read, body: PET.replace('available', 'sold') },
        ],
      ],
      ['a read that overlaps a write', [added, put('New'), { ...read, overlaps: true }]],
      ['a write that was refused', [{ ...added, status: 400, body: GONE }]],
      ['a write that was never answered', [added, { ...put('New'), status: undefined }, named('New')]],
    ],
  },
  identity: {
    speaks: [
      [
        'one key for several, one time',
        [added, added, added],
        'error 1<0 /response/body: Two creations both got one /pets/{petId}',
      ],
      ['one key for two at a time', [added, { ...added, overlaps: true }], 'error 1<0 /response/body: '],
      [
        'the key of a reference',
        [
          { ...added, body: PET.replace('"id":1', '"id":5') },
          { ...added, body: PET.replace('"id":1', '"id":5') },
        ],
        'error 1<0 ',
      ],
      [
        'a key that changed',
        [added, put('New', { body: PET.replace('"id":1', '"id":2') })],
        'error 1<1 /response/body/id: PUT /pets/{petId} returned ano',
      ],
      [
        'the answer to another read',
        [{ ...read, body: PET.replace('"id":1', '"id":2') }],
        'error 0<0 /response/body/id: GET /pets/{petId} returned ano',
      ],
      [
        'another stock',
        [{ to: 'GET /inventory/1', status: 200, body: '{"petId":2,"quantity":0,"status":"sold"}' }],
        'error 0<0 /response/body/petId: ',
      ],
    ],
    silent: [
      ['a key for each', [added, otherPet, read]],
      ['a space of keys for each caller', [added, { ...added, auth: 'somebody' }]],
      [
        'a Location that is none, and one that leads elsewhere',
        ['it is there', 'it is there', '/queue', '/queue'].map((location) => ({
          ...added,
          body: undefined,
          headers: ['Location', location],
        })),
      ],
      ['a key that was given again after a removal', [added, removed, added]],
      [
        'the same creation, repeated by its key',
        [
          { ...added, requestHeaders: ['Idempotency-Key', 'a'] },
          { ...added, requestHeaders: ['idempotency-key', 'a'] },
        ],
      ],
      [
        'a key that the client chose',
        [
          { ...added, send: PET },
          { ...added, send: PET },
        ],
      ],
      [
        'the same number, written differently',
        [
          { ...read, body: PET.replace('"id":1', '"id":1.0') },
          { ...read, to: 'GET /pets/01' },
        ],
      ],
      [
        'one key in two collections',
        [added, { to: 'POST /categories', send: '{"name":"a"}', status: 201, body: '{"id":1,"name":"a"}' }],
      ],
      ['a list', [{ to: 'GET /pets', status: 200, body: `[${PET}]` }]],
    ],
  },
  'code-stable': {
    speaks: [
      [
        'another code for the same read',
        [refused('GET /pets/9', 404, 'a'), otherPet, refused('GET /pets/9', 404, 'b')],
        'error 2<0 /response/body/code: GET /pets/{petId} is rejected with 404',
      ],
      [
        'another code for the same write',
        [refused('POST /pets', 400, 'a', { send: '{}' }), refused('POST /pets', 400, 'b', { send: '{ }' })],
        'error 1<0 ',
      ],
      [
        'another code for the same bad credentials, whatever is asked for',
        [refused('GET /pets/1', 401, 'a', { auth: 'none' }), refused('GET /pets/2', 401, 'b', { auth: 'none' })],
        'error 1<0 ',
      ],
    ],
    silent: [
      ['the same code', [missing, missing]],
      ['another message', [missing, { ...missing, body: GONE.replace('none', 'nothing') }]],
      ['another status', [refused('GET /pets/9', 404, 'a'), refused('GET /pets/9', 410, 'b')]],
      [
        'other bad credentials',
        [refused('GET /pets/1', 401, 'a', { auth: 'none' }), refused('GET /pets/1', 401, 'b', { auth: 'empty' })],
      ],
      ['a write in between', [refused('DELETE /pets/1', 409, 'a'), order, refused('DELETE /pets/1', 409, 'b')]],
      [
        'another header',
        [
          refused('PUT /pets/1', 412, 'a', { requestHeaders: ['If-Match', '"1"'] }),
          refused('PUT /pets/1', 412, 'b', { requestHeaders: ['If-Match', '"2"'] }),
        ],
      ],
      ['no code at all, which is said already', [missing, { ...missing, body: '{"message":"none"}' }]],
    ],
  },
  'code-distinct': {
    speaks: [
      [
        'one code for two statuses, once',
        [refused('GET /pets/9', 404, 'a'), refused('POST /pets', 400, 'a'), refused('POST /pets', 409, 'a')],
        'warning 1<0 /response/body: The code a stands for two statuses',
      ],
      [
        'one code for a missing key and something else, after what is less bad',
        [refused('GET /pets/9', 404, 'a'), refused('POST /pets', 400, 'a'), refused('POST /pets', 401, 'a')],
        'warning 1<0 /response/body: ',
        'error 2<0 /response/body: ',
      ],
      [
        'one code for a refusal and a failure',
        [refused('GET /pets/9', 404, 'a'), refused('GET /pets', 500, 'a')],
        'error 1<0 /response/body: ',
      ],
      [
        'one code for a status that the description does not have there',
        [refused('GET /pets/9', 404, 'a'), refused('GET /pets', 409, 'a')],
        'error 1<0 /response/body: ',
      ],
    ],
    silent: [
      [
        'one code for one status, at several places',
        [refused('GET /pets/9', 404, 'a'), refused('GET /categories/9', 404, 'a')],
      ],
      ['two codes for one status', [refused('GET /pets/9', 404, 'a'), refused('GET /nowhere', 404, 'b')]],
      [
        'what a contract asks for',
        [
          refused('GET /pets/9', 404, 'a', { expects: [404], codes: ['a'] }),
          refused('POST /pets', 400, 'a', { expects: [400], codes: ['a', 'b'] }),
        ],
      ],
    ],
  },
  'etag-changes': {
    speaks: [
      [
        'one tag for two bodies',
        [tagged('"a"', PET), put('New'), tagged('"a"', PET.replace('Zoë', 'New'))],
        'error 2<0 /response/headers/etag: GET /pets/{petId} has another body',
      ],
      [
        'two tags for one body',
        [tagged('"a"', PET), tagged('"b"', PET)],
        'warning 1<0 /response/headers/etag: GET /pets/{petId} has another ETag',
      ],
      [
        'the tag of before in the response to a change',
        [tagged('"a"', PET), put('New', { headers: ['ETag', '"a"'] }), tagged('"b"', PET.replace('Zoë', 'New'))],
        'error 1<0 /response/headers/etag: The response to replacePet has the ETag that the item had before',
      ],
      [
        'another tag than that of the next read in the response to a change',
        [tagged('"a"', PET), put('New', { headers: ['ETag', '"c"'] }), tagged('"b"', PET.replace('Zoë', 'New'))],
        'warning 1<2 /response/headers/etag: The response to replacePet has another ETag than the next read',
      ],
      [
        'the tag of before in the response to what changes nothing, of which others may have made a change',
        [tagged('"a"', PET), put('Zoë', { headers: ['ETag', '"a"'] }), tagged('"b"', PET.replace('5', '6'))],
        'warning 1<2 /response/headers/etag: The response to replacePet has another ETag than the next read',
      ],
    ],
    silent: [
      [
        'a change with the tag of the next read',
        [tagged('"a"', PET), put('New', { headers: ['ETag', '"b"'] }), tagged('"b"', PET.replace('Zoë', 'New'))],
      ],
      [
        'a change with a tag, and another one after it',
        [put('New', { headers: ['ETag', '"b"'] }), put('Newer'), tagged('"c"', PET.replace('Zoë', 'Newer'))],
      ],
      [
        'a change that is accepted, and one with a weak tag',
        [
          tagged('"a"', PET),
          put('New', { status: 202, headers: ['ETag', '"a"'] }),
          tagged('"b"', PET.replace('Zoë', 'New')),
          put('Newer', { headers: ['ETag', 'W/"b"'] }),
          tagged('"c"', PET.replace('Zoë', 'Newer')),
        ],
      ],
      [
        'a tag that says how the body was coded',
        [put('New', { headers: ['ETag', '"b"'] }), tagged('"b-gzip"', PET.replace('Zoë', 'New'))],
      ],
      [
        'a tag for each body',
        [
          tagged('"a"', PET),
          put('New'),
          tagged('"b"', PET.replace('Zoë', 'New')),
          tagged('"b"', PET.replace('Zoë', 'New')),
        ],
      ],
      ['the tag of before for the body of before', [tagged('"a"', PET), tagged('"b"', '{}'), tagged('"a"', PET)]],
      ['a tag that counts versions', [tagged('"1"', PET), tagged('"2"', '{}'), tagged('"3"', PET)]],
      ['members in another order', [tagged('"a"', '{"id":1,"name":"a"}'), tagged('"a"', '{"name":"a","id":1.0}')]],
      ['a weak tag', [tagged('W/"a"', PET), tagged('W/"a"', '{}')]],
      ['no tags', [read, named('New')]],
      [
        'other pages',
        [
          { ...tagged('"a"', '[]'), to: 'GET /pets?limit=1' },
          { ...tagged('"a"', '[1]'), to: 'GET /pets?limit=2' },
        ],
      ],
    ],
  },
  'put-idempotent': {
    speaks: [
      [
        'a member that changed',
        [put('New'), put('New', { body: PET.replace('Zoë', 'New (2)') })],
        'error 1<0 /response/body/name: PUT /pets/{petId} has another effect',
      ],
      [
        'a second creation',
        [put('New', { status: 201 }), put('New', { status: 201 })],
        'error 1<0 /response/status: PUT /pets/{petId} created the same item ',
      ],
      [
        'a number that nobody sent',
        [
          { ...put('New'), send: '{"name":"New"}' },
          { ...put('New', { body: PET.replace('Zoë', 'New').replace('5', '6') }), send: '{"name":"New"}' },
        ],
        'warning 1<0 /response/body/categoryId: ',
      ],
    ],
    silent: [
      ['the same outcome', [put('New'), put('New')]],
      [
        'members that nobody documented',
        [put('New'), put('New', { body: PET.replace('Zoë', 'New').replace('}', ',"revision":8}') })],
      ],
      ['a creation and a replacement', [put('New', { status: 201 }), put('New')]],
      ['another creation after a removal', [put('New', { status: 201 }), removed, put('New', { status: 201 })]],
      ['another body', [put('New'), put('Newer')]],
      ['a write in between', [put('New'), put('Other'), put('New', { body: PET })]],
      ['no body', [put('New', { status: 204, body: undefined }), put('New', { status: 204, body: undefined })]],
    ],
  },
  'read-repeatable': {
    speaks: [
      ['another body', [read, named('New')], 'warning 1<0 /response/body: GET /pets/{petId} gave another body'],
      [
        'another order',
        [
          { to: 'GET /pets', status: 200, body: '[1,2]' },
          { to: 'GET /pets', status: 200, body: '[2,1]' },
        ],
        'warning 1<0 /response/body: GET /pets gave the same items in another order',
      ],
    ],
    silent: [
      ['the same body', [read, read]],
      ['a write in between', [read, put('New'), named('New')]],
      ['a write that is not over', [{ ...put('New'), status: undefined }, read, named('New')]],
      ['another caller', [read, named('New', { auth: 'somebody' })]],
      ['another language', [read, named('New', { requestHeaders: ['Accept-Language', 'fr'] })]],
    ],
  },
  lists: {
    speaks: [
      [
        'pages that show an item twice',
        [pets('limit=3', 1, 2, 3), pets('limit=1', 1), pets('limit=1&cursor=b', 1), pets('limit=3', 1, 2, 3)],
        'error 2<1 /response/body: GET /pets leads on to items that it has shown before',
      ],
      [
        'a link that leads to the same page',
        [{ ...pets('limit=1&cursor=b', 2), headers: ['Link', '<http://x/pets?limit=1&cursor=b>; rel="next"'] }],
        'error 0<0 /response/headers/link: GET /pets leads on to the same page',
      ],
      [
        'a total that is less than what is shown',
        [{ ...pets('limit=2', 1, 2), headers: ['X-Total-Count', '1'] }],
        'error 0<0 /response/body: GET /pets tells a total that is less than what it shows',
      ],
      [
        'another order than was asked for',
        [pets('sort=-id', 1, 2)],
        'error 0<0 /response/body/*/id: GET /pets is not in the order of "sort"',
      ],
      [
        'what was not asked for',
        [{ to: 'GET /pets?status=sold', status: 200, body: `[${PET}]` }],
        'error 0<0 /response/body/*/status: GET /pets shows an item with another value than it was asked for by "status"',
      ],
    ],
    silent: [
      ['pages that fit together', [pets('limit=3', 1, 2, 3), pets('limit=1', 1), pets('limit=1&cursor=b', 2)]],
      ['a list to which the run added', [pets('limit=2', 2, 1), added, pets('limit=2', 1, 2)]],
      ['the order that was asked for', [pets('sort=-id', 2, 1)]],
    ],
  },
  'head-like-get': {
    speaks: [
      [
        'another status between two equal reads',
        [missing, head(200), missing],
        'error 1<2 /response/status: HEAD /pets/{petId} has another status than GET',
      ],
      [
        'a success where a read has no key',
        [refused('GET /pets/1', 401, 'a', { auth: 'none' }), { ...head(200), auth: 'none' }],
        'error 1<0 /response/status: ',
      ],
      ['another status beside one read', [missing, head(200)], 'warning 1<0 /response/status: HEAD /pets/{petId} has'],
      ['another success', [read, head(204), read], 'warning 1<2 /response/status: HEAD /pets/{petId} has another'],
      [
        'no HEAD where there is GET, one time',
        [read, head(405), read, { ...head(501), to: 'HEAD /pets' }, { to: 'GET /pets', status: 200, body: '[]' }],
        'warning 1<2 /response/status: HEAD is rejected where GET is not',
      ],
      [
        'another length',
        [read, head(200, 'Content-Length', '10'), read],
        'error 1<2 /response/headers/content-length: HEAD /pets/{petId} has another Content-Length',
      ],
      [
        'no byte beside one read',
        [head(200, 'Content-Length', '0'), read],
        'error 0<1 /response/headers/content-length: ',
      ],
      [
        'another length beside one read',
        [read, head(200, 'Content-Length', '10')],
        'warning 1<0 /response/headers/content-length: ',
      ],
      [
        'another length than one of reads that differ',
        [read, head(200, 'Content-Length', '10'), named('Newer')],
        'warning 1<2 /response/headers/content-length: ',
      ],
      [
        'another tag',
        [tagged('"a"', PET), head(200, 'ETag', '"b"'), tagged('"a"', PET)],
        'error 1<2 /response/headers/etag: HEAD /pets/{petId} has another ETag',
      ],
      [
        'another type',
        [typed('application/json'), head(200, 'Content-Type', 'text/html'), typed('application/json')],
        'warning 1<2 /response/headers/content-type: HEAD /pets/{petId} has another Content-Type',
      ],
    ],
    silent: [
      ['the same headers', [read, head(200, 'Content-Length', String(Buffer.byteLength(PET))), read]],
      ['no headers at all', [{ ...read, headers: ['ETag', '"a"', 'Content-Type', 'application/json'] }, head(200)]],
      ['a write in between', [read, removed, head(404)]],
      ['a write that may not be over', [{ ...put('New'), status: undefined }, read, head(404)]],
      ['a HEAD that overlaps', [removed, read, { ...head(404), overlaps: true }]],
      ['too many requests', [read, head(429), read]],
      ['a failure', [read, head(503), read]],
      ['another caller', [read, { ...head(401), auth: 'none' }]],
      [
        'another form',
        [read, head(200, 'Content-Length', '0')].map((each, at) =>
          at === 0 ? { ...each, requestHeaders: ['Accept', 'text/csv'] } : each,
        ),
      ],
      [
        'a body that was compressed',
        [{ ...read, headers: ['Content-Encoding', 'gzip'] }, head(200, 'Content-Length', '9')],
      ],
      [
        'a length that was changed on the way',
        [{ ...read, headers: ['Content-Length', '9'] }, head(200, 'Content-Length', '9')],
      ],
      ['a weak tag', [tagged('W/"a"', PET), head(200, 'ETag', 'W/"b"')]],
      ['a charset', [typed('application/json'), head(200, 'Content-Type', 'Application/JSON; charset=utf-8')]],
      ['a refusal that the contract expects', [read, { ...head(405), expects: [405] }, read]],
      ['HEAD of what is not there', [missing, head(404), missing]],
    ],
  },
  'list-like-item': {
    describedAs: (text) => text.replace("The animal's name;", "The animal's name, hidden in lists;"),
    speaks: [
      [
        'another value in the list, one time',
        [read, listed('Rex'), read, listed('Rex'), read],
        'error 1<0 /response/body/*/name: GET /pets shows another "name" than GET /pets/{petId}',
      ],
      [
        'a value of before in the list',
        [read, put('New'), named('New'), listed('Zoë'), named('New')],
        'warning 3<2 /response/body/*/name: GET /pets shows another "name" than GET /pets/{petId}: one of before',
      ],
    ],
    silent: [
      ['the same values', [read, listed('Zoë'), read]],
      ['one read alone', [read, listed('Rex')]],
      ['reads that differ', [read, listed('Rex'), named('New')]],
      ['a write in between', [read, listed('New'), put('New'), named('Zoë')]],
      ['another caller', [read, { ...listed('Rex'), auth: 'somebody' }, read]],
      ['a text that is cut', [named('Old Shatterhand'), listed('Old Shat…'), named('Old Shatterhand')]],
      ['a value that lists hold back', [read, listed('****'), read]],
      ['a summary', [read, { to: 'GET /pets', status: 200, body: '[{"id":1,"status":null}]' }, read]],
      ['a code in another case', [read, listed('Zoë', '"AVAILABLE"'), read]],
      [
        'another item',
        [read, { to: 'GET /pets', status: 200, body: `[${PET.replace('1', '2').replace('Zoë', 'Rex')}]` }, read],
      ],
    ],
  },
  'creation-time': {
    speaks: [
      [
        'a change that makes it anew',
        [madeAt('2026-01-31T11:00:00.120Z'), put('New'), madeAt('2026-01-31T11:00:00.125Z', 'New')],
        'error 2<1 /response/body/createdAt: replacePet changes "createdAt" of /pets/{petId}',
      ],
    ],
    silent: [
      ['the same time', [madeAt('2026-01-31T11:00:00Z'), put('New'), madeAt('2026-01-31T12:00:00+01:00', 'New')]],
      ['fewer digits', [madeAt('2026-01-31T11:00:00.126Z'), put('New'), madeAt('2026-01-31T11:00:00.13Z', 'New')]],
      ['no time', [madeAt('today'), put('New'), madeAt('yesterday', 'New')]],
      [
        'what is made anew',
        [madeAt('2026-01-31T11:00:00Z'), removed, put('New', { status: 201 }), madeAt('2026-02-01T11:00:00Z')],
      ],
      [
        'what the client says',
        [
          madeAt('2026-01-31T11:00:00Z'),
          put('New', { send: '{"name":"New","categoryId":5,"createdAt":"2026-02-01T11:00:00Z"}' }),
          madeAt('2026-02-01T11:00:00Z', 'New'),
        ],
      ],
    ],
  },
  'put-creates': {
    describedAs: withPutThatMakes,
    speaks: [
      [
        'a 200 for what was not there, one time',
        [missing, put('New'), removed, missing, put('New')],
        'error 1<0 /response/status: PUT /pets/{petId} made what was not there, and says that it was',
      ],
      [
        'a 204 for what has ended',
        [{ ...missing, status: 410 }, put('New', { status: 204, body: undefined })],
        'error 1<0 ',
      ],
    ],
    silent: [
      ['a 201', [missing, put('New', { status: 201 })]],
      ['what is there', [read, put('New')]],
      ['what nobody looked for', [put('New')]],
      ['what another caller does not find', [{ ...missing, auth: 'somebody' }, put('New')]],
      ['what was made in between', [missing, put('New', { status: 201 }), put('Newer')]],
      ['what may have been made in between', [missing, put('New', { status: undefined, body: undefined }), put('New')]],
      ['what is only accepted', [missing, put('New', { status: 202 })]],
      ['a refusal', [missing, put('New', { status: 404, body: GONE })]],
      ['what the contract expects', [missing, put('New', { expects: [200] })]],
      [
        'an operation that documents no 201',
        [
          { to: 'GET /inventory/1', status: 404, body: GONE },
          { ...stock(3, 3), to: 'PUT /inventory/1' },
        ],
      ],
    ],
  },
  'allow-complete': {
    speaks: [
      [
        'an OPTIONS without a method that was taken before, one time',
        [put('New'), allows('GET, HEAD'), allows('GET')],
        'error 1<0 /response/headers/allow: Allow of OPTIONS /pets/{petId} lacks PUT, which the path takes',
      ],
      [
        'a 405 without a method that was taken after it',
        [{ ...allows('GET'), to: 'POST /pets/1', status: 405 }, removed],
        'error 0<1 /response/headers/allow: Allow of POST /pets/{petId} lacks DELETE',
      ],
    ],
    silent: [
      ['all methods', [put('New'), allows('GET,PUT , DELETE')]],
      ['a method that was refused', [put('New', { status: 404, body: GONE }), allows('GET')]],
      ['no word of HEAD and OPTIONS', [head(200), { ...allows('GET'), headers: [] }, allows('GET')]],
      ['another path', [put('New'), { ...allows('GET'), to: 'OPTIONS /pets/2' }]],
      ['another caller', [put('New'), { ...allows('GET'), auth: 'somebody' }]],
      ['what was removed', [put('New'), removed, allows('GET')]],
      ['an OPTIONS that was refused', [put('New'), { ...allows('GET'), status: 403 }]],
    ],
  },
  'removed-values': {
    speaks: [
      [
        'what a PUT leaves out and keeps, one time',
        [owls('They hoot'), owls(), readOwls('They hoot'), owls('They hoot'), owls(), readOwls('They hoot')],
        'error 2<1 /response/body/description: PUT /categories/{categoryId} keeps "description", which it left out',
      ],
    ],
    silent: [
      ['what is gone', [owls('They hoot'), owls(), readOwls()]],
      ['what has another value', [owls('They hoot'), owls(), readOwls('None')]],
      ['what others set', [readOwls('They hoot'), owls(), readOwls('They hoot')]],
      ['what was set again', [owls('They hoot'), owls(), owls('They hoot'), readOwls('They hoot')]],
      ['what is only accepted', [owls('They hoot'), { ...owls(), status: 202 }, readOwls('They hoot')]],
      ['what was refused', [owls('They hoot'), { ...owls(), status: 409, body: GONE }, readOwls('They hoot')]],
      [
        'what the description keeps',
        [put('New', { send: NEW_PET.replace('}', ',"status":"available"}') }), put('Newer'), named('Newer')],
      ],
    ],
  },
  'said-rules': {
    describedAs: withSoldKept,
    speaks: [
      [
        'what is done in a state that the words rule out',
        [sold, removed],
        'error 1<0 /response/status: deletePet is done in a state in which the description says that it is refused',
      ],
    ],
    silent: [
      ['another state', [read, removed]],
      ['a refusal', [sold, { ...removed, status: 409 }]],
      ['what changed in between', [sold, put('Zoë'), removed]],
      ['what another caller saw', [{ ...sold, auth: 'other' }, removed]],
      ['what a contract expects', [sold, { ...removed, expects: [204] }]],
      ['what nobody had seen', [removed, sold]],
    ],
  },
};

import { NOW, objectOf, smallMock } from './small-mock';
import { inPath, needs, ref } from '../../support/flow';

/** A response with a JSON body of a schema, as YAML flow. */
const ok = (schema: string, status = 200): string =>
  `'${status}': { description: ok, content: { application/json: { schema: ${schema} } } }`;
const listOf = (schema: string): string => `{ type: array, items: ${schema} }`;

describe('a key that no member holds', () => {
  const NOTES = `
paths:
  /notes:
    get: { responses: { ${ok(listOf(ref('Note')))} } }
    post: { ${needs(ref('Note'))}, responses: { ${ok(ref('Note'), 201)} } }
  /notes/{noteId}:
    parameters: [${inPath('noteId')}]
    get: { responses: { ${ok(ref('Note'))} } }
    put: { ${needs(ref('Note'))}, responses: { ${ok(ref('Note'))} } }
    patch: { ${needs(ref('Note'))}, responses: { ${ok(ref('Note'))} } }
    delete: { responses: { '204': { description: gone } } }
components:
  schemas:
    Note: { type: object, additionalProperties: false, required: [text], properties: { text: { type: string }, done: { type: boolean } } }
`;

  test('is in the Location and never in a body', async () => {
    const { send } = smallMock(NOTES);
    const made = await send('POST', '/notes', { text: 'a' });
    expect(made).toMatchObject({ status: 201, body: { text: 'a' }, headers: { location: 'http://localhost/notes/1' } });
    expect((await send('GET', '/notes')).body).toEqual([{ text: 'a' }]);
    expect((await send('PUT', '/notes/1', { text: 'b' })).body).toEqual({ text: 'b' });
    expect((await send('PATCH', '/notes/1', { text: 'c', done: true })).body).toEqual({ text: 'c', done: true });
    expect((await send('GET', '/notes/1')).body).toEqual({ text: 'c', done: true });
    expect((await send('DELETE', '/notes/1')).status).toBe(204);
    expect((await send('GET', '/notes/1')).status).toBe(404);
  });
});

describe('a nested path to items that are kept elsewhere', () => {
  const OWNED = `
paths:
  /owners:
    get: { responses: { ${ok(listOf(ref('Owner')))} } }
    post: { ${needs(ref('Owner'))}, responses: { ${ok(ref('Owner'), 201)} } }
  /owners/{ownerId}:
    parameters: [${inPath('ownerId')}]
    get: { responses: { ${ok(ref('Owner'))} } }
  /boats:
    get: { responses: { ${ok(listOf(ref('Boat')))} } }
    post: { ${needs(ref('Boat'))}, responses: { ${ok(ref('Boat'), 201)} } }
  /boats/{boatId}:
    parameters: [${inPath('boatId')}]
    get: { responses: { ${ok(ref('Boat'))} } }
  /owners/{ownerId}/boats:
    parameters: [${inPath('ownerId')}]
    get: { responses: { ${ok(listOf(ref('Boat')))} } }
    post: { ${needs(ref('Boat'))}, responses: { ${ok(ref('Boat'), 201)} } }
  /owners/{ownerId}/boats/{boatId}:
    parameters: [${inPath('ownerId')}, ${inPath('boatId')}]
    get: { responses: { ${ok(ref('Boat'))} } }
    delete: { responses: { '204': { description: gone } } }
components:
  schemas:
    Owner: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
    Boat: { type: object, required: [id, name], properties: { id: { type: integer, readOnly: true }, name: { type: string }, ownerId: { type: integer } } }
`;

  test('filters what is read, and sets what is made', async () => {
    const { send } = smallMock(OWNED);
    await send('POST', '/owners', { name: 'Ann' });
    await send('POST', '/owners', { name: 'Bob' });
    await send('POST', '/boats', { name: 'Argo', ownerId: 1 });
    const made = await send('POST', '/owners/2/boats', { name: 'Beagle' });
    expect(made).toMatchObject({ status: 201, body: { id: 2, name: 'Beagle', ownerId: 2 } });
    expect(made.headers['location']).toBe('http://localhost/boats/2');
    expect((await send('GET', '/owners/1/boats')).body).toEqual([{ id: 1, name: 'Argo', ownerId: 1 }]);
    expect((await send('GET', '/owners/1/boats/2')).status).toBe(404);
    expect((await send('DELETE', '/owners/1/boats/2')).status).toBe(404);
    expect((await send('GET', '/owners/9/boats')).status).toBe(404);
    expect((await send('DELETE', '/owners/2/boats/2')).status).toBe(204);
    expect((await send('GET', '/boats/2')).status).toBe(404);
  });
});

describe('a key that the client chooses', () => {
  const TAGS = `
paths:
  /tags:
    get: { responses: { ${ok(listOf(ref('Tag')))} } }
    post: { ${needs(ref('Tag'))}, responses: { ${ok(ref('Tag'), 201)}, '422': { description: no } } }
  /tags/{slug}:
    parameters: [${inPath('slug', 'string')}]
    get: { responses: { ${ok(ref('Tag'))} } }
    put: { ${needs(ref('Tag'))}, responses: { ${ok(ref('Tag'))}, ${ok(ref('Tag'), 201)}, '409': { description: no } } }
components:
  schemas:
    Tag: { type: object, required: [slug, title], properties: { slug: { type: string }, title: { type: string } } }
`;

  test('is taken once; a second time the answer has the status that is documented', async () => {
    const { send, stateText } = smallMock(TAGS);
    expect(await send('POST', '/tags', { slug: 'new', title: 'New' })).toMatchObject({
      status: 201,
      body: { slug: 'new' },
    });
    const before = stateText();
    expect(await send('POST', '/tags', { slug: 'new', title: 'Again' })).toMatchObject({
      status: 422,
      body: { code: 'key_taken' },
    });
    expect(stateText()).toBe(before);
  });

  test('may come with PUT where that documents 201, and must then be the one of the path', async () => {
    const { send } = smallMock(TAGS);
    expect(await send('PUT', '/tags/a%20b', { slug: 'a b', title: 'A' })).toMatchObject({
      status: 201,
      headers: { location: 'http://localhost/tags/a%20b' },
    });
    expect(await send('PUT', '/tags/a%20b', { slug: 'a b', title: 'B' })).toMatchObject({
      status: 200,
      body: { title: 'B' },
    });
    expect(await send('PUT', '/tags/c', { slug: 'd', title: 'D' })).toMatchObject({
      status: 409,
      body: { code: 'key_mismatch' },
    });
  });
});

test('OPTIONS names the kinds of patch that a path takes', async () => {
  const { send } = smallMock(`
paths:
  /notes/{id}:
    parameters: [${inPath('id')}]
    get: { responses: { ${ok('{ type: object }')} } }
    patch:
      requestBody: { content: { application/merge-patch+json: {}, application/json-patch+json: {} } }
      responses: { '204': { description: ok } }
`);
  const { status, headers } = await send('OPTIONS', '/notes/1');
  expect(status).toBe(204);
  expect(headers['accept-patch']).toBe('application/merge-patch+json, application/json-patch+json');
});

describe('what a service makes', () => {
  const JOBS = (key: string, answer: string): string => `
paths:
  /jobs:
    get: { responses: { ${ok(listOf(ref('Job')))} } }
    post: { ${needs(ref('NewJob'))}, responses: { ${answer} } }
  /jobs/{jobId}:
    parameters: [${inPath('jobId', 'string')}]
    get: { responses: { ${ok(ref('Job'))} } }
    patch: { ${needs(ref('NewJob'))}, responses: { ${ok(ref('Job'))}, '400': { description: no } } }
components:
  schemas:
    NewJob: { type: object, properties: { kind: { type: string }, secret: { type: string, writeOnly: true } } }
    Job:
      type: object
      required: [jobId, kind, state, createdAt, result]
      properties:
        jobId: ${key}
        kind: { type: string, minLength: 2 }
        secret: { type: string, writeOnly: true }
        state: { type: string, enum: [queued, done], readOnly: true }
        tries: { type: integer, default: 3 }
        createdAt: { type: string, format: date-time, readOnly: true }
        changedAt: { type: string, format: date-time, readOnly: true }
        result: { type: object, nullable: true, readOnly: true }
`;

  test.each([
    { about: 'a pattern', key: "{ type: string, pattern: '^j_[a-z0-9]{8}$' }" },
    { about: 'hexadecimal digits', key: "{ type: string, pattern: '^[0-9a-f]{24}$' }" },
    { about: 'a UUID', key: '{ type: string, format: uuid }' },
    { about: 'words', key: '{ type: string, enum: [first, second, third] }' },
    { about: 'a least length', key: '{ type: string, minLength: 12, maxLength: 12 }' },
  ])('keys are new and keep to their schema: $about', async ({ key }) => {
    const { send } = smallMock(JOBS(key, ok(ref('Job'), 201)));
    const keys = [];
    for (const kind of ['aa', 'bb', 'cc']) keys.push(objectOf(await send('POST', '/jobs', { kind }))['jobId']);
    expect(new Set(keys).size).toBe(3);
    expect((await send('GET', `/jobs/${keys[1] as string}`)).body).toMatchObject({ kind: 'bb' });
  });

  test('a schema that allows few keys has no fourth', async () => {
    const { send } = smallMock(JOBS('{ type: string, enum: [a] }', ok(ref('Job'), 201)));
    await send('POST', '/jobs', { kind: 'aa' });
    expect(await send('POST', '/jobs', { kind: 'bb' })).toMatchObject({
      status: 409,
      body: { code: 'id_space_exhausted' },
    });
    const narrow = smallMock(JOBS("{ type: string, pattern: '^[xy]$' }", ok(ref('Job'), 201)));
    const statuses = [];
    for (const kind of ['aa', 'bb', 'cc']) statuses.push((await narrow.send('POST', '/jobs', { kind })).status);
    expect(statuses).toEqual([201, 201, 409]);
  });

  test('defaults, times, first states and nothing where nothing has happened; never what is write-only', async () => {
    const { send } = smallMock(JOBS('{ type: integer }', ok(ref('Job'), 201)));
    const made = await send('POST', '/jobs', { kind: 'aa', secret: 'x' });
    expect(made.body).toEqual({
      jobId: 1,
      kind: 'aa',
      tries: 3,
      state: 'queued',
      createdAt: NOW,
      changedAt: NOW,
      result: null,
    });
    // What waits by itself is done when it is read.
    expect((await send('GET', '/jobs')).body).toEqual([{ ...objectOf(made), state: 'done' }]);
  });

  test('an answer that is no item tells of the one that was made', async () => {
    const { send } = smallMock(
      JOBS(
        '{ type: integer }',
        ok('{ type: object, required: [jobId], properties: { jobId: { type: integer } } }', 202),
      ),
    );
    expect(await send('POST', '/jobs', { kind: 'aa' })).toMatchObject({ status: 202, body: { jobId: 1 } });
  });

  test('what a patch lets in and an item does not is refused, and nothing changes', async () => {
    const { send, stateText } = smallMock(JOBS('{ type: integer }', ok(ref('Job'), 201)));
    await send('POST', '/jobs', { kind: 'aa' });
    const before = stateText();
    expect(await send('PATCH', '/jobs/1', { kind: 'a' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_result' },
    });
    expect(stateText()).toBe(before);
  });
});

describe('lists', () => {
  const JOBS = (parameters: string, schema: string, headers = '{}'): string => `
paths:
  /jobs:
    get:
      parameters: [${parameters}]
      responses: { '200': { description: ok, headers: ${headers}, content: { application/json: { schema: ${schema} } } } }
    post: { ${needs(ref('Job'))}, responses: { ${ok(ref('Job'), 201)} } }
  /jobs/{id}:
    parameters: [${inPath('id')}]
    get: { responses: { ${ok(ref('Job'))} } }
components:
  schemas:
    Job:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string }
        size: { type: integer }
        state: { type: string, enum: [new, done] }
        tags: { type: array, items: { type: string } }
        dueAt: { type: string, format: date-time }
`;
  const query = (name: string, schema = '{ type: string }'): string =>
    `{ name: '${name}', in: query, schema: ${schema} }`;
  const integer = '{ type: integer }';
  const names = (body: unknown): unknown => (body as { name: string }[]).map(({ name }) => name);

  async function withJobs(text: string): Promise<ReturnType<typeof smallMock>> {
    const mock = smallMock(text);
    const jobs = [
      { name: 'b', size: 3, state: 'new', tags: ['x', 'y'], dueAt: '2026-01-02T00:00:00Z' },
      { name: 'a', size: 1, state: 'done', tags: ['y'], dueAt: '2026-01-01T00:00:00+02:00' },
      { name: 'Ab', size: 3, state: 'new', tags: [] },
      { name: 'c' },
    ];
    for (const job of jobs) await mock.send('POST', '/jobs', job);
    return mock;
  }

  test.each([
    { asked: 'state=new', want: ['b', 'Ab', 'c'] },
    { asked: 'state=new,done', want: ['b', 'a', 'Ab', 'c'] },
    { asked: 'min_size=3', want: ['b', 'Ab'] },
    { asked: 'max_size=1', want: ['a'] },
    { asked: 'q=B', want: ['b', 'Ab'] },
    { asked: 'tags=y', want: ['b', 'a'] },
    { asked: 'sort=name', want: ['Ab', 'a', 'b', 'c'] },
    { asked: 'sort=-size,name', want: ['c', 'Ab', 'b', 'a'] },
    { asked: 'sort=name:desc', want: ['c', 'b', 'a', 'Ab'] },
    { asked: 'sort=name&order=desc', want: ['c', 'b', 'a', 'Ab'] },
    { asked: 'sort=nonsense', want: ['b', 'a', 'Ab', 'c'] },
    { asked: 'limit=2&offset=1', want: ['a', 'Ab'] },
    { asked: 'limit=2&offset=9', want: [] },
    { asked: 'offset=3', want: ['c'] },
    { asked: 'sort=name&limit=1&offset=2', want: ['b'] },
    { asked: 'state=new&q=a&limit=1', want: ['Ab'] },
  ])('?$asked gives $want', async ({ asked, want }) => {
    const parameters = [
      query('state'),
      query('min_size', integer),
      query('max_size', integer),
      query('q'),
      query('tags'),
      query('sort'),
      query('order', '{ type: string, enum: [asc, desc] }'),
      query('limit', integer),
      query('offset', integer),
    ].join(', ');
    const { send } = await withJobs(JOBS(parameters, listOf(ref('Job'))));
    const { status, body } = await send('GET', `/jobs?${asked}`);
    expect(status).toBe(200);
    expect(names(body)).toEqual(want);
  });

  test('what stands beside the items is filled by what it is called, the rest by what the schema shows', async () => {
    const page = `{ type: object, required: [items, total, version], properties: { items: ${listOf(ref('Job'))}, total: ${integer}, next: { type: string, nullable: true }, hasMore: { type: boolean }, version: { type: string, example: '1.4' }, error: { type: string, example: broken } } }`;
    const { send } = await withJobs(JOBS(`${query('limit', integer)}, ${query('offset', integer)}`, page));
    expect((await send('GET', '/jobs?limit=3')).body).toMatchObject({
      total: 4,
      next: 'http://localhost/jobs?limit=3&offset=3',
      hasMore: true,
      version: '1.4',
    });
    const last = await send('GET', '/jobs?limit=3&offset=3');
    expect(last.body).toMatchObject({ items: [{ name: 'c' }], total: 4, next: null, hasMore: false });
    expect(last.body).not.toHaveProperty('error');
  });

  test.each([
    { of: 'null', schema: '{ type: string, nullable: true, example: more }', want: null },
    { of: 'an empty text', schema: '{ type: string, example: more }', want: '' },
  ])('where there is no next page, a link that must be there is $of and no example', async ({ schema, want }) => {
    const page = `{ type: object, required: [items, next], properties: { items: ${listOf(ref('Job'))}, next: ${schema} } }`;
    const { send } = await withJobs(JOBS(`${query('limit', integer)}, ${query('offset', integer)}`, page));
    expect((await send('GET', '/jobs?limit=3')).body).toMatchObject({
      next: 'http://localhost/jobs?limit=3&offset=3',
    });
    expect((await send('GET', '/jobs?limit=3&offset=3')).body).toMatchObject({ next: want });
  });

  test('a cursor leads from page to page, in the body and in the Link header', async () => {
    const page = `{ type: object, required: [data], properties: { data: ${listOf(ref('Job'))}, next_cursor: { type: string, nullable: true } } }`;
    const headers = '{ Link: { schema: { type: string } }, X-Total-Count: { schema: { type: integer } } }';
    const { send } = await withJobs(
      JOBS(`${query('limit', integer)}, ${query('cursor')}, ${query('sort')}`, page, headers),
    );
    const seen: unknown[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 9; pages++) {
      const move = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body, headers: told } = await send('GET', `/jobs?limit=3&sort=name${move}`);
      const { data, next_cursor } = body as unknown as { data: { name: string }[]; next_cursor: string | null };
      seen.push(...data.map(({ name }) => name));
      expect(told['x-total-count']).toBe('4');
      expect(told['link']?.includes('rel="next"')).toBe(next_cursor !== null);
      cursor = next_cursor;
    }
    expect(seen).toEqual(['Ab', 'a', 'b', 'c']);
    expect((await send('GET', '/jobs?cursor=made-up')).status).toBe(400);
  });

  test('an object by key lists the items under their keys', async () => {
    const { send } = await withJobs(JOBS(query('state'), `{ type: object, additionalProperties: ${ref('Job')} }`));
    const { body } = await send('GET', '/jobs?state=done');
    expect(body).toEqual({ '2': expect.objectContaining({ id: 2, name: 'a' }) as unknown });
  });
});

describe('several at once', () => {
  const TICKETS = `
paths:
  /tickets:
    get: { responses: { ${ok(listOf(ref('Ticket')))} } }
    post: { ${needs(ref('Ticket'))}, responses: { ${ok(ref('Ticket'), 201)} } }
    delete:
      parameters: [{ name: status, in: query, schema: { type: string } }]
      responses: { '204': { description: gone } }
  /tickets/bulk:
    post: { ${needs(listOf(ref('Ticket')))}, responses: { ${ok(listOf(ref('Ticket')), 201)} } }
  /tickets/counts:
    get: { summary: Ticket counts by status, responses: { ${ok('{ type: object, additionalProperties: { type: integer } }')} } }
  /tickets/{id}:
    parameters: [${inPath('id')}]
    get: { responses: { ${ok(ref('Ticket'))} } }
  /tickets/{id}/close:
    parameters: [${inPath('id')}]
    post: { responses: { ${ok(ref('Ticket'))} } }
components:
  schemas:
    Ticket:
      type: object
      required: [id, title]
      properties:
        id: { type: integer, readOnly: true }
        title: { type: string, maxLength: 10 }
        status: { type: string, enum: [open, closed, lost], default: open }
`;

  test('a list of items is stored whole or not at all', async () => {
    const { send, stateText } = smallMock(TICKETS);
    const made = await send('POST', '/tickets/bulk', [{ title: 'a' }, { title: 'b', status: 'closed' }]);
    expect(made).toMatchObject({
      status: 201,
      body: [
        { id: 1, status: 'open' },
        { id: 2, status: 'closed' },
      ],
    });
    const before = stateText();
    expect((await send('POST', '/tickets/bulk', [{ title: 'c' }, { title: 'far too long for this' }])).status).toBe(
      400,
    );
    expect(stateText()).toBe(before);
  });

  test('counts name every value, those that nothing has as 0; a verb changes what is counted', async () => {
    const { send } = smallMock(TICKETS);
    for (const title of ['a', 'b', 'c']) await send('POST', '/tickets', { title });
    expect((await send('POST', '/tickets/2/close')).body).toMatchObject({ id: 2, status: 'closed' });
    expect((await send('GET', '/tickets/counts')).body).toEqual({ open: 2, closed: 1, lost: 0 });
  });

  test('a collection is cleared of what the parameters choose', async () => {
    const { send } = smallMock(TICKETS);
    for (const title of ['a', 'b', 'c']) await send('POST', '/tickets', { title });
    await send('POST', '/tickets/2/close');
    expect((await send('DELETE', '/tickets?status=closed')).status).toBe(204);
    expect((await send('GET', '/tickets')).body).toMatchObject([{ id: 1 }, { id: 3 }]);
    expect((await send('DELETE', '/tickets')).status).toBe(204);
    expect((await send('GET', '/tickets')).body).toEqual([]);
  });
});

import type { Reply, Sketch } from './other-service';
import { runOwn, shelfOf } from './own-run';

const MARKED = { title: 'Test ${runId}' };

function collection(path: string, variable: string, more: Partial<Sketch> = {}): Sketch[] {
  return [
    { id: 'list', at: `GET ${path}`, statuses: [200] },
    { id: 'make', at: `POST ${path}`, statuses: [201], takesBody: true, ...more },
    { id: 'get', at: `GET ${path}/{${variable}}`, statuses: [200, 404] },
    { id: 'remove', at: `DELETE ${path}/{${variable}}`, statuses: [204, 404] },
  ];
}

/** A collection with a colleague's item, and what a POST there makes. */
function service(foreign: [string, object], made: (body: object) => [string, Reply], isListed = true) {
  const items = new Map<string, unknown>([foreign]);
  const shelf = shelfOf(items);
  const answer = (line: string, body: Record<string, unknown>): Reply => {
    if (!line.startsWith('POST ')) return isListed || line.split('/').length > 2 ? shelf(line) : { status: 403 };
    const [path, reply] = made(body);
    items.set(path, { ...body, ...(reply.body as object | undefined) });
    return reply;
  };
  return { items, answer };
}

const make = (body: object = MARKED, more: object = {}): object => {
  return { name: 'make', operation: 'make', body, expect: { status: 201 }, ...more };
};

describe('an id that is not the key of the path', () => {
  const foreign: [string, object] = ['/issues/8', { id: 61, iid: 8, title: 'a colleague’s' }];
  const made =
    (headers: Record<string, string>) =>
    (body: object): [string, Reply] => ['/issues/9', { status: 201, body: { id: 8, iid: 9, ...body }, headers }];

  test('is not believed where Location says something else: what holds the id of the run is removed', async () => {
    const { items, answer } = service(foreign, made({ location: '/issues/9' }));
    const { writes, left } = await runOwn({ sketches: collection('/issues', 'issue_ref'), steps: [make()], answer });
    expect(writes).toEqual(['POST /issues', 'DELETE /issues/9']);
    expect(left).toEqual([]);
    expect([...items.keys()]).toEqual(['/issues/8']);
  });

  test('is not believed where another member has the end of the variable’s name', async () => {
    const { items, answer } = service(foreign, made({}), false);
    const { writes, left } = await runOwn({ sketches: collection('/issues', 'issue_iid'), steps: [make()], answer });
    expect(writes).toEqual(['POST /issues', 'DELETE /issues/9']);
    expect(left).toEqual([]);
    expect([...items.keys()]).toEqual(['/issues/8']);
  });

  test('is not believed without a mark, though Location says it: then nothing is removed, and that is told', async () => {
    const { items, answer } = service(foreign, made({ location: '/issues/8' }), false);
    const steps = [make({ title: 'no mark' })];
    const { writes, left } = await runOwn({ sketches: collection('/issues', 'issue_iid'), steps, answer });
    expect(writes).toEqual(['POST /issues']);
    expect(left).toEqual(['/issues']);
    expect(items.size).toBe(2);
  });

  test('is told from the key by Location, where all of the numbers that were answered are shown', async () => {
    const { items, answer } = service(foreign, made({ location: '/issues/9' }), false);
    const steps = [make({ title: 'no mark' })];
    const { writes, left } = await runOwn({ sketches: collection('/issues', 'issue_iid'), steps, answer });
    expect(writes).toEqual(['POST /issues', 'DELETE /issues/9']);
    expect(left).toEqual([]);
    expect([...items.keys()]).toEqual(['/issues/8']);
  });
});

test('a Location and an answer that are both of somebody else’s item give nothing to the run without its mark', async () => {
  const foreign: [string, object] = ['/issues/8', { id: 61, iid: 8, title: 'a colleague’s' }];
  const headers = { location: '/issues/8' };
  const { items, answer } = service(foreign, () => ['/issues/8', { status: 201, body: { id: 61, iid: 8 }, headers }]);
  // What was found is answered, and nothing is made: the shelf keeps what it has.
  const asked = (line: string, body: Record<string, unknown>): Reply =>
    line.startsWith('POST ') ? { status: 201, body: foreign[1], headers } : answer(line, body);
  const { writes } = await runOwn({ sketches: collection('/issues', 'issue_iid'), steps: [make()], answer: asked });
  expect(writes).toEqual(['POST /issues']);
  expect([...items.keys()]).toEqual(['/issues/8']);
});

describe('a link that names the key', () => {
  const get = { operationId: 'get', parameters: { bookId: '$response.body#/data/id' } };
  const sketches = collection('/books', 'bookId', { links: { get } });
  const foreign: [string, object] = ['/books/3', { id: 3, title: 'a colleague’s' }];

  test('names it as deep as it stands, whatever else the answer has', async () => {
    const { items, answer } = service(foreign, (body) => [
      '/books/55',
      { status: 201, body: { id: 3, data: { id: 55, ...body } } },
    ]);
    const { writes, left } = await runOwn({ sketches, steps: [make()], answer });
    expect(writes).toEqual(['POST /books', 'DELETE /books/55']);
    expect(left).toEqual([]);
    expect([...items.keys()]).toEqual(['/books/3']);
  });

  test('leaves no other member to be the key where the answer does not have it', async () => {
    const { items, answer } = service(foreign, () => ['/books/55', { status: 201, body: { id: 3 } }], false);
    const { writes, left } = await runOwn({ sketches, steps: [make()], answer });
    expect(writes).toEqual(['POST /books']);
    expect(left).toEqual(['/books']);
    expect(items.size).toBe(2);
  });

  test('to another kind of thing says nothing of this one', async () => {
    const owner = { operationId: 'getOwner', parameters: { id: '$response.body#/ownerId' } };
    const others: Sketch[] = [
      ...collection('/books', 'id', { links: { owner } }),
      { id: 'getOwner', at: 'GET /owners/{id}', statuses: [200] },
    ];
    const { items, answer } = service(foreign, (body) => [
      '/books/55',
      { status: 201, body: { id: 55, ownerId: 3, ...body } },
    ]);
    const { writes } = await runOwn({ sketches: others, steps: [make()], answer });
    expect(writes).toEqual(['POST /books', 'DELETE /books/55']);
    expect([...items.keys()]).toEqual(['/books/3']);
  });
});

test('what has the name of another operation is not removed by that', async () => {
  const sketches: Sketch[] = [
    ...collection('/labels', 'label'),
    { id: 'wipe', at: 'DELETE /labels/all', statuses: [204] },
  ];
  const { items, answer } = service(['/labels/a', { id: 'a' }], () => [
    '/labels/all',
    { status: 201, body: { id: 'all' } },
  ]);
  const steps = [make({ id: 'all' }), { name: 'wipe', operation: 'wipe', expect: { status: 204 } }];
  const { writes, skipped, left } = await runOwn({ sketches, steps, answer, id: { type: 'string' } });
  expect(writes).toEqual(['POST /labels']);
  expect(skipped).toEqual(['wipe']);
  expect(left).toEqual(['/labels']);
  expect(items.size).toBe(2);
});

test('a POST that was answered 200 where a 201 is documented changed what was there: it is told and never removed', async () => {
  const contact = { id: 5, title: 'a colleague’s' };
  const items = new Map<string, unknown>([['/contacts/5', contact]]);
  const shelf = shelfOf(items);
  const { writes, left, result } = await runOwn({
    sketches: collection('/contacts', 'contactId', { statuses: [200, 201] }),
    steps: [make(MARKED, { expect: { status: [200, 201] } })],
    answer: (line, body) =>
      line.startsWith('POST') ? { status: 200, body: Object.assign(contact, body) } : shelf(line),
  });
  expect(writes).toEqual(['POST /contacts']);
  expect(left).toEqual(['/contacts/5']);
  expect(result.outcome).toBe('left-behind');
});

test('a name alone lets nothing be removed: only a link says that another path names the same', async () => {
  const drafts = (links?: object): Sketch[] => [
    { id: 'make', at: 'POST /drafts', statuses: [201], takesBody: true, ...(links === undefined ? {} : { links }) },
    { id: 'getDraft', at: 'GET /drafts/{invoiceId}', statuses: [200, 404] },
    { id: 'removeDraft', at: 'DELETE /drafts/{invoiceId}', statuses: [204, 404] },
    { id: 'change', at: 'PATCH /invoices/{invoiceId}', statuses: [200, 404], takesBody: true },
    { id: 'remove', at: 'DELETE /invoices/{invoiceId}', statuses: [204, 404] },
  ];
  const invoiceId = '$response.body#/id';
  const parameters = { invoiceId: '${id}' };
  const steps = [
    make(MARKED, { capture: { id: invoiceId } }),
    { name: 'change', operation: 'change', parameters, body: {}, expect: { status: [200, 404] } },
    { name: 'remove', operation: 'remove', parameters, expect: { status: [204, 404] } },
  ];
  const answer = (): ReturnType<typeof service>['answer'] =>
    service(['/invoices/7', { id: 7 }], (body) => ['/drafts/7', { status: 201, body: { id: 7, ...body } }]).answer;
  const byName = await runOwn({ sketches: drafts(), steps, answer: answer() });
  expect(byName.skipped).toEqual(['remove']);
  expect(byName.writes).toEqual(['POST /drafts', 'PATCH /invoices/7', 'DELETE /drafts/7']);
  const links = {
    draft: { operationId: 'getDraft', parameters: { invoiceId } },
    invoice: { operationId: 'remove', parameters: { invoiceId } },
  };
  const linked = await runOwn({ sketches: drafts(links), steps, answer: answer() });
  expect(linked.skipped).toEqual([]);
});

test('what a rejected write made is removed only where a look shows that it is that', async () => {
  const items = new Map<string, unknown>([['/issues/8', { id: 61, iid: 8, title: 'a colleague’s' }]]);
  const shelf = shelfOf(items);
  const { writes } = await runOwn({
    sketches: collection('/issues', 'issue_ref', { isSecured: true, statuses: [201, 401] }),
    steps: [make()],
    answer: (line, body, { headers }) => {
      if (!line.startsWith('POST ')) return shelf(line);
      const hasKey = headers.authorization === 'Bearer test-key';
      // Judged too late: it is made without a key as well.
      if (hasKey || 'title' in body)
        items.set(hasKey ? '/issues/10' : '/issues/9', { id: 8, iid: hasKey ? 10 : 9, ...body });
      return hasKey ? { status: 201, headers: { location: '/issues/10' } } : { status: 401, body: {} };
    },
    options: { apiKey: 'test-key' },
  });
  expect(writes).toContain('POST /issues');
  expect(writes).not.toContain('DELETE /issues/8');
  expect(items.has('/issues/8')).toBe(true);
});

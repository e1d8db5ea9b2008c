import type { IncomingMessage } from 'node:http';
import { rootCauses } from '../../src/report/causes/root-causes';
import { type RunResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
import type { Reply, Sketch } from './other-service';
import { runOwn, shelfOf } from './own-run';

const BOOKS: readonly Sketch[] = [
  { id: 'list', at: 'GET /books', statuses: [200] },
  { id: 'make', at: 'POST /books', statuses: [201], takesBody: true },
  { id: 'get', at: 'GET /books/{bookId}', statuses: [200, 404] },
  { id: 'remove', at: 'DELETE /books/{bookId}', statuses: [202, 204, 404] },
];
const MAKE = { name: 'make', operation: 'make', body: { title: 'Test ${runId}' }, expect: { status: 201 } };

/**
 * A service that creates books.
 *
 * @param hiddenReads - number of reads after the creation that do not find the book yet
 */
function books(hiddenReads = 0): {
  readonly items: Map<string, unknown>;
  readonly answer: (line: string, body: Record<string, unknown>) => Reply;
} {
  const items = new Map<string, unknown>();
  const shelf = shelfOf(items);
  let created: unknown;
  let hidden = hiddenReads;
  const answer = (line: string, body: Record<string, unknown>): Reply => {
    if (line === 'POST /books') created = { bookId: 7, ...body };
    else if (created !== undefined && line.startsWith('GET ')) hidden -= 1;
    if (created !== undefined && hidden < 0) {
      items.set('/books/7', created);
      created = undefined;
    }
    if (line === 'GET /books') return { status: 200, body: [...items.values()] };
    return line === 'POST /books' ? { status: 201, body: { bookId: 7, ...body } } : shelf(line);
  };
  return { items, answer };
}

describe('what takes its time', () => {
  test('a removal that was only accepted is waited for', async () => {
    const { items, answer } = books();
    let readsAfterRemoval = -1;
    const later = (line: string, body: Record<string, unknown>): Reply => {
      if (line.startsWith('DELETE')) {
        readsAfterRemoval = 0;
        return { status: 202 };
      }
      if (readsAfterRemoval >= 0 && line === 'GET /books/7' && ++readsAfterRemoval > 2) items.clear();
      return answer(line, body);
    };
    const { left, result } = await runOwn({ sketches: BOOKS, steps: [MAKE], answer: later });
    expect(left).toEqual([]);
    expect(result.outcome).toBe('conforms');
    expect(items.size).toBe(0);
  });

  test('an item that is shown only later is removed when it shows', async () => {
    // Nine reads belong to the two rounds of removals: only a later look finds the book.
    const { items, answer } = books(9);
    const { left } = await runOwn({ sketches: BOOKS, steps: [MAKE], answer });
    expect(left).toEqual([]);
    expect(items.size).toBe(0);
  });

  test('an item that a response created and no response shows is not reported as removed', async () => {
    const { answer } = books(Infinity);
    const { result } = await runOwn({ sketches: BOOKS, steps: [MAKE], answer });
    expect(result.leftBehind).toEqual([
      expect.objectContaining({
        isAccepted: false,
        reason: expect.stringContaining('no response ever showed it') as string,
      }),
    ]);
  });
});

describe('an item whose one path of its own removes it', () => {
  const sketches: readonly Sketch[] = [
    ...BOOKS,
    { id: 'note', at: 'POST /books/{bookId}/notes', statuses: [201], takesBody: true },
    { id: 'removeNote', at: 'DELETE /notes/{noteId}', statuses: [204, 404] },
  ];
  const steps = (removes: object): object[] => [
    { ...MAKE, capture: { book: '$response.body#/bookId' } },
    {
      name: 'a note',
      operation: 'note',
      parameters: { bookId: '${book}' },
      body: { text: '${runId}' },
      expect: { status: 201 },
      capture: { note: '$response.body#/id' },
    },
    { name: 'gone', operation: 'removeNote', ...removes, parameters: { noteId: '${note}' }, expect: { status: 204 } },
  ];
  function notes(): ReturnType<typeof books> {
    const { items, answer } = books();
    return {
      items,
      answer: (line, body) => {
        if (!line.includes('/notes')) return answer(line, body);
        if (line.startsWith('POST')) items.set('/notes/81', { id: 81, ...body });
        else items.delete(line.split(' ')[1]!);
        return line.startsWith('POST') ? { status: 201, body: { id: 81, ...body } } : { status: 204 };
      },
    };
  }

  test('is removed by the step that says so, with what the answer to its creation gave', async () => {
    const { items, answer } = notes();
    const { skipped, left, result } = await runOwn({ sketches, steps: steps({ removes: 'a note' }), answer });
    expect(skipped).toEqual([]);
    expect([...items.keys()]).toEqual([]);
    expect(left).toEqual([]);
    expect(result.leftBehind).toEqual([]);
  });

  test('is not by one that does not say so, and that it could is told', async () => {
    const { answer } = notes();
    const { skipped, result, writes } = await runOwn({ sketches, steps: steps({}), answer });
    expect(skipped).toEqual(['gone']);
    expect(writes).not.toContain('DELETE /notes/81');
    expect(reasons(result)).toEqual([expect.stringContaining('`removes` in its step says what it is')]);
  });

  test('names nothing but what that step gave', async () => {
    const { answer } = notes();
    const [make, note, gone] = steps({ removes: 'a note' });
    const others = { ...gone, parameters: { noteId: '${book}' } };
    const { skipped, writes } = await runOwn({ sketches, steps: [make!, note!, others], answer });
    expect(skipped).toEqual(['gone']);
    expect(writes).not.toContain('DELETE /notes/7');
  });
});

function reasons(result: RunResult): string[] {
  return allSteps(result).flatMap(({ verdict }) => (verdict.kind === 'skipped' ? [verdict.reason] : []));
}

describe('callers without a key', () => {
  const sketches: readonly Sketch[] = [
    { id: 'list', at: 'GET /shops/{shop}/books', statuses: [200, 401], isSecured: true },
    { id: 'make', at: 'POST /shops/{shop}/books', statuses: [201, 401], takesBody: true, isSecured: true },
    { id: 'get', at: 'GET /shops/{shop}/books/{bookId}', statuses: [200, 401, 404], isSecured: true },
    { id: 'remove', at: 'DELETE /shops/{shop}/books/{bookId}', statuses: [204, 401, 404], isSecured: true },
    { id: 'find', at: 'POST /search', statuses: [200, 401], takesBody: true, isSecured: true },
  ];
  const steps = [
    { ...MAKE, parameters: { shop: 'main' } },
    { operation: 'find', touches: 'nothing', body: {}, expect: { status: 200 } },
  ];
  const options = { apiKey: 'a-key-of-this-test', within: { shop: 'main' } };
  const id = { type: 'string' };

  function shop(refusal: Reply | undefined): Parameters<typeof runOwn>[0] {
    const items = new Map<string, unknown>();
    const shelf = shelfOf(items);
    return {
      sketches,
      steps,
      options,
      id,
      answer: (line, body, request) => {
        const isKnown = request.headers.authorization === `Bearer ${options.apiKey}`;
        if (refusal !== undefined && !isKnown) return refusal;
        if (line === 'POST /search') return { status: 'standin' in body ? 400 : 200, body: {} };
        if (!line.startsWith('POST')) return shelf(line);
        if (!('title' in body)) return { status: 400, body: {} };
        items.set('/shops/main/books/b7', { bookId: 'b7', ...body });
        return { status: 201, body: { bookId: 'b7', ...body } };
      },
    };
  }
  const refused: Reply = { status: 401, body: { error: 'who?' }, headers: { 'www-authenticate': 'Bearer' } };

  test('are tried below what the tester named, and with questions that touch nothing', async () => {
    const { skipped, result, writes } = await runOwn(shop(refused));
    expect(skipped.filter((name) => !name.endsWith('in the query'))).toEqual([]);
    const tried = new Set(result.probes.flatMap(({ operation, status }) => (status === 401 ? [operation] : [])));
    expect([...tried].sort()).toEqual(['find', 'make']);
    expect(new Set(writes)).toEqual(new Set(['POST /shops/main/books', 'POST /search', 'DELETE /shops/main/books/b7']));
    expect(result.outcome).toBe('conforms');
  });

  test('who are sent to a page have made nothing', async () => {
    const page = { status: 302, headers: { location: 'https://login.example.test/' } };
    const { result } = await runOwn(shop(page));
    expect(result.leftBehind).toEqual([]);
    expect(rootCauses(result)).toHaveLength(1);
    expect(rootCauses(result)[0]?.hint).toContain(
      'It sends callers without a valid key to https://login.example.test/',
    );
  });

  test('who are refused nowhere are one finding, with the way to say that it is meant', async () => {
    const { result } = await runOwn(shop(undefined));
    const causes = rootCauses(result);
    expect(causes.map(({ check }) => check)).toEqual(['no-key-asked']);
    expect(causes[0]?.hint).toContain('--no-auth');
  });
});

test('a service that has no HEAD may say 404 to it', async () => {
  const sketches: readonly Sketch[] = [{ id: 'list', at: 'GET /books', statuses: [200, 401], isSecured: true }];
  const answer = (_line: string, _body: unknown, { method, headers }: IncomingMessage): Reply => {
    if (method === 'HEAD') return { status: 404 };
    const isKnown = /^[Bb]earer a-key-of-this-test$/.test(headers.authorization ?? '');
    return isKnown ? { status: 200, body: [] } : { status: 401, body: {}, headers: { 'www-authenticate': 'Bearer' } };
  };
  const steps = [{ operation: 'list', expect: { status: 200 } }];
  const { result } = await runOwn({ sketches, steps, answer, options: { apiKey: 'a-key-of-this-test' } });
  expect(rootCauses(result)).toEqual([]);
});

describe('what an answer says of another thing than its path', () => {
  const gives = { id: { type: 'integer' } };
  const read = (at: string): Sketch[] => [{ id: 'read', at, statuses: [200], gives }];
  const steps = (more: object = {}): object[] => [
    { operation: 'read', parameters: { [NAME]: 7 }, ...more, expect: { status: 200 } },
  ];
  const NAME = 'account_id';
  const answer = (): Reply => ({ status: 200, body: { id: 68 } });

  test('is no other item where a thing is found by the key of another kind', async () => {
    const { result } = await runOwn({ sketches: read('GET /users/{account_id}'), steps: steps(), answer });
    expect(result.outcome).toBe('conforms');
  });

  test('is one where the key is its own', async () => {
    const { result } = await runOwn({ sketches: read('GET /accounts/{account_id}'), steps: steps(), answer });
    expect(rootCauses(result).map(({ check }) => check)).toEqual(['identity']);
  });

  test('fails no step that is pending, although only the run as a whole shows it', async () => {
    const pending = steps({ pending: 'the service is not done' });
    const { result } = await runOwn({ sketches: read('GET /accounts/{account_id}'), steps: pending, answer });
    expect(allSteps(result).map(({ verdict }) => verdict)).toMatchObject([
      { kind: 'skipped', cause: 'pending', reason: 'pending: the service is not done' },
    ]);
    expect(allSteps(result)[0]?.warnings.map(({ check }) => check)).toEqual(['identity']);
  });
});

test('what its contract says to leave, where nothing removes it, is left as planned whatever the answer tells', async () => {
  const sketches: readonly Sketch[] = [
    { id: 'make', at: 'POST /passes', statuses: [200], takesBody: true },
    { id: 'get', at: 'GET /passes/{passId}', statuses: [200, 404] },
  ];
  const steps = [{ operation: 'make', leaves: 'passes stay', body: { kind: 'x' }, expect: { status: 200 } }];
  const answer = (line: string): Reply => ({ status: 200, body: line.startsWith('POST') ? { passId: 7 } : {} });
  const { result } = await runOwn({ sketches, steps, answer });
  expect(result.leftBehind).toMatchObject([{ isAccepted: true, reason: 'passes stay' }]);
  expect(result.outcome).toBe('conforms');
});

test.each([
  { what: 'is left as planned', statuses: [200], isAccepted: true },
  { what: 'is told, where it may be somebody else’s', statuses: [200, 201], isAccepted: false },
])('what its contract says to leave, and a success does not tell of, $what', async ({ statuses, isAccepted }) => {
  const sketches: readonly Sketch[] = [
    { id: 'make', at: 'POST /passes', statuses, takesBody: true },
    { id: 'remove', at: 'DELETE /passes/{passId}', statuses: [204, 404] },
  ];
  const steps = [{ operation: 'make', leaves: 'passes stay', body: { kind: '${runId}' }, expect: { status: 200 } }];
  const answer = (line: string): Reply => (line.startsWith('POST') ? { status: 200, body: {} } : { status: 404 });
  const { result } = await runOwn({ sketches, steps, answer });
  expect(result.leftBehind).toMatchObject([{ isAccepted }]);
});

test('what is made is found in an envelope with other members', async () => {
  const ship = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } };
  const gives = { ship, links: { type: 'object', properties: { self: { type: 'string' } } } };
  const sketches: readonly Sketch[] = [
    { id: 'make', at: 'POST /ships', statuses: [201], takesBody: true, gives },
    { id: 'get', at: 'GET /ships/{ship_id}', statuses: [200, 404], gives },
    { id: 'remove', at: 'DELETE /ships/{ship_id}', statuses: [204, 404] },
  ];
  const items = new Map<string, unknown>();
  const shelf = shelfOf(items);
  const answer = (line: string, { name }: Record<string, unknown>): Reply => {
    if (!line.startsWith('POST')) return shelf(line);
    items.set('/ships/7', { ship: { id: 7, name }, links: { self: '/ships/7' } });
    return { status: 201, body: items.get('/ships/7') };
  };
  const steps = [{ operation: 'make', body: { name: 'Ship ${runId}' }, expect: { status: 201 } }];
  const { left, result } = await runOwn({ sketches, steps, answer });
  expect({ left, there: items.size, residue: result.leftBehind }).toEqual({ left: [], there: 0, residue: [] });
});

test('what every request needs beside its path, looks and removals have as the creation had it', async () => {
  const asks = ['query tenant', 'header X-Version'];
  const sketches = BOOKS.map((sketch) => ({ ...sketch, asks, statuses: [...sketch.statuses, 400] }));
  const { items, answer } = books();
  const tenants: Parameters<typeof runOwn>[0]['answer'] = (line, body, { url = '', headers }) => {
    const isKnown = url.includes('?tenant=blue%20sky') && headers['x-version'] === '7';
    return isKnown ? answer(line, body) : { status: 400, body: {} };
  };
  const parameters = { tenant: 'blue sky', 'X-Version': '7' };
  const other = { operation: 'list', parameters: { ...parameters, tenant: 'red' }, expect: { status: 400 } };
  const { left, result } = await runOwn({ sketches, steps: [{ ...MAKE, parameters }, other], answer: tenants });
  expect({ left, there: items.size, outcome: result.outcome }).toEqual({ left: [], there: 0, outcome: 'conforms' });
});

test('a removal without a key that was done is the finding, and not what follows from it', async () => {
  const sketches: readonly Sketch[] = [
    ...BOOKS.slice(0, 3),
    { id: 'remove', at: 'DELETE /books/{bookId}', statuses: [204, 401, 404], isSecured: true },
  ];
  const { items, answer } = books();
  const hole: Parameters<typeof runOwn>[0]['answer'] = (line, body, { headers }) => {
    // Who names what is there is let in; what is not there is asked for a key.
    const isRefused =
      line.startsWith('DELETE') && headers.authorization === undefined && !items.has(line.split(' ')[1]!);
    return isRefused ? { status: 401, body: {}, headers: { 'www-authenticate': 'Bearer' } } : answer(line, body);
  };
  const book = { bookId: '${book}' };
  const steps = [
    { ...MAKE, capture: { book: '$response.body#/bookId' } },
    { name: 'read', operation: 'get', parameters: book, expect: { status: 200 } },
    { name: 'remove', operation: 'remove', parameters: book, expect: { status: 204 } },
  ];
  const options = { apiKey: 'a-key-of-this-test' };
  const { result } = await runOwn({ sketches, steps, answer: hole, options });
  expect(result.outcome).toBe('violations');
  const own = result.contracts.flatMap((contract) => contract.steps.map(({ verdict }) => verdict.kind));
  expect(own).toEqual(['pass', 'pass', 'skipped']);
  expect(reasons(result)).toContainEqual(
    expect.stringMatching(/no longer hold after "remove rejects a missing key.*which was done/),
  );
});

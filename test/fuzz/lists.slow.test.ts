import fc from 'fast-check';
import { createBench, headerOf, textOf, type FreshMock } from './fresh-mock';
import { times } from './seed';

const NAMES = ['Ada', 'ada', 'Bo', 'Zoé', 'Zoe\u0301', '\uffff', '😀', '0', ' x'];
const STATUSES = ['available', 'pending', 'sold'];
/** More than any list gathers and sorts: beyond some thousand matches it may walk an index instead. */
const COUNT = 2600;

interface Pet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly total: number;
  readonly next: string | undefined;
}

function send(fresh: FreshMock, method: string, target: string, body?: object): Answer {
  const response = fresh.send({
    method,
    target,
    headers: [
      ['Host', 'mock.example'],
      ['Authorization', 'Bearer test-key'],
      ['Content-Type', 'application/json'],
    ],
    body: body === undefined ? '' : JSON.stringify(body),
  });
  return {
    status: response.status,
    text: textOf(response),
    total: Number(headerOf(response, 'X-Total-Count')),
    next: /<http:\/\/mock\.example([^<>]*)>; rel="next"/.exec(headerOf(response, 'Link') ?? '')?.[1],
  };
}

let fresh: FreshMock;
let pets: readonly Pet[];
beforeAll(async () => {
  fresh = (await createBench()).create();
  pets = JSON.parse(send(fresh, 'GET', '/pets').text) as Pet[];
  const more: Pet[] = [];
  for (let index = 0; index < COUNT; index++) {
    // Far more of one kind than of the others, so that filters are rare and common.
    const name = NAMES[(index * 7) % NAMES.length];
    const status = STATUSES[index % 5 === 0 ? 1 : index % 97 === 0 ? 2 : 0];
    const { text } = send(fresh, 'POST', '/pets', { name, categoryId: index % 11 === 0 ? 2 : 1, status });
    more.push(JSON.parse(text) as Pet);
  }
  pets = [...pets, ...more];
});

interface Query {
  readonly status: readonly string[];
  readonly categoryId: number | undefined;
  readonly name: string | undefined;
  readonly sort: string;
  readonly limit: number;
}

const query: fc.Arbitrary<Query> = fc.record({
  status: fc.subarray(STATUSES),
  categoryId: fc.option(fc.constantFrom(1, 2, 3), { nil: undefined }),
  name: fc.option(fc.constantFrom(...NAMES, 'nobody'), { nil: undefined }),
  sort: fc.constantFrom('id', '-id', 'name', '-name'),
  limit: fc.constantFrom(7, 60, 99, 100),
});

function targetOf({ status, categoryId, name, sort, limit }: Query): string {
  const pairs = status.map((value) => `status=${value}`);
  if (categoryId !== undefined) pairs.push(`categoryId=${categoryId}`);
  if (name !== undefined) pairs.push(`name=${encodeURIComponent(name)}`);
  return `/pets?${[...pairs, `sort=${sort}`, `limit=${limit}`].join('&')}`;
}

function answerTo({ status, categoryId, name, sort }: Query, from: readonly Pet[]): Pet[] {
  const direction = sort.startsWith('-') ? -1 : 1;
  const byName = (left: Pet, right: Pet): number => Buffer.compare(Buffer.from(left.name), Buffer.from(right.name));
  return from
    .filter((pet) => status.length === 0 || status.includes(pet.status))
    .filter((pet) => categoryId === undefined || pet.categoryId === categoryId)
    .filter((pet) => name === undefined || pet.name === name)
    .sort((left, right) => direction * ((sort.endsWith('name') ? byName(left, right) : 0) || left.id - right.id));
}

test('a long list is the same whichever way it was found', () => {
  fc.assert(
    fc.property(query, (each) => {
      const wanted = answerTo(each, pets);
      const found: Pet[] = [];
      let next: string | undefined = targetOf(each);
      // The first pages and the last ones are read from their links; the middle is skipped where it is long.
      while (next !== undefined && found.length < 700) {
        const page = send(fresh, 'GET', next);
        expect([page.status, page.total]).toEqual([200, wanted.length]);
        found.push(...(JSON.parse(page.text) as Pet[]));
        next = page.next;
      }
      expect(found).toEqual(wanted.slice(0, found.length));
      expect(next === undefined).toBe(found.length === wanted.length);
    }),
    times(60),
  );
});

test('what comes and goes meanwhile makes no page skip or repeat the others', () => {
  const before = fresh.mock.engine.sandboxes.main.snapshot();
  const changes = fc.array(fc.record({ at: fc.nat(COUNT), isRemoval: fc.boolean(), name: fc.constantFrom(...NAMES) }), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(query, changes, (each, all) => {
      fresh.mock.engine.sandboxes.main.restore(before);
      const touched = new Set<number>();
      const found: Pet[] = [];
      let next: string | undefined = targetOf(each);
      for (let page = 0; next !== undefined && page < 40; page++) {
        const answer = send(fresh, 'GET', next);
        expect(answer.status).toBe(200);
        found.push(...(JSON.parse(answer.text) as Pet[]));
        next = answer.next;
        const change = all[page];
        if (change === undefined) continue;
        const id = pets[change.at]?.id ?? 1;
        touched.add(id);
        if (change.isRemoval) send(fresh, 'DELETE', `/pets/${id}`);
        const { text } = send(fresh, 'POST', '/pets', { name: change.name, categoryId: 1, status: 'pending' });
        touched.add((JSON.parse(text) as Pet).id);
      }
      const others = found.filter(({ id }) => !touched.has(id));
      const wanted = answerTo(each, pets).filter(({ id }) => !touched.has(id));
      expect(others).toEqual(next === undefined ? wanted : wanted.slice(0, others.length));
    }),
    times(60),
  );
  fresh.mock.engine.sandboxes.main.restore(before);
});

test('a cursor is refused by another list, another order and another filter', () => {
  const { next = '' } = send(fresh, 'GET', '/pets?status=available&sort=name&limit=1');
  const cursor = /cursor=([^&]*)/.exec(next)?.[1] ?? '';
  for (const target of [
    `/pets?status=available&sort=-name&limit=1&cursor=${cursor}`,
    `/pets?status=pending&sort=name&limit=1&cursor=${cursor}`,
    `/pets?sort=name&limit=1&cursor=${cursor}`,
    `/categories?sort=name&limit=1&cursor=${cursor}`,
    `/pets?status=available&sort=name&limit=1&cursor=${cursor}x`,
    `/pets?status=available&sort=name&limit=1&cursor=${cursor.slice(1)}`,
  ]) {
    const { status, text } = send(fresh, 'GET', target);
    expect([status, JSON.parse(text)]).toEqual([400, expect.objectContaining({ code: 'invalid_cursor' })]);
  }
  expect(send(fresh, 'GET', `/pets?status=available&sort=name&limit=50&cursor=${cursor}`).status).toBe(200);
});

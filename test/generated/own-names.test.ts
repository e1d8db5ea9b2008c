import { list, object, text } from '../support/small-api';
import { collection, failed, ID, left, run, Service, type Sketches, told } from './reach-service';

describe('contracts that run beside each other', () => {
  const shelf = object({ ...ID, name: text }, ['name']);
  const label = object({ ...ID, shelfId: text, source: { ...text, maxLength: 60 }, note: { ...text, maxLength: 90 } }, [
    'shelfId',
    'source',
  ]);
  const answers = (item: object): Record<string, object | null> => ({ 201: item, 400: null, 409: null, 422: null });
  const KINDS: Sketches = {
    ...collection('shelves', shelf),
    'POST /shelves': { description: 'The name has to be unique; otherwise 409.', body: shelf, answers: answers(shelf) },
    ...collection('labels', label),
    'POST /labels': {
      description: 'A source text occurs once on a shelf; otherwise 409.',
      body: label,
      answers: answers(label),
    },
  };

  test.each([
    { status: 409, families: ['lifecycle', 'lists'] as const, found: [] },
    {
      status: 400,
      families: ['lifecycle'] as const,
      found: ['add another shelf with the same name', 'add another label with the same source'],
    },
  ])('send no name twice, but where it is refused with $status', async ({ status, families, found }) => {
    const service = new Service();
    service.create = (name, body) => {
      Reflect.deleteProperty(body, 'id');
      const own = name === 'shelves' ? ['name'] : ['shelfId', 'source'];
      const isThere = [...service.of(name).values()].some((row) => own.every((each) => row[each] === body[each]));
      return isThere ? [status, {}] : undefined;
    };
    const { result } = await run(service, KINDS, families);
    const failures = failed(result).map((line) => line.split(':')[0]);
    expect(failures.filter((name) => name?.startsWith('add another'))).toEqual(found);
    // Nobody says that the shelf has to be there.
    expect(told(result)).toEqual(['add a label whose shelfId nobody has', 'add a label of the shelf that was removed']);
    expect(left(service)).toEqual([]);
  });
});

test.each(['date', 'date-time'])(
  'what begins and ends is of other days than what is made beside it (%s)',
  async (format) => {
    const service = new Service();
    service.create = (name, { starts_at: start, ends_at: end }) => {
      const isTaken = [...service.of(name).values()].some(
        (each) => String(each['starts_at']) < String(end) && String(start) < String(each['ends_at']),
      );
      return isTaken || String(start) >= String(end) ? [409, {}] : undefined;
    };
    const time = { type: 'string', format };
    const stay = object({ ...ID, guest: text, starts_at: time, ends_at: time }, ['guest', 'starts_at', 'ends_at']);
    await run(
      service,
      { ...collection('stays', stay), 'GET /stays': { query: { guest: text }, answers: { 200: list(stay) } } },
      ['lists'],
    );
    expect(service.calls).toContain('POST stays 201');
    expect(service.calls).not.toContain('POST stays 409');
  },
);

import { list, object, text } from '../support/small-api';
import { LENDING, lending, names, RETURN } from './lending-service';
import { collection, failed, ID, left, run, Service, type Sketches, whole } from './reach-service';

describe('what nothing removes', () => {
  test('is made in mode full, a few times, and told', async () => {
    const service = lending();
    const { called, result } = await run(service, { ...LENDING, ...RETURN }, undefined, 'full');
    expect(called).toEqual(new Set(Object.keys({ ...LENDING, ...RETURN })));
    expect(failed(result)).toEqual([]);
    const loans = service.of('loans');
    expect(loans.size).toBeLessThanOrEqual(12);
    // What it was made of is removed, since each loan is ended first.
    expect(names(service)).toEqual(['loans']);
    expect([...loans.values()].filter(({ state }) => state === 'out')).toEqual([]);
    expect(result.leftBehind.map(({ isAccepted, url }) => [isAccepted, url.split('/').at(-2)])).toEqual(
      [...loans].map(() => [true, 'loans']),
    );
    expect(result.outcome).toBe('conforms');
  });

  test('is not made in mode own, and the last lines say how', async () => {
    const service = lending();
    const { called, result } = await run(service, LENDING);
    expect(called).not.toContain('POST /loans');
    expect(left(service)).toEqual([]);
    expect(result.uncalled).toEqual([
      expect.objectContaining({
        operation: 'POST /loans',
        reason: 'makes something that no DELETE of the description removes: --mode full makes a few and leaves them',
      }),
      expect.objectContaining({ operation: 'GET /loans/{id}' }),
    ]);
  });

  test('may keep what it refers to, which is told and fails nothing', async () => {
    const service = lending();
    const { result } = await run(service, LENDING, undefined, 'full');
    expect(names(service)).toEqual(['tools', 'loans']);
    expect(result.leftBehind.every(({ isAccepted }) => isAccepted)).toBe(true);
    expect(result.outcome).toBe('conforms');
  });

  test('is not made of what only others have, and without it where that may be', async () => {
    const seen = async (required: readonly string[]): Promise<Service> => {
      const room = object({ ...ID, title: text });
      const booking = object({ ...ID, roomId: text, title: text }, required);
      const service = new Service();
      service.store('rooms', { id: 'theirs', title: 'Theirs' });
      await run(
        service,
        {
          'GET /rooms': { answers: { 200: list(room) } },
          'GET /rooms/{id}': { answers: { 200: room, 404: null } },
          'GET /bookings': { answers: { 200: list(booking) } },
          'POST /bookings': { body: booking, answers: { 201: booking, 400: null, 422: null } },
          'GET /bookings/{id}': { answers: { 200: booking, 404: null } },
        },
        undefined,
        'full',
      );
      return service;
    };
    expect(names(await seen(['roomId']))).toEqual(['rooms']);
    const bookings = [...(await seen(['title'])).of('bookings').values()];
    expect(bookings.length).toBeGreaterThan(0);
    expect(bookings.filter(({ roomId }) => roomId === 'theirs')).toEqual([]);
  });

  test('is made so often at the most, whatever is made of it', async () => {
    const kinds = ['clients', 'contracts', 'bills', 'lines'];
    const sketches = kinds.map((name, index): Sketches => {
      const above = kinds[index - 1];
      const item = object(
        { ...ID, title: text, ...(above === undefined ? {} : { [`${above.slice(0, -1)}Id`]: text }) },
        [...(above === undefined ? [] : [`${above.slice(0, -1)}Id`])],
      );
      return {
        [`GET /${name}`]: { answers: { 200: list(item) } },
        [`POST /${name}`]: { body: item, answers: { 201: item, 400: null } },
        [`GET /${name}/{id}`]: { answers: { 200: item, 404: null } },
      };
    });
    const service = new Service();
    const { result } = await run(service, Object.assign({}, ...sketches) as Sketches, ['lifecycle', 'lists'], 'full');
    const counts = kinds.map((name) => service.of(name).size);
    expect(Math.max(...counts)).toBeLessThanOrEqual(25);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(failed(result)).toEqual([]);
  });

  test.each([
    ['invitations', { title: text }, false],
    ['subscriptions', { callbackUrl: text }, false],
    ['subscriptions', { email: text }, false],
    ['subscriptions', { seats: whole }, true],
  ])('is not made where it reaches somebody, and the last lines say so: %s of %j', async (name, more, isMade) => {
    const item = object({ ...ID, ...more });
    const { [`DELETE /${name}/{id}`]: _, ...sketches } = collection(name, item);
    const { called, result } = await run(new Service(), sketches, undefined, 'full');
    expect(called).toContain(`GET /${name}`);
    expect(called.has(`POST /${name}`)).toBe(isMade);
    const { reason } = result.uncalled?.find(({ operation }) => operation === `POST /${name}`) ?? {};
    expect(reason).toBe(isMade ? undefined : 'may reach people or cost money');
  });

  test('does not name what others made, whatever the list shows of it', async () => {
    const service = lending();
    for (const id of ['theirs', 'theirs-too']) service.store('loans', { id, toolId: 'drill', state: 'out' });
    service.store('tools', { id: 'drill', title: 'Drill', stock: 5 });
    service.remove = () => undefined;
    await run(service, LENDING, undefined, 'full');
    const own = [...service.of('loans').values()].filter(({ id }) => !String(id).startsWith('theirs'));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ toolId }) => toolId === 'drill')).toEqual([]);
  });
});

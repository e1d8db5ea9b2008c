import { object, text } from '../support/small-api';
import { collection, failed, ID, run, Service } from './reach-service';

describe('the body of an action', () => {
  const words = ['confirmed', 'active', 'returned', 'cancelled', 'lost'];
  const state = { type: 'string', enum: ['requested', ...words], readOnly: true };
  const trip = object({ ...ID, title: text, state });
  const next: Readonly<Record<string, readonly string[]>> = {
    requested: ['confirmed', 'cancelled'],
    confirmed: ['active', 'cancelled'],
    active: ['returned'],
  };
  const moving = (stores: boolean): Service => {
    const service = new Service();
    service.create = (name, body) => [201, service.store(name, { ...body, state: 'requested' })];
    service.act = (item, _, { to }) => {
      if (next[String(item['state'])]?.includes(String(to)) !== true) return [409, {}];
      const moved = { ...item, state: to };
      if (stores) service.store('trips', moved);
      return [200, moved];
    };
    return service;
  };
  const taking = (body: object): Parameters<typeof run>[1] => ({
    ...collection('trips', trip),
    'POST /trips/{id}/advance': { body, answers: { 200: trip, 400: null, 404: null, 409: null } },
  });
  const to = object({ to: { type: 'string', enum: words } }, ['to']);

  test('is tried with one word after the other, four at most, and what it did stays so', async () => {
    const service = moving(true);
    const { called, result } = await run(service, taking(to), ['lifecycle'], 'full');
    expect(called).toContain('POST /trips/{id}/advance');
    expect(failed(result)).toEqual([]);
    expect(service.calls.filter((call) => call === 'POST trips/{id}/advance 200').length).toBeGreaterThan(3);
    const forgetful = await run(moving(false), taking(to), ['lifecycle'], 'full');
    expect(failed(forgetful.result).join()).toContain('the trip is as advance showed it');
  });

  test.each([
    ['a word in mode own', to, 'own'],
    ['the key of something', object({ driverId: { type: 'integer' } }, ['driverId']), 'full'],
    ['any text', object({ target: text }, ['target']), 'full'],
  ] as const)('with %s is not sent', async (_, body, mode) => {
    const { called } = await run(moving(true), taking(body), ['lifecycle'], mode);
    expect(called).not.toContain('POST /trips/{id}/advance');
  });
});

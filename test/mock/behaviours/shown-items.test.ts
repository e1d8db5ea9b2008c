import type { JsonObject } from '../../../src/core/json/json-value';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

const readOnly = (schema: object): object => ({ allOf: [schema], readOnly: true });
const crud = (path: string, name: string, sent: object): object => ({
  [`GET ${path}`]: { answers: { 200: list(ref(name)) } },
  [`POST ${path}`]: { body: sent, answers: { 201: ref(name) } },
  [`GET ${path}/{id}`]: { answers: { 200: ref(name), 404: null } },
  [`PATCH ${path}/{id}`]: { body: sent, answers: { 200: ref(name), 404: null } },
  [`DELETE ${path}/{id}`]: { answers: { 204: null, 404: null } },
});

const nullable = { ...whole, nullable: true };

describe.each([
  ['owner_id', 'owner', 'driver_ids', 'drivers'],
  ['owner', 'owner_obj', 'driverIds', 'driverDetails'],
])('%s beside %s, %s beside %s', (key, shown, keys, shownList) => {
  const sent = object({ title: text, [key]: nullable, [keys]: list(whole) });
  const { send } = mockOfDocument(
    smallApi(
      { ...crud('/owners', 'Owner', object({ name: text })), ...crud('/cars', 'Car', sent) },
      {
        Owner: object({ id: { ...whole, readOnly: true }, name: text }),
        OwnerBrief: object({ id: whole, name: text }),
        Car: object({
          id: { ...whole, readOnly: true },
          title: text,
          [key]: nullable,
          [shown]: { ...readOnly(ref('OwnerBrief')), nullable: true },
          [keys]: list(whole),
          [shownList]: { ...list(ref('OwnerBrief')), readOnly: true },
        }),
      },
      { id: whole },
    ),
  );
  const make = async (path: string, body: JsonObject): Promise<number> =>
    ((await send('POST', path, body)).body as { id: number }).id;
  const read = async (path: string): Promise<unknown> => (await send('GET', path)).body;

  test('items show what they name: when they are made, after a change, and as it is now', async () => {
    const ada = await make('/owners', { name: 'Ada' });
    const bob = await make('/owners', { name: 'Bob' });
    const car = await make('/cars', { title: 'Mini', [key]: ada, [keys]: [ada, bob] });
    const Ada = { id: ada, name: 'Ada' };
    const Bob = { id: bob, name: 'Bob' };
    expect(await read(`/cars/${car}`)).toMatchObject({ [key]: ada, [shown]: Ada, [shownList]: [Ada, Bob] });
    const changed = await send('PATCH', `/cars/${car}`, { [key]: bob, [keys]: [bob] });
    expect(changed.body).toMatchObject({ title: 'Mini', [key]: bob, [shown]: Bob, [keys]: [bob], [shownList]: [Bob] });
    await send('PATCH', `/owners/${bob}`, { name: 'Robert' });
    const Robert = { id: bob, name: 'Robert' };
    expect(await read(`/cars/${car}`)).toMatchObject({ [shown]: Robert, [shownList]: [Robert] });
    expect(await read('/cars')).toContainEqual(expect.objectContaining({ id: car, [shown]: Robert }));
    await send('PATCH', `/cars/${car}`, { [key]: null, [keys]: [] });
    const without = await read(`/cars/${car}`);
    expect(without).toMatchObject({ [key]: null, [keys]: [], [shownList]: [] });
    expect((without as JsonObject)[shown] ?? null).toBeNull();
  });

  test('what is not there is refused by nothing, and not shown', async () => {
    const car = await make('/cars', { title: 'Mini', [key]: 4711 });
    expect(await read(`/cars/${car}`)).toMatchObject({ title: 'Mini', [key]: 4711 });
    expect(await read(`/cars/${car}`)).not.toHaveProperty(shown);
  });

  test('seeded items agree with themselves', async () => {
    const owners = (await read('/owners')) as { id: number }[];
    for (const car of (await read('/cars')) as Record<string, unknown>[]) {
      if (car[key] === undefined || car[key] === null || car[shown] === undefined) continue;
      expect(car[shown]).toEqual(owners.find(({ id }) => id === car[key]) ?? car[shown]);
    }
  });
});

test('an object that clients send is theirs', async () => {
  const sent = object({ owner_id: whole, owner: ref('Owner') });
  const { send } = mockOfDocument(
    smallApi(
      { ...crud('/owners', 'Owner', object({ name: text })), ...crud('/cars', 'Car', sent) },
      { Owner: object({ id: whole, name: text }), Car: object({ id: whole, owner_id: whole, owner: ref('Owner') }) },
      { id: whole },
    ),
  );
  const { body } = await send('POST', '/cars', { owner_id: 1, owner: { id: 1, name: 'as I say' } });
  expect(body).toMatchObject({ owner: { name: 'as I say' } });
});

describe('lists of keys at both ends', () => {
  const uuids = list({ ...text, format: 'uuid' });
  const { send } = mockOfDocument(
    smallApi(
      {
        ...crud('/users', 'User', object({ name: text, groups: uuids })),
        ...crud('/groups', 'Group', object({ name: text, users: list(whole), parents: uuids })),
      },
      {
        User: object({
          pk: { ...whole, readOnly: true },
          name: text,
          groups: uuids,
          groups_obj: readOnly(list(ref('RelatedGroup'))),
        }),
        PartialUser: object({ pk: whole, name: text }),
        RelatedGroup: object({ pk: { ...text, format: 'uuid' }, name: text }),
        Group: object({
          pk: { ...text, format: 'uuid', readOnly: true },
          name: text,
          users: list(whole),
          users_obj: readOnly(list(ref('PartialUser'))),
          parents: uuids,
          parents_obj: readOnly(list(ref('RelatedGroup'))),
          children: { ...uuids, readOnly: true },
          children_obj: readOnly(list(ref('RelatedGroup'))),
        }),
      },
    ),
  );
  const make = async (path: string, body: JsonObject): Promise<{ pk: string | number }> =>
    (await send('POST', path, body)).body as { pk: string | number };
  const read = async (path: string): Promise<unknown> => (await send('GET', path)).body;

  test('both say the same, whichever is written', async () => {
    const ada = await make('/users', { name: 'Ada' });
    const staff = await make('/groups', { name: 'Staff', users: [ada.pk] });
    expect(await read(`/users/${ada.pk}`)).toMatchObject({ groups: [staff.pk], groups_obj: [{ name: 'Staff' }] });
    const bob = await make('/users', { name: 'Bob', groups: [staff.pk] });
    expect(await read(`/groups/${staff.pk}`)).toMatchObject({
      users: [ada.pk, bob.pk],
      users_obj: [{ name: 'Ada' }, { name: 'Bob' }],
    });
    await send('PATCH', `/groups/${staff.pk}`, { users: [bob.pk] });
    expect(await read(`/users/${ada.pk}`)).toMatchObject({ groups: [], groups_obj: [] });
    await send('DELETE', `/users/${bob.pk}`);
    expect(await read(`/groups/${staff.pk}`)).toMatchObject({ users: [], users_obj: [] });
  });

  test('parents have the children that name them', async () => {
    const above = await make('/groups', { name: 'All' });
    const below = await make('/groups', { name: 'Some', parents: [above.pk] });
    expect(await read(`/groups/${above.pk}`)).toMatchObject({ children: [below.pk], children_obj: [{ name: 'Some' }] });
  });
});

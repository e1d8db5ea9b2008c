import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument, objectOf } from './small-mock';

const flag = { type: 'boolean' };
const domains = {
  'GET /domains': { answers: { 200: list(ref('Domain')) } },
  'POST /domains': { body: object({ name: text }, ['name']), answers: { 201: ref('Domain') } },
  'GET /domains/{name}': { answers: { 200: ref('Domain') } },
};
const Domain = object({ name: text, auto_renew: flag, private_whois: flag }, ['name', 'auto_renew']);

interface Words {
  readonly method: string;
  readonly on: string;
  readonly off: string;
  readonly answer: object | null;
  readonly status?: object;
}

test.each<[string, Words]>([
  ['POST that answers it', { method: 'POST', on: 'Enable DNSSEC', off: 'Disable DNSSEC', answer: ref('Status') }],
  ['PUT that answers nothing', { method: 'PUT', on: 'Enables it.', off: 'Disables it.', answer: null }],
  [
    'a flag of another name',
    { method: 'POST', on: 'Activate', off: 'Deactivate', answer: null, status: object({ active: flag }, ['active']) },
  ],
])('a record of a flag is switched on and off: %s', async (_, { method, on, off, answer, status }) => {
  const Status = status ?? object({ enabled: flag, note: text });
  const member = 'active' in (Status as { properties: object }).properties ? 'active' : 'enabled';
  const { send } = mockOfDocument(
    smallApi(
      {
        ...domains,
        'GET /domains/{name}/dnssec': { answers: { 200: object({ data: ref('Status') }) } },
        [`${method} /domains/{name}/dnssec`]: {
          summary: on,
          answers: answer === null ? { 204: null } : { 201: object({ data: answer }) },
        },
        'DELETE /domains/{name}/dnssec': { summary: off, answers: { 204: null } },
      },
      { Domain, Status },
    ),
  );
  await send('POST', '/domains', { name: 'a.com' });
  const path = '/domains/a.com/dnssec';
  const isOn = async (): Promise<unknown> =>
    (objectOf(await send('GET', path))['data'] as Record<string, unknown>)[member];
  expect(await isOn()).toBe(false);
  const switched = await send(method, path);
  expect(switched.status).toBe(answer === null ? 204 : 201);
  if (answer !== null) expect(switched.body).toMatchObject({ data: { [member]: true } });
  expect(await isOn()).toBe(true);
  expect((await send('DELETE', path)).status).toBe(204);
  expect(await isOn()).toBe(false);
  expect((await send('DELETE', path)).status).toBe(204);
  expect((await send('GET', '/domains/b.com/dnssec')).status).toBe(404);
});

test('a flag of the thing is switched below it', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        ...domains,
        'PUT /domains/{name}/auto_renewal': { summary: 'Enables auto renewal', answers: { 204: null } },
        'DELETE /domains/{name}/auto_renewal': { summary: 'Disables auto renewal', answers: { 204: null } },
      },
      { Domain },
    ),
  );
  const { auto_renew: begun } = objectOf(await send('POST', '/domains', { name: 'a.com' }));
  const path = '/domains/a.com/auto_renewal';
  expect(begun).toBe(false);
  expect((await send('PUT', path)).status).toBe(204);
  expect((await send('GET', '/domains/a.com')).body).toMatchObject({ auto_renew: true });
  expect((await send('DELETE', path)).status).toBe(204);
  expect((await send('GET', '/domains/a.com')).body).toMatchObject({ name: 'a.com', auto_renew: false });
  expect((await send('PUT', '/domains/b.com/auto_renewal')).status).toBe(404);
});

test('a record that is removed is gone, whatever flags it has', async () => {
  const Settings = object({ enabled: flag, url: text }, ['url']);
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /settings': { answers: { 200: ref('Settings'), 404: null } },
        'PUT /settings': { summary: 'Replace settings', body: ref('Settings'), answers: { 200: ref('Settings') } },
        'DELETE /settings': { summary: 'Remove settings', answers: { 204: null } },
      },
      { Settings },
    ),
  );
  await send('PUT', '/settings', { enabled: true, url: 'a' });
  expect((await send('DELETE', '/settings')).status).toBe(204);
  expect((await send('GET', '/settings')).status).toBe(404);
});

test.each(['Enable or disable it', 'Enable it'])('a flag that is sent is as it was sent: %s', async (summary) => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /mirror': { answers: { 200: ref('Mirror') } },
        'PUT /mirror': { summary, body: object({ enabled: flag }), answers: { 200: ref('Mirror') } },
      },
      { Mirror: object({ enabled: flag }) },
    ),
  );
  for (const enabled of [true, false]) {
    expect((await send('PUT', '/mirror', { enabled })).body).toEqual({ enabled });
    expect((await send('GET', '/mirror')).body).toEqual({ enabled });
  }
});
